/*-------------------------------------------------------------------------
 *
 * arrow_write.c
 *	  Writing an Arrow IPC stream, message by message.
 *
 * Sources: Arrow Columnar Format, sections "Serialization and Interprocess
 * Communication (IPC)" and below; Schema.fbs and Message.fbs, whose tables and
 * fields the functions here name.
 *
 * A message is a prefix, its metadata and perhaps a body.  The metadata says
 * where in the body each buffer is, which for compressed ones is not known
 * before, so the places are filled in once the body is written behind it.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_write.h"
#include "bytes/compress.h"
#include "bytes/flatbuffer_write.h"
#include "bytes/lz4_frame.h"
#include "bytes/memory.h"

#ifdef ROWSER_WITH_ZSTD
#include <zstd.h>

#include "bytes/zstd.h"
#endif

/* Fields of the tables, by their numbers in the schema files */
#define MESSAGE_VERSION			0
#define MESSAGE_HEADER_TYPE		1
#define MESSAGE_HEADER			2
#define MESSAGE_BODY_LENGTH		3

#define SCHEMA_ENDIANNESS		0
#define SCHEMA_FIELDS			1

#define FIELD_NAME				0
#define FIELD_NULLABLE			1
#define FIELD_TYPE_TYPE			2
#define FIELD_TYPE				3
#define FIELD_DICTIONARY		4
#define FIELD_CHILDREN			5
#define FIELD_METADATA			6

#define ENCODING_ID				0
#define ENCODING_INDEX_TYPE		1
#define ENCODING_IS_ORDERED		2

#define BATCH_LENGTH			0
#define BATCH_NODES				1
#define BATCH_BUFFERS			2
#define BATCH_COMPRESSION		3

#define DICTIONARY_ID			0
#define DICTIONARY_DATA			1

/* Bytes of struct FieldNode and struct Buffer, whose longs are aligned */
#define PAIR_SIZE				16
#define PAIR_ALIGNMENT			8

/* A buffer of fewer bytes than this does not get smaller. */
#define MIN_COMPRESSED_SIZE		64

/* ----------------------------------------------------------------
 *		Messages
 * ----------------------------------------------------------------
 */

/* A message that is being written */
typedef struct Message
{
	RowserArrowStream *stream;
	RowserFlatbuffer metadata;
	size_t		start;			/* of the prefix; a position in the buffer */
	size_t		header;			/* the reference to what the message is */
	size_t		body_length;	/* where that goes */
} Message;

/* Put numbers where zeros are; past the buffer's limit there is nothing. */
static void
put_u32(RowserBuffer *buffer, size_t position, uint32 value)
{
	if (!buffer->overflowed)
		rowser_store_u32(buffer->bytes + position, value);
}

static void
put_u64(RowserBuffer *buffer, size_t position, uint64 value)
{
	if (!buffer->overflowed)
		rowser_store_u64(buffer->bytes + position, value);
}

/* Pad the stream to a multiple of what buffers are aligned to. */
static void
pad(RowserArrowStream *stream)
{
	size_t		rest = (stream->buffer->size - stream->start) %
	ROWSER_ARROW_BUFFER_ALIGNMENT;

	if (rest > 0)
		rowser_buffer_zeros(stream->buffer,
							ROWSER_ARROW_BUFFER_ALIGNMENT - rest);
}

static void
begin_message(Message *message, RowserArrowStream *stream,
			  RowserArrowMessageKind kind)
{
	RowserFlatbufferTable table = {0};
	size_t		root;

	message->stream = stream;
	message->start = stream->buffer->size;
	rowser_buffer_u32(stream->buffer, ROWSER_ARROW_CONTINUATION);
	rowser_buffer_u32(stream->buffer, 0);
	root = rowser_flatbuffer_begin(&message->metadata, stream->buffer);
	rowser_flatbuffer_set(&table, MESSAGE_VERSION, 2,
						  ROWSER_ARROW_VERSION_V5);
	rowser_flatbuffer_set(&table, MESSAGE_HEADER_TYPE, 1, kind);
	rowser_flatbuffer_set_reference(&table, MESSAGE_HEADER);
	rowser_flatbuffer_set(&table, MESSAGE_BODY_LENGTH, 8, 0);
	rowser_flatbuffer_table(&message->metadata, root, &table);
	message->header = table.positions[MESSAGE_HEADER];
	message->body_length = table.positions[MESSAGE_BODY_LENGTH];
}

