--
-- arrow_built.sql
--	  Arrow streams that no writer at hand would write, put together by hand
--	  (lib/arrow_build.sql): each is read as the format means it, or is refused
--	  for the reason that it was made for.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/arrow_build.sql
SELECT no_plan();
SET LOCAL TimeZone = 'UTC';

CREATE FUNCTION build.types(p_stream bytea) RETURNS text LANGUAGE sql AS $$ SELECT string_agg(type, ', ' ORDER BY ordinality) FROM rowset_columns(arrow_to_rowset(p_stream)) $$;
CREATE FUNCTION build.rows(p_stream bytea) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(regexp_replace(line, '^.?[{]|[}].?$', '', 'g'), ' | ') FROM regexp_split_to_table(trim('[]' FROM rowset_to_json(arrow_to_rowset(p_stream))::text), E', \n ') AS line
$$;
-- The error that reading a stream raises
CREATE FUNCTION build.refusal(p_stream bytea) RETURNS text LANGUAGE sql AS $$ SELECT e.state || ' ' || e.message || coalesce(': ' || nullif(e.detail, ''), '') FROM rt.error(format('SELECT arrow_to_rowset(%L)', p_stream)) AS e $$;
-- A stream of one field, and of one batch of it
CREATE FUNCTION build.column(field bytea, length numeric, nodes numeric[], VARIADIC buffers bytea[]) RETURNS bytea LANGUAGE sql AS $$ SELECT build.stream(build.schema(field), build.batch(length, nodes, buffers)) $$;
-- One of two strings, a and bc
CREATE FUNCTION build.strings(field bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT build.column(field, 2, '{2,0}', '', build.le(0, 4) || build.le(1, 4) || build.le(3, 4), 'abc') $$;
-- A stream of fields without rows
CREATE FUNCTION build.empty(VARIADIC fields bytea[]) RETURNS bytea LANGUAGE sql AS $$ SELECT build.stream(build.schema(VARIADIC fields)) $$;

--
-- Values
--
SELECT is(build.rows(build.column(build.field(11, build.unit(0)), 3, '{3,1}', '\x05', build.le(14, 4) || build.le(7, 4) || build.le(-1, 4))), '"v":"1 year 2 mons" | "v":null | "v":"-1 mons"', 'intervals of months');
SELECT is(build.rows(build.column(build.field(11, build.unit(1)), 3, '{3,1}', '\x05', build.le(3, 4) || build.le(1500, 4) || build.le(7, 8) || build.le(-1, 4) || build.le(-1, 4))), '"v":"3 days 00:00:01.5" | "v":null | "v":"-1 days -00:00:00.001"', 'intervals of days and milliseconds');
SELECT is(build.rows(build.stream(build.schema(build.field(6)), build.message(3, build.arrays(3, '{3,1}', '{"\\x05","\\x01"}'), '\x0501', 3))), '"v":true | "v":null | "v":false', 'a message of version 4');
SELECT matches(build.refusal(build.stream(build.message(1, build.tab(), '', 2))), '^0A000 Arrow stream is not supported: A message''s version is neither V4 nor V5', 'one of version 3');
SELECT is(rowset_count(arrow_to_rowset(build.column(build.field(6), 0, '{0,0}', '\x01', '\x00'))), 0::bigint, 'no values, with a bitmap');
SELECT is(build.rows(build.column(build.field(6), 9, '{9,0}', '', '\xff01')) ~ '"v":true$', true, 'no NULLs, without a bitmap');
SELECT matches(build.refusal(build.column(build.field(6), 9, '{9,0}', '\xff', '\xff01')), '^22P03 invalid Arrow stream: A buffer is too short for its values', 'no NULLs, with half a bitmap');
CREATE TYPE public.built AS ENUM ('sad', 'ok');
SELECT is(build.rows(build.column(build.field(5, metadata => build.named('built', 'public')), 3, '{3,1}', '\x05', build.le(0, 4) || build.le(3, 4) || build.le(3, 4) || build.le(5, 4), 'sadok')), '"v":"sad" | "v":null | "v":"ok"', 'an enum without a dictionary');
SELECT is(build.refusal(build.column(build.field(8, build.unit(1)), 1, '{1,0}', '', build.le(86400000::numeric * days, 8))), '22008 date out of range', days || ' days')
FROM unnest('{3000000000,-3000000000,2147483647,-2147483648}'::bigint[]) AS days;
SELECT is(build.refusal(build.column(build.field(18, build.unit(unit)), 1, '{1,0}', '', build.le(2::numeric ^ 62, 8))), '22008 interval out of range', 'a duration that is too long, in unit ' || unit)
FROM unnest('{0,1}'::int[]) AS unit;
SELECT is(build.refusal(build.column(build.field(10, build.unit(2)), 1, '{1,0}', '', build.le(n, 8))), '22008 timestamp out of range', 'timestamp ' || n)
FROM unnest(ARRAY[2::numeric ^ 63 - 1, - 2::numeric ^ 63, 946684800000000 - 2::numeric ^ 63]) AS n;

--
-- Dictionaries
--
CREATE FUNCTION build.words(id numeric) RETURNS bytea LANGUAGE sql AS $$ SELECT build.dictionary(id, 2, '{2,0}', ARRAY['', build.le(0, 4) || build.le(1, 4) || build.le(3, 4), 'abc']) $$;
SELECT is(build.rows(s) || ' of ' || build.types(s), '"v":"a","v":"bc","v":"a" | "v":"bc","v":"a","v":"a" of text, text, name', 'fields that share a dictionary')
FROM build.stream(build.schema(build.field(5, dictionary => build.encoding(7)), build.field(5, dictionary => build.encoding(7)), build.field(5, dictionary => build.encoding(7), metadata => build.named('name'))),
	build.words(7), build.batch(2, '{2,0,2,0,2,0}', ARRAY['', build.le(0, 4) || build.le(1, 4), '', build.le(1, 4) || build.le(0, 4), '', build.le(0, 8)])) AS s;
SELECT is(build.rows(build.stream(build.schema(build.field(5, dictionary => build.encoding(9)), build.field(2, build.int(16), dictionary => build.encoding(-3)), build.field(5, dictionary => build.encoding(4))),
		build.words(4), build.words(9), build.dictionary(-3, 1, '{1,0}', '{"","\\x0700"}'), build.batch(1, '{1,0,1,0,1,0}', ARRAY['', build.le(0, 4), '', build.le(0, 4), '', build.le(1, 4)]))),
	'"v":"a","v":7,"v":"bc"', 'dictionaries in no order');
SELECT is(build.rows(build.stream(build.schema(VARIADIC fields), build.words(0), build.words(1), build.words(2), build.batch(1, nodes, buffers))), rows, 'many fields that share dictionaries by turns')
FROM (SELECT array_agg(build.field(5, dictionary => build.encoding(i * 7 % 3)) ORDER BY i), string_agg(format('"v":"%s"', CASE i % 2 WHEN 0 THEN 'a' ELSE 'bc' END), ',' ORDER BY i) FROM generate_series(1, 60) AS i) AS f(fields, rows),
	(SELECT array_agg(n ORDER BY i, n DESC), array_agg(CASE n WHEN 1 THEN '' ELSE build.le(i % 2, 4) END ORDER BY i, n DESC) FROM generate_series(1, 60) AS i, generate_series(0, 1) AS n) AS b(nodes, buffers);
SELECT is(build.types(build.empty(list, list)), 'record[], record[]', 'lists of structs that share a dictionary')
FROM build.field(12, children => build.tabs(build.field(13, children => build.tabs(build.field(6)))), dictionary => build.encoding(0)) AS list;
-- in lists, whose copies of them are weighed first
CREATE FUNCTION build.listed(dictionary bytea, second numeric) RETURNS bytea LANGUAGE sql AS $$
	SELECT build.stream(build.schema(build.field(12, children => build.tabs(build.field(5, dictionary => build.encoding(7))))), dictionary,
						build.batch(1, '{1,0,2,0}', ARRAY['', build.le(0, 4) || build.le(2, 4), '', build.le(0, 4) || build.le(second, 4)]))
$$;
SELECT is(build.rows(build.listed(build.words(7), 1)), '"v":["a","bc"]', 'a list of a dictionary''s texts');
SELECT is(build.rows(build.listed(build.dictionary(7, 2, '{2,1}', ARRAY['\x01', build.le(0, 4) || build.le(1, 4) || build.le(1, 4), 'a']), 1)), '"v":["a",null]', 'one with its NULL');
SELECT matches(build.refusal(build.listed(build.words(7), 2)), '^22P03 invalid Arrow stream', 'one of a text that the dictionary has not');
-- the same numbers, and other types
CREATE FUNCTION build.sharing(one bytea, other bytea) RETURNS text LANGUAGE sql AS $$ SELECT build.refusal(build.empty(one, other)) $$;
SELECT matches(build.sharing(build.field(one, p1, c1, build.encoding(0)), build.field(other, p2, c2, build.encoding(0))), '^22P03 invalid Arrow stream: A dictionary belongs to fields of different types', 'a dictionary of ' || name)
FROM (VALUES
	('numbers and text', 2, build.int(32), NULL, 5, build.tab(), NULL),
	('two widths', 2, build.int(32), NULL, 2, build.int(64), NULL),
	('two signs', 2, build.int(32), NULL, 2, build.int(32, 0), NULL),
	('two precisions', 7, build.tab(build.n(10, 4), build.n(2, 4)), NULL, 7, build.tab(build.n(9, 4), build.n(2, 4)), NULL),
	('two scales', 7, build.tab(build.n(10, 4), build.n(2, 4)), NULL, 7, build.tab(build.n(10, 4), build.n(1, 4)), NULL),
	('two units', 18, build.unit(1), NULL, 18, build.unit(2), NULL),
	('a time zone and none', 10, build.tab(build.n(2, 2), build.v(build.str('UTC'))), NULL, 10, build.unit(2), NULL),
	('no time zone and one', 10, build.unit(2), NULL, 10, build.tab(build.n(2, 2), build.v(build.str('UTC'))), NULL),
	('structs of one field and of two', 13, build.tab(), build.tabs(build.field(6)), 13, build.tab(), build.tabs(build.field(6), build.field(6))),
	('structs of two types', 13, build.tab(), build.tabs(build.field(6)), 13, build.tab(), build.tabs(build.field(5))),
	('structs with a dictionary and without', 13, build.tab(), build.tabs(build.field(5, dictionary => build.encoding(1))), 13, build.tab(), build.tabs(build.field(5))),
	('structs with two dictionaries', 13, build.tab(), build.tabs(build.field(5, dictionary => build.encoding(1))), 13, build.tab(), build.tabs(build.field(5, dictionary => build.encoding(2)))),
	('structs with indexes of two widths', 13, build.tab(), build.tabs(build.field(5, dictionary => build.encoding(1))), 13, build.tab(), build.tabs(build.field(5, dictionary => build.encoding(1, build.int(8))))),
	('structs with indexes of two signs', 13, build.tab(), build.tabs(build.field(5, dictionary => build.encoding(1))), 13, build.tab(), build.tabs(build.field(5, dictionary => build.encoding(1, build.int(32, 0)))))
) AS m(name, one, p1, c1, other, p2, c2);
SELECT is(build.sharing(build.field(13, children => build.tabs(build.field(5, dictionary => build.encoding(1)), build.field(6)), dictionary => build.encoding(0)),
						build.field(13, children => build.tabs(build.field(5, dictionary => build.encoding(1)), build.field(6)), dictionary => build.encoding(0))), NULL, 'a dictionary of structs alike');
SELECT is(build.refusal(build.empty(VARIADIC array_agg(build.field(5, dictionary => build.encoding(0), metadata => build.metadata('postgresql:type_schema', 'pg_catalog', 'postgresql:type_name', 'varchar', 'postgresql:typmod', (i + 4)::text))))),
	CASE WHEN n > 8 THEN '0A000 cannot read column "v" of Arrow type Utf8: Its dictionary is shared by fields of more than 8 types.' END, 'a dictionary that is read as ' || n || ' types')
FROM unnest('{8,9}'::int[]) AS n, generate_series(1, n) AS i GROUP BY n;

--
-- What a field says of itself
--
SELECT is(build.types(build.strings(build.field(5, metadata => build.metadata(VARIADIC entries)))), expected, 'metadata ' || left(entries::text, 80))
FROM (VALUES
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,varchar,postgresql:typmod,12}'::text[], 'character varying(8)'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,varchar,postgresql:typmod,""}', 'character varying'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,varchar,postgresql:typmod,00000000012}', 'character varying'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,varchar,postgresql:typmod,1/}', 'character varying'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,varchar,postgresql:typmod,1:}', 'character varying'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,varchar,postgresql:typmod,4294967308}', 'character varying'),
	('{postgresql:type_schema,pg_catalog}', 'text'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,""}', 'text'),
	('{postgresql:type_schema,"",postgresql:type_name,name}', 'text'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,cstring}', 'text'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,void}', 'text'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,anyelement}', 'text'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,record}', 'text'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,_record}', 'text'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,_text}', 'text'),
	('{postgresql:type_schema,pg_catalog,postgresql:type_name,pg_class}', 'text')
) AS m(entries, expected);
SELECT is(build.types(build.empty(build.field(5, metadata => build.metadata('postgresql:type_schema', 'pg_catalog', 'postgresql:type_name', name)))), 'text', 'a type''s name of ' || length(name) || ' letters')
FROM repeat('x', 1000) AS name;
SELECT is(build.types(build.empty(build.field(5, metadata => build.tabs(build.tab(build.v(build.str('postgresql:type_schema')), build.v(build.str('pg_catalog'))),
																	   build.tab(build.v(build.str('postgresql:type_name')), build.v(build.str('\x6e616d6500'::bytea))))))), 'text', 'a type''s name with a zero byte');
