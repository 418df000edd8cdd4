-- What the checks ask: one request with a parameter of many rows, many small
-- ones, a large reply, one that fails twice before it works, and a poisoned one.
CREATE SEQUENCE flaky;
GRANT ALL ON SEQUENCE flaky TO service_reader;
INSERT INTO service.request VALUES
	('everything', 'SELECT * FROM lineitem'),
	('flaky', 'SELECT l.* FROM lineitem AS l WHERE 1 / (nextval(''flaky'') / 3) = 1 ORDER BY l_orderkey LIMIT 1'),
	('lines_by_comment', 'SELECT l.* FROM rowset_to_recordset($1) AS p(comment text)
		JOIN lineitem AS l ON l.l_comment = p.comment');

CREATE TABLE asked (id bigint PRIMARY KEY, request text, params bytea);
INSERT INTO asked
SELECT row_number() OVER (), request, params
FROM (
	SELECT 'lines_of_orders', query_to_rowset('SELECT DISTINCT l_orderkey AS orderkey FROM lineitem WHERE l_orderkey % 7 = $1', 3)
	UNION ALL
	SELECT 'poison', NULL
	UNION ALL
	SELECT 'flaky', NULL
	UNION ALL
	SELECT 'everything', NULL
	UNION ALL
	SELECT 'shipped_between', query_to_rowset('SELECT $1 AS first, $1 + 2 AS last', d::date)
	FROM generate_series(date '1993-01-01', date '1993-04-10', '3 days') AS d
) AS a(request, params);

-- The rows that belong to each, by queries of their own.
CREATE TABLE expected_rows AS
SELECT 1::bigint AS id, l.* FROM lineitem AS l WHERE l_orderkey % 7 = 3
UNION ALL
(SELECT 3, l.* FROM lineitem AS l ORDER BY l_orderkey LIMIT 1)
UNION ALL
SELECT 4, l.* FROM lineitem AS l
UNION ALL
SELECT 5 + (l_shipdate - date '1993-01-01') / 3, l.* FROM lineitem AS l WHERE l_shipdate BETWEEN '1993-01-01' AND '1993-04-12';
