# shellcheck shell=bash
#
# Scatter and gather: a table on four databases of two servers, asked all at once,
# by PL/Proxy, dblink and postgres_fdw.  Sourced by test/scaleout/run.

# The table, spread by the key of an order over 1, 2 and 4 databases.
scatter_prepare()
{
	local shard

	make_shard shard0 one 4 0
	make_shard shard1 one 4 1
	make_shard shard2 two 4 2
	make_shard shard3 two 4 3
	if [ "$TIMED" = yes ]; then
		make_shard half0 one 2 0
		make_shard half1 two 2 1
		make_shard single two 1 0
	fi
	sql coordinator -f "$SCALEOUT/scatter/dblink.sql"
	sql coordinator -f "$SCALEOUT/scatter/postgres_fdw.sql"
	if has_extension plproxy; then
		sql coordinator -f "$SCALEOUT/scatter/plproxy.sql"
	fi
	if [ "$TIMED" = yes ]; then
		sql coordinator -f "$SCALEOUT/scatter/rivals.sql"
		sql coordinator -f "$SCALEOUT/scatter/many.sql"
		for shard in shard0 shard1 shard2 shard3; do
			sql "$shard" -c 'CREATE EXTENSION plproxy' -f "$SCALEOUT/scatter/many.sql" -f "$SCALEOUT/scatter/tree_shard.sql"
		done
	fi
}

# make_shard NAME CLUSTER OF I: a database with the I-th of so many parts.
make_shard()
{
	database_make "$1" "$2"
	sql "$1" -c 'CREATE EXTENSION rowser'
	copy_lineitem "$1" "WHERE l_orderkey % $3 = $4"
	sql "$1" -f "$SCALEOUT/scatter/shard.sql"
	sql "$1" -f "$SCALEOUT/scatter/fdw_shard.sql" -f "$SCALEOUT/scatter/shard_check.sql"
	[ "$TIMED" = no ] || sql "$1" -f "$SCALEOUT/scatter/shard_rivals.sql"
}

scatter_check()
{
	local groups="SELECT l_returnflag, l_linestatus, sum(l_quantity) AS quantity, sum(l_extendedprice) AS price,
		count(*)::numeric AS lines FROM whole WHERE l_shipdate <= '1998-09-02' GROUP BY 1, 2"

	check "a shard lacks rows" t "$(sql coordinator -c "SELECT count(*) > 0 AND bool_and(n < (SELECT count(*) FROM whole))
		FROM (SELECT rowset_count(rows) AS n FROM lineitem_packed) AS s")"
	check_rows "postgres_fdw gathers all rows" coordinator "SELECT * FROM whole" "SELECT * FROM fdw_lineitem"
	check "postgres_fdw waits for all at once" 4 "$(sql coordinator -c "EXPLAIN (COSTS off) SELECT * FROM lineitem_packed" | grep -c 'Async Foreign Scan')"
	check_rows "dblink gathers all rows" coordinator "SELECT * FROM whole" "SELECT * FROM dblink_lineitem" \
		"DO 'BEGIN PERFORM dblink_connect_shards(); END'"
	if has_extension plproxy; then
		check_rows "PL/Proxy gathers all rows" coordinator "SELECT * FROM whole" "SELECT * FROM plproxy_lineitem"
		check "PL/Proxy gathers as many rowsets as shards" 4 "$(sql coordinator -c "SELECT count(*) FROM lineitem_rowset()")"
		check_rows "PL/Proxy gathers groups" coordinator "$groups" "SELECT * FROM plproxy_groups('1998-09-02')"
	fi
	check_together
	[ "$TIMED" = no ] || check_rivals
}