/* The metadata is written: say how large it is.  The body comes next. */
static void
finish_metadata(Message *message)
{
	RowserBuffer *buffer = message->stream->buffer;

	pad(message->stream);
	put_u32(buffer, message->start + sizeof(uint32),
			(uint32) (buffer->size - message->start -
					  ROWSER_ARROW_PREFIX_SIZE));
}

void
rowser_arrow_write_begin(RowserArrowStream *stream, RowserBuffer *buffer,
						 RowserArrowCodec codec)
{
	stream->buffer = buffer;
	stream->start = buffer->size;
	stream->codec = codec;
}

void
rowser_arrow_write_end(RowserArrowStream *stream)
{
	rowser_buffer_u32(stream->buffer, ROWSER_ARROW_CONTINUATION);
	rowser_buffer_u32(stream->buffer, 0);
}

/* ----------------------------------------------------------------
 *		The schema
 * ----------------------------------------------------------------
 */

/* Write a table of integers' parameters. */
static void
write_int(RowserFlatbuffer *metadata, size_t reference, int32 width,
		  bool is_signed)
{
	RowserFlatbufferTable table = {0};

	rowser_flatbuffer_set(&table, 0, 4, (uint32) width);
	rowser_flatbuffer_set(&table, 1, 1, is_signed);
	rowser_flatbuffer_table(metadata, reference, &table);
}

/* Write the table of a type of the union Type. */
static void
write_type(RowserFlatbuffer *metadata, size_t reference,
		   const RowserArrowField *field)
{
	RowserFlatbufferTable table = {0};

	switch (field->type)
	{
		case ROWSER_ARROW_INT:
			write_int(metadata, reference, field->width, field->is_signed);
			return;
		case ROWSER_ARROW_DECIMAL:
			rowser_flatbuffer_set(&table, 0, 4, (uint32) field->precision);
			rowser_flatbuffer_set(&table, 1, 4, (uint32) field->scale);
			rowser_flatbuffer_set(&table, 2, 4, (uint32) field->width);
			break;
		case ROWSER_ARROW_TIME:
			rowser_flatbuffer_set(&table, 0, 2, (uint16) field->unit);
			rowser_flatbuffer_set(&table, 1, 4, (uint32) field->width);
			break;
		case ROWSER_ARROW_FLOATING_POINT:
		case ROWSER_ARROW_DATE:
		case ROWSER_ARROW_INTERVAL:
		case ROWSER_ARROW_DURATION:
			rowser_flatbuffer_set(&table, 0, 2, (uint16) field->unit);
			break;
		case ROWSER_ARROW_TIMESTAMP:
			rowser_flatbuffer_set(&table, 0, 2, (uint16) field->unit);
			if (field->timezone.size > 0)
				rowser_flatbuffer_set_reference(&table, 1);
			break;
		case ROWSER_ARROW_FIXED_SIZE_BINARY:
		case ROWSER_ARROW_FIXED_SIZE_LIST:
			rowser_flatbuffer_set(&table, 0, 4, (uint32) field->width);
			break;
		default:
			break;
	}
	rowser_flatbuffer_table(metadata, reference, &table);
	if (field->type == ROWSER_ARROW_TIMESTAMP && field->timezone.size > 0)
		rowser_flatbuffer_string(metadata, table.positions[1],
								 field->timezone.bytes, field->timezone.size);
}

