# shellcheck shell=bash
#
# Several throw-away servers beside each other, and their databases, each reached
# by the name of a service: of psql, of libpq, and so of dblink, postgres_fdw and
# PL/Proxy.  Sourced after server.sh.
#
#   cluster_open                     before the first
#   cluster_start NAME SETTING ...   a server, its settings as name=value
#   database_make NAME CLUSTER ...   a database in it, and a service of that
#                                    name; more arguments are for createdb
#   sql SERVICE ...                  psql; its arguments, or standard input

CLUSTERS=()
declare -A CLUSTER_PORTS=()

# Be ready for servers, and have them and their clients know the services.
cluster_open()
{
	server_prepare
	export PGUSER=postgres PGCLIENTENCODING=UTF8
	export PGSERVICEFILE=$SCRATCH/pg_service.conf
	: >"$PGSERVICEFILE"
	chmod 644 "$PGSERVICEFILE"
}

# Start a server; its folder and its log have its name.
cluster_start()
{
	local name=$1
	local setting
	local options=()

	shift
	for setting; do
		options+=(-c "$setting")
	done
	at_exit server_stop "$SCRATCH/$name"
	CLUSTER_PORTS[$name]=$((58440 + ${#CLUSTERS[@]}))
	server_create "$SCRATCH/$name" "${CLUSTER_PORTS[$name]}"
	server_run "$SCRATCH/$name" "$SCRATCH/$name.log" "${options[@]}"
	CLUSTERS+=("$name")
}

# Make a database in a cluster, and the service for it.
database_make()
{
	local name=$1
	local port=${CLUSTER_PORTS[$2]}

	shift 2
	createdb -h "$SCRATCH" -p "$port" --template=template0 "$@" "$name"
	printf '[%s]\nhost=%s\nport=%s\ndbname=%s\nuser=postgres\n\n' \
		"$name" "$SCRATCH" "$port" "$name" >>"$PGSERVICEFILE"
}

# psql on a service.
sql()
{
	local service=$1

	shift
	psql -X -A -t -q -v ON_ERROR_STOP=1 "$@" "service=$service"
}

# Count a crash of any server as a failure.
check_crashes()
{
	local name

	for name in "${CLUSTERS[@]}"; do
		check "no crash of $name" "" "$(log_tells_of_crash "$SCRATCH/$name.log" || true)"
	done
}