SELECT is(build.types(build.empty(build.field(type, parameters, children, metadata => build.named(named)))), expected, format('Arrow''s type %s as %s', type, named))
FROM (VALUES
	(1, build.tab(), NULL, 'text', 'text'), (1, build.tab(), NULL, 'int4', 'text'),
	(2, build.int(32), NULL, 'int4', 'integer'), (2, build.int(32, 0), NULL, 'int4', 'bigint'), (2, build.int(32), NULL, 'oid', 'integer'), (2, build.int(64), NULL, 'int4', 'bigint'),
	(2, build.int(32), NULL, 'pg_class', 'integer'), (2, build.int(32), NULL, 'record', 'integer'), (2, build.int(32), NULL, '_int4', 'integer'),
	(5, build.tab(), NULL, 'varchar', 'character varying'), (20, build.tab(), NULL, 'varchar', 'character varying'), (24, build.tab(), NULL, 'varchar', 'character varying'),
	(15, build.width(16), NULL, 'uuid', 'uuid'), (15, build.width(16), NULL, 'bytea', 'bytea'), (15, build.width(15), NULL, 'uuid', 'bytea'), (15, build.width(16), NULL, 'int4', 'bytea'),
	(16, build.width(2), build.tabs(build.field(2, build.int(32))), '_int4', 'integer[]'), (12, build.tab(), build.tabs(build.field(2, build.int(32))), '_int4', 'integer[]'),
	(12, build.tab(), build.tabs(build.field(2, build.int(32))), '_int8', 'integer[]'), (12, build.tab(), build.tabs(build.field(13, children => build.tabs(build.field(6)))), '_record', 'record[]'),
	(12, build.tab(), build.tabs(build.field(2, build.int(32))), '_record', 'integer[]'), (13, build.tab(), build.tabs(build.field(6)), 'record', 'record')
) AS c(type, parameters, children, named, expected);
SELECT is(build.types(build.empty(build.field(12, children => build.tabs(build.field(5)), metadata => build.metadata('postgresql:type_schema', 'pg_catalog', 'postgresql:type_name', '_varchar', 'postgresql:typmod', '7')))),
	'character varying(3)[]', 'a typmod of an array');
