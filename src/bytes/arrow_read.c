/*-------------------------------------------------------------------------
 *
 * arrow_read.c
 *	  Reading an Arrow IPC stream, message by message.
 *
 * A message is a prefix, its metadata, which is a FlatBuffer with Message.fbs's
 * table Message, and a body (Arrow Columnar Format, section Encapsulated message
 * format).  Here is what all messages share; the schema is read in
 * arrow_schema_read.c, buffers in arrow_array_read.c, a file's footer in
 * arrow_file_read.c.
 *
 * A stream may end without its marker where the carrier tells the end.  A bytea
 * doesn't: cut between two messages, it would be a stream with fewer rows.  So
 * the marker must be there.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_read.h"
#include "bytes/memory.h"

/* Message.fbs, fields of the table Message ... */
#define MESSAGE_VERSION			0
#define MESSAGE_HEADER_TYPE		1
#define MESSAGE_HEADER			2
#define MESSAGE_BODY_LENGTH		3

/* ... and of the table DictionaryBatch */
#define DICTIONARY_ID			0
#define DICTIONARY_DATA			1
#define DICTIONARY_IS_DELTA		2

bool
rowser_arrow_fail(const RowserArrowReader *reader, uint64 place,
				  RowserFaultKind kind, const char *what)
{
	reader->fault->kind = kind;
	reader->fault->what = what;
	reader->fault->offset = Min(place, reader->size);
	return false;
}

static bool
fail(const RowserArrowReader *reader, uint64 place, const char *what)
{
	return rowser_arrow_fail(reader, place, ROWSER_FAULT_INVALID, what);
}

/* ----------------------------------------------------------------
 *		Messages
 * ----------------------------------------------------------------
 */

/* Check what a message says of itself. */
static bool
read_metadata(RowserArrowReader *reader, RowserArrowMessage *message)
{
	RowserFlatTable table;
	int64		version = 0;
	int64		kind = ROWSER_ARROW_MESSAGE_NONE;
	int64		body_size = 0;
	bool		has_header;

	if (!rowser_flat_root(&message->buffer, &table) ||
		!rowser_flat_integer(&table, MESSAGE_VERSION, 2, &version))
		return false;
	if (version != ROWSER_ARROW_VERSION_V4 &&
		version != ROWSER_ARROW_VERSION_V5)
		return rowser_arrow_fail(reader, message->buffer.place,
								 ROWSER_FAULT_UNSUPPORTED,
								 "A message's version is neither V4 nor V5");
	if (!rowser_flat_integer(&table, MESSAGE_HEADER_TYPE, 1, &kind) ||
		!rowser_flat_table(&table, MESSAGE_HEADER, &message->header,
						   &has_header) ||
		!rowser_flat_integer(&table, MESSAGE_BODY_LENGTH, 8, &body_size))
		return false;
	if (!has_header)
		return fail(reader, message->buffer.place, "A message has no header");
	if (body_size < 0 || (uint64) body_size > reader->size - reader->next)
		return fail(reader, message->buffer.place,
					"A message's body is longer than the stream");
	message->kind = (RowserArrowMessageKind) (uint8) kind;
	message->body_size = (uint64) body_size;
	return true;
}

/*
 * Read the next message, or its prefix only if that is the end's: then *kind is
 * ROWSER_ARROW_MESSAGE_NONE.
 */
static bool
read_message(RowserArrowReader *reader, RowserArrowMessage *message)
{
	uint64		left = reader->size - reader->next;
	const uint8 *prefix = reader->bytes + reader->next;
	uint32		size;

	if (left < ROWSER_ARROW_PREFIX_SIZE)
		return fail(reader, reader->next,
					"The stream ends before its end is marked");
	if (rowser_load_u32(prefix) != ROWSER_ARROW_CONTINUATION)
		return fail(reader, reader->next,
					"There is no message where one should begin");
	size = rowser_load_u32(prefix + 4);
	reader->next += ROWSER_ARROW_PREFIX_SIZE;
	left -= ROWSER_ARROW_PREFIX_SIZE;
	message->kind = ROWSER_ARROW_MESSAGE_NONE;
	if (size == 0)
		return true;
	if (size > PG_INT32_MAX || size > left)
		return fail(reader, reader->next - 4,
					"A message's metadata is longer than the stream");
	message->buffer.bytes = reader->bytes + reader->next;
	message->buffer.size = size;
	message->buffer.place = reader->next;
	message->buffer.fault = reader->fault;
	reader->next += size;
	if (!read_metadata(reader, message))
		return false;
	message->body = reader->next;
	reader->next += message->body_size;
	if (message->kind == ROWSER_ARROW_MESSAGE_NONE)
		return fail(reader, message->buffer.place,
					"A message's kind is impossible");
	return true;
}

/* ----------------------------------------------------------------
 *		Opening
 * ----------------------------------------------------------------
 */

