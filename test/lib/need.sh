# shellcheck shell=bash
#
# Packages that a test or a benchmark needs beyond those of packages.sh: installed
# where what they bring is missing.  In a package's name, @ stands for the server's
# major version.  Sourced after common.sh, once find_postgres has run.

# Is this extension there, or this library of the server's?
has_extension()
{
	[ -f "$("$PG_CONFIG" --sharedir)/extension/$1.control" ]
}

has_library()
{
	[ -f "$("$PG_CONFIG" --pkglibdir)/$1.so" ]
}

# Install the package $2 where the command $1 is missing.
need_command()
{
	command -v "$1" >/dev/null || install_package "$2"
}

# Install the package $2 where the extension $1 is missing.
need_extension()
{
	has_extension "$1" || install_package "$2"
}

# Install the package $2 where the library $1 is missing.
need_library()
{
	has_library "$1" || install_package "$2"
}

# Print the server's major version.
server_version()
{
	"$PG_CONFIG" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/'
}

install_package()
{
	local name=${1/@/$(server_version)}

	say "Installing packages: $name"
	can_be_root || die "run once as root: apt-get install $name"
	as_root "$ROWSER_ROOT/test/lib/packages.sh" --apt "$name"
}