SELECT is(build.types(build.empty(build.field(12, children => build.tabs(build.field(13)), metadata => build.metadata('postgresql:type_schema', 'pg_catalog', 'postgresql:type_name', '_record', 'postgresql:typmod', '7')))), 'record[]', 'one of records');
CREATE DOMAIN public.builts AS varchar;
SELECT is(build.types(build.empty(build.field(5, metadata => build.metadata('postgresql:type_schema', 'public', 'postgresql:type_name', 'builts', 'postgresql:typmod', '7')))), 'builts', 'a typmod of a domain');
SELECT is(build.types(build.empty(build.field(15, build.width(width), metadata => build.metadata('ARROW:extension:name', extension)))), expected, format('%s of %s bytes', extension, width))
FROM (VALUES (16, 'arrow.uuid', 'uuid'), (16, 'arrow.uuix', 'bytea'), (16, 'uuid', 'bytea'), (8, 'arrow.uuid', 'bytea')) AS e(width, extension, expected);
SELECT is(build.types(build.empty(build.field(5, metadata => build.metadata('ARROW:extension:name', extension)))), expected, extension)
FROM (VALUES ('arrow.json', 'json'), ('arrow.jsom', 'text'), ('arrow', 'text')) AS e(extension, expected);
SELECT is((SELECT c.collation FROM rowset_columns(arrow_to_rowset(build.empty(build.field(5, metadata => build.metadata(VARIADIC entries))))) AS c), expected, 'collation of ' || entries::text)
FROM (VALUES ('{postgresql:collation_schema,pg_catalog,postgresql:collation,C}'::text[], 'pg_catalog."C"'), ('{postgresql:collation_schema,pg_catalog,postgresql:collation,nowhere}', NULL),
			 ('{postgresql:collation,C}', NULL), ('{postgresql:collation_schema,pg_catalog}', NULL)) AS c(entries, expected);
