-- First half of the demonstration: the 290 rows of employee become one bytea
-- and rows again, in three ways.  Everything below is echoed, so comments are
-- the captions.

SET search_path = humanresources, public;
\set ECHO all

-- The rows: HumanResources.Employee of the AdventureWorks sample database.

SELECT count(*) AS rows, min(hiredate), max(hiredate) FROM employee;

-- 1. Pack: any query's result becomes one value.

CREATE TABLE packed AS
SELECT query_to_rowset('SELECT * FROM employee ORDER BY businessentityid') AS r;

-- The value describes itself.

\x on
SELECT i.* FROM packed, rowset_info(r) AS i;
\x off

SELECT c.name, c.type, c.typmod, c.collation, c.type_oid FROM packed, rowset_columns(r) AS c;

-- 2. Unpack some of it: columns are matched by name.

SELECT t.*
FROM packed, rowset_to_recordset(r) AS t(jobtitle text, loginid text, hiredate date)
WHERE jobtitle LIKE 'Design%'
ORDER BY hiredate;

-- 3. Rebuild the whole table from nothing but the value: its own column list ...

SELECT rowset_column_list(r) AS columns FROM packed \gset

CREATE TABLE by_list AS
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(:columns);

-- ... or a row type that is there already ...

CREATE TABLE by_type AS
SELECT t.* FROM packed, rowset_populate_recordset(NULL::employee, r) AS t;

-- ... or a cursor, whose shape comes from the value alone.

BEGIN;
SELECT rowset_open(r, 'c') FROM packed;
\x on
FETCH 1 FROM c;
\x off
COMMIT;

CREATE TABLE by_cursor (LIKE employee);
DO $$
DECLARE
	cursor refcursor;
	line employee;
BEGIN
	SELECT rowset_open(r) INTO cursor FROM packed;
	LOOP
		FETCH cursor INTO line;
		EXIT WHEN NOT FOUND;
		INSERT INTO by_cursor SELECT line.*;
	END LOOP;
END
$$;

-- 4. Prove it: EXCEPT ALL both ways on the text of the rows, and record_send,
--    every byte of every value in its type's own binary form.

SELECT prove(copy || ' has the same rows as employee', same_rows('employee', copy))
FROM unnest('{by_list,by_type,by_cursor}'::regclass[]) AS copy;

SELECT prove(copy || ' has the same bytes as employee',
			 same_bytes('employee', copy, 'businessentityid'))
FROM unnest('{by_list,by_type,by_cursor}'::regclass[]) AS copy;

SELECT prove('the same rows give the same bytea', md5(r) =
			 md5(query_to_rowset('SELECT * FROM by_list ORDER BY businessentityid')))
FROM packed;

-- 5. What it weighs, beside PostgreSQL's other ways to put rows into one piece.

COPY employee TO :'copy_text';
COPY employee TO :'copy_binary' (FORMAT binary);

WITH forms(form, bytes) AS
(
	SELECT 'rowset', octet_length(r) FROM packed
	UNION ALL
	SELECT 'rowset, rowset_agg', octet_length(rowset_agg(e)) FROM employee e
	UNION ALL
	SELECT 'COPY text', size FROM pg_stat_file(:'copy_text')
	UNION ALL
	SELECT 'COPY BINARY', size FROM pg_stat_file(:'copy_binary')
	UNION ALL
	SELECT 'json_agg', octet_length(json_agg(e)::text) FROM employee e
	UNION ALL
	SELECT 'query_to_xml', octet_length(query_to_xml('SELECT * FROM employee', true, false, '')::text)
)
SELECT form, bytes, round(bytes::numeric / (SELECT octet_length(r) FROM packed), 1) AS "times a rowset"
FROM forms
ORDER BY bytes;
