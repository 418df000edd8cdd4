-- What each shard has beside its part of the table: functions that give one
-- rowset.  They are all that the coordinator can ask for.  With BEGIN ATOMIC, and
-- schemas in the text of the query, they don't depend on search_path, which is
-- empty in the sessions of postgres_fdw.
CREATE FUNCTION lineitem_rowset() RETURNS SETOF bytea LANGUAGE sql
BEGIN ATOMIC
	SELECT query_to_rowset('SELECT * FROM public.lineitem');
END;

-- Grouped at the shard.  What is sent can be added up: sums and counts, no
-- averages.  The parameter is bound.
CREATE FUNCTION lineitem_groups(up_to date) RETURNS SETOF bytea LANGUAGE sql
BEGIN ATOMIC
	SELECT query_to_rowset('SELECT l_returnflag, l_linestatus, sum(l_quantity) AS quantity,
			sum(l_extendedprice) AS price, count(*) AS lines
		FROM public.lineitem WHERE l_shipdate <= $1
		GROUP BY l_returnflag, l_linestatus', up_to);
END;
