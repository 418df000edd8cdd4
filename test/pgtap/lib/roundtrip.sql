--
-- roundtrip.sql
--	  What "the rows come back the same" means, for all tests that include this.
--
-- rt.diff(query) packs the result of a query and compares what every way of
-- reading gives with the query's own rows, in order.  It returns NULL when all
-- is equal, and else a sentence that says where the first difference is.  An
-- error that is raised on the way is such a difference too.  All that it does
-- happens in a subtransaction that is rolled back, the caller's setup included.
--
-- Compared are, for each number of rows a group and each compression:
--
--	  the text of each row
--	  record_send() of each row, which holds the type of every field and the
--		binary form of every value (a column whose type has no send function
--		takes part as text, and the cursor leaves it out in a second pass)
--	  pg_typeof() of every column
--	  rowset_columns: name, type, schema, typmod and collation, against what
--		CREATE TEMP TABLE AS makes of the query
--	  rowset_column_list, rowset_count, rowset_check, rowset_is_valid
--	  a second pack, byte for byte
--	  pg_cursors, which must not have grown
--
-- The ways of reading are a column definition list by name and by position,
-- rowset_populate_recordset() with the table's row type, and rowset_open()
-- with FETCH.
--
-- The query runs once, into a temporary table, and the table is packed; then
-- the query itself is packed and must give the same bytes, unless the caller
-- says that it is volatile.  Some results cannot be a table:
--
--	  "query": columns of type record or a pseudo-type, and names that occur
--		twice.  Compared against the query as a subquery whose columns are
--		renamed; read by position with a list of c1, c2 ... and by cursor, and
--		by a row type if there is no record.
--	  "cursor": EXPLAIN and the like, which cannot be a subquery either.
--		Compared against a cursor over the statement, row by row as text and
--		in binary.
--
-- Differences that are meant: pseudo-types, and types whose input function
-- accepts nothing, come back as text; rowset_open() reads a domain, and an array
-- of a domain, as its base type.
--
CREATE SCHEMA rt;

-- The compressions that this server was built with.
CREATE FUNCTION rt.methods() RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
	v_method text;
	v_found text[] := '{}';
BEGIN
	FOREACH v_method IN ARRAY '{none,lz4,zstd}'::text[] LOOP
		BEGIN
			PERFORM set_config('rowser.compression', v_method, true);
			PERFORM query_to_rowset('SELECT 1');
			v_found := v_found || v_method;
		EXCEPTION WHEN feature_not_supported THEN
			NULL;
		END;
	END LOOP;
	PERFORM set_config('rowser.compression', reset_val, true)
	FROM pg_catalog.pg_settings WHERE name = 'rowser.compression';
	RETURN v_found;
END $$;

-- Set rows a group (0: the default) and compression (NULL: the default) until
-- the transaction ends.
CREATE FUNCTION rt.set(p_group int, p_method text) RETURNS void
LANGUAGE sql AS $$
SELECT set_config(name,
				  CASE name
					  WHEN 'rowser.row_group_rows'
					  THEN coalesce(nullif(p_group, 0)::text, reset_val)
					  ELSE coalesce(p_method, reset_val)
				  END, true)
FROM pg_catalog.pg_settings
WHERE name IN ('rowser.row_group_rows', 'rowser.compression');
$$;

-- Can values of this type, at any depth, be sent in binary?
CREATE FUNCTION rt.has_send(p_type oid) RETURNS bool
LANGUAGE plpgsql AS $$
DECLARE
	t pg_catalog.pg_type;
BEGIN
	SELECT * INTO t FROM pg_catalog.pg_type WHERE oid = p_type;
	IF t.typsend = 0 THEN
		RETURN false;
	ELSIF t.typtype = 'd' THEN
		RETURN rt.has_send(t.typbasetype);
	ELSIF t.typtype = 'c' THEN
		RETURN coalesce((SELECT bool_and(rt.has_send(a.atttypid))
						 FROM pg_catalog.pg_attribute a
						 WHERE a.attrelid = t.typrelid AND a.attnum > 0
							   AND NOT a.attisdropped), true);
	ELSIF t.typtype = 'r' THEN
		RETURN rt.has_send((SELECT rngsubtype FROM pg_catalog.pg_range
							WHERE rngtypid = p_type));
	ELSIF t.typtype = 'm' THEN
		RETURN rt.has_send((SELECT rngsubtype FROM pg_catalog.pg_range
							WHERE rngmultitypid = p_type));
	ELSIF t.typelem <> 0 AND t.typsend = 'pg_catalog.array_send'::regproc THEN
		RETURN rt.has_send(t.typelem);
	END IF;
	RETURN true;
