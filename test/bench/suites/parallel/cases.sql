-- One process against parallel workers, on the largest table.  With
-- parallel_leader_participation off, 2 workers are 2 processes that read; on,
-- as it is by default, they are 3.

CREATE TABLE bench.process_count (form text PRIMARY KEY, settings text[]);

INSERT INTO bench.process_count VALUES
	('1 process', '{max_parallel_workers_per_gather=0}'),
	('2 workers', '{max_parallel_workers_per_gather=2,parallel_leader_participation=off}'),
	('2 workers and leader', '{max_parallel_workers_per_gather=2,parallel_leader_participation=on}');

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, settings, statement)
SELECT 'parallel', tbl, rows, op, form, kind,
	settings || '{parallel_setup_cost=0,parallel_tuple_cost=0,min_parallel_table_scan_size=0}',
	format(statement, rel, bench.each_column(rel, '%1$s %2$s'), bench.each_column(rel, 'count(%1$s)'), one_column)
FROM (VALUES
	(1, 'write: rowset_agg', 'rowser', 'SELECT pg_column_size(rowset_agg(t)) FROM %1$s AS t'),
	(2, 'read: all columns of the rowset', 'rowser',
		'SELECT ROW(%3$s)::text FROM rowset_to_recordset((SELECT value FROM stored.%1$s_rowset)) AS t(%2$s)'),
	(3, 'read: all columns of the table', 'floor', 'SELECT ROW(%3$s)::text FROM %1$s AS t'),
	(4, 'read: one column of the rowset', 'rowser',
		'SELECT (%4$s)::text FROM rowset_to_recordset((SELECT value FROM stored.%1$s_rowset)) AS t(%2$s)'),
	(5, 'read: one column of the table', 'floor', 'SELECT (%4$s)::text FROM %1$s AS t')
	) AS o(number, op, kind, statement)
	CROSS JOIN bench.process_count
	JOIN bench.relation r ON scope = 'all'
	JOIN bench.subject USING (tbl)
WHERE tbl = 'lineitem'
ORDER BY number, form;

-- How many workers the planner gives to each.
CREATE TABLE bench.workers (case_id int PRIMARY KEY, workers int);

CREATE PROCEDURE pg_temp.plan_workers()
LANGUAGE plpgsql AS
$$
DECLARE
	c bench.cases;
	setting text;
	plan text;
BEGIN
	FOR c IN SELECT * FROM bench.cases WHERE suite = 'parallel' LOOP
		FOREACH setting IN ARRAY c.settings LOOP
			PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true);
		END LOOP;
		EXECUTE 'EXPLAIN (FORMAT json) ' || c.statement INTO plan;
		INSERT INTO bench.workers
		VALUES (c.id, coalesce(substring(plan FROM '"Workers Planned": (\d+)')::int, 0));
		COMMIT;
	END LOOP;
END
$$;

CALL pg_temp.plan_workers();
