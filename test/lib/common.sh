# shellcheck shell=bash
#
# What all test commands share: where the project is, how to speak and to
# fail, how to become root, which PostgreSQL to use, and one scratch folder
# that is gone at the end.  Sourced, never run.

# Locale-dependent messages would be parsed below; C.UTF-8 is always there.
export LC_ALL=C.UTF-8
unset LANGUAGE

ROWSER_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export ROWSER_ROOT
SCRATCH=
EXIT_HOOKS=()

# Print one line of progress.
say()
{
	printf '%s\n' "$*"
}

# Print why the command can't go on, and end it.
die()
{
	printf 'error: %s\n' "$*" >&2
	exit 1
}

# May as_root be called?
can_be_root()
{
	[ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null
}

# Run a command as root: as it is, or through sudo.
as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# Set PG_CONFIG and PG_BINDIR, and put that bindir first on PATH, so that
# psql is the server's own and no wrapper of the distribution.
#
# PG_CONFIG in the environment decides.  Otherwise it is pg_config on PATH,
# or else the newest under Debian's folder that can build an extension.
find_postgres()
{
	local candidate

	if [ -z "${PG_CONFIG:-}" ]; then
		PG_CONFIG=$(command -v pg_config || true)
		if ! can_build "$PG_CONFIG"; then
			for candidate in /usr/lib/postgresql/*/bin/pg_config; do
				if can_build "$candidate"; then
					PG_CONFIG=$candidate
				fi
			done
		fi
	fi
	[ -n "$PG_CONFIG" ] || die "no pg_config found; set PG_CONFIG"

	PG_BINDIR=$("$PG_CONFIG" --bindir)
	PATH=$PG_BINDIR:$PATH
	export PG_CONFIG PATH
}

# Does this pg_config belong to an installation with a server and PGXS?
can_build()
{
	[ -n "$1" ] && [ -x "$1" ] || return 1
	[ -x "$("$1" --bindir)/initdb" ] && [ -f "$("$1" --pgxs)" ]
}

# Make SCRATCH, a short path, since a socket's is limited to 107 bytes.
scratch_open()
{
	local parent=${TMPDIR:-/tmp}

	if [ "${#parent}" -gt 60 ]; then
		parent=/tmp
	fi
	SCRATCH=$(mktemp -d "$parent/rowser.XXXXXX")
	trap run_exit_hooks EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	at_exit rm -rf "$SCRATCH"
}

# Have a command run when the script ends; the last one given runs first.
at_exit()
{
	EXIT_HOOKS=("$(printf '%q ' "$@")" ${EXIT_HOOKS[@]+"${EXIT_HOOKS[@]}"})
}

# The EXIT trap: run what at_exit was given, keep the exit status.
run_exit_hooks()
{
	local status=$?
	local hook

	trap - EXIT
	set +e
	for hook in ${EXIT_HOOKS[@]+"${EXIT_HOOKS[@]}"}; do
		eval "$hook"
	done
	exit "$status"
}
