/*-------------------------------------------------------------------------
 *
 * arrow_write.h
 *	  Writing an Arrow IPC stream, message by message.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_ARROW_WRITE_H
#define ROWSER_BYTES_ARROW_WRITE_H

#include "bytes/arrow.h"
#include "bytes/buffer.h"

/*
 * A stream that is being written.  Going past its buffer's limit sets
 * buffer->overflowed, which the owner must look at.
 */
typedef struct RowserArrowStream
{
	RowserBuffer *buffer;		/* borrowed; may hold something before it */
	size_t		start;			/* where the stream begins in the buffer */
	RowserArrowCodec codec;		/* of dictionary and record batches */
} RowserArrowStream;

/* Message.fbs, struct FieldNode: a field of a batch, or one inside of it */
typedef struct RowserArrowNode
{
	uint64		length;
	uint64		null_count;
} RowserArrowNode;

typedef struct RowserArrowBytes
{
	const uint8 *bytes;			/* borrowed */
	size_t		size;
} RowserArrowBytes;

/*
 * Nodes and buffers in the order of the schema's fields, children behind
 * theirs
 */
typedef struct RowserArrowBatch
{
	uint64		length;			/* rows */
	uint32		nnodes;
	const RowserArrowNode *nodes;
	uint32		nbuffers;
	const RowserArrowBytes *buffers;
} RowserArrowBatch;

/* Begin a stream behind what a buffer holds; no messages are written yet. */
extern void rowser_arrow_write_begin(RowserArrowStream *stream,
									 RowserBuffer *buffer,
									 RowserArrowCodec codec);

/*
 * The messages, in this order: schema, dictionaries, record batches, the end
 */
extern void rowser_arrow_write_schema(RowserArrowStream *stream,
									  const RowserArrowField *fields,
									  uint32 nfields);
extern void rowser_arrow_write_dictionary(RowserArrowStream *stream, int64 id,
										  const RowserArrowBatch *values);
extern void rowser_arrow_write_batch(RowserArrowStream *stream,
									 const RowserArrowBatch *batch);
extern void rowser_arrow_write_end(RowserArrowStream *stream);

#endif							/* ROWSER_BYTES_ARROW_WRITE_H */
