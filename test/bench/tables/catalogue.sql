-- The server's own catalogues, two that are unlike: pg_proc, some 30 columns of
-- many types, and pg_attribute, narrow rows of small numbers.  As they are, but
-- for types that COPY BINARY can't carry, which are text here: aclitem[],
-- pg_node_tree, anyarray.  Made before the other tables, so that these are not
-- in it.

SELECT format('CREATE TABLE catalogue_%s AS SELECT %s FROM %s ORDER BY %s', name,
	string_agg(attname || CASE atttypid WHEN 'aclitem[]'::regtype THEN '::text[]'
		WHEN 'pg_node_tree'::regtype THEN '::text COLLATE "default"'
		WHEN 'anyarray'::regtype THEN '::text' ELSE '' END || ' AS ' || attname, ', ' ORDER BY attnum),
	catalogue, sort)
FROM (VALUES ('proc', 'pg_proc'::regclass, 'oid'), ('attribute', 'pg_attribute', 'attrelid, attnum'))
	AS t(name, catalogue, sort) JOIN pg_attribute ON attrelid = catalogue
WHERE attnum > 0
GROUP BY name, catalogue, sort
\gexec

CALL bench.add_subject('catalogue_proc', 'oid', 'sum(pronargs)', :json_values, :xml_values);
CALL bench.add_subject('catalogue_attribute', 'attrelid', 'sum(attlen)', :json_values, :xml_values);
