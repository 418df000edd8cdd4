/*-------------------------------------------------------------------------
 *
 * standalone.c
 *	  The byte layer without a server, on damaged rowsets, under sanitizers.
 *
 *		standalone SPECIMENS BOMBS SEEDS
 *
 * Both files hold one rowset a line, in hex.  Of each specimen, every prefix,
 * every change of one byte with and without mended checksums, and SEEDS random
 * changes are read: header, trailer, groups, and each group's body.  A bomb is
 * read as it is.  All are in memory of just their size, so that looking past
 * the end is seen.
 *
 * Prints a line "ok - ..." or "not ok - ..." for each claim; what a sanitizer
 * finds ends the program.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/header.h"
#include "bytes/memory.h"
#include "bytes/project.h"
#include "bytes/trailer.h"
#include "bytes/validate.h"
#include "mutate.h"
#include "reseal.h"

/* Most memory that reading may take beside what blocks decompress to */
#define BASE_MEMORY		(8 * 1024 * 1024)
#define MEMORY_RATIO	600

#define MUTANT_LIMIT	(4 * 1024 * 1024)

/* ----------------------------------------------------------------
 *		Memory
 * ----------------------------------------------------------------
 */

typedef struct Allocation
{
	void	   *pointer;
	size_t		size;
} Allocation;

/* What is allocated now; given back after each mutant */
static Allocation *allocations;
static size_t nallocations;
static size_t allocations_capacity;
static size_t memory_used;
static size_t memory_peak;

