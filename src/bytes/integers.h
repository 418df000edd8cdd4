/*-------------------------------------------------------------------------
 *
 * integers.h
 *	  Streams of small integers: indexes, lengths, flags (rowset_format.md,
 *	  section 6.1, "integers").
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_INTEGERS_H
#define ROWSER_BYTES_INTEGERS_H

#include "bytes/group.h"

/* A stream that is being read; opaque to its users */
typedef struct RowserIntegers
{
	const RowserNode *node;		/* borrowed */
	const uint8 *next;
	uint8	   *owned;			/* memory of a decompressed block, or NULL */
	uint32		left;
} RowserIntegers;

/*
 * Append integers to a group: constant if they are, else as narrow as they
 * fit.  With `in_array` the limit of section 6.6 holds.
 */
extern void rowser_integers_write(RowserBuffer *nodes, RowserBuffer *body,
								  RowserCompression compression,
								  const uint32 *values, uint32 nvalues,
								  bool in_array);

/* Begin to read the integers of a node whose group's body is at hand. */
extern bool rowser_integers_open(RowserIntegers *integers,
								 const RowserNode *node, const uint8 *body,
								 RowserCursor *at);

/* Read the next `nvalues`, each of which must be at most `max`. */
extern bool rowser_integers_next(RowserIntegers *integers, uint32 nvalues,
								 uint32 max, uint32 *values,
								 RowserCursor *at);

/* As int32s in zigzag form. */
extern bool rowser_integers_next_signed(RowserIntegers *integers,
										uint32 nvalues, int32 *values,
										RowserCursor *at);

static inline uint32
rowser_zigzag32(int32 value)
{
	return ((uint32) value << 1) ^ (uint32) (value >> 31);
}

#endif							/* ROWSER_BYTES_INTEGERS_H */
