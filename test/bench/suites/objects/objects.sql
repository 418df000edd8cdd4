-- Arrays of objects: built in memory, made one flat value, and taken apart
-- again into such an array.  Wants "elements", how many there are.

CREATE SCHEMA objects;
CREATE EXTENSION IF NOT EXISTS hstore;

-- An object, and the names to build them of: up to four syllables, and one in
-- sixteen is empty.
CREATE TYPE objects.element AS (name text, name_length int, is_empty boolean);

CREATE TABLE objects.source AS
SELECT CASE WHEN bench.draw(i, 11, 16) = 0 THEN '' ELSE
	(SELECT string_agg((string_to_array('an be chi do el fa gor hu is jo ka lin mo nes or pa que ri sa ton ul va we xi yo zan', ' '))
			[1 + bench.draw(i * 8 + part, 12, 26)], '' ORDER BY part)
		FROM generate_series(1, 1 + bench.draw(i, 13, 4)) AS part) END AS name
FROM generate_series(1, :elements) AS i;
VACUUM (FREEZE, ANALYZE) objects.source;

-- The same by member.
CREATE TYPE objects.columns AS (names text[], lengths int[], empties boolean[]);

-- The styles.  Each expression takes the one before as $1.  XML is joined as text,
-- since xmlagg copies all that it has for each element, and is quadratic.
CREATE TABLE objects.style
(
	style text PRIMARY KEY,
	kind text NOT NULL,
	object_type text,				-- of the array in memory, if PL/pgSQL can have one
	build text,
	flat_type text NOT NULL,		-- of the one flat value
	serialise text,
	deserialise text,				-- to object_type again
	number int GENERATED ALWAYS AS IDENTITY
);

INSERT INTO objects.style (style, kind, object_type, build, flat_type, serialise, deserialise) VALUES
	('NoOp', 'floor', 'objects.element[]',
		'(SELECT array_agg(ROW(name, length(name), name = '''')::objects.element) FROM objects.source)',
		'objects.element[]', '$1', '$1'),
	('composite array', 'rival', 'objects.element[]',
		'(SELECT array_agg(ROW(name, length(name), name = '''')::objects.element) FROM objects.source)',
		'text', '$1::text', '$1::objects.element[]'),
	('row array', 'rival', NULL, NULL, 'text', NULL, NULL),
	('jsonb', 'rival', 'objects.element[]',
		'(SELECT array_agg(ROW(name, length(name), name = '''')::objects.element) FROM objects.source)',
		'jsonb', 'to_jsonb($1)',
		'(SELECT array_agg(e) FROM jsonb_populate_recordset(NULL::objects.element, $1) AS e)'),
	('hstore', 'rival', 'objects.element[]',
		'(SELECT array_agg(ROW(name, length(name), name = '''')::objects.element) FROM objects.source)',
		'hstore[]', '(SELECT array_agg(hstore(e)) FROM unnest($1) AS e)',
		'(SELECT array_agg(populate_record(NULL::objects.element, h)) FROM unnest($1) AS h)'),
	('xml', 'rival', 'objects.element[]',
		'(SELECT array_agg(ROW(name, length(name), name = '''')::objects.element) FROM objects.source)',
		'xml', '(SELECT (''<array>'' || string_agg(xmlelement(NAME element, xmlforest(name, name_length, is_empty))::text, '''')
			|| ''</array>'')::xml FROM unnest($1))',
		'(SELECT array_agg(ROW(name, name_length, is_empty)::objects.element) FROM xmltable(''/array/element'' PASSING $1
			COLUMNS name text PATH ''name'', name_length int PATH ''name_length'', is_empty boolean PATH ''is_empty''))'),
	('rowset of rows', 'rowser', 'objects.element[]',
		'(SELECT array_agg(ROW(name, length(name), name = '''')::objects.element) FROM objects.source)',
		'bytea', '(SELECT rowset_agg(e) FROM unnest($1) AS e)',
		'(SELECT array_agg(e) FROM rowset_populate_recordset(NULL::objects.element, $1) AS e)'),
	('rowset of columns', 'rowser', 'objects.columns',
		'(SELECT ROW(array_agg(name), array_agg(length(name)), array_agg(name = ''''))::objects.columns
			FROM objects.source)',
		'bytea', '(SELECT rowset_agg(e) FROM unnest($1.names, $1.lengths, $1.empties) AS e(name, name_length, is_empty))',
		'(SELECT ROW(array_agg(name), array_agg(name_length), array_agg(is_empty))::objects.columns
			FROM rowset_to_recordset($1) AS t(name text, name_length int, is_empty boolean))');

