# shellcheck shell=bash
#
# Builds rowser and installs it where the server looks for extensions.
# Sourced after common.sh, once find_postgres and scratch_open have run.

# Copy what git knows or would add into the folder $1, so that nothing built for
# another server, or in another way, is taken for what is built there.
copy_sources()
{
	mkdir -p "$1"
	(cd "$ROWSER_ROOT" && git ls-files -z --cached --others --exclude-standard |
		tar -c --null --files-from=-) | tar -x -C "$1"
}

# Build; $1 = strict makes any compiler warning a failure.  The log is left
# in $SCRATCH/build.log and is shown when something is wrong.
build_extension()
{
	local mode=$1
	local log=$SCRATCH/build.log
	local options=()

	make_options options
	if ! make -C "$ROWSER_ROOT" -j "$(nproc)" "${options[@]}" \
		>"$log" 2>&1 </dev/null
	then
		cat "$log" >&2
		return 1
	fi
	if [ "$mode" = strict ] && grep -q 'warning:' "$log"; then
		grep -A 2 'warning:' "$log" >&2
		# or the next build would compile nothing, and find nothing wrong
		make -C "$ROWSER_ROOT" "${options[@]}" clean >/dev/null 2>&1
		return 1
	fi
}

# Install what build_extension built, as root where the folder needs it.
install_extension()
{
	local log=$SCRATCH/install.log
	local options=()
	local run=()

	make_options options
	if [ ! -w "$("$PG_CONFIG" --pkglibdir)" ]; then
		can_be_root || die "installing rowser needs root, or sudo"
		run=(as_root)
	fi
	if ! ${run[@]+"${run[@]}"} make -C "$ROWSER_ROOT" "${options[@]}" install \
		>"$log" 2>&1 </dev/null
	then
		cat "$log" >&2
		return 1
	fi
}

# Set the array named $1 to the variables that make needs.  A server that was
# built with LLVM wants its own version of clang for bitcode; without that
# compiler rowser is built without bitcode, which only inlining would use.
make_options()
{
	local -n result=$1
	local makefile_global
	local clang

	result=("PG_CONFIG=$PG_CONFIG")
	makefile_global=$(dirname "$("$PG_CONFIG" --pgxs)")/../Makefile.global
	clang=$(sed -n 's/^CLANG *= *//p' "$makefile_global")
	if [ -n "$clang" ] && ! command -v "$clang" >/dev/null; then
		result+=(with_llvm=no)
	fi
}
