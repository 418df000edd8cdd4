# shellcheck shell=bash
#
# Loops: the same loops in PL/pgSQL, C, SQL and PL/Perl, by one session and by
# many; what they spend their time on, and whether sessions get in each
# other's way.

# shellcheck source=test/bench/harness/panels.sh
. "$ROWSER_ROOT/test/bench/harness/panels.sh"
# shellcheck source=test/bench/harness/callgrind.sh
. "$ROWSER_ROOT/test/bench/harness/callgrind.sh"
# shellcheck source=test/bench/suites/loops/scaling.sh
. "$SUITE/scaling.sh"
# shellcheck source=test/bench/suites/loops/profile.sh
. "$SUITE/profile.sh"
# shellcheck source=test/bench/suites/loops/article.sh
. "$SUITE/article.sh"

MOST_SESSIONS=16
if [ "$QUICK" = yes ]; then
	LOOPS_SCALE=20
	ROUNDS=1 SESSIONS="1 2 4 16" TIMED_RUN=(-t 3)
	WARM_UP_SECONDS=0.2 PROFILE_SECONDS=0.3
else
	LOOPS_SCALE=1
	ROUNDS=3 SESSIONS="1 2 4 8 16" TIMED_RUN=(-T 1)
	WARM_UP_SECONDS=0.5 PROFILE_SECONDS=1.5
fi

suite_measure()
{
	local loop

	bench_sql -v module="$SCRATCH/module/rowser_bench" -v sessions="$MOST_SESSIONS" -v scale="$LOOPS_SCALE" \
		-f "$SUITE/loops.sql"
	for loop in $(sql_rows "SELECT loop FROM loops.loop ORDER BY number"); do
		say "  loops: $loop"
		bench_sql -c "CALL bench.run('loops', '$loop', $PASSES, $LEAST_MS)"
	done
	check_answers loops

	PROFILER=$(choose_profiler)
	echo "$PROFILER" >"$SCRATCH/profiler"		# for the report
	[ "$PROFILER" = perf ] || need_command valgrind valgrind
	scale_loops
	profile_loops
}

suite_report()
{
	sql_tsv loops.tsv "SELECT loop, form, iterations, round(rate::numeric, 2) AS iterations_a_ms,
			round(best_rate::numeric, 2) AS fastest, result AS check_value
		FROM loops.rate ORDER BY number, form_number"
	sql_tsv loops_sessions.tsv "SELECT loop, form, variant, sessions, round(ms::numeric, 3) AS ms, round(t::numeric, 3) AS t, ideal
		FROM loops.scaling ORDER BY number, form_number, variant, sessions"
	sql_tsv loops_waits.tsv "SELECT loop, form, sessions, event, samples
		FROM loops.wait ORDER BY loop, form, sessions, samples DESC, event"
	sql_tsv loops_profile.tsv "SELECT loop, form, sessions, library, nullif(function, '') AS function, samples
		FROM (SELECT *, 1.0 * samples / sum(samples) OVER (PARTITION BY loop, form, sessions) AS share FROM loops.profile) p
		WHERE share >= 0.005 ORDER BY loop, form, sessions, samples DESC, function"
	loops_charts
	show_report_link Loops
}

loops_charts()
{
	sql_rows "SELECT label, value, kind, said FROM (
			SELECT description AS label, 'heading' AS value, '' AS kind, '' AS said, number, 'infinity'::float8 AS rate FROM loops.loop
			UNION ALL
			SELECT form, rate::text, kind, bench.nice(rate), number, rate FROM loops.rate) x
		ORDER BY number, rate DESC" |
		chart_bars "$RESULTS/loops.svg" "Iterations per millisecond" "iterations per millisecond, logarithmic (more is better)" log

	sql_rows "SELECT loop, form, sessions, t FROM (
			SELECT number, form_number, loop,
				CASE WHEN form LIKE 'C%' THEN 'C' WHEN form LIKE 'SQL%' THEN 'SQL' ELSE form END AS form, sessions, t
			FROM loops.scaling WHERE variant = ''
			UNION ALL
			SELECT DISTINCT number, 1000, loop, 'ideal', sessions, ideal FROM loops.scaling WHERE variant = '') x
		ORDER BY number, array_position('{PL/pgSQL,C,SQL,ideal}', form), sessions" |
		chart_panels "$RESULTS/loops_sessions.svg" "T(N): time of a call by N sessions, over that by one" "sessions" "T(N)"
}
