# shellcheck shell=bash
#
# Counting instructions by callgrind.  The server is stopped meanwhile, and a
# single-user one runs each statement instead.  Sourced by the suites that count.

# Stop the server, so that its files can be had by another.
callgrind_begin()
{
	as_server "$PG_BINDIR/pg_ctl" -D "$SCRATCH/data" -m fast -w -s stop
}

# Start the server again.
callgrind_end()
{
	as_server "$PG_BINDIR/pg_ctl" -D "$SCRATCH/data" -l "$SERVER_LOG" -w -t 60 -s \
		-o "${SERVER_SETTINGS[*]}" start </dev/null >/dev/null
}

# callgrind_statement NAME STATEMENT: run one statement by a server of one
# process under callgrind, and print for each function "library <tab> function
# <tab> instructions", without those of what it calls.
callgrind_statement()
{
	local counts=$SCRATCH/$1.callgrind

	tr '\n\t' '  ' <<<"$2" |
		as_server valgrind --tool=callgrind --callgrind-out-file="$counts" "$PG_BINDIR/postgres" \
			--single -D "$SCRATCH/data" "${SERVER_SETTINGS[@]}" bench >"$counts.log" 2>&1
	if grep -E 'ERROR|FATAL' "$counts.log" >&2; then
		die "the statement under callgrind failed"
	fi
	# "1,234 (5.6%)  file:function [library]"; a recursive call has a name with '2
	callgrind_annotate --threshold=100 --auto=no "$counts" |
		sed -n "s/^ *\([0-9,]*\) ([^)]*) .*:\([^ ']*\)[^ ]* \[\(.*\)\]\$/\1 \2 \3/p" |
		awk -v OFS='\t' '
			{ gsub(",", "", $1); sub(".*/", "", $3); n[$3 OFS $2] += $1 }
			END { for (f in n) print f, n[f] }'
}
