/*-------------------------------------------------------------------------
 *
 * standalone.c
 *	  The byte layer without a server, on damaged rowsets, under sanitizers.
 *
 *		standalone SPECIMENS BOMBS SEEDS
 *
 * Both files hold one rowset a line, in hex.  Of each specimen, every prefix,
 * every change of one byte with and without mended checksums, SEEDS random
 * changes, and SEEDS mutants of it and one of those before are read: header,
 * trailer, groups, and each group's body.  A bomb is read as it is.  All are in memory of just their size, so that looking past
 * the end is seen.
 *
 * Prints a line "ok - ..." or "not ok - ..." for each claim; what a sanitizer
 * finds ends the program.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "mutant.h"
#include "mutate.h"
#include "reseal.h"
#include "whole.h"

#define MUTANT_LIMIT	(4 * 1024 * 1024)
#define MAX_SEEN		256

/* ----------------------------------------------------------------
 *		Reading
 * ----------------------------------------------------------------
 */

static uint64 nread;			/* mutants */
static uint64 nvalid;			/* of these, accepted */
static uint64 ngreedy;			/* of these, with too much memory */

/* Read bytes, with mended checksums or not; returns whether they're valid. */
static bool
read_one(const uint8 *bytes, size_t size, bool reseal)
{
	uint8	   *mended = NULL;
	bool		valid;

	if (reseal)
	{
		mended = malloc(Max(size, 1));
		memcpy(mended, bytes, size);
		hostile_reseal(mended, size);
		bytes = mended;
	}
	hostile_memory_reset();
	valid = hostile_read_whole(bytes, size);
	nread++;
	nvalid += valid;
	if (hostile_memory_peak() > hostile_memory_bound(size))
	{
		printf("%zu bytes of memory for a rowset of %zu\n",
			   hostile_memory_peak(), size);
		ngreedy++;
	}
	hostile_memory_reset();
	free(mended);
	return valid;
}

/* ----------------------------------------------------------------
 *		Mutants
 * ----------------------------------------------------------------
 */

static int	nfailed;

static void
check(bool ok, const char *what, size_t which, uint64 count)
{
	printf("%s - bytes alone, rowset %zu: %s (" UINT64_FORMAT ")\n",
		   ok ? "ok" : "not ok", which, what, count);
	nfailed += !ok;
}

static void
sweep_prefixes(const uint8 *bytes, size_t size, size_t which)
{
	nread = nvalid = 0;
	for (size_t prefix = 0; prefix < size; prefix++)
		(void) read_one(bytes, prefix, false);
	check(nvalid == 0, "no prefix is valid", which, nread);
}

static void
sweep_changes(uint8 *bytes, size_t size, size_t which, bool reseal)
{
	nread = nvalid = 0;
	for (size_t i = 0; i < size; i++)
	{
		uint8		byte = bytes[i];

		for (int x = 1; x <= PG_UINT8_MAX; x++)
		{
			bytes[i] = (uint8) (byte ^ x);
			(void) read_one(bytes, size, reseal);
		}
		bytes[i] = byte;
	}
	if (reseal)
		check(nread == PG_UINT8_MAX * size, "changes with mended checksums",
			  which, nread);
	else
		check(nvalid == 0, "no change of a byte is valid", which, nread);
}

/* The rowsets that have been swept over, for mutants of two */
static Specimen seen[MAX_SEEN];
static int	nseen;

/* Read a mutant in memory of its own; what made it gives back its own. */
static void
read_mutant(const RowserBuffer *buffer, bool reseal)
{
	size_t		size = buffer->size;
	uint8	   *mutant = malloc(Max(size, 1));

	memcpy(mutant, buffer->bytes, size);
	hostile_memory_reset();
	(void) read_one(mutant, size, reseal);
	free(mutant);
}

static void
sweep_seeds(const uint8 *bytes, size_t size, size_t which, int nseeds)
{
	nread = nvalid = 0;
	for (int seed = 1; seed <= nseeds; seed++)
	{
		RowserBuffer buffer;

		rowser_buffer_init(&buffer, size + 256, MUTANT_LIMIT);
		if (hostile_mutate(bytes, size, seed, &buffer))
			read_mutant(&buffer, true);
		else
			hostile_memory_reset();
	}
	check(true, "random changes", which, nread);
}

static void
sweep_mutants(const uint8 *bytes, size_t size, size_t which, int nseeds)
{
	Specimen	own = {bytes, size};

	nread = nvalid = 0;
	for (int seed = 1; seed <= nseeds; seed++)
	{
		RowserBuffer buffer;

		rowser_buffer_init(&buffer, size + 256, MUTANT_LIMIT);
		(void) hostile_mutant_make(own, seen, nseen, seed, &buffer);
		read_mutant(&buffer, false);
	}
	check(nread == (uint64) nseeds, "mutants of two", which, nread);
}

/* Keep a copy for the mutants of those that follow. */
static void
keep(const uint8 *bytes, size_t size)
{
	uint8	   *copy;

	if (nseen == MAX_SEEN)
		return;
	copy = malloc(Max(size, 1));
	memcpy(copy, bytes, size);
	seen[nseen].bytes = copy;
	seen[nseen++].size = size;
}

/* Decode a line of hex in place; returns the number of bytes. */
static size_t
decode_hex(char *line)
{
	size_t		size = strspn(line, "0123456789abcdef") / 2;

	for (size_t i = 0; i < size; i++)
	{
		unsigned int byte;
		char		digits[3] = {line[2 * i], line[2 * i + 1], '\0'};

		sscanf(digits, "%x", &byte);
		((uint8 *) line)[i] = (uint8) byte;
	}
	return size;
}

static void
sweep(uint8 *bytes, size_t size, size_t which, int nseeds)
{
	check(read_one(bytes, size, false), "valid", which, size);
	sweep_prefixes(bytes, size, which);
	sweep_changes(bytes, size, which, false);
	sweep_changes(bytes, size, which, true);
	sweep_seeds(bytes, size, which, nseeds);
	keep(bytes, size);
	sweep_mutants(bytes, size, which, nseeds);
}

/* Sweep over each rowset of a file, or with nseeds -1 only read it. */
static size_t
read_file(const char *name, int nseeds)
{
	FILE	   *file = fopen(name, "r");
	char	   *line = NULL;
	size_t		capacity = 0;
	size_t		nrowsets = 0;

	if (file == NULL)
	{
		fprintf(stderr, "could not open %s\n", name);
		exit(2);
	}
	while (getline(&line, &capacity, file) > 0)
	{
		size_t		size = decode_hex(line);

		nrowsets++;
		if (nseeds >= 0)
			sweep((uint8 *) line, size, nrowsets, nseeds);
		else
			(void) read_one((uint8 *) line, size, false);
	}
	free(line);
	fclose(file);
	return nrowsets;
}

/*
 * What is not freed is the operating system's affair here.  The sanitizer reads
 * its environment from /proc, which isn't everywhere, so this says it.
 */
extern const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

int
main(int argc, char **argv)
{
	size_t		nrowsets;

	if (argc != 4)
	{
		fprintf(stderr, "usage: standalone SPECIMENS BOMBS SEEDS\n");
		return 2;
	}
	nrowsets = read_file(argv[1], atoi(argv[3]));
	check(nrowsets > 0, "specimens are there", 0, nrowsets);
	nrowsets = read_file(argv[2], -1);
	check(nrowsets > 0, "bombs are there", 0, nrowsets);
	check(ngreedy == 0, "memory stays in bounds", 0, ngreedy);
	check(hostile_nprojected > 0, "columns can be chosen", 0,
		  hostile_nprojected);
	return nfailed > 0;
}