END $$;

-- The type that rowset_columns lists for a column of this type.
CREATE FUNCTION rt.listed_type(p_type oid) RETURNS oid
LANGUAGE plpgsql AS $$
DECLARE
	t pg_catalog.pg_type;
BEGIN
	SELECT * INTO t FROM pg_catalog.pg_type WHERE oid = p_type;
	IF p_type IN ('record'::regtype, 'record[]'::regtype) THEN
		RETURN p_type;
	ELSIF t.typtype = 'p'
		OR p_type IN ('gtsvector'::regtype, 'pg_ndistinct'::regtype,
					  'pg_dependencies'::regtype, 'pg_mcv_list'::regtype,
					  'pg_brin_bloom_summary'::regtype,
					  'pg_brin_minmax_multi_summary'::regtype) THEN
		RETURN 'text'::regtype;
	ELSIF p_type = 'cstring[]'::regtype THEN
		RETURN 'text'::regtype;
	ELSIF t.typtype = 'c'
		AND EXISTS (SELECT FROM pg_catalog.pg_attribute AS a
					WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
						  AND rt.listed_type(a.atttypid) <> a.atttypid) THEN
		-- a row type can no more be put in than its fields
		RETURN 'text'::regtype;
	ELSIF t.typelem <> 0 AND t.typsend = 'pg_catalog.array_send'::regproc
		AND rt.listed_type(t.typelem) <> t.typelem THEN
		RETURN 'text[]'::regtype;
	END IF;
	RETURN p_type;
END $$;

-- The type that a cursor shows for a column of this listed type: no domains.
CREATE FUNCTION rt.cursor_type(p_type oid) RETURNS oid
LANGUAGE plpgsql AS $$
DECLARE
	t pg_catalog.pg_type;
	v_elem oid;
BEGIN
	SELECT * INTO t FROM pg_catalog.pg_type WHERE oid = p_type;
	IF t.typtype = 'd' THEN
		RETURN rt.cursor_type(t.typbasetype);
	ELSIF t.typtype = 'c'
		AND EXISTS (SELECT FROM pg_catalog.pg_attribute AS a
					WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
						  AND rt.cursor_type(a.atttypid) <> a.atttypid) THEN
		-- there is no other type that has the row's fields
		RETURN 'record'::regtype;
	ELSIF t.typelem <> 0 AND t.typsend = 'pg_catalog.array_send'::regproc THEN
		v_elem := rt.cursor_type(t.typelem);
		IF v_elem <> t.typelem THEN
			-- there are no arrays of arrays
			RETURN (SELECT coalesce(nullif(typarray, 0), p_type)
					FROM pg_catalog.pg_type WHERE oid = v_elem);
		END IF;
	END IF;
	RETURN p_type;
END $$;

