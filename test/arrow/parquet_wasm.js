/*
 * Streams of rowset_to_arrow read by parquet-wasm, which is arrow-rs: written
 * by that as a stream again, as it is and by way of a Parquet file.  What it
 * has read is seen by apache-arrow in what it has written.
 *
 *   parquet_wasm.js CASES OUT
 */
'use strict';

const { tableFromIPC } = require('apache-arrow');
const parquet = require('parquet-wasm');
const { readCases, tableTexts, fieldsFault, rowsFault, judge, summary, Written } = require('./common.js');

/* Parquet has no months, days and nanoseconds in one, and no table without columns. */
const NO_PARQUET = new Set(['interval', 'other arrays', 'null all', 'unrepresentable times', 'no column']);

async function main(casesPath, outPath) {
	const written = new Written(outPath);

	for (const one of readCases(casesPath)) {
		await judge(`${one.name}: read`, () => {
			const again = parquet.Table.fromIPCStream(one.stream).intoIPCStream();
			const table = tableFromIPC(again);
			written.add(`${one.name} by arrow-rs`, again, one.types, one.rows);
			return fieldsFault(one.fields, table.schema) ?? rowsFault(one.rows, tableTexts(table));
		});
		if (!NO_PARQUET.has(one.name)) {
			await judge(`${one.name}: Parquet`, () => {
				const file = parquet.writeParquet(parquet.Table.fromIPCStream(one.stream));
				const again = parquet.readParquet(file).intoIPCStream();
				written.add(`${one.name} by way of Parquet`, again, one.types, one.rows);
				return rowsFault(one.rows, tableTexts(tableFromIPC(again)));
			});
		}
	}
	summary();
}

main(...process.argv.slice(2));
