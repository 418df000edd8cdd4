--
-- catalogs.sql
--	  Whole system catalogues and the Employee table make the round trip: real
--	  rows of many types, with row groups of 1, 2, 7, 1000 and the default, in
--	  every compression, by column list, by row type and by cursor.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/employee.sql
SELECT no_plan();

SELECT is(rt.diff('SELECT * FROM pg_catalog.' || name, '', '{1,2,7,1000,0}', NULL, stable), NULL, 'all of ' || name)
FROM (VALUES ('pg_proc', true), ('pg_type', false), ('pg_index', false), ('pg_constraint', true),
			 ('pg_operator', true), ('pg_namespace', true), ('pg_settings', false)) AS c(name, stable);

-- These change while a temporary table is made of them; the table is packed.
SELECT is(rt.diff('SELECT * FROM pg_catalog.pg_class', '', '{1,2,7,1000,0}', NULL, false), NULL, 'all of pg_class');

-- attmissingval is an anyarray, so that no table can be made of it.
SELECT is(rt.diff('SELECT * FROM pg_catalog.pg_attribute'), NULL, 'all of pg_attribute');
SELECT is(rt.diff('SELECT *, attmissingval::text AS shown FROM pg_catalog.pg_attribute WHERE attrelid = ''added''::regclass',
				  'CREATE TABLE added (a int); INSERT INTO added VALUES (1); ALTER TABLE added ADD b text DEFAULT ''x,"y'', ADD c int[] DEFAULT ''{1,2}'''),
		  NULL, 'pg_attribute with values in attmissingval');

SELECT is((SELECT count(*) FROM humanresources.employee), 290::bigint, 'Employee has 290 rows');
SELECT is(rt.diff('SELECT * FROM humanresources.employee'), NULL, 'all of Employee');
SELECT is(rt.diff('TABLE humanresources.employee'), NULL, 'TABLE gives the same');
SELECT is(table_to_rowset('humanresources.employee'), query_to_rowset('SELECT * FROM humanresources.employee'),
		  'table_to_rowset packs what SELECT * packs');
SELECT is((SELECT rowset_agg(e) FROM humanresources.employee AS e), query_to_rowset('SELECT * FROM humanresources.employee'),
		  'rowset_agg packs what SELECT * packs');
SELECT is((SELECT rowset_agg(e ORDER BY businessentityid DESC) FROM humanresources.employee AS e),
		  query_to_rowset('SELECT * FROM humanresources.employee ORDER BY businessentityid DESC'),
		  'and in the order that it is told');

-- The rows read back equal the table, as a set too.
SELECT is_empty($$
	SELECT * FROM rowset_populate_recordset(NULL::humanresources.employee, table_to_rowset('humanresources.employee'))
	EXCEPT SELECT * FROM humanresources.employee$$, 'nothing is added to Employee');
SELECT is_empty($$
	SELECT * FROM humanresources.employee
	EXCEPT SELECT * FROM rowset_populate_recordset(NULL::humanresources.employee, table_to_rowset('humanresources.employee'))$$,
	'nothing is missing from Employee');

SELECT * FROM finish();
ROLLBACK;
