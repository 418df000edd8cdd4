# shellcheck shell=bash
#
# A change feed by logical messages, and packets by NOTIFY.  Sourced by
# test/scaleout/run.

feed_prepare()
{
	database_make source one
	sql source -c 'CREATE EXTENSION rowser'
	copy_lineitem source "WHERE l_orderkey % 4 = 0"
	database_make target two
	sql target -c 'CREATE EXTENSION rowser' -c 'CREATE EXTENSION dblink'
	copy_lineitem target "WHERE l_orderkey % 4 = 0"
	sql target -c 'CREATE INDEX ON lineitem (l_orderkey, l_linenumber)'
	sql source -f "$SCALEOUT/feed/source.sql" >/dev/null
	sql target -f "$SCALEOUT/feed/target.sql"
}

feed_check()
{
	check_messages
	check_text_plugins
	check_notify
}

# The target's table against the source's, every row: name.
check_feed_rows()
{
	check_rows "$1" target "SELECT t.* FROM dblink('service=source', \$\$SELECT query_to_rowset('SELECT * FROM lineitem')\$\$) AS d(r bytea),
		rowset_populate_recordset(NULL::lineitem, r) AS t" "SELECT * FROM lineitem"
}

check_messages()
{
	check_feed_rows "feed: the same before"
	sql source -f "$SCALEOUT/feed/changes.sql"
	check "feed: it differs before the feed is applied" f "$(sql target -c "SELECT md5(query_to_rowset('SELECT * FROM lineitem ORDER BY 1, 4')) = hash
		FROM dblink('service=source', \$\$SELECT md5(query_to_rowset('SELECT * FROM lineitem ORDER BY 1, 4'))\$\$) AS d(hash text)")"
	sql target -o /dev/null -c BEGIN -c 'SELECT apply_feed()' -c ROLLBACK
	check "feed: a message for each statement, two for the update" 4 "$(sql target -c 'SELECT apply_feed()')"
	check "feed: nothing twice" 0 "$(sql target -c 'SELECT apply_feed()')"
	check_feed_rows "feed: every row is the same after"
	sql target -o /dev/null -c 'SELECT confirm_feed()'
	check "feed: what is applied is forgotten" 0 "$(sql source -c "SELECT count(*) FROM feed_messages('0/0')")"
}

# Newer servers have a list of the plugins that may be used.
allow_wal2json()
{
	sql source <<-'END'
		SELECT format('ALTER SYSTEM SET output_plugin_libraries = %s, wal2json', setting), 'SELECT pg_reload_conf()'
		FROM pg_settings WHERE name = 'output_plugin_libraries' \gexec
	END
}

# test_decoding and wal2json give text: of a binary message what comes before its
# first zero byte, which is the sixth of any rowset (psql leaves out the first of
# these five, which is no character); base64 comes whole.  A server with assertions
# refuses text that isn't valid in its encoding.
check_text_plugins()
{
	local plugin
	local rowset

	[ "$(sql source -c 'SHOW debug_assertions')" = off ] || return 0
	rowset=$(sql source -c "SELECT encode(query_to_rowset('SELECT * FROM lineitem ORDER BY l_orderkey, l_linenumber LIMIT 100'), 'hex')")
	for plugin in test_decoding wal2json; do
		has_library "$plugin" || continue
		[ "$plugin" != wal2json ] || allow_wal2json >/dev/null
		sql source -o /dev/null -c "SELECT pg_create_logical_replication_slot('$plugin', '$plugin')"
		sql source -o /dev/null -f "$SCALEOUT/feed/emit.sql"
		sql source -c "SELECT data FROM pg_logical_slot_get_changes('$plugin', NULL, NULL$(
			[ "$plugin" != wal2json ] || echo ", 'format-version', '2'"))" >"$SCRATCH/$plugin.txt"
		sql source -o /dev/null -c "SELECT pg_drop_replication_slot('$plugin')"
		check "$plugin: of a binary message there are the first bytes" "${rowset:2:8}" "$(message_content "$plugin" binary <"$SCRATCH/$plugin.txt")"
		check "$plugin: base64 is whole" "$rowset" "$(message_content "$plugin" base64 <"$SCRATCH/$plugin.txt")"
	done
}

# Print, in hex, the content of the message with prefix $2 in what plugin $1 gave.
message_content()
{
	PLUGIN=$1 PREFIX=$2 perl -0777 -ne '
		my $content;
		if ($ENV{PLUGIN} eq "wal2json") {
			($content) = /"prefix":"$ENV{PREFIX}","content":"([^"]*)"/;
			$content =~ s/\\n/\n/g;
			$content =~ s/\\r/\r/g;
		} else {
			($content) = /prefix: $ENV{PREFIX}, sz: \d+ content:(.*?)\n(?:message:|COMMIT)/s;
		}
		use MIME::Base64;
		$content = decode_base64($content) if $ENV{PREFIX} eq "base64";
		print unpack("H*", $content);
	'
}

# NOTIFY: the payload is text of less than 8,000 bytes; a packet of 5,922 is 7,999 in
# base64.  A listener feeds what it has heard to a reader.
check_notify()
{
	sql target -f "$SCALEOUT/feed/listener.sql"
	listener_open lines
	sql target -o /dev/null -f "$SCALEOUT/feed/notify.sql"
	listener_finish
	listener_payloads | sql target -c 'COPY inbox (payload) FROM STDIN'
	check "NOTIFY: several packets, the longest as long as can be" "t 7999" \
		"$(sql target -F ' ' -c 'SELECT count(*) > 2, max(octet_length(payload)) FROM inbox')"
	sql target -f "$SCALEOUT/feed/heard.sql"
	check_rows "NOTIFY: every row" target "SELECT * FROM lineitem" "SELECT * FROM heard"
}

