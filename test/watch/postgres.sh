# shellcheck shell=bash
#
# Makes a PostgreSQL that watches: the source package of this machine's own
# Debian, built with assertions and for valgrind.  Sourced after common.sh, once
# scratch_open has run.  Nothing of the system is changed.

# Print the packages that building needs and the machine hasn't got.
list_missing_packages()
{
	command -v valgrind >/dev/null || echo valgrind
	command -v dpkg-source >/dev/null || echo dpkg-dev
	if ! command -v pkg-config >/dev/null; then
		echo pkg-config zlib1g-dev liblz4-dev libzstd-dev libxml2-dev libicu-dev
		return
	fi
	pkg-config --exists zlib || echo zlib1g-dev
	pkg-config --exists liblz4 || echo liblz4-dev
	pkg-config --exists libzstd || echo libzstd-dev
	pkg-config --exists libxml-2.0 || echo libxml2-dev
	pkg-config --exists icu-i18n || echo libicu-dev
	[ -f /usr/include/valgrind/memcheck.h ] || echo valgrind
}

install_missing_packages()
{
	local missing

	missing=$(list_missing_packages | tr ' ' '\n' | sort -u | tr '\n' ' ')
	[ -n "$missing" ] || return 0
	say "Installing packages: $missing"
	can_be_root || die "run once as root: apt-get install $missing"
	# shellcheck disable=SC2086 # one word a package
	as_root "$ROWSER_ROOT/test/lib/packages.sh" --apt $missing
}

# Run a program of apt with lists of its own, in the folder $1, of the source
# packages that belong to the packages which this machine's apt knows.
apt_with_sources()
{
	local folder=$1
	local program=$2

	shift 2
	"$program" -qq -o Dir::Etc::sourcelist=/dev/null \
		-o "Dir::Etc::sourceparts=$folder/parts" \
		-o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" \
		-o APT::Sandbox::User=root "$@"
}

# Write apt's lists of sources for source packages into the folder $1.
list_sources()
{
	local folder=$1
	local file

	mkdir -p "$folder/parts" "$folder/lists/partial" \
		"$folder/cache/archives/partial"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
		[ -f "$file" ] || continue
		case $file in
			*.sources)
				sed 's/^Types:.*/Types: deb-src/' "$file"
				;;
			*.list)
				sed -n 's/^deb\(-src\)\{0,1\} /deb-src /p' "$file" | sort -u
				;;
		esac >"$folder/parts/${file##*/}"
	done
}

# Unpack the source of PostgreSQL $1 into the folder $2: the newest version that
# the mirror still has.
unpack_postgres()
{
	local package=postgresql-$1
	local folder=$2
	local apt=$SCRATCH/apt
	local version

	list_sources "$apt"
	# not every archive has source packages
	apt_with_sources "$apt" apt-get update >"$SCRATCH/apt.log" 2>&1 || true
	for version in $(apt_with_sources "$apt" apt-cache showsrc \
		--only-source "$package" 2>/dev/null |
		sed -n 's/^Version: //p' | sort -urV)
	do
		if (cd "$apt" && apt_with_sources "$apt" apt-get source \
			--download-only "$package=$version") >>"$SCRATCH/apt.log" 2>&1
		then
			say "Unpacking the source of $package $version"
			# Debian's patches have the server look for its libraries, and
			# make install put them, where the packages do
			dpkg-source --no-check --skip-patches \
				-x "$apt/${package}_${version#*:}.dsc" "$folder" \
				>>"$SCRATCH/apt.log" 2>&1
			return
		fi
		say "the mirror has no $package $version"
	done
	cat "$SCRATCH/apt.log" >&2
	die "no source of $package"
}

# Configure in the folder $1, with the options that matter to rowser.
configure_postgres()
{
	local source=$1

	shift
	(cd "$source" && ./configure -q --enable-cassert --enable-debug \
		--with-lz4 --with-zstd --with-libxml --with-icu --without-readline \
		CPPFLAGS=-DUSE_VALGRIND CFLAGS='-O1 -fno-omit-frame-pointer' "$@")
}

# Build the source in the folder $1 and install it into the folder $2, with the
# file that tells valgrind what isn't a fault.  It is installed into a stage
# first, and refused if anything would be put beside that folder: this may well
# run as root.
build_postgres()
{
	local source=$1
	local prefix=$2
	local stage=$SCRATCH/stage
	local log=$SCRATCH/postgres.log

	if ! {
		configure_postgres "$source" --prefix="$prefix" &&
			make -s -j "$(nproc)" -C "$source" &&
			make -s -j "$(nproc)" -C "$source/contrib" &&
			make -s -C "$source" install DESTDIR="$stage" &&
			make -s -C "$source/contrib" install DESTDIR="$stage"
	} >"$log" 2>&1 </dev/null
	then
		tail -n 50 "$log" >&2
		die "PostgreSQL could not be built"
	fi
	if [ -n "$(find "$stage" ! -type d ! -path "$stage$prefix/*")" ]; then
		die "PostgreSQL would be installed beside $prefix"
	fi
	mkdir -p "$(dirname "$prefix")"
	mv "$stage$prefix" "$prefix"
	rm -rf "$stage"
	cp "$source/src/tools/valgrind.supp" "$prefix"
}

# Give the installation of the pg_config $2 the pgTAP of the one of $1; it is
# SQL alone.
copy_pgtap()
{
	cp "$("$1" --sharedir)"/extension/pgtap* "$("$2" --sharedir)/extension/"
}
