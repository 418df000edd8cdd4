/*-------------------------------------------------------------------------
 *
 * lz4.c
 *	  LZ4 blocks, made in steps between which the host may interrupt.
 *
 * liblz4 compresses a block in one call, which at its highest levels takes a
 * second for 15 MB.  Its streaming calls make a block for each step, whose
 * matches reach back into the steps before.  Such blocks become a single one by
 * putting them together at their edges: a block is a row of sequences, each a
 * token, a run of literals and a match; the last one has literals only.  So the
 * last sequence of one block and the first of the next are made one, with the
 * literals of both and the match of the latter.  Any LZ4 decoder reads that.
 *
 * The size of the steps depends on the level and on nothing else, so that the
 * same bytes are always made.
 *
 * liblz4's memory is malloc's, so it is freed before the host interrupts.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/lz4.h"
#include "bytes/memory.h"

#ifdef ROWSER_WITH_LZ4
#include <lz4.h>
#include <lz4hc.h>

/* In a token: where the number of literals is, and that more of it follows */
#define LITERALS_SHIFT	4
#define MATCH_MASK		0x0F
#define LENGTH_MORE		15

/* Bytes that say how far back a match is */
#define OFFSET_SIZE		2

/* A block that is put together from steps */
typedef struct Block
{
	int			level;
	LZ4_stream_t *fast;			/* one of these two */
	LZ4_streamHC_t *high;
	uint8	   *bytes;
	size_t		size;
	size_t		capacity;
	size_t		last;			/* where the last sequence begins */
} Block;

/* Bytes that a level compresses in well under 200 ms */
static size_t
compress_step(int level)
{
	if (level < LZ4HC_CLEVEL_MIN)
		return 32 * 1024 * 1024;
	return level < 10 ? 1024 * 1024 : 512 * 1024;
}

/* ----------------------------------------------------------------
 *		Sequences
 * ----------------------------------------------------------------
 */

/* A sequence's literals */
typedef struct Literals
{
	const uint8 *bytes;
	size_t		size;
	bool		has_match;		/* behind them */
} Literals;

/* Add what follows a length of a token that says that more follows. */
static const uint8 *
read_length(const uint8 *next, size_t *length)
{
	if (*length != LENGTH_MORE)
		return next;
	do
		*length += *next;
	while (*next++ == 255);
	return next;
}

/* Read a sequence's literals, which `end` ends if there is no match. */
static Literals
read_literals(const uint8 *sequence, const uint8 *end)
{
	Literals	literals = {.size = *sequence >> LITERALS_SHIFT};

	literals.bytes = read_length(sequence + 1, &literals.size);
	literals.has_match = literals.bytes + literals.size < end;
	return literals;
}

/* Where the last sequence begins of those from `sequence` to the end */
static const uint8 *
find_last(const uint8 *sequence, const uint8 *end)
{
	for (;;)
	{
		Literals	literals = read_literals(sequence, end);
		size_t		match_size = *sequence & MATCH_MASK;

		if (!literals.has_match)
			return sequence;
		sequence = read_length(literals.bytes + literals.size + OFFSET_SIZE,
							   &match_size);
	}
}

/* How many bytes a token takes with the number of its literals */
static size_t
token_size(size_t nliterals)
{
	return 1 + (nliterals < LENGTH_MORE ? 0 :
				(nliterals - LENGTH_MORE) / 255 + 1);
}

static void
write_token(uint8 *to, size_t nliterals, uint8 match)
{
	*to++ = (uint8) (Min(nliterals, LENGTH_MORE) << LITERALS_SHIFT) | match;
	if (nliterals < LENGTH_MORE)
		return;
	for (nliterals -= LENGTH_MORE; nliterals >= 255; nliterals -= 255)
		*to++ = 255;
	*to = (uint8) nliterals;
}

/*
 * Make the last sequence and the first of a step, which stands behind the
 * block, one.  The token of both takes at most a token more than that of the
 * former, so that everything behind it moves towards the block's beginning.
 */
