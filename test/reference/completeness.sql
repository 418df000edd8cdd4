--
-- Compares the reference's entries, in the table entry, with what the extension
-- consists of.  Each row that is printed is "ok: ..." or "not ok: ...".
--
-- An entry is due for each function, procedure, aggregate and relation that
-- users can call or read; that leaves out functions with internal arguments or
-- results, and those that an aggregate is made of.
--

-- One spelling for signatures that say the same
CREATE FUNCTION pg_temp.normal(signature text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT btrim(n) FROM
		regexp_replace(signature, '\s+', ' ', 'g') AS a,
		regexp_replace(a, '^ ?(CALL|FUNCTION|PROCEDURE|AGGREGATE|VIEW) ', '', 'i') AS b,
		regexp_replace(b, ' ?(RETURNS|→|->) ?', ' RETURNS ', 'i') AS c,
		regexp_replace(c, '::[a-z_ ."]+(?=[,)])', '', 'g') AS d,
		regexp_replace(d, ' RETURNS SETOF record( AS t.*)?$', ' RETURNS SETOF record', 'i') AS e,
		regexp_replace(e, ' RETURNS (TABLE|SETOF|SETOF record) ?\(', ' RETURNS SETOF (', 'i') AS f,
		regexp_replace(f, ' RETURNS record ?\(', ' RETURNS (', 'i') AS g,
		regexp_replace(g, ' ?([(),]) ?', '\1', 'g') AS h,
		regexp_replace(h, ';$', '') AS n
$$;

-- What is due, in the order in which the install script creates it, with the
-- signatures that are right for it
CREATE TEMP TABLE due AS
WITH member AS (
	SELECT d.classid, d.objid
	FROM pg_depend AS d
	WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
		AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'rowser')
), part_of_aggregate AS (
	SELECT f AS oid FROM pg_aggregate,
		unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn]) AS f
	WHERE aggfnoid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass)
), arguments AS (
	SELECT p.oid,
		string_agg(concat_ws(' ', quote_ident(a.name), format_type(a.type, NULL)), ', ' ORDER BY a.n) FILTER (WHERE a.mode IN ('o', 't')) AS outputs
	FROM pg_proc AS p, unnest(p.proallargtypes, p.proargmodes, p.proargnames) WITH ORDINALITY AS a(type, mode, name, n)
	GROUP BY p.oid
)
SELECT p.oid, p.proname::text AS name, p.oid::regprocedure::text AS shown,
	array_remove(ARRAY[
		concat_ws(' RETURNS ', format('%s(%s)', p.proname, regexp_replace(pg_get_function_arguments(p.oid), '\mIN ', '', 'g')), pg_get_function_result(p.oid)),
		CASE WHEN a.outputs IS NOT NULL THEN format('%s(%s) RETURNS %s(%s)', p.proname,
			regexp_replace(pg_get_function_arguments(p.oid), '(, )?\mOUT .*', ''), CASE WHEN p.proretset THEN 'SETOF ' END, a.outputs) END
	], NULL) AS signatures
FROM member AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
	LEFT JOIN arguments AS a ON a.oid = p.oid
WHERE p.prorettype <> 'internal'::regtype AND NOT 'internal'::regtype = ANY (p.proargtypes)
	AND p.oid NOT IN (SELECT oid FROM part_of_aggregate)
UNION ALL
SELECT c.oid, c.relname, c.relname,
	ARRAY[c.relname, format('%s(%s)', c.relname,
		(SELECT string_agg(format('%s %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)
			FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped))]
FROM member AS m JOIN pg_class AS c ON m.classid = 'pg_class'::regclass AND m.objid = c.oid
WHERE c.relkind <> 'c';

-- Settings, whose signature is the default; no script creates them
INSERT INTO due
SELECT NULL, name, name, ARRAY[format('%s = %s', name, boot_val)] FROM pg_settings WHERE name LIKE 'rowser.%';

CREATE TEMP TABLE written AS
SELECT e.name, e.line, pg_temp.normal(s) AS signature
FROM entry AS e, regexp_split_to_table(e.signatures, ' \| ') AS s;

\pset format unaligned
\pset tuples_only on

SELECT CASE count(e.name) WHEN 1 THEN 'ok: ' ELSE 'not ok: ' END || 'one entry for ' || d.name || format(' (there are %s)', count(e.name))
FROM (SELECT DISTINCT name FROM due) AS d LEFT JOIN entry AS e USING (name)
GROUP BY d.name ORDER BY d.name;

SELECT 'not ok: there is nothing to call behind the entry ' || name || ', line ' || line
FROM entry WHERE name NOT IN (SELECT name FROM due) ORDER BY line;

-- Order: an entry comes after the entries of what was created before
SELECT CASE WHEN place >= max(place) OVER (ORDER BY oid) THEN 'ok: ' ELSE 'not ok: ' END
	|| name || ' is in the order of the install script'
FROM (
	SELECT name, min(d.oid::bigint) AS oid, min(e.line) AS place
	FROM due AS d JOIN entry AS e USING (name)
	WHERE d.oid IS NOT NULL
	GROUP BY name
) AS t
ORDER BY oid;

SELECT CASE WHEN EXISTS (SELECT FROM written AS w, unnest(d.signatures) AS s
		WHERE w.name = d.name AND w.signature = pg_temp.normal(s))
	THEN 'ok: ' || d.shown || ' has its signature'
	ELSE 'not ok: signature of ' || d.shown || ' is not in its entry: ' || d.signatures[cardinality(d.signatures)] END
FROM due AS d WHERE name IN (SELECT name FROM entry) ORDER BY oid;

SELECT format('not ok: the entry on line %s has a signature that no call has: %s', w.line, w.signature)
FROM written AS w
WHERE w.name IN (SELECT name FROM due)
	AND NOT EXISTS (SELECT FROM due AS d, unnest(d.signatures) AS s WHERE d.name = w.name AND pg_temp.normal(s) = w.signature)
ORDER BY w.line;

-- Comments: of the extension and of every part of it.  The row type of a view or a
-- table, and the array of it, are no parts by themselves: some versions list them.
SELECT CASE WHEN obj_description(objid, classid::regclass::text::name) <> '' THEN 'ok: ' ELSE 'not ok: ' END
	|| pg_describe_object(classid, objid, 0) || ' has a comment'
FROM (
	SELECT classid, objid FROM pg_depend
	WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
		AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'rowser')
	UNION ALL
	SELECT 'pg_extension'::regclass, oid FROM pg_extension WHERE extname = 'rowser'
) AS object
WHERE NOT EXISTS (
	SELECT FROM pg_type AS t LEFT JOIN pg_type AS e ON e.typarray = t.oid
		JOIN pg_class AS c ON c.oid = coalesce(e.typrelid, t.typrelid)
	WHERE classid = 'pg_type'::regclass AND t.oid = objid AND c.relkind <> 'c'
)
ORDER BY classid, objid;
