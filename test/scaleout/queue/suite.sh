# shellcheck shell=bash
#
# Request and reply by queue: PgQ with its own daemon, and a plain table with
# FOR UPDATE SKIP LOCKED.  Sourced by test/scaleout/run.

PGQD_PID=

queue_prepare()
{
	database_make desk two
	sql desk -c 'CREATE EXTENSION rowser'
	copy_lineitem desk
	sql desk -c 'CREATE INDEX ON lineitem (l_orderkey)'
	sql desk -f "$SCALEOUT/queue/service.sql"
	sql desk -f "$SCALEOUT/queue/skip_locked.sql"
	sql desk -f "$SCALEOUT/queue/check.sql"
	if has_extension pgq && command -v pgqd >/dev/null; then
		sql desk -f "$SCALEOUT/queue/pgq.sql" >/dev/null
		start_pgqd
	fi
}

# The daemon that makes ticks and brings retried events back.
start_pgqd()
{
	sql desk -o /dev/null -c "SELECT pgq.set_queue_config(q, 'ticker_max_lag', '0.1 seconds') FROM unnest('{requests,replies}'::text[]) AS q"
	cat >"$SCRATCH/pgqd.ini" <<-END
		[pgqd]
		logfile = $SCRATCH/pgqd.log
		pidfile = $SCRATCH/pgqd.pid
		base_connstr = host=$SCRATCH port=${CLUSTER_PORTS[two]} user=postgres
		initial_database = desk
		database_list = desk
		check_period = 1
		retry_period = 1
		ticker_period = 0.1
	END
	as_server pgqd -q "$SCRATCH/pgqd.ini" </dev/null >/dev/null 2>&1 &
	PGQD_PID=$!
	at_exit stop_pgqd
}

stop_pgqd()
{
	[ -z "$PGQD_PID" ] || as_server pgqd -s "$SCRATCH/pgqd.ini" >/dev/null 2>&1
	PGQD_PID=
}

# wait_until STATEMENT ...: run these at the desk, each by itself, until the last
# one gives "t", which it must within 20 seconds.
wait_until()
{
	local statement
	local options=()

	for statement; do
		options+=(-c "$statement")
	done
	for _ in $(seq 200); do
		if [ "$(sql desk "${options[@]}" | tail -n 1)" = t ]; then
			return
		fi
		sleep 0.1
	done
	say "waited in vain for: $*"
}

queue_check()
{
	check_service
	check_skip_locked
	[ -z "$PGQD_PID" ] || check_pgq
}

