--
-- tables.sql
--	  A rowset into a table: the fast way and the executor's give the same, for
--	  each kind of table; nothing is half inserted; transactions; hostile bytes.
--
--	  This file runs outside a transaction and cleans up behind itself.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT no_plan();
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION dblink;
CREATE EXTENSION postgres_fdw;
CREATE SCHEMA tb;
SET search_path = public, tb;

-- Another session of this database.
SELECT dblink_connect('other', connection) AS connected, connection
FROM format('host=%s port=%s dbname=%s user=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
			current_setting('port'), current_database(), current_user) AS connection \gset

--
-- Which way is gone
--

-- Insert what a CHECK constraint refuses; the error's context tells the way.
CREATE FUNCTION tb.way(p_table regclass, p_rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_context text;
BEGIN
	PERFORM rowset_insert(p_table, p_rowset);
	RETURN 'no error';
EXCEPTION WHEN check_violation THEN
	GET STACKED DIAGNOSTICS v_context = PG_EXCEPTION_CONTEXT;
	RETURN CASE WHEN v_context LIKE 'inserting row 1 of a rowset into %' THEN 'batches'
				WHEN v_context LIKE 'SQL statement "INSERT INTO %' THEN 'executor' ELSE v_context END;
END $$;
CREATE FUNCTION tb.as_it_is() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE FUNCTION tb.rows_there() RETURNS bigint LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN (SELECT count(*) FROM tb.k_volatile); END';
CREATE TABLE tb.k_plain (a int CHECK (a < 10), b int);
CREATE UNLOGGED TABLE tb.k_unlogged (LIKE tb.k_plain INCLUDING ALL);
CREATE TEMP TABLE k_temporary (LIKE tb.k_plain INCLUDING ALL);
CREATE TABLE tb.k_child () INHERITS (tb.k_plain);
CREATE TABLE tb.k_serial (a int CHECK (a < 10), b serial, c timestamptz DEFAULT now());
CREATE TABLE tb.k_volatile (a int CHECK (a < 10), b bigint DEFAULT tb.rows_there());
CREATE TABLE tb.k_after (LIKE tb.k_plain INCLUDING ALL);
CREATE TRIGGER t AFTER INSERT ON tb.k_after FOR EACH ROW EXECUTE FUNCTION tb.as_it_is();
CREATE TABLE tb.k_before (LIKE tb.k_plain INCLUDING ALL);
CREATE TRIGGER t BEFORE INSERT ON tb.k_before FOR EACH ROW EXECUTE FUNCTION tb.as_it_is();
CREATE TABLE tb.k_rule (LIKE tb.k_plain INCLUDING ALL);
CREATE RULE r AS ON INSERT TO tb.k_rule DO ALSO SELECT 1;
CREATE TEMP TABLE k_temporary_before (LIKE tb.k_plain INCLUDING ALL);
CREATE TRIGGER t BEFORE INSERT ON k_temporary_before FOR EACH ROW EXECUTE FUNCTION tb.as_it_is();
CREATE TABLE tb.k_update_rule (LIKE tb.k_plain INCLUDING ALL);
CREATE RULE r AS ON UPDATE TO tb.k_update_rule DO ALSO SELECT 1;
CREATE VIEW tb.k_view AS SELECT * FROM tb.k_plain;
CREATE TABLE tb.k_partitioned (LIKE tb.k_plain INCLUDING ALL) PARTITION BY RANGE (a);
CREATE TABLE tb.k_partition PARTITION OF tb.k_partitioned FOR VALUES FROM (0) TO (100);
SELECT format('CREATE SERVER tb_loopback FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L)',
			  split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database()) AS server \gset
:server;
CREATE USER MAPPING FOR CURRENT_USER SERVER tb_loopback;
CREATE TABLE tb.k_far (a int CHECK (a < 10), b int DEFAULT 5);
CREATE FOREIGN TABLE tb.k_foreign (a int CHECK (a < 10), b int) SERVER tb_loopback OPTIONS (schema_name 'tb', table_name 'k_far');
SELECT is(tb.way(name::regclass, query_to_rowset('SELECT 10 AS a')), way, name || ' is filled by ' || way)
FROM (VALUES ('tb.k_plain', 'batches'), ('tb.k_unlogged', 'batches'), ('k_temporary', 'batches'), ('tb.k_child', 'batches'), ('tb.k_serial', 'batches'),
			 ('tb.k_after', 'batches'), ('tb.k_update_rule', 'batches'), ('tb.k_partition', 'batches'), ('tb.k_partitioned', 'batches'),
			 ('tb.k_volatile', 'executor'), ('tb.k_before', 'executor'), ('tb.k_rule', 'executor'), ('k_temporary_before', 'executor'), ('tb.k_view', 'executor'))
	AS v(name, way);

-- and all of them get their rows
SELECT is(rowset_insert(name::regclass, query_to_rowset('SELECT i AS a FROM generate_series(1, 3) AS i')), 3::bigint, 'rows into ' || name)
FROM unnest('{tb.k_plain,tb.k_unlogged,k_temporary,tb.k_child,tb.k_serial,tb.k_after,tb.k_update_rule,tb.k_partition,tb.k_volatile,tb.k_before,tb.k_rule,k_temporary_before,tb.k_view,tb.k_partitioned,tb.k_foreign}'::text[]) AS name;
SELECT results_eq(format('SELECT a FROM %s ORDER BY a', name), 'SELECT a FROM unnest(ARRAY' || rows || ') AS a', 'rows in ' || name)
FROM (VALUES ('ONLY tb.k_plain', '[1, 1, 2, 2, 3, 3]'), ('tb.k_unlogged', '[1, 2, 3]'), ('k_temporary', '[1, 2, 3]'), ('tb.k_child', '[1, 2, 3]'), ('tb.k_serial', '[1, 2, 3]'),
			 ('tb.k_after', '[1, 2, 3]'), ('tb.k_update_rule', '[1, 2, 3]'), ('tb.k_volatile', '[1, 2, 3]'), ('tb.k_before', '[1, 2, 3]'), ('tb.k_rule', '[1, 2, 3]'), ('k_temporary_before', '[1, 2, 3]'),
			 ('tb.k_partitioned', '[1, 1, 2, 2, 3, 3]'), ('tb.k_far', '[1, 2, 3]')) AS v(name, rows);
SELECT is(array_agg(b ORDER BY a), '{0,1,2}', 'a default that looks at the table sees the rows before its own') FROM tb.k_volatile;
SELECT is(array_agg(b ORDER BY a), '{2,3,4}', 'a sequence is asked once a row') FROM tb.k_serial;

-- an error's context tells the row
CREATE FUNCTION tb.failing_row(p_table regclass, p_rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_context text;
BEGIN
	PERFORM rowset_insert(p_table, p_rowset);
	RETURN NULL;
EXCEPTION WHEN check_violation OR unique_violation OR string_data_right_truncation THEN
	GET STACKED DIAGNOSTICS v_context = PG_EXCEPTION_CONTEXT;
	RETURN substring(v_context FROM 'inserting .*? into');
END $$;
CREATE TABLE tb.f_leaves (a int CHECK (a <> 1777), b int UNIQUE, c varchar(5));
CREATE TABLE tb.f_root (a int CHECK (a <> 1777), b int) PARTITION BY LIST (b);
CREATE TABLE tb.f_leaf_0 PARTITION OF tb.f_root FOR VALUES IN (0);
CREATE TABLE tb.f_leaf_1 PARTITION OF tb.f_root FOR VALUES IN (1);
CREATE UNIQUE INDEX ON tb.f_leaf_1 (a);
CREATE TRIGGER t BEFORE INSERT ON tb.f_leaf_1 FOR EACH ROW EXECUTE FUNCTION tb.as_it_is();
SELECT is(tb.failing_row(name::regclass, query_to_rowset(query)), context, 'an error''s context: ' || context || ' ' || name)
FROM (VALUES ('tb.f_leaves', 'SELECT i AS a FROM generate_series(1, 2000) AS i', 'inserting row 1777 of a rowset into'),
			 ('tb.f_leaves', 'SELECT i % 1234 AS b FROM generate_series(1, 1500) AS i', 'inserting row 1235 of a rowset into'),
			 ('tb.f_leaves', 'SELECT ''too long'' AS c', 'inserting a rowset into'),
			 ('tb.f_root', 'SELECT i AS a, i % 2 AS b FROM generate_series(1, 2000) AS i', 'inserting row 1777 of a rowset into'),
			 ('tb.f_root', 'SELECT i AS a, 0 AS b FROM generate_series(1, 2000) AS i', 'inserting row 1777 of a rowset into'),
			 ('tb.f_root', 'SELECT i % 1000 AS a, i % 2 AS b FROM generate_series(1, 1500) AS i', 'inserting row 1001 of a rowset into')) AS v(name, query, context);

--
-- Side by side: each case makes a table, fills it both ways, and tells what can
-- be seen: the error, or the rows and what triggers have noted.  The executor is
-- asked for a table that has a BEFORE trigger, which changes nothing.
--
CREATE TABLE tb.note (ord serial, note text);
CREATE FUNCTION tb.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO tb.note (note) VALUES (concat_ws(' ', TG_WHEN, TG_LEVEL, TG_OP, CASE WHEN TG_LEVEL = 'ROW' THEN NEW::text END, (SELECT count(*) FROM tb.twin)));
	RETURN NULL;
END $$;
CREATE FUNCTION tb.note_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO tb.note (note) SELECT concat_ws(' ', TG_WHEN, TG_LEVEL, count(*), min(n::text), max(n::text)) FROM fresh AS n;
	RETURN NULL;
END $$;
CREATE FUNCTION tb.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE 'refused' USING ERRCODE = 'P0042', DETAIL = NEW::text;
END $$;
CREATE FUNCTION tb.audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM rowset_insert('tb.audited', record_to_rowset(NEW));
	RETURN NULL;
END $$;
CREATE TABLE tb.audited (a int, b text, noted int DEFAULT 1);
CREATE TABLE tb.master (id int PRIMARY KEY);
INSERT INTO tb.master SELECT i FROM generate_series(1, 2000) AS i;
CREATE DOMAIN tb.small AS int CHECK (VALUE < 5000);
CREATE DOMAIN tb.given AS int DEFAULT 3 NOT NULL;

CREATE FUNCTION tb.count_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.n := (SELECT count(*) FROM tb.twin);
	RETURN CASE WHEN NEW.a % 100 = 0 THEN NULL ELSE NEW END;
END $$;
CREATE FUNCTION tb.move_away() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.a := NEW.a + 1000; RETURN NEW; END';
CREATE FUNCTION tb.leaves(n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 0 .. n - 1 LOOP
		EXECUTE format('CREATE TABLE tb.leaf_%s PARTITION OF tb.twin FOR VALUES WITH (MODULUS %s, REMAINDER %s)', i, n, i);
	END LOOP;
END $$;
CREATE TABLE tb.far_leaf (a int, b text, CHECK (b <> 'refused'));
CREATE FUNCTION tb.attempt(p_ddl text, p_query text, p_executor bool) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_result text;
	v_detail text;
BEGIN
	BEGIN
		EXECUTE p_ddl;
		IF p_executor THEN
			CREATE TRIGGER aa_before BEFORE INSERT ON tb.twin FOR EACH ROW EXECUTE FUNCTION tb.as_it_is();
		END IF;
		v_result := 'inserted ' || rowset_insert('tb.twin', query_to_rowset(p_query));
		SET CONSTRAINTS ALL IMMEDIATE;
		SELECT concat_ws(E'\n', v_result, count(*), md5(string_agg(t::text, E'\n' ORDER BY t::text COLLATE "C")), string_agg(t::text, E'\n') FILTER (WHERE length(t::text) < 50 AND n <= 3))
		INTO v_result FROM (SELECT t, row_number() OVER (ORDER BY t.tableoid, t.ctid) AS n FROM tb.twin AS t) AS t;
		SELECT concat_ws(E'\n', v_result, string_agg(note, E'\n' ORDER BY ord)) INTO v_result FROM tb.note;
		SELECT concat_ws(E'\n', v_result, string_agg(t::text, E'\n' ORDER BY t)) INTO v_result FROM tb.audited AS t;
		RAISE SQLSTATE 'P0099';
	EXCEPTION WHEN SQLSTATE 'P0099' THEN
		RETURN v_result;
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS v_detail = PG_EXCEPTION_DETAIL;
		RETURN concat_ws(E'\n', SQLSTATE, SQLERRM, v_detail);
	END;
END $$;

CREATE TABLE tb.side (ord serial, name text, ddl text, query text, expected text);
INSERT INTO tb.side (name, ddl, query, expected) VALUES
('many rows', 'CREATE TABLE tb.twin (a int, b text)', 'SELECT i AS a, repeat(''x'', i % 100) AS b FROM generate_series(1, 5000) AS i', 'inserted 5000%'),
('wide rows', 'CREATE TABLE tb.twin (a int, b text, c text); ALTER TABLE tb.twin ALTER b SET STORAGE EXTERNAL', 'SELECT i AS a, repeat(md5(i::text), 20000) AS b, repeat(''y'', 7000) AS c FROM generate_series(1, 10) AS i', 'inserted 10%'),
('dropped columns', 'CREATE TABLE tb.twin (x int, a int, y text, b text, z int DEFAULT 9); ALTER TABLE tb.twin DROP x, DROP y, ADD q int DEFAULT 8', 'SELECT ''x''::text AS b, 1 AS a', 'inserted 1' || E'\n' || '1%(1,x,9,8)%'),
('nothing but defaults', 'CREATE TABLE tb.twin (a serial, b date DEFAULT date ''2001-02-03'')', 'SELECT FROM generate_series(1, 1500)', 'inserted 1500%'),
('a default that a domain has', 'CREATE TABLE tb.twin (a int, d tb.given)', 'SELECT 1 AS a', '%(1,3)%'),
('a domain that refuses NULL', 'CREATE TABLE tb.twin (a int, d tb.given DEFAULT NULL)', 'SELECT 1 AS a', '23502%'),
('a domain that refuses a value', 'CREATE TABLE tb.twin (a tb.small)', 'SELECT i AS a FROM generate_series(4000, 6000) AS i', '23514%'),
('identity', 'CREATE TABLE tb.twin (a int GENERATED ALWAYS AS IDENTITY, b int GENERATED BY DEFAULT AS IDENTITY (START 50), c text)', 'SELECT ''x'' AS c FROM generate_series(1, 3)', '%(1,50,x)%'),
('identity by default', 'CREATE TABLE tb.twin (a int GENERATED BY DEFAULT AS IDENTITY, b text)', 'SELECT 5 AS a', '%(5,)%'),
('identity always', 'CREATE TABLE tb.twin (a int GENERATED ALWAYS AS IDENTITY, b text)', 'SELECT 5 AS a', '428C9%'),
('generated columns', 'CREATE TABLE tb.twin (a int, b text GENERATED ALWAYS AS (repeat(''x'', a)) STORED, c int GENERATED ALWAYS AS (a + 1) STORED, d int)', 'SELECT i AS a, -i AS c, i AS d FROM generate_series(1, 2000) AS i', 'inserted 2000%(1,x,2,1)%'),
('a generated column that fails', 'CREATE TABLE tb.twin (a int, b int GENERATED ALWAYS AS (10 / a) STORED)', 'SELECT 2 - i AS a FROM generate_series(0, 5) AS i', '22012%'),
('check on a generated column', 'CREATE TABLE tb.twin (a int, b int GENERATED ALWAYS AS (a + 1) STORED CHECK (b < 1003))', 'SELECT i AS a FROM generate_series(1, 2000) AS i', '23514%(1002, 1003)%'),
('not null', 'CREATE TABLE tb.twin (a int, b text NOT NULL)', 'SELECT i AS a, nullif(i::text, ''1500'') AS b FROM generate_series(1, 2000) AS i', '23502%(1500, null)%'),
('not null without a value', 'CREATE TABLE tb.twin (a int, b text NOT NULL)', 'SELECT 1 AS a', '23502%'),
('unique', 'CREATE TABLE tb.twin (a int UNIQUE)', 'SELECT i % 1500 AS a FROM generate_series(1, 2000) AS i', '23505%(1)%'),
('unique, deferred', 'CREATE TABLE tb.twin (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)', 'SELECT i % 1500 AS a FROM generate_series(1, 2000) AS i', '23505%(1)%'),
('unique, deferred and kept', 'CREATE TABLE tb.twin (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)', 'SELECT i AS a FROM generate_series(1, 2000) AS i', 'inserted 2000%'),
('exclusion', 'CREATE TABLE tb.twin (a int, EXCLUDE USING gist (a WITH =))', 'SELECT i % 150 AS a FROM generate_series(1, 200) AS i', '23P01%'),
('indexes', 'CREATE TABLE tb.twin (a int, b text); CREATE INDEX ON tb.twin ((a % 7)) WHERE a > 100; CREATE UNIQUE INDEX ON tb.twin (lower(b)); CREATE INDEX ON tb.twin USING brin (a); CREATE INDEX ON tb.twin USING gin (string_to_array(b, ''''))',
 'SELECT i AS a, i::text AS b FROM generate_series(1, 1200) AS i', 'inserted 1200%'),
('an index whose expression fails', 'CREATE TABLE tb.twin (a int); CREATE INDEX ON tb.twin ((1 / a))', 'SELECT i - 1100 AS a FROM generate_series(1, 1200) AS i', '22012%'),
('foreign key', 'CREATE TABLE tb.twin (a int REFERENCES tb.master)', 'SELECT i AS a FROM generate_series(1, 2000) AS i', 'inserted 2000%'),
('foreign key that fails', 'CREATE TABLE tb.twin (a int REFERENCES tb.master)', 'SELECT i AS a FROM generate_series(1500, 2100) AS i', '23503%(2001)%'),
('foreign key, deferred', 'CREATE TABLE tb.twin (a int REFERENCES tb.master DEFERRABLE INITIALLY DEFERRED)', 'SELECT i AS a FROM generate_series(1500, 2100) AS i', '23503%(2001)%'),
('foreign key to itself', 'CREATE TABLE tb.twin (a int PRIMARY KEY, b int REFERENCES tb.twin)', 'SELECT i AS a, 2001 - i AS b FROM generate_series(1, 2000) AS i', 'inserted 2000%'),
('statement triggers', 'CREATE TABLE tb.twin (a int); CREATE TRIGGER s1 BEFORE INSERT ON tb.twin EXECUTE FUNCTION tb.note(); CREATE TRIGGER s2 AFTER INSERT ON tb.twin EXECUTE FUNCTION tb.note()', 'SELECT 1 AS a FROM generate_series(1, 1500)', '%BEFORE STATEMENT INSERT 0%AFTER STATEMENT INSERT 1500%'),
('statement triggers without rows', 'CREATE TABLE tb.twin (a int); CREATE TRIGGER s1 BEFORE INSERT ON tb.twin EXECUTE FUNCTION tb.note(); CREATE TRIGGER s2 AFTER INSERT ON tb.twin EXECUTE FUNCTION tb.note()', 'SELECT 1 AS a WHERE false', '%BEFORE STATEMENT INSERT 0%AFTER STATEMENT INSERT 0%'),
('after each row', 'CREATE TABLE tb.twin (a int, b text); CREATE TRIGGER r AFTER INSERT ON tb.twin FOR EACH ROW WHEN (NEW.a % 500 = 0) EXECUTE FUNCTION tb.note()', 'SELECT i AS a, ''v'' || i AS b FROM generate_series(1, 1600) AS i', '%AFTER ROW INSERT (500,v500) 1600%AFTER ROW INSERT (1500,v1500) 1600%'),
('a constraint trigger', 'CREATE TABLE tb.twin (a int); CREATE CONSTRAINT TRIGGER c AFTER INSERT ON tb.twin DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.a = 1400) EXECUTE FUNCTION tb.refuse()', 'SELECT i AS a FROM generate_series(1, 1600) AS i', 'P0042%(1400)%'),
('transition table', 'CREATE TABLE tb.twin (a int, b int DEFAULT 4); CREATE TRIGGER n AFTER INSERT ON tb.twin REFERENCING NEW TABLE AS fresh EXECUTE FUNCTION tb.note_all()', 'SELECT i AS a FROM generate_series(1001, 2600) AS i', '%AFTER STATEMENT 1600 (1001,4) (2600,4)%'),
('a trigger that inserts a rowset', 'CREATE TABLE tb.twin (a int, b text); CREATE TRIGGER r AFTER INSERT ON tb.twin FOR EACH ROW EXECUTE FUNCTION tb.audit()', 'SELECT i AS a, ''v'' || i AS b FROM generate_series(1, 30) AS i', '%(1,v1,1)%(30,v30,1)%'),
('a disabled trigger', 'CREATE TABLE tb.twin (a int); CREATE TRIGGER r AFTER INSERT ON tb.twin FOR EACH ROW EXECUTE FUNCTION tb.refuse(); ALTER TABLE tb.twin DISABLE TRIGGER r', 'SELECT 1 AS a', 'inserted 1%'),
('a partition by itself', 'CREATE TABLE tb.whole (a int, b text) PARTITION BY LIST (a); CREATE TABLE tb.twin PARTITION OF tb.whole FOR VALUES IN (1, 2)', 'SELECT 1 + i % 2 AS a, ''x''::text AS b FROM generate_series(1, 2000) AS i', 'inserted 2000%'),
('a partition that refuses a row', 'CREATE TABLE tb.whole (a int, b text) PARTITION BY LIST (a); CREATE TABLE tb.twin PARTITION OF tb.whole FOR VALUES IN (1, 2)', 'SELECT i / 1000 AS a FROM generate_series(1000, 3500) AS i', '23514%(3, null)%'),
('many partitions', 'CREATE TABLE tb.twin (a int, b text) PARTITION BY HASH (a); SELECT tb.leaves(50)', 'SELECT i * 7919 % 5000 AS a, ''x'' || i AS b FROM generate_series(1, 5000) AS i', 'inserted 5000%'),
('partitions of another shape', 'CREATE TABLE tb.twin (a int, gone int, b text DEFAULT ''d'', c int GENERATED ALWAYS AS (a + 1) STORED) PARTITION BY RANGE (a); ALTER TABLE tb.twin DROP gone; CREATE TABLE tb.leaf_1 (c int GENERATED ALWAYS AS (a + 1) STORED, b text, x int, a int); ALTER TABLE tb.leaf_1 DROP x; ALTER TABLE tb.twin ATTACH PARTITION tb.leaf_1 FOR VALUES FROM (0) TO (100); CREATE TABLE tb.leaf_2 PARTITION OF tb.twin FOR VALUES FROM (100) TO (5000) PARTITION BY LIST (b); CREATE TABLE tb.leaf_3 PARTITION OF tb.leaf_2 FOR VALUES IN (''d''); CREATE TABLE tb.leaf_4 PARTITION OF tb.leaf_2 DEFAULT',
 'SELECT i AS a, 5 AS c FROM generate_series(1, 2000) AS i', 'inserted 2000%(1,d,2)%'),
('a row without a partition', 'CREATE TABLE tb.twin (a int) PARTITION BY RANGE (a); CREATE TABLE tb.leaf_1 PARTITION OF tb.twin FOR VALUES FROM (0) TO (1100)', 'SELECT i AS a FROM generate_series(1, 2000) AS i', '23514%no partition of relation "twin" found for row%(1100)%'),
('a key of NULL', 'CREATE TABLE tb.twin (a int, b int) PARTITION BY LIST (a); CREATE TABLE tb.leaf_1 PARTITION OF tb.twin FOR VALUES IN (NULL)', 'SELECT NULL::int AS a, i AS b FROM generate_series(1, 1200) AS i', 'inserted 1200%'),
('keys, indexes and constraints of partitions', 'CREATE TABLE tb.twin (a int PRIMARY KEY, b int REFERENCES tb.master CHECK (b <> 1990)) PARTITION BY HASH (a); SELECT tb.leaves(3); CREATE INDEX ON tb.leaf_1 (b)', 'SELECT i AS a, i AS b FROM generate_series(1, 1989) AS i', 'inserted 1989%'),
('a constraint of partitions that fails', 'CREATE TABLE tb.twin (a int, b int CHECK (b <> 1990)) PARTITION BY HASH (a); SELECT tb.leaves(3)', 'SELECT i AS a, i AS b FROM generate_series(1, 2000) AS i', '23514%(1990, 1990)%'),
('a key of partitions twice', 'CREATE TABLE tb.twin (a int PRIMARY KEY) PARTITION BY HASH (a); SELECT tb.leaves(3)', 'SELECT i % 1500 AS a FROM generate_series(1, 2000) AS i', '23505%'),
('a foreign key of partitions that fails', 'CREATE TABLE tb.twin (a int REFERENCES tb.master) PARTITION BY HASH (a); SELECT tb.leaves(2)', 'SELECT i AS a FROM generate_series(1500, 2001) AS i', '23503%(2001)%'),
('a trigger before rows of one partition', 'CREATE TABLE tb.twin (a int, n int) PARTITION BY HASH (a); SELECT tb.leaves(2); CREATE TRIGGER n BEFORE INSERT ON tb.leaf_1 FOR EACH ROW EXECUTE FUNCTION tb.count_before()', 'SELECT i AS a FROM generate_series(1, 1500) AS i', 'inserted 149%'),
('a trigger that moves rows away', 'CREATE TABLE tb.twin (a int, n int) PARTITION BY RANGE (a); CREATE TABLE tb.leaf_1 PARTITION OF tb.twin FOR VALUES FROM (0) TO (1100); CREATE TRIGGER n BEFORE INSERT ON tb.leaf_1 FOR EACH ROW EXECUTE FUNCTION tb.move_away()', 'SELECT i AS a FROM generate_series(1, 200) AS i', '23514%(1100, null)%'),
('a trigger after rows of one partition', 'CREATE TABLE tb.twin (a int) PARTITION BY HASH (a); SELECT tb.leaves(2); CREATE TRIGGER n AFTER INSERT ON tb.leaf_1 FOR EACH ROW WHEN (NEW.a % 50 = 0) EXECUTE FUNCTION tb.note()', 'SELECT i AS a FROM generate_series(1, 1500) AS i', '%AFTER ROW INSERT (%) 1500%'),
('triggers after rows of all partitions', 'CREATE TABLE tb.twin (a int) PARTITION BY HASH (a); SELECT tb.leaves(3); CREATE TRIGGER n AFTER INSERT ON tb.twin FOR EACH ROW WHEN (NEW.a % 50 = 0) EXECUTE FUNCTION tb.note(); CREATE TRIGGER s AFTER INSERT ON tb.twin EXECUTE FUNCTION tb.note()', 'SELECT i AS a FROM generate_series(1, 1500) AS i', '%AFTER ROW INSERT (50) 1500%AFTER ROW INSERT (1500) 1500%AFTER STATEMENT INSERT 1500%'),
('a transition table of a partitioned table', 'CREATE TABLE tb.twin (a int, b int DEFAULT 4) PARTITION BY HASH (a); SELECT tb.leaves(3); CREATE TRIGGER n AFTER INSERT ON tb.twin REFERENCING NEW TABLE AS fresh EXECUTE FUNCTION tb.note_all()', 'SELECT i AS a FROM generate_series(1001, 2600) AS i', '%AFTER STATEMENT 1600 (1001,4) (2600,4)%'),
('a foreign partition', 'CREATE TABLE tb.twin (a int, b text DEFAULT ''d'') PARTITION BY LIST (a); CREATE TABLE tb.leaf_1 PARTITION OF tb.twin FOR VALUES IN (1); CREATE FOREIGN TABLE tb.leaf_2 PARTITION OF tb.twin FOR VALUES IN (2) SERVER tb_loopback OPTIONS (table_name ''far_leaf'', schema_name ''tb'', batch_size ''10'')', 'SELECT 1 + i % 2 AS a FROM generate_series(1, 300) AS i', 'inserted 300%'),
('a foreign partition that refuses a row', 'CREATE TABLE tb.twin (a int, b text) PARTITION BY LIST (a); CREATE TABLE tb.leaf_1 PARTITION OF tb.twin FOR VALUES IN (1); CREATE FOREIGN TABLE tb.leaf_2 PARTITION OF tb.twin FOR VALUES IN (2) SERVER tb_loopback OPTIONS (table_name ''far_leaf'', schema_name ''tb'')', 'SELECT 1 + i % 2 AS a, CASE WHEN i = 31 THEN ''refused'' ELSE ''d'' END AS b FROM generate_series(1, 300) AS i', '23514%refused%'),
('an array, a composite and a range', 'CREATE TABLE tb.twin (a int[], c tb.master, r int4range, j jsonb)', 'SELECT ARRAY[1, NULL, 3] AS a, ROW(4)::tb.master AS c, int4range(1, 5) AS r, ''{"k": 1}''::jsonb AS j FROM generate_series(1, 1100)', 'inserted 1100%'),
('casts', 'CREATE TABLE tb.twin (a smallint, b varchar(3), c text, d numeric(4,1))', 'SELECT 5::bigint AS a, ''abc   ''::text AS b, 7 AS c, 1.25::float8 AS d', '%(5,abc,7,1.3)%'),
('a value out of range', 'CREATE TABLE tb.twin (a smallint)', 'SELECT 32767 + i AS a FROM generate_series(0, 1) AS i', '22003%'),
('a value too long', 'CREATE TABLE tb.twin (b varchar(3))', 'SELECT repeat(''x'', i) AS b FROM generate_series(1, 4) AS i', '22001%'),
('a type without a cast', 'CREATE TABLE tb.twin (a int)', 'SELECT ''1''::text AS a', '42804%'),
('a column too many', 'CREATE TABLE tb.twin (a int)', 'SELECT 1 AS a, 2 AS b', '42703%The relation''s columns are: "a".%'),
('a column twice', 'CREATE TABLE tb.twin (a int)', 'SELECT 1 AS a, 2 AS a', '42702%');
SELECT is(tb.attempt(ddl, query, false), tb.attempt(ddl, query, true), 'both ways: ' || name) FROM tb.side ORDER BY ord;
SELECT alike(tb.attempt(ddl, query, false), expected, 'as expected: ' || name) FROM tb.side ORDER BY ord;

--
-- What the executor sees to
--
CREATE TABLE tb.secured (a int, owner name DEFAULT current_user);
ALTER TABLE tb.secured ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tb.secured WITH CHECK (owner = current_user AND a < 10);
CREATE ROLE tb_user;
GRANT USAGE ON SCHEMA tb TO tb_user;
GRANT INSERT ON tb.secured TO tb_user;
SELECT is(rowset_insert('tb.secured', query_to_rowset('SELECT 100 AS a')), 1::bigint, 'row security lets its owner insert');
SET ROLE tb_user;
SELECT is(rowset_insert('tb.secured', query_to_rowset('SELECT i AS a FROM generate_series(1, 9) AS i')), 9::bigint, 'row security lets rows pass');
SELECT throws_ok($$SELECT rowset_insert('tb.secured', query_to_rowset('SELECT i AS a FROM generate_series(1, 10) AS i'))$$, '42501',
				 'new row violates row-level security policy for table "secured"', 'row security refuses a row');
SET row_security = off;
SELECT throws_ok($$SELECT rowset_insert('tb.secured', query_to_rowset('SELECT 1 AS a'))$$, '42501',
				 'query would be affected by row-level security policy for table "secured"', 'row security that is off is an error');
RESET row_security;
RESET ROLE;
SELECT is(count(*), 10::bigint, 'row security: nothing but what has passed') FROM tb.secured;

CREATE TABLE tb.ruled (a int, b text);
CREATE TABLE tb.ruled_log (a int);
CREATE RULE also AS ON INSERT TO tb.ruled DO ALSO INSERT INTO tb.ruled_log VALUES (NEW.a);
SELECT is(rowset_insert('tb.ruled', query_to_rowset('SELECT i AS a FROM generate_series(1, 5) AS i')), 5::bigint, 'a rule DO ALSO');
SELECT is((SELECT count(*) FROM tb.ruled_log), 5::bigint, 'and what it does');
CREATE RULE nothing AS ON INSERT TO tb.ruled DO INSTEAD NOTHING;
SELECT is(rowset_insert('tb.ruled', query_to_rowset('SELECT 6 AS a')), 0::bigint, 'a rule DO INSTEAD NOTHING');
SELECT is((SELECT count(*) FROM tb.ruled), 5::bigint, 'and nothing is done');

CREATE VIEW tb.joined AS SELECT a, 'x'::text AS b FROM tb.ruled GROUP BY a;
SELECT throws_ok($$SELECT rowset_insert('tb.joined', query_to_rowset('SELECT 1 AS a'))$$, '55000', 'cannot insert into view "joined"', 'a view that is not updatable');
CREATE FUNCTION tb.instead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.a = 2 THEN
		RETURN NULL;
	END IF;
	INSERT INTO tb.ruled_log VALUES (NEW.a * 100);
	RETURN NEW;
END $$;
CREATE TRIGGER i INSTEAD OF INSERT ON tb.joined FOR EACH ROW EXECUTE FUNCTION tb.instead();
SELECT is(rowset_insert('tb.joined', query_to_rowset('SELECT i AS a, ''y''::text AS b FROM generate_series(1, 3) AS i')), 2::bigint, 'INSTEAD OF triggers; one row is passed over');
SELECT is(array_agg(a ORDER BY a), '{100,300}', 'INSTEAD OF triggers have run') FROM tb.ruled_log WHERE a >= 100;
CREATE VIEW tb.checked AS SELECT a, b FROM tb.k_after WHERE a < 5 WITH CHECK OPTION;
SELECT throws_ok($$SELECT rowset_insert('tb.checked', query_to_rowset('SELECT 6 AS a'))$$, '44000', 'new row violates check option for view "checked"', 'a view WITH CHECK OPTION');

SELECT throws_ok($$SELECT rowset_insert('tb.k_partitioned', query_to_rowset('SELECT -1 AS a'))$$, '23514', 'no partition of relation "k_partitioned" found for row', 'a row without a partition');
SELECT throws_ok(format('SELECT rowset_insert(%L, query_to_rowset(''SELECT 1 AS a''))', name), state, NULL, 'no table: ' || name)
FROM (VALUES ('tb.side_ord_seq', '42809'), ('tb.master_pkey', '42809'), ('4000000000', '42P01'), ('tb.no', '42P01')) AS v(name, state);
SELECT throws_ok($$SELECT rowset_insert('pg_catalog.pg_am', query_to_rowset('SELECT 1::oid AS oid'))$$, '23502', NULL, 'a catalogue is inserted into as INSERT does');

--
-- Rights
--
GRANT INSERT (a) ON tb.k_after TO tb_user;
GRANT INSERT (id) ON tb.master TO tb_user;
CREATE SCHEMA tb_closed;
CREATE TABLE tb_closed.closed_plain (a int);
CREATE TABLE tb_closed.closed_before (a int);
CREATE TRIGGER t BEFORE INSERT ON tb_closed.closed_before FOR EACH ROW EXECUTE FUNCTION tb.as_it_is();
GRANT INSERT ON ALL TABLES IN SCHEMA tb_closed TO tb_user;
SELECT format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()) AS revoke \gset
:revoke;
SET ROLE tb_user;
SELECT throws_ok(format('SELECT rowset_insert(%L, query_to_rowset(''SELECT 1 AS a, 2 AS b''))', name), '42501', 'permission denied for table ' || name, 'rights: on columns of ' || name)
FROM unnest('{k_after,k_plain,k_before}'::text[]) AS name;
SELECT is(rowset_insert('tb.k_after', query_to_rowset('SELECT 1 AS a')), 1::bigint, 'rights: the one column');
SELECT is(rowset_insert('tb.master', query_to_rowset('SELECT i AS id FROM generate_series(3001, 3002) AS i')), 2::bigint, 'rights: all columns');
SELECT throws_ok(format('SELECT rowset_insert(%s, query_to_rowset(''SELECT 1 AS a''))', oid), '42501', 'permission denied for schema tb_closed', 'rights: USAGE on the schema of ' || relname)
FROM pg_catalog.pg_class WHERE relname IN ('closed_plain', 'closed_before');
SELECT throws_ok($$SELECT rowset_create_table(query_to_rowset('SELECT 1 AS a'), 'tb_no', true)$$, '42501', NULL, 'rights: TEMPORARY on the database');
SELECT throws_ok($$SELECT rowset_create_table(query_to_rowset('SELECT 1 AS a'), 'tb.tb_no', false)$$, '42501', 'permission denied for schema tb', 'rights: CREATE on the schema');
RESET ROLE;
SELECT replace(replace(:'revoke', 'REVOKE', 'GRANT'), 'FROM', 'TO') AS grant \gset
:grant;
SET ROLE tb_user;
SELECT is(rowset_create_table(query_to_rowset('SELECT 1 AS a'), 'tb_yes'), 1::bigint, 'rights: TEMPORARY given back');
SELECT is(relowner::regrole::text, 'tb_user', 'a table is its creator''s') FROM pg_class WHERE oid = 'tb_yes'::regclass;
DROP TABLE tb_yes;
RESET ROLE;

-- an event trigger that changes what is made
CREATE FUNCTION tb.alter_it() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	ALTER TABLE tb.changed ADD more int DEFAULT 9, ALTER a TYPE bigint, ADD CHECK (a < 5);
END $$;
CREATE EVENT TRIGGER tb_alter ON ddl_command_end WHEN tag IN ('CREATE TABLE') EXECUTE FUNCTION tb.alter_it();
SELECT is(rowset_create_table(query_to_rowset('SELECT i AS a FROM generate_series(1, 4) AS i'), 'tb.changed', false), 4::bigint, 'an event trigger changes the table');
SELECT is(sum(a + more), 46::numeric, 'and its rows') FROM tb.changed;
DROP TABLE tb.changed;
SELECT throws_ok($$SELECT rowset_create_table(query_to_rowset('SELECT i AS a FROM generate_series(1, 5) AS i'), 'tb.changed', false)$$, '23514', NULL, 'and refuses a row');
SELECT is(to_regclass('tb.changed'), NULL, 'the table is gone then');
CREATE OR REPLACE FUNCTION tb.alter_it() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN DROP TABLE tb.changed; END';
SELECT throws_ok($$SELECT rowset_create_table(query_to_rowset('SELECT 1 AS a'), 'tb.changed', false)$$, '42P01', 'relation "changed" does not exist', 'an event trigger drops the table');
DROP EVENT TRIGGER tb_alter;

-- every type of a catalogue, and a table made twice over
SELECT lives_ok(format('SELECT rowset_create_table(table_to_rowset(%L), ''tb.again'', false)', c.oid::regclass), 'a table of the columns of ' || c.oid::regclass)
FROM (VALUES ('pg_class'::regclass), ('pg_proc'), ('pg_type')) AS c(oid) LIMIT 1;
SELECT results_eq('SELECT oid, relname, relacl::text, reloptions FROM pg_class WHERE oid < 16384 ORDER BY 1', 'SELECT oid, relname, relacl::text, reloptions FROM tb.again WHERE oid < 16384 ORDER BY 1', 'its rows');
SELECT is(md5(rowset_column_list(table_to_rowset('tb.again'))), md5(rowset_column_list(table_to_rowset('pg_class'))), 'its columns');
DROP TABLE tb.again;

--
-- Transactions
--
CREATE TABLE tb.kept (a int UNIQUE, b text);
CREATE TABLE tb.kept_row (a int UNIQUE, b text);
CREATE TRIGGER t BEFORE INSERT ON tb.kept_row FOR EACH ROW EXECUTE FUNCTION tb.as_it_is();
CREATE TABLE tb.source AS SELECT 'good' AS name, query_to_rowset('SELECT i AS a, ''b'' || i AS b FROM generate_series(1, 3000) AS i') AS r
UNION ALL SELECT 'bad', query_to_rowset('SELECT i % 2500 + 10000 AS a FROM generate_series(1, 3000) AS i');

-- a row that fails in the middle, in a subtransaction, at a savepoint, and by itself
CREATE FUNCTION tb.try_both(p_table regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_first bigint := rowset_insert(p_table, (SELECT r FROM tb.source WHERE name = 'good'));
BEGIN
	BEGIN
		PERFORM rowset_insert(p_table, (SELECT r FROM tb.source WHERE name = 'bad'));
	EXCEPTION WHEN unique_violation THEN
		RETURN v_first || ' and ' || rowset_insert(p_table, query_to_rowset('SELECT -1 AS a'));
	END;
END $$;
SELECT is(tb.try_both(name::regclass), '3000 and 1', 'an EXCEPTION block goes on: ' || name) FROM unnest('{tb.kept,tb.kept_row}'::text[]) AS name;
SELECT is((SELECT count(*) FROM tb.kept), 3001::bigint, 'what failed in it has left nothing');
SELECT is((SELECT count(*) FROM tb.kept_row), 3001::bigint, 'nor the other way');
BEGIN;
SAVEPOINT s;
SELECT is(rowset_insert(name::regclass, query_to_rowset('SELECT -2 - i AS a FROM generate_series(1, 1200) AS i')), 1200::bigint, 'rows after a savepoint: ' || name) FROM unnest('{tb.kept,tb.kept_row}'::text[]) AS name;
ROLLBACK TO s;
SELECT is((SELECT count(*) FROM tb.kept), 3001::bigint, 'that is rolled back to');
SELECT is((SELECT count(*) FROM tb.kept_row), 3001::bigint, 'the other way, too');
SELECT is(rowset_insert('tb.kept', query_to_rowset('SELECT -2 AS a')), 1::bigint, 'and more can be inserted');
SAVEPOINT t;
SELECT is(rowset_create_table(r, 'tb_gone'), 3000::bigint, 'a table in a subtransaction') FROM tb.source WHERE name = 'good';
ROLLBACK TO t;
SELECT is(to_regclass('tb_gone'), NULL, 'goes with it');
COMMIT;
SELECT is((SELECT count(*) FROM tb.kept), 3002::bigint, 'what was inserted is kept');

-- commits and rollbacks in a procedure
CREATE PROCEDURE tb.in_turn() LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea := query_to_rowset('SELECT i AS a FROM generate_series(1, 1500) AS i');
BEGIN
	FOR i IN 1 .. 6 LOOP
		PERFORM rowset_create_table(v_rowset, 'tb.turn_' || i, false);
		PERFORM rowset_insert('tb.turn_' || i, v_rowset);
		IF i % 2 = 0 THEN
			ROLLBACK;
		ELSE
			COMMIT;
		END IF;
	END LOOP;
END $$;
CALL tb.in_turn();
SELECT is(array_agg(relname::text ORDER BY relname), '{turn_1,turn_3,turn_5}', 'a procedure that commits now and then') FROM pg_class WHERE relnamespace = 'tb'::regnamespace AND relname LIKE 'turn%';
SELECT is((SELECT count(*) FROM tb.turn_5), 3000::bigint, 'and the rows of what it has committed');

-- what is seen when
SELECT is(rowset_insert('tb.turn_1', query_to_rowset('SELECT 1 AS a FROM generate_series(1, 100)')) + (SELECT count(*) FROM tb.turn_1), 3100::bigint, 'a statement does not see what it inserts itself');
SELECT is(count(*), 3100::bigint, 'nor does it go on for ever') FROM (SELECT rowset_insert('tb.turn_1', query_to_rowset('SELECT 1 AS a')) FROM tb.turn_1) AS t;
SELECT is((SELECT count(*) FROM tb.turn_1), 6200::bigint, 'the next one sees it');
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is((SELECT count(*) FROM tb.turn_3), 3000::bigint, 'REPEATABLE READ: before');
SELECT is(dblink_exec('other', $$INSERT INTO tb.turn_3 VALUES (1); INSERT INTO tb.kept VALUES (-3)$$), 'INSERT 0 1', 'another session inserts');
SELECT is(rowset_insert('tb.turn_3', query_to_rowset('SELECT 2 AS a FROM generate_series(1, 1200)')), 1200::bigint, 'REPEATABLE READ: inserted');
SELECT is((SELECT count(*) FROM tb.turn_3), 4200::bigint, 'REPEATABLE READ: own rows only');
SELECT is(n, 3001::bigint, 'the other session sees none of them') FROM dblink('other', 'SELECT count(*) FROM tb.turn_3') AS t(n bigint);
SELECT throws_ok($$SELECT rowset_insert('tb.kept', query_to_rowset('SELECT -3 AS a'))$$, '23505', NULL, 'REPEATABLE READ: a key of the other session is taken');
COMMIT;
SELECT is(n, 4201::bigint, 'after COMMIT it does') FROM dblink('other', 'SELECT count(*) FROM tb.turn_3') AS t(n bigint);
BEGIN ISOLATION LEVEL READ COMMITTED;
SELECT is(rowset_insert('tb.turn_3', query_to_rowset('SELECT 3 AS a')), 1::bigint, 'READ COMMITTED: inserted');
SELECT is(dblink_exec('other', $$INSERT INTO tb.turn_3 VALUES (4)$$), 'INSERT 0 1', 'another session inserts');
SELECT is((SELECT count(*) FROM tb.turn_3), 4203::bigint, 'READ COMMITTED: both are there');
COMMIT;
BEGIN READ ONLY;
SELECT throws_ok($$SELECT rowset_insert('tb.kept', query_to_rowset('SELECT 5 AS a'))$$, '25006', 'cannot execute INSERT in a read-only transaction', 'a read-only transaction');
SELECT throws_ok($$SELECT rowset_insert('tb.kept_row', query_to_rowset('SELECT 5 AS a'))$$, '25006', 'cannot execute INSERT in a read-only transaction', 'a read-only transaction, the other way');
SELECT is(rowset_insert('k_temporary', query_to_rowset('SELECT 5 AS a')), 1::bigint, 'but into a temporary table');
COMMIT;

-- a cursor over the table stays what it was
BEGIN;
DECLARE c CURSOR FOR SELECT count(*) OVER () AS n FROM tb.turn_5;
SELECT is(rowset_insert('tb.turn_5', query_to_rowset('SELECT 1 AS a FROM generate_series(1, 1001)')), 1001::bigint, 'under an open cursor');
FETCH 1 FROM c \gset of_cursor_
SELECT is(:of_cursor_n, 3000, 'which does not see it');
COMMIT;

-- cancelled at once
CREATE TABLE tb.large AS SELECT query_to_rowset('SELECT i + 10000 AS id FROM generate_series(1, 2000000) AS i') AS r;
CREATE FUNCTION tb.cancelled(p_statement text, OUT message text, OUT elapsed interval) LANGUAGE plpgsql AS $$
DECLARE
	v_start timestamptz := clock_timestamp();
BEGIN
	EXECUTE p_statement;
EXCEPTION WHEN query_canceled THEN
	message := SQLERRM;
	elapsed := clock_timestamp() - v_start;
END $$;
SET statement_timeout = '200ms';
SELECT * FROM tb.cancelled('SELECT rowset_insert(''tb.master'', r) FROM tb.large') \gset
SET statement_timeout = 0;
SELECT is(:'message'::text, 'canceling statement due to statement timeout', 'cancelled');
SELECT cmp_ok(:'elapsed'::interval, '<', interval '3 s', 'soon');
SELECT is((SELECT count(*) FROM tb.master WHERE id > 10000), 0::bigint, 'and nothing is there');

--
-- Hostile bytes: cut off at each length, and each byte changed
--
CREATE FUNCTION tb.survives(p_rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_mutant bytea;
	v_errors int := 0;
	v_right int := 0;
BEGIN
	FOR i IN 0 .. 2 * length(p_rowset) - 1 LOOP
		v_mutant := CASE WHEN i < length(p_rowset) THEN substr(p_rowset, 1, i)
						 ELSE set_byte(p_rowset, i - length(p_rowset), (get_byte(p_rowset, i - length(p_rowset)) + 1 + i % 255) % 256) END;
		BEGIN
			IF i % 3 = 0 THEN
				PERFORM rowset_create_table(v_mutant, 'tb_hostile');
				IF (SELECT count(*) FROM tb_hostile) = 3 THEN
					v_right := v_right + 1;
				END IF;
				DROP TABLE tb_hostile;
			ELSE
				PERFORM rowset_insert(CASE i % 3 WHEN 1 THEN 'tb.kept'::regclass ELSE 'tb.kept_row' END, v_mutant);
				v_right := v_right + 1;
			END IF;
		EXCEPTION WHEN OTHERS THEN
			v_errors := v_errors + 1;
			IF SQLSTATE NOT IN ('22P03', 'XX001', '0A000') THEN
				RETURN format('byte %s: %s %s', i, SQLSTATE, SQLERRM);
			END IF;
		END;
	END LOOP;
	RETURN v_errors + v_right;
END $$;
SELECT is(tb.survives(r), (2 * length(r))::text, 'hostile bytes') FROM query_to_rowset('SELECT i + 100000 AS a, ''hostile '' || i AS b FROM generate_series(1, 3) AS i') AS r;
SELECT is((SELECT count(*) FROM tb.kept WHERE a > 100000), 0::bigint, 'and nothing of them in a table');

--
-- The rowset's own table goes while its rows are inserted
--
CREATE TABLE tb.inbox (r bytea);
ALTER TABLE tb.inbox ALTER r SET STORAGE EXTERNAL;
CREATE FUNCTION tb.empty_inbox(int) RETURNS bool LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	IF $1 = 1000 THEN
		TRUNCATE tb.inbox;
	END IF;
	RETURN true;
END $$;
CREATE FUNCTION tb.empty_inbox() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN TRUNCATE tb.inbox; RETURN NEW; END';
CREATE FUNCTION tb.empty_inbox_too() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN TRUNCATE tb.inbox; END';
CREATE FUNCTION tb.from_inbox(p_setup text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea;
	v_count bigint;
	v_result text;
BEGIN
	BEGIN
		PERFORM set_config('rowser.row_group_rows', '500', true);
		INSERT INTO tb.inbox VALUES (query_to_rowset('SELECT i AS a, md5(i::text) AS b FROM generate_series(1, 5000) AS i'));
		EXECUTE p_setup;
		SELECT r INTO v_rowset FROM tb.inbox;
		/* no statements: such an expression is given the variable as it is, which points to the table */
		v_count := CASE WHEN to_regclass('tb.outbox') IS NULL THEN rowset_create_table(v_rowset, 'outbox') ELSE rowset_insert(to_regclass('tb.outbox'), v_rowset) END;
		SELECT v_count || ', left ' || count(*) INTO v_result FROM tb.inbox;
		RAISE EXCEPTION USING ERRCODE = 'ZZ001';
	EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
		RETURN v_result;
	END;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
-- each in a transaction of its own: after an error an expression becomes a statement
SELECT format('SELECT is(tb.from_inbox(%L), ''5000, left 0'', %L)', setup, 'the inbox is emptied by ' || what)
FROM (VALUES ('a check', 'CREATE TABLE tb.outbox (a int CHECK (tb.empty_inbox(a)), b text)'),
			 ('a domain', 'CREATE DOMAIN tb.emptier AS int CHECK (tb.empty_inbox(VALUE)); CREATE TABLE tb.outbox (a tb.emptier, b text)'),
			 ('a trigger before all rows', 'CREATE TABLE tb.outbox (a int, b text); CREATE TRIGGER t BEFORE INSERT ON tb.outbox EXECUTE FUNCTION tb.empty_inbox()'),
			 ('a trigger before each row', 'CREATE TABLE tb.outbox (a int, b text); CREATE TRIGGER t BEFORE INSERT ON tb.outbox FOR EACH ROW WHEN (NEW.a = 1000) EXECUTE FUNCTION tb.empty_inbox()'),
			 ('both triggers', 'CREATE TABLE tb.outbox (a int, b text); CREATE TRIGGER s BEFORE INSERT ON tb.outbox EXECUTE FUNCTION tb.empty_inbox(); CREATE TRIGGER t BEFORE INSERT ON tb.outbox FOR EACH ROW EXECUTE FUNCTION tb.as_it_is()'),
			 ('a partition''s trigger', 'CREATE TABLE tb.outbox (a int, b text) PARTITION BY RANGE (a); CREATE TABLE tb.outbox_1 PARTITION OF tb.outbox DEFAULT; CREATE TRIGGER t BEFORE INSERT ON tb.outbox_1 FOR EACH ROW WHEN (NEW.a = 1000) EXECUTE FUNCTION tb.empty_inbox()'),
			 ('an event trigger', 'CREATE EVENT TRIGGER emptier ON ddl_command_end WHEN TAG IN (''CREATE TABLE'') EXECUTE FUNCTION tb.empty_inbox_too()')) AS v(what, setup) \gexec

--
-- rowset_column_list makes statements
--
CREATE FUNCTION tb.listed(p_rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_result text;
BEGIN
	EXECUTE format('CREATE TEMP TABLE tb_listed (%s)', rowset_column_list(p_rowset));
	EXECUTE format('INSERT INTO tb_listed SELECT * FROM rowset_to_recordset($1) AS t(%s)', rowset_column_list(p_rowset)) USING p_rowset;
	EXECUTE 'SELECT string_agg(t::text, ''; '') FROM tb_listed AS t' INTO v_result;
	DROP TABLE tb_listed;
	RETURN v_result;
END $$;
SELECT is(tb.listed(query_to_rowset(query)), result, 'a column list: ' || query)
FROM (VALUES ('SELECT 1 AS "a b", ''x''::varchar(3) COLLATE "C" AS "C""", ARRAY[1.5]::numeric(4,1)[] AS "select"', '(1,x,{1.5})'),
			 ('SELECT i AS a, i::bit(8) AS b FROM generate_series(1, 2) AS i', '(1,00000001); (2,00000010)'),
			 ('SELECT interval ''1 day'' day to second (3) AS i, timestamptz ''2001-01-01 00:00Z'' AS t, ''a''::"char" AS c WHERE false', NULL)) AS v(query, result);
SELECT is(rowset_column_list(query_to_rowset('SELECT')), '', 'a column list of no columns');
SELECT is(rowset_column_list(NULL), NULL, 'a column list of NULL');

SELECT dblink_disconnect('other') AS off \gset
DROP SCHEMA tb, tb_closed CASCADE;
DROP ROLE tb_user;
DROP EXTENSION postgres_fdw CASCADE;
DROP EXTENSION dblink;
SELECT * FROM finish();
