--
-- every_type.sql
--	  Every type of the catalogue, the samples' own included, and a row of every
--	  catalogue as a value, make the round trip.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/samples.sql
SELECT no_plan();

-- NULL, no elements, one NULL element.
SELECT is(rt.diff(format('SELECT NULL::%1$s AS n%2$s FROM generate_series(1, 3)', t.oid::regtype,
						 CASE WHEN t.typarray <> 0
							  THEN format(', ''{}''::%1$s[] AS e, ARRAY[NULL]::%1$s[] AS a', t.oid::regtype)
							  WHEN t.typsend = 'array_send'::regproc
							  THEN format(', ''{}''::%1$s AS e', t.oid::regtype)
							  ELSE '' END), '', '{0}', '{none}'),
		  NULL, format('type %s: NULL and empty', t.oid::regtype))
FROM pg_type AS t
WHERE t.typtype IN ('b', 'd', 'e', 'r', 'm', 'c') AND t.typisdefined
	  AND t.oid NOT IN ('gtsvector[]'::regtype, 'gtsvector'::regtype)
ORDER BY t.oid::regtype::text;

SELECT is(rt.diff('SELECT NULL::gtsvector AS g, NULL::gtsvector[] AS a'), NULL, 'gtsvector');

-- Rows of the catalogues as composite values.
SELECT is(rt.diff(format('SELECT r AS v FROM %s AS r LIMIT 3', c.oid::regclass), '', '{0}', '{none}'),
		  NULL, format('a row of %s as a value', c.oid::regclass))
FROM pg_class AS c
WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r'
ORDER BY c.oid::regclass::text;

SELECT * FROM finish();
ROLLBACK;
