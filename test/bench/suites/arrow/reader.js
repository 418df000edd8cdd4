/*
 * Fetches a table from PostgreSQL in several forms and makes columns of
 * apache-arrow's of each, in turns:
 *
 *   reader.js PASSES <FORMS >MEASUREMENTS
 *
 * FORMS is JSON: the columns, and for each form its number, the statement, and how
 * what psql prints of it is to be read.  MEASUREMENTS are lines of arrow.measurement
 * (cases.sql), the first pass of each being number 0, to warm up.
 */
'use strict';

const fs = require('fs');
const { spawn } = require('child_process');
const { tableFromIPC } = require('apache-arrow');
const { fromCsv, fromBinary, fromJson } = require('./columns.js');

/* All that psql prints of a statement. */
function fetch(statement) {
	return new Promise((resolve, reject) => {
		const psql = spawn('psql', ['-X', '-q', '-d', 'bench', '-c', statement], { stdio: ['ignore', 'pipe', 'inherit'] });
		const chunks = [];
		psql.stdout.on('data', (chunk) => chunks.push(chunk));
		psql.on('error', reject);
		psql.on('close', (code) => (code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(`psql ended with ${code}`))));
	});
}

/* The one value in COPY's binary form: behind a header, a count and a length. */
function onlyValue(bytes) {
	return bytes.subarray(25, 25 + bytes.readInt32BE(21));
}

function toTable(form, bytes, names, kinds) {
	switch (form.format) {
		case 'arrow': return tableFromIPC(onlyValue(bytes));
		case 'json': return fromJson(onlyValue(bytes), names, kinds);
		case 'csv': return fromCsv(bytes, names, kinds);
		case 'binary': return fromBinary(bytes, names, kinds);
		default: throw new Error(form.format);
	}
}

/* The sum of a column of doubles, or of decimals with two digits behind the point. */
function sum(vector) {
	let total = 0;
	for (const data of vector.data) {
		const values = data.values;
		if (values instanceof Float64Array) {
			for (let i = 0; i < data.length; i++) {
				total += values[i];
			}
		} else {
			for (let i = 0; i < data.length; i++) {		/* 128 bits, of which these need 53 */
				total += (values[4 * i] + values[4 * i + 1] * 4294967296) / 100;
			}
		}
	}
	return total;
}

/* What tells one table from another: rows, and of each column the values and their bytes or sum. */
function answer(table, kinds) {
	const parts = kinds.map((kind, c) => {
		const vector = table.getChildAt(c);
		let value = 0;
		if (kind === 'numeric') {
			value = sum(vector).toFixed(2);
		} else {
			for (let i = 0; i < vector.length; i += 997) {
				value = (value * 31 + (kind === 'text' ? Buffer.byteLength(vector.get(i)) : Number(vector.get(i)) % 1000003)) % 1000003;
			}
		}
		return `${vector.length - vector.nullCount}/${value}`;
	});
	return `${table.numRows} rows: ${parts.join(' ')}`;
}

async function measure(form, pass, names, kinds, added) {
	global.gc();
	const start = process.hrtime.bigint();
	const bytes = await fetch(form.statement);
	const received = process.hrtime.bigint();
	const table = toTable(form, bytes, names, kinds);
	const total = sum(table.getChildAt(added));
	const end = process.hrtime.bigint();

	if (!(total > 0)) {
		throw new Error(`${form.number}: the sum is ${total}`);
	}
	process.stdout.write([form.number, pass, bytes.length, Number(received - start) / 1e6, Number(end - received) / 1e6,
		answer(table, kinds)].join('\t') + '\n');
}

async function main(passes) {
	const { names, kinds, forms } = JSON.parse(fs.readFileSync(0, 'utf8'));
	const added = kinds.indexOf('numeric');

	for (let pass = 0; pass <= passes; pass++) {
		for (const form of pass % 2 === 0 ? forms : [...forms].reverse()) {
			await measure(form, pass, names, kinds, added);
		}
	}
}

main(Number(process.argv[2]));
