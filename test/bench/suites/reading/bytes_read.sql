-- How much of a stored value a query touches: the blocks that EXPLAIN counts,
-- nearly all of them the value's own out of line, beside the value's size.

CREATE PROCEDURE pg_temp.count_bytes_read()
LANGUAGE plpgsql AS
$$
DECLARE
	c record;
	setting text;
	plan json;
BEGIN
	FOR c IN
		SELECT s.*, b.bytes FROM bench.cases s
			JOIN bench.relation r ON (r.tbl, r.rows, r.scope) = (s.tbl, s.rows, 'all')
			JOIN bench.stored b ON b.rel = r.rel
				AND b.form = replace(replace(replace(s.form, ', scan off', ''), ', ', '_'), 'unnest', 'array')
		WHERE s.suite = 'reading' AND s.problem IS NULL AND s.setup IS NULL
		ORDER BY s.id
	LOOP
		FOREACH setting IN ARRAY c.settings LOOP
			PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true);
		END LOOP;
		EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT json) ' || c.statement INTO plan;
		INSERT INTO bench.bytes_read
		SELECT c.tbl, c.op, c.form, current_setting('block_size')::bigint
			* ((plan #>> '{0,Plan,Shared Hit Blocks}')::bigint + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint),
			c.bytes;
		COMMIT;
	END LOOP;
END
$$;

CALL pg_temp.count_bytes_read();
