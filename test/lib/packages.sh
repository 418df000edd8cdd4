#!/usr/bin/env bash
#
# Installs what building and testing rowser needs and the machine hasn't got,
# by apt; nothing is looked up or downloaded when all is there.
#
# It only adds: packages that are installed keep their version, services are
# neither started nor restarted while packages are set up, and a PostgreSQL
# that is new here gets no cluster of its own.  What this puts in place to that
# end is removed again.
#
#   packages.sh                 see what is missing, install it
#   packages.sh --list          only list the missing packages
#   packages.sh --apt NAME...   install these (run as root, by the above)

set -eu

# shellcheck source=test/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

POLICY=/usr/sbin/policy-rc.d
CLUSTER_CONF=/etc/postgresql-common/createcluster.d/zz-rowser-tests.conf

# Is this package installed?
is_installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Does the C compiler find this header?
has_header()
{
	echo "#include <$1>" | gcc -E - >/dev/null 2>&1
}

# Print the names of the packages that are missing, by what they bring: an
# installation from elsewhere is as good as a package.
list_missing()
{
	local pg_config=${PG_CONFIG:-}
	local sharedir
	local major

	command -v make >/dev/null || echo make
	if ! command -v gcc >/dev/null; then
		# libc6-dev is only a recommendation of gcc's
		echo gcc libc6-dev liblz4-dev libzstd-dev
	else
		has_header stdio.h || echo libc6-dev
		has_header lz4.h || echo liblz4-dev
		has_header zstd.h || echo libzstd-dev
	fi
	command -v pg_prove >/dev/null ||
		echo libtap-parser-sourcehandler-pgtap-perl

	if [ -z "$pg_config" ]; then
		pg_config=$( (find_postgres && echo "$PG_CONFIG") 2>/dev/null) || true
	fi
	if can_build "$pg_config"; then
		sharedir=$("$pg_config" --sharedir)
		major=$("$pg_config" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
		[ -f "$sharedir/extension/hstore.control" ] ||
			echo "postgresql-$major"
		[ -f "$sharedir/extension/pgtap.control" ] ||
			echo "postgresql-$major-pgtap"
	else
		major=$(server_major)
		is_installed "postgresql-$major" || echo "postgresql-$major"
		echo "postgresql-server-dev-$major postgresql-$major-pgtap"
	fi
}

# Which PostgreSQL to install for: the newest whose server is there, else the
# newest that apt has.
server_major()
{
	local major

	for major in $(supported_majors); do
		if [ -x "/usr/lib/postgresql/$major/bin/initdb" ]; then
			echo "$major"
			return
		fi
	done
	major=$(apt_major)
	echo "${major:-$(supported_major OLDEST)}"
}

# Print the newest supported version that apt has, or nothing.
apt_major()
{
	local major

	for major in $(supported_majors); do
		if apt-cache show "postgresql-server-dev-$major" >/dev/null 2>&1; then
			echo "$major"
			return
		fi
	done
}

# Print the supported versions of PostgreSQL, newest first.
supported_majors()
{
	seq "$(supported_major NEWEST)" -1 "$(supported_major OLDEST)"
}

# Print the OLDEST or the NEWEST version of PostgreSQL that rowser supports.
supported_major()
{
	sed -n "s/^#define ROWSER_$1_POSTGRES //p" "$ROWSER_ROOT/src/compat.h"
}

# Print "name=version" where a package has to match one that is installed,
# and apt still has that version; else the bare name.
pinned()
{
	local partner=
	local version

	case $1 in
		postgresql-server-dev-*) partner=postgresql-${1##*-} ;;
		libpq-dev) partner=libpq5 ;;
		liblz4-dev) partner=liblz4-1 ;;
		libzstd-dev) partner=libzstd1 ;;
	esac
	if [ -n "$partner" ] && is_installed "$partner"; then
		version=$(dpkg-query -W -f '${Version}' "$partner")
		if apt-cache madison "$1" |
			awk -v v="$version" '$3 == v { found = 1 } END { exit !found }'
		then
			echo "$1=$version"
			return
		fi
	fi
	echo "$1"
}

# Keep services from being started, and a first PostgreSQL from getting a
# cluster, until this script ends.
hold_services()
{
	if [ ! -e "$POLICY" ]; then
		at_exit rm -f "$POLICY"
		printf '#!/bin/sh\nexit 101\n' >"$POLICY"
		chmod 755 "$POLICY"
	fi
	at_exit rm -f "$CLUSTER_CONF"
	mkdir -p "${CLUSTER_CONF%/*}"
	echo 'create_main_cluster = false' >"$CLUSTER_CONF"
}

# Install the packages named; as root.
apt_install()
{
	local name
	local wanted=()

	export DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l
	scratch_open
	apt-get -qq update </dev/null ||
		say "apt-get update failed; going on with the lists that are there"
	for name; do
		# server-dev brings libpq-dev, which would draw a newer libpq5 in
		case $name in
			postgresql-server-dev-*)
				is_installed libpq-dev || wanted+=("$(pinned libpq-dev)")
				;;
		esac
		wanted+=("$(pinned "$name")")
	done
	hold_services
	apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
		--no-install-recommends --no-upgrade --no-remove install "${wanted[@]}" \
		</dev/null >"$SCRATCH/apt.log" 2>&1 || {
		cat "$SCRATCH/apt.log" >&2
		die "apt-get could not install: ${wanted[*]}"
	}
}

if [ "${1:-}" = --apt ]; then
	shift
	apt_install "$@"
	exit 0
fi

# A bare system has no lists yet, and so no idea which version it has.
if [ "${1:-}" != --list ] && command -v apt-get >/dev/null && can_be_root &&
	! (find_postgres) 2>/dev/null && [ -z "$(apt_major)" ]
then
	as_root apt-get -qq update </dev/null || true
fi

missing=$(list_missing | tr " " "\n" | sort -u | tr "\n" " ")
if [ "${1:-}" = --list ]; then
	[ -z "$missing" ] || say "$missing"
	exit 0
fi
[ -n "$missing" ] || exit 0

say "Installing packages: $missing"
command -v apt-get >/dev/null ||
	die "no apt-get here; install what these Debian packages bring: $missing"
can_be_root ||
	die "run once as root: apt-get install --no-install-recommends $missing"
# shellcheck disable=SC2086 # one word a package
as_root "$0" --apt $missing
missing=$("$0" --list)
[ -z "$missing" ] || die "still missing after the installation: $missing"
