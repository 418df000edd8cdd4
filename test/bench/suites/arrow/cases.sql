-- What a table is fetched by, for a program that wants apache-arrow's columns:
-- one row for each way and each length of the table.  psql's output is what the
-- program gets, so a value goes as COPY's binary row of one column.

CREATE SCHEMA arrow;

CREATE TABLE arrow.form
(
	form text,
	rel text,
	rows bigint NOT NULL,
	kind text NOT NULL,
	format text NOT NULL,			-- how the program reads it
	statement text NOT NULL,
	number int GENERATED ALWAYS AS IDENTITY,
	PRIMARY KEY (form, rel)
);

INSERT INTO arrow.form (form, rel, rows, kind, format, statement)
SELECT form, rel, rows, kind, format, replace(statement, '$', rel)
FROM (VALUES
	(1, 'query_to_arrow', 'rowser', 'arrow', '{all,json}'::text[],
		'COPY (SELECT query_to_arrow(''SELECT * FROM $'')) TO STDOUT (FORMAT binary)'),
	(2, 'rowset_to_arrow', 'rowser', 'arrow', '{all,json}',
		'COPY (SELECT rowset_to_arrow(value) FROM arrow.$_rowset) TO STDOUT (FORMAT binary)'),
	(3, 'COPY CSV', 'rival', 'csv', '{all,json}', 'COPY $ TO STDOUT (FORMAT csv)'),
	(4, 'COPY BINARY', 'rival', 'binary', '{all,json}', 'COPY $ TO STDOUT (FORMAT binary)'),
	(5, 'json_agg', 'rival', 'json', '{json}',
		'COPY (SELECT json_agg(t) FROM $ AS t) TO STDOUT (FORMAT binary)')
	) AS f(ordinal, form, kind, format, scopes, statement)
	JOIN bench.relation ON tbl = 'lineitem' AND scope = ANY (scopes)
ORDER BY rows DESC, ordinal;

-- A rowset that is there already, as in a table of them
SELECT DISTINCT format('CREATE TABLE arrow.%s_rowset AS SELECT query_to_rowset(''SELECT * FROM %1$s'') AS value', rel)
FROM arrow.form
\gexec

CREATE TABLE arrow.measurement
(
	number int,
	pass int,
	bytes bigint NOT NULL,
	receive_ms float8 NOT NULL,		-- until all bytes are there
	read_ms float8 NOT NULL,		-- from there until the columns are, and one is added up
	answer text NOT NULL,
	PRIMARY KEY (number, pass)
);

-- The machine's load in the last five minutes of measuring
CREATE TABLE arrow.machine (load float8 NOT NULL, cores int NOT NULL);

CREATE VIEW arrow.figure AS
SELECT f.*, m.bytes, m.receive_ms, m.read_ms, m.total_ms, m.fastest_ms
FROM arrow.form AS f JOIN LATERAL
(
	SELECT max(bytes) AS bytes,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY receive_ms) AS receive_ms,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY read_ms) AS read_ms,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY receive_ms + read_ms) AS total_ms,
		min(receive_ms + read_ms) AS fastest_ms
	FROM arrow.measurement WHERE number = f.number AND pass > 0
) AS m ON m.bytes IS NOT NULL;
