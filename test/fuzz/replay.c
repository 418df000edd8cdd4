/*-------------------------------------------------------------------------
 *
 * replay.c
 *	  Reading the corpus, without a fuzzer.
 *
 *		replay MUTANTS FILE...
 *
 * Each file is read as it is, with mended checksums, and in MUTANTS forms that
 * were made of its parts; the same number makes the same mutants.  Arrow
 * streams have no checksums, and are also cut everywhere.  Prints how
 * many files were read and how many of them are valid.  What a sanitizer
 * finds, or a claim that doesn't hold, ends the program with the file's name.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include <signal.h>
#include <unistd.h>

#include "allocator.h"
#include "mutate.h"
#include "reseal.h"
#include "target.h"

/* More than any file of the corpus may have, and a mutant of it */
#define FILE_LIMIT		(1024 * 1024)
#define MUTANT_LIMIT	(4 * 1024 * 1024)

static const char *file_name;

/* Name the file when the program aborts; a sanitizer aborts, too. */
static void
name_file(int signal_number)
{
	/* only what is safe in a handler */
	(void) !write(STDERR_FILENO, file_name, strlen(file_name));
	(void) !write(STDERR_FILENO, "\n", 1);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Read a file into memory that the caller frees. */
static uint8 *
load(const char *name, size_t *size)
{
	FILE	   *file = fopen(name, "rb");
	uint8	   *bytes = malloc(FILE_LIMIT);

	if (file == NULL || bytes == NULL)
	{
		fprintf(stderr, "could not read %s\n", name);
		exit(2);
	}
	*size = fread(bytes, 1, FILE_LIMIT, file);
	fclose(file);
	return bytes;
}

static void
read_mutants(const uint8 *bytes, size_t size, int nmutants)
{
	for (int seed = 1; seed <= nmutants; seed++)
	{
		RowserBuffer buffer;
		uint8	   *mutant;
		size_t		mutant_size;

		hostile_memory_reset();
		rowser_buffer_init(&buffer, size + 256, MUTANT_LIMIT);
		if (!hostile_mutate(bytes, size, seed, &buffer))
			continue;
		/* reading resets what is allocated */
		mutant_size = buffer.size;
		mutant = malloc(mutant_size);
		memcpy(mutant, buffer.bytes, mutant_size);
		(void) fuzz_read(mutant, mutant_size);
		free(mutant);
	}
	hostile_memory_reset();
}

/*
 * Read an Arrow stream that ends too early, wherever that is, and in NMUTANTS
 * forms with one byte changed; the same number makes the same ones.
 */
static void
read_arrow_mutants(uint8 *bytes, size_t size, bool valid, int nmutants)
{
	for (size_t end = 0; end < size; end++)
		fuzz_claim(!fuzz_arrow(bytes, end) || !valid,
				   "a valid stream without its end is not valid");
	for (int i = 0; i < nmutants; i++)
	{
		/* any two numbers that share no factor with many sizes */
		size_t		at = (size_t) i * 7919 % Max(size, 1);
		uint8		saved = bytes[at];

		bytes[at] ^= (uint8) (1 + i * 101 % 255);
		(void) fuzz_arrow(bytes, size);
		bytes[at] = saved;
	}
}

static bool
replay(const char *name, int nmutants)
{
	size_t		size;
	uint8	   *bytes = load(name, &size);
	bool		valid;

	file_name = name;
	valid = fuzz_one(bytes, size);
	if (fuzz_is_arrow(bytes, size))
		read_arrow_mutants(bytes, size, valid, nmutants);
	else if (fuzz_is_rowset(bytes, size))
	{
		read_mutants(bytes, size, nmutants);
		hostile_reseal(bytes, size);
		(void) fuzz_read(bytes, size);
	}
	free(bytes);
	return valid;
}

/*
 * Have a sanitizer abort.  It reads its environment from /proc, which isn't
 * everywhere, so this says it; nor is what is left allocated at the end of
 * interest.
 */
extern const char *__asan_default_options(void);
extern const char *__ubsan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0:abort_on_error=1:handle_abort=0";
}

const char *
__ubsan_default_options(void)
{
	return "abort_on_error=1:print_stacktrace=1";
}

int
main(int argc, char **argv)
{
	int			nvalid = 0;

	if (argc < 3)
	{
		fprintf(stderr, "usage: replay MUTANTS FILE...\n");
		return 2;
	}
	signal(SIGABRT, name_file);
	for (int i = 2; i < argc; i++)
		nvalid += replay(argv[i], atoi(argv[1]));
	printf("%d read, %d valid\n", argc - 2, nvalid);
	return 0;
}
