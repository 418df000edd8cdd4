--
-- mutants.sql
--	  Random mutants of the specimens, of two of them together (splice.c), and of
--	  COPY data, in batches that each are a statement of its own: what reads them,
--	  what is to be done, and what is done when the server was taken along.
--
-- What is read more than once in different ways must be the same: results are
-- called by_list when they are a digest of all rows that a column definition list
-- gives, and by_itself when the rowset's own types decide.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

CREATE FUNCTION hostile.fuzz(rowset bytea, others bytea[], calls text[], nalways int, nsometimes int, first_seed bigint, last_seed bigint, megabytes int,
							 OUT call text, OUT sqlstate text, OUT message text, OUT sample text, OUT located bool,
							 OUT outcomes bigint, OUT slowest float8, OUT mutant text)
RETURNS SETOF record
AS :'module', 'rowser_test_fuzz' LANGUAGE C STRICT;

CREATE FUNCTION hostile.fuzzed(OUT mutants bigint, OUT sealed bigint, OUT reads bigint, OUT kilobytes bigint)
AS :'module', 'rowser_test_fuzzed' LANGUAGE C STRICT;

CREATE FUNCTION hostile.mutant(rowset bytea, others bytea[], seed bigint) RETURNS bytea
AS :'module', 'rowser_test_mutant' LANGUAGE C STRICT;

-- All that a specimen may be spliced with, in an order that stays
CREATE FUNCTION hostile.others() RETURNS bytea[] LANGUAGE sql AS
	'SELECT array_agg(rowset ORDER BY ord) FROM hostile.specimen';

--
-- Digests of rows
--

