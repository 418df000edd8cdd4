# shellcheck shell=bash
#
# Instructions: what the hottest functions of rowser cost for each value that
# is written or read, counted by callgrind, so that no other load on the machine
# changes it.

# shellcheck source=test/bench/harness/callgrind.sh
. "$ROWSER_ROOT/test/bench/harness/callgrind.sh"

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

	callgrind_begin
	count_instructions write "SELECT pg_column_size(query_to_rowset('SELECT * FROM $rel'))"
	count_instructions read "SELECT $counts FROM
		rowset_to_recordset((SELECT value FROM bench.counted)) AS t($columns)"
	callgrind_end

	bench_sql -c "COPY bench.instructions FROM STDIN" <"$SCRATCH/instructions.tsv"
}

# Run one statement under callgrind, and note the instructions of each of
# rowser's functions, without what these call.
count_instructions()
{
	local op=$1 statement=$2

	say "  instructions: $op"
	callgrind_statement "$op" "$statement" |
		awk -F '\t' -v OFS='\t' -v op="$op" '$1 == "rowser.so" { print op, $2, $3 }' \
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