-- A function for each style, which does it all once and gives the times.
SELECT format($code$
	CREATE FUNCTION objects.%I(OUT build_ms float8, OUT serialise_ms float8, OUT deserialise_ms float8,
							   OUT length bigint, OUT digest text, OUT problem text)
	LANGUAGE plpgsql AS
	$body$
	DECLARE
		object %2$s;
		flat %3$s;
		again %2$s;
		started timestamptz := clock_timestamp();
		built timestamptz;
		serialised timestamptz;
		deserialised timestamptz;
	BEGIN
		object := %4$s;
		built := clock_timestamp();
		flat := %5$s;
		serialised := clock_timestamp();
		again := %6$s;
		deserialised := clock_timestamp();

		build_ms := extract(epoch FROM built - started) * 1000;
		serialise_ms := extract(epoch FROM serialised - built) * 1000;
		deserialise_ms := extract(epoch FROM deserialised - serialised) * 1000;
		length := pg_column_size(flat);
		IF again IS DISTINCT FROM object THEN
			RAISE EXCEPTION 'what comes back is not what was built';
		END IF;
		digest := md5(%7$s);
	END
	$body$
	$code$,
	style, object_type, flat_type, build, replace(serialise, '$1', 'object'), replace(deserialise, '$1', 'flat'),
	CASE flat_type WHEN 'bytea' THEN 'flat' ELSE 'NULL::text' END)
FROM objects.style WHERE object_type IS NOT NULL ORDER BY number
\gexec

-- Anonymous rows: PL/pgSQL has no variable for an array of them, so the clock is
-- read within the query, once the array is there and before it becomes text.
-- There is no way back, and no time for it.
CREATE FUNCTION objects."row array"(OUT build_ms float8, OUT serialise_ms float8, OUT deserialise_ms float8,
									OUT length bigint, OUT digest text, OUT problem text)
LANGUAGE plpgsql AS
$$
DECLARE
	flat text;
	started timestamptz := clock_timestamp();
	built timestamptz;
	serialised timestamptz;
BEGIN
	SELECT clock_timestamp(), object::text INTO built, flat
	FROM (SELECT array_agg(ROW(name, length(name), name = '')) AS object FROM objects.source OFFSET 0) AS t;
	serialised := clock_timestamp();
	BEGIN
		PERFORM flat::record[];
	EXCEPTION WHEN feature_not_supported THEN
		problem := SQLERRM;
	END;

	build_ms := extract(epoch FROM built - started) * 1000;
	serialise_ms := extract(epoch FROM serialised - built) * 1000;
	length := pg_column_size(flat);
END
$$;

CREATE TABLE objects.measurement
(
	style text REFERENCES objects.style,
	loop int,
	build_ms float8 NOT NULL,
	serialise_ms float8 NOT NULL,
	deserialise_ms float8,
	length bigint NOT NULL,
	digest text,
	problem text,
	PRIMARY KEY (style, loop)
);

-- All styles in turn, as often as asked, each in a transaction of its own; every second
-- time backwards.  The first time is not kept.
CREATE PROCEDURE objects.run(loops int)
LANGUAGE plpgsql AS
$$
DECLARE
	name text;
	names text[];
BEGIN
	FOR i IN 0 .. loops LOOP
		SELECT array_agg(style ORDER BY CASE WHEN i % 2 = 1 THEN number ELSE -number END) INTO names FROM objects.style;
		FOREACH name IN ARRAY names LOOP
			EXECUTE format('INSERT INTO objects.measurement SELECT %L, %s, * FROM objects.%1$I()', name, i);
			COMMIT;
		END LOOP;
	END LOOP;
	DELETE FROM objects.measurement WHERE loop = 0;
END
$$;

-- The fastest of all loops, stage by stage.
CREATE VIEW objects.figure AS
SELECT number, style, kind, flat_type, min(build_ms) AS build, min(serialise_ms) AS serialise,
	min(deserialise_ms) AS deserialise, min(length) AS length, min(digest) AS digest, min(problem) AS problem
FROM objects.measurement JOIN objects.style USING (style)
GROUP BY number, style, kind, flat_type;
