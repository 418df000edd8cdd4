-- Where the bytes come from and go to: so many bytes, made on demand.
CREATE FUNCTION filler(n int) RETURNS bytea LANGUAGE sql
RETURN convert_to(repeat('x', n), 'UTF8');
CREATE FUNCTION take(b bytea) RETURNS int LANGUAGE sql
RETURN length(b);
CREATE TABLE wanted (n int);
CREATE VIEW filler_view AS SELECT filler(n) AS b FROM wanted;
CREATE TABLE held (b bytea);
ALTER TABLE held ALTER b SET STORAGE EXTERNAL;
