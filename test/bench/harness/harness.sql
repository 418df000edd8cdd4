-- The measuring: what there is to time, how it is timed, what came out.
-- Wants the variable "module", the path of the benchmarks' own library.
--
-- A case is one statement.  It is run by EXECUTE in PL/pgSQL, so each rival is
-- parsed and planned anew each time, and its result, one row of one text or
-- nothing, goes to no client.  The clock is read right before and after.

CREATE SCHEMA bench;

CREATE FUNCTION bench.deform(query text) RETURNS bigint
AS :'module', 'bench_deform' LANGUAGE C VOLATILE STRICT;

CREATE FUNCTION bench.cpu_ms() RETURNS float8
AS :'module', 'bench_cpu_ms' LANGUAGE C VOLATILE;

-- A whole number from 0 to n - 1 that a key and the number of a stream stand
-- for: the dice of all tables, so that they are the same on every machine.
CREATE FUNCTION bench.draw(key bigint, stream int, n bigint) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT ((hashint8extended(key, stream) & x'7fffffffffffffff'::bigint) % n)::int $$;

-- The tables to measure on.  range_key is a column that the rows are sorted
-- by; one_column is an aggregate over a single column.
CREATE TABLE bench.subject
(
	tbl text PRIMARY KEY,
	range_key text,
	one_column text,
	ordinal int GENERATED ALWAYS AS IDENTITY
);

-- Each table in up to three lengths: "all" its rows, and the first rows alone
-- for the rivals that would take too long or too much memory on all of them,
-- "json" and "xml".  rel is its name in a query.
CREATE TABLE bench.relation
(
	tbl text,
	scope text,
	rows bigint NOT NULL,
	rel text NOT NULL,
	PRIMARY KEY (tbl, scope)
);

CREATE TABLE bench.cases
(
	id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	suite text NOT NULL,
	tbl text NOT NULL,
	rows bigint NOT NULL,
	op text NOT NULL,					-- what is done ...
	form text NOT NULL,					-- ... and by which rival
	kind text NOT NULL CHECK (kind IN ('rowser', 'rival', 'floor')),
	settings text[] NOT NULL DEFAULT '{}',	-- name=value, for this case only
	setup text,							-- run before, untimed
	statement text NOT NULL,
	returns boolean NOT NULL DEFAULT true,	-- does it return a row?
	loops int,							-- runs to a measurement
	result text,						-- of the statement
	problem text,						-- why it can't be measured
	UNIQUE (suite, tbl, rows, op, form)
);

CREATE TABLE bench.measurement
(
	case_id int REFERENCES bench.cases,
	pass int,
	ms float8 NOT NULL,					-- of one run, by the clock
	cpu_ms float8 NOT NULL,				-- the same in the backend's CPU time
	PRIMARY KEY (case_id, pass)
);

-- Bytes of a table in one form, and blocks that a query touched.
CREATE TABLE bench.bytes
(
	tbl text,
	rows bigint,
	form text,
	kind text NOT NULL,
	bytes bigint NOT NULL,
	PRIMARY KEY (tbl, rows, form)
);

CREATE TABLE bench.bytes_read
(
	tbl text,
	op text,
	form text,
	bytes bigint NOT NULL,
	of_bytes bigint NOT NULL,
	PRIMARY KEY (tbl, op, form)
);

-- The columns of a table.
CREATE FUNCTION bench.columns(tbl text)
RETURNS TABLE (ordinal int, name text, type text, category "char")
LANGUAGE sql STABLE AS
$$
	SELECT attnum, quote_ident(attname), format_type(atttypid, atttypmod), typcategory
	FROM pg_attribute JOIN pg_type t ON t.oid = atttypid
	WHERE attrelid = tbl::regclass AND attnum > 0 AND NOT attisdropped
	ORDER BY attnum
$$;

-- All columns of a table in one text: the template once for each, with %1$s for
-- its name and %2$s for its type, and commas between.
CREATE FUNCTION bench.each_column(tbl text, template text) RETURNS text
LANGUAGE sql STABLE AS
$$ SELECT string_agg(format(template, name, type), ', ' ORDER BY ordinal) FROM bench.columns(tbl) $$;

-- Add a table that has been filled, in its three lengths.  How many rows JSON
-- and XML are measured on depends on how many values that makes.
CREATE PROCEDURE bench.add_subject(tbl text, range_key text, one_column text,
								   json_values bigint, xml_values bigint)
LANGUAGE plpgsql AS
$$
DECLARE
	total bigint;
	width bigint;
	part record;
BEGIN
	EXECUTE format('SELECT count(*) FROM %s', tbl) INTO total;
	SELECT count(*) INTO width FROM bench.columns(tbl);
	INSERT INTO bench.subject VALUES (tbl, range_key, one_column);
	INSERT INTO bench.relation VALUES (tbl, 'all', total, tbl);

	FOR part IN
		SELECT scope, most_values / width AS rows, tbl || '_' || most_values / width AS rel
		FROM (VALUES ('json', json_values), ('xml', xml_values)) AS p(scope, most_values)
	LOOP
		IF part.rows >= total THEN
			part.rows := total;
			part.rel := tbl;
		ELSE
			EXECUTE format('CREATE TABLE %s AS SELECT * FROM %s ORDER BY %s LIMIT %s',
						   part.rel, tbl, range_key, part.rows);
		END IF;
		INSERT INTO bench.relation VALUES (tbl, part.scope, part.rows, part.rel);
	END LOOP;
