-- A coordinator below the coordinator, for a tree: asks 16 and adds up what they
-- say.  It is a shard as any other to whoever asks it.
CREATE FUNCTION subtree_groups() RETURNS SETOF bytea LANGUAGE sql AS
$$
	SELECT query_to_rowset('SELECT t.l_returnflag, t.l_linestatus, sum(t.quantity) AS quantity, sum(t.price) AS price,
			sum(t.lines)::bigint AS lines
		FROM (SELECT rowset_concat_agg(r) AS gathered FROM many16_kept() AS r) AS g,
			rowset_to_recordset(gathered) AS t(l_returnflag char(1), l_linestatus char(1), quantity numeric, price numeric, lines bigint)
		GROUP BY t.l_returnflag, t.l_linestatus')
$$;
