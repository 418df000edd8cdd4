/*-------------------------------------------------------------------------
 *
 * target.h
 *	  What is done with the bytes that a fuzzer thinks of.
 *
 *-------------------------------------------------------------------------
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include "c.h"

#include "bytes/fault.h"

/*
 * Read `size` bytes as a rowset in every way that the byte layer has.  A claim
 * that doesn't hold aborts.  Returns whether they are a valid rowset.
 */
extern bool fuzz_read(const uint8 *bytes, size_t size);

/* Make integers of `size` bytes, write them and read them back. */
extern void fuzz_write(const uint8 *bytes, size_t size);

/* Make much more of `size` bytes, and compress that in steps and back. */
extern void fuzz_steps(const uint8 *bytes, size_t size);

/* Read `size` bytes as a packet, and have a packet carry them. */
extern void fuzz_packet(const uint8 *bytes, size_t size);

/*
 * Read `size` bytes as an Arrow stream, every value of it.  Returns whether they
 * are a valid one.
 */
extern bool fuzz_arrow(const uint8 *bytes, size_t size);

/* Whether bytes are for fuzz_arrow(): they begin as a stream does, or a file. */
static inline bool
fuzz_is_arrow(const uint8 *bytes, size_t size)
{
	return size >= 8 && (memcmp(bytes, "\xFF\xFF\xFF\xFF", 4) == 0 ||
						 memcmp(bytes, "ARROW1", 6) == 0);
}

/* Whether bytes are for fuzz_read(): they begin as a rowset does, or a packet. */
static inline bool
fuzz_is_rowset(const uint8 *bytes, size_t size)
{
	return size > 0 && bytes[0] == 0xFF && !fuzz_is_arrow(bytes, size);
}

/* Whether the rest of the bytes, behind the first one, is for fuzz_steps(). */
static inline bool
fuzz_is_steps(const uint8 *bytes, size_t size)
{
	return size > 0 && bytes[0] == 0xFE;
}

/* Do with bytes what they are for. */
static inline bool
fuzz_one(const uint8 *bytes, size_t size)
{
	if (fuzz_is_arrow(bytes, size))
		return fuzz_arrow(bytes, size);
	if (fuzz_is_steps(bytes, size))
	{
		fuzz_steps(bytes + 1, size - 1);
		return false;
	}
	if (fuzz_is_rowset(bytes, size))
	{
		fuzz_packet(bytes, size);
		return fuzz_read(bytes, size);
	}
	fuzz_write(bytes, size);
	return false;
}

/* Abort with the claim unless it holds. */
extern void fuzz_claim(bool holds, const char *claim);

/* What the targets share: */

/*
 * A copy that ends where its memory does and begins at an address that is
 * `shift` past a multiple of eight.
 */
extern uint8 *fuzz_copy_exactly(const uint8 *bytes, size_t size, size_t shift);

/* Claim that a fault has a text and a place, which an error will tell. */
extern void fuzz_check_fault(const RowserFault *fault, size_t size);

/* Read bytes with memory of its own; false if that is too much work. */
extern bool fuzz_finishes(bool (*read) (const uint8 *bytes, size_t size),
						  const uint8 *bytes, size_t size, bool *valid);

#endif							/* FUZZ_TARGET_H */
