/*
 * Columns of apache-arrow's from what PostgreSQL has without Arrow: COPY's CSV,
 * COPY's binary rows, and json_agg.  Each parser goes through the bytes once and
 * puts values straight into the columns' memory, with nothing made for a value;
 * a numeric becomes a double, which costs less than the decimal that it is.
 */
'use strict';

const { makeData, makeVector, Table, Utf8, Float64, Int32, Int64, DateDay } = require('apache-arrow');

const MS_A_DAY = 86400000;
const PG_EPOCH = 10957;						/* days from 1970 to 2000 */

/* Values of one column, in memory that grows. */
class Column {
	constructor(kind) {
		this.kind = kind;
		this.length = 0;
		this.nulls = 0;
		this.values = new { integer: Int32Array, bigint: BigInt64Array, numeric: Float64Array, date: Int32Array,
			text: Int32Array }[kind](1024);
		this.valid = new Uint8Array(128);
		this.text = kind === 'text' ? Buffer.allocUnsafe(16384) : null;
		this.textLength = 0;
	}

	/* Make room for one value more, and say that it is there. */
	next() {
		if (this.length + 2 > this.values.length) {
			const values = new this.values.constructor(this.values.length * 2);
			const valid = new Uint8Array(this.valid.length * 2);
			values.set(this.values);
			valid.set(this.valid);
			this.values = values;
			this.valid = valid;
		}
		this.valid[this.length >> 3] |= 1 << (this.length & 7);
		return this.length++;
	}

	push(value) {
		const i = this.next();
		this.values[i] = value;
	}

	/* Make room for so many bytes more of text. */
	reserve(size) {
		if (this.textLength + size > this.text.length) {
			const text = Buffer.allocUnsafe(Math.max(this.text.length * 2, this.textLength + size));
			this.text.copy(text, 0, 0, this.textLength);
			this.text = text;
		}
	}

	/* Text that lies in a buffer. */
	pushBytes(buffer, start, end) {
		const i = this.next();
		this.reserve(end - start);
		buffer.copy(this.text, this.textLength, start, end);
		this.textLength += end - start;
		this.values[i + 1] = this.textLength;
	}

	/* Text that is a string. */
	pushString(string) {
		const i = this.next();
		this.reserve(string.length * 3);
		this.textLength += this.text.write(string, this.textLength);
		this.values[i + 1] = this.textLength;
	}

	pushNull() {
		const i = this.next();
		this.valid[i >> 3] &= ~(1 << (i & 7));
		this.nulls++;
		if (this.text) {
			this.values[i + 1] = this.textLength;
		}
	}

	vector() {
		const common = { length: this.length, nullCount: this.nulls, nullBitmap: this.valid };
		if (this.text) {
			return makeVector(makeData({ ...common, type: new Utf8(), valueOffsets: this.values.subarray(0, this.length + 1),
				data: this.text.subarray(0, this.textLength) }));
		}
		const type = { integer: Int32, bigint: Int64, numeric: Float64, date: DateDay }[this.kind];
		return makeVector(makeData({ ...common, type: new type(), data: this.values.subarray(0, this.length) }));
	}
}

function makeTable(names, columns) {
	return new Table(Object.fromEntries(columns.map((column, i) => [names[i], column.vector()])));
}

/* A whole number in digits. */
function parseInteger(bytes, start, end) {
	let value = 0;
	const negative = bytes[start] === 45;
	for (let i = negative ? start + 1 : start; i < end; i++) {
		value = value * 10 + bytes[i] - 48;
	}
	return negative ? -value : value;
}

/* A number with a point. */
function parseNumeric(bytes, start, end) {
	let value = 0;
	let scale = 1;
	let fraction = false;
	const negative = bytes[start] === 45;
	for (let i = negative ? start + 1 : start; i < end; i++) {
		if (bytes[i] === 46) {
			fraction = true;
		} else {
			value = value * 10 + bytes[i] - 48;
			if (fraction) {
				scale *= 10;
			}
		}
	}
	return (negative ? -value : value) / scale;
}