# Start a psql that listens to a channel, and wait until it does.
listener_open()
{
	rm -f "$SCRATCH/listener"
	mkfifo "$SCRATCH/listener"
	sql target <"$SCRATCH/listener" >"$SCRATCH/heard.txt" 2>&1 &
	LISTENER=$!
	exec 7>"$SCRATCH/listener"
	echo "LISTEN $1; SELECT pg_notify('$1', 'ready');" >&7
	wait_for_text ready "$SCRATCH/heard.txt"
}

# Have it take what has come, which psql does after a statement; it ends.
listener_finish()
{
	echo 'SELECT 1;' >&7
	exec 7>&-
	wait "$LISTENER"
}

# Print each payload that it has heard, as a line for COPY.
listener_payloads()
{
	perl -0777 -ne 'while (/with payload "(.*?)" received from server process/sg) {
		my $payload = $1;
		$payload =~ s/\\/\\\\/g;
		$payload =~ s/\n/\\n/g;
		print "$payload\n" if $payload ne "ready";
	}' "$SCRATCH/heard.txt"
}

# Wait until file $2 has text $1, for at most 10 seconds.
wait_for_text()
{

	for _ in $(seq 100); do
		if grep -q "$1" "$2"; then
			return
		fi
		sleep 0.1
	done
	say "waited in vain for: $1"
}

feed_measure()
{
	local counts
	local pass
	local form

	say "Measuring: feed"
	counts=$(sql source -c "SELECT string_agg(format('count(%s)', attname), ', ' ORDER BY attnum)
		FROM pg_attribute WHERE attrelid = 'lineitem'::regclass AND attnum > 0")
	sql source -o /dev/null -c "SELECT pg_drop_replication_slot('feed')"
	sed "s/COUNTS/$counts/" "$SCALEOUT/feed/rivals.sql" | sql source
	sql source -c "CALL time_all($PASSES)"
	check "feed: every case has all rows" "t" "$(sql source -c "SELECT count(*) = 4 * $PASSES AND bool_and(t.rows = l.rows)
		FROM timing AS t, (SELECT count(*) AS rows FROM lineitem) AS l")"

	say "Measuring: NOTIFY"
	sql target -v rows=$((ROWS / 16)) -f "$SCALEOUT/feed/notify_rivals.sql"
	for pass in $(seq 0 "$PASSES"); do
		for form in rowset JSON; do
			time_notify "$form" "$pass"
		done
	done
	sql target -c "DELETE FROM timing WHERE pass = 0"
	check "NOTIFY: every case has all rows" "t" "$(sql target -c "SELECT count(*) = 2 * $PASSES AND bool_and(t.rows = f.rows)
		FROM timing AS t, (SELECT count(*) AS rows FROM few) AS f")"
}

# One form once: sent, heard by psql, made rows.
time_notify()
{
	local started
	local ended
	local sent

	listener_open timed
	sent=$(sql target -c "CALL send_timed('$1', NULL)")
	started=$(date +%s%N)
	listener_finish
	ended=$(date +%s%N)
	listener_payloads | sql target -c 'TRUNCATE payload' -c 'COPY payload (payload) FROM STDIN'
	sql target <<-END
		CALL read_timed('$1', NULL, NULL) \\gset
		INSERT INTO timing SELECT '$1', :counted, $2, $sent, ($ended - $started) / 1e6, :ms, count(*), sum(octet_length(payload)) FROM payload;
	END
}

feed_report()
{
	rows_tsv feed.tsv source "SELECT form, rows, pass, round(write_ms::numeric, 3) AS write_ms, round(read_ms::numeric, 3) AS read_ms,
		wal_bytes, taken_bytes FROM timing ORDER BY form, pass"
	rows_tsv notify.tsv target "SELECT form, rows, pass, round(send_ms::numeric, 3) AS send_ms, round(hear_ms::numeric, 3) AS hear_ms,
		round(read_ms::numeric, 3) AS read_ms, notifications, bytes FROM timing ORDER BY form, pass"
	printf 'Rows go into the log in one transaction and are taken by a slot: as one message whose rows are then counted column by\ncolumn, or as the rows of a published table, which are taken only.\n\n'
	rows_table source "SELECT form AS \"as\", rows, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY write_ms)::numeric, 1) AS \"written, ms\",
			round(percentile_cont(0.5) WITHIN GROUP (ORDER BY read_ms)::numeric, 1) AS \"taken, ms\",
			pg_size_pretty(max(wal_bytes)) AS \"log\", pg_size_pretty(max(taken_bytes)) AS taken
		FROM timing GROUP BY form, rows ORDER BY percentile_cont(0.5) WITHIN GROUP (ORDER BY write_ms + read_ms)"
	printf '## NOTIFY\n\nSent by one session, heard by psql, made into rows.\n\n'
	rows_table target "SELECT CASE form WHEN 'rowset' THEN 'a rowset in packets, base64' ELSE 'JSON, a row each' END AS \"as\", rows, max(notifications) AS notifications,
			round(percentile_cont(0.5) WITHIN GROUP (ORDER BY send_ms)::numeric, 1) AS \"sent, ms\",
			round(percentile_cont(0.5) WITHIN GROUP (ORDER BY hear_ms)::numeric, 1) AS \"heard, ms\",
			round(percentile_cont(0.5) WITHIN GROUP (ORDER BY read_ms)::numeric, 1) AS \"read, ms\", pg_size_pretty(max(bytes)) AS size
		FROM timing GROUP BY form, rows ORDER BY form DESC"
}