bool
rowser_arrow_open(RowserArrowReader *reader, const uint8 *bytes, uint64 size,
				  RowserFault *fault)
{
	RowserArrowMessage message;

	memset(reader, 0, sizeof(*reader));
	reader->bytes = bytes;
	reader->size = size;
	reader->fault = fault;
	if (rowser_arrow_is_file(bytes, size))
		return rowser_arrow_file_open(reader);
	if (!read_message(reader, &message))
		return false;
	if (message.kind != ROWSER_ARROW_MESSAGE_SCHEMA)
		return fail(reader, 0, "The stream doesn't begin with a schema");
	return rowser_arrow_schema_read(reader, &message.header);
}

/* ----------------------------------------------------------------
 *		Batches
 * ----------------------------------------------------------------
 */

/* The dictionary of an id, or NULL */
static RowserArrowDictionary *
find_dictionary(const RowserArrowReader *reader, int64 id)
{
	uint32		first = 0;
	uint32		end = reader->ndictionaries;

	while (first < end)
	{
		uint32		middle = first + (end - first) / 2;
		RowserArrowDictionary *dictionary = &reader->dictionaries[middle];

		if (dictionary->id == id)
			return dictionary;
		if (dictionary->id < id)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

uint32
rowser_arrow_dictionary_of(const RowserArrowReader *reader,
						   const RowserArrowField *field)
{
	/* the schema's dictionaries have been listed */
	return find_dictionary(reader, field->dictionary_id) -
		reader->dictionaries;
}

static bool
read_dictionary(RowserArrowReader *reader, const RowserArrowMessage *message,
				RowserArrowReadBatch *batch)
{
	RowserArrowDictionary *dictionary;
	RowserFlatTable data;
	int64		id = 0;
	int64		is_delta = false;
	bool		has_data;
	uint64		length;

	if (!rowser_flat_integer(&message->header, DICTIONARY_ID, 8, &id) ||
		!rowser_flat_table(&message->header, DICTIONARY_DATA, &data,
						   &has_data) ||
		!rowser_flat_integer(&message->header, DICTIONARY_IS_DELTA, 1,
							 &is_delta))
		return false;
	if (!has_data)
		return fail(reader, message->buffer.place,
					"A dictionary has no values");
	dictionary = find_dictionary(reader, id);
	if (dictionary == NULL)
		return fail(reader, message->buffer.place,
					"A dictionary belongs to no field");
	batch->kind = ROWSER_ARROW_BATCH_DICTIONARY;
	batch->dictionary = dictionary - reader->dictionaries;
	batch->is_delta = is_delta != 0;
	if (!rowser_arrow_arrays_read(reader, message, &data, dictionary->field,
								  1, true, batch))
		return false;
	length = batch->length + (uint64) (batch->is_delta ? dictionary->length : 0);
	if (length > PG_INT32_MAX)
		return fail(reader, message->buffer.place,
					"A dictionary has too many values");
	dictionary->length = (uint32) length;
	return true;
}

/*
 * Read the next message of a stream, whose end nothing may follow, or of a file,
 * which must be what the footer says.
 */
static bool
next_message(RowserArrowReader *reader, RowserArrowMessage *message)
{
	RowserArrowMessageKind kind;

	if (!reader->is_file)
	{
		if (!read_message(reader, message))
			return false;
		return message->kind != ROWSER_ARROW_MESSAGE_NONE ||
			reader->next == reader->size ||
			fail(reader, reader->next,
				 "There are bytes behind the stream's end");
	}
	message->kind = ROWSER_ARROW_MESSAGE_NONE;
	if (!rowser_arrow_file_seek(reader, &kind))
		return false;
	if (kind == ROWSER_ARROW_MESSAGE_NONE)
		return true;
	if (!read_message(reader, message))
		return false;
	return message->kind == kind ||
		fail(reader, reader->next, "A message is not what the footer says");
}

bool
rowser_arrow_next(RowserArrowReader *reader, RowserArrowReadBatch *batch)
{
	RowserArrowMessage message;

	memset(batch, 0, sizeof(*batch));
	if (!next_message(reader, &message))
		return false;
	switch (message.kind)
	{
		case ROWSER_ARROW_MESSAGE_NONE:
			batch->kind = ROWSER_ARROW_BATCH_END;
			return true;
		case ROWSER_ARROW_MESSAGE_DICTIONARY_BATCH:
			return read_dictionary(reader, &message, batch);
		case ROWSER_ARROW_MESSAGE_RECORD_BATCH:
			batch->kind = ROWSER_ARROW_BATCH_ROWS;
			return rowser_arrow_arrays_read(reader, &message, &message.header,
											reader->fields, reader->nfields,
											false, batch);
		case ROWSER_ARROW_MESSAGE_SCHEMA:
			return fail(reader, message.buffer.place,
						"The stream has a second schema");
		default:
			return rowser_arrow_fail(reader, message.buffer.place,
									 ROWSER_FAULT_UNSUPPORTED,
									 "A message is neither a record batch nor a dictionary");
	}
}
