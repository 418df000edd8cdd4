/*
 * Rowsets as node-postgres gets them, in the simple and in the extended
 * protocol: rowset_send, rowset_open and cursor_to_rowset.
 *
 * The server and the database are those of PGHOST, PGPORT, PGUSER and
 * PGDATABASE.  The last line is "N passed, N failed".
 */
'use strict';

const assert = require('assert');
const { Client } = require('pg');

let passed = 0;
let failed = 0;

/* Compare, and count. */
function check(name, actual, expected)
{
	try {
		assert.deepStrictEqual(actual, expected);
		passed++;
	} catch (error) {
		failed++;
		console.log(`FAILED: ${name}\n${error.message}`);
	}
}

/* The error of a query as "SQLSTATE message", with its detail and hint. */
async function errorOf(client, query)
{
	try {
		await client.query(query);
	} catch (error) {
		return { text: `${error.code} ${error.message}`, detail: error.detail, hint: error.hint };
	}
	return { text: 'no error' };
}

/* The rows that some_rows(n) holds, as the driver turns them into values */
function someRows(n)
{
	return Array.from({ length: n }, (_, i) => ({
		id: i + 1,
		Name: `name ${i + 1}`,
		price: ((i + 1) * 1.5).toFixed(2),
		even: (i + 1) % 2 === 0,
		big: i + 1 === 2 ? null : String(i + 1),
		pair: [i + 1, null],
		mood: 'ok',
	}));
}

/* Is the connection in order? */
async function checkConnection(client, after)
{
	const { rows, fields } = await client.query('SELECT $1::int AS a, true AS b', [42]);

	check(`the connection after ${after}`, [rows[0].a, fields.length], [42, 2]);
}

/* The same CALL in every way that the driver has */
async function testProtocols(client)
{
	const rowset = (await client.query('SELECT some_rows(3) AS r')).rows[0].r;
	const hex = '\\x' + rowset.toString('hex');
	const ways = {
		simple: `CALL rowset_send('${hex}')`,
		extended: { text: 'CALL rowset_send($1)', values: [rowset] },
		'extended, binary': { text: 'CALL rowset_send(some_rows(3))', values: [], binary: true },
		prepared: { name: 'send', text: 'CALL rowset_send($1)', values: [rowset] },
		'prepared, again': { name: 'send', text: 'CALL rowset_send($1)', values: [rowset] },
		'from an expression': { text: 'CALL rowset_send(some_rows($1))', values: [3] },
	};

	for (const [name, query] of Object.entries(ways)) {
		const result = await client.query(query);

		check(`${name}: rows`, result.rows, someRows(3));
		check(`${name}: names`, result.fields.map((f) => f.name), ['id', 'Name', 'price', 'even', 'big', 'pair', 'mood']);
		check(`${name}: types`, result.fields.slice(0, 6).map((f) => f.dataTypeID), [23, 25, 1700, 16, 20, 1007]);
		check(`${name}: formats`, result.fields.every((f) => f.format === 'text'), true);
		check(`${name}: command`, result.command, 'CALL');
		await checkConnection(client, name);
	}

	const array = await client.query({ text: 'CALL rowset_send(some_rows(2))', rowMode: 'array' });
	check('rows as arrays', array.rows[1].slice(0, 2), [2, 'name 2']);
}

/* Other shapes through one prepared statement */
async function testShapes(client)
{
	const send = async (query) => client.query({
		name: 'send_query', text: 'CALL rowset_send(query_to_rowset($1))', values: [query],
	});
	let result = await send('SELECT 1 AS a');

	check('one column', result.rows, [{ a: 1 }]);
	result = await send("SELECT 'x'::text AS b, now() IS NULL AS c");
	check('other columns', result.rows, [{ b: 'x', c: false }]);
	result = await send('SELECT 1 AS a WHERE false');
	check('no rows', [result.rows, result.fields.map((f) => f.name)], [[], ['a']]);
	result = await send('SELECT FROM generate_series(1, 3)');
	check('no columns', [result.rows.length, result.fields], [3, []]);
	result = await send('SELECT i, repeat(\'x\', 100) AS t FROM generate_series(1, 50000) AS i');
	check('many rows', [result.rows.length, result.rows[49999].i], [50000, 50000]);
	await checkConnection(client, 'other shapes');
}

/* Transactions, and errors before, while and after rows are sent */
async function testErrors(client)
{
	for (const values of [undefined, []]) {
		const protocol = values ? 'extended' : 'simple';
		const run = (text) => client.query({ text, values });
		const fail = (text) => errorOf(client, { text, values });

		await run('BEGIN');
		check(`${protocol}: in a transaction`, (await run('CALL rowset_send(some_rows(1))')).rows, someRows(1));
		await run('SAVEPOINT s');
		check(`${protocol}: an error in it`, (await fail("CALL rowset_send('')")).text, '22P03 invalid rowset');
		check(`${protocol}: which aborts it`, (await fail('CALL rowset_send(some_rows(1))')).text,
			'25P02 current transaction is aborted, commands ignored until end of transaction block');
		await run('ROLLBACK TO s');
		check(`${protocol}: after it`, (await run('CALL rowset_send(some_rows(2))')).rows, someRows(2));
		await run('COMMIT');

		check(`${protocol}: an error after rows`, (await fail('CALL rowset_send(damaged())')).text, 'XX001 rowset checksum does not match');
		await checkConnection(client, 'an error after rows');
		check(`${protocol}: NULL`, (await fail('CALL rowset_send(NULL)')).text, '22004 rowset must not be NULL');

		for (const text of ['SELECT sends()', 'CALL outputs(some_rows(1), NULL)', 'INSERT INTO log VALUES (sends())']) {
			const error = await fail(text);

			check(`${protocol}: ${text}`, error.text, '0A000 cannot send rows to the client from here');
			check(`${protocol}: ${text}: the hint`, /rowset_open/.test(error.hint), true);
			await checkConnection(client, text);
		}
		check(`${protocol}: as ever`, (await run('CALL rowset_send(some_rows(3))')).rows, someRows(3));
	}
}