SELECT is(name, rpad('', 63, 'x'), 'a name of 1,000 letters') FROM rowset_columns(arrow_to_rowset(build.empty(build.field(6, name => build.str(repeat('x', 1000)))))) AS c;
SELECT is(name, '?column?', 'no name') FROM rowset_columns(arrow_to_rowset(build.empty(build.field(6, name => NULL)))) AS c;
SELECT matches(build.refusal(build.empty(build.field(6, name => build.str('\x6100'::bytea)))), '^22P03 invalid Arrow stream: A field''s name holds a zero byte', 'a name with a zero byte');
CREATE TYPE public.built_pair AS (a int, gone int, b text);
ALTER TYPE public.built_pair DROP ATTRIBUTE gone;
SELECT is(build.types(build.empty(build.field(13, children => build.tabs(VARIADIC fields), metadata => build.named('built_pair', 'public')))), expected, 'a struct with ' || name)
FROM (VALUES
	('the fields of a type', ARRAY[build.field(2, build.int(32), name => build.str('a')), build.field(5, name => build.str('b'))], 'built_pair'),
	('another name', ARRAY[build.field(2, build.int(32), name => build.str('a')), build.field(5, name => build.str('c'))], 'record'),
	('another type', ARRAY[build.field(2, build.int(64), name => build.str('a')), build.field(5, name => build.str('b'))], 'record'),
	('a field less', ARRAY[build.field(2, build.int(32), name => build.str('a'))], 'record'),
	('a field more', ARRAY[build.field(2, build.int(32), name => build.str('a')), build.field(5, name => build.str('b')), build.field(5)], 'record')
) AS s(name, fields, expected);
-- a node tree's text is read for superusers alone, and there are no arrays of them
CREATE ROLE regress_rowser_built;
GRANT USAGE ON SCHEMA build, rt TO regress_rowser_built;
SELECT is(build.types(build.empty(build.field(5, metadata => build.named('pg_node_tree')))), 'pg_node_tree', 'a node tree');
SELECT is(build.refusal(build.empty(build.field(12, children => build.tabs(build.field(5, metadata => build.named('pg_node_tree')))))), '0A000 cannot read column "v" of Arrow type List: Its values are of a type that has no arrays.', 'a list of node trees');
SET LOCAL ROLE regress_rowser_built;
SELECT is(build.types(build.empty(build.field(5, metadata => build.named('pg_node_tree')))), 'text', 'somebody''s node tree');
RESET ROLE;

