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

#endif							/* HOSTILE_MUTATE_H */
