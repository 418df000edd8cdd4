--
-- setup.sql
--	  The schema "hostile": the module's calls, the types that specimens use, what
--	  is read of each mutant, and where outcomes are kept.
--
-- Variables: module, the path of rowser_hostile without its suffix.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

CREATE EXTENSION rowser;
CREATE EXTENSION hstore;
CREATE EXTENSION ltree;
CREATE EXTENSION citext;

CREATE SCHEMA hostile;

CREATE FUNCTION hostile.reseal(rowset bytea) RETURNS bytea
AS :'module', 'rowser_test_reseal' LANGUAGE C STRICT;

CREATE FUNCTION hostile.compress(method int, bytes bytea) RETURNS bytea
AS :'module', 'rowser_test_compress' LANGUAGE C STRICT;

CREATE FUNCTION hostile.contents(rowset bytea) RETURNS text[]
AS :'module', 'rowser_test_contents' LANGUAGE C STRICT;

CREATE FUNCTION hostile.headers(rowset bytea) RETURNS int[]
AS :'module', 'rowser_test_headers' LANGUAGE C STRICT;

CREATE FUNCTION hostile.packets(bytes bytea, packet_size int) RETURNS bytea[]
AS :'module', 'rowser_test_packets' LANGUAGE C STRICT;

CREATE FUNCTION hostile.reseal_packet(packet bytea) RETURNS bytea
AS :'module', 'rowser_test_reseal_packet' LANGUAGE C STRICT;

CREATE FUNCTION hostile.sweep(rowset bytea, calls text[], mutants text, reseal bool, first_seed int, last_seed int, megabytes int,
							  OUT call text, OUT sqlstate text, OUT message text, OUT sample text, OUT located bool,
							  OUT outcomes bigint, OUT slowest float8, OUT mutant text)
RETURNS SETOF record
AS :'module', 'rowser_test_sweep' LANGUAGE C STRICT;

CREATE FUNCTION hostile.kept(OUT own bigint, OUT caches bigint)
AS :'module', 'rowser_test_kept' LANGUAGE C STRICT;

--
-- Types of the user
--
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a int, b text);
CREATE TYPE nest AS (p pair, l int[]);
CREATE DOMAIN posint AS int CHECK (VALUE > 0);
CREATE DOMAIN must AS posint NOT NULL;
CREATE DOMAIN ints AS int[] CHECK (cardinality(VALUE) < 9);
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");
CREATE TABLE dropped (gone int, a int DEFAULT 1);
ALTER TABLE dropped DROP COLUMN gone, ADD COLUMN b mood DEFAULT 'ok';

--
-- What is read of a mutant
--

-- All rows through a cursor, and printed unless that would be too much.
CREATE FUNCTION hostile.fetch_all(rowset bytea, prints bool DEFAULT true) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := rowset_open(rowset);
	n bigint := 0;
	x record;
BEGIN
	LOOP
		FETCH c INTO x;
		EXIT WHEN NOT FOUND;
		n := n + CASE WHEN prints THEN length(x::text) ELSE 1 END;
	END LOOP;
	CLOSE c;
	RETURN n;
END $$;

-- All rows in other formats, unless so many are claimed that the result is rightly
-- large.  XML has no infinity, Arrow has none of several values, and aclitem can't
-- be sent.
CREATE FUNCTION hostile.convert(rowset bytea) RETURNS bigint LANGUAGE plpgsql
SET rowser.arrow_unrepresentable = 'null' AS $$
DECLARE
	n bigint;
BEGIN
	IF rowset_count(rowset) > 1000 THEN
		RETURN 0;
	END IF;
	n := length(rowset_to_json(rowset)::text) + pg_column_size(rowset_to_jsonb(rowset)) + length(rowset_to_arrow(rowset));
	BEGIN
		n := n + length(rowset_to_xml(rowset)::text);
	EXCEPTION WHEN datetime_field_overflow THEN
		NULL;
	END;
	BEGIN
		n := n + length(rowset_to_copy(rowset));
	EXCEPTION WHEN undefined_function THEN
		NULL;
	END;
	RETURN n;
END $$;

