/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *	  Finding the different values of a column (rowset_format.md, section 8).
 *
 * An open-addressing table of the values met so far.  A value that repeats the
 * one before it is not looked up at all.  A column that shows in its first
 * values that a dictionary won't pay costs no more than those.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"

#include "bytes/image.h"
#include "bytes/packing.h"
#include "columns/dictionary.h"

#define MAX_ENTRIES		65536
#define SAMPLE_VALUES	512
#define SAMPLE_ENTRIES	256
#define INITIAL_SLOTS	1024	/* a power of two */

typedef struct Entry
{
	uint32		hash;
	uint32		size;			/* of the payload */
	const uint8 *payload;		/* where it was first met */
} Entry;

typedef struct Table
{
	uint32	   *slots;			/* entry's number plus 1, 0 when free */
	uint32		nslots;
	Entry	   *entries;
	uint32		nentries;
	uint32		capacity;
} Table;

static void
table_init(Table *table)
{
	table->nslots = INITIAL_SLOTS;
	table->slots = palloc0(table->nslots * sizeof(uint32));
	table->capacity = INITIAL_SLOTS / 2;
	table->entries = palloc(table->capacity * sizeof(Entry));
	table->nentries = 0;
}

/* Double the table once it is half full. */
static void
table_grow(Table *table)
{
	table->nslots *= 2;
	table->slots = repalloc(table->slots, table->nslots * sizeof(uint32));
	memset(table->slots, 0, table->nslots * sizeof(uint32));
	table->capacity *= 2;
	table->entries = repalloc(table->entries, table->capacity * sizeof(Entry));
	for (uint32 i = 0; i < table->nentries; i++)
	{
		uint32		slot = table->entries[i].hash & (table->nslots - 1);

		while (table->slots[slot] != 0)
			slot = (slot + 1) & (table->nslots - 1);
		table->slots[slot] = i + 1;
	}
}

/* The number of a value's entry, which is added if it is new. */
static uint32
table_find(Table *table, const RowserImage *image)
{
	uint32		hash = hash_bytes(image->payload, image->size);
	uint32		slot = hash & (table->nslots - 1);
	Entry	   *entry;

	while (table->slots[slot] != 0)
	{
		entry = &table->entries[table->slots[slot] - 1];
		if (entry->hash == hash && entry->size == image->size &&
			memcmp(entry->payload, image->payload, image->size) == 0)
			return table->slots[slot] - 1;
		slot = (slot + 1) & (table->nslots - 1);
	}

	entry = &table->entries[table->nentries++];
	entry->hash = hash;
	entry->size = image->size;
	entry->payload = image->payload;
	table->slots[slot] = table->nentries;
	if (table->nentries == table->capacity)
		table_grow(table);
	return table->nentries - 1;
}

/* The value at *next, which moves past it. */
static RowserImage
next_value(const RowserBuffer *values, uint8 width, const uint8 **next)
{
	RowserImage value;

	if (width == 0)
	{
		if (!rowser_image_next(values->bytes, next,
							   values->bytes + values->size, &value))
			elog(ERROR, "vector holds a broken image");
		return value;
	}
	value.image = value.payload = *next;
	value.size = width;
	*next += width;
	return value;
}

/* Number all values; false as soon as it is clear that it won't pay. */
static bool
number_values(Table *table, int64 *indexes, const RowserBuffer *values,
			  uint8 width, uint32 nvalues, uint64 most)
{
	const uint8 *next = values->bytes;
	RowserImage last = {NULL, NULL, 0};
	uint64		entries_size = 0;
	uint8		bits;

	for (uint32 i = 0; i < nvalues; i++)
	{
		RowserImage value = next_value(values, width, &next);
		uint32		nentries = table->nentries;

		if (i > 0 && value.size == last.size &&
			memcmp(value.payload, last.payload, value.size) == 0)
		{
			indexes[i] = indexes[i - 1];
			continue;
		}
		last = value;
		indexes[i] = table_find(table, &value);
		if (table->nentries == nentries)
			continue;
		entries_size += width > 0 ? width :
			rowser_image_plain_size(value.size);
		if (table->nentries > MAX_ENTRIES ||
			(i < SAMPLE_VALUES && table->nentries > SAMPLE_ENTRIES) ||
			entries_size >= most)
			return false;
	}
	bits = rowser_packing_bits(table->nentries - 1);
	return entries_size + rowser_packing_size(nvalues, bits) < most;
}

bool
rowser_dictionary_build(RowserDictionary *dictionary,
						const RowserBuffer *values, uint8 width,
						uint32 nvalues, uint64 most)
{
	Table		table;
	bool		pays;

	if (nvalues < 2)
		return false;
	table_init(&table);
	dictionary->indexes = palloc(nvalues * sizeof(int64));
	pays = number_values(&table, dictionary->indexes, values, width, nvalues,
						 most);
	if (pays)
	{
		dictionary->nentries = table.nentries;
		rowser_buffer_init(&dictionary->entries, 1024, values->limit);
		for (uint32 i = 0; i < table.nentries; i++)
		{
			if (width > 0)
				rowser_buffer_bytes(&dictionary->entries,
									table.entries[i].payload, width);
			else
				rowser_image_append(&dictionary->entries,
									table.entries[i].payload,
									table.entries[i].size);
		}
	}
	else
		pfree(dictionary->indexes);
	pfree(table.slots);
	pfree(table.entries);
	return pays;
}
