--
-- A cache of query results, addressed by content
--
-- A dashboard asks the same questions again and again, and most answers are the
-- same as last time.  The cache keeps each answer as a rowset.  The same rows in
-- the same order are the same bytes, so md5(rowset) names a result: however many
-- questions it answers, it is stored once, and a client that still has the hash
-- of the last answer sees at once that nothing is new.
--
CREATE EXTENSION rowser;

CREATE TABLE sale (sold_on date, region text, amount numeric(10,2));
INSERT INTO sale VALUES
	('2024-01-05', 'north', 120.00), ('2024-01-20', 'south', 80.50),
	('2024-02-03', 'north', 99.90), ('2024-02-17', 'south', 140.00);

-- The results.  A hash is 16 bytes, which is what a uuid is.  Rowsets are
-- compressed already: EXTERNAL keeps PostgreSQL from trying again, and lets
-- readers fetch the columns that they need instead of the whole value.
CREATE TABLE result (hash uuid PRIMARY KEY, rows bytea NOT NULL);
ALTER TABLE result ALTER rows SET STORAGE EXTERNAL;

-- Which question has which result, and which tables it has been read from.
CREATE TABLE answer (
	query text PRIMARY KEY,
	hash uuid NOT NULL REFERENCES result,
	tables regclass[] NOT NULL
);

--
-- Ask through the cache
--
-- The lock makes it safe among many sessions: it waits for those that are
-- changing the tables to commit, and until we commit it keeps others from
-- changing them, so that no answer is stored that is out of date already.  That
-- takes READ COMMITTED, the default: under REPEATABLE READ the query would not see
-- what others have committed meanwhile.
--
-- The settings that a rowset's bytes depend on are fixed, so that sessions which
-- prefer others agree about the hash.
CREATE FUNCTION ask(p_query text, VARIADIC p_tables regclass[]) RETURNS uuid
LANGUAGE plpgsql SET rowser.compression = lz4 SET rowser.compression_level = 0 SET rowser.row_group_rows = 12288 AS $$
DECLARE
	v_rows bytea;
	v_hash uuid := (SELECT hash FROM answer WHERE query = p_query);
BEGIN
	IF v_hash IS NOT NULL THEN
		RAISE NOTICE 'from the cache';
		RETURN v_hash;
	END IF;
	EXECUTE 'LOCK TABLE ' || array_to_string(p_tables, ', ') || ' IN SHARE MODE';
	v_rows := query_to_rowset(p_query);
	v_hash := md5(v_rows);
	INSERT INTO result VALUES (v_hash, v_rows) ON CONFLICT DO NOTHING;
	INSERT INTO answer VALUES (p_query, v_hash, p_tables) ON CONFLICT DO NOTHING;
	RETURN v_hash;
END $$;

-- The first time the query runs, the second time it does not.
\set report 'SELECT region, sum(amount) AS total FROM sale GROUP BY region ORDER BY region'
SELECT ask(:'report', 'sale') AS by_region \gset
SELECT ask(:'report', 'sale') AS by_region \gset

-- A result is rows again, of the columns that are asked for.
SELECT t.* FROM result, rowset_to_recordset(rows) AS t(region text, total numeric) WHERE hash = :'by_region';

-- Another question with the same answer takes no more room.
\set report_2024 'SELECT region, sum(amount) AS total FROM sale WHERE sold_on >= ''2024-01-01'' GROUP BY 1 ORDER BY 1'
SELECT ask(:'report_2024', 'sale') AS this_year \gset
SELECT :'by_region' = :'this_year' AS same_result,
	(SELECT count(*) FROM answer) AS answers,
	(SELECT count(*) FROM result) AS results;

--
-- Forget answers when a table changes
--
-- A statement trigger is enough: which rows have changed does not matter.
CREATE FUNCTION forget_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM answer WHERE tg_relid::regclass = ANY (tables);
	RETURN NULL;
END $$;
CREATE TRIGGER forget_answers AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON sale
FOR EACH STATEMENT EXECUTE FUNCTION forget_answers();

-- This changes the table, but not the answer.  The query runs again and gives
-- the hash that the client knows: there is nothing to send.
UPDATE sale SET sold_on = sold_on + 1;
SELECT ask(:'report', 'sale') AS again \gset
SELECT :'again' = :'by_region' AS nothing_new;

-- And this changes both.
INSERT INTO sale VALUES ('2024-03-01', 'west', 10.00);
SELECT ask(:'report', 'sale') AS again \gset
SELECT :'again' = :'by_region' AS nothing_new;
SELECT t.* FROM result, rowset_to_recordset(rows) AS t(region text, total numeric) WHERE hash = :'again';

-- What no question has as its answer any more can go, now and then, when nobody is
-- asking.
DELETE FROM result WHERE NOT EXISTS (SELECT FROM answer WHERE answer.hash = result.hash);
SELECT count(*) AS results FROM result;