-- All rows from packets as they come; NULL when the last ones are missing.
CREATE FUNCTION hostile.feed(packets bytea[], list text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	packet bytea;
	m bigint;
	n bigint := 0;
BEGIN
	PERFORM rowset_reader_open('hostile');
	FOREACH packet IN ARRAY packets LOOP
		EXECUTE format('SELECT sum(length(t::text)) FROM rowset_reader_feed(''hostile'', $1) AS t(%s)', list) INTO m USING packet;
		n := n + coalesce(m, 0);
	END LOOP;
	IF NOT at_end FROM rowset_reader_state('hostile') THEN
		n := NULL;
	END IF;
	PERFORM rowset_reader_close('hostile');
	RETURN n;
END $$;

-- All rows from the last to the first.  The planner sees the rowset here.
CREATE FUNCTION hostile.fetch_back(rowset bytea, list text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
	n bigint := 0;
	x record;
BEGIN
	OPEN c SCROLL FOR EXECUTE format('SELECT * FROM rowset_to_recordset($1) AS t(%s)', list) USING rowset;
	FETCH LAST FROM c INTO x;
	WHILE FOUND AND n < 100000 LOOP
		n := n + length(x::text);
		FETCH PRIOR FROM c INTO x;
	END LOOP;
	CLOSE c;
	RETURN n;
END $$;

-- The calls that see the most, for every mutant, and all others.
CREATE FUNCTION hostile.first_calls(list text) RETURNS text[] LANGUAGE sql AS $$
	SELECT array_remove(ARRAY[
		'SELECT rowset_is_valid($1)',
		'SELECT rowset_check($1)',
		'SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(' || list || ')'], NULL)
$$;

-- Those that tell what there is.
CREATE FUNCTION hostile.inspect_calls() RETURNS text[] LANGUAGE sql AS $$
	SELECT ARRAY[
		'SELECT rowset_info($1)',
		'SELECT count(x) FROM rowset_columns($1) AS x',
		'SELECT rowset_column_list($1)',
		'SELECT rowset_count($1)']
$$;

-- Those that copy what they can, and look at no value's type.
CREATE FUNCTION hostile.reshape_calls() RETURNS text[] LANGUAGE sql AS $$
	SELECT ARRAY[
		'SELECT rowset_count(rowset_slice($1, 0, 1))',
		'SELECT rowset_count(rowset_slice($1, 1))',
		'SELECT rowset_count(rowset_project($1, VARIADIC (SELECT array_agg(name ORDER BY ordinality DESC) FROM rowset_columns($1))))',
		'SELECT rowset_count(rowset_rename($1, ''{}''))',
		'SELECT rowset_count(rowset_concat($1, $1))',
		'SELECT rowset_schema_hash($1)']
$$;

CREATE FUNCTION hostile.other_calls(list text) RETURNS text[] LANGUAGE sql AS $$
	SELECT hostile.inspect_calls() || array_remove(ARRAY[
		'SELECT hostile.fetch_all($1)',
		'SELECT hostile.convert($1)',
		'SELECT hostile.fetch_all(rowset_slice($1, 0, 1))',
		'SELECT hostile.feed(hostile.packets($1, 100), ' || quote_literal(list) || ')',
		'SELECT rowset_count(rowset_from_packets(p)) FROM unnest(hostile.packets($1, 64)) AS p',
		'SELECT hostile.fetch_back($1, ' || quote_literal(list) || ')',
		'SELECT sum(length(t::text)) FROM rowset_to_recordset($1, ''position'') AS t(' || list || ')',
		'SELECT sum(length(t::text)) FROM ROWS FROM (rowset_to_recordset($1) AS (' || list || '), generate_series(1, 1)) AS t',
		'SELECT t::text FROM rowset_to_recordset($1) AS t(' || list || ') LIMIT 1',
		'SELECT count(t) FROM generate_series(1, 2) AS u(nth), LATERAL (SELECT * FROM rowset_to_recordset($1) AS t(' || list || ') OFFSET nth - 1) AS t'], NULL)
		|| hostile.reshape_calls()
$$;

--
-- What came of it
--
CREATE TABLE hostile.specimen (
	ord int GENERATED ALWAYS AS IDENTITY,
	name text PRIMARY KEY,
	rowset bytea NOT NULL,
	list text,					-- its column definition list
	extra text[] NOT NULL		-- further reads
);

CREATE TABLE hostile.outcome (
	specimen text, mutants text, reseal bool,
	call text, sqlstate text, message text, sample text, located bool, outcomes bigint, slowest float8, mutant text
);

CREATE TABLE hostile.kept_memory (
	specimen text, mutants text, reseal bool, own bigint, caches bigint, seconds float8
);

-- Sweep over one specimen and note the outcomes.
CREATE FUNCTION hostile.run(p_specimen text, p_calls text[], p_mutants text, p_reseal bool, p_first int DEFAULT 0, p_last int DEFAULT 0)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea := rowset FROM hostile.specimen WHERE name = p_specimen;
	v_start timestamptz := clock_timestamp();
BEGIN
	INSERT INTO hostile.outcome
	SELECT p_specimen, p_mutants, p_reseal, s.*
	FROM hostile.sweep(v_rowset, p_calls, p_mutants, p_reseal, p_first, p_last, 64) AS s;
	INSERT INTO hostile.kept_memory
	SELECT p_specimen, p_mutants, p_reseal, k.*, extract(epoch FROM clock_timestamp() - v_start) FROM hostile.kept() AS k;
END $$;
