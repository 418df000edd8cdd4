/*
 * Streams of rowset_to_arrow read by DuckDB in WebAssembly, which tells each
 * value by its own functions, and written by it as its own types:
 *
 *   duckdb_wasm.js CASES OUT
 */
'use strict';

const path = require('path');
const duckdb = require('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs');
const { readCases, tableTexts, rowsFault, judge, summary, Written } = require('./common.js');

/* It has no tables without columns. */
const NOT_READ = new Set(['no column']);

/* Without its name the struct becomes an anonymous record, whose date truth() tells in another way. */
const NOT_WRITTEN = new Set(['nested']);

async function openDatabase() {
	const dist = path.dirname(require.resolve('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs'));
	const bundles = {
		mvp: { mainModule: path.join(dist, 'duckdb-mvp.wasm'), mainWorker: null },
		eh: { mainModule: path.join(dist, 'duckdb-eh.wasm'), mainWorker: null },
	};
	const database = await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
	await database.instantiate();
	return database;
}

async function main(casesPath, outPath) {
	const written = new Written(outPath);
	const database = await openDatabase();
	const connection = database.connect();

	for (const one of readCases(casesPath)) {
		if (NOT_READ.has(one.name)) {
			continue;
		}
		const names = one.fields.map((_, i) => `c${i + 1}`);
		const from = `FROM stream AS t(${names.join(', ')})`;
		await judge(`${one.name}: read`, () => {
			connection.query('DROP TABLE IF EXISTS stream');
			connection.insertArrowFromIPCStream(one.stream, { name: 'stream', create: true });
			return rowsFault(one.rows, tableTexts(connection.query(`SELECT ${one.duckdb.join(', ')} ${from}`)));
		});
		if (NOT_WRITTEN.has(one.name)) {
			continue;
		}
		await judge(`${one.name}: write`, () => {
			const stream = connection.useUnsafe((bindings, id) => bindings.runQuery(id, `SELECT ${names.join(', ')} ${from}`));
			written.add(`${one.name} by DuckDB-wasm`, stream, one.foreign.map(([, type], i) => [names[i], type]),
				one.foreign_rows);
			return null;
		});
	}
	summary();
}

main(...process.argv.slice(2));
