-- What rowser is meant to reach, and what it did in this run.  A ratio is how
-- often the fast form's time goes into the slow one's, over the same rows of
-- the same table; a limit is a figure by itself.  by_cpu is a ratio of times on
-- the processor, which a busy machine disturbs less, where one process did all.

CREATE TABLE bench.ratio
(
	ordinal int GENERATED ALWAYS AS IDENTITY,
	label text PRIMARY KEY,
	suite text, op text, fast text, slow text, scope text,
	must float8 NOT NULL,
	aim float8
);

INSERT INTO bench.ratio (label, suite, op, fast, slow, scope, must, aim) VALUES
	('write, against COPY BINARY', 'writing', 'write', 'rowset', 'COPY BINARY', 'all', 3.5, 4),
	('write, against json_agg', 'writing', 'write', 'rowset', 'json_agg', 'json', 15, NULL),
	('write, against query_to_xml', 'writing', 'write', 'rowset', 'query_to_xml', 'xml', 80, NULL),
	('read all columns, against the table', 'reading', 'all columns', 'rowset', 'table', 'all', 1, 1.3),
	('read one column, against the table', 'reading', 'one column', 'rowset', 'table', 'all', 2.5, NULL),
	('read a 1 % range, against the table', 'reading', '1 % range', 'rowset', 'table', 'all', 20, NULL),
	('read all columns, against json_to_recordset', 'reading', 'all columns', 'rowset', 'json_to_recordset', 'json', 25, 40),
	('read all columns, against xmltable', 'reading', 'all columns', 'rowset', 'xmltable', 'xml', 120, 200),
	('read all columns, against the scan off', 'reading', 'all columns', 'rowset', 'rowset, scan off', 'all', 2.5, NULL),
	('read all columns, against unnest', 'reading', 'all columns', 'rowset', 'unnest', 'all', 1, NULL),
	('rowset_agg by 2 workers, against 1 process', 'parallel', 'write: rowset_agg', '2 workers', '1 process', 'all', 1.6, NULL);

-- For employee, which is small, it is to be faster at all.
CREATE TABLE bench.ratio_of_table (tbl text, label text, must float8, PRIMARY KEY (tbl, label));

INSERT INTO bench.ratio_of_table VALUES ('employee', 'write, against COPY BINARY', 1);

CREATE TABLE bench.most
(
	ordinal int GENERATED ALWAYS AS IDENTITY,
	label text,
	tbl text,
	unit text,
	most float8,
	PRIMARY KEY (tbl, label)
);

INSERT INTO bench.most (label, tbl, unit, most) VALUES
	('first 10 rows', 'lineitem', 'ms', 2),
	('bytes read for the first 10 rows', 'lineitem', '%', 2),
	('bytes, lz4, against COPY BINARY', 'lineitem', '%', 16.5),
	('bytes, zstd, against COPY BINARY', 'lineitem', '%', 12),
	('bytes, lz4', 'employee', 'bytes', 16000),
	('bytes, zstd', 'employee', 'bytes', 14000);

-- Every figure there is a bound for, and every ratio on every table.
CREATE VIEW bench.figure AS
SELECT 'at least' AS bound, r.ordinal, r.label, s.tbl, slow.rows, 'times' AS unit,
	slow.median_ms / fast.median_ms AS figure,
	CASE WHEN r.suite <> 'parallel' THEN slow.median_cpu_ms / fast.median_cpu_ms END AS by_cpu,
	coalesce(t.must, r.must) AS must, CASE WHEN t.must IS NULL THEN r.aim END AS aim
FROM bench.ratio r
	CROSS JOIN bench.subject s
	JOIN bench.relation l ON (l.tbl, l.scope) = (s.tbl, r.scope)
	LEFT JOIN bench.ratio_of_table t ON (t.tbl, t.label) = (s.tbl, r.label)
	LEFT JOIN bench.summary fast ON (fast.suite, fast.tbl, fast.rows, fast.op, fast.form) = (r.suite, l.tbl, l.rows, r.op, r.fast)
	LEFT JOIN bench.summary slow ON (slow.suite, slow.tbl, slow.rows, slow.op, slow.form) = (r.suite, l.tbl, l.rows, r.op, r.slow)
UNION ALL
SELECT 'at most', 100 + m.ordinal, m.label, m.tbl, l.rows, m.unit,
	CASE m.label
	WHEN 'first 10 rows' THEN
		(SELECT median_ms FROM bench.summary s WHERE (suite, s.tbl, s.rows, op, form) = ('reading', m.tbl, l.rows, m.label, 'rowset'))
	WHEN 'bytes read for the first 10 rows' THEN
		(SELECT 100.0 * b.bytes / of_bytes FROM bench.bytes_read b WHERE (b.tbl, op, form) = (m.tbl, 'first 10 rows', 'rowset'))
	ELSE
		(SELECT CASE m.unit WHEN '%' THEN 100.0 * b.bytes / c.bytes ELSE b.bytes END
		FROM bench.bytes b JOIN bench.bytes c ON (c.tbl, c.rows, c.form) = (b.tbl, b.rows, 'COPY BINARY')
		WHERE (b.tbl, b.rows) = (m.tbl, l.rows)
		AND b.form = CASE WHEN m.label LIKE '%zstd%' THEN 'rowset, zstd' ELSE 'rowset' END)
	END,
	NULL, m.most, NULL
FROM bench.most m JOIN bench.relation l ON (l.tbl, l.scope) = (m.tbl, 'all');

CREATE VIEW bench.verdict AS
SELECT *,
	CASE unit WHEN '%' THEN to_char(figure, 'FM999,990.00') ELSE bench.nice(figure) END AS shown,
	CASE WHEN figure IS NULL THEN 'not measured'
		WHEN bound = 'at least' AND figure >= aim THEN 'pass, and the aim'
		WHEN bound = 'at least' AND figure >= must THEN 'pass'
		WHEN bound = 'at most' AND figure <= must THEN 'pass'
		ELSE 'miss' END AS verdict
FROM bench.figure;