--
-- Schemas that cannot be
--
SELECT matches(build.refusal(build.empty(field)), '^' || expected, name)
FROM (VALUES
	('a list of nothing', build.field(12), '22P03 invalid Arrow stream: A list has not one kind of values'),
	('a list of two kinds', build.field(16, build.width(1), build.tabs(build.field(6), build.field(6))), '22P03 invalid Arrow stream: A list has not one kind of values'),
	('a map of nothing', build.field(17), '22P03 invalid Arrow stream: A map has not one kind of keys and of values'),
	('a map of booleans', build.field(17, children => build.tabs(build.field(6))), '22P03 invalid Arrow stream: A map has not one kind of keys and of values'),
	('a map of keys', build.field(17, children => build.tabs(build.field(13, children => build.tabs(build.field(6))))), '22P03 invalid Arrow stream: A map has not one kind of keys and of values'),
	('a map with a dictionary', build.field(17, children => build.tabs(build.field(13, children => build.tabs(build.field(6), build.field(6)), dictionary => build.encoding(0)))), '22P03 invalid Arrow stream: A map has not one kind of keys and of values'),
	('a text of texts', build.field(5, children => build.tabs(build.field(5))), '22P03 invalid Arrow stream: A type has children that it can''t have'),
	('a dictionary of another kind', build.field(5, dictionary => build.tab(build.n(0, 8), NULL, NULL, build.n(1, 2))), '0A000 Arrow stream is not supported: A dictionary is of a kind that is not known'),
	('a dictionary of a kind that is outside', build.field(5, dictionary => build.tab(build.n(0, 8), NULL, NULL, build.x())), '22P03 invalid Arrow stream: '),
	('a dictionary with indexes of 7 bits', build.field(5, dictionary => build.encoding(0, build.int(7))), '22P03 invalid Arrow stream: An integer''s width is impossible'),
	('metadata of more entries than bytes', build.field(6, metadata => build.le(10000, 4) || decode(repeat('00', 40000), 'hex')), '22P03 invalid Arrow stream: The schema has more metadata than bytes'),
	('a struct of 1,700 fields', build.field(13, children => build.tabs(VARIADIC array_fill(build.field(6), '{1700}'))), '54011 cannot read column "v" of Arrow type Struct: A record can have at most 1664 fields'),
	('a time of 64 bits in seconds', build.field(9, build.tab(build.n(0, 2), build.n(64, 4))), '22P03 invalid Arrow stream: A time''s width doesn''t go with its unit'),
	('a decimal of 40 digits in 128 bits', build.field(7, build.tab(build.n(40, 4))), '22P03 invalid Arrow stream: A decimal''s precision is impossible'),
	('a decimal of 7 bits', build.field(7, build.tab(build.n(1, 4), NULL, build.n(7, 4))), '22P03 invalid Arrow stream: A decimal''s precision is impossible'),
	('a decimal with a scale of 2,000', build.field(7, build.tab(build.n(1, 4), build.n(2000, 4))), '0A000 Arrow stream is not supported: A decimal''s scale is too large'),
	('a decimal with a scale of -2,000', build.field(7, build.tab(build.n(1, 4), build.n(-2000, 4))), '0A000 Arrow stream is not supported: A decimal''s scale is too large'),
	('a width of -1', build.field(15, build.width(-1)), '22P03 invalid Arrow stream: A type has a parameter that it can''t have'),
	('a unit of 4', build.field(18, build.unit(4)), '22P03 invalid Arrow stream: A type has a parameter that it can''t have')
) AS f(name, field, expected);
SELECT matches(build.refusal(build.stream(build.message(1, header))), '^' || expected, name)
FROM (VALUES
	('70,000 fields', build.tab(NULL, build.v(build.le(70000, 4) || decode(repeat('00', 840000), 'hex'))), '0A000 Arrow stream is not supported: The schema has too many fields'),
	('the other order of bytes', build.tab(build.n(1, 2)), '0A000 Arrow stream is not supported: The stream is not little-endian'),
	('a feature that nobody knows', build.tab(NULL, NULL, NULL, build.v(build.numbers(1, 2, 3))), '0A000 Arrow stream is not supported: The stream has a feature that is not known')
) AS f(name, header, expected);
SELECT is(build.types(build.stream(build.message(1, build.tab(NULL, build.v(build.tabs(build.field(6))), NULL, build.v(build.numbers(0, 1, 2)))))), 'boolean', 'features that are known');