-- The typmod that a cursor shows: of a domain, that of the base type.
CREATE FUNCTION rt.cursor_typmod(p_type oid, p_typmod int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
	t pg_catalog.pg_type;
BEGIN
	SELECT * INTO t FROM pg_catalog.pg_type WHERE oid = p_type;
	IF t.typtype = 'd' THEN
		RETURN rt.cursor_typmod(t.typbasetype, t.typtypmod);
	ELSIF t.typelem <> 0 AND t.typsend = 'pg_catalog.array_send'::regproc
		AND rt.cursor_type(t.typelem) <> t.typelem THEN
		RETURN rt.cursor_typmod(t.typelem, -1);
	END IF;
	RETURN p_typmod;
END $$;

-- One column: ordinal, name and how to name it in SQL, the query's type, the
-- type that the rowset lists and the one that a cursor shows.
CREATE TYPE rt.col AS (i int, name text, ref text, typ oid, typmod int,
					   coll oid, listed oid, shown oid, sends bool);

-- Rows as text and in binary; types as one array a row set.
CREATE TYPE rt.rows AS (texts text[], bins bytea[], types oid[]);

CREATE FUNCTION rt.make_col(p_i int, p_name text, p_ref text, p_typ oid,
							p_typmod int, p_coll oid) RETURNS rt.col
LANGUAGE sql AS $$
SELECT ROW(p_i, p_name, p_ref, p_typ,
		   CASE WHEN l <> p_typ THEN -1 ELSE p_typmod END,
		   CASE WHEN l <> p_typ THEN 0 ELSE p_coll END,
		   l, rt.cursor_type(l),
		   -- a record's send names the types of its fields, which differ
		   rt.has_send(l) AND (rt.cursor_type(l) = l OR rt.cursor_type(l)
							   NOT IN ('record'::regtype, 'record[]'::regtype)))::rt.col
FROM (SELECT rt.listed_type(p_typ) AS l) AS s;
$$;

-- "ROW(...)" over columns of alias p_alias; p_form is 'listed' or 'shown' for
-- which type to cast to, p_send whether columns without send become text,
-- p_cast whether a cast is needed at all (not on what was read).
CREATE FUNCTION rt.row_expr(p_cols rt.col[], p_alias text, p_form text,
							p_send bool, p_cast bool) RETURNS text
LANGUAGE sql AS $$
SELECT 'ROW(' || coalesce(string_agg(
	p_alias || '.' || c.ref ||
	CASE WHEN p_send AND NOT c.sends THEN '::pg_catalog.text'
		 WHEN p_cast AND p_form = 'listed' AND c.listed <> c.typ
		 THEN '::' || pg_catalog.format_type(c.listed, -1)
		 WHEN p_cast AND p_form = 'shown' AND c.shown <> c.typ
		 THEN '::' || pg_catalog.format_type(c.shown, -1)
		 ELSE '' END, ', ' ORDER BY c.i), '') || ')'
FROM unnest(p_cols) AS c;
$$;

CREATE FUNCTION rt.typeof_expr(p_cols rt.col[], p_alias text) RETURNS text
LANGUAGE sql AS $$
SELECT 'ARRAY[' || coalesce(string_agg(
	'pg_catalog.pg_typeof(' || p_alias || '.' || c.ref || ')::oid', ', '
	ORDER BY c.i), '') || ']::oid[]'
FROM unnest(p_cols) AS c;
$$;

-- A column definition list, with the columns' names or as they are referred to.
CREATE FUNCTION rt.column_list(p_cols rt.col[], p_form text, p_names bool) RETURNS text
LANGUAGE sql AS $$
SELECT coalesce(string_agg(
	CASE WHEN p_names THEN quote_ident(c.name) ELSE c.ref END || ' ' ||
	CASE p_form WHEN 'listed' THEN pg_catalog.format_type(c.listed, c.typmod)
		 ELSE pg_catalog.format_type(c.shown, rt.cursor_typmod(c.listed, c.typmod)) END ||
	CASE WHEN c.coll NOT IN (0, ty.typcollation) THEN ' COLLATE ' || c.coll::regcollation ELSE '' END,
	', ' ORDER BY c.i), '')
FROM unnest(p_cols) AS c JOIN pg_catalog.pg_type AS ty ON ty.oid = c.listed;
$$;

-- The rows of a FROM item as rt.rows.
CREATE FUNCTION rt.read_from(p_from text, p_cols rt.col[], p_alias text,
							 p_form text, p_cast bool, p_bins bool, p_rowset bytea)
RETURNS rt.rows
LANGUAGE plpgsql AS $$
DECLARE
	v rt.rows;
BEGIN
	EXECUTE format('SELECT coalesce(array_agg(%s::text), ''{}''), '
				   'coalesce(array_agg(%s), ''{}'') FROM %s',
				   rt.row_expr(p_cols, p_alias, p_form, false, p_cast),
				   CASE WHEN p_bins
						THEN format('record_send(%s)', rt.row_expr(p_cols, p_alias, p_form, true, p_cast))
						ELSE '''\x''::bytea' END,
				   p_from)
	INTO v.texts, v.bins USING p_rowset;
	EXECUTE format('SELECT %s FROM %s LIMIT 1',
				   rt.typeof_expr(p_cols, p_alias), p_from)
	INTO v.types USING p_rowset;
	RETURN v;
END $$;

-- The rows of a statement through plpgsql's own cursor.
CREATE FUNCTION rt.read_statement(p_query text, p_bins bool) RETURNS rt.rows
LANGUAGE plpgsql AS $$
DECLARE
	v rt.rows;
	r record;
	v_texts text[] := '{}';
	v_bins bytea[] := '{}';
BEGIN
	FOR r IN EXECUTE p_query LOOP
		v_texts := v_texts || r::text;
		IF p_bins THEN
			v_bins := v_bins || record_send(r);
		END IF;
	END LOOP;
	v.texts := v_texts;
	v.bins := v_bins;
	RETURN v;
END $$;

-- The rows of a rowset by rowset_open and FETCH.
CREATE FUNCTION rt.read_cursor(p_rowset bytea, p_bins bool) RETURNS rt.rows
LANGUAGE plpgsql AS $$
DECLARE
	v rt.rows;
	c refcursor;
	r record;
	v_texts text[] := '{}';
	v_bins bytea[] := '{}';
BEGIN
	c := rowset_open(p_rowset);
	LOOP
		FETCH c INTO r;
		EXIT WHEN NOT FOUND;
		v_texts := v_texts || r::text;
		IF p_bins THEN
			v_bins := v_bins || record_send(r);
		END IF;
	END LOOP;
	CLOSE c;
	v.texts := v_texts;
	v.bins := v_bins;
	RETURN v;
END $$;

-- Stop with a difference.  Its SQLSTATE tells it from errors.
CREATE FUNCTION rt.differ(p_text text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION USING ERRCODE = 'RTDIF', MESSAGE = p_text;
END $$;

CREATE FUNCTION rt.compare(p_how text, p_expected rt.rows, p_got rt.rows)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	i int;
BEGIN
	IF cardinality(p_expected.texts) <> cardinality(p_got.texts) THEN
		PERFORM rt.differ(format('%s: %s rows instead of %s', p_how,
								 cardinality(p_got.texts),
								 cardinality(p_expected.texts)));
	END IF;
	IF p_expected.texts <> p_got.texts THEN
		SELECT min(n) INTO i FROM generate_subscripts(p_got.texts, 1) AS n
		WHERE p_expected.texts[n] IS DISTINCT FROM p_got.texts[n];
		PERFORM rt.differ(format('%s: row %s is %s instead of %s', p_how, i,
								 left(p_got.texts[i], 300),
								 left(p_expected.texts[i], 300)));
	END IF;
	IF p_expected.bins <> p_got.bins THEN
		SELECT min(n) INTO i FROM generate_subscripts(p_got.bins, 1) AS n
		WHERE p_expected.bins[n] IS DISTINCT FROM p_got.bins[n];
		PERFORM rt.differ(format('%s: row %s differs in binary: %s instead of %s',
								 p_how, i, left(p_got.bins[i]::text, 300),
								 left(p_expected.bins[i]::text, 300)));
	END IF;
	IF p_expected.types IS NOT NULL AND p_got.types IS NOT NULL
	   AND p_expected.types <> p_got.types THEN
		PERFORM rt.differ(format('%s: types are %s instead of %s', p_how,
								 p_got.types::regtype[], p_expected.types::regtype[]));
	END IF;
END $$;

-- rowset_columns must list p_cols with the types of p_form.
CREATE FUNCTION rt.compare_columns(p_how text, p_rowset bytea,
								   p_cols rt.col[], p_form text)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	WITH e AS (
		SELECT c.i AS ordinality, c.name, ty.oid AS type_oid, m.typmod,
			   format_type(ty.oid, m.typmod) AS type,
			   ns.nspname::text AS type_schema, ty.typname::text AS type_name,
			   CASE WHEN c.coll <> 0 AND c.coll <> ty.typcollation
					THEN co.collname::text END AS "collation"
		FROM unnest(p_cols) AS c
		CROSS JOIN LATERAL (SELECT CASE p_form WHEN 'listed' THEN c.listed ELSE c.shown END AS oid,
								   CASE p_form WHEN 'listed' THEN c.typmod
								   ELSE rt.cursor_typmod(c.listed, c.typmod) END AS typmod) AS m
		JOIN pg_catalog.pg_type ty ON ty.oid = m.oid
		JOIN pg_catalog.pg_namespace ns ON ns.oid = ty.typnamespace
		LEFT JOIN pg_catalog.pg_collation co ON co.oid = c.coll
	)
	SELECT format('%s: column %s is %s instead of %s', p_how, ordinality,
				  to_json(g), to_json(e))
	INTO v_text
	FROM e FULL JOIN rowset_columns(p_rowset) AS g USING (ordinality)
	WHERE g.name IS DISTINCT FROM e.name
		  OR g.type IS DISTINCT FROM e.type
		  OR g.type_oid IS DISTINCT FROM e.type_oid
		  OR g.type_schema IS DISTINCT FROM e.type_schema
		  OR g.type_name IS DISTINCT FROM e.type_name
		  OR g.typmod IS DISTINCT FROM e.typmod
		  OR (p_form = 'listed' AND e."collation" IS NOT NULL
			  AND g."collation" NOT IN (e."collation", quote_ident(e."collation"))
			  AND g."collation" NOT LIKE '%.' || quote_ident(e."collation"))
	ORDER BY ordinality LIMIT 1;
	IF v_text IS NOT NULL THEN
		PERFORM rt.differ(v_text);
	END IF;
END $$;

-- The body of rt.diff: raises the first difference.
CREATE FUNCTION rt.check(p_query text, p_groups int[], p_methods text[],
						 p_same_bytes bool, p_bins bool)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	v_mode text;
	v_source text;				-- the statement that is packed
	v_from text;				-- its rows as a FROM item with alias s
	v_cols rt.col[];
	v_list text;				-- column definition list of the query's own types
	v_shown_list text;			-- and the one that rowset_column_list gives
	v_type_cols rt.col[];		-- v_cols as fields of the row type
	v_rowtype text;				-- NULL if there can be none
	v_rowset bytea;
	v_second bytea;
	v_expected rt.rows;
	v_shown rt.rows;			-- domains as their base types
	v_fetched rt.rows;			-- as v_shown; in binary only what can be sent
	v_got rt.rows;
	v_sendable text;			-- statement with the columns that have a send function
	v_all_send bool;
	v_unique bool;
	v_group int;
	v_method text;
	v_where text;
	v_cursors bigint;
	v_cursor refcursor;
	v_n int;
BEGIN
	SELECT count(*) INTO v_cursors FROM pg_catalog.pg_cursors;

	-- Where do the query's own rows come from?
	BEGIN
		EXECUTE 'CREATE TEMP TABLE rt_src AS ' || p_query;
		v_mode := 'table';
	EXCEPTION
		WHEN invalid_table_definition OR duplicate_column OR syntax_error
			OR indeterminate_collation THEN
		BEGIN
			EXECUTE 'SELECT FROM (' || p_query || ') AS s LIMIT 0';
			v_mode := 'query';
		EXCEPTION WHEN syntax_error THEN
			v_mode := 'cursor';
		END;
	END;

	PERFORM rt.set(0, NULL);
	IF v_mode = 'table' THEN
		v_source := 'SELECT * FROM pg_temp.rt_src';
		v_from := 'pg_temp.rt_src AS s';
		SELECT coalesce(array_agg(rt.make_col(o::int, attname::text,
									 quote_ident(attname), atttypid, atttypmod, attcollation)
						 ORDER BY o), '{}')
		INTO v_cols
		FROM (SELECT a.*, row_number() OVER (ORDER BY attnum) AS o
			  FROM pg_catalog.pg_attribute a
			  WHERE attrelid = 'pg_temp.rt_src'::regclass AND attnum > 0) AS a;
	ELSE
		v_source := p_query;
		SELECT coalesce(array_agg(rt.make_col(ordinality, name, 'c' || ordinality,
									 type_oid, typmod, 0) ORDER BY ordinality), '{}')
		INTO v_cols
		FROM rowset_columns(query_to_rowset(p_query));
		v_from := format('(%s) AS s', p_query);
		IF v_cols <> '{}' THEN
			v_from := v_from || (SELECT '(' || string_agg(c.ref, ', ' ORDER BY c.i) || ')'
								 FROM unnest(v_cols) AS c);
		END IF;
	END IF;

	IF v_mode = 'query' THEN
		-- the types are the parser's, not the rowset's
		EXECUTE format('SELECT %s FROM (VALUES (1)) AS one LEFT JOIN %s ON false',
					   rt.typeof_expr(v_cols, 's'), v_from)
		INTO v_got.types;
		SELECT coalesce(array_agg(rt.make_col(c.i, c.name, c.ref, v_got.types[c.i],
											  c.typmod, 0) ORDER BY c.i), '{}')
		INTO v_cols FROM unnest(v_cols) AS c;
		v_got := NULL;
	END IF;

	SELECT coalesce(bool_and(c.sends), true), count(*) = count(DISTINCT c.name)
	INTO v_all_send, v_unique FROM unnest(v_cols) AS c;
	v_list := rt.column_list(v_cols, 'listed', false);
	v_shown_list := rt.column_list(v_cols, 'shown', true);

	-- Which row type can take the rows?  Made before the rows are looked at,
	-- which may be those of a catalogue.
	IF v_mode = 'table'
	   AND NOT EXISTS (SELECT FROM unnest(v_cols) AS c WHERE c.listed <> c.typ) THEN
		v_rowtype := 'pg_temp.rt_src';
	ELSIF v_unique AND v_cols <> '{}'
		AND NOT EXISTS (SELECT FROM unnest(v_cols) AS c
						WHERE c.listed IN ('record'::regtype, 'record[]'::regtype)) THEN
		BEGIN
			EXECUTE format('CREATE TYPE pg_temp.rt_row AS (%s)',
						   rt.column_list(v_cols, 'listed', true));
			v_rowtype := 'pg_temp.rt_row';
		EXCEPTION WHEN invalid_table_definition THEN
			NULL;				-- a catalogue's row type with an anyarray in it
		END;
	END IF;
	v_type_cols := ARRAY(SELECT ROW(c.i, c.name, quote_ident(c.name), c.typ, c.typmod, c.coll,
									c.listed, c.shown, c.sends)::rt.col
						 FROM unnest(v_cols) AS c ORDER BY c.i);

	-- What is expected?
	IF v_mode = 'cursor' THEN
		v_expected := rt.read_statement(p_query, p_bins);
		v_shown := v_expected;
	ELSE
		v_expected := rt.read_from(v_from, v_cols, 's', 'listed', true, p_bins, NULL);
		v_shown := rt.read_from(v_from, v_cols, 's', 'shown', true, p_bins, NULL);
	END IF;
	v_expected.types := (SELECT array_agg(c.listed ORDER BY c.i) FROM unnest(v_cols) AS c);
	v_shown.types := (SELECT array_agg(c.shown ORDER BY c.i) FROM unnest(v_cols) AS c);
	v_fetched := v_shown;
	v_n := cardinality(v_expected.texts);

	-- A second query, for the cursor, without what cannot be sent.
	IF p_bins AND NOT v_all_send AND v_mode <> 'cursor' THEN
		SELECT format('SELECT %s FROM %s',
					  string_agg('s.' || c.ref, ', ' ORDER BY c.i), v_from)
		INTO v_sendable FROM unnest(v_cols) AS c WHERE c.sends;
		v_fetched.bins := (rt.read_from(v_from, ARRAY(SELECT c FROM unnest(v_cols) AS c WHERE c.sends),
										's', 'shown', true, p_bins, NULL)).bins;
	END IF;

	FOREACH v_group IN ARRAY p_groups LOOP
		FOREACH v_method IN ARRAY coalesce(p_methods, rt.methods()) LOOP
			v_where := format('%s, groups of %s, ', v_method,
							  CASE v_group WHEN 0 THEN 'the default' ELSE v_group::text END);
			PERFORM rt.set(v_group, v_method);
			v_rowset := query_to_rowset(v_source);

			IF NOT rowset_is_valid(v_rowset) THEN
				PERFORM rt.differ(v_where || 'rowset_is_valid says no');
			END IF;
			PERFORM rowset_check(v_rowset);
			IF rowset_count(v_rowset) <> v_n THEN
				PERFORM rt.differ(format('%s rowset_count is %s instead of %s',
										 v_where, rowset_count(v_rowset), v_n));
			END IF;
			v_second := query_to_rowset(v_source);
			IF v_second <> v_rowset THEN
				PERFORM rt.differ(v_where || 'the second pack has other bytes');
			END IF;
			PERFORM rt.compare_columns(v_where || 'rowset_columns', v_rowset,
									   v_cols, 'listed');

			-- by column definition list; there is none for no columns
			-- (of a query that is no table, collations are not known)
			IF v_shown_list <> regexp_replace(rowset_column_list(v_rowset),
											  CASE v_mode WHEN 'table' THEN '^$' ELSE ' COLLATE [^,]*' END,
											  '', 'g') THEN
				PERFORM rt.differ(format('%s rowset_column_list is %s instead of %s', v_where,
										 rowset_column_list(v_rowset), v_shown_list));
			END IF;
			IF v_cols <> '{}' THEN
				IF v_unique THEN
					PERFORM rt.compare(v_where || 'by its own list', v_shown,
						rt.read_from(format('rowset_to_recordset($1) AS s(%s)', v_shown_list),
									 v_type_cols, 's', 'shown', false, p_bins, v_rowset));
				END IF;
				IF v_mode = 'table' THEN
					PERFORM rt.compare(v_where || 'by name', v_expected,
						rt.read_from(format('rowset_to_recordset($1) AS s(%s)', v_list),
									 v_cols, 's', 'listed', false, p_bins, v_rowset));
				END IF;
				PERFORM rt.compare(v_where || 'by position', v_expected,
					rt.read_from(format('rowset_to_recordset($1, ''position'') AS s(%s)', v_list),
								 v_cols, 's', 'listed', false, p_bins, v_rowset));
			END IF;

			-- by row type
			IF v_rowtype IS NOT NULL THEN
				PERFORM rt.compare(v_where || 'by row type', v_expected,
					rt.read_from(format('rowset_populate_recordset(NULL::%s, $1) AS s', v_rowtype),
								 v_type_cols, 's', 'listed', false, p_bins, v_rowset));
			END IF;

			-- by cursor
			v_got := rt.read_cursor(v_rowset, p_bins AND v_all_send);
			IF NOT (p_bins AND v_all_send) THEN
				IF v_sendable IS NOT NULL THEN
					v_got.bins := (rt.read_cursor(query_to_rowset(v_sendable), true)).bins;
				ELSE
					v_got.bins := v_fetched.bins;
				END IF;
			END IF;
			PERFORM rt.compare(v_where || 'by cursor', v_fetched, v_got);
		END LOOP;
	END LOOP;

	-- what the cursor says its columns are, as a pack of it lists them
	PERFORM rt.set(0, NULL);
	v_rowset := query_to_rowset(v_source);
	v_cursor := rowset_open(v_rowset);
	PERFORM rt.compare_columns('columns of the cursor',
							   query_to_rowset(format('FETCH ALL FROM %I', v_cursor::text)),
							   v_cols, 'shown');
	CLOSE v_cursor;

	IF v_mode = 'table' AND p_same_bytes AND v_rowset <> query_to_rowset(p_query) THEN
		PERFORM rt.differ('the query and a table of its rows give other bytes');
	END IF;

	IF (SELECT count(*) FROM pg_catalog.pg_cursors) <> v_cursors THEN
		PERFORM rt.differ('a cursor is left open');
	END IF;
END $$;

-- NULL, or the first difference or error.  p_setup runs before, and all is
-- rolled back.  p_same_bytes: the query gives the same rows each time.  p_bins:
-- its rows can be compared in binary; false for records with a field whose type
-- cannot be sent, or comes back as another one (a domain, an untyped NULL).
-- Where all is slow (test/watch), the settings rt.groups and rt.methods say which
-- rows a group and compressions are enough.
CREATE FUNCTION rt.diff(p_query text, p_setup text DEFAULT '',
						p_groups int[] DEFAULT '{1,2,7,1000,0}',
						p_methods text[] DEFAULT NULL,
						p_same_bytes bool DEFAULT true,
						p_bins bool DEFAULT true)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_message text;
	v_detail text;
	v_context text;
BEGIN
	EXECUTE p_setup;
	PERFORM rt.check(p_query,
					 coalesce(current_setting('rt.groups', true)::int[], p_groups),
					 coalesce(current_setting('rt.methods', true)::text[], p_methods),
					 p_same_bytes, p_bins);
	RAISE EXCEPTION USING ERRCODE = 'RTSAM', MESSAGE = 'same';
EXCEPTION
	WHEN SQLSTATE 'RTSAM' THEN
		RETURN NULL;
	WHEN SQLSTATE 'RTDIF' THEN
		RETURN SQLERRM;
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS v_message = MESSAGE_TEXT,
			v_detail = PG_EXCEPTION_DETAIL, v_context = PG_EXCEPTION_CONTEXT;
		RETURN format('error %s: %s (%s) %s', SQLSTATE, v_message, v_detail,
					  left(v_context, 600));
END $$;

-- The SQLSTATE and the text of the error that a statement raises, or NULL.
CREATE FUNCTION rt.error(p_sql text, OUT state text, OUT message text,
						 OUT detail text, OUT hint text, OUT context text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE p_sql;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT,
		context = PG_EXCEPTION_CONTEXT;
END $$;
