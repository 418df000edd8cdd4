-- What the transfer of a table is timed by: the whole of employee into one
-- value, and the rows out of that value.  Wants no variable.

CREATE SCHEMA transfer;

-- The columns of employee in one text, as bench.each_column, but those of type
-- bytea by a template of their own: XML has them in base64.
CREATE FUNCTION transfer.columns(template text, binary_template text) RETURNS text
LANGUAGE sql STABLE AS
$$
	SELECT string_agg(format(CASE type WHEN 'bytea' THEN binary_template ELSE template END, name, type), ', ' ORDER BY ordinal)
	FROM bench.columns('employee')
$$;

-- One row for each of the source's figures, and the rivals that PostgreSQL has
-- for it.  As text, XML has no value of type xml on either side but the one
-- that xmltable has to be given.
CREATE TABLE transfer.form
(
	form text PRIMARY KEY,
	kind text NOT NULL,
	source text NOT NULL,			-- what it stands for in the source
	type text NOT NULL,				-- of the value
	write text NOT NULL,			-- an expression that gives the value
	read text NOT NULL,				-- what to select from
	counts text NOT NULL,			-- what to select, to have read each column
	contents text NOT NULL,			-- the columns as they are in the table
	number int GENERATED ALWAYS AS IDENTITY
);

INSERT INTO transfer.form (form, kind, source, type, write, read, counts, contents)
SELECT form, kind, source, type, format(write, transfer.columns('t.%1$s', 't.%1$s')),
	format(read, format('(SELECT value FROM transfer.%I)', form), transfer.columns(column_list, binary_column)),
	transfer.columns('count(%1$s)', format('count(%s)', binary_value)),
	transfer.columns(value, binary_value)
FROM (VALUES
	(1, 'query_to_xml', 'rival', 'FOR XML', 'xml',
		'query_to_xml(''SELECT * FROM employee'', false, false, '''')',
		'xmltable(''/table/row'' PASSING %s COLUMNS %s) AS t',
		'%1$s %2$s PATH ''%1$s''', '%1$s text PATH ''%1$s''', '%1$s', 'decode(%1$s, ''base64'')'),
	(2, 'xmlagg', 'rival', 'FOR XML, TYPE', 'xml',
		'(SELECT xmlelement(NAME "table", xmlagg(xmlelement(NAME row, xmlforest(%s)))) FROM employee AS t)',
		'xmltable(''/table/row'' PASSING %s COLUMNS %s) AS t',
		'%1$s %2$s PATH ''%1$s''', '%1$s text PATH ''%1$s''', '%1$s', 'decode(%1$s, ''base64'')'),
	(3, 'xml as text', 'rival', 'FOR XML', 'text',
		'(SELECT ''<table>'' || string_agg(''<row>'' || xmlforest(%s)::text || ''</row>'', '''') || ''</table>'' FROM employee AS t)',
		'xmltable(''/table/row'' PASSING (%s::xml) COLUMNS %s) AS t',
		'%1$s text PATH ''%1$s''', '%1$s text PATH ''%1$s''', '%1$s::%2$s', 'decode(%1$s, ''base64'')'),
	(4, 'json_agg', 'rival', 'DataTable', 'json',
		'(SELECT json_agg(t) FROM employee AS t)',
		'json_to_recordset(%s) AS t(%s)', '%1$s %2$s', '%1$s %2$s', '%1$s', '%1$s'),
	(5, 'jsonb_agg', 'rival', 'DataTable', 'jsonb',
		'(SELECT jsonb_agg(t) FROM employee AS t)',
		'jsonb_to_recordset(%s) AS t(%s)', '%1$s %2$s', '%1$s %2$s', '%1$s', '%1$s'),
	(6, 'query_to_rowset', 'rowser', 'SqlDataReader rows', 'bytea',
		'query_to_rowset(''SELECT * FROM employee'')',
		'rowset_to_recordset(%s) AS t(%s)', '%1$s %2$s', '%1$s %2$s', '%1$s', '%1$s'),
	(7, 'rowset_agg', 'rowser', 'SqlDataReader rows', 'bytea',
		'(SELECT rowset_agg(t) FROM employee AS t)',
		'rowset_to_recordset(%s) AS t(%s)', '%1$s %2$s', '%1$s %2$s', '%1$s', '%1$s')
	) AS f(number, form, kind, source, type, write, read, column_list, binary_column, value, binary_value)
ORDER BY number;

-- Each value by itself, uncompressed and out of line, so that all are fetched alike.
SELECT format('CREATE TABLE transfer.%I (value %s)', form, type),
	format('ALTER TABLE transfer.%I ALTER value SET STORAGE EXTERNAL', form),
	format('INSERT INTO transfer.%I SELECT %s', form, write)
FROM transfer.form ORDER BY number
\gexec

-- Bytes of the value, and of the value as a column that may be compressed has it.
CREATE TABLE transfer.bytes (form text PRIMARY KEY, bytes bigint NOT NULL, stored bigint NOT NULL);

SELECT format('CREATE TEMPORARY TABLE %I (value %s)', 'stored ' || form, type),
	format('INSERT INTO %I SELECT %s', 'stored ' || form, write),
	format('INSERT INTO transfer.bytes SELECT %L, a.value, b.value
		FROM (SELECT pg_column_size(value) AS value FROM transfer.%1$I) AS a, (SELECT pg_column_size(value) AS value FROM %2$I) AS b',
		form, 'stored ' || form)
FROM transfer.form ORDER BY number
\gexec

VACUUM (FREEZE, ANALYZE);

-- What comes back must be the table, value for value, whatever reads it.
CREATE PROCEDURE pg_temp.check_contents()
LANGUAGE plpgsql AS
$$
DECLARE
	s record;
	expected text;
	found text;
BEGIN
	FOR s IN SELECT * FROM transfer.form LOOP
		SELECT md5(string_agg(t::text, ',' ORDER BY businessentityid)) FROM employee AS t INTO expected;
		EXECUTE format('SELECT md5(string_agg(ROW(%s)::text, '','' ORDER BY businessentityid::int)) FROM %s', s.contents, s.read) INTO found;
		IF found IS DISTINCT FROM expected THEN
			RAISE EXCEPTION '% gives other rows than the table', s.form;
		END IF;
	END LOOP;
END
$$;
CALL pg_temp.check_contents();

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'transfer', 'employee', rows, op, form, kind,
	CASE op WHEN 'write' THEN format('SELECT pg_column_size(%s)::text', write)
	ELSE format('SELECT ROW(%s)::text FROM %s', counts, read) END
FROM transfer.form, (VALUES (1, 'write'), (2, 'read')) AS o(op_number, op), bench.relation
WHERE tbl = 'employee' AND scope = 'all'
ORDER BY op_number, number;
