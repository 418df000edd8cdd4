-- Second half of the demonstration, the receiving side with the bytes in its
-- inbox: the table is rebuilt from them alone.

\set ECHO all

SELECT name, type, type_schema, type_name, type_oid FROM inbox, rowset_columns(r);

SELECT rowset_column_list(r) AS columns FROM inbox \gset

CREATE TABLE hr.duty AS
SELECT t.* FROM inbox, rowset_to_recordset(r) AS t(:columns);

SELECT * FROM hr.duty LIMIT 4;
