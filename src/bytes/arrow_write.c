/*-------------------------------------------------------------------------
 *
 * arrow_write.c
 *	  Writing an Arrow IPC stream: its messages, and batches with their bodies.
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

#include "bytes/arrow_message.h"
#include "bytes/compress.h"
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

void
rowser_arrow_message_begin(RowserArrowMessage *message,
						   RowserArrowStream *stream,
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

void
rowser_arrow_message_finish_metadata(RowserArrowMessage *message)
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
 *		Batches
 * ----------------------------------------------------------------
 */

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
 * Write the body; `places` is where struct Buffer of each buffer goes, which
 * has the place in the body and the size without padding.
 */
static void
write_body(RowserArrowMessage *message, const RowserArrowBatch *batch,
		   size_t places)
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
write_batch_table(RowserArrowMessage *message, size_t reference,
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
	RowserArrowMessage message;
	RowserFlatbufferTable table = {0};
	size_t		places;

	rowser_arrow_message_begin(&message, stream,
							   ROWSER_ARROW_MESSAGE_DICTIONARY_BATCH);
	rowser_flatbuffer_set(&table, DICTIONARY_ID, 8, (uint64) id);
	rowser_flatbuffer_set_reference(&table, DICTIONARY_DATA);
	rowser_flatbuffer_table(&message.metadata, message.header, &table);
	places = write_batch_table(&message, table.positions[DICTIONARY_DATA],
							   values);
	rowser_arrow_message_finish_metadata(&message);
	write_body(&message, values, places);
}

void
rowser_arrow_write_batch(RowserArrowStream *stream,
						 const RowserArrowBatch *batch)
{
	RowserArrowMessage message;
	size_t		places;

	rowser_arrow_message_begin(&message, stream,
							   ROWSER_ARROW_MESSAGE_RECORD_BATCH);
	places = write_batch_table(&message, message.header, batch);
	rowser_arrow_message_finish_metadata(&message);
	write_body(&message, batch, places);
}
