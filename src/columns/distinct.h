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
	uint64		head;			/* of a short value: see distinct_ends() */
	uint64		tail;
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
	RowserDistinctEntry *table; /* by number plus 1; the first one is no value */
	uint32		capacity;
} RowserDistinct;

/* Begin; values are `width` bytes each, or images for 0.  Owns its memory. */
extern void rowser_distinct_init(RowserDistinct *distinct, uint8 width);
extern void rowser_distinct_reset(RowserDistinct *distinct);
extern void rowser_distinct_free(RowserDistinct *distinct);

/* Values up to this size are compared and hashed as two words. */
#define ROWSER_DISTINCT_SHORT	16

/*
 * A short value's bytes as two words, which overlap in most sizes; together
 * with the size they are the value.
 */
static inline void
rowser_distinct_ends(const uint8 *value, uint32 size, uint64 *head,
					 uint64 *tail)
{
	*tail = 0;
	if (size >= sizeof(uint64))
	{
		*head = rowser_load_u64(value);
		*tail = rowser_load_u64(value + size - sizeof(uint64));
	}
	else if (size >= sizeof(uint32))
		*head = (uint64) rowser_load_u32(value) << 32 |
			rowser_load_u32(value + size - sizeof(uint32));
	else if (size > 0)
		*head = (uint64) value[0] << 16 | (uint64) value[size / 2] << 8 |
			value[size - 1];
	else
		*head = 0;
}

static inline uint64
rowser_distinct_mix(uint64 hash, uint64 word)
{
	hash = (hash ^ word) * UINT64CONST(0x9E3779B97F4A7C15);
	return hash ^ (hash >> 29);
}

static inline uint32
rowser_distinct_hash_ends(uint64 head, uint64 tail, uint32 size)
{
	return (uint32) (rowser_distinct_mix(rowser_distinct_mix(size, head),
										 tail) >> 32);
}

/*
 * Look a value up; -1 once there are too many different values for a
 * dictionary, after which it can only be reset.
 */
extern int32 rowser_distinct_find(RowserDistinct *distinct,
								  const void *value, uint32 size);

/*
 * Add a value; gives its number, or -1 as rowser_distinct_find() does.  A short
 * one is most often found at once.  Whether it is that of the row before can't be
 * foreseen, so that isn't asked first.
 */
static inline int32
rowser_distinct_add(RowserDistinct *distinct, const void *value, uint32 size)
{
	distinct->nvalues++;
	if (likely(size <= ROWSER_DISTINCT_SHORT))
	{
		uint64		head;
		uint64		tail;
		uint32		number;
		const RowserDistinctEntry *entry;

		rowser_distinct_ends(value, size, &head, &tail);
		number = distinct->slots[rowser_distinct_hash_ends(head, tail, size) &
								 (distinct->nslots - 1)];
		/* for a free slot, that is the entry which stands before the first */
		entry = &distinct->table[number];
		if (likely(entry->head == head && entry->tail == tail &&
				   entry->size == size))
			return (int32) number - 1;
	}
	return rowser_distinct_find(distinct, value, size);
}

/* An entry's value; its size is *size. */
static inline const uint8 *
rowser_distinct_value(const RowserDistinct *distinct, uint32 number,
					  uint32 *size)
{
	*size = distinct->table[number + 1].size;
	return distinct->entries.bytes + distinct->table[number + 1].offset;
}

/* Bytes that a dictionary of the values so far takes, before compression. */
extern uint64 rowser_distinct_size(const RowserDistinct *distinct);

#endif							/* ROWSER_COLUMNS_DISTINCT_H */