static void
write_dictionary_encoding(RowserFlatbuffer *metadata, size_t reference,
						  const RowserArrowField *field)
{
	RowserFlatbufferTable table = {0};

	rowser_flatbuffer_set(&table, ENCODING_ID, 8,
						  (uint64) field->dictionary_id);
	rowser_flatbuffer_set_reference(&table, ENCODING_INDEX_TYPE);
	rowser_flatbuffer_set(&table, ENCODING_IS_ORDERED, 1, field->is_ordered);
	rowser_flatbuffer_table(metadata, reference, &table);
	write_int(metadata, table.positions[ENCODING_INDEX_TYPE],
			  field->index_width, field->index_is_signed);
}

static void
write_metadata(RowserFlatbuffer *metadata, size_t reference,
			   const RowserArrowField *field)
{
	size_t		next = rowser_flatbuffer_references(metadata, reference,
													field->nmetadata);

	for (uint32 i = 0; i < field->nmetadata; i++)
	{
		const RowserArrowKeyValue *pair = &field->metadata[i];
		RowserFlatbufferTable table = {0};

		rowser_flatbuffer_set_reference(&table, 0);
		rowser_flatbuffer_set_reference(&table, 1);
		rowser_flatbuffer_table(metadata, next, &table);
		rowser_flatbuffer_string(metadata, table.positions[0],
								 pair->key.bytes, pair->key.size);
		rowser_flatbuffer_string(metadata, table.positions[1],
								 pair->value.bytes, pair->value.size);
		next += ROWSER_FLATBUFFER_REFERENCE_SIZE;
	}
}

static void write_fields(RowserFlatbuffer *metadata, size_t reference,
						 const RowserArrowField *fields, uint32 nfields);

static void
write_field(RowserFlatbuffer *metadata, size_t reference,
			const RowserArrowField *field)
{
	RowserFlatbufferTable table = {0};

	rowser_flatbuffer_set_reference(&table, FIELD_NAME);
	rowser_flatbuffer_set(&table, FIELD_NULLABLE, 1, field->is_nullable);
	rowser_flatbuffer_set(&table, FIELD_TYPE_TYPE, 1, field->type);
	rowser_flatbuffer_set_reference(&table, FIELD_TYPE);
	if (field->has_dictionary)
		rowser_flatbuffer_set_reference(&table, FIELD_DICTIONARY);
	rowser_flatbuffer_set_reference(&table, FIELD_CHILDREN);
	if (field->nmetadata > 0)
		rowser_flatbuffer_set_reference(&table, FIELD_METADATA);
	rowser_flatbuffer_table(metadata, reference, &table);

	rowser_flatbuffer_string(metadata, table.positions[FIELD_NAME],
							 field->name.bytes, field->name.size);
	write_type(metadata, table.positions[FIELD_TYPE], field);
	if (field->has_dictionary)
		write_dictionary_encoding(metadata,
								  table.positions[FIELD_DICTIONARY], field);
	if (field->nmetadata > 0)
		write_metadata(metadata, table.positions[FIELD_METADATA], field);
	/* some readers want the vector even where it is empty */
	write_fields(metadata, table.positions[FIELD_CHILDREN], field->children,
				 field->nchildren);
}

/* Write a vector of fields. */
static void
write_fields(RowserFlatbuffer *metadata, size_t reference,
			 const RowserArrowField *fields, uint32 nfields)
{
	size_t		next = rowser_flatbuffer_references(metadata, reference,
													nfields);

	for (uint32 i = 0; i < nfields; i++)
	{
		write_field(metadata, next, &fields[i]);
		next += ROWSER_FLATBUFFER_REFERENCE_SIZE;
	}
}