-- Of a query that gives rows called t
CREATE FUNCTION hostile.digest(query text, rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_digest text;
BEGIN
	EXECUTE 'SELECT count(*) || '':'' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM ' || query INTO v_digest USING rowset;
	RETURN v_digest;
END $$;

-- Of a cursor's rows, forwards or backwards; NULL when there are very many.
CREATE FUNCTION hostile.fetch_digest(c refcursor, back bool DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n bigint := 0;
	h numeric := 0;
	x record;
BEGIN
	IF back THEN
		FETCH LAST FROM c INTO x;
	ELSE
		FETCH c INTO x;
	END IF;
	WHILE FOUND LOOP
		n := n + 1;
		IF n > 100000 THEN
			RETURN NULL;
		END IF;
		h := h + hashtextextended(x::text, 0);
		IF back THEN
			FETCH PRIOR FROM c INTO x;
		ELSE
			FETCH c INTO x;
		END IF;
	END LOOP;
	CLOSE c;
	RETURN n || ':' || h;
END $$;

CREATE FUNCTION hostile.back_digest(rowset bytea, list text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
BEGIN
	OPEN c SCROLL FOR EXECUTE format('SELECT * FROM rowset_to_recordset($1) AS t(%s)', list) USING rowset;
	RETURN hostile.fetch_digest(c, true);
END $$;

-- Of what comes out of a reader that is given each packet as an expression says; NULL
-- when the end is missing.
CREATE FUNCTION hostile.feed_digest(packets bytea[], list text, packet text DEFAULT '$1') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_packet bytea;
	v_count bigint;
	v_sum numeric;
	n bigint := 0;
	h numeric := 0;
BEGIN
	PERFORM rowset_reader_open('hostile');
	FOREACH v_packet IN ARRAY packets LOOP
		EXECUTE format('SELECT count(*), sum(hashtextextended(t::text, 0)) FROM rowset_reader_feed(''hostile'', %s) AS t(%s)', packet, list) INTO v_count, v_sum USING v_packet;
		n := n + v_count;
		h := h + coalesce(v_sum, 0);
	END LOOP;
	IF NOT at_end FROM rowset_reader_state('hostile') THEN
		RETURN NULL;
	END IF;
	PERFORM rowset_reader_close('hostile');
	RETURN n || ':' || h;
END $$;

-- Of a table that they were inserted into, whose columns are the list's
CREATE FUNCTION hostile.insert_digest(rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF rowset_count(rowset) > 100000 THEN
		RETURN NULL;
	END IF;
	PERFORM rowset_insert('pg_temp.target', rowset);
	RETURN hostile.digest('pg_temp.target AS t', NULL);
END $$;

CREATE FUNCTION hostile.create_digest(rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF rowset_count(rowset) > 100000 THEN
		RETURN NULL;
	END IF;
	PERFORM rowset_create_table(rowset, 'made');
	RETURN hostile.digest('pg_temp.made AS t', NULL);
END $$;

--
-- What reads the mutants of a specimen
--
CREATE FUNCTION hostile.list_calls(s hostile.specimen) RETURNS text[] LANGUAGE sql AS $$
	SELECT ARRAY[
		-- as a scan, as a function, and by a row type in both ways
		format('SELECT %1$s AS by_list FROM rowset_to_recordset($1) AS t(%2$s)', d, s.list),
		format('SELECT %1$s AS by_list FROM (SELECT %3$s FROM ROWS FROM (rowset_to_recordset($1) AS (%2$s)) WITH ORDINALITY AS o(%3$s, nth)) AS t', d, s.list, names),
		format('SELECT hostile.back_digest($1, %L) AS by_list', s.list),
		-- cut, put together and packed again
		format('SELECT %1$s AS by_list FROM (SELECT * FROM rowset_to_recordset(rowset_slice($1, 0, 1)) AS t(%2$s) UNION ALL SELECT * FROM rowset_to_recordset(rowset_slice($1, 1)) AS t(%2$s)) AS t', d, s.list),
		format('SELECT count(*) / 2 || '':'' || coalesce(div(sum(hashtextextended(t::text, 0)), 2), 0) AS by_list FROM rowset_to_recordset(rowset_concat($1, $1)) AS t(%s)', s.list),
		format('SELECT %1$s AS by_list FROM rowset_to_recordset(rowset_project($1, %3$s)) AS t(%2$s)', d, s.list, literals),
		format('SELECT %1$s AS by_list FROM rowset_to_recordset((SELECT rowset_agg(t) FROM rowset_to_recordset($1) AS t(%2$s))) AS t(%2$s)', d, s.list),
		format('SELECT hostile.feed_digest(hostile.packets($1, 100), %L) AS by_list', s.list),
		format('SELECT hostile.feed_digest(hostile.packets($1, 200), %L, ''encode($1, ''''base64'''')'') AS by_list', s.list),
		format('SELECT %1$s AS by_list FROM rowset_to_recordset((SELECT rowset_from_packets(packet) FROM rowset_packets($1, 150))) AS t(%2$s)', d, s.list),
		format('SELECT %1$s AS by_list FROM rowset_to_recordset((SELECT rowset_concat_agg(r) FROM (VALUES ($1)) AS v(r))) AS t(%2$s)', d, s.list),
		-- as other types: all as text, and each column as the next one's type
		format('SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(%s)', as_text),
		format('SELECT sum(length(t::text)) FROM rowset_to_recordset($1, ''position'') AS t(%s)', as_text),
		format('SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(%s)', as_next)]
	FROM (SELECT 'count(*) || '':'' || coalesce(sum(hashtextextended(t::text, 0)), 0)') AS x(d),
		LATERAL (SELECT string_agg(quote_ident(name), ', ' ORDER BY ordinality), string_agg(quote_literal(name), ', ' ORDER BY ordinality),
						string_agg(quote_ident(name) || ' text', ', ' ORDER BY ordinality), string_agg(quote_ident(name) || ' ' || next, ', ' ORDER BY ordinality)
				 FROM (SELECT *, coalesce(lead(type) OVER w, first_value(type) OVER w) FROM rowset_columns(s.rowset) WINDOW w AS (ORDER BY ordinality)) AS c(ordinality, name, type, a, b, e, f, g, next)) AS l(names, literals, as_text, as_next)
	WHERE s.list IS NOT NULL
$$;

CREATE TABLE hostile.reader (
	ord int GENERATED ALWAYS AS IDENTITY,
	specimen text PRIMARY KEY,
	bytes bytea NOT NULL,		-- a rowset or COPY data
	calls text[] NOT NULL,
	nalways int NOT NULL,		-- so many of these read every mutant
	target text					-- the columns of a table that can have the rows
);

-- The calls for each specimen, and a row type; not all columns can be in one.  Where
-- they can, there is COPY data of them, too.
DO $$
DECLARE
	s hostile.specimen;
	v_calls text[];
	v_target text;
BEGIN
	FOR s IN SELECT * FROM hostile.specimen ORDER BY ord LOOP
		v_calls := hostile.first_calls(s.list) || hostile.other_calls(s.list) || s.extra || coalesce(hostile.list_calls(s), '{}')
			|| ARRAY['SELECT hostile.fetch_digest(rowset_open($1)) AS by_itself',
					 'SELECT hostile.create_digest($1) AS by_itself',
					 'SELECT rowset_count(cursor_to_rowset(rowset_open($1)))',
					 'SELECT rowset_count(rowset_rename($1, name, ''renamed'')) FROM rowset_columns($1) LIMIT 1'];
		v_target := NULL;
		BEGIN
			EXECUTE format('CREATE TYPE hostile.shape_%s AS (%s)', s.ord, s.list);
			v_target := s.list;
			v_calls := v_calls || ARRAY[
				format('SELECT count(*) || '':'' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS by_list FROM rowset_populate_recordset(NULL::hostile.shape_%s, $1) AS t', s.ord),
				format('SELECT count(*) || '':'' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS by_list FROM (SELECT rowset_populate_recordset(NULL::hostile.shape_%s, $1) AS t) AS s', s.ord),
				format('SELECT rowset_populate_record(NULL::hostile.shape_%s, $1)', s.ord),
				format('SELECT rowset_count(copy_to_rowset(NULL::hostile.shape_%s, rowset_to_copy($1))) WHERE rowset_count($1) < 1000', s.ord),
				'SELECT hostile.insert_digest($1) AS by_list'];
		EXCEPTION WHEN invalid_table_definition OR syntax_error THEN
			NULL;
		END;
		INSERT INTO hostile.reader (specimen, bytes, calls, nalways, target) VALUES (s.name, s.rowset, v_calls, CASE WHEN s.list IS NULL THEN 2 ELSE 3 END, v_target);
		CONTINUE WHEN v_target IS NULL;
		BEGIN
			INSERT INTO hostile.reader (specimen, bytes, calls, nalways)
			VALUES ('COPY data of ' || s.name, rowset_to_copy(s.rowset), ARRAY[format('SELECT rowset_check(copy_to_rowset(NULL::hostile.shape_%s, $1))', s.ord)], 1);
		EXCEPTION WHEN undefined_function THEN
			NULL;
		END;
	END LOOP;
END $$;

--
-- Batches
--
CREATE TABLE hostile.batch (
	ord int GENERATED ALWAYS AS IDENTITY,
	specimen text NOT NULL,
	first bigint NOT NULL,
	last bigint NOT NULL,
	state text NOT NULL DEFAULT 'waits',	-- then begun, done; split or lost, when it never ended
	mutants bigint,
	sealed bigint,
	reads bigint,
	kilobytes bigint
);

-- So many mutants, each with a seed of its own, in batches of 250 that go round
-- what there is to read
INSERT INTO hostile.batch (specimen, first, last)
SELECT specimen, from_seed, from_seed + least(250, :mutants - (from_seed - :seed)) - 1
FROM generate_series(:seed::bigint, :seed::bigint + :mutants - 1, 250) WITH ORDINALITY AS g(from_seed, nth)
	JOIN (SELECT specimen, row_number() OVER (ORDER BY ord) - 1 AS place, count(*) OVER () AS total FROM hostile.reader) AS r ON place = nth % total
ORDER BY nth;

CREATE PROCEDURE hostile.run_batch(which int) LANGUAGE plpgsql AS $$
DECLARE
	b hostile.batch;
	r hostile.reader;
BEGIN
	UPDATE hostile.batch SET state = 'begun' WHERE ord = which RETURNING * INTO b;
	COMMIT;
	SELECT * INTO r FROM hostile.reader WHERE specimen = b.specimen;
	DROP TABLE IF EXISTS pg_temp.target;
	EXECUTE format('CREATE TEMP TABLE target (%s)', r.target);
	INSERT INTO hostile.outcome
	SELECT b.specimen, 'random', NULL, f.*
	FROM hostile.fuzz(r.bytes, hostile.others(), r.calls, r.nalways, 4, b.first, b.last, 64) AS f;
	UPDATE hostile.batch AS t SET state = 'done', mutants = f.mutants, sealed = f.sealed, reads = f.reads, kilobytes = f.kilobytes
	FROM hostile.fuzzed() AS f WHERE t.ord = which;
	COMMIT;
END $$;

-- Batches that never ended are tried again, each mutant by itself; one that is
-- alone has been found.
CREATE FUNCTION hostile.take_up() RETURNS void LANGUAGE sql AS $$
	UPDATE hostile.batch SET state = CASE WHEN first = last THEN 'lost' ELSE 'split' END WHERE state = 'begun';
	INSERT INTO hostile.batch (specimen, first, last)
	SELECT specimen, seed, seed FROM hostile.batch, generate_series(first, last) AS seed
	WHERE state = 'split' AND NOT EXISTS (SELECT FROM hostile.batch AS b WHERE b.first = batch.first AND b.last = b.first)
	ORDER BY seed;
$$;
