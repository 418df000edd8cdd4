# shellcheck shell=bash
#
# The benchmarks' own library.  Sourced after common.sh, once find_postgres and
# scratch_open have run.

# Build it where the server can load it from: $SCRATCH/module/rowser_bench.
build_module()
{
	local folder=$SCRATCH/module
	local log=$SCRATCH/module.log

	cp -R "$ROWSER_ROOT/test/bench/module" "$folder"
	make -C "$folder" PG_CONFIG="$PG_CONFIG" with_llvm=no >"$log" 2>&1 </dev/null || {
		cat "$log" >&2
		die "the benchmarks' module does not build"
	}
	chmod -R a+rX "$folder"
}