void
rowser_arrow_write_schema(RowserArrowStream *stream,
						  const RowserArrowField *fields, uint32 nfields)
{
	Message		message;
	RowserFlatbufferTable table = {0};

	begin_message(&message, stream, ROWSER_ARROW_MESSAGE_SCHEMA);
	rowser_flatbuffer_set(&table, SCHEMA_ENDIANNESS, 2,
						  ROWSER_ARROW_LITTLE_ENDIAN);
	rowser_flatbuffer_set_reference(&table, SCHEMA_FIELDS);
	rowser_flatbuffer_table(&message.metadata, message.header, &table);
	write_fields(&message.metadata, table.positions[SCHEMA_FIELDS], fields,
				 nfields);
	finish_metadata(&message);
}

/* ----------------------------------------------------------------
 *		Batches
 * ----------------------------------------------------------------
 */

bool
rowser_arrow_codec_is_built(RowserArrowCodec codec)
{
	switch (codec)
	{
		case ROWSER_ARROW_CODEC_NONE:
			return true;
		case ROWSER_ARROW_CODEC_LZ4_FRAME:
			return rowser_method_is_built(ROWSER_METHOD_LZ4);
		case ROWSER_ARROW_CODEC_ZSTD:
			return rowser_method_is_built(ROWSER_METHOD_ZSTD);
	}
	return false;
}

const char *
rowser_arrow_codec_name(RowserArrowCodec codec)
{
	switch (codec)
	{
		case ROWSER_ARROW_CODEC_NONE:
			return "none";
		case ROWSER_ARROW_CODEC_LZ4_FRAME:
			return "lz4";
		case ROWSER_ARROW_CODEC_ZSTD:
			return "zstd";
	}
	return NULL;
}

/* The most bytes that a codec makes of `size` bytes, or is let make of them */
static size_t
compress_capacity(RowserArrowCodec codec, size_t size)
{
#ifdef ROWSER_WITH_LZ4
	if (codec == ROWSER_ARROW_CODEC_LZ4_FRAME)
		return rowser_lz4_frame_bound(size);
#endif
	return size;
}

/* Returns how many bytes it took, 0 if they don't fit. */
static size_t
compress(RowserArrowCodec codec, const uint8 *from, size_t size, uint8 *to)
{
	switch (codec)
	{
		case ROWSER_ARROW_CODEC_NONE:
			break;
		case ROWSER_ARROW_CODEC_LZ4_FRAME:
#ifdef ROWSER_WITH_LZ4
			return rowser_lz4_frame_compress(from, size, to);
#else
			break;
#endif
		case ROWSER_ARROW_CODEC_ZSTD:
#ifdef ROWSER_WITH_ZSTD
			return rowser_zstd_compress(ZSTD_CLEVEL_DEFAULT, from, size, to,
										size);
#else
			break;
#endif
	}
	return 0;
}

/*
 * Append a buffer to the body as Message.fbs, table BodyCompression, says: its
 * raw size and then one compressed frame; or, where that would not be smaller,
 * -1 and the bytes as they are.  An empty one stays empty.
 */
static void
append_compressed(RowserArrowStream *stream, const RowserArrowBytes *bytes)
{
	RowserBuffer *buffer = stream->buffer;
	size_t		stored = bytes->size;

	if (bytes->size == 0 ||
		!rowser_buffer_reserve(buffer, ROWSER_ARROW_RAW_SIZE_SIZE +
							   compress_capacity(stream->codec,
												 bytes->size)))
		return;
	if (bytes->size >= MIN_COMPRESSED_SIZE)
		stored = compress(stream->codec, bytes->bytes, bytes->size,
						  buffer->bytes + buffer->size +
						  ROWSER_ARROW_RAW_SIZE_SIZE);
	if (stored == 0 || stored >= bytes->size)
	{
		rowser_buffer_u64(buffer, (uint64) ROWSER_ARROW_NOT_COMPRESSED);
		rowser_buffer_bytes(buffer, bytes->bytes, bytes->size);
		return;
	}
	rowser_buffer_u64(buffer, bytes->size);
	buffer->size += stored;
}

/*
 * Write the body; `places` is where struct Buffer of each buffer goes, which has
 * the place in the body and the size without padding.
 */
