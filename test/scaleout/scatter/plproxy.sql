-- The coordinator's side with PL/Proxy.  A function of the same name as at the
-- shards runs there, on all of them at the same time, and gives what they give.
CREATE EXTENSION plproxy;
CREATE SERVER shards FOREIGN DATA WRAPPER plproxy
OPTIONS (p0 'service=shard0', p1 'service=shard1', p2 'service=shard2', p3 'service=shard3');
CREATE USER MAPPING FOR CURRENT_USER SERVER shards;

CREATE FUNCTION lineitem_rowset() RETURNS SETOF bytea LANGUAGE plproxy AS
$$ CLUSTER 'shards'; RUN ON ALL; $$;
CREATE FUNCTION lineitem_groups(up_to date) RETURNS SETOF bytea LANGUAGE plproxy AS
$$ CLUSTER 'shards'; RUN ON ALL; $$;

-- Four rowsets put together and read as one.
CREATE VIEW plproxy_lineitem AS
SELECT t.*
FROM (SELECT rowset_concat_agg(r) AS gathered FROM lineitem_rowset() AS r) AS g,
	rowset_populate_recordset(NULL::lineitem, gathered) AS t;

-- Four partial sums of each group added up.
CREATE FUNCTION plproxy_groups(up_to date)
RETURNS TABLE (l_returnflag char(1), l_linestatus char(1), quantity numeric, price numeric, lines numeric)
LANGUAGE sql AS
$$
	SELECT t.l_returnflag, t.l_linestatus, sum(t.quantity), sum(t.price), sum(t.lines)
	FROM (SELECT rowset_concat_agg(r) AS gathered FROM lineitem_groups(up_to) AS r) AS g,
		rowset_to_recordset(gathered) AS t(l_returnflag char(1), l_linestatus char(1), quantity numeric,
			price numeric, lines bigint)
	GROUP BY t.l_returnflag, t.l_linestatus
$$;
