--
-- samples.sql
--	  Every type that a query can return with values at the edges of its range:
--	  the table sample, and rt.sample_query() for a query of them.  Needs
--	  roundtrip.sql.
--
CREATE EXTENSION IF NOT EXISTS hstore;
CREATE EXTENSION IF NOT EXISTS ltree;
CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS intarray;

-- Objects that the samples name.
CREATE SCHEMA "od d";
CREATE TABLE "od d"."Ta.b""le" (a int);
CREATE FUNCTION "od d"."f g"(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION "od d"."f g"(text, int[]) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE OPERATOR "od d".### (FUNCTION = pg_catalog.int4pl, LEFTARG = int, RIGHTARG = int);
CREATE COLLATION "od d"."C o" (provider = libc, locale = 'C');
CREATE TEXT SEARCH CONFIGURATION "od d"."ts c" (COPY = pg_catalog.simple);
CREATE TEXT SEARCH DICTIONARY "od d"."ts d" (TEMPLATE = pg_catalog.simple);
CREATE ROLE "rowser od d";
CREATE TYPE mood AS ENUM ('', 'sad', 'ok', 'so so', 'it''s "quoted"', 'größer',
						  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz01234567890');
CREATE TYPE moodrange AS RANGE (subtype = mood);
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");
CREATE DOMAIN posint AS int CHECK (VALUE > 0);
CREATE TYPE posrange AS RANGE (subtype = posint);
CREATE TYPE pair AS (a int, b text);
CREATE TYPE pairrange AS RANGE (subtype = pair);

--
-- Samples: the literals of one type, each an edge of it.
--
CREATE TEMP TABLE sample (ord serial, type text, vals text[]);
INSERT INTO sample (type, vals) VALUES
('boolean', '{t,f}'),
('smallint', '{0,1,-1,32767,-32768}'),
('integer', '{0,1,-1,2147483647,-2147483648}'),
('bigint', '{0,1,-1,9223372036854775807,-9223372036854775808}'),
('real', '{0,-0,1,-1.5,0.1,3.4028235e38,-3.4028235e38,1.17549435e-38,1.4e-45,-1.4e-45,Infinity,-Infinity,NaN}'),
('double precision', '{0,-0,1,-1.5,0.1,1.7976931348623157e308,-1.7976931348623157e308,2.2250738585072014e-308,4.9e-324,-4.9e-324,Infinity,-Infinity,NaN,123456789.123456789}'),
('numeric', ARRAY['0','-0','0.0','0.000','1','1.0','1.10','1.100','-1.10','10000','9999','99999999',
				  '100000000','10000.0001','0.0001','0.00001','1e-20','1e20','1e-100','-1e100',
				  '0.000067','1.0000023456789','100000000.00000001','123456789012345678901234567890',
				  'NaN','Infinity','-Infinity',
				  repeat('9', 1000), '-' || repeat('1234567890', 100) || '.' || repeat('0987654321', 50),
				  '0.' || repeat('0', 999) || '1', '1e-16383', '1e131071']),
('numeric(10,2)', '{0,0.01,-0.01,99999999.99,-99999999.99,1.1,NaN}'),
('numeric(1000)', ARRAY[repeat('8', 1000), '0', '-1']),
('numeric(5,-2)', '{12345,0,-9999900,50,150}'),
('numeric(3,5)', '{0.00123,-0.00999,0}'),
('money', '{0,0.01,-0.01,92233720368547758.07,-92233720368547758.08,12345.67}'),
('"char"', '{"",a,Z,~,\\\\}'),
('name', ARRAY['', 'a', repeat('n', 63), 'größe', 'with "quotes" and ''more''']),
('text', ARRAY['', ' ', 'a', 'NULL', E'line\nbreak\ttab\r\\', 'größe 中文 😀', '"', '''', '{}', '()',
			   repeat('x', 125), repeat('x', 126), repeat('x', 127), repeat('x', 128), repeat('ä', 63),
			   repeat('ä', 64), repeat('abc', 1000), repeat('0123456789', 30000)]),
('varchar', ARRAY['', 'a', '  b  ', repeat('v', 200)]),
('varchar(5)', '{"",abc,abcde,äöüß€}'),
('char(1)', '{"",x,ä}'),
('char(6)', '{"",abc,abcdef,"ab   ",ä}'),
('bpchar', '{"",abc,"abc   "}'),
('bytea', ARRAY['', '\x00', '\x0000000000', '\xdeadbeef', '\xff', '\x5c5c', '\x' || repeat('00ff', 63),
				'\x' || repeat('ab', 127), '\x' || repeat('0102030405', 20000)]),
('bit(1)', '{0,1}'),
('bit(8)', '{00000000,11111111,10101010,00000001}'),
('bit(33)', ARRAY[repeat('1', 33), repeat('0', 33), repeat('01', 16) || '1']),
('bit varying', ARRAY['', '0', '1', '101', repeat('01', 5000), repeat('1', 7), repeat('1', 9)]),
('bit varying(10)', '{"",1,1111111111,0101}'),
('date', '{2000-01-01,1999-12-31,1970-01-01,2024-02-29,"4714-11-24 BC",5874897-12-31,infinity,-infinity}'),
('time', '{00:00:00,24:00:00,23:59:59.999999,12:34:56.789012}'),
('time(2)', '{00:00:00,23:59:59.99}'),
('time with time zone', '{00:00:00+00,24:00:00+00,10:07:21+13:59,00:00:00-15:59:59,23:59:59.999999+15:59:59}'),
('time(0) with time zone', '{00:00:00+00,11:22:33-05:30}'),
('timestamp', '{"2000-01-01 00:00:00","1999-12-31 23:59:59.999999","4714-11-24 00:00:00 BC","294276-12-31 23:59:59.999999",infinity,-infinity,"2022-08-01 17:51:13.888"}'),
('timestamp(3)', '{"2000-01-01 00:00:00.123","0001-01-01 00:00:00 BC"}'),
('timestamp with time zone', '{"2000-01-01 00:00:00+00","1999-12-31 23:59:59.999999+00","4714-11-24 00:00:00+00 BC","294276-12-31 23:59:59.999999+00",infinity,-infinity,"2022-08-01 17:51:13.888-07:52:58"}'),
('timestamp(0) with time zone', '{"2000-01-01 00:00:00+00"}'),
('interval', ARRAY['0', '1 year -2 months 3 days -04:05:06.000007', '-1 year 2 months -3 days 04:05:06.000007',
				   '178956970 years 7 months', '-178956970 years -8 months', '2147483647 days', '-2147483648 days',
				   '9223372036854.775807 seconds', '-9223372036854.775808 seconds', '1 mon -30 days', '24:00:00', '1 day']),
('interval year to month', '{"1 year 2 months","-3 months"}'),
('interval day to second(3)', '{"1 day 02:03:04.567"}'),
('interval second(0)', '{"00:00:05"}'),
('uuid', '{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,01234567-89ab-cdef-0123-456789abcdef}'),
('inet', '{0.0.0.0,255.255.255.255,10.1.2.3/8,192.168.0.1/32,::,::1/128,2001:db8::1/64,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,::ffff:1.2.3.4/0}'),
('cidr', '{0.0.0.0/0,10.0.0.0/8,192.168.0.1/32,::/0,2001:db8::/32,::1/128}'),
('macaddr', '{00:00:00:00:00:00,ff:ff:ff:ff:ff:ff,08:00:2b:01:02:03}'),
('macaddr8', '{00:00:00:00:00:00:00:00,ff:ff:ff:ff:ff:ff:ff:ff,08:00:2b:01:02:03:04:05}'),
('json', ARRAY['null', '{}', '[]', '{"a" :  1, "a": 2}', '"\u0041"', '1e5', '  [1 , 2]  ', '"ä"',
			   repeat('[', 100) || repeat(']', 100)]),
('jsonb', ARRAY['null', '{}', '[]', '{"a": 1, "b": [true, null, "x"], "c": {"d": 1.10}}', '"ä\u4e2d"', '12345678901234567890.0123456789',
				'[' || repeat('1.5,', 500) || '0]', repeat('[', 100) || repeat(']', 100)]),
('jsonpath', '{$,"$.a[*] ? (@.x > 1)","strict $.**{2 to last}.b","$.\"a b\" like_regex \"^x\" flag \"i\""}'),
('xml', ARRAY['', 'text only', '<a/>', '<a b="c">d</a><e/>', '<?xml version="1.0" encoding="UTF-8"?><a>é</a>',
			  '<?xml version="1.0" standalone="yes"?><a/>', '<a>中&amp;</a>', '<!-- c --><a><![CDATA[<x>]]></a>']),
('point', '{"(0,0)","(-0,1e-300)","(Infinity,NaN)","(1.5,-2.5)"}'),
('lseg', '{"[(0,0),(1,1)]","[(-1e300,2),(3,-Infinity)]"}'),
('line', '{"{1,2,3}","{-1,0,0.1}"}'),
('path', '{"[(0,0)]","((0,0),(1,1),(2,0))","[(0,0),(1,1),(2,0)]"}'),
('polygon', '{"((0,0))","((0,0),(1,1),(2,0))"}'),
('circle', '{"<(0,0),0>","<(1,-1),2.5>"}'),
('oid', '{0,1,4294967295,2147483648}'),
('xid', '{0,3,4294967295}'),
('cid', '{0,4294967295}'),
('xid8', '{0,1,9223372036854775808,18446744073709551615}'),
('tid', '{"(0,0)","(4294967295,65535)","(1,2)"}'),
('pg_lsn', '{0/0,FFFFFFFF/FFFFFFFF,16/B374D848}'),
('pg_snapshot', '{10:20:10,14:14:,"10:20:10,14,15","1:9223372036854775807:5"}'),
('txid_snapshot', '{10:20:10,"10:20:10,14,15"}'),
('tsvector', ARRAY['', 'a', '''it''''s'':1A ''so'':2B,3C,16383D', 'ä:5 b', '''with space'' ''back\\slash''',
				   (SELECT string_agg('w' || i || ':' || i, ' ') FROM generate_series(1, 300) AS i)]),
('tsquery', '{"","a","a & (b | !c)","a <-> b <3> c","''it''''s'':AB & so:*","!!x"}'),
('refcursor', '{"","a cursor"}'),
('aclitem', '{postgres=arwdDxt/postgres,=r/postgres,"\"rowser od d\"=r*w/postgres"}'),
('int2vector', '{"","1","1 -2 32767"}'),
('oidvector', '{"","1","1 4294967295"}'),
('regclass', ARRAY['pg_class', 'pg_catalog.pg_type', '"od d"."Ta.b""le"', '0', '4000000000', 'information_schema.tables']),
('regtype', ARRAY['int4', 'int4[]', 'text', 'mood', 'mood[]', '"od d"."Ta.b""le"', 'timestamp with time zone', '"char"', '0', '4000000000']),
('regproc', ARRAY['now', 'pg_catalog.pg_typeof', '0', '4000000000']),
('regprocedure', ARRAY['now()', 'pg_catalog.format(text)', 'format(text,"any")', '"od d"."f g"(int)', '"od d"."f g"(text,int[])', '0']),
('regoper', ARRAY['"od d".###', '0', '4000000000']),
('regoperator', ARRAY['+(int,int)', '-(NONE,int)', '"od d".###(int,int)', '0']),
('regrole', ARRAY['postgres', '"rowser od d"', '0', '4000000000']),
('regnamespace', ARRAY['pg_catalog', '"od d"', '0', '4000000000']),
('regcollation', ARRAY['"C"', '"POSIX"', '"od d"."C o"', '0']),
('regconfig', ARRAY['simple', 'pg_catalog.english', '"od d"."ts c"', '0']),
('regdictionary', ARRAY['simple', 'english_stem', '"od d"."ts d"', '0']),
('int4range', '{empty,"[1,2)","(,)","[5,)","(,5)","[-2147483648,2147483647)"}'),
('int8range', '{empty,"[1,2)","(,)","[-9223372036854775808,9223372036854775807)"}'),
('numrange', '{empty,"[1.10,2.200]","(,1.0)","(NaN,)","[NaN,NaN]","[-Infinity,Infinity]"}'),
('daterange', '{empty,"[2000-01-01,2000-02-01)","[infinity,)","(,-infinity)","(,)"}'),
('tsrange', '{empty,"[2000-01-01,infinity]","(-infinity,infinity)","(,)"}'),
('tstzrange', '{empty,"[2000-01-01 00:00:00+00,infinity]","(,)"}'),
('int4multirange', '{"{}","{[1,3)}","{[1,3),[5,7)}","{(,)}","{(,1),[3,)}"}'),
('int8multirange', '{"{}","{[1,3),[5,7)}"}'),
('nummultirange', '{"{}","{[1.10,2.200],(3,NaN]}"}'),
('datemultirange', '{"{}","{[2000-01-01,2000-02-01),[2001-01-01,infinity)}"}'),
('tsmultirange', '{"{}","{[2000-01-01,infinity]}"}'),
('tstzmultirange', '{"{}","{[2000-01-01 00:00:00+00,infinity]}"}'),
('mood', enum_range(NULL::mood)::text[]),
('moodrange', '{empty,"[sad,\"so so\"]","(,ok)","[\"\",)"}'),
('moodmultirange', '{"{}","{[sad,ok),[\"so so\",größer]}"}'),
('textrange', '{empty,"[a,ä]","(\"\",)","[\"a,b\",\"c\"\"d\"]"}'),
('textmultirange', '{"{}","{[a,b),[c,d)}"}'),
('posrange', '{empty,"[1,5)","(,)"}'),
('posmultirange', '{"{}","{[1,5),[7,9)}"}'),
('pairrange', ARRAY['empty', '["(1,a)","(1,b)"]', '(,"(2,)"]']),
('pair', ARRAY['(1,a)', '(,)', '(1,)', '(1,"")', '(-1,"with ""quotes"", comma")']),
('posint', '{1,2147483647}'),
('hstore', ARRAY['', 'a=>1', 'a=>NULL, "b c"=>"d\"e", ä=>""']),
('ltree', '{"",a,Top.Science.Astronomy,a_b.c1}'),
('lquery', '{a.b.*,"*.x@*.!y{1,3}"}'),
('ltxtquery', '{"a & b","x | !y*"}'),
('citext', ARRAY['', 'AbC', 'größe', repeat('X', 300)]),
('query_int', '{"1&2","1|(2&!3)"}');

-- A query of the samples as a column, NULLs among them.
CREATE FUNCTION rt.sample_query(p_type text, p_vals text[]) RETURNS text
LANGUAGE sql AS $$
SELECT format('SELECT s.v::%s AS v FROM (VALUES (NULL::%s), %s, (NULL)) AS s(v)', p_type, p_type,
			  string_agg(format('(%L)', x), ', ' ORDER BY o))
FROM unnest(p_vals) WITH ORDINALITY AS u(x, o);
$$;