static void
write_body(Message *message, const RowserArrowBatch *batch, size_t places)
{
	RowserArrowStream *stream = message->stream;
	RowserBuffer *buffer = stream->buffer;
	size_t		start = buffer->size;

	for (uint32 i = 0; i < batch->nbuffers; i++)
	{
		size_t		from = buffer->size;

		rowser_memory_interrupt();
		if (stream->codec == ROWSER_ARROW_CODEC_NONE)
			rowser_buffer_bytes(buffer, batch->buffers[i].bytes,
								batch->buffers[i].size);
		else
			append_compressed(stream, &batch->buffers[i]);
		put_u64(buffer, places, from - start);
		put_u64(buffer, places + sizeof(uint64), buffer->size - from);
		places += PAIR_SIZE;
		pad(stream);
	}
	put_u64(buffer, message->body_length, buffer->size - start);
}

/* Write the table RecordBatch; returns where the first struct Buffer goes. */
static size_t
write_batch_table(Message *message, size_t reference,
				  const RowserArrowBatch *batch)
{
	RowserFlatbuffer *metadata = &message->metadata;
	RowserBuffer *buffer = message->stream->buffer;
	RowserArrowCodec codec = message->stream->codec;
	RowserFlatbufferTable table = {0};
	size_t		places;

	rowser_flatbuffer_set(&table, BATCH_LENGTH, 8, batch->length);
	rowser_flatbuffer_set_reference(&table, BATCH_NODES);
	rowser_flatbuffer_set_reference(&table, BATCH_BUFFERS);
	if (codec != ROWSER_ARROW_CODEC_NONE)
		rowser_flatbuffer_set_reference(&table, BATCH_COMPRESSION);
	rowser_flatbuffer_table(metadata, reference, &table);
	if (codec != ROWSER_ARROW_CODEC_NONE)
	{
		RowserFlatbufferTable compression = {0};

		rowser_flatbuffer_set(&compression, 0, 1, codec);
		rowser_flatbuffer_table(metadata, table.positions[BATCH_COMPRESSION],
								&compression);
	}

	rowser_flatbuffer_vector(metadata, table.positions[BATCH_NODES],
							 batch->nnodes, PAIR_ALIGNMENT);
	for (uint32 i = 0; i < batch->nnodes; i++)
	{
		rowser_buffer_u64(buffer, batch->nodes[i].length);
		rowser_buffer_u64(buffer, batch->nodes[i].null_count);
	}
	rowser_flatbuffer_vector(metadata, table.positions[BATCH_BUFFERS],
							 batch->nbuffers, PAIR_ALIGNMENT);
	places = buffer->size;
	rowser_buffer_zeros(buffer, (size_t) batch->nbuffers * PAIR_SIZE);
	return places;
}

void
rowser_arrow_write_dictionary(RowserArrowStream *stream, int64 id,
							  const RowserArrowBatch *values)
{
	Message		message;
	RowserFlatbufferTable table = {0};
	size_t		places;

	begin_message(&message, stream, ROWSER_ARROW_MESSAGE_DICTIONARY_BATCH);
	rowser_flatbuffer_set(&table, DICTIONARY_ID, 8, (uint64) id);
	rowser_flatbuffer_set_reference(&table, DICTIONARY_DATA);
	rowser_flatbuffer_table(&message.metadata, message.header, &table);
	places = write_batch_table(&message, table.positions[DICTIONARY_DATA],
							   values);
	finish_metadata(&message);
	write_body(&message, values, places);
}

void
rowser_arrow_write_batch(RowserArrowStream *stream,
						 const RowserArrowBatch *batch)
{
	Message		message;
	size_t		places;

	begin_message(&message, stream, ROWSER_ARROW_MESSAGE_RECORD_BATCH);
	places = write_batch_table(&message, message.header, batch);
	finish_metadata(&message);
	write_body(&message, batch, places);
}