# All shards must be at work at one time: the last has begun before the first has
# ended.
check_together()
{
	local asking
	local carrier
	local times="count(*), max(started) < min(ended) FROM s, rowset_to_recordset(r) AS t(started timestamptz, ended timestamptz)"

	sql coordinator >"$SCRATCH/together_dblink" 2>&1 <<-END &
		DO 'BEGIN PERFORM dblink_connect_shards(); END';
		WITH s AS (SELECT r FROM dblink_gather('SELECT when_asked()') AS r) SELECT $times;
	END
	asking=($!)
	sql coordinator >"$SCRATCH/together_postgres_fdw" 2>&1 <<-END &
		CREATE TABLE when_asked (rows bytea);
		SELECT format('CREATE FOREIGN TABLE when_%1\$s () INHERITS (when_asked) SERVER %1\$s OPTIONS (table_name %2\$L)', s, 'when_asked_view')
		FROM unnest('{shard0,shard1,shard2,shard3}'::text[]) AS s \gexec
		WITH s AS (SELECT rows AS r FROM when_asked) SELECT $times;
	END
	asking+=($!)
	if has_extension plproxy; then
		sql coordinator >"$SCRATCH/together_plproxy" 2>&1 <<-END &
			CREATE FUNCTION when_asked() RETURNS SETOF bytea LANGUAGE plproxy AS \$\$ CLUSTER 'shards'; RUN ON ALL; \$\$;
			WITH s AS (SELECT when_asked() AS r) SELECT $times;
		END
		asking+=($!)
	fi
	wait "${asking[@]}" || true
	for carrier in dblink postgres_fdw plproxy; do
		if [ "$carrier" != plproxy ] || has_extension plproxy; then
			check "$carrier: all four shards work at the same time" "4|t" "$(cat "$SCRATCH/together_$carrier")"
		fi
	done
}

# Rivals are rivals only if they give every row as well.
check_rivals()
{
	local cluster

	for cluster in spread1 spread2 spread4; do
		check_rows "$cluster: rowsets" coordinator "SELECT * FROM whole" \
			"SELECT t.* FROM ${cluster}_rowset() AS r, rowset_populate_recordset(NULL::lineitem, r) AS t"
		check_rows "$cluster: rows" coordinator "SELECT * FROM whole" "SELECT * FROM ${cluster}_rows()"
		check_rows "$cluster: JSON" coordinator "SELECT * FROM whole" \
			"SELECT t.* FROM ${cluster}_json() AS j, json_populate_recordset(NULL::lineitem, j::json) AS t"
	done
	check_rows "postgres_fdw: rows" coordinator "SELECT * FROM whole" "SELECT * FROM fdw_rows"
}

scatter_measure()
{
	sql coordinator -f "$SCALEOUT/scatter/cases.sql"
	measure_suite scatter
	measure_suite cost
	sql shard0 -v module="$SCRATCH/module/rowser_bench" -f "$BENCH/harness/harness.sql" -f "$SCALEOUT/scatter/shard_cases.sql" \
		-c "CALL bench.run('shard', 'lineitem', $PASSES, 20)"
}

scatter_report()
{
	sql coordinator -f "$SCALEOUT/scatter/model.sql"
	rows_tsv scatter.tsv coordinator "SELECT suite, rows, op, form, kind, passes, loops, round(median_ms::numeric, 4) AS median_ms,
			round(min_ms::numeric, 4) AS min_ms, round(max_ms::numeric, 4) AS max_ms, round(median_cpu_ms::numeric, 4) AS median_cpu_ms
		FROM bench.summary ORDER BY id"
	cat <<-END
		$ROWS rows of lineitem, 16 columns, on databases of two servers; a query counts every column of every row at the
		coordinator.

		## The whole table on 1, 2 and 4 shards, by PL/Proxy

	END
	rows_table coordinator "SELECT op AS \"where\", form AS \"by\", bench.nice(median_ms) AS ms, bench.nice(median_cpu_ms) AS \"CPU ms\",
			bench.nice(rows / median_ms) AS \"rows a ms\",
			bench.nice(median_ms / first_value(median_ms) OVER (PARTITION BY op ORDER BY id)) AS \"times the rowset's ms\"
		FROM bench.summary WHERE suite = 'scatter' AND op LIKE 'table on%all rows' AND form IN ('PL/Proxy, rowset', 'PL/Proxy, rows', 'PL/Proxy, JSON')
		ORDER BY id"
	printf '## One, two and all four of four shards, by PL/Proxy\n\n'
	rows_table coordinator "SELECT op AS \"where\", form AS \"by\", rows, bench.nice(median_ms) AS ms, bench.nice(median_cpu_ms) AS \"CPU ms\",
			bench.nice(rows / median_ms) AS \"rows a ms\"
		FROM bench.summary WHERE suite = 'scatter' AND (op LIKE '% of the 4 shards%' OR op = 'table on 4 shards, all rows')
			AND form IN ('PL/Proxy, rowset', 'PL/Proxy, rows', 'PL/Proxy, JSON')
		ORDER BY rows, id"
	printf '## All carriers, four shards\n\n'
	rows_table coordinator "SELECT form AS \"by\", bench.nice(median_ms) AS ms, bench.nice(min_ms) AS fastest, bench.nice(max_ms) AS slowest,
			bench.nice(median_cpu_ms) AS \"CPU ms\", bench.nice(rows / median_ms) AS \"rows a ms\"
		FROM bench.summary WHERE suite = 'scatter' AND op = 'table on 4 shards, all rows' ORDER BY median_ms"
	printf '## Groups, four shards, by PL/Proxy\n\n'
	rows_table coordinator "SELECT form AS \"by\", bench.nice(median_ms) AS ms, bench.nice(median_cpu_ms) AS \"CPU ms\"
		FROM bench.summary WHERE suite = 'scatter' AND op = 'table on 4 shards, groups' ORDER BY median_ms"
	printf '## The parts of the cost\n\n'
	rows_table coordinator "SELECT op AS what, form AS \"by\", rows AS \"rows or shards\", bench.nice(median_ms) AS ms, bench.nice(median_cpu_ms) AS \"CPU ms\"
		FROM (SELECT op, form, rows, median_ms, median_cpu_ms, id FROM bench.summary WHERE suite = 'cost'
			UNION ALL SELECT *, 0 FROM shard_summary) AS s ORDER BY id, op"
	report_model
}

