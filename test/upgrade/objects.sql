--
-- objects.sql
--	  Everything that belongs to the extension, and all that can differ about it,
--	  without OIDs: one line a fact.
--
\set ON_ERROR_STOP on

CREATE TEMP VIEW member AS
SELECT d.classid, d.objid, a.type || ' ' || a.identity AS object
FROM pg_depend AS d, pg_identify_object(d.classid, d.objid, d.objsubid) AS a
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
	AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'rowser');

-- the catalogues' own rows, where an OID is told by what it stands for
CREATE TEMP VIEW property AS
SELECT object, key, value::text
FROM member JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND objid = p.oid,
	jsonb_each(to_jsonb(p) - '{oid,proowner,pronamespace,prosupport,proargtypes,proallargtypes,prorettype,provariadic,prolang,prosqlbody}'::text[]
		|| jsonb_build_object('arguments', pg_get_function_arguments(p.oid), 'result', pg_get_function_result(p.oid), 'support', p.prosupport::regproc,
			'language', (SELECT lanname FROM pg_language AS l WHERE l.oid = p.prolang), 'body', pg_get_function_sqlbody(p.oid))) AS j
UNION ALL
SELECT object, key, value::text
FROM member JOIN pg_aggregate AS a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid,
	jsonb_each(to_jsonb(a) - '{aggfnoid,aggtranstype,aggmtranstype,aggsortop}'::text[]
		|| jsonb_build_object('transition type', aggtranstype::regtype, 'moving transition type', aggmtranstype::regtype, 'sort operator', aggsortop::regoperator)) AS j
UNION ALL
SELECT object, 'definition', pg_get_viewdef(objid)
FROM member JOIN pg_class AS c ON classid = 'pg_class'::regclass AND objid = c.oid AND relkind = 'v'
UNION ALL
SELECT object, 'column ' || attnum, format('%s %s %s', attname, format_type(atttypid, atttypmod), attnotnull)
FROM member JOIN pg_attribute ON classid = 'pg_class'::regclass AND objid = attrelid AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT object, 'relation', format('%s %s %s', relkind, relacl, reloptions)
FROM member JOIN pg_class AS c ON classid = 'pg_class'::regclass AND objid = c.oid
UNION ALL
SELECT object, 'type', format('%s %s %s', typtype, typcategory, typacl)
FROM member JOIN pg_type AS t ON classid = 'pg_type'::regclass AND objid = t.oid
UNION ALL
SELECT object, 'comment', obj_description(objid, classid::regclass::text)
FROM member
UNION ALL
SELECT object, 'needs ' || d.deptype::text, pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
FROM member AS m JOIN pg_depend AS d USING (classid, objid)
WHERE d.refclassid <> 'pg_extension'::regclass;

SELECT format('%s | %s | %s', object, key, value)
FROM property ORDER BY object COLLATE "C", key COLLATE "C", value COLLATE "C";
SELECT format('extension | %s | %s', key, value)
FROM pg_extension, jsonb_each_text(to_jsonb(pg_extension) - '{oid,extowner,extconfig,extnamespace}'::text[])
WHERE extname = 'rowser' ORDER BY key COLLATE "C";
