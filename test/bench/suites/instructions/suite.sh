# shellcheck shell=bash
#
# Instructions: what the hottest functions of rowser cost for each value that
# is written or read, counted by callgrind, so that no other load on the machine
# changes it.  The server is stopped meanwhile; a single-user one runs instead.

suite_measure()
{
	local rel columns counts

	# a hundred thousand rows, by default
	rel=$(sql_rows "SELECT rel FROM bench.relation WHERE tbl = 'lineitem' AND scope = 'json'")
	columns=$(sql_rows "SELECT bench.each_column('$rel', '%1\$s %2\$s')")
	counts=$(sql_rows "SELECT bench.each_column('$rel', 'count(%1\$s)')")
	bench_sql <<-END
		CREATE TABLE bench.instructions
		(
			op text,
			function text,
			instructions bigint NOT NULL,
			PRIMARY KEY (op, function)
		);
		CREATE TABLE bench.counted AS SELECT query_to_rowset('SELECT * FROM $rel') AS value;
		ALTER TABLE bench.counted ALTER value SET STORAGE EXTERNAL;
		UPDATE bench.counted SET value = value || '';
	END

	as_server "$PG_BINDIR/pg_ctl" -D "$SCRATCH/data" -m fast -w -s stop
	count_instructions write "SELECT pg_column_size(query_to_rowset('SELECT * FROM $rel'))"
	count_instructions read "SELECT $counts FROM
		rowset_to_recordset((SELECT value FROM bench.counted)) AS t($columns)"
	as_server "$PG_BINDIR/pg_ctl" -D "$SCRATCH/data" -l "$SERVER_LOG" -w -t 60 -s \
		-o "${SERVER_SETTINGS[*]}" start </dev/null >/dev/null

	bench_sql -c "COPY bench.instructions FROM STDIN" <"$SCRATCH/instructions.tsv"
}

# Run one statement by a server of one process under callgrind, and note the
# instructions of each of rowser's functions, without what these call.
count_instructions()
{
	local op=$1 statement=$2
	local counts=$SCRATCH/$op.callgrind

	say "  instructions: $op"
	tr '\n\t' '  ' <<<"$statement" |
		as_server valgrind --tool=callgrind --callgrind-out-file="$counts" "$PG_BINDIR/postgres" \
			--single -D "$SCRATCH/data" "${SERVER_SETTINGS[@]}" bench >"$counts.log" 2>&1
	if grep -E 'ERROR|FATAL' "$counts.log" >&2; then
		die "the statement under callgrind failed"
	fi
	# "1,234 (5.6%)  file:function [library]"; a recursive call has a name with '2
	callgrind_annotate --threshold=100 --auto=no "$counts" |
		sed -n "s/^ *\([0-9,]*\) ([^)]*) .*:\([^ ']*\)[^ ]* \[.*\/rowser\.so\]\$/\1 \2/p" |
		tr -d ',' |
		awk -v OFS='\t' -v op="$op" '{ n[$2] += $1 } END { for (f in n) print op, f, n[f] }' \
			>>"$SCRATCH/instructions.tsv"
}

suite_report()
{
	local op

	sql_tsv instructions.tsv "SELECT op, function, instructions, round(instructions / $(counted_values), 3) AS a_value
		FROM bench.instructions WHERE instructions / $(counted_values) >= 0.001 ORDER BY op DESC, instructions DESC, function"

	cat <<-END
		## Instructions

		The ten functions of rowser that run the most instructions, by themselves, while lineitem's rows are written
		or all their columns read; over all values, of whatever type. Counted by callgrind: a function that is
		inlined counts with the one that it is in.

	END
	for op in write read; do
		printf '### Instructions to %s\n\n' "$op"
		sql_markdown "SELECT function, to_char(instructions, 'FM999,999,999,999') AS instructions,
				bench.nice(instructions::float8 / $(counted_values)) AS \"a value\",
				bench.nice(100.0 * instructions / total) AS \"% of rowser's\"
			FROM (SELECT *, sum(instructions) OVER () AS total FROM bench.instructions WHERE op = '$op') AS i
			ORDER BY i.instructions DESC LIMIT 10"
		printf '\nAll functions of rowser: %s instructions a value.\n\n' \
			"$(sql_rows "SELECT bench.nice((sum(instructions) / $(counted_values))::float8) FROM bench.instructions WHERE op = '$op'")"
	done
}

# In SQL: how many values were written, and read.
counted_values()
{
	echo "(SELECT rows * (SELECT count(*) FROM bench.columns('lineitem'))
		FROM bench.relation WHERE tbl = 'lineitem' AND scope = 'json')::numeric"
}