--
-- Batches that cannot be
--
SELECT matches(build.refusal(build.stream(build.schema(field), batch)), '^' || expected, name)
FROM (VALUES
	('a list of 70,000 NULLs', build.field(12, children => build.tabs(build.field(1))), build.batch(1, '{1,0,70000,0}', ARRAY['', build.le(0, 4) || build.le(70000, 4)]), '0A000 Arrow stream is not supported: Lists have too many values that take no bytes'),
	('a list of fixed size of 70,000 NULLs', build.field(16, build.width(70000), build.tabs(build.field(1))), build.batch(1, '{1,0,70000,0}', '{""}'), '0A000 Arrow stream is not supported: Lists have too many values that take no bytes'),
	('a row of 268 million NULLs', build.field(16, build.width(65536), build.tabs(build.field(13, children => build.tabs(VARIADIC array_fill(build.field(13, children => build.tabs(build.field(1), build.field(1), build.field(1))), '{1100}'))))),
		build.batch(1, '{1,0,65536,0}' || (SELECT array_agg(n) FROM (SELECT unnest('{65536,0,65536,0,65536,0,65536,0}'::numeric[]) AS n FROM generate_series(1, 1100)) AS s), array_fill(''::bytea, '{1102}')),
		'54000 row of Arrow stream is too large: Its lists have too many values, or its texts too many bytes.'),
	('an unknown codec', build.field(6), build.batch(1, '{1,0}', '{"","\\x01"}', build.tab(build.n(2, 1))), '0A000 Arrow stream is not supported: A message''s compression is not known'),
	('an unknown method', build.field(6), build.batch(1, '{1,0}', '{"","\\x01"}', build.tab(build.n(1, 1), build.n(1, 1))), '0A000 Arrow stream is not supported: A message''s compression is not known'),
	('a codec that is outside', build.field(6), build.batch(1, '{1,0}', '{"","\\x01"}', build.tab(build.x())), '22P03 invalid Arrow stream: '),
	('a method that is outside', build.field(6), build.batch(1, '{1,0}', '{"","\\x01"}', build.tab(NULL, build.x())), '22P03 invalid Arrow stream: ')
) AS b(name, field, batch, expected);

