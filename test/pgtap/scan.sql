--
-- scan.sql
--	  RowsetScan and the plain function give the same answers: a table of queries,
--	  each run with rowser.enable_scan on and off.
--
--	  rows: what both give is compared; order matters where the query orders
--	  scanned: the plan with the setting on must be a RowsetScan; NULL: either
--
\set QUIET on
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
CREATE SCHEMA scan;
SET search_path = scan, public;

CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (x int, y text);
CREATE TABLE shape (id int, name text, price numeric(10, 2), day date, extra text);
CREATE TABLE dropped (id int, gone text, name text);
ALTER TABLE dropped DROP COLUMN gone;
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN shape_domain AS shape CHECK ((VALUE).id > 0);
CREATE DOMAIN even_shape AS shape CHECK ((VALUE).id % 2 = 0);
CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);

-- Rowsets of several shapes and row group sizes; k is constant in each group of 200
CREATE TABLE source AS
SELECT i AS id, 'name ' || i AS name, (i * 1.25)::numeric(10, 2) AS price, date '2024-01-01' + i AS day,
	i / 200 AS k, CASE WHEN i / 200 = 2 THEN NULL ELSE i % 7 END AS n,
	CASE WHEN i % 50 = 0 THEN 'NaN'::float8 ELSE i / 8.0 END AS f, timestamptz '2024-01-01 00:00+00' + i * interval '1 hour' AS ts,
	('a' || (i / 200))::text COLLATE "C" AS c, (i / 200)::text || 'é' AS u, decode(lpad(to_hex(i), 8, '0'), 'hex') AS by,
	('00000000-0000-0000-0000-' || lpad(i::text, 12, '0'))::uuid AS uu, ((i + 2147483148::bigint) % 4294967296)::oid AS o,
	(ARRAY['sad', 'ok', 'happy'])[i % 3 + 1]::mood AS e, ROW(i, 'y' || i)::pair AS p, ARRAY[i, NULL, i % 3] AS a,
	int4range(i, i + i % 3) AS r, (i / 200)::smallint AS s, i::bigint * 10000000000 AS big, i % 2 = 0 AS b, ('n' || i / 200)::name AS nm,
	time '00:00' + i * interval '1 minute' AS tm, 'x'::varchar(10) AS v
FROM generate_series(1, 1999) AS i;

CREATE TABLE packed (name text PRIMARY KEY, r bytea);
ALTER TABLE packed ALTER r SET STORAGE EXTERNAL;
DO $$
DECLARE
	v_size int;
BEGIN
	FOREACH v_size IN ARRAY ARRAY[200, 7, 1, 32768] LOOP
		PERFORM set_config('rowser.row_group_rows', v_size::text, true);
		INSERT INTO packed VALUES ('g' || v_size, query_to_rowset('SELECT *, ROW(id, ''q'') AS rec FROM scan.source ORDER BY id'));
	END LOOP;
END $$;
RESET rowser.row_group_rows;
INSERT INTO packed VALUES ('none', query_to_rowset('SELECT *, ROW(id, ''q'') AS rec FROM scan.source WHERE false')), ('null', NULL),
	('small', query_to_rowset('SELECT i AS id, ''s'' || i AS name FROM generate_series(1, 3) AS i')),
	('twice', query_to_rowset('SELECT 1 AS id, 2 AS id')), ('bad', '\x00'), ('nothing', query_to_rowset('SELECT FROM generate_series(1, 3)')),
	('negative', query_to_rowset('SELECT -i AS id FROM generate_series(1, 3) AS i'));
-- damage in the body of one column only
INSERT INTO packed SELECT 'damaged', overlay(r PLACING '\xffffffff'::bytea FROM position('name 500'::bytea IN r)) FROM packed WHERE name = 'g7';
ANALYZE packed;

CREATE VIEW rows AS SELECT t.* FROM packed, rowset_to_recordset(r) AS t(id int, name text, price numeric(10, 2), day date, k int, n int,
	f float8, ts timestamptz, c text COLLATE "C", u text, by bytea, uu uuid, o oid, e mood, p pair, a int[], r int4range, s smallint, big bigint,
	b bool, nm name, tm time, v varchar(10)) WHERE packed.name = 'g200';
CREATE VIEW guarded WITH (security_barrier) AS SELECT * FROM rows WHERE id % 2 = 0;

CREATE SEQUENCE calls;
CREATE FUNCTION counted(p_name text) RETURNS bytea VOLATILE LANGUAGE sql AS $$
SELECT r FROM scan.packed, nextval('scan.calls') WHERE name = p_name;
$$;
CREATE FUNCTION leaky(p_value anyelement) RETURNS bool LANGUAGE plpgsql COST 0.0001 AS $$
BEGIN
	PERFORM set_config('scan.seen', current_setting('scan.seen', true) || ' ' || p_value::text, true);
	RETURN true;
END $$;
CREATE FUNCTION loud(p_value int) RETURNS int VOLATILE LANGUAGE sql AS 'SELECT p_value FROM nextval(''scan.calls'')';
CREATE FUNCTION wrapped(p_name text) RETURNS TABLE (id int, name text) STABLE LANGUAGE sql AS $$
SELECT t.* FROM scan.packed, rowset_to_recordset(r) AS t(id int, name text) WHERE packed.name = p_name;
$$;
CREATE TABLE target AS SELECT id, name FROM source WHERE id % 10 = 0;
CREATE TABLE keys AS SELECT i AS id FROM generate_series(1, 1999, 111) AS i;
ANALYZE target;
ANALYZE keys;

