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

/*
 * Read `size` bytes as a rowset in every way that the byte layer has.  A claim
 * that doesn't hold aborts.  Returns whether they are a valid rowset.
 */
extern bool fuzz_read(const uint8 *bytes, size_t size);

/* Make integers of `size` bytes, write them and read them back. */
extern void fuzz_write(const uint8 *bytes, size_t size);

/* Read `size` bytes as a packet, and have a packet carry them. */
extern void fuzz_packet(const uint8 *bytes, size_t size);

/* Whether bytes are for fuzz_read(): they begin as a rowset does, or a packet. */
static inline bool
fuzz_is_rowset(const uint8 *bytes, size_t size)
{
	return size > 0 && bytes[0] == 0xFF;
}

/* Do with bytes what they are for. */
static inline bool
fuzz_one(const uint8 *bytes, size_t size)
{
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

#endif							/* FUZZ_TARGET_H */
