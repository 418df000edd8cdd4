-- What the golden files of format version 1 name: types and objects that are
-- not PostgreSQL's own.

SET client_min_messages = warning;

CREATE EXTENSION hstore;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s "ha, ppy"', '');
CREATE TYPE pair AS (a int, b text);
CREATE TYPE tree AS (name varchar(20), moods mood[], pairs pair[], span int4range);
CREATE TYPE nothing AS ();
CREATE DOMAIN positive AS int CHECK (value > 0);
CREATE DOMAIN very_positive AS positive CHECK (value > 100);
CREATE DOMAIN short AS varchar(5) COLLATE "C";
CREATE DOMAIN ints AS int[];
CREATE DOMAIN named_pair AS pair;
CREATE DOMAIN day AS date NOT NULL;
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");
CREATE TYPE pairrange AS RANGE (subtype = pair);
CREATE SCHEMA "Odd ""schema""";
CREATE TYPE "Odd ""schema"""."Odd type" AS ENUM ('a');
CREATE TABLE changed (a int, gone text, b numeric(10,2));
ALTER TABLE changed DROP COLUMN gone;
CREATE FUNCTION noun(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
