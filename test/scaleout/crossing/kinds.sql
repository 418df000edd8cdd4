-- The same rows in every database, whatever its version and encoding; all of its
-- characters are in LATIN1.
CREATE EXTENSION rowser;
CREATE TYPE mood AS ENUM ('größer', 'ok', 'sad');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN posint AS int CHECK (VALUE > 0);
CREATE TABLE kinds
(
	id bigint, flag boolean, small smallint, real real, double double precision, price numeric(12,2), exact numeric,
	name text, code varchar(8), fixed char(6), mood mood, pair pair, pairs pair[], positive posint, words text[],
	day date, at timestamptz, clock time, span interval, uuid uuid, net inet, bits bit varying, bytes bytea, doc jsonb,
	json json, range int4range, multi datemultirange, vector tsvector, class regclass, point point
);
INSERT INTO kinds
SELECT i, i % 2 = 0, i % 100, i / 3.0, CASE i % 50 WHEN 0 THEN 'NaN' WHEN 1 THEN '-Infinity' ELSE i / 7.0 END, i * 1.25,
	(repeat('3', 1 + i % 40) || '.' || i)::numeric, 'Größe ' || i, 'é' || i % 1000, 'ñ' || i % 7, (ARRAY['größer', 'ok', 'sad'])[1 + i % 3]::mood,
	ROW(i, 'naïve ' || i)::pair, ARRAY[ROW(i, 'ü')::pair, NULL], i, ARRAY['ä', NULL, i::text],
	date '2000-01-01' + i, timestamptz '2024-02-29 12:00:00.123456+00' + i * interval '1 hour', time '00:00' + i * interval '1 second',
	make_interval(months => i % 30, days => i % 40, secs => i), md5(i::text)::uuid, inet '10.0.0.0/8' + i, (i % 16)::bit(4)::varbit,
	convert_to('ö' || i, 'LATIN1'), jsonb_build_object('k', i, 'ß', ARRAY['ø']), ('{"a" : ["é", ' || i || ']}')::json,
	int4range(i, i + 10), datemultirange(daterange('2024-01-01', '2024-01-01'::date + i)), ('''été'':1 ' || i || ':2')::tsvector,
	'pg_class'::regclass, point(i, -i)
FROM generate_series(1, 2000) AS i;
INSERT INTO kinds (id) VALUES (0), (0);

-- What the others ask for and send to.
CREATE FUNCTION kinds_rowset() RETURNS SETOF bytea LANGUAGE sql
BEGIN ATOMIC
	SELECT query_to_rowset('SELECT * FROM public.kinds ORDER BY id');
END;
CREATE VIEW kinds_packed AS SELECT rows FROM kinds_rowset() AS rows;
CREATE TABLE received (LIKE kinds);
CREATE FUNCTION receive_kinds(rows bytea) RETURNS bigint LANGUAGE sql
BEGIN ATOMIC
	SELECT rowset_insert('public.received', rows);
END;
CREATE EXTENSION dblink;
CREATE EXTENSION postgres_fdw;