# What the service refuses, whoever carries the request.
check_service()
{
	check "a request that isn't there" 'ERROR:  42704' \
		"$(sql desk -v VERBOSITY=sqlstate -c "SELECT service.answer('DROP TABLE lineitem', NULL)" 2>&1)"
	check "what is not a rowset as parameters" 'ERROR:  22P03' \
		"$(sql desk -v VERBOSITY=sqlstate -c "SELECT service.answer('lines_of_orders', 'nonsense')" 2>&1)"
	check "parameters of other names" 'ERROR:  42703' \
		"$(sql desk -v VERBOSITY=sqlstate -c "SELECT service.answer('lines_of_orders', query_to_rowset('SELECT 1 AS other'))" 2>&1)"
	check "a request that would write" 'ERROR:  42501' "$(sql desk -v VERBOSITY=sqlstate 2>&1 <<-'END'
		BEGIN;
		INSERT INTO service.request VALUES ('write', 'DELETE FROM lineitem RETURNING *');
		SELECT service.answer('write', NULL);
	END
	)"
	check "a value is never part of the query" 0 "$(sql desk -c "SELECT rowset_count(service.answer('lines_by_comment',
		query_to_rowset(\$\$SELECT ''' OR true --' AS comment\$\$)))")"
}

check_skip_locked()
{
	local workers=()

	sql desk -f "$SCALEOUT/queue/ask_tasks.sql" >/dev/null
	# a worker that dies in the middle of a task
	sql desk >/dev/null 2>&1 <<-'END' || true
		BEGIN;
		SELECT * FROM task WHERE error IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
		DELETE FROM task WHERE id = (SELECT min(id) FROM task);
		SELECT pg_terminate_backend(pg_backend_pid());
	END
	for _ in 1 2; do
		(wait_until "CALL serve_tasks()" "SELECT NOT EXISTS (SELECT FROM task WHERE error IS NULL)") &
		workers+=($!)
	done
	wait "${workers[@]}" || true
	check "SKIP LOCKED: answers to all but the poisoned" "$(sql desk -c 'SELECT count(*) - 1 FROM asked')" "$(sql desk -c 'SELECT count(*) FROM answer')"
	check "SKIP LOCKED: the poisoned one was tried three times" '3|there is no request "poison"' \
		"$(sql desk -c 'SELECT tries, error FROM task')"
	check "SKIP LOCKED: the one that failed at first" '3' "$(sql desk -c 'SELECT last_value FROM flaky')"
	check_rows "SKIP LOCKED: every row of every answer" desk "TABLE expected_rows" \
		"SELECT id, t.* FROM answer, rowset_populate_recordset(NULL::lineitem, rows) AS t"
}

check_pgq()
{
	sql desk -f "$SCALEOUT/queue/ask_events.sql" >/dev/null
	# a consumer that dies before it commits
	wait_until "SELECT pgq.next_batch('requests', 'service') IS NOT NULL"
	sql desk -o /dev/null -c 'BEGIN' -c 'SELECT pgq_serve()' -c 'ROLLBACK'
	check "PgQ: nothing of a batch that was rolled back" "0" "$(sql desk -c 'SELECT count(*) FROM reply')"
	wait_until "SELECT pgq_serve()" "SELECT count(*) = 1 FROM dead_letter"
	wait_until "SELECT pgq_receive()" "SELECT count(*) = (SELECT count(*) FROM asked) FROM reply"
	check "PgQ: a reply to each request" "$(sql desk -c 'SELECT count(*) FROM asked')" "$(sql desk -c 'SELECT count(*) FROM reply')"
	check "PgQ: a large reply takes several events" t "$(sql desk -c "SELECT count(*) > 1 AND max(length(ev_data)) < 70000
		FROM pgq.event_2 WHERE ev_extra1 = '4'")"
	check "PgQ: the poisoned one was put aside" 'there is no request "poison"|there is no request "poison"' \
		"$(sql desk -c "SELECT d.error, r.error FROM dead_letter AS d JOIN reply AS r USING (id)")"
	check "PgQ: the one that failed at first was tried three times" '3' "$(sql desk -c 'SELECT last_value FROM flaky')"
	check_rows "PgQ: every row of every reply" desk "TABLE expected_rows" \
		"SELECT id::bigint, t.* FROM reply, rowset_populate_recordset(NULL::lineitem, rows) AS t WHERE error IS NULL"
}

queue_measure()
{
	local counts

	say "Measuring: queue"
	stop_pgqd
	counts=$(sql desk -c "SELECT string_agg(format('count(%s)', attname), ', ' ORDER BY attnum)
		FROM pg_attribute WHERE attrelid = 'lineitem'::regclass AND attnum > 0")
	sed "s/COUNTS/$counts/" "$SCALEOUT/queue/rivals.sql" | sql desk -o /dev/null
	sql desk -c "CALL time_all($PASSES, $((ROWS / 16)))"
	check "queue: rivals give the same" "" "$(sql desk -c "SELECT DISTINCT load, counts FROM timing t
		WHERE counts <> (SELECT min(counts) FROM timing WHERE load = t.load)")"
	check "queue: every case was measured" $((12 * PASSES)) "$(sql desk -c "SELECT count(*) FROM timing WHERE rows > 0")"
}

queue_report()
{
	rows_tsv queue.tsv desk "SELECT carrier, form, load, replies, rows, pass, round(serve_ms::numeric, 3) AS serve_ms,
		round(read_ms::numeric, 3) AS read_ms, bytes FROM timing ORDER BY load, carrier, form, pass"
	printf 'Requests that wait are served, their replies taken and every column of every row counted. Without the time until\nPgQ'\''s next tick.\n\n'
	rows_table desk "WITH t AS (
			SELECT load, carrier, form, replies, rows, max(bytes) AS bytes, percentile_cont(0.5) WITHIN GROUP (ORDER BY serve_ms) AS serve_ms,
				percentile_cont(0.5) WITHIN GROUP (ORDER BY read_ms) AS read_ms, percentile_cont(0.5) WITHIN GROUP (ORDER BY serve_ms + read_ms) AS ms
			FROM timing GROUP BY load, carrier, form, replies, rows)
		SELECT carrier, form AS \"replies as\", replies, rows, round(serve_ms) AS \"served, ms\", round(read_ms) AS \"read, ms\",
			round(ms) AS \"both, ms\", round((rows / ms)::numeric, 1) AS \"rows a ms\", pg_size_pretty(bytes) AS size
		FROM t ORDER BY load, carrier DESC, ms"
}
