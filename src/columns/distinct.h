/*-------------------------------------------------------------------------
 *
 * distinct.h
 *	  Numbering the different values of a column in order of first appearance.
 *
 * This is what a dictionary is made of (rowset_format.md, section 8).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_DISTINCT_H
#define ROWSER_COLUMNS_DISTINCT_H

#include "bytes/buffer.h"
#include "bytes/cursor.h"

/* Most entries; their numbers fit 16 bits */
#define ROWSER_DISTINCT_MAX 65536

typedef struct RowserDistinctEntry
{
	uint32		hash;
	uint32		size;			/* of the value */
	size_t		offset;			/* of its first byte in entries */
} RowserDistinctEntry;

typedef struct RowserDistinct
{
	RowserBuffer entries;		/* the different values in plain form */
	uint64		plain_size;		/* of the entries */
	uint32		nentries;
	uint32		nvalues;		/* that have been added */

	/* internal */
	uint8		width;
	uint32	   *slots;			/* entry's number plus 1, 0 when free */
	uint32		nslots;
	RowserDistinctEntry *table;
	uint32		capacity;
	uint32		last;			/* number of the value added last */
} RowserDistinct;

/* Begin; values are `width` bytes each, or images for 0.  Owns its memory. */
extern void rowser_distinct_init(RowserDistinct *distinct, uint8 width);
extern void rowser_distinct_reset(RowserDistinct *distinct);
extern void rowser_distinct_free(RowserDistinct *distinct);

/*
 * Look a value up that differs from the one before; -1 once there are too many
 * different values for a dictionary, after which it can only be reset.
 */
extern int32 rowser_distinct_find(RowserDistinct *distinct,
								  const void *value, uint32 size);

/*
 * Whether two runs of the same size are equal; most are so short that a call of
 * memcmp would take longer.
 */
static inline bool
rowser_distinct_equal(const uint8 *a, const uint8 *b, uint32 size)
{
	if (size > 16)
		return memcmp(a, b, size) == 0;
	if (size >= 8)
		return rowser_load_u64(a) == rowser_load_u64(b) &&
			rowser_load_u64(a + size - 8) == rowser_load_u64(b + size - 8);
	if (size >= 4)
		return rowser_load_u32(a) == rowser_load_u32(b) &&
			rowser_load_u32(a + size - 4) == rowser_load_u32(b + size - 4);
	for (uint32 i = 0; i < size; i++)
	{
		if (a[i] != b[i])
			return false;
	}
	return true;
}

/* The number of a value. */
static inline int32
rowser_distinct_add(RowserDistinct *distinct, const void *value, uint32 size)
{
	distinct->nvalues++;
	if (distinct->nentries > 0)
	{
		RowserDistinctEntry *last = &distinct->table[distinct->last];

		if (last->size == size &&
			rowser_distinct_equal(distinct->entries.bytes + last->offset,
								  value, size))
			return (int32) distinct->last;
	}
	return rowser_distinct_find(distinct, value, size);
}

/* An entry's value; its size is *size. */
static inline const uint8 *
rowser_distinct_value(const RowserDistinct *distinct, uint32 number,
					  uint32 *size)
{
	*size = distinct->table[number].size;
	return distinct->entries.bytes + distinct->table[number].offset;
}

/* Bytes that a dictionary of the values so far takes, before compression. */
extern uint64 rowser_distinct_size(const RowserDistinct *distinct);

#endif							/* ROWSER_COLUMNS_DISTINCT_H */
