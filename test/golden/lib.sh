# shellcheck shell=bash
#
# What test/golden/run-quick and test/golden/make share.  Sourced after
# common.sh and server.sh; sets nothing but functions.

# psql in the database $1; the other arguments are added.
run_psql()
{
	local database=$1

	shift
	PGOPTIONS="-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres \
		-c extra_float_digits=1 -c bytea_output=hex -c lc_monetary=C \
		-c client_min_messages=warning" \
		psql -X -q -A -t -v ON_ERROR_STOP=1 -d "$database" "$@"
}

# Create database $1 of encoding $2 with the extension and what the script $3
# makes.
create_database()
{
	dropdb --if-exists --force "$1" 2>/dev/null
	createdb --template=template0 --encoding="$2" --locale=C "$1"
	at_exit dropdb --if-exists --force "$1"
	run_psql "$1" -c 'CREATE EXTENSION rowser' -f "$3"
}

# Load the *.rowset of folder $2 into table "file" of database $1.
load_files()
{
	{
		echo "CREATE TABLE file (name text PRIMARY KEY, rowset bytea NOT NULL);"
		echo "COPY file FROM stdin;"
		(cd "$2" && perl -e '
			for my $file (@ARGV) {
				open(my $in, "<:raw", $file) or die "$file: $!\n";
				local $/;
				print $file =~ s/\.rowset$//r, "\t\\\\x", unpack("H*", <$in>), "\n";
			}' ./*.rowset) | sed 's,^\./,,'
		echo "\\."
	} | run_psql "$1"
}

# The names of the files in folder $1.
list_names()
{
	find "$1" -name '*.rowset' | sed 's,.*/,,; s,\.rowset$,,' | LC_ALL=C sort
}

# Make functions in database $1 that tell what happens to a broken rowset:
# SQLSTATE, message and detail, or "read" where it can be read.
create_judges()
{
	run_psql "$1" <<-'EOF'
		CREATE FUNCTION judge(statement text, rowset bytea,
			OUT state text, OUT message text) LANGUAGE plpgsql AS $$
		DECLARE
			detail text;
		BEGIN
			EXECUTE statement USING rowset;
			state := 'read';
			message := '';
		EXCEPTION WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE,
				message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
			message := rtrim(message || E'\n' || detail, E'\n');
		END $$;

		CREATE FUNCTION judge_check(rowset bytea,
			OUT state text, OUT message text) LANGUAGE sql
		BEGIN ATOMIC
			SELECT * FROM judge('SELECT rowset_check($1)', rowset);
		END;

		CREATE FUNCTION judge_read(rowset bytea, list text,
			OUT state text, OUT message text) LANGUAGE sql
		BEGIN ATOMIC
			SELECT * FROM judge('SELECT count(t::text) FROM '
				|| 'rowset_to_recordset($1, match => ''position'') AS t('
				|| list || ')', rowset);
		END;
	EOF
}
