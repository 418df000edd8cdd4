# shellcheck shell=bash
#
# Bare Debian systems to build and test in, made by debootstrap in a folder of
# their own, without /proc, locales or sudo.  Sourced after common.sh.
#
#   need_chroot                     or end, saying what is missing
#   make_system FOLDER SUITE        make one
#   copy_project FOLDER             put the files of the last commit into it
#   run_inside FOLDER COMMAND ...   run a command of the project there
#   remove_system FOLDER
#
#   DEBOOTSTRAP_MIRROR=url          where packages come from; default: where this
#                                   machine's own Debian packages come from

# Where the project is in such a system
CHROOT_PROJECT=/root/rowser

# End if a system can't be made here.
need_chroot()
{
	local tool

	[ "$(id -u)" -eq 0 ] || die "a chroot needs root"
	for tool in debootstrap git; do
		command -v "$tool" >/dev/null || die "$tool is not installed"
	done
}

# Print the mirror that apt has for suite $1, or for any Debian suite.
find_mirror()
{
	if [ -n "${DEBOOTSTRAP_MIRROR:-}" ]; then
		echo "$DEBOOTSTRAP_MIRROR"
		return
	fi
	{
		apt-cache policy | awk -v want="$1/main" '$3 == want { print $2 }'
		cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
			sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p'
		sed -n 's/^URIs: *\([^ ]*\).*/\1/p' \
			/etc/apt/sources.list.d/*.sources 2>/dev/null
	} | grep -E '/debian/?$' | head -n 1
}

# Make a bare system of suite $2 in $1.
make_system()
{
	local root=$1
	local suite=$2
	local mirror
	local log=$SCRATCH/debootstrap.log

	mirror=$(find_mirror "$suite") || true
	[ -n "$mirror" ] || die "no Debian mirror found; set DEBOOTSTRAP_MIRROR"
	say "debootstrap $suite from $mirror"
	debootstrap --variant=minbase "$suite" "$root" "$mirror" \
		>"$log" 2>&1 </dev/null || {
		tail -n 30 "$log" >&2
		die "debootstrap failed"
	}
	unmount_below "$root"
	copy_network "$root"
}

# Let the system in $1 reach what this machine reaches: names, apt's proxy and
# certificates, and apt's tolerance of old mirrors.
copy_network()
{
	local root=$1
	local file

	for file in /etc/resolv.conf /etc/hosts; do
		[ ! -e "$file" ] || cp -L "$file" "$root$file"
	done
	apt-config dump | grep -E \
		'^Acquire::(.*(Proxy|CaInfo|CaPath)|Check-Valid-Until|Check-Date) ?' \
		>"$root/etc/apt/apt.conf.d/90machine" || true
	sed -n 's/^Acquire::.*Ca\(Info\|Path\) "\(.*\)";/\2/p' \
		"$root/etc/apt/apt.conf.d/90machine" |
	while read -r file; do
		mkdir -p "$root$(dirname "$file")"
		cp -rL "$file" "$root$(dirname "$file")/"
	done
}

# Unmount what debootstrap or a service mounted below $1, innermost first, so
# that removing the folder never reaches into anything else.
unmount_below()
{
	local point

	awk -v below="$1/" 'index($2, below) == 1 { print $2 }' /proc/mounts |
		sort -r |
	while read -r point; do
		umount "$point"
	done
}

# Remove the system in $1, unless something is mounted in it still.
remove_system()
{
	unmount_below "$1"
	rm -rf --one-file-system "$1"
}

# Put the files of the last commit into the system $1.
copy_project()
{
	rm -rf "$1$CHROOT_PROJECT"
	mkdir -p "$1$CHROOT_PROJECT"
	git -c safe.directory="$ROWSER_ROOT" -C "$ROWSER_ROOT" archive HEAD |
		tar -x -C "$1$CHROOT_PROJECT"
}

# Run a command of the project, with its arguments, in the system $1, as a
# login from nowhere.
run_inside()
{
	local root=$1
	local command=$2

	shift 2
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root TERM=dumb \
		${http_proxy:+http_proxy="$http_proxy"} \
		${https_proxy:+https_proxy="$https_proxy"} \
		${no_proxy:+no_proxy="$no_proxy"} \
		chroot "$root" "$CHROOT_PROJECT/$command" "$@" </dev/null
}
