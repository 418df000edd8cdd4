--
-- Rows to and from another database, through dblink
--
-- dblink carries rows as text: each call needs a list of their columns, and what
-- a value means is up to both ends' settings.  A rowset is one bytea, whatever
-- rows are in it, so the call is always the same; types of your own are found
-- by their names on the other side; and it can be stored first and read later.
--
-- The head office is this database, a branch is another one of this server.
--
SELECT current_database() AS head_office, current_database() || '_branch' AS branch \gset
CREATE DATABASE :"branch" TEMPLATE template0;

\connect :"branch"
CREATE EXTENSION rowser;
CREATE TYPE payment AS ENUM ('cash', 'card');
CREATE TABLE sale (id int PRIMARY KEY, sold_at timestamptz, payment payment, amount numeric(8,2), tags text[]);
INSERT INTO sale VALUES
	(1, '2024-03-01 09:30:00.123456+00', 'cash', 12.50, '{tea,milk}'),
	(2, '2024-03-01 10:05:00+00', 'card', 99.00, NULL),
	(3, '2024-03-02 16:45:00+00', 'card', 7.25, '{"earl grey, loose"}');

CREATE TABLE price (item text PRIMARY KEY, price numeric(8,2), valid daterange);
-- What the branch does with a price list: replace its own.
CREATE FUNCTION receive_prices(prices bytea) RETURNS bigint LANGUAGE sql AS $$
	DELETE FROM price;
	INSERT INTO price SELECT * FROM rowset_populate_recordset(NULL::price, prices);
	SELECT count(*) FROM price;
$$;

\connect :"head_office"
CREATE EXTENSION rowser;
CREATE EXTENSION dblink;
\set connection 'host=' :HOST ' port=' :PORT ' dbname=' :branch ' user=' :USER
SELECT dblink_connect('branch', :'connection');

-- The type has the same name here, but another OID and one label more; and the
-- table has other columns in another order.
CREATE TYPE padding AS ENUM ('none');
CREATE TYPE payment AS ENUM ('cash', 'card', 'voucher');
CREATE TABLE all_sales (branch text DEFAULT 'unknown', amount numeric, payment payment, sold_at timestamptz, tags text[], id bigint);

--
-- Pull
--
-- All that dblink has to know is that a bytea comes.
CREATE TABLE inbox (received timestamptz DEFAULT now(), branch text, rows bytea);
INSERT INTO inbox (branch, rows)
SELECT 'Harbour Street', rows
FROM dblink('branch', $$SELECT query_to_rowset('SELECT * FROM sale ORDER BY id')$$) AS d(rows bytea);

-- What is in it?
SELECT branch, rowset_count(rows) FROM inbox;
SELECT c.name, c.type FROM inbox, rowset_columns(rows) AS c ORDER BY c.ordinality;

-- Rows of our own table; the branch's name is not in the rowset, so it is taken
-- from the first argument.
INSERT INTO all_sales
SELECT t.*
FROM inbox, rowset_populate_recordset(ROW(branch, NULL, NULL, NULL, NULL, NULL)::all_sales, rows) AS t;

SELECT * FROM all_sales ORDER BY id;

--
-- Push
--
-- The other way round, the rowset is an argument of a call over there.  As a
-- literal it takes twice its size, and %L makes room for that twice over, so this
-- way ends at a quarter of a gigabyte; doc/scaleout.md has others.  The call commits
-- by itself: it is not undone when our transaction is.
CREATE TABLE price (item text PRIMARY KEY, price numeric(8,2), valid daterange);
INSERT INTO price VALUES ('tea', 3.20, '[2024-04-01,)'), ('coffee', 2.90, '[2024-04-01,2024-07-01)'), ('cake', NULL, NULL);

SELECT received
FROM query_to_rowset('SELECT * FROM price') AS r,
	dblink('branch', format('SELECT receive_prices(%L)', r)) AS d(received bigint);

-- The same rows in the same order are the same bytes, in any database: nothing
-- but two hashes need be compared to know that all has arrived.
SELECT md5(query_to_rowset('SELECT * FROM price ORDER BY item')) = there.hash AS the_same
FROM dblink('branch', $$SELECT md5(query_to_rowset('SELECT * FROM price ORDER BY item'))$$) AS there(hash text);

SELECT dblink_disconnect('branch');
DROP DATABASE :"branch";
