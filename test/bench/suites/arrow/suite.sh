# shellcheck shell=bash
#
# Arrow: a table fetched by a program that wants apache-arrow's columns, by way of
# an Arrow stream and of what PostgreSQL has without it.

if [ "$QUICK" = yes ]; then
	ARROW_PASSES=2
else
	ARROW_PASSES=$PASSES
fi

suite_measure()
{
	say "  arrow: lineitem"
	bench_sql -f "$SUITE/cases.sql" >/dev/null
	mkdir "$SCRATCH/arrow"
	cp "$SUITE"/package.json "$SUITE"/*.js "$SCRATCH/arrow"
	(cd "$SCRATCH/arrow" && npm install --no-audit --no-fund --no-package-lock --ignore-scripts \
		--cache "$SCRATCH/npm" >"$SCRATCH/npm.log" 2>&1 </dev/null) || {
		cat "$SCRATCH/npm.log" >&2
		die "apache-arrow could not be installed"
	}
	sql_rows "SELECT jsonb_build_object(
			'names', (SELECT jsonb_agg(name ORDER BY ordinal) FROM bench.columns('lineitem')),
			'kinds', (SELECT jsonb_agg(CASE WHEN type ~ '^char' THEN 'text' ELSE substring(type FROM '^[a-z]+') END ORDER BY ordinal)
				FROM bench.columns('lineitem')),
			'forms', (SELECT jsonb_agg(to_jsonb(f) ORDER BY number) FROM arrow.form AS f))" |
		node --expose-gc --max-old-space-size=8192 "$SCRATCH/arrow/reader.js" "$ARROW_PASSES" >"$SCRATCH/arrow.tsv"
	bench_sql -c "INSERT INTO arrow.machine VALUES ($(cut -d ' ' -f 2 /proc/loadavg), $(nproc))"
	bench_sql -c '\copy arrow.measurement FROM pstdin' <"$SCRATCH/arrow.tsv"
	sql_rows "SELECT rel, form, answer FROM arrow.measurement JOIN arrow.form AS f USING (number)
		WHERE answer <> (SELECT answer FROM arrow.measurement JOIN arrow.form AS g USING (number)
			WHERE g.rel = f.rel AND form = 'COPY CSV' LIMIT 1)" >"$SCRATCH/wrong"
	if [ -s "$SCRATCH/wrong" ]; then
		cat "$SCRATCH/wrong" >&2
		die "the columns differ by the way that they came"
	fi
}

suite_report()
{
	sql_tsv arrow.tsv "SELECT rel, rows, form, bytes, round(receive_ms::numeric, 2) AS receive_ms, round(read_ms::numeric, 2) AS read_ms,
			round(total_ms::numeric, 2) AS total_ms, round(fastest_ms::numeric, 2) AS fastest_ms
		FROM arrow.figure ORDER BY number"
	sql_rows "SELECT label, value, kind, said FROM (
			SELECT DISTINCT to_char(rows, 'FM999,999,999') || ' rows' AS label, 'heading' AS value, '' AS kind, '' AS said, rows, -1.0 AS ms
			FROM arrow.figure
			UNION ALL
			SELECT form, total_ms::text, kind, bench.nice(total_ms) || ' ms', rows, total_ms FROM arrow.figure) x
		ORDER BY rows DESC, ms" |
		chart_bars "$RESULTS/arrow_time.svg" "A table in apache-arrow's columns: milliseconds, median of $ARROW_PASSES" \
			"milliseconds, logarithmic (less is better)" log
	sql_rows "SELECT form, bytes / 1e6, kind, bench.nice(bytes / 1e6) || ' MB' FROM arrow.figure
		WHERE rows = (SELECT min(rows) FROM arrow.figure) ORDER BY bytes" |
		chart_bars "$RESULTS/arrow_bytes.svg" \
			"$(sql_rows "SELECT to_char(min(rows), 'FM999,999,999') FROM arrow.figure") rows on their way to the program: megabytes (less is better)" "megabytes" linear
	show_report_link Arrow
}

suite_article()
{
	cat <<-END
		## A table in another program

		A program in JavaScript fetches lineitem and makes columns of apache-arrow's of it, by the ways that PostgreSQL has: an Arrow stream
		of a query or of a stored rowset, and COPY and json_agg, whose bytes are parsed by code that is made for these columns and goes
		through them once. *Receive* is the time until psql has given the program all bytes, *read* that until the columns
		are there and one of them is added up; medians of $ARROW_PASSES passes, all ways in turns. The columns are
		compared. An Arrow stream's decimals are decimals; the other ways make doubles of numerics, which costs them less. The stream is not
		compressed: apache-arrow has no codec of its own.

	END
	show_chart arrow_time "Time to have a table in apache-arrow's columns"
	show_chart arrow_bytes "Bytes on their way to the program"
	sql_markdown "SELECT to_char(rows, 'FM999,999,999') AS rows, form AS by, bench.nice(bytes / 1e6) AS \"MB\", bench.nice(receive_ms) AS \"receive, ms\",
			bench.nice(read_ms) AS \"read, ms\", bench.nice(total_ms) AS \"both, ms\", bench.nice(fastest_ms) AS \"both: fastest\"
		FROM arrow.figure ORDER BY figure.rows DESC, total_ms"
	say_sentences arrow_sentences
}

arrow_sentences()
{
	sql_rows "WITH q AS (SELECT * FROM arrow.figure WHERE form = 'query_to_arrow'),
		s AS (SELECT * FROM arrow.figure WHERE form = 'rowset_to_arrow'),
		b AS (SELECT DISTINCT ON (rows) * FROM arrow.figure WHERE kind = 'rival' ORDER BY rows, total_ms)
		SELECT string_agg(format('%s rows of a query are there in %s ms, of a stored rowset in %s ms; by the best of the other ways (%s) in %s ms, %s times as long as '
				|| 'the query. Once the bytes are there, the stream is read in %s ms, where %s takes %s.',
			to_char(q.rows, 'FM999,999,999'), bench.nice(q.total_ms), bench.nice(s.total_ms), b.form, bench.nice(b.total_ms),
			bench.nice(b.total_ms / q.total_ms), bench.nice(q.read_ms), b.form, bench.nice(b.read_ms)), ' ' ORDER BY q.rows DESC)
		|| coalesce((SELECT format(' Meanwhile the machine was busy with other work, by a load of %s on %s cores: compare these figures with each other only.',
			bench.nice(load), cores) FROM arrow.machine WHERE load > cores), '')
		FROM q JOIN s USING (rows) JOIN b USING (rows)"
}
