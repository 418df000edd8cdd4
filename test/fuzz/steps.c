/*-------------------------------------------------------------------------
 *
 * steps.c
 *	  Compressing more than a step of what a fuzzer thinks of, and back.
 *
 * The bytes say the method, the level, how the size lies to the size of a
 * step, when to interrupt, and what to compress: a little program of literals,
 * copies, runs and noise, whose output is repeated with small changes until
 * there is enough.  What is compressed must fit, come back, be the same once
 * more, and be refused where it doesn't fit; damaged, it must be refused or
 * fill its room.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "bytes/compress.h"
#include "bytes/cursor.h"
#include "bytes/memory.h"
#include "target.h"

#define KILOBYTE		1024
#define MEGABYTE		(1024 * KILOBYTE)

/* Longest output of the program */
#define MAX_PATTERN		(256 * KILOBYTE)

/* Most interrupts that are let pass before one cancels */
#define MAX_INTERRUPTS	8

/* A level, and a size at which another step begins or another way is taken */
typedef struct Way
{
	RowserMethod method;
	int			level;
	size_t		step;
} Way;

static const Way ways[] = {
	{ROWSER_METHOD_LZ4, 3, MEGABYTE},
	{ROWSER_METHOD_LZ4, 9, MEGABYTE},
	{ROWSER_METHOD_LZ4, 10, 512 * KILOBYTE},
	{ROWSER_METHOD_LZ4, 12, 512 * KILOBYTE},
	{ROWSER_METHOD_LZ4, 99, 512 * KILOBYTE},
	{ROWSER_METHOD_LZ4, 0, 32 * MEGABYTE},
	{ROWSER_METHOD_ZSTD, 1, 4 * MEGABYTE},
	{ROWSER_METHOD_ZSTD, 7, MEGABYTE},
	{ROWSER_METHOD_ZSTD, 12, MEGABYTE},
	{ROWSER_METHOD_ZSTD, 13, 128 * KILOBYTE},
	{ROWSER_METHOD_ZSTD, 19, 128 * KILOBYTE},
	{ROWSER_METHOD_ZSTD, 0, 64 * MEGABYTE}, /* decompression has steps, too */
};

/* What each byte of the program says; its high bits are a number */
typedef enum Operation
{
	OPERATION_LITERALS,			/* so many of the bytes that follow */
	OPERATION_COPY,				/* from that far back, so long */
	OPERATION_RUN,				/* of a byte, so long */
	OPERATION_NOISE				/* so much of it */
} Operation;

typedef struct Steps
{
	Way			way;
	size_t		size;
	int			interrupts;		/* that are let pass; then one cancels */
	size_t		damage_at;
	uint8		damage;
	uint8		change;			/* from one repetition to the next */
	uint8	   *bytes;
} Steps;

static int	interrupts_left;

static bool
is_cancelled(void)
{
	return interrupts_left-- == 0;
}

/* ----------------------------------------------------------------
 *		What to compress
 * ----------------------------------------------------------------
 */

/* A length that the program says: a number, or a varint if that is large. */
static size_t
read_length(RowserCursor *cursor, int number)
{
	uint64		length;

	if (number < 48)
		return number + 1;
	if (!rowser_cursor_varuint(cursor, &length))
		return 1;
	return (size_t) (length % MAX_PATTERN) + 1;
}

/* Run one operation; returns by how much the pattern has grown. */
static size_t
make_some(RowserCursor *cursor, uint8 code, uint8 *pattern, size_t size)
{
	size_t		length = read_length(cursor, code >> 2);
	uint64		argument = 0;
	uint8		byte = 0;

	length = Min(length, MAX_PATTERN - size);
	switch ((Operation) (code & 3))
	{
		case OPERATION_LITERALS:
			length = Min(length, rowser_cursor_left(cursor));
			memcpy(pattern + size, cursor->next, length);
			cursor->next += length;
			break;
		case OPERATION_COPY:
			if (!rowser_cursor_varuint(cursor, &argument) || size == 0)
				return 0;
			argument = argument % size + 1;
			for (size_t i = 0; i < length; i++)
				pattern[size + i] = pattern[size + i - argument];
			break;
		case OPERATION_RUN:
			if (!rowser_cursor_u8(cursor, &byte))
				return 0;
			memset(pattern + size, byte, length);
			break;
		case OPERATION_NOISE:
			argument = length;
			for (size_t i = 0; i < length; i++)
			{
				argument = argument * UINT64CONST(6364136223846793005) + 1;
				pattern[size + i] = (uint8) (argument >> 56);
			}
			break;
	}
	return length;
}