CREATE FUNCTION answer(p_sql text, p_scan bool) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_result text;
	v_state text;
	v_message text;
	v_detail text;
	v_hint text;
	v_line text;
BEGIN
	PERFORM set_config('rowser.enable_scan', p_scan::text, true), setval('scan.calls', 1), set_config('scan.seen', '', true);
	BEGIN
		v_result := '';
		FOR v_line IN EXECUTE p_sql LOOP
			v_result := v_result || coalesce(v_line, '<null>') || E'\n';
		END LOOP;
		v_result := v_result || 'calls ' || (SELECT last_value FROM scan.calls) || ' seen' || current_setting('scan.seen');
		-- what it changed is undone
		RAISE EXCEPTION USING ERRCODE = 'XX999', MESSAGE = v_result;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS v_state = RETURNED_SQLSTATE, v_message = MESSAGE_TEXT, v_detail = PG_EXCEPTION_DETAIL, v_hint = PG_EXCEPTION_HINT;
		RETURN CASE WHEN v_state = 'XX999' THEN v_message ELSE format('error %s: %s; %s; %s', v_state, v_message, v_detail, v_hint) END;
	END;
END $$;

CREATE FUNCTION is_scanned(p_sql text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	v_line text;
BEGIN
	SET LOCAL rowser.enable_scan = on;
	FOR v_line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || p_sql LOOP
		IF v_line ~ 'RowsetScan' THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
EXCEPTION WHEN OTHERS THEN
	RETURN NULL;
END $$;

CREATE TABLE queries (number serial, sql text, scanned bool DEFAULT true);

-- projection
INSERT INTO queries (sql) VALUES
('SELECT t::text FROM rows AS t'),
('SELECT count(*)::text FROM rows'),
('SELECT id::text FROM rows'),
('SELECT format(''%s %s %s'', v, id, e) FROM rows'),
('SELECT sum(id)::text || sum(price) || max(name) || min(day) FROM rows'),
('SELECT count(DISTINCT t)::text FROM packed, rowset_to_recordset(r) AS t(id int, name text, a int[]) WHERE packed.name = ''g7'''),
('SELECT t::text FROM packed, rowset_to_recordset(r) AS t(id int, name text) WHERE packed.name = ''g7'' AND t.id > 1990'),
('SELECT t::text || id FROM packed, rowset_to_recordset(r) AS t(id int, x text) WHERE packed.name = ''g1'' AND t.id IN (5, 500)'),
('SELECT to_jsonb(t)::text FROM packed, rowset_to_recordset(r) AS t("Id x" int) WHERE packed.name = ''small'''),
('SELECT to_jsonb(t)::text FROM packed, rowset_to_recordset(r) AS t(id int, name text) WHERE packed.name = ''small'''),
('SELECT (t.p).y FROM rows AS t WHERE (p).x < 5'),
('SELECT rec::text FROM packed, rowset_to_recordset(r) AS t(rec record, id int) WHERE packed.name = ''g7'' AND id < 10'),
('SELECT 1::text FROM packed, rowset_to_recordset(r) AS t(id int) WHERE packed.name = ''nothing'''),
('SELECT count(*)::text FROM packed, rowset_to_recordset(r, ''position'') AS t(id int) WHERE packed.name = ''twice''');

-- filters on every type with bounds, alone and together
INSERT INTO queries (sql)
SELECT format('SELECT id::text FROM rows WHERE %s', f)
FROM unnest(ARRAY['id = 500', 'id > 1990', 'id >= 1990', 'id < 10', 'id <= 10', '500 = id', '10 > id', 'id BETWEEN 250 AND 260', 'id IN (1, 500, 2000)', 'id = ANY(NULL::int[])',
	'id = ANY(''{NULL,7}''::int[])', 'id <> 5', 'id = 5::bigint', 'id > 1990.5', 'k = 3', 'k > 8', 'k IN (1, 9)', 'k = 3 AND id % 2 = 0', 'k = 3 OR k = 5', 'k = 3 OR id % 333 = 0',
	'k = 1 OR (k = 2 AND n IS NULL)', 'NOT k = 3', 'n IS NULL', 'n IS NOT NULL', 'n = 3', 'n IS NULL AND id < 50', 'n = NULL', 'f = ''NaN''', 'f > 100', 'f >= ''NaN''', 'f < 1', 'f = 10.5::float4',
	'ts > ''2024-02-10 00:00+00''', 'ts < ''2024-01-01 05:00+00'' AND id > 2', 'day = ''2024-02-01''', 'day > ''2024-02-01''::timestamp', 'c = ''a3''', 'c > ''a8''', 'c >= ''a8'' AND c < ''a9''',
	'c = ''A3'' COLLATE folded', 'c IN (''a1'', ''zz'')', 'u = ''3é''', 'u > ''8''', 'u COLLATE "C" > ''8''', 'u = ''3É'' COLLATE folded', 'by = ''\x00000005''', 'by > ''\x000007c0''', 'uu = ''00000000-0000-0000-0000-000000000500''',
	'uu > ''00000000-0000-0000-0000-000000001990''', 'o = 2147483640', 'o > 2147483648', 'o < 100', 'o::int8 > 2147484140', 'e = ''happy''', 'e > ''ok'' AND id < 20', 'p = ROW(5, ''y5'')::pair', 'p IS NULL', 'p IS NOT NULL AND id < 3',
	'a = ARRAY[5, NULL, 2]', 'a[1] = 5', 'r @> 5', 'isempty(r) AND id < 20', 's = 3', 's > 3::bigint AND s < 5', 'big = 50000000000', 'big > 19980000000000::numeric', 'b AND id < 7', 'NOT b AND id < 7', 'b IS NULL',
	'nm = ''n3''', 'nm > ''n8''', 'nm = ''n3''::text', 'tm = ''05:00''', 'tm > ''16:30''', 'v = ''x'' AND id < 3', 'v > ''x''', 'price = 12.5', 'price > 1240', 'price < 2::int', 'price = 5::float8', 'id = id', 'id > k + 990', 'id = (SELECT 7)',
	'id = (SELECT max(id) FROM target)', 'id IN (SELECT id FROM keys)', 'id NOT IN (SELECT id FROM keys) AND id < 5', 'k = (SELECT i FROM generate_series(3, 3) AS i) AND n = 1', 'id < 5 AND name LIKE ''%3''', 'false', 'true AND id < 3',
	'current_setting(''is_superuser'') = ''on'' AND id < 3', 'id = length(current_user)', 'ts < now() AND id < 3', 'ts > now()', 'id > (SELECT 1 WHERE false)', 'EXISTS (SELECT 1 FROM keys WHERE keys.id = rows.id)',
	'(SELECT count(*) FROM keys WHERE keys.id < rows.id) = 2 AND id < 120', 'rows IS NOT NULL AND id < 3', 'rows.*::text LIKE ''(5,%''', 'coalesce(n, -1) = -1', 'n IS DISTINCT FROM NULL AND id < 3', 'random() >= 0 AND k = 3', 'random() < 0']) AS f;

-- LIMIT, order, errors behind what is read
INSERT INTO queries (sql) VALUES
('SELECT id::text FROM rows LIMIT 3'),
('SELECT id::text || name FROM rows WHERE n = 3 LIMIT 5'),
('SELECT id::text FROM rows OFFSET 1995'),
('SELECT id::text FROM rows ORDER BY f DESC, id LIMIT 25'),
('SELECT (1 / (id - 900))::text FROM rows WHERE k < 8'),
('SELECT count(*)::text FROM rows WHERE k = 8 AND 1 / (id - 900) < 5');

-- nested loops, LATERAL, subqueries
INSERT INTO queries (sql) VALUES
('SELECT packed.name || count(*) || coalesce(max(t.id), -1) FROM packed, rowset_to_recordset(r) AS t(id int) WHERE packed.name NOT IN (''bad'', ''twice'', ''nothing'', ''damaged'') GROUP BY packed.name ORDER BY 1'),
('SELECT packed.name || coalesce(t.id, -1) FROM packed LEFT JOIN LATERAL rowset_to_recordset(r) AS t(id int) ON t.id = 500 WHERE packed.name NOT IN (''bad'', ''twice'', ''nothing'', ''damaged'') ORDER BY 1'),
('SELECT packed.name || coalesce(t.id, -1) FROM packed LEFT JOIN LATERAL (SELECT id FROM rowset_to_recordset(r) AS t(id int) WHERE id > length(packed.name) LIMIT 2) AS t ON true WHERE packed.name IN (''g7'', ''none'', ''null'', ''small'') ORDER BY 1'),
('SELECT keys.id || x.name FROM keys, LATERAL (SELECT t.name FROM packed, rowset_to_recordset(r) AS t(id int, name text) WHERE packed.name = ''g200'' AND t.id = keys.id) AS x ORDER BY 1'),
('SELECT keys.id || coalesce((SELECT t.name FROM packed, rowset_to_recordset(r) AS t(id int, name text) WHERE packed.name = ''g200'' AND t.id = keys.id + 1), ''none'') FROM keys ORDER BY 1'),
('SELECT count(*)::text FROM rows AS a JOIN rows AS b USING (id)'),
('SELECT count(*)::text FROM rows AS a FULL JOIN rows AS b ON a.id = b.id + 500'),
('SELECT count(*)::text FROM rows AS a LEFT JOIN rows AS b ON a.id > b.id AND b.id < 3 WHERE b.id IS NULL'),
('SELECT count(*)::text FROM rows AS a, rows AS b WHERE a.id < b.id AND b.k = 1 AND a.k = 0'),
('SELECT a.id::text FROM rows AS a WHERE NOT EXISTS (SELECT FROM rows AS b WHERE b.id = a.id + 10)'),
('SELECT string_agg(x.s, '','') FROM (SELECT t.id::text AS s FROM rows AS t ORDER BY id DESC LIMIT 3) AS x'),
('WITH w AS MATERIALIZED (SELECT * FROM rows WHERE k = 2) SELECT a.id::text FROM w AS a JOIN w AS b ON a.id = b.id + 95'),
('WITH RECURSIVE w AS (SELECT 1 AS id UNION ALL SELECT rows.id FROM rows, w WHERE rows.id = w.id * 2) SELECT id::text FROM w'),
('SELECT id::text FROM rows WHERE id < 3 UNION ALL SELECT name FROM rows WHERE id > 998 UNION ALL SELECT t::text FROM packed, rowset_to_recordset(r) AS t(id int) WHERE packed.name = ''small'''),
('SELECT id::text || x FROM (SELECT id, 1 AS x FROM rows UNION ALL SELECT id, 2 FROM rows) AS u WHERE id = 5'),
('SELECT g::text FROM packed, LATERAL (SELECT max(id) AS g FROM rowset_to_recordset(r) AS t(id int) GROUP BY t.id % 3) AS x WHERE packed.name = ''g7'' ORDER BY 1'),
('SELECT rank::text FROM (SELECT rank() OVER (ORDER BY n, id), k FROM rows) AS x WHERE k = 9'),
('SELECT id::text FROM guarded WHERE leaky(id) AND id < 10'),
('SELECT id::text FROM guarded WHERE k = 0 AND leaky(id)'),
('SELECT id || name FROM wrapped(''small'')'),
('SELECT count(*)::text FROM wrapped(''g7'') WHERE id < 20'),
-- late columns, of all rows first and of few then
('SELECT id::text || name FROM rowset_to_recordset(query_to_rowset(''SELECT i AS id, md5(i::text) AS name FROM generate_series(1, 3000) AS i'')) AS t(id int, name text) WHERE id < 8 OR id % 400 = 0');

-- arguments: evaluated once a scan, anything but a column
INSERT INTO queries (sql) VALUES
('SELECT t.id::text FROM rowset_to_recordset(counted(''small'')) AS t(id int)'),
('SELECT keys.id || '' '' || t.id FROM keys, rowset_to_recordset(counted(''small'')) AS t(id int) WHERE t.id <> keys.id'),
('SELECT keys.id || '' '' || t.id FROM keys LEFT JOIN rowset_to_recordset(counted(''small'')) AS t(id int) ON t.id < keys.id'),
('SELECT t.id::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''small'')) AS t(id int)'),
('SELECT t.id::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''no such'')) AS t(id int)'),
('SELECT t.id::text FROM keys, rowset_to_recordset((SELECT r FROM packed WHERE name = CASE WHEN keys.id = 1 THEN ''small'' ELSE ''null'' END)) AS t(id int)'),
('SELECT t.id::text FROM rowset_to_recordset(CASE WHEN random() < 2 THEN (SELECT r FROM packed WHERE name = ''small'') END, match => lower(''POSITION'')) AS t(id int)'),
('SELECT t.id::text FROM packed, rowset_to_recordset(r, CASE WHEN packed.name = ''small'' THEN ''name'' ELSE ''position'' END) AS t(id int) WHERE packed.name IN (''small'', ''negative'')'),
-- what only the comparison with a subquery depends on
('SELECT keys.id || '' '' || count(t.id) FROM keys, rowset_to_recordset(CASE WHEN keys.id IN (SELECT id FROM target) THEN (SELECT r FROM packed WHERE name = ''small'') END) AS t(id int) GROUP BY keys.id ORDER BY keys.id'),
('SELECT keys.id || '' '' || count(t.id) FROM keys, rowset_to_recordset(CASE WHEN keys.id < ALL (SELECT id + 500 FROM target) THEN (SELECT r FROM packed WHERE name = ''small'') END) AS t(id int) GROUP BY keys.id ORDER BY keys.id'),
('SELECT t.id::text FROM rowset_to_recordset(query_to_rowset(''SELECT 1 AS id'')) AS t(id int)'),
('SELECT loud(id)::text FROM rows WHERE id < 3'),
('SELECT id::text FROM rows WHERE loud(id) < 3 AND k = 0'),
('SELECT id::text FROM rowset_to_recordset(NULL) AS t(id int)'),
('SELECT id::text FROM rowset_to_recordset(NULL, NULL) AS t(id int)');

-- errors
INSERT INTO queries (sql) VALUES
('SELECT t.id::text FROM packed, rowset_to_recordset(r, NULL) AS t(id int)'),
('SELECT t.id::text FROM packed, rowset_to_recordset(r, ''anything'') AS t(id int)'),
('SELECT count(*)::text FROM packed, rowset_to_recordset(r) AS t(id int, nome text) WHERE packed.name = ''small'''),
('SELECT count(*)::text FROM packed, rowset_to_recordset(r) AS t(id int) WHERE packed.name = ''twice'''),
('SELECT count(*)::text FROM packed, rowset_to_recordset(r) AS t(id int) WHERE packed.name = ''bad'''),
('SELECT count(*)::text FROM packed, rowset_to_recordset(r) AS t(id int[]) WHERE packed.name = ''small'''),
('SELECT count(*)::text FROM packed, rowset_to_recordset(r, ''position'') AS t(a int, b text, c int) WHERE packed.name = ''small'''),
('SELECT max(name) FROM packed, rowset_to_recordset(r) AS t(id int, name text) WHERE packed.name = ''damaged'''),
('SELECT t.id::text FROM packed, rowset_to_recordset(r) AS t(id positive) WHERE packed.name = ''negative'''),
('SELECT t.name FROM packed, rowset_to_recordset(r) AS t(id int, name varchar(1)) WHERE packed.name = ''small'''),
('SELECT t.id::text FROM packed, rowset_to_recordset(r) AS t(id smallint) WHERE packed.name = ''g7'' AND id < 5'),
('SELECT max(big)::text FROM packed, rowset_to_recordset(r) AS t(big int) WHERE packed.name = ''g7'''),
('SELECT id::text FROM packed, rowset_to_recordset(r) AS t(id positive) WHERE packed.name = ''g7'' AND id > 995'),
('SELECT id || k || price FROM packed, rowset_to_recordset(r) AS t(id text, k numeric(3, 1), price numeric(6, 1)) WHERE packed.name = ''g200'' AND k = 3 AND price > 480'),
('SELECT id || c FROM packed, rowset_to_recordset(r) AS t(id oid, c char(3)) WHERE packed.name = ''g200'' AND c > ''a8'' AND id > 1990'),
('SELECT o::text FROM packed, rowset_to_recordset(r) AS t(o bigint) WHERE packed.name = ''g200'' AND o > 2147484140'),
('SELECT o::text FROM packed, rowset_to_recordset(r) AS t(o int) WHERE packed.name = ''g200'' AND o > -10 AND o < 10'),
('SELECT t.e::text FROM packed, rowset_to_recordset(r) AS t(e text) WHERE packed.name = ''g200'' AND e > ''ok'' LIMIT 3');

-- row types
INSERT INTO queries (sql, scanned) VALUES
('SELECT t::text FROM packed, rowset_populate_recordset(NULL::shape, r) AS t WHERE packed.name = ''small''', true),
('SELECT t.extra || t.id FROM packed, rowset_populate_recordset(ROW(1, ''n'', 2, ''2020-01-01'', ''default'')::shape, r) AS t WHERE packed.name = ''small''', true),
('SELECT t::text FROM packed, rowset_populate_recordset(ROW(1, ''n'', 2, ''2020-01-01'', repeat(''default'', 3))::shape, r) AS t WHERE packed.name = ''g7'' AND extra LIKE ''default%'' AND id > 1990', true),
('SELECT count(*)::text FROM packed, rowset_populate_recordset(NULL::shape, r) AS t WHERE packed.name = ''g7'' AND extra IS NULL AND price > 12', true),
('SELECT count(*)::text FROM packed, rowset_populate_recordset(NULL::shape, r) AS t WHERE packed.name = ''g7'' AND extra = ''x''', true),
('SELECT t::text FROM packed, rowset_populate_recordset(NULL::dropped, r) AS t WHERE packed.name = ''small''', true),
('SELECT t.name FROM packed, rowset_populate_recordset(NULL::dropped, r) AS t WHERE packed.name = ''g7'' AND id = 44', true),
('SELECT t::text FROM packed, rowset_populate_recordset(NULL::shape_domain, r) AS t WHERE packed.name = ''small''', false),
('SELECT t.id::text FROM packed, rowset_populate_recordset(NULL::even_shape, r) AS t WHERE packed.name = ''small''', false),
('SELECT t::text FROM packed, rowset_populate_recordset(NULL::record, r) AS t(id int, z text) WHERE packed.name = ''small''', true),
('SELECT t::text FROM packed, rowset_populate_recordset(ROW(9, ''z''::text), r) AS t(id int, z text) WHERE packed.name = ''small''', NULL),
('SELECT t::text FROM packed, rowset_populate_recordset(ROW(9, 8), r) AS t(id int, z text) WHERE packed.name = ''small''', NULL),
('SELECT t::text FROM packed, rowset_populate_recordset(NULL::int, r) AS t WHERE packed.name = ''small''', NULL),
('SELECT t::text FROM rowset_populate_recordset(NULL::shape, NULL) AS t', true),
('SELECT t::text FROM source AS s, LATERAL rowset_populate_recordset(ROW(s.id, s.name, s.price, s.day, s.c)::shape, (SELECT r FROM packed WHERE name = ''small'')) AS t WHERE s.id < 3', true),
('SELECT x.t::text FROM (SELECT t FROM packed, rowset_populate_recordset(NULL::shape, r) AS t WHERE packed.name = ''small'') AS x WHERE (x.t).id > 1', true);

-- not a scan
INSERT INTO queries (sql, scanned) VALUES
('SELECT t::text FROM packed, rowset_to_recordset(r) WITH ORDINALITY AS t(id, n) WHERE false', NULL),
('SELECT t::text FROM packed, ROWS FROM (rowset_to_recordset(r) AS (id int), generate_series(1, 5)) AS t WHERE packed.name = ''small''', false),
('SELECT rowset_populate_recordset(NULL::shape, r)::text FROM packed WHERE name = ''small''', false);

-- statements that change rows, and row marks
INSERT INTO queries (sql) VALUES
('WITH w AS (UPDATE target SET name = rows.name || ''!'' FROM rows WHERE rows.id = target.id AND rows.k = 3 RETURNING target.*) SELECT w::text FROM w ORDER BY id'),
('WITH w AS (UPDATE target SET name = t.id FROM packed, rowset_to_recordset(r) AS t(id int) WHERE packed.name = ''g7'' AND t.id = target.id RETURNING t) SELECT w::text FROM w ORDER BY 1'),
('WITH w AS (DELETE FROM target USING rows WHERE rows.id = target.id AND rows.n = 3 RETURNING target.id, rows.name) SELECT w::text FROM w ORDER BY 1'),
('WITH w AS (INSERT INTO target SELECT id, name FROM rows WHERE k = 9 RETURNING *) SELECT count(*)::text FROM w'),
('SELECT target.id || rows.name FROM target, rows WHERE rows.id = target.id AND rows.k = 4 FOR UPDATE OF target'),
('SELECT target.id || t.name FROM target JOIN (packed CROSS JOIN rowset_to_recordset(r) AS t(id int, name text)) ON packed.name = ''g7'' AND t.id = target.id AND t.id < 50 FOR SHARE OF target'),
('SELECT target.id || coalesce(t.name, ''-'') FROM target LEFT JOIN rowset_to_recordset((SELECT r FROM packed WHERE name = ''small'')) AS t(id int, name text) ON t.id * 10 = target.id WHERE target.id < 60 FOR UPDATE OF target');

SELECT is(answer(sql, true), answer(sql, false), 'same: ' || sql) FROM queries ORDER BY number;
SELECT is(is_scanned(sql), scanned, 'scanned: ' || sql) FROM queries WHERE scanned IS NOT NULL AND answer(sql, true) !~ '^error 42' AND sql !~ '(WHERE|AND) (false|n = NULL|id = ANY\(NULL)|NULL, NULL|random\(\) < 0' ORDER BY number;

-- a trigger's row stays its own: what it puts there doesn't come back in rows that follow
CREATE TABLE shown (id int, b text);
CREATE VIEW instead AS SELECT id, b FROM shown;
CREATE FUNCTION forget_some() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.id % 100 = 50 THEN
		NEW.b := NULL;
	END IF;
	IF TG_WHEN = 'INSTEAD OF' THEN
		INSERT INTO scan.shown VALUES (NEW.*);
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER forget INSTEAD OF INSERT ON instead FOR EACH ROW EXECUTE FUNCTION forget_some();
CREATE TABLE divided (id int, b text) PARTITION BY RANGE (id);
CREATE TABLE divided_1 PARTITION OF divided FOR VALUES FROM (1) TO (10001);
CREATE TRIGGER forget BEFORE INSERT ON divided_1 FOR EACH ROW EXECUTE FUNCTION forget_some();
CREATE TABLE ten_thousand AS SELECT query_to_rowset('SELECT i AS id, ''b'' AS b FROM generate_series(1, 10000) AS i') AS r;
SET rowser.enable_scan = on;
INSERT INTO instead SELECT t.* FROM ten_thousand, rowset_to_recordset(r) AS t(id int, b text);
INSERT INTO instead SELECT * FROM rowset_to_recordset((SELECT r FROM ten_thousand)) AS t(id int, b text);
SELECT is(count(*) FILTER (WHERE b IS NULL), 200::bigint, 'rows that an INSTEAD OF trigger changes are no others') FROM shown;
INSERT INTO divided SELECT * FROM rowset_to_recordset((SELECT r FROM ten_thousand)) AS t(id int, b text);
SELECT is(count(*) FILTER (WHERE b IS NULL), 100::bigint, 'nor are those that a partition''s trigger changes') FROM divided;
WITH w AS (INSERT INTO divided SELECT * FROM rowset_to_recordset((SELECT r FROM ten_thousand)) AS t(id int, b text) RETURNING b)
SELECT is(count(*) FILTER (WHERE b IS NULL), 100::bigint, 'nor in a WITH query') FROM w;
TRUNCATE shown, divided;
SELECT is(rowset_insert('instead', r), 10000::bigint) FROM ten_thousand;
SELECT is(count(*) FILTER (WHERE b IS NULL), 100::bigint, 'nor by rowset_insert, into a view') FROM shown;
SELECT is(rowset_insert('divided', r), 10000::bigint) FROM ten_thousand;
SELECT is(count(*) FILTER (WHERE b IS NULL), 100::bigint, 'or into a table with partitions') FROM divided;
RESET rowser.enable_scan;

-- every row group size
SELECT is((SELECT md5(string_agg(t::text, ',' ORDER BY id)) FROM rowset_to_recordset(r) AS t(id int, name text, price numeric, n int, f float8, e mood, p pair, a int[], r int4range, u text) WHERE n = 3 OR id % 97 = 0),
	(SELECT md5(string_agg(t::text, ',' ORDER BY id)) FROM (SELECT id, name, price, n, f, e, p, a, r, u FROM source WHERE n = 3 OR id % 97 = 0) AS t), 'late columns, rowset ' || name)
FROM packed WHERE name ~ '^g';

-- cursors: any order of steps gives the same rows
CREATE FUNCTION walk(p_sql text, p_scan bool) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
	v_row text;
	v_result text := '';
	v_step int;
BEGIN
	PERFORM set_config('rowser.enable_scan', p_scan::text, true), setseed(0.5);
	OPEN c SCROLL FOR EXECUTE p_sql;
	FOR i IN 1 .. 60 LOOP
		v_step := floor(random() * 5)::int;
		IF v_step = 0 THEN
			FETCH RELATIVE 37 FROM c INTO v_row;
		ELSIF v_step = 1 THEN
			FETCH RELATIVE -29 FROM c INTO v_row;
		ELSIF v_step = 2 THEN
			FETCH NEXT FROM c INTO v_row;
		ELSIF v_step = 3 THEN
			FETCH PRIOR FROM c INTO v_row;
		ELSIF i % 15 = 0 THEN
			FETCH LAST FROM c INTO v_row;
		ELSE
			FETCH ABSOLUTE i * 3 FROM c INTO v_row;
		END IF;
		v_result := v_result || coalesce(v_row, '-') || ' ';
	END LOOP;
	CLOSE c;
	RETURN v_result;
END $$;
SELECT is(walk(q, true), walk(q, false), 'steps through ' || q)
FROM packed, unnest(ARRAY[format('SELECT id::text || name FROM rowset_to_recordset((SELECT r FROM scan.packed WHERE name = %L)) AS t(id int, name text)', packed.name),
	format('SELECT id::text || name FROM rowset_to_recordset((SELECT r FROM scan.packed WHERE name = %L)) AS t(id int, name text, k int, n int) WHERE n IN (2, 5) AND k BETWEEN 1 AND 5', packed.name)]) AS q
WHERE packed.name ~ '^g';

-- prepared statements: custom and generic plans
PREPARE by_key(int, text) AS SELECT count(*), max(t.name) FROM packed, rowset_to_recordset(r) AS t(k int, name text, n int) WHERE packed.name = $2 AND k >= $1 AND (n = 3 OR $1 = 9);
CREATE FUNCTION executed(p_mode text, p_scan bool) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_result text := '';
	v_count bigint;
	v_name text;
BEGIN
	PERFORM set_config('plan_cache_mode', p_mode, true), set_config('rowser.enable_scan', p_scan::text, true);
	FOR i IN 0 .. 9 LOOP
		EXECUTE format('EXECUTE by_key(%s, %L)', i, CASE WHEN i % 2 = 0 THEN 'g200' ELSE 'g7' END) INTO v_count, v_name;
		v_result := v_result || v_count || v_name || ' ';
	END LOOP;
	RETURN v_result;
END $$;
SELECT is(executed(mode, true), executed('force_custom_plan', false), mode) FROM unnest(ARRAY['force_custom_plan', 'force_generic_plan', 'auto']) AS mode;

-- a bytea as parameter
PREPARE of_rowset(bytea) AS SELECT sum(id) FROM rowset_to_recordset($1) AS t(id int);
CREATE FUNCTION of_rowset_sum(p_mode text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	v_sum bigint;
BEGIN
	PERFORM set_config('plan_cache_mode', p_mode, true);
	EXECUTE format('EXECUTE of_rowset(%L)', (SELECT r FROM scan.packed WHERE name = 'small')) INTO v_sum;
	RETURN v_sum;
END $$;
SELECT is(of_rowset_sum(mode), 6::bigint, 'a parameter, ' || mode) FROM unnest(ARRAY['force_custom_plan', 'force_generic_plan']) AS mode;

-- bounds whose order is another one for the comparison: of local times that clocks leave out, and of names in another encoding
SET TimeZone = 'America/New_York';
CREATE TABLE odd AS SELECT query_to_rowset('SELECT timestamp ''2024-03-10 02:30'' + i % 31 * interval ''1 minute'' AS ts, date ''2024-03-10'' + i % 31 AS day FROM generate_series(1, 310) AS i') AS times,
	-- names in KOI8R; by its bytes, the letters yu, be, tse come in this order
	'\xff52530d0a00010010054b4f49385201026e6d0a13216c49bd471927810185052201c001c303180300028401cd897494a55f8d9505c005c305c22449922449922449922449922449922449922449922449922449922449922449025401421b81015351d0bf0e000000'::bytea AS names;
CREATE TABLE odd_queries (sql text, rows bigint);
INSERT INTO odd_queries
SELECT format('SELECT count(*) FROM odd, rowset_to_recordset(times) AS t(ts timestamp, day date) WHERE %s', f), n
FROM (VALUES ('ts = ''2024-03-10 07:30+00''::timestamptz', 10), ('''2024-03-10 07:10+00''::timestamptz < ts', 300), ('ts < ''2024-03-10 07:10+00''::timestamptz', 10),
	('ts = ANY(ARRAY[''2024-03-10 07:30+00''::timestamptz])', 10), ('day < ''2024-03-10 05:01+00''::timestamptz', 10), ('ts > ''2024-03-10 02:59''', 10)) AS v(f, n)
UNION ALL
SELECT format('SELECT count(*) FROM odd, rowset_to_recordset(names) AS t(nm %s) WHERE nm = chr(1073)', type), 43 FROM unnest(ARRAY['name', 'text', 'varchar']) AS type;
CREATE FUNCTION counted_rows(p_sql text, p_scan bool) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	v_rows bigint;
BEGIN
	PERFORM set_config('rowser.enable_scan', p_scan::text, true);
	EXECUTE p_sql INTO v_rows;
	RETURN v_rows;
END $$;
SELECT is(ARRAY[counted_rows(sql, true), counted_rows(sql, false)], ARRAY[rows, rows], 'an order of its own: ' || sql) FROM odd_queries;
RESET TimeZone;

-- a rowset of a table that the query does not read, and that goes while the rows are read
CREATE FUNCTION rows_after_drop(p_argument text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea;
	v_row record;
	v_count bigint := 0;
BEGIN
	CREATE TEMP TABLE gone (r bytea);
	ALTER TABLE gone ALTER r SET STORAGE EXTERNAL;
	PERFORM set_config('rowser.row_group_rows', '500', true);
	INSERT INTO gone VALUES (query_to_rowset('SELECT i AS id, md5(i::text) AS name FROM generate_series(1, 5000) AS i'));
	SELECT r INTO v_rowset FROM gone;
	FOR v_row IN EXECUTE format('SELECT id, name FROM rowset_to_recordset(%s) AS t(id int, name text)', p_argument) USING v_rowset LOOP
		v_count := v_count + 1;
		IF v_count = 1 THEN
			DROP TABLE gone;
		END IF;
	END LOOP;
	RETURN v_count;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
CREATE FUNCTION of_gone() RETURNS bytea STABLE LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT r FROM gone); END';
SET rowser.enable_scan = on;
SET plan_cache_mode = force_generic_plan;
SELECT is(rows_after_drop(argument), '5000', 'of a table that is dropped: ' || argument) FROM unnest(ARRAY['$1', '(SELECT $1)', 'scan.of_gone()']) AS argument;
RESET plan_cache_mode;

-- parallel workers: several rowsets, and the row groups of one
CREATE TABLE pieces (number int, r bytea);
INSERT INTO pieces SELECT g, query_to_rowset('SELECT * FROM scan.source WHERE id % 8 = $1', g) FROM generate_series(0, 7) AS g;
ANALYZE pieces;
CREATE FUNCTION any_time() RETURNS bytea VOLATILE PARALLEL SAFE LANGUAGE plpgsql AS
'BEGIN RETURN (SELECT r FROM scan.packed WHERE name = CASE WHEN clock_timestamp() IS NULL THEN ''g200'' ELSE ''g7'' END); END';
CREATE TABLE parallel_queries (number serial, sql text, plan text);
INSERT INTO parallel_queries (sql, plan) VALUES
('SELECT count(*)::text || sum(id) || max(name) || sum(price) FROM pieces, rowset_to_recordset(r) AS t(id int, name text, price numeric(10, 2), k int) WHERE k > 2', 'Parallel Seq Scan on pieces.*Custom Scan'),
('SELECT count(*)::text || sum(id) || max(name) || sum(price) FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(id int, name text, price numeric(10, 2), k int) WHERE k > 2', 'Parallel Custom Scan'),
('SELECT id::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g1'')) AS t(id int, n int) WHERE n = 3 OR n IS NULL ORDER BY id', 'Parallel Custom Scan'),
('SELECT count(*)::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(id int) JOIN rowset_to_recordset((SELECT r FROM packed WHERE name = ''g200'')) AS u(id int) USING (id)', 'Parallel Custom Scan'),
('SELECT count(*)::text FROM keys, LATERAL (SELECT sum(t.id) FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(id int) WHERE t.id > keys.id) AS x', 'Custom Scan'),
('SELECT count(e)::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(e text)', 'Parallel Custom Scan'),
('SELECT sum(id)::text || max(name) FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(id numeric, name varchar(100))', 'Parallel Custom Scan'),
-- each process would have a rowset of its own
('SELECT count(*)::text FROM rowset_to_recordset(any_time()) AS t(id int)', '^(?!.*Parallel Custom).*$'),
-- the types' own functions may be anything
('SELECT count(e)::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(e mood)', '^(?!.*Parallel Custom).*$'),
('SELECT count(id)::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(id positive)', '^(?!.*Parallel Custom).*$'),
('SELECT count(p)::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(p pair)', '^(?!.*Parallel Custom).*$'),
-- the planner has decided about the whole before it comes to the parts
('SELECT id::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g7'')) AS t(id int) UNION ALL SELECT id::text FROM rowset_to_recordset((SELECT r FROM packed WHERE name = ''g200'')) AS u(id int) ORDER BY 1', '^(?!.*Parallel (Append|Custom)).*$');
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
CREATE FUNCTION plan_of(p_sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_line text;
	v_plan text := '';
BEGIN
	SET LOCAL rowser.enable_scan = on;
	FOR v_line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || p_sql LOOP
		v_plan := v_plan || v_line || ' ';
	END LOOP;
	RETURN v_plan;
END $$;
SELECT matches(plan_of(sql), plan, 'parallel plan: ' || sql) FROM parallel_queries ORDER BY number;
-- such a plan can't run below a function's subtransaction, as answer() has one
CREATE FUNCTION rows_of(p_sql text, p_scan bool) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	v_rows text[];
BEGIN
	PERFORM set_config('rowser.enable_scan', p_scan::text, true);
	EXECUTE format('SELECT array_agg(x) FROM (%s) AS q(x)', p_sql) INTO v_rows;
	RETURN v_rows;
END $$;
SELECT is(rows_of(sql, true), rows_of(sql, false), 'parallel rows: ' || sql) FROM parallel_queries ORDER BY number;
RESET max_parallel_workers_per_gather;

-- the right to execute is checked as ever
CREATE ROLE scan_nobody;
GRANT USAGE ON SCHEMA scan TO scan_nobody;
REVOKE EXECUTE ON FUNCTION rowset_to_recordset(bytea, text) FROM PUBLIC;
SET ROLE scan_nobody;
SET rowser.enable_scan = on;
SELECT throws_ok('SELECT * FROM rowset_to_recordset(NULL) AS t(id int)', '42501', 'permission denied for function rowset_to_recordset', 'without the right to execute');
RESET ROLE;
GRANT EXECUTE ON FUNCTION rowset_to_recordset(bytea, text) TO PUBLIC;

-- a function that was given settings is called
ALTER FUNCTION rowset_to_recordset(bytea, text) SET work_mem = '1MB';
SELECT ok(NOT is_scanned('SELECT * FROM scan.packed, rowset_to_recordset(r) AS t(id int)'), 'a function with settings is not scanned');
ALTER FUNCTION rowset_to_recordset(bytea, text) RESET ALL;
SELECT ok(is_scanned('SELECT * FROM scan.packed, rowset_to_recordset(r) AS t(id int)'), 'and without them is');

SELECT * FROM finish();
ROLLBACK;
