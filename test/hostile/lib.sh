# shellcheck shell=bash
#
# What test/hostile/run-quick and run-mutants share: the database called hostile
# and reading mutants in it.  Sourced after common.sh and server.sh, once SCRATCH
# and the server are there.

HOSTILE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

sql()
{
	psql -X -q -v ON_ERROR_STOP=1 -d hostile "$@"
}

# After a crash the server takes a moment to come back.
wait_for_server()
{
	local attempt

	for attempt in {1..120}; do
		if psql -X -q -d postgres -c 'SELECT 1' >/dev/null 2>&1; then
			return 0
		fi
		sleep 0.5
	done
	say "the server has not come back in $((attempt / 2)) seconds"
	return 1
}

# Build the module of the test, and more, into $SCRATCH/build, where the server
# finds it.
build_module()
{
	mkdir "$SCRATCH/build"
	make -C "$SCRATCH/build" -f "$HOSTILE/Makefile" -j "$(nproc)" "PG_CONFIG=$PG_CONFIG" "$@" >"$SCRATCH/build.log" 2>&1 </dev/null || {
		cat "$SCRATCH/build.log"
		return 1
	}
	chmod 755 "$SCRATCH" "$SCRATCH/build"
}

# Make the database with the specimens, and run further files in it.
make_database()
{
	local file
	local files=()

	for file in setup.sql builder.sql specimens.sql "$@"; do
		files+=(-f "$HOSTILE/$file")
	done
	dropdb --if-exists --force hostile 2>/dev/null || true
	createdb --template=template0 --encoding=UTF8 --locale=C hostile
	at_exit dropdb --if-exists --force hostile
	sql -v module="$SCRATCH/build/rowser_hostile" "${files[@]}"
}

# Run those batches of mutants that wait and are session $1's of $2 sessions.
run_batches_of()
{
	sql -v session="$1" -v sessions="$2" <<-'END' >>"$SCRATCH/mutants.log" 2>&1
		SET client_min_messages = error;
		SET log_min_messages = warning;		-- so that they reach the count
		SELECT format('CALL hostile.run_batch(%s)', ord) FROM hostile.batch
		WHERE state = 'waits' AND ord % :sessions = :session ORDER BY ord
		\gexec
	END
}

# Read $1 mutants from seed $2 on in $3 sessions, whatever happens to the server
# meanwhile, and print the verdict.
read_mutants()
{
	local sessions=$3
	local session
	local pids
	local pid

	sql -v module="$SCRATCH/build/rowser_hostile" -v mutants="$1" -v seed="$2" -f "$HOSTILE/mutants.sql"
	while [ "$(sql -A -t -c "SELECT count(*) FROM hostile.batch WHERE state = 'waits'")" -gt 0 ]; do
		pids=()
		for ((session = 0; session < sessions; session++)); do
			run_batches_of "$session" "$sessions" &
			pids+=($!)
		done
		for pid in "${pids[@]}"; do
			wait "$pid" || true
		done
		wait_for_server
		sql -A -t -c 'SELECT hostile.take_up()' >/dev/null
	done
	sort -u "$SCRATCH/mutants.log" | head -n 20
	sql -v mutants="$1" -f "$HOSTILE/mutants-verdict.sql" 2>&1 || echo "not ok - mutants-verdict.sql"
}
