# shellcheck shell=bash
#
# The loops run by many sessions at a time, by pgbench.  Sourced by suite.sh.

CALL_MS=20				# so long a call lasts when nothing else runs
ROUNDS=					# how often all is timed ...
SESSIONS=				# ... by each of these numbers of sessions ...
MOST_SESSIONS=			# ... of which this is the highest ...
TIMED_RUN=()			# ... with these options of pgbench

# Time all forms at each number of sessions, in rounds, every second one
# backwards; those that sessions may share less of as they are and in that variant.
scale_loops()
{
	local runs=$SCRATCH/runs
	local round
	local order

	bench_sql -v cores="$(nproc)" -f "$SUITE/scaling.sql"
	{
		scaling_runs "f.scaled" '' "$SESSIONS"
		scaling_runs "f.loop = 'expression' AND f.form IN ('C, SPI', 'PL/pgSQL')" 'one snapshot' "$(few_sessions)"
		scaling_runs "f.loop = 'look-up' AND f.form = 'C, SPI'" 'own table' "$(few_sessions)"
	} >"$runs"

	for ((round = 1; round <= ROUNDS; round++)); do
		say "  loops: many sessions, round $round of $ROUNDS"
		order=(cat)
		[ $((round % 2)) -eq 1 ] || order=(tac)
		"${order[@]}" "$runs" | time_sessions "$round"
	done
	bench_sql -c "COPY loops.run FROM STDIN" <"$SCRATCH/timed"
}

# The most sessions that are run with a core for each.
core_sessions()
{
	tr ' ' '\n' <<<"$SESSIONS" | awk -v cores="$(nproc)" '$1 <= cores' | tail -n 1
}

# The numbers of sessions that matter most: one, as many as cores, many.
few_sessions()
{
	printf '%s\n' 1 "$(core_sessions)" "$MOST_SESSIONS" | sort -nu | paste -s -d ' '
}

# scaling_runs CONDITION VARIANT SESSIONS: print what to run, as "loop <tab> form
# <tab> variant <tab> sessions <tab> statement", without a line break within.
scaling_runs()
{
	sql_rows "SELECT f.loop, f.form, '$2', s, regexp_replace(replace(
			CASE '$2' WHEN 'own table' THEN 'SELECT loops.lookup_c({}, :client_id + 1)' ELSE statement END,
			'{}', iterations::text), '\s+', ' ', 'g')
		FROM loops.form f
			JOIN (SELECT loop, form, least(CASE loop WHEN 'rows' THEN (SELECT count(*) FROM loops.source) END, ceil(rate * $CALL_MS))::bigint AS iterations
				FROM loops.rate) r USING (loop, form)
			CROSS JOIN regexp_split_to_table('$3', ' ') AS s
		WHERE $1 ORDER BY f.number, s::int"
}

# Run what standard input says, and add the mean time of each to the file
# "timed".  The first call of each session is left out, unless it is the only
# one: it makes the plans.
time_sessions()
{
	local round=$1
	local loop form variant sessions statement ms

	# a tab that is whitespace would swallow an empty field
	while IFS=$'\x1f' read -r loop form variant sessions statement; do
		session_command "$sessions" "$variant" "$statement" "${TIMED_RUN[@]}" -l --log-prefix="$SCRATCH/calls"
		rm -f "$SCRATCH"/calls.*
		"${COMMAND[@]}" >"$SCRATCH/pgbench.log" 2>&1 </dev/null ||
			die "pgbench failed: $(cat "$SCRATCH/pgbench.log")"
		# session, number of the call, microseconds
		ms=$(cat "$SCRATCH"/calls.* | awk '
			seen[$1]++ { sum += $3; n++; next }
			{ first += $3 }
			END { print (n ? sum / n : first / NR) / 1000 }')
		printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$loop" "$form" "$variant" "$sessions" "$round" "$ms" >>"$SCRATCH/timed"
	done < <(tr '\t' '\037')
}

# session_command SESSIONS VARIANT STATEMENT OPTION...: set COMMAND to what has
# so many sessions run the statement again and again.
session_command()
{
	local sessions=$1 variant=$2 statement=$3
	local options=

	[ "$variant" != 'one snapshot' ] || options='-c default_transaction_isolation=repeatable\ read'
	shift 3
	printf '%s;\n' "$statement" >"$SCRATCH/script"
	COMMAND=(env "PGOPTIONS=$options" "$PG_BINDIR/pgbench" -n -c "$sessions" -j 1 "$@" -f "$SCRATCH/script" bench)
}