static void
join_step(Block *block, size_t step_size)
{
	uint8	   *last = block->bytes + block->last;
	uint8	   *step = block->bytes + block->size;
	Literals	before = read_literals(last, step);
	Literals	behind = read_literals(step, step + step_size);
	size_t		nliterals = before.size + behind.size;
	uint8		match = *step & MATCH_MASK;
	size_t		rest_size = step + step_size - behind.bytes;
	uint8	   *literals = last + token_size(nliterals);

	Assert(literals + before.size <= behind.bytes);
	memmove(literals, before.bytes, before.size);
	memmove(literals + before.size, behind.bytes, rest_size);
	write_token(last, nliterals, match);
	block->size = literals + before.size + rest_size - block->bytes;
}

/* ----------------------------------------------------------------
 *		Steps
 * ----------------------------------------------------------------
 */

static bool
open_block(Block *block)
{
	if (block->level < LZ4HC_CLEVEL_MIN)
		block->fast = LZ4_createStream();
	else
	{
		block->high = LZ4_createStreamHC();
		if (block->high != NULL)
			LZ4_resetStreamHC_fast(block->high,
								   Min(block->level, LZ4HC_CLEVEL_MAX));
	}
	return block->fast != NULL || block->high != NULL;
}

static void
close_block(void *arg)
{
	Block	   *block = arg;

	if (block->fast != NULL)
		LZ4_freeStream(block->fast);
	if (block->high != NULL)
		LZ4_freeStreamHC(block->high);
}

/* Compress the next step into the block; false when it doesn't fit. */
static bool
append_step(Block *block, const uint8 *from, size_t size)
{
	uint8	   *to = block->bytes + block->size;
	size_t		room = block->capacity - block->size;
	int			step_size;

	if (block->fast != NULL)
		step_size = LZ4_compress_fast_continue(block->fast,
											   (const char *) from,
											   (char *) to, (int) size,
											   (int) room, 1);
	else
		step_size = LZ4_compress_HC_continue(block->high, (const char *) from,
											 (char *) to, (int) size,
											 (int) room);
	if (step_size <= 0)
		return false;
	if (block->size == 0)
		block->size = step_size;
	else
		join_step(block, step_size);
	block->last = find_last(block->bytes + block->last,
							block->bytes + block->size) - block->bytes;
	return true;
}

static size_t
compress_in_steps(int level, const uint8 *from, size_t size,
				  uint8 *to, size_t capacity)
{
	Block		block = {.level = level, .bytes = to, .capacity = capacity};
	bool		fits = true;

	if (!open_block(&block))
		rowser_memory_exhausted();
	for (size_t done = 0; done < size && fits;)
	{
		size_t		step = Min(size - done, compress_step(level));

		fits = append_step(&block, from + done, step);
		done += step;
		rowser_memory_interrupt_after(close_block, &block);
	}
	close_block(&block);
	return fits ? block.size : 0;
}

/*
 * LZ4_compress_HC() by itself would not tell bytes that don't fit from memory
 * that was not to be had.
 */
static int
compress_high(int level, const uint8 *from, size_t size,
			  uint8 *to, size_t capacity)
{
	void	   *state = rowser_memory_alloc(LZ4_sizeofStateHC());
	int			stored;

	stored = LZ4_compress_HC_extStateHC(state, (const char *) from,
										(char *) to, (int) size,
										(int) capacity,
										Min(level, LZ4HC_CLEVEL_MAX));
	rowser_memory_free(state);
	return stored;
}

size_t
rowser_lz4_compress(int level, const uint8 *from, size_t size,
					uint8 *to, size_t capacity)
{
	int			stored;

	if (size > compress_step(level))
		return compress_in_steps(level, from, size, to, capacity);
	if (level < LZ4HC_CLEVEL_MIN)
		stored = LZ4_compress_default((const char *) from, (char *) to,
									  (int) size, (int) capacity);
	else
		stored = compress_high(level, from, size, to, capacity);
	return stored > 0 ? (size_t) stored : 0;
}
#endif							/* ROWSER_WITH_LZ4 */
