# shellcheck shell=bash
#
# A bare Debian for each version of PostgreSQL, with what building and testing rowser
# needs there.  Sourced after chroot.sh, in a mount namespace of its own: packages
# want /proc.
#
#   open_systems                    say where they are: in $SYSTEMS, by version
#   make_version VERSION            make one, if it isn't there, with the project
#
#   VERSIONS_FOLDER=folder          make the systems here and keep them, without
#                                   the project; the next run uses them again

SYSTEMS=

open_systems()
{
	SYSTEMS=${VERSIONS_FOLDER:-$SCRATCH/systems}
	mkdir -p "$SYSTEMS"
	SYSTEMS=$(cd "$SYSTEMS" && pwd)
	if [ -z "${VERSIONS_FOLDER:-}" ]; then
		at_exit remove_system "$SYSTEMS"
	fi
}

# Print suite and further suite of version $1.
suites_of()
{
	awk -F '\t' -v version="$1" '$1 == version { print $2, $3 }' "$ROWSER_ROOT/test/versions/systems.tsv"
}

# Remove what a run before has installed into the system $1 for version $2, which a
# build that fails would leave to be tested.
remove_extension()
{
	rm -f "$1/usr/lib/postgresql/$2/lib"/rowser*.so \
		"$1/usr/share/postgresql/$2/extension"/rowser*
}

# Make the system of version $1, if it isn't there, and prepare it.
make_version()
{
	local version=$1
	local root=$SYSTEMS/$version
	local suite more

	read -r suite more < <(suites_of "$version") || true
	[ -n "$suite" ] || die "systems.tsv has no version $version"
	if [ ! -e "$root/root/prepared" ]; then
		remove_system "$root"
		make_system "$root" "$suite"
	fi
	mount -t proc proc "$root/proc"
	copy_project "$root"
	remove_extension "$root" "$version"
	if [ ! -e "$root/root/prepared" ]; then
		run_inside "$root" test/versions/prepare "$version" ${more:+"$more"}
		touch "$root/root/prepared"
	fi
}
