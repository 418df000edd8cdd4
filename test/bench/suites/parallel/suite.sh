# shellcheck shell=bash
#
# Parallel: one process against workers, on lineitem.

suite_measure()
{
	store_forms
	bench_sql -f "$SUITE/cases.sql"
	run_cases parallel
}

suite_report()
{
	sql_rows "SELECT label, value, kind, said FROM (
			SELECT DISTINCT op AS label, 'heading' AS value, '' AS kind, '' AS said, 0 AS line, min(id) OVER (PARTITION BY op) AS first
			FROM bench.summary WHERE suite = 'parallel'
			UNION ALL
			SELECT form, median_ms::text, kind, bench.nice(median_ms) || ' ms', id, min(id) OVER (PARTITION BY op)
			FROM bench.summary WHERE suite = 'parallel') x
		ORDER BY first, line" |
		chart_bars "$RESULTS/parallel.svg" "lineitem by one process and by parallel workers: milliseconds" \
			"milliseconds (less is better)" linear

	cat <<-END
		## Parallel workers

		*2 workers* read without the leader, which only gathers; *2 workers and leader* is PostgreSQL's default. No planned
		workers means that the planner had no parallel plan.

	END
	show_chart parallel "One process against parallel workers"
	sql_markdown "SELECT op AS \"what\", form AS \"by\", workers AS \"workers planned\", bench.nice(median_ms) AS \"ms, median\",
			bench.nice(min_ms) AS fastest, bench.nice(max_ms) AS slowest,
			bench.nice(first_value(median_ms) OVER (PARTITION BY op ORDER BY id) / median_ms) AS \"times as fast as 1 process\"
		FROM bench.summary s JOIN bench.workers ON case_id = id WHERE suite = 'parallel' ORDER BY id"
	echo
}
