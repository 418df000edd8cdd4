# shellcheck shell=bash
#
# What the loops spend their time on, alone and by many sessions: functions, by
# perf where it works and else by callgrind, and what sessions wait for, by
# pg_stat_activity.  Sourced by suite.sh.

PROFILER=				# perf or callgrind
WARM_UP_SECONDS=		# how long sessions run before they are looked at
PROFILE_SECONDS=		# and how long they are
# In SQL: which forms.
PROFILED="f.form IN ('PL/pgSQL', 'C', 'C, SPI')"

# Which profiler works here?  Hardware counters are often missing on a virtual
# machine, but the clock of the processor is always there to sample by.
choose_profiler()
{
	if command -v perf >/dev/null &&
		perf record -q -e cpu-clock -o "$SCRATCH/perf.try" -- true >/dev/null 2>&1; then
		echo perf
	else
		echo callgrind
	fi
}

# Profile the loops in PL/pgSQL and C by one session, by as many as there are
# cores, and by many.
profile_loops()
{
	local loop form sessions statement

	: >"$SCRATCH/profile"
	: >"$SCRATCH/waits"
	while IFS=$'\x1f' read -r loop form _ sessions statement; do
		say "  loops: profile of $loop, $form, sessions: $sessions"
		profile_sessions "$loop" "$form" "$sessions" "$statement" </dev/null
	done < <(scaling_runs "$PROFILED" '' "$(few_sessions)" | tr '\t' '\037')
	[ "$PROFILER" = perf ] || profile_by_callgrind
	bench_sql -c "COPY loops.profile FROM STDIN" <"$SCRATCH/profile"
	bench_sql -c "COPY loops.wait FROM STDIN" <"$SCRATCH/waits"
}

# Have a loop run by so many sessions, and look at them meanwhile.
profile_sessions()
{
	local loop=$1 form=$2 sessions=$3 statement=$4
	local pgbench pids

	session_command "$sessions" '' "$statement" -T 600
	"${COMMAND[@]}" >"$SCRATCH/pgbench.log" 2>&1 &
	pgbench=$!
	sleep "$WARM_UP_SECONDS"		# until all have begun, and have their plans
	pids=$(sql_rows "SELECT string_agg(pid::text, ',') FROM pg_stat_activity WHERE application_name = 'pgbench'")
	[ -n "$pids" ] || die "pgbench has no session: $(cat "$SCRATCH/pgbench.log")"

	sample_waits "$loop" "$form" "$sessions" &
	if [ "$PROFILER" = perf ]; then
		perf record -q -e cpu-clock -F 1999 -p "$pids" -o "$SCRATCH/perf" -- sleep "$PROFILE_SECONDS" >"$SCRATCH/perf.log" 2>&1 ||
			die "perf failed: $(cat "$SCRATCH/perf.log")"
		perf_functions "$loop" "$form" "$sessions" >>"$SCRATCH/profile"
	fi
	wait "$!"
	end_sessions "$pgbench"
}

# End pgbench, then wait until the last of its sessions has seen that.
end_sessions()
{
	kill "$1"
	wait "$1" 2>/dev/null || true
	while [ "$(sql_rows "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pgbench'")" -gt 0 ]; do
		sleep 0.1
	done
}

# The samples of the last record, as rows of loops.profile.  A function that is
# not exported from a stripped file is an address, and those are put together.
perf_functions()
{
	perf report -q -i "$SCRATCH/perf" --stdio --no-children -F sample,dso,sym -t $'\t' 2>/dev/null |
		awk -F '\t' -v OFS='\t' -v key="$1"$'\t'"$2"$'\t'"$3" '
			NF == 3 {
				gsub(/ /, "", $1); gsub(/ +$/, "", $2); sub(/^\[.\] /, "", $3); sub(/ +$/, "", $3)
				if ($3 ~ /^0x/) $3 = ""
				if ($2 ~ /^\[kernel/) { $2 = "kernel" }
				n[$2 OFS $3] += $1
			}
			END { for (f in n) print key, f, n[f] }'
}

# What the active sessions of pgbench wait for, each few milliseconds, as rows
# of loops.wait.
sample_waits()
{
	bench_sql -At -F $'\t' <<-SQL >>"$SCRATCH/waits"
		CREATE TEMPORARY TABLE sample (event text);
		DO \$\$
		DECLARE
			stop timestamptz := clock_timestamp() + interval '$PROFILE_SECONDS s';
		BEGIN
			WHILE clock_timestamp() < stop LOOP
				PERFORM pg_stat_clear_snapshot();
				INSERT INTO sample SELECT wait_event_type || ': ' || wait_event
				FROM pg_stat_activity WHERE application_name = 'pgbench' AND state = 'active';
				PERFORM pg_sleep(0.005);
			END LOOP;
		END
		\$\$;
		SELECT '$1', '$2', $3, coalesce(event, '\\N'), count(*) FROM sample GROUP BY event;
	SQL
}

# One call of each loop under callgrind, by a server of one process, less what
# that needs to start, run nothing, and stop.
profile_by_callgrind()
{
	local runs=$SCRATCH/callgrind.runs
	local nothing=$SCRATCH/callgrind.nothing
	local loop form statement

	scaling_runs "$PROFILED" '' 1 >"$runs"
	callgrind_begin
	callgrind_statement nothing 'SELECT 1' >"$nothing"
	while IFS=$'\x1f' read -r loop form _ _ statement; do
		say "  loops: callgrind of $loop, $form"
		callgrind_statement loop "$statement" |
			awk -F '\t' -v OFS='\t' -v key="$loop"$'\t'"$form"$'\t'1 '
				{ if ($2 ~ /^0x/) $2 = "" }
				NR == FNR { n[$1 OFS $2] -= $3; next }
				{ n[$1 OFS $2] += $3 }
				END { for (f in n) if (n[f] > 0) print key, f, n[f] }' "$nothing" - >>"$SCRATCH/profile"
	done < <(tr '\t' '\037' <"$runs")
	callgrind_end
}