-- Compressed buffers: 16 bytes of a view in a frame of zstd's, and more than 1 GB
CREATE FUNCTION build.compressed(VARIADIC buffers bytea[]) RETURNS bytea LANGUAGE sql AS $$
	SELECT build.stream(build.schema(build.field(24)), build.batch(1, '{1,0}', '{""}' || buffers, build.tab(build.n(1, 1)), build.numbers(cardinality(buffers) - 1)))
$$;
SELECT '\x28b52ffd2010810000'::bytea || decode(repeat('00', 16), 'hex') AS frame \gset
SELECT build.le(16, 8) || :'frame'::bytea AS view \gset
SELECT CASE WHEN 'zstd' = ANY (rt.methods()) THEN is(build.rows(build.compressed(view)), '"v":""', name) ELSE skip('no zstd') END
FROM (VALUES ('a compressed view', :'view'::bytea), ('one in a frame that does not say its size', build.le(16, 8) || '\x28b52ffd0000' || substr(:'frame'::bytea, 7))) AS c(name, view);
SELECT CASE WHEN 'zstd' = ANY (rt.methods()) THEN matches(build.refusal(build.compressed(VARIADIC buffers)), '^' || expected, name) ELSE skip('no zstd') END
FROM (VALUES
	('a compressed buffer without a size', ARRAY['\x10000000'::bytea], '22P03 invalid Arrow stream: A compressed buffer has no size'),
	('a size of less than 0', ARRAY[build.le(-2, 8) || '\x00'], '22P03 invalid Arrow stream: A compressed buffer claims more bytes than its values need'),
	('a size of more than a view has', ARRAY[build.le(1000000, 8) || '\x00'], '22P03 invalid Arrow stream: A compressed buffer claims more bytes than its values need'),
	('1 GB in a byte', ARRAY[:'view', build.le(2::numeric ^ 30 - 1, 8) || '\x00'], '22P03 invalid Arrow stream: A compressed buffer claims more bytes than it can hold'),
	('1 GB and 15 bytes', ARRAY[:'view', build.le(2::numeric ^ 30 - 1, 8) || decode(repeat('00', 33000), 'hex')], '0A000 Arrow stream is not supported: A message has more than 1 GB when it is decompressed'),
	('a frame of another size', ARRAY[build.le(16, 8) || overlay(:'frame'::bytea PLACING '\x0f' FROM 6)], '22P03 invalid Arrow stream: A buffer cannot be decompressed'),
	('a frame that is shorter than it says', ARRAY[build.le(17, 8) || overlay(:'frame'::bytea PLACING '\x11' FROM 6)], '22P03 invalid Arrow stream: A buffer cannot be decompressed'),
	('two frames', ARRAY[build.le(32, 8) || :'frame'::bytea || :'frame'::bytea], '22P03 invalid Arrow stream: A buffer cannot be decompressed'),
	('what is not compressed', ARRAY[build.le(16, 8) || '\x00'], '22P03 invalid Arrow stream: A buffer cannot be decompressed')
) AS c(name, buffers, expected);

