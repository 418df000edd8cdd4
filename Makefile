# Builds and installs the rowser extension with PGXS.
#
#   make && make install        build for the server of pg_config, install
#   make installcheck           pg_regress: sql/*.sql against expected/*.out
#   make check-pgtap            pgTAP: test/pgtap/*.sql
#
# The two checks want a running server (PGHOST, PGPORT, ...).  test/all starts
# one of its own and runs everything.
#
#   PG_CONFIG=path              build for another server
#   with_lz4=no, with_zstd=no   leave a codec out (default: as the server has)

EXTENSION = rowser
MODULE_big = rowser
DATA = $(sort $(wildcard rowser--*.sql))

SOURCES := $(sort $(wildcard src/*.c src/*/*.c))
ROWSER_HEADERS := $(sort $(wildcard src/*.h src/*/*.h))
OBJS = $(SOURCES:.c=.o)

PG_CPPFLAGS = -I$(srcdir)/src

# -Wextra, less what PostgreSQL's headers and idioms trip over: parameters that
# a given signature has but a function doesn't use, what PG_TRY keeps across
# longjmp, and int beside lengthof().
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter -Wno-clobbered \
	-Wno-sign-compare

# Every test file finds the extension created in its database.
REGRESS := $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))
REGRESS_OPTS = --load-extension=rowser --encoding=UTF8

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)

# src/compat.h says which versions are supported and refuses others as well, but
# that can be far down in a compiler's errors.
SUPPORTED := $(shell sed -n 's/^.define ROWSER_\(OLDEST\|NEWEST\)_POSTGRES //p' src/compat.h)
MAJOR := $(shell $(PG_CONFIG) --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
ifeq ($(filter $(MAJOR),$(shell seq $(SUPPORTED))),)
$(error rowser supports PostgreSQL $(firstword $(SUPPORTED)) to $(lastword $(SUPPORTED)), and $(PG_CONFIG) is of version "$(MAJOR)"; see doc/versions.md)
endif

# Block compression: the codecs that the server itself was built with.
CONFIGURED := $(shell $(PG_CONFIG) --configure)
with_lz4 ?= $(if $(findstring --with-lz4,$(CONFIGURED)),yes,no)
with_zstd ?= $(if $(findstring --with-zstd,$(CONFIGURED)),yes,no)

ifeq ($(with_lz4),yes)
PG_CPPFLAGS += -DROWSER_WITH_LZ4
SHLIB_LINK += -llz4
endif

ifeq ($(with_zstd),yes)
PG_CPPFLAGS += -DROWSER_WITH_ZSTD
SHLIB_LINK += -lzstd
endif

include $(PGXS)

# Where hostile bytes are read, a comparison of signed with unsigned is a bug.
$(filter src/bytes/%,$(OBJS)): override CFLAGS += -Wsign-compare

# Loops over columns' values are what rowser does most.
$(filter src/bytes/% src/columns/%,$(OBJS)): override CFLAGS += $(CFLAGS_UNROLL_LOOPS) $(CFLAGS_VECTORIZE)

# PGXS tracks headers only where the server was configured to; packaged ones
# are not.  The headers are few: any change rebuilds all.
$(OBJS) $(OBJS:.o=.bc): $(ROWSER_HEADERS) Makefile

PGTAP_TESTS := $(sort $(wildcard test/pgtap/*.sql))
PGTAP_DB = rowser_pgtap

# A database of its own, since pgTAP files roll back what they do but need
# both extensions there.
.PHONY: check-pgtap
check-pgtap:
	'$(bindir)/dropdb' --if-exists $(PGTAP_DB)
	'$(bindir)/createdb' --template=template0 --encoding=UTF8 $(PGTAP_DB)
	'$(bindir)/psql' -X -q -v ON_ERROR_STOP=1 -d $(PGTAP_DB) \
		-c 'CREATE EXTENSION pgtap' -c 'CREATE EXTENSION rowser'
	pg_prove --psql-bin '$(bindir)/psql' --dbname $(PGTAP_DB) $(PGTAP_TESTS)
