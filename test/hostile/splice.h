/*-------------------------------------------------------------------------
 *
 * splice.h
 *	  A rowset put together from columns, types and groups of two.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_SPLICE_H
#define HOSTILE_SPLICE_H

#include "bytes/buffer.h"

/* A rowset's bytes, which are borrowed */
typedef struct Specimen
{
	const uint8 *bytes;
	size_t		size;
} Specimen;

/*
 * Put a rowset together from those of two valid ones and write it into
 * `spliced`, which the caller has initialised.  Sizes and checksums fit, but
 * nodes may stand under other types than theirs, and bodies under other nodes.
 * The same seed, which moves on, makes the same.  False when one of them can't
 * be taken apart.  Memory is left behind.
 */
extern bool hostile_splice(Specimen own, Specimen other, uint64 *seed,
						   RowserBuffer *spliced);

#endif							/* HOSTILE_SPLICE_H */
