/*
 * Streams of rowset_to_arrow read by apache-arrow, and written by it again:
 *
 *   apache_arrow.js CASES OUT
 */
'use strict';

const { tableFromIPC, tableToIPC } = require('apache-arrow');
const { readCases, tableTexts, fieldsFault, rowsFault, judge, summary, Written } = require('./common.js');

async function main(casesPath, outPath) {
	const written = new Written(outPath);

	for (const one of readCases(casesPath)) {
		let table = null;
		await judge(`${one.name}: read`, () => {
			table = tableFromIPC(one.stream);
			return fieldsFault(one.fields, table.schema)
				?? rowsFault(one.rows, tableTexts(table));
		});
		await judge(`${one.name}: batches`, () => {
			const batches = table.batches.filter((batch) => batch.numRows > 0).length;
			return batches === one.groups ? null : `${batches} batches instead of ${one.groups}`;
		});
		for (const format of ['stream', 'file']) {
			await judge(`${one.name}: write a ${format}`, () => {
				written.add(`${one.name} by apache-arrow as a ${format}`, tableToIPC(table, format), one.types, one.rows);
				return null;
			});
		}
	}
	summary();
}

main(...process.argv.slice(2));