/* Days since 1970 of a date as PostgreSQL prints it. */
function parseDate(bytes, start) {
	return Date.UTC(parseInteger(bytes, start, start + 4), parseInteger(bytes, start + 5, start + 7) - 1,
		parseInteger(bytes, start + 8, start + 10)) / MS_A_DAY;
}

function pushText(column, bytes, start, end) {
	switch (column.kind) {
		case 'integer': column.push(parseInteger(bytes, start, end)); break;
		case 'bigint': column.push(BigInt(parseInteger(bytes, start, end))); break;
		case 'numeric': column.push(parseNumeric(bytes, start, end)); break;
		case 'date': column.push(parseDate(bytes, start)); break;
		default: column.pushBytes(bytes, start, end);
	}
}

/* COPY's CSV: a field of nothing is NULL, a quote within quotes is doubled. */
function fromCsv(bytes, names, kinds) {
	const columns = kinds.map((kind) => new Column(kind));
	let at = 0;
	while (at < bytes.length) {
		for (let c = 0; c < columns.length; c++) {
			const last = c === columns.length - 1;
			if (bytes[at] === 34) {
				let end = bytes.indexOf(34, at + 1);
				let doubled = false;
				while (bytes[end + 1] === 34) {
					doubled = true;
					end = bytes.indexOf(34, end + 2);
				}
				if (doubled) {
					columns[c].pushString(bytes.toString('utf8', at + 1, end).replaceAll('""', '"'));
				} else {
					pushText(columns[c], bytes, at + 1, end);
				}
				at = end + 2;
			} else {
				const start = at;
				const stop = last ? 10 : 44;
				while (bytes[at] !== stop) {
					at++;
				}
				if (at === start) {
					columns[c].pushNull();
				} else {
					pushText(columns[c], bytes, start, at);
				}
				at++;
			}
		}
	}
	return makeTable(names, columns);
}

/* A numeric as its send function writes it: digits to base 10,000. */
function binaryNumeric(view, at) {
	const digits = view.getInt16(at);
	let weight = view.getInt16(at + 2);
	let value = 0;
	for (let i = 0; i < digits; i++) {
		value = value * 10000 + view.getInt16(at + 8 + i * 2);
	}
	for (weight -= digits - 1; weight < 0; weight++) {
		value /= 10000;
	}
	for (; weight > 0; weight--) {
		value *= 10000;
	}
	return view.getUint16(at + 4) === 0x4000 ? -value : value;
}

/* COPY's binary rows. */
function fromBinary(bytes, names, kinds) {
	const columns = kinds.map((kind) => new Column(kind));
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let at = 19;								/* its signature, flags and extension */
	while (view.getInt16(at) >= 0) {
		at += 2;
		for (const column of columns) {
			const size = view.getInt32(at);
			at += 4;
			if (size < 0) {
				column.pushNull();
				continue;
			}
			switch (column.kind) {
				case 'integer': column.push(view.getInt32(at)); break;
				case 'bigint': column.push(view.getBigInt64(at)); break;
				case 'numeric': column.push(binaryNumeric(view, at)); break;
				case 'date': column.push(view.getInt32(at) + PG_EPOCH); break;
				default: column.pushBytes(bytes, at, at + size);
			}
			at += size;
		}
	}
	return makeTable(names, columns);
}

/* An array of objects. */
function fromJson(bytes, names, kinds) {
	const columns = kinds.map((kind) => new Column(kind));
	for (const row of JSON.parse(bytes.toString('utf8'))) {
		for (let c = 0; c < columns.length; c++) {
			const value = row[names[c]];
			if (value === null) {
				columns[c].pushNull();
			} else if (kinds[c] === 'text') {
				columns[c].pushString(value);
			} else if (kinds[c] === 'date') {
				columns[c].push(Date.parse(value) / MS_A_DAY);
			} else {
				columns[c].push(kinds[c] === 'bigint' ? BigInt(value) : value);
			}
		}
	}
	return makeTable(names, columns);
}

module.exports = { fromCsv, fromBinary, fromJson };
