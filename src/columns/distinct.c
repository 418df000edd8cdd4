/*-------------------------------------------------------------------------
 *
 * distinct.c
 *	  Numbering the different values of a column in order of first appearance.
 *
 * An open-addressing table of the values met so far.  A value that repeats the
 * one before it is not looked up at all, and a column that shows in its first
 * values that a dictionary won't pay costs no more than those.
 *
 * Memory: that of the context in which the table was made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/block.h"
#include "bytes/cursor.h"
#include "bytes/image.h"
#include "bytes/packing.h"
#include "columns/distinct.h"

#define SAMPLE_VALUES	512
#define SAMPLE_ENTRIES	256
#define INITIAL_SLOTS	1024	/* a power of two */

/*
 * Long values are hashed by parts; so many different ones with the same hash
 * mean that the parts don't tell them apart.
 */
#define MAX_EQUAL_HASHES 16

/* Bytes at each of three places of a long value that are hashed */
#define HASHED_PART		16

void
rowser_distinct_init(RowserDistinct *distinct, uint8 width)
{
	memset(distinct, 0, sizeof(*distinct));
	distinct->width = width;
	rowser_buffer_init(&distinct->entries, 256, ROWSER_BLOCK_MAX_SIZE);
	distinct->nslots = INITIAL_SLOTS;
	distinct->slots = palloc0(distinct->nslots * sizeof(uint32));
	distinct->capacity = INITIAL_SLOTS / 2;
	distinct->table = palloc((distinct->capacity + 1) *
							 sizeof(RowserDistinctEntry));
	distinct->table[0].size = PG_UINT32_MAX;
	distinct->table[0].head = distinct->table[0].tail = 0;
}

void
rowser_distinct_reset(RowserDistinct *distinct)
{
	distinct->entries.size = 0;
	distinct->entries.overflowed = false;
	distinct->plain_size = 0;
	distinct->nentries = 0;
	distinct->nvalues = 0;
	memset(distinct->slots, 0, distinct->nslots * sizeof(uint32));
}

void
rowser_distinct_free(RowserDistinct *distinct)
{
	rowser_buffer_free(&distinct->entries);
	pfree(distinct->slots);
	pfree(distinct->table);
}

/* ----------------------------------------------------------------
 *		Hashing
 * ----------------------------------------------------------------
 */

/* Hash a run of eight bytes or more; its last eight may be hashed twice. */
static inline uint64
mix_run(uint64 hash, const uint8 *run, uint32 size)
{
	for (uint32 i = 0; i + sizeof(uint64) < size; i += sizeof(uint64))
		hash = rowser_distinct_mix(hash, rowser_load_u64(run + i));
	return rowser_distinct_mix(hash, rowser_load_u64(run + size - sizeof(uint64)));
}

static inline uint32
hash_value(const uint8 *value, uint32 size)
{
	uint64		hash = size;

	if (size <= ROWSER_DISTINCT_SHORT)
	{
		uint64		head;
		uint64		tail;

		rowser_distinct_ends(value, size, &head, &tail);
		return rowser_distinct_hash_ends(head, tail, size);
	}
	if (size <= 4 * HASHED_PART)
		hash = mix_run(hash, value, size);
	else
	{
		hash = mix_run(hash, value, HASHED_PART);
		hash = mix_run(hash, value + size / 2, HASHED_PART);
		hash = mix_run(hash, value + size - HASHED_PART, HASHED_PART);
	}
	return (uint32) (hash >> 32);
}

/* ----------------------------------------------------------------
 *		The table
 * ----------------------------------------------------------------
 */

/* Double the table once it is half full. */
static void
grow(RowserDistinct *distinct)
{
	distinct->nslots *= 2;
	distinct->slots = repalloc(distinct->slots,
							   distinct->nslots * sizeof(uint32));
	memset(distinct->slots, 0, distinct->nslots * sizeof(uint32));
	distinct->capacity *= 2;
	distinct->table = repalloc(distinct->table, (distinct->capacity + 1) *
							   sizeof(RowserDistinctEntry));
	for (uint32 i = 1; i <= distinct->nentries; i++)
	{
		uint32		slot = distinct->table[i].hash & (distinct->nslots - 1);

		while (distinct->slots[slot] != 0)
			slot = (slot + 1) & (distinct->nslots - 1);
		distinct->slots[slot] = i;
	}
}

/* Whether there are more different values than a dictionary is good for. */
static bool
has_too_many(const RowserDistinct *distinct)
{
	if (distinct->nentries == ROWSER_DISTINCT_MAX)
		return true;
	return distinct->nvalues <= SAMPLE_VALUES &&
		distinct->nentries == SAMPLE_ENTRIES;
}

/* Add an entry for a new value. */
static int32
add_entry(RowserDistinct *distinct, uint32 slot, uint32 hash,
		  const void *value, uint32 size)
{
	RowserDistinctEntry *entry;

	if (has_too_many(distinct))
		return -1;
	if (distinct->width > 0)
		rowser_buffer_bytes(&distinct->entries, value, size);
	else
		rowser_image_append(&distinct->entries, value, size);
	if (distinct->entries.overflowed)
		return -1;
	distinct->plain_size += distinct->width > 0 ? size :
		rowser_image_plain_size(size);
	distinct->nentries++;
	entry = &distinct->table[distinct->nentries];
	entry->hash = hash;
	entry->size = size;
	entry->offset = distinct->entries.size - size;
	entry->head = entry->tail = 0;
	if (size <= ROWSER_DISTINCT_SHORT)
		rowser_distinct_ends(value, size, &entry->head, &entry->tail);
	distinct->slots[slot] = distinct->nentries;
	if (distinct->nentries == distinct->capacity)
		grow(distinct);
	return (int32) distinct->nentries - 1;
}

/*
 * Whether two values of the same size are equal; many are so short that a call
 * of memcmp would take longer.
 */
static inline bool
value_is_equal(const uint8 *a, const uint8 *b, uint32 size)
{
	uint64		different;

	if (size < sizeof(uint64) || size > 32)
		return memcmp(a, b, size) == 0;
	different = rowser_load_u64(a) ^ rowser_load_u64(b);
	different |= rowser_load_u64(a + size - 8) ^ rowser_load_u64(b + size - 8);
	if (size > 16)
	{
		different |= rowser_load_u64(a + 8) ^ rowser_load_u64(b + 8);
		different |= rowser_load_u64(a + size - 16) ^
			rowser_load_u64(b + size - 16);
	}
	return different == 0;
}

int32
rowser_distinct_find(RowserDistinct *distinct, const void *value,
					 uint32 size)
{
	uint32		hash = hash_value(value, size);
	uint32		slot = hash & (distinct->nslots - 1);
	int			nequal = 0;

	while (distinct->slots[slot] != 0)
	{
		uint32		number = distinct->slots[slot];
		RowserDistinctEntry *entry = &distinct->table[number];

		if (entry->hash == hash)
		{
			if (entry->size == size &&
				value_is_equal(distinct->entries.bytes + entry->offset, value,
							   size))
				return (int32) number - 1;
			if (++nequal > MAX_EQUAL_HASHES)
				return -1;
		}
		slot = (slot + 1) & (distinct->nslots - 1);
	}
	return add_entry(distinct, slot, hash, value, size);
}

uint64
rowser_distinct_size(const RowserDistinct *distinct)
{
	uint8		bits = rowser_packing_bits(Max(distinct->nentries, 1) - 1);

	return distinct->plain_size +
		rowser_packing_size(distinct->nvalues, bits);
}