--
-- Files
--
SELECT is(build.rows(build.file(message, build.tab(NULL, build.v(build.tabs(build.field(6)))), '{}', '{8}')), '"v":true', 'a file of one batch')
FROM build.batch(1, '{1,0}', '{"","\\x01"}') AS message;
SELECT matches(build.refusal(build.file(message, schema, dictionaries, batches)), '^22P03 invalid Arrow stream: ' || expected, name)
FROM build.batch(1, '{1,0}', '{"","\\x01"}') AS message, LATERAL (VALUES
	('a file without a schema', NULL, '{}'::numeric[], '{8}'::numeric[], 'The file has no schema'),
	('a dictionary that is a batch', build.tab(NULL, build.v(build.tabs(build.field(6)))), '{8}', '{8}', 'A message is not what the footer says'),
	('a batch in the file''s beginning', build.tab(NULL, build.v(build.tabs(build.field(6)))), '{}', '{0}', 'A message is not where the footer says'),
	('the same batch twice', build.tab(NULL, build.v(build.tabs(build.field(6)))), '{}', '{8,8}', 'A message is not where the footer says'),
	('a batch past the end', build.tab(NULL, build.v(build.tabs(build.field(6)))), '{}', '{100000}', 'A message is not where the footer says')
) AS f(name, schema, dictionaries, batches, expected);

SELECT * FROM finish();
ROLLBACK;
