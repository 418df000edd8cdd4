# shellcheck shell=bash
#
# The Python that the tests of this folder run, with what they import.  Sourced
# after common.sh; sets PYTHON, PYTHONPATH and need_python.

# Set PYTHON to one that imports the modules that are named: the first on PATH,
# or Debian's own, for which packages are installed.
need_python()
{
	local imports
	local candidate
	local packages=(python3 python3-psycopg python3-lz4 python3-zstandard)

	imports=$(printf 'import %s\n' "$@")
	# PostgreSQL's folder is first on PATH, and has no Python.
	for candidate in python3 /usr/bin/python3; do
		PYTHON=$(command -v "$candidate") || continue
		if "$PYTHON" -c "$imports" 2>/dev/null; then
			return
		fi
	done
	can_be_root || die "run once as root: apt-get install --no-install-recommends ${packages[*]}"
	say "Installing packages: ${packages[*]}"
	as_root "$ROWSER_ROOT/test/lib/packages.sh" --apt "${packages[@]}"
	PYTHON=/usr/bin/python3
	"$PYTHON" -c "$imports"
}

export PYTHONPATH=$ROWSER_ROOT/clients/python PYTHONDONTWRITEBYTECODE=1
