# shellcheck shell=bash
#
# Packets: a large value read whole, from packets as they come by our reader,
# and by one that appends and retries; and stored values by slices.

suite_measure()
{
	local tbl
	local mib=10

	[ "$QUICK" = no ] || mib=1
	# A measurement lasts longer than elsewhere: a virtual machine's host may have
	# taken back what memory was free, and whoever comes first waits for it.
	bench_sql -v packets_mib="$mib" -f "$SUITE/values.sql" -f "$SUITE/cases.sql"
	for tbl in text bytea xml; do
		say "  packets: $tbl"
		bench_sql -c "CALL bench.run('packets', '$tbl', $PASSES, $((LEAST_MS * 10)))" 2>&1 |
			sed -n 's/^WARNING: */    not measured: /p; /ERROR/p' >&2
	done
	check_answers packets
}

suite_report()
{
	local first="(SELECT min(rows) FROM bench.cases WHERE suite = 'packets')"

	sql_tsv packets.tsv "SELECT tbl AS type, rows AS mib, op, form, round(median_ms::numeric, 3) AS median_ms,
			round(min_ms::numeric, 3) AS min_ms, round(max_ms::numeric, 3) AS max_ms
		FROM bench.summary WHERE suite = 'packets' ORDER BY id"

	sql_rows "SELECT label, value, kind, said FROM (
			SELECT DISTINCT tbl || ', ' || rows || ' MiB' AS label, 'heading' AS value, '' AS kind, '' AS said, tbl, -1 AS line
			FROM bench.summary WHERE suite = 'packets' AND rows = $first
			UNION ALL
			SELECT form, median_ms::text, kind, bench.nice(median_ms) || ' ms', tbl, id
			FROM bench.summary WHERE suite = 'packets' AND rows = $first) x
		ORDER BY tbl, line" |
		chart_bars "$RESULTS/packets.svg" "One large value, whole and in packets of 8,000 bytes: milliseconds" \
			"milliseconds (less is better), logarithmic" log
	show_report_link Packets
}

# How often as long as another one a case takes on the smallest value, over all
# types: packets_ratio FORM OTHER
packets_ratio()
{
	sql_rows "SELECT bench.nice(percentile_cont(0.5) WITHIN GROUP (ORDER BY a.median_ms / b.median_ms))
		FROM bench.summary a JOIN bench.summary b USING (suite, tbl, rows, op)
		WHERE suite = 'packets' AND a.form = '$1' AND b.form = '$2'
			AND rows = (SELECT min(rows) FROM bench.cases WHERE suite = 'packets')"
}

# The same for twice as many bytes: packets_growth FORM
packets_growth()
{
	sql_rows "SELECT bench.nice(max(b.median_ms / a.median_ms)) FROM bench.summary a JOIN bench.summary b
			ON (b.suite, b.tbl, b.form, b.rows) = (a.suite, a.tbl, a.form, 2 * a.rows)
		WHERE a.suite = 'packets' AND a.form = '$1'"
}

suite_article()
{
	cat <<-END
		## Packets

		A rowset of one row with one large value, in packets of 8,000 bytes in the rows of a table. *Whole* reads the rowset
		as one value, from storage; *reader* feeds a \`rowset_reader\` packet by packet; *put together* is
		\`rowset_from_packets\`; *append and retry* is PL/pgSQL that puts each packet behind those before it and tries to
		read what it has. *Packets counted* is the reader's loop without the reader; *a value made by repeat* is neither read nor
		copied, and says what the server takes to have one of that size. *substr* reads a stored \`bytea\` of the same size in
		slices of 8,000 bytes.

	END
	show_chart packets "A large value whole and in packets"
	sql_markdown "SELECT tbl AS type, rows AS \"MiB\", form AS \"by\", bench.nice(median_ms) AS \"ms, median\",
			bench.nice(min_ms) AS fastest, bench.nice(max_ms) AS slowest,
			coalesce(bench.nice(median_ms / max(median_ms) FILTER (WHERE form = 'whole') OVER (PARTITION BY tbl, rows)), '') AS \"times as long as whole\"
		FROM bench.summary WHERE suite = 'packets' ORDER BY tbl, rows, id"
	cat <<-END

		In packets, the reader takes $(packets_ratio reader whole) times as long as it takes to read the value whole; appending and
		retrying takes $(packets_ratio 'append and retry' reader) times as long as the reader. The reason is how time grows. For twice as many
		bytes the reader takes at most $(packets_growth reader) times as long, appending and retrying $(packets_growth 'append and retry') times: linear is 2,
		quadratic 4. The reader must stay at 2.1 or less; it also counts the bytes that it reads, and the run ends with an
		error unless they are exactly those that it is fed.

	END
	sql_markdown "WITH timed AS (
			SELECT form, tbl, rows, median_ms AS ms, median_cpu_ms AS cpu_ms FROM bench.summary WHERE suite = 'packets'
			UNION ALL
			SELECT 'reader, less the counting', r.tbl, r.rows, r.median_ms - c.median_ms, r.median_cpu_ms - c.median_cpu_ms
			FROM bench.summary r JOIN bench.summary c USING (suite, tbl, rows)
			WHERE suite = 'packets' AND r.form = 'reader' AND c.form = 'packets counted')
		SELECT a.form AS \"by\", a.rows || ' to ' || b.rows AS \"MiB\", bench.nice(b.ms / a.ms) AS \"times as long\",
			bench.nice(b.cpu_ms / a.cpu_ms) AS \"by CPU time\",
			CASE WHEN a.form NOT LIKE 'reader%' THEN '' WHEN b.ms / a.ms BETWEEN 0 AND 2.1 THEN 'pass' ELSE 'miss' END AS verdict
		FROM timed a JOIN timed b ON b.tbl = a.tbl AND b.form = a.form AND b.rows = 2 * a.rows
		ORDER BY a.form, a.rows"
	echo
}