# The model: its parameters, how well it foretells what was measured, and what it
# says of many shards.
report_model()
{
	printf '## The model\n\n'
	sed -n '/^-- With N rows/,/^-- database is/s/^-- \{0,1\}/    /p' "$SCALEOUT/scatter/model.sql"
	echo
	rows_tsv model.tsv coordinator "SELECT name, meaning, value, unit FROM cost_parameter"
	rows_table coordinator "SELECT name AS parameter, meaning, bench.nice(value) AS measured, unit FROM cost_parameter"
	printf 'What it foretells of the processor time of the coordinator, and what was measured ("take", "join" and "read" come\nfrom the table on 4 shards, "shard" and "base" from the groups of 4, 16 and 64):\n\n'
	rows_table coordinator "SELECT what, bench.nice(foretold) AS \"foretold, ms\", bench.nice(median_cpu_ms) AS \"measured, ms\"
		FROM (
			SELECT id, 'all rows of ' || replace(op, ', all rows', '') AS what,
				coordinator_ms('all rows', n, rows / n) AS foretold, median_cpu_ms
			FROM bench.summary, LATERAL (SELECT substring(op FROM '[124]')::float8 AS n) AS s
			WHERE suite = 'scatter' AND form = 'PL/Proxy, rowset'
			UNION ALL
			SELECT id, 'groups of ' || rows || ' shards, ' || form, coordinator_ms('groups', CASE form WHEN 'one coordinator' THEN rows ELSE 4 END, 0), median_cpu_ms
			FROM bench.summary WHERE suite = 'cost' AND op LIKE 'kept groups%'
		) AS f ORDER BY id"
	printf 'For n shards of %s rows and of a million rows each:\n\n' "$((ROWS / 4))"
	rows_table coordinator "SELECT what, n AS shards, shard_rows::bigint AS \"rows each\", bench.nice(shard_ms(what, shard_rows)) AS \"shards, ms\",
			bench.nice(coordinator_ms(what, n, shard_rows)) AS \"coordinator, ms\",
			CASE what WHEN 'groups' THEN bench.nice(tree_ms(n)) ELSE '' END AS \"tree of sqrt(n), ms\",
			CASE what WHEN 'groups' THEN '' ELSE bench.nice(n * shard_rows * parameter('B') / 1e9) END AS \"GB to the coordinator\"
		FROM unnest('{groups,all rows}'::text[]) WITH ORDINALITY AS w(what, o), unnest('{4,100,10000}'::int[]) AS n,
			unnest(ARRAY[$ROWS / 4, 1000000]::float8[]) AS shard_rows
		ORDER BY o, shard_rows, n"
	printf 'The coordinator takes as long as a shard does from so many shards on:\n\n'
	rows_table coordinator "SELECT what, shard_rows::bigint AS \"rows each\",
			bench.nice((shard_ms(what, shard_rows) - parameter('base') / 1000) / (coordinator_ms(what, 1, shard_rows) - parameter('base') / 1000)) AS shards
		FROM unnest('{groups,all rows}'::text[]) WITH ORDINALITY AS w(what, o), unnest(ARRAY[$ROWS / 4, 1000000]::float8[]) AS shard_rows
		ORDER BY o, shard_rows"
}
