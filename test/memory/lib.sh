# shellcheck shell=bash
#
# What the commands that measure memory share: their server and database, and
# how the peak of a statement is taken.  Sourced, never run.

lib=$(cd "$(dirname "${BASH_SOURCE[0]}")/../lib" && pwd)
# shellcheck source=test/lib/common.sh
. "$lib/common.sh"
# shellcheck source=test/lib/server.sh
. "$lib/server.sh"

database=rowser_memory

# Use the server that PGHOST and PGPORT name, or start one; and make a database.
memory_open()
{
	scratch_open
	if [ -z "${PGHOST:-}" ]; then
		find_postgres
		server_start -c autovacuum=off -c shared_buffers=64MB
	fi
	psql -X -q -d postgres -c "DROP DATABASE IF EXISTS $database" -c "CREATE DATABASE $database TEMPLATE template0" 2>/dev/null
	sql -c 'CREATE EXTENSION rowser'
}

memory_close()
{
	psql -X -q -d postgres -c "DROP DATABASE $database"
}

# Run SQL from standard input; arguments are psql's variables.
sql()
{
	psql -X -A -t -q -v ON_ERROR_STOP=1 -d "$database" "$@"
}

# Print, in kB, by how much the peak grows while a query runs; and its result.
# JIT is off, since LLVM's own 50 MB would count.
peak_of()
{
	sql -v query="$1" <<-'SQL'
		SET jit = off;
		SELECT length(query_to_rowset('SELECT 1')) AS warm \gset
		SELECT substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\s+(\d+)') AS before \gset
		SELECT x FROM (:query) AS q(x) \gset
		SELECT substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\s+(\d+)')::int - :before, :'x';
	SQL
}