/* Run the program, and repeat what it makes. */
static void
make_bytes(Steps *steps, RowserCursor *cursor)
{
	static uint8 pattern[MAX_PATTERN];
	size_t		size = 0;
	uint8		code;

	while (size < MAX_PATTERN && rowser_cursor_left(cursor) > 0 &&
		   rowser_cursor_u8(cursor, &code))
		size += make_some(cursor, code, pattern, size);
	if (size == 0)
		pattern[size++] = 0;
	for (size_t done = 0; done < steps->size; done += size)
	{
		memcpy(steps->bytes + done, pattern, Min(size, steps->size - done));
		pattern[(done / size * 7) % size] += steps->change;
	}
}

/* Read what stands before the program; false if that isn't whole. */
static bool
read_settings(Steps *steps, RowserCursor *cursor)
{
	uint8		code;
	uint8		times;
	int64		beside;
	uint64		damage_at;

	if (!rowser_cursor_u8(cursor, &code) || !rowser_cursor_u8(cursor, &times) ||
		!rowser_cursor_varint(cursor, &beside) ||
		!rowser_cursor_varuint(cursor, &damage_at) ||
		!rowser_cursor_u8(cursor, &steps->damage) ||
		!rowser_cursor_u8(cursor, &steps->change))
		return false;
	steps->way = ways[code % lengthof(ways)];
	if (!rowser_method_is_built(steps->way.method))
		return false;
	/* up to four small steps, or one large one */
	steps->size = steps->way.step;
	if (steps->size <= MEGABYTE)
		steps->size *= 1 + times % 4;
	steps->size += beside % (64 * KILOBYTE);
	steps->interrupts = times / 4 % MAX_INTERRUPTS;
	steps->damage_at = (size_t) damage_at;
	return true;
}

/* ----------------------------------------------------------------
 *		There and back
 * ----------------------------------------------------------------
 */

/* Compress into memory of just that capacity; NULL if it doesn't fit. */
static uint8 *
compress(const Steps *steps, size_t capacity, size_t *stored_size)
{
	RowserCompression compression = {steps->way.method, steps->way.level};
	uint8	   *stored = malloc(Max(capacity, 1));

	*stored_size = rowser_compress(compression, steps->bytes, steps->size,
								   stored, capacity);
	fuzz_claim(*stored_size <= capacity, "what is compressed fits");
	if (*stored_size > 0)
		return stored;
	free(stored);
	return NULL;
}

/* Decompress from memory of just that size into memory of just that size. */
static bool
decompress(const Steps *steps, const uint8 *stored, size_t stored_size,
		   uint8 *again)
{
	uint8	   *exact = malloc(Max(stored_size, 1));
	bool		valid;

	memcpy(exact, stored, stored_size);
	valid = rowser_decompress(steps->way.method, exact, stored_size, again,
							  steps->size);
	free(exact);
	return valid;
}

/* Cancelled in the middle, if there are interrupts enough, nothing is left. */
static void
check_cancel(const Steps *steps)
{
	uint8	   *volatile stored = malloc(steps->size);
	RowserCompression compression = {steps->way.method, steps->way.level};

	interrupts_left = steps->interrupts;
	hostile_is_cancelled = is_cancelled;
	if (setjmp(hostile_exit) == 0)
		(void) rowser_compress(compression, steps->bytes, steps->size, stored,
							   steps->size);
	hostile_is_cancelled = NULL;
	free(stored);
}

static void
check_there_and_back(const Steps *steps)
{
	size_t		stored_size;
	size_t		again_size;
	uint8	   *stored = compress(steps, steps->size, &stored_size);
	uint8	   *again;

	if (stored == NULL)
		return;
	again = malloc(steps->size);
	fuzz_claim(decompress(steps, stored, stored_size, again) &&
			   memcmp(again, steps->bytes, steps->size) == 0,
			   "what is compressed in steps decompresses to the same");
	fuzz_claim(!decompress(steps, stored, stored_size - 1, again),
			   "what lacks its last byte is refused");
	stored[steps->damage_at % stored_size] ^= steps->damage;
	(void) decompress(steps, stored, stored_size, again);
	stored[steps->damage_at % stored_size] ^= steps->damage;
	free(again);

	again = compress(steps, steps->size, &again_size);
	fuzz_claim(again != NULL && again_size == stored_size &&
			   memcmp(again, stored, stored_size) == 0,
			   "what is compressed in steps is always the same");
	free(again);
	again = compress(steps, steps->damage_at % stored_size, &again_size);
	free(again);
	free(stored);
}

void
fuzz_steps(const uint8 *bytes, size_t size)
{
	Steps		steps = {0};
	RowserFault fault;
	RowserCursor cursor;

	hostile_memory_reset();
	rowser_cursor_init(&cursor, bytes, size, &fault);
	if (!read_settings(&steps, &cursor))
		return;
	steps.bytes = malloc(steps.size);
	make_bytes(&steps, &cursor);
	check_there_and_back(&steps);
	check_cancel(&steps);
	free(steps.bytes);
	hostile_memory_reset();
}
