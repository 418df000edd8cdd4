# shellcheck shell=bash
#
# A throw-away PostgreSQL server: its files, socket and log are in one scratch
# folder, it listens to no network, and it is stopped and removed when the
# script that sourced this ends, however it ends.  No other server is touched.
#
#   . test/lib/server.sh
#   find_postgres
#   server_start [-c name=value ...]
#
# leaves PGHOST, PGPORT and PGUSER set for the clients, and SCRATCH for files
# that both the server and its clients reach.
#
# From the environment, for servers that are slow or odd (test/watch):
# SERVER_PROGRAM, what to run in place of postgres; SERVER_WAIT, the seconds to
# wait for its start; SERVER_OPTIONS, more arguments for the postmaster;
# SERVER_STOP, how to stop it, where its processes are to end by themselves.

if ! declare -F scratch_open >/dev/null; then
	# shellcheck source=test/lib/common.sh
	. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
fi

SERVER_USER=
SERVER_LOG=

# Run a program of the server as the user that owns it, since PostgreSQL won't
# run as root.  From /, since that user may not enter the folder we are in.
as_server()
{
	if [ -n "$SERVER_USER" ]; then
		(cd / && runuser -u "$SERVER_USER" -- "$@")
	else
		(cd / && "$@")
	fi
}

# Create and start the server.  Arguments are passed on to the postmaster.
server_start()
{
	server_prepare
	SERVER_LOG=$SCRATCH/server.log
	export PGHOST=$SCRATCH PGPORT=58432 PGUSER=postgres
	export PGCLIENTENCODING=UTF8
	at_exit server_stop "$SCRATCH/data"
	server_create "$SCRATCH/data" "$PGPORT"
	server_run "$SCRATCH/data" "$SERVER_LOG" "$@"
}

# Be ready for servers: whose they are, and nothing of the caller's own.
server_prepare()
{
	[ -n "$SCRATCH" ] || scratch_open
	if [ "$(id -u)" -eq 0 ]; then
		SERVER_USER=postgres
		id -u postgres >/dev/null 2>&1 || die "no user postgres on this machine"
		chown postgres "$SCRATCH"
	fi
	unset PGHOSTADDR PGDATABASE PGSERVICE PGSERVICEFILE PGPASSWORD PGPASSFILE \
		PGOPTIONS PGSSLMODE PGREQUIRESSL PGCHANNELBINDING PGTARGETSESSIONATTRS \
		PGDATA PGTZ PGDATESTYLE
}

# Create the files of a server in folder $1, which is to have port $2.
server_create()
{
	as_server "$PG_BINDIR/initdb" -D "$1" -U postgres -A trust -N \
		--encoding=UTF8 --no-locale >"$SCRATCH/initdb.log" 2>&1 || {
		cat "$SCRATCH/initdb.log" >&2
		die "initdb failed"
	}
	{
		echo "listen_addresses = ''"
		echo "unix_socket_directories = '$SCRATCH'"
		echo "port = $2"			# only part of the socket's name
		echo "fsync = off"
		echo "synchronous_commit = off"
		echo "full_page_writes = off"
		echo "timezone = 'UTC'"
		echo "log_timezone = 'UTC'"
		echo "log_line_prefix = '%m [%p] %q%d '"
		if ! as_server test -w /dev/shm; then
			echo "dynamic_shared_memory_type = mmap"
		fi
	} >>"$1/postgresql.auto.conf"
}

# Start the server in folder $1 with its log in $2; more arguments are for the
# postmaster.
server_run()
{
	local folder=$1
	local log=$2

	shift 2
	as_server "$PG_BINDIR/pg_ctl" -D "$folder" -l "$log" \
		-w -t "${SERVER_WAIT:-60}" -s ${SERVER_PROGRAM:+-p "$SERVER_PROGRAM"} \
		-o "$* ${SERVER_OPTIONS:-}" start </dev/null >/dev/null || {
		cat "$log" >&2
		die "the server did not start"
	}
}

# Stop the server in folder $1; nothing of it is kept, so there is nothing to wait
# for.
server_stop()
{
	as_server "$PG_BINDIR/pg_ctl" -D "$1" -m "${SERVER_STOP:-immediate}" -w -s stop \
		>/dev/null 2>&1
}

# Print the log's lines that tell of a crash; succeed when there are any.
server_has_crashed()
{
	log_tells_of_crash "$SERVER_LOG"
}

# The same for the log in file $1.
log_tells_of_crash()
{
	grep -E 'server process .* was terminated by signal|PANIC:|TRAP:' "$1"
}
