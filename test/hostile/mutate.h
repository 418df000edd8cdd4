/*-------------------------------------------------------------------------
 *
 * mutate.h
 *	  Random changes to a rowset that keep its frame consistent.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_MUTATE_H
#define HOSTILE_MUTATE_H

#include "bytes/buffer.h"

/*
 * Change a valid rowset in a few places and write what came out into `mutant`,
 * which the caller has initialised: sizes, checksums and the trailer are those
 * of the changed parts.  The same seed makes the same changes.  False when the
 * rowset can't be taken apart.  Memory is left behind.
 */
extern bool hostile_mutate(const uint8 *bytes, size_t size, uint64 seed,
						   RowserBuffer *mutant);

/* The next number below `limit` of the sequence that a seed begins. */
extern uint32 hostile_draw(uint64 *seed, uint32 limit);

/*
 * Change, add or take away a few bytes in one place, or put a number of up to
 * 64 bits there.
 */
extern void hostile_change_bytes(RowserBuffer *bytes, uint64 *seed);

#endif							/* HOSTILE_MUTATE_H */
