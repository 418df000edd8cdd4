/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *	  Finding the different values among images (rowset_format.md, section 8).
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
#include "columns/dictionary.h"

#define MAX_ENTRIES		65536
#define SAMPLE_VALUES	512
#define SAMPLE_ENTRIES	256
#define INITIAL_SLOTS	1024	/* a power of two */

/* A dictionary must take less than this part of the plain form. */
#define PAYS(size, plain_size) ((size) * 4 < (plain_size) * 3)

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

static uint32
index_width(uint32 nentries)
{
	return nentries <= PG_UINT8_MAX + 1 ? 1 :
		nentries <= PG_UINT16_MAX + 1 ? 2 : 4;
}

/* Number all values; false as soon as it is clear that it won't pay. */
static bool
number_values(Table *table, uint32 *indexes, const RowserBuffer *images,
			  uint32 nvalues, uint64 plain_size)
{
	const uint8 *next = images->bytes;
	const uint8 *end = images->bytes + images->size;
	RowserImage last = {NULL, NULL, 0};
	uint64		entries_size = 0;

	for (uint32 i = 0; i < nvalues; i++)
	{
		RowserImage image;
		uint32		nentries = table->nentries;

		if (!rowser_image_next(images->bytes, &next, end, &image))
			elog(ERROR, "vector holds a broken image");
		if (i > 0 && image.size == last.size &&
			memcmp(image.payload, last.payload, image.size) == 0)
		{
			indexes[i] = indexes[i - 1];
			continue;
		}
		last = image;
		indexes[i] = table_find(table, &image);
		if (table->nentries == nentries)
			continue;
		entries_size += rowser_image_plain_size(image.size);
		if (table->nentries > MAX_ENTRIES ||
			(i < SAMPLE_VALUES && table->nentries > SAMPLE_ENTRIES) ||
			!PAYS(entries_size, plain_size))
			return false;
	}
	return PAYS(entries_size +
				(uint64) nvalues * index_width(table->nentries), plain_size);
}

bool
rowser_dictionary_build(RowserDictionary *dictionary,
						const RowserBuffer *images, uint32 nvalues,
						uint64 plain_size)
{
	Table		table;
	bool		pays;

	if (nvalues < 2)
		return false;
	table_init(&table);
	dictionary->indexes = palloc(nvalues * sizeof(uint32));
	pays = number_values(&table, dictionary->indexes, images, nvalues,
						 plain_size);
	if (pays)
	{
		dictionary->nentries = table.nentries;
		rowser_buffer_init(&dictionary->entries, 1024, images->limit);
		for (uint32 i = 0; i < table.nentries; i++)
			rowser_image_append(&dictionary->entries,
								table.entries[i].payload,
								table.entries[i].size);
	}
	else
		pfree(dictionary->indexes);
	pfree(table.slots);
	pfree(table.entries);
	return pays;
}
