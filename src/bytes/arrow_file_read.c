/*-------------------------------------------------------------------------
 *
 * arrow_file_read.c
 *	  Reading Arrow's file format: the messages of a stream, and a footer that
 *	  tells where they are (Arrow Columnar Format, section IPC File Format;
 *	  File.fbs).
 *
 * The footer has the schema, too, which some writers leave out before the other
 * messages.  Dictionaries come before all record batches here, wherever they are.
 * Each message is read once, as each is behind the one before.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_read.h"

#define MAGIC				"ARROW1"
#define MAGIC_SIZE			6
#define MAGIC_PADDED_SIZE	8

/* The footer's size and the magic again */
#define END_SIZE			(4 + MAGIC_SIZE)

/* File.fbs, fields of the table Footer */
#define FOOTER_SCHEMA			1
#define FOOTER_DICTIONARIES		2
#define FOOTER_RECORD_BATCHES	3

/* File.fbs, struct Block: where a message is, and sizes that it tells itself */
#define BLOCK_SIZE			24

static bool
fail(const RowserArrowReader *reader, uint64 place, const char *what)
{
	return rowser_arrow_fail(reader, place, ROWSER_FAULT_INVALID, what);
}

bool
rowser_arrow_is_file(const uint8 *bytes, uint64 size)
{
	return size >= MAGIC_PADDED_SIZE && memcmp(bytes, MAGIC, MAGIC_SIZE) == 0;
}

/* Find the footer; what is before it is the reader's from then on. */
static bool
find_footer(RowserArrowReader *reader)
{
	uint64		left = reader->size - MAGIC_PADDED_SIZE;
	const uint8 *end;
	uint32		size;

	if (left < END_SIZE)
		return fail(reader, reader->size, "The file has no footer");
	end = reader->bytes + reader->size - END_SIZE;
	if (memcmp(end + 4, MAGIC, MAGIC_SIZE) != 0)
		return fail(reader, reader->size, "The file's end is not marked");
	size = rowser_load_u32(end);
	if (size > left - END_SIZE)
		return fail(reader, reader->size - END_SIZE,
					"The file's footer is longer than the file");
	reader->size -= END_SIZE + size;
	reader->footer.bytes = reader->bytes + reader->size;
	reader->footer.size = size;
	reader->footer.place = reader->size;
	reader->footer.fault = reader->fault;
	return true;
}

bool
rowser_arrow_file_open(RowserArrowReader *reader)
{
	RowserFlatTable footer;
	RowserFlatTable schema;
	bool		has_schema;

	reader->is_file = true;
	if (!find_footer(reader) || !rowser_flat_root(&reader->footer, &footer) ||
		!rowser_flat_table(&footer, FOOTER_SCHEMA, &schema, &has_schema) ||
		!rowser_flat_vector(&footer, FOOTER_DICTIONARIES, BLOCK_SIZE,
							&reader->blocks[0]) ||
		!rowser_flat_vector(&footer, FOOTER_RECORD_BATCHES, BLOCK_SIZE,
							&reader->blocks[1]))
		return false;
	if (!has_schema)
		return fail(reader, reader->footer.place, "The file has no schema");
	reader->next = MAGIC_PADDED_SIZE;
	return rowser_arrow_schema_read(reader, &schema);
}

bool
rowser_arrow_file_seek(RowserArrowReader *reader, RowserArrowMessageKind *kind)
{
	const RowserFlatVector *blocks;
	uint64		offset;

	if (!reader->dictionaries_done &&
		reader->next_block == reader->blocks[0].count)
	{
		reader->dictionaries_done = true;
		reader->next_block = 0;
		reader->next = MAGIC_PADDED_SIZE;
	}
	blocks = &reader->blocks[reader->dictionaries_done ? 1 : 0];
	*kind = ROWSER_ARROW_MESSAGE_NONE;
	if (reader->next_block == blocks->count)
		return true;
	offset = rowser_load_u64(rowser_flat_element(blocks, reader->next_block++,
												 BLOCK_SIZE));
	if (offset < reader->next || offset > reader->size)
		return fail(reader, reader->footer.place,
					"A message is not where the footer says");
	reader->next = offset;
	*kind = reader->dictionaries_done ? ROWSER_ARROW_MESSAGE_RECORD_BATCH :
		ROWSER_ARROW_MESSAGE_DICTIONARY_BATCH;
	return true;
}