static void
note_allocation(void *pointer, size_t size)
{
	if (pointer == NULL)
	{
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	if (nallocations == allocations_capacity)
	{
		allocations_capacity = Max(allocations_capacity * 2, 1024);
		allocations = realloc(allocations,
							  allocations_capacity * sizeof(Allocation));
	}
	allocations[nallocations].pointer = pointer;
	allocations[nallocations].size = size;
	nallocations++;
	memory_used += size;
	memory_peak = Max(memory_peak, memory_used);
}

static void
forget_allocation(void *pointer)
{
	for (size_t i = nallocations; i > 0; i--)
	{
		if (allocations[i - 1].pointer != pointer)
			continue;
		memory_used -= allocations[i - 1].size;
		allocations[i - 1] = allocations[--nallocations];
		return;
	}
	fprintf(stderr, "memory is freed that was not allocated\n");
	abort();
}

void *
rowser_memory_alloc(size_t size)
{
	void	   *pointer = malloc(size);

	note_allocation(pointer, size);
	return pointer;
}

void *
rowser_memory_realloc(void *pointer, size_t size)
{
	forget_allocation(pointer);
	pointer = realloc(pointer, size);
	note_allocation(pointer, size);
	return pointer;
}

void *
rowser_memory_alloc_array(size_t count, size_t size)
{
	void	   *pointer = calloc(Max(count, 1), size);

	note_allocation(pointer, Max(count, 1) * size);
	return pointer;
}

void
rowser_memory_interrupt(void)
{
}

void
rowser_memory_interrupt_after(void (*clean_up) (void *), void *arg)
{
	(void) clean_up;
	(void) arg;
}

void
rowser_memory_free(void *pointer)
{
	forget_allocation(pointer);
	free(pointer);
}

/* Free all that has been allocated since there were `mark` allocations. */
static void
free_from(size_t mark)
{
	while (nallocations > mark)
	{
		nallocations--;
		memory_used -= allocations[nallocations].size;
		free(allocations[nallocations].pointer);
	}
}

static void
free_all(void)
{
	free_from(0);
}

/* ----------------------------------------------------------------
 *		Reading
 * ----------------------------------------------------------------
 */

static uint64 nread;			/* mutants */
static uint64 nvalid;			/* of these, accepted */
static uint64 ngreedy;			/* of these, with too much memory */
static uint64 nprojected;		/* row groups that columns were chosen of */
static uint64 nbroken;			/* of these, that became something else */

/*
 * Choose all columns of a group backwards and twice, as rowset_project() does:
 * what comes out must be a group of these columns.
 */
static void
project_group(const RowserGroup *group, const RowserField *fields)
{
	size_t		mark = nallocations;
	uint32		ncolumns = 2 * group->ncolumns;
	uint32	   *columns = rowser_memory_alloc_array(ncolumns, sizeof(uint32));
	RowserField *chosen = rowser_memory_alloc_array(ncolumns,
													sizeof(RowserField));
	RowserBuffer buffer;
	RowserFault fault;
	RowserCursor cursor;
	RowserGroup projected;
	size_t		header_size;

	for (uint32 i = 0; i < ncolumns; i++)
	{
		columns[i] = (ncolumns - 1 - i) / 2;
		chosen[i] = fields[columns[i]];
	}
	rowser_buffer_init(&buffer, 256, PG_INT32_MAX);
	header_size = rowser_project_group(&buffer, group, columns, ncolumns);
	rowser_cursor_init(&cursor, buffer.bytes, buffer.size, &fault);
	if (buffer.overflowed ||
		!rowser_group_read(&cursor, chosen, ncolumns, &projected) ||
		projected.header_size != header_size ||
		projected.body_size != 2 * group->body_size ||
		projected.header_size + projected.body_size != buffer.size)
		nbroken++;
	nprojected++;
	free_from(mark);
}

/* Read a rowset as rowset_is_valid() does. */
static bool
read_rowset(RowserCursor *cursor)
{
	RowserHeader header;
	RowserTrailer trailer;

	if (!rowser_header_read(cursor, &header) ||
		!rowser_trailer_read(cursor, &trailer))
		return false;
	for (uint32 i = 0; i < trailer.ngroups; i++)
	{
		const RowserDirectoryEntry *entry = &trailer.groups[i];
		RowserGroup group;
		RowserCursor at;

		if (!rowser_group_read(cursor, header.columns, header.ncolumns,
							   &group) ||
			group.header_size != entry->header_size ||
			group.header_size + group.body_size != entry->size ||
			group.nrows != entry->nrows)
			return false;
		at = *cursor;
		cursor->next = group.body + group.body_size;
		(void) rowser_group_methods(&group);
		project_group(&group, header.columns);
		if (!rowser_group_validate(&group, &at))
			return false;
	}
	return true;
}

/* Read bytes from memory of just their size; returns whether they're valid. */
static bool
read_exactly(const uint8 *bytes, size_t size, bool reseal)
{
	uint8	   *copy = malloc(Max(size, 1));
	uint8	   *end = copy + Max(size, 1);
	RowserFault fault;
	RowserCursor cursor;
	bool		valid;

	/* at the end of what malloc gave, even if that is nothing */
	memcpy(end - size, bytes, size);
	if (reseal)
		hostile_reseal(end - size, size);
	free_all();
	memory_peak = 0;
	rowser_cursor_init(&cursor, end - size, size, &fault);
	valid = read_rowset(&cursor);
	if (!valid && fault.kind != ROWSER_FAULT_NONE &&
		(fault.what == NULL || fault.offset > size))
	{
		fprintf(stderr, "a fault without a place or text\n");
		abort();
	}
	nread++;
	nvalid += valid;
	if (memory_peak > BASE_MEMORY + MEMORY_RATIO * size)
	{
		printf("%zu bytes of memory for a rowset of %zu\n", memory_peak, size);
		ngreedy++;
	}
	free_all();
	free(copy);
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
		(void) read_exactly(bytes, prefix, false);
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
			(void) read_exactly(bytes, size, reseal);
		}
		bytes[i] = byte;
	}
	if (reseal)
		check(nread == PG_UINT8_MAX * size, "changes with mended checksums",
			  which, nread);
	else
		check(nvalid == 0, "no change of a byte is valid", which, nread);
}

static void
sweep_seeds(const uint8 *bytes, size_t size, size_t which, int nseeds)
{
	nread = nvalid = 0;
	for (int seed = 1; seed <= nseeds; seed++)
	{
		RowserBuffer buffer;
		uint8	   *mutant;
		size_t		mutant_size;

		rowser_buffer_init(&buffer, size + 256, MUTANT_LIMIT);
		if (!hostile_mutate(bytes, size, seed, &buffer))
		{
			free_all();
			continue;
		}
		mutant_size = buffer.size;
		mutant = malloc(mutant_size);
		memcpy(mutant, buffer.bytes, mutant_size);
		free_all();
		(void) read_exactly(mutant, mutant_size, true);
		free(mutant);
	}
	check(true, "random changes", which, nread);
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
	check(read_exactly(bytes, size, false), "valid", which, size);
	sweep_prefixes(bytes, size, which);
	sweep_changes(bytes, size, which, false);
	sweep_changes(bytes, size, which, true);
	sweep_seeds(bytes, size, which, nseeds);
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
			(void) read_exactly((uint8 *) line, size, false);
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
	check(nprojected > 0 && nbroken == 0, "columns can be chosen", 0, nbroken);
	free(allocations);
	return nfailed > 0;
}