/*
 * Several results of one statement: in the simple protocol the driver has one
 * result, with the rows of all and the columns of the last, since it sees the
 * end of a statement only; in the extended one they are refused.
 */
async function testSeveral(client)
{
	const result = await client.query('CALL two_results(some_rows(2))');

	check('several results: rows', result.rows.length, 3);
	check('several results: the last is whole', result.rows.slice(-1), [{ which: 'second' }]);
	check('several results: its columns', result.fields.map((f) => f.name), ['which']);
	await checkConnection(client, 'several results');

	const extended = { text: 'CALL two_results(some_rows($1))', values: [2] };
	for (const query of [extended, extended, { ...extended, name: 'two' }, { ...extended, name: 'two' }]) {
		const error = await errorOf(client, query);

		check('several results, extended', error.text, '0A000 cannot send rows to the client from here');
		check('several results, extended: the reason', /has sent rows already/.test(error.detail), true);
		await checkConnection(client, 'several results that were refused');
	}
	await client.query('BEGIN');
	for (const n of [1, 2, 3]) {
		check('one after the other', (await client.query('CALL rowset_send(some_rows($1))', [n])).rows, someRows(n));
	}
	await client.query('COMMIT');
	/* what came before the commit in between stays */
	check('what was committed in between', (await client.query('SELECT i FROM log')).rows.length, 5);

	/* two statements in one string are two results */
	const results = await client.query("CALL rowset_send(some_rows(1)); CALL rowset_send(query_to_rowset('SELECT 5 AS a')); SELECT 6 AS b");
	check('several statements', results.map((r) => r.rows), [someRows(1), [{ a: 5 }], [{ b: 6 }]]);
}

/* Cursors, within a transaction and over the end of one */
async function testCursors(client)
{
	const rowset = (await client.query('SELECT some_rows(5) AS r')).rows[0].r;
	const fetch = async (direction, cursor) => (await client.query(`FETCH ${direction} FROM ${client.escapeIdentifier(cursor)}`)).rows;
	const rows = someRows(5);

	await client.query('BEGIN');
	let name = (await client.query('SELECT rowset_open($1) AS c', [rowset])).rows[0].c;
	check('rowset_open: the first rows', await fetch('2', name), rows.slice(0, 2));
	check('rowset_open: the others', await fetch('ALL', name), rows.slice(2));
	check('rowset_open: none left', await fetch('ALL', name), []);
	await client.query(`MOVE ABSOLUTE 1 IN ${client.escapeIdentifier(name)}`);
	check('rowset_open: after MOVE', await fetch('NEXT', name), [rows[1]]);
	check('rowset_open: backwards', await fetch('BACKWARD ALL', name), [rows[0]]);
	await client.query('COMMIT');
	check('rowset_open: after COMMIT', (await errorOf(client, `FETCH FROM ${client.escapeIdentifier(name)}`)).text.slice(0, 5), '34000');

	name = (await client.query('SELECT rowset_open($1, $2, hold => true) AS c', [rowset, 'Held one'])).rows[0].c;
	check('held: its name', name, 'Held one');
	check('held: rows', await fetch('3', name), rows.slice(0, 3));
	check('held: an error in between', (await errorOf(client, 'SELECT 1 / 0')).text, '22012 division by zero');
	check('held: and more', await fetch('ALL', name), rows.slice(3));
	check('held: backwards', await fetch('PRIOR', name), [rows[4]]);
	await client.query('CLOSE "Held one"');

	await client.query('BEGIN');
	await client.query('DECLARE c CURSOR FOR SELECT i FROM generate_series(1, 5) AS i');
	const next = async (count) => (await client.query('SELECT rowset_count(cursor_to_rowset($1, $2))::int AS n', ['c', count])).rows[0].n;
	check('cursor_to_rowset', [await next(3), await next(3), await next(3), await next(null)], [3, 2, 0, 0]);
	await client.query('CALL rowset_send(cursor_to_rowset($1))', ['c']);

	/* a portal that the protocol names is a cursor too, if it has rows */
	await client.query({ text: 'INSERT INTO log VALUES ($1)', values: [7], portal: 'insertion' });
	check('cursor_to_rowset of an INSERT', (await errorOf(client, "SELECT cursor_to_rowset('insertion', 1)")).text, '42P11 cursor "insertion" does not return rows');
	await client.query('ROLLBACK');
	await client.query('BEGIN');
	await client.query({ text: 'SELECT i FROM generate_series(1, $1) AS i', values: [4], portal: 'selection' });
	check('cursor_to_rowset of a SELECT that has ended', (await client.query("SELECT rowset_column_list(r) AS c, rowset_count(r)::int AS n FROM cursor_to_rowset('selection') AS r")).rows,
		[{ c: 'i integer', n: 0 }]);
	await client.query('COMMIT');
	check('no cursor is left', (await client.query('SELECT name FROM pg_cursors')).rows.filter((r) => r.name !== ''), []);
}

async function main()
{
	const client = new Client();

	await client.connect();
	await testProtocols(client);
	await testShapes(client);
	await testErrors(client);
	await testSeveral(client);
	await testCursors(client);
	await client.end();
}

main().catch((error) => {
	failed++;
	console.log(error);
}).finally(() => {
	console.log(`${passed} passed, ${failed} failed`);
	process.exit(failed === 0 ? 0 : 1);
});
