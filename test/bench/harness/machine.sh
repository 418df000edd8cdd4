# shellcheck shell=bash
#
# What the figures were measured on, and how.  Sourced by test/bench/run.

# Print a field of lscpu's.
cpu_field()
{
	lscpu | sed -n "s/^$1: *//p" | head -n 1
}

# Print the version of the project's files.
project_version()
{
	local commit

	commit=$(git -C "$ROWSER_ROOT" rev-parse --short HEAD 2>/dev/null) || commit=
	if [ -n "$commit" ] && [ -n "$(git -C "$ROWSER_ROOT" status --porcelain -- src rowser--*.sql 2>/dev/null)" ]; then
		commit="$commit with changes"
	fi
	sed -n "s/^default_version *= *'\(.*\)'/\1/p" "$ROWSER_ROOT/rowser.control" |
		sed "s/\$/${commit:+, commit $commit}/"
}

# Print the machine, the server and its settings as a Markdown table.
describe_machine()
{
	local system hypervisor memory

	system=$(. /etc/os-release && echo "$PRETTY_NAME")
	hypervisor=$(cpu_field 'Hypervisor vendor')
	memory=$(awk '$1 == "MemTotal:" { printf "%.0f GB", $2 / 1048576 }' /proc/meminfo)
	cat <<-END
		| | |
		|---|---|
		| processor | $(cpu_field 'Model name')$([ -z "$hypervisor" ] || echo ", virtual ($hypervisor)") |
		| cores | $(nproc) |
		| caches | L1d $(cpu_field 'L1d cache'), L2 $(cpu_field 'L2 cache'), L3 $(cpu_field 'L3 cache') |
		| memory | $memory |
		| system | $system, Linux $(uname -r) |
		| PostgreSQL | $(bench_sql -At -c 'SELECT version()') |
		| rowser | $(project_version) |
		| settings | $(bench_sql -At -c "
			SELECT string_agg(name || ' ' || current_setting(name), ', ' ORDER BY name)
			FROM pg_settings WHERE name IN ('shared_buffers', 'work_mem', 'temp_buffers', 'jit', 'fsync',
				'max_parallel_workers_per_gather', 'autovacuum', 'wal_level')") |
		| date | $(date -u +%Y-%m-%d) |
		| load before | $(cut -d ' ' -f 1 /proc/loadavg) |
	END
}
