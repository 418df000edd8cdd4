# shellcheck shell=bash
#
# How much each carrier takes in one go: so many bytes pass, one more does not.
# Takes 6 GB of
# memory.  Sourced by test/scaleout/run.

limits_prepare()
{
	database_make near one
	database_make far two
	sql far -f "$SCALEOUT/limits/far.sql"
	sql near -o /dev/null -f "$SCALEOUT/limits/near.sql"
}

# probe CARRIER N: carry so many bytes; print how many came, or the error.
probe()
{
	local n=$2

	case $1 in
		"psql, text") sql far -c "SELECT filler($n)" | tail -c +3 | tr -d '\n' | wc -c | awk '{ printf "%d\n", $1 / 2 }' ;;
		"COPY, binary") sql far -c "COPY (SELECT filler($n)) TO STDOUT (FORMAT binary)" | wc -c | awk '{ printf "%d\n", $1 - 27 }' ;;
		"dblink, to here") sql near -c "SELECT length(b) FROM dblink('service=far', 'SELECT filler($n)') AS d(b bytea)" ;;
		"dblink, to there") sql near -c "SELECT l FROM near_filler($n) AS b, dblink('service=far', format('SELECT take(%L)', b)) AS d(l int)" ;;
		"postgres_fdw, to here")
			sql far -c 'TRUNCATE wanted' -c "INSERT INTO wanted VALUES ($n)"
			sql near -c 'SELECT length(b) FROM far_filler'
			;;
		"postgres_fdw, to there")
			sql far -c 'TRUNCATE held'
			sql near -c "INSERT INTO far_held SELECT near_filler($n)"
			sql far -c 'SELECT length(b) FROM held'
			;;
		"PL/Proxy, to here") sql near -c "SELECT length(filler($n))" ;;
		"PL/Proxy, to there") sql near -c "SELECT take(near_filler($n))" ;;
		"table, bytea")
			sql near -c 'TRUNCATE held' -c "INSERT INTO held SELECT near_filler($n)" -c 'SELECT length(b) FROM held'
			;;
		"PgQ, base64")
			sql near -o /dev/null -c "SELECT pgq.insert_event('limits', 'x', encode(near_filler($n), 'base64'))" -c "SELECT pgq.ticker('limits')"
			sql near <<-'END'
				SELECT pgq.next_batch('limits', 'near') AS batch \gset
				SELECT length(decode(ev_data, 'base64')) FROM pgq.get_batch_events(:batch);
				SELECT pgq.finish_batch(:batch) \gset
			END
			;;
		"NOTIFY") sql near -c "SELECT pg_notify('x', repeat('x', $n))" | sed "s/^\$/$n/" ;;
		"logical message, pgoutput")
			sql near -o /dev/null -c "SELECT pg_create_logical_replication_slot('limits', 'pgoutput')"
			sql near -o /dev/null -c "SELECT pg_logical_emit_message(true, 'x', near_filler($n))"
			sql near -c "SELECT length(data) - 16 FROM pg_logical_slot_get_binary_changes('limits', NULL, NULL, 'proto_version', '1', 'publication_names', 'feed', 'messages', 'true')
				WHERE get_byte(data, 0) = ascii('M')"
			sql near -o /dev/null -c "SELECT pg_drop_replication_slot('limits')"
			;;
		*) die "there is no carrier \"$1\"" ;;
	esac 2>&1 | grep -v '^$' | head -n 1 | sed 's/^ERROR: *//; s/^psql:.*ERROR: *//' || true
}

# What is known of each carrier, limits.tsv, must still be so: the most that passes
# and the error of one byte more.
limits_check()
{
	local carrier most error

	tail -n +2 "$SCALEOUT/limits/limits.tsv" >"$SCRATCH/limits"
	while IFS=$'\t' read -r carrier most error _; do
		say "  $carrier"
		check "$carrier: $most bytes pass" "$most" "$(probe "$carrier" "$most")"
		check "$carrier: one byte more does not" "$error" "$(probe "$carrier" $((most + 1)))"
	done <"$SCRATCH/limits"
}

limits_report()
{
	cp "$SCALEOUT/limits/limits.tsv" "$RESULTS/limits.tsv"
	printf 'Of one value in one go: so many bytes have passed in this run, one more has not.\n\n'
	awk -F '\t' '
		{ printf "| %s | %s | %s | %s |\n", $1, $2, $3, $4 }
		NR == 1 { print "|---|---:|---|---|" }' "$SCALEOUT/limits/limits.tsv"
}
