/*
 * What the readers in JavaScript share: the texts of values as apache-arrow has
 * them, in the form of truth() (setup.sql), what its fields say, and how a case
 * is judged.
 */
'use strict';

const fs = require('fs');

/* apache-arrow's numbers of types, which are Schema.fbs's and negative variants */
const NULL = 1, INT = 2, FLOAT = 3, BINARY = 4, UTF8 = 5, BOOL = 6, DECIMAL = 7, DATE = 8, TIME = 9, TIMESTAMP = 10,
	INTERVAL = 11, LIST = 12, STRUCT = 13, FIXED_BINARY = 15, DICTIONARY = -1;
const UNITS = ['s', 'ms', 'us', 'ns'];

let passed = 0;
let failed = 0;

/* Count a case: its name, and what is wrong with it or nothing. */
function result(name, fault) {
	if (!fault) {
		passed++;
	} else {
		failed++;
		console.log(`FAILED: ${name}: ${fault}`);
	}
}

/* Say how it ended, as the last line. */
function summary() {
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

/*
 * The cases of the file that told() has written, as far as these readers go: none
 * of them is built with the codecs for compressed batches.
 */
function readCases(path) {
	const lines = fs.readFileSync(path, 'utf8').split('\n').filter((line) => line !== '');
	const cases = lines.map((line) => JSON.parse(line));
	for (const one of cases) {
		one.stream = Buffer.from(one.stream, 'base64');
	}
	return cases.filter((one) => one.compression === 'none');
}

/* The integer that a vector stores, where its get() makes a float of it. */
function storedInteger(vector, index) {
	for (const data of vector.data) {
		if (index < data.length) {
			return data.values[index];
		}
		index -= data.length;
	}
	throw new Error('index past the end');
}

/* The text of an unscaled decimal of so many digits behind its point. */
function decimalText(unscaled, scale) {
	if (scale === 0) {
		return unscaled.toString();
	}
	const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
	return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/* The two's complement that little-endian words of 32 bits make. */
function wordsToInteger(words) {
	let value = 0n;
	for (let i = words.length - 1; i >= 0; i--) {
		value = (value << 32n) | BigInt(words[i] >>> 0);
	}
	return BigInt.asIntN(32 * words.length, value);
}

/* The bits of a float, big-endian. */
function floatText(value, precision) {
	const buffer = Buffer.alloc(precision === 2 ? 8 : 4);
	if (precision === 2) {
		buffer.writeDoubleBE(value);
	} else {
		buffer.writeFloatBE(value);
	}
	return buffer.toString('hex');
}

/* A value's text, or list of texts. */
function valueText(vector, index) {
	const type = vector.type;
	if (!vector.isValid(index)) {
		return null;
	}
	switch (type.typeId) {
		case NULL:
			return null;
		case FLOAT:
			return floatText(vector.get(index), type.precision);
		case DECIMAL:
			return decimalText(wordsToInteger(vector.get(index)), type.scale);
		case BINARY:
		case FIXED_BINARY:
			return Buffer.from(vector.get(index)).toString('hex');
		case DATE:
			return String(storedInteger(vector, index));
		case TIME:
		case TIMESTAMP:
			return String(storedInteger(vector, index));
		case INTERVAL: {
			const parts = vector.get(index);
			const nanoseconds = wordsToInteger(parts.slice(2, 4));
			if (nanoseconds % 1000n !== 0n) {
				throw new Error(`${nanoseconds} nanoseconds are no microseconds`);
			}
			return `${parts[0]} ${parts[1]} ${nanoseconds / 1000n}`;
		}
		case LIST: {
			const items = vector.get(index);
			return Array.from({ length: items.length }, (_, i) => valueText(items, i));
		}
		case STRUCT:
			return type.children.map((_, i) => valueText(vector.getChildAt(i), index));
		default: {
			const value = vector.get(index);		/* null for a dictionary's NULL */
			return value === null ? null : String(value);
		}
	}
}

/* The rows of a table as lists of texts. */
function tableTexts(table) {
	const columns = table.schema.fields.map((_, i) => table.getChildAt(i));
	return Array.from({ length: table.numRows }, (_, i) => columns.map((vector) => valueText(vector, i)));
}

/* What arrow_field() calls a type. */
function typeText(type) {
	switch (type.typeId) {
		case INT: return `${type.isSigned ? '' : 'u'}int${type.bitWidth}`;
		case FLOAT: return ['half', 'float', 'double'][type.precision];
		case BINARY: return 'binary';
		case UTF8: return 'utf8';
		case BOOL: return 'bool';
		case DECIMAL: return `decimal${type.bitWidth === 128 ? '' : type.bitWidth}(${type.precision}, ${type.scale})`;
		case DATE: return type.unit === 0 ? 'date32' : 'date64';
		case TIME: return `time${type.bitWidth}[${UNITS[type.unit]}]`;
		case TIMESTAMP: return `timestamp[${UNITS[type.unit]}${type.timezone ? `, ${type.timezone}` : ''}]`;
		case INTERVAL: return ['year_month', 'day_time', 'month_day_nano'][type.unit];
		case LIST: return 'list';
		case STRUCT: return 'struct';
		case FIXED_BINARY: return `fixed(${type.byteWidth})`;
		case DICTIONARY: {
			const index = typeText(type.indices);
			return `dictionary<${index === 'int32' ? '' : `${index}, `}${typeText(type.dictionary)}>`;
		}
		default: return `type ${type.typeId}`;
	}
}

/* A field as arrow_field() describes it. */
function describe(field) {
	const said = (key) => field.metadata.get(key) ?? null;
	return {
		name: field.name,
		arrow: typeText(field.type),
		children: (field.type.typeId === LIST || field.type.typeId === STRUCT ? field.type.children : []).map(describe),
		extension: said('ARROW:extension:name'),
		schema: said('postgresql:type_schema'),
		type: said('postgresql:type_name'),
		typmod: said('postgresql:typmod'),
	};
}

/* Where a field differs from what it has to be, or nothing. */
function fieldFault(expected, got) {
	for (const key of ['name', 'arrow', 'extension', 'schema', 'type', 'typmod']) {
		if (expected[key] !== got[key]) {
			return `${expected.name}: ${key} is ${got[key]} instead of ${expected[key]}`;
		}
	}
	if (expected.children === null) {
		return null;
	}
	if (expected.children.length !== got.children.length) {
		return `${expected.name} has ${got.children.length} children instead of ${expected.children.length}`;
	}
	return expected.children.reduce((fault, child, i) => fault ?? fieldFault(child, got.children[i]), null);
}

/* Where the fields of a schema differ from what they have to be, or nothing. */
function fieldsFault(expected, schema) {
	const got = schema.fields.map(describe);
	if (got.length !== expected.length) {
		return `${got.length} columns instead of ${expected.length}`;
	}
	return expected.reduce((fault, field, i) => fault ?? fieldFault(field, got[i]), null);
}

/* Where rows differ from what they have to be, or nothing. */
function rowsFault(expected, got) {
	if (got.length !== expected.length) {
		return `${got.length} rows instead of ${expected.length}`;
	}
	for (let i = 0; i < expected.length; i++) {
		const want = JSON.stringify(expected[i]);
		const have = JSON.stringify(got[i]);
		if (want !== have) {
			return `row ${i + 1} is ${have.slice(0, 300)} instead of ${want.slice(0, 300)}`;
		}
	}
	return null;
}

/* Judge what a function finds; an exception is a fault, too. */
async function judge(name, find) {
	let fault;
	try {
		fault = await find();
	} catch (error) {
		fault = `${error && error.stack ? error.stack.split('\n').slice(0, 4).join(' | ') : error}`;
	}
	result(name, fault);
}

/* A file of streams for arrow_to_rowset, as written_fault() reads them. */
class Written {
	constructor(path) {
		this.file = fs.openSync(path, 'w');
	}

	add(name, stream, types, rows) {
		fs.writeSync(this.file, JSON.stringify({
			name, stream: Buffer.from(stream).toString('base64'), types, rows }) + '\n');
	}
}

module.exports = { readCases, tableTexts, fieldsFault, rowsFault, judge, result, summary, Written };