END
$$;

-- Run one case so many times in a row, and give the mean times of a run.
CREATE FUNCTION bench.measure(c bench.cases, loops int,
							  OUT ms float8, OUT cpu_ms float8, OUT result text)
LANGUAGE plpgsql AS
$$
DECLARE
	setting text;
	started timestamptz;
	ended timestamptz;
	cpu_started float8;
BEGIN
	FOREACH setting IN ARRAY c.settings LOOP
		PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true);
	END LOOP;
	IF c.setup IS NOT NULL THEN
		EXECUTE c.setup;
	END IF;

	cpu_started := bench.cpu_ms();
	started := clock_timestamp();
	IF c.returns THEN
		FOR i IN 1 .. loops LOOP
			EXECUTE c.statement INTO result;
		END LOOP;
	ELSE
		FOR i IN 1 .. loops LOOP
			EXECUTE c.statement;
		END LOOP;
	END IF;
	ended := clock_timestamp();
	cpu_ms := (bench.cpu_ms() - cpu_started) / loops;
	ms := extract(epoch FROM ended - started) * 1000 / loops;
END
$$;

-- Run a case twice untimed; from the second run comes how often to repeat it
-- so that a measurement lasts least_ms.  A case that fails is kept out.
CREATE PROCEDURE bench.warm_up(case_id int, least_ms float8)
LANGUAGE plpgsql AS
$$
DECLARE
	c bench.cases;
	m record;
	why text;
BEGIN
	SELECT * INTO c FROM bench.cases WHERE id = case_id;
	BEGIN
		SELECT * INTO m FROM bench.measure(c, 1);
		IF c.setup IS NULL THEN
			SELECT * INTO m FROM bench.measure(c, 1);
		END IF;
		UPDATE bench.cases SET result = m.result,
			loops = least(1000, greatest(1, ceil(least_ms / greatest(m.ms, 0.001))))
		WHERE id = case_id;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS why = MESSAGE_TEXT;
		UPDATE bench.cases SET problem = why WHERE id = case_id;
		RAISE WARNING '%, %, %: %', c.tbl, c.op, c.form, why;
	END;
END
$$;

-- Time all cases of a suite on one table, interleaved: each pass runs each
-- case once, every second pass backwards.  Each in a transaction of its own.
CREATE PROCEDURE bench.run(suite_name text, tbl_name text, passes int, least_ms float8)
LANGUAGE plpgsql AS
$$
DECLARE
	ids int[];
	i int;
	c bench.cases;
BEGIN
	SELECT array_agg(id ORDER BY id) INTO ids FROM bench.cases
	WHERE suite = suite_name AND tbl = tbl_name;
	FOREACH i IN ARRAY ids LOOP
		CALL bench.warm_up(i, least_ms);
		COMMIT;
	END LOOP;

	FOR pass IN 1 .. passes LOOP
		SELECT array_agg(id ORDER BY CASE WHEN pass % 2 = 1 THEN id ELSE -id END) INTO ids
		FROM bench.cases
		WHERE suite = suite_name AND tbl = tbl_name AND problem IS NULL;
		FOREACH i IN ARRAY ids LOOP
			SELECT * INTO c FROM bench.cases WHERE id = i;
			INSERT INTO bench.measurement
			SELECT i, pass, ms, cpu_ms FROM bench.measure(c, c.loops);
			COMMIT;
		END LOOP;
	END LOOP;
END
$$;

-- Rivals that do the same must have the same answer as the first of them, or
-- it is no rivalry.  Gives those that have not.
CREATE FUNCTION bench.wrong_answers(suite_name text)
RETURNS TABLE (tbl text, rows bigint, op text, form text, result text, expected text)
LANGUAGE sql STABLE AS
$$
	WITH answered AS
	(
		SELECT c.*, first_value(c.result) OVER (PARTITION BY c.tbl, c.rows, c.op ORDER BY c.id) AS expected
		FROM bench.cases c WHERE c.suite = suite_name AND c.result IS NOT NULL
	)
	SELECT a.tbl, a.rows, a.op, a.form, a.result, a.expected
	FROM answered a WHERE a.result <> a.expected
$$;

CREATE VIEW bench.summary AS
SELECT c.id, c.suite, c.tbl, c.rows, c.op, c.form, c.kind, c.loops, m.*,
	m.median_ms * 1000000 / c.rows AS ns_a_row
FROM bench.cases c, LATERAL
(
	SELECT count(*)::int AS passes,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS median_ms,
		min(ms) AS min_ms,
		max(ms) AS max_ms,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY cpu_ms) AS median_cpu_ms
	FROM bench.measurement WHERE case_id = c.id
) m
WHERE m.passes > 0;

-- A figure for people: about three digits that mean something.
CREATE FUNCTION bench.nice(figure float8) RETURNS text
LANGUAGE sql IMMUTABLE AS
$$
	SELECT to_char(round(figure::numeric, digits), 'FM999,999,999,990' || left('.00000', digits + sign(digits)::int))
	FROM (SELECT CASE WHEN figure = 0 OR abs(figure) >= 100 THEN 0
		WHEN abs(figure) >= 10 THEN 1 WHEN abs(figure) >= 1 THEN 2
		WHEN abs(figure) >= 0.01 THEN 3 ELSE 5 END AS digits) AS d
$$;
