--
-- Expected results, frozen for a test suite
--
-- A test runs a query and compares its result with the one that was right when
-- the test was written.  Frozen as a rowset, the expected result keeps the types,
-- so that 1 and 1.0 and '1' are different, and needs no table of its own.  The
-- same rows are the same bytes: comparing costs nothing when all is well, and
-- rows are looked at only to say what differs.
--
CREATE EXTENSION rowser;

-- Base64, so that the table can be dumped into a file that goes into version
-- control; a bytea would do as well.
CREATE TABLE expected (test text PRIMARY KEY, query text NOT NULL, rows text NOT NULL);

CREATE PROCEDURE freeze(p_test text, p_query text) LANGUAGE sql AS $$
	INSERT INTO expected VALUES (p_test, p_query, encode(query_to_rowset(p_query), 'base64'))
	ON CONFLICT (test) DO UPDATE SET query = EXCLUDED.query, rows = EXCLUDED.rows
$$;

--
-- The difference of two rowsets of any shape
--
-- rowset_columns() describes both, so that columns can be compared by a query.
CREATE FUNCTION column_difference(p_expected bytea, p_actual bytea) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT CASE
		WHEN a.name IS NULL THEN format('column %I %s is missing', e.name, e.type)
		WHEN e.name IS NULL THEN format('column %I %s is unexpected', a.name, a.type)
		WHEN e.type <> a.type THEN format('column %I is %s instead of %s', e.name, a.type, e.type)
		ELSE format('column %I has moved from place %s to %s', e.name, e.ordinality, a.ordinality)
	END
	FROM rowset_columns(p_expected) AS e FULL JOIN rowset_columns(p_actual) AS a USING (name)
	WHERE (e.ordinality, e.type) IS DISTINCT FROM (a.ordinality, a.type)
	ORDER BY coalesce(e.ordinality, a.ordinality)
$$;

-- rowset_column_list() gives the text between the parentheses of AS t(...), so a
-- query of rows can be made for any shape.  EXCEPT ALL counts duplicates too.
CREATE FUNCTION row_difference(p_expected bytea, p_actual bytea) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	v_rows text := format('SELECT to_json(t)::text AS r FROM rowset_to_recordset($%%s) AS t(%s)', rowset_column_list(p_expected));
	v_expected text := format(v_rows, 1);
	v_actual text := format(v_rows, 2);
BEGIN
	RETURN QUERY EXECUTE format($q$
		SELECT 'missing:    ' || r FROM (%1$s EXCEPT ALL %2$s) AS m
		UNION ALL
		SELECT 'unexpected: ' || r FROM (%2$s EXCEPT ALL %1$s) AS u
	$q$, v_expected, v_actual) USING p_expected, p_actual;
	IF NOT FOUND THEN
		RETURN NEXT 'the same rows, in another order or under other settings';
	END IF;
END $$;

CREATE FUNCTION difference(p_expected bytea, p_actual bytea) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	IF p_expected = p_actual THEN
		RETURN;
	END IF;
	RETURN QUERY SELECT column_difference(p_expected, p_actual);
	IF NOT FOUND THEN
		RETURN QUERY SELECT row_difference(p_expected, p_actual);
	END IF;
END $$;

-- Each test's difference; a test without one has passed.
CREATE VIEW test_result AS
SELECT test, coalesce(d, 'ok') AS result
FROM expected LEFT JOIN LATERAL difference(decode(rows, 'base64'), query_to_rowset(query)) AS d ON true
ORDER BY test, d;

--
-- Some code that is worth testing
--
CREATE TABLE invoice (customer text, amount numeric(8,2), paid boolean);
INSERT INTO invoice VALUES ('Acme', 100.00, true), ('Acme', 50.00, false), ('Zenith', 75.50, false), ('Moon', 20.00, true);

CREATE VIEW open_amount AS
SELECT customer, sum(amount) AS amount, count(*) AS invoices FROM invoice WHERE NOT paid GROUP BY customer;

CALL freeze('open amounts', 'SELECT * FROM open_amount ORDER BY customer');
CALL freeze('invoices of Acme', 'SELECT * FROM invoice WHERE customer = ''Acme'' ORDER BY amount');
SELECT * FROM test_result;

-- Someone improves the view: rows differ.
CREATE OR REPLACE VIEW open_amount AS
SELECT customer, sum(amount) AS amount, count(*) AS invoices FROM invoice GROUP BY customer;
SELECT * FROM test_result;

-- Someone improves it more: columns differ.
DROP VIEW open_amount;
CREATE VIEW open_amount AS
SELECT customer, sum(amount)::float8 AS amount, max(amount) AS largest FROM invoice WHERE NOT paid GROUP BY customer;
SELECT * FROM test_result;

-- When that was intended, freeze it anew.
CALL freeze('open amounts', 'SELECT * FROM open_amount ORDER BY customer');
SELECT * FROM test_result;
