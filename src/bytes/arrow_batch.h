/*-------------------------------------------------------------------------
 *
 * arrow_batch.h
 *	  What the files that read a record batch share: the batch's lists of nodes
 *	  and buffers, and where reading them has come to.
 *
 * An array takes its node and then its buffers, in the order of its layout.
 * Each of these functions takes one, checks it against the array's field and
 * length, and returns false, with the reader's fault filled, for what is not
 * right.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_ARROW_BATCH_H
#define ROWSER_BYTES_ARROW_BATCH_H

#include "bytes/arrow_read.h"

/* Message.fbs, the structs FieldNode and Buffer: two int64s each */
#define ROWSER_ARROW_PAIR_SIZE	16

typedef struct RowserArrowBatchReader
{
	RowserArrowReader *reader;
	RowserFlatVector nodes;
	RowserFlatVector buffers;
	RowserFlatVector variadic_counts;
	uint32		next_node;
	uint32		next_buffer;
	uint32		next_variadic_count;
	uint64		metadata;		/* where it is in the stream, for faults */
	uint64		body;
	uint64		body_size;
	uint64		body_next;		/* behind the last buffer, in the body */
	RowserArrowCodec codec;
	uint64		raw_left;		/* bytes that may be decompressed yet */
} RowserArrowBatchReader;

/* Note a fault at a place in the stream; always returns false. */
static inline bool
rowser_arrow_batch_fail(const RowserArrowBatchReader *batch, uint64 place,
						const char *what)
{
	return rowser_arrow_fail(batch->reader, place, ROWSER_FAULT_INVALID, what);
}

/* The node: how many values and NULLs there are */
extern bool rowser_arrow_take_node(RowserArrowBatchReader *batch,
								   RowserArrowArray *array);

/* The validity bitmap, which may be left out when there are no NULLs */
extern bool rowser_arrow_take_validity(RowserArrowBatchReader *batch,
									   RowserArrowArray *array);

/* Values of a fixed width; indexes, which must be a dictionary's */
extern bool rowser_arrow_take_fixed(RowserArrowBatchReader *batch,
									RowserArrowArray *array);
extern bool rowser_arrow_take_indexes(RowserArrowBatchReader *batch,
									  RowserArrowArray *array);

/* Offsets, which must grow from 0 or more; *end is the last of them. */
extern bool rowser_arrow_take_offsets(RowserArrowBatchReader *batch,
									  RowserArrowArray *array,
									  uint8 offset_size, uint64 *end);

/* Offsets and strings; views, and the buffers that they lead into */
extern bool rowser_arrow_take_strings(RowserArrowBatchReader *batch,
									  RowserArrowArray *array);
extern bool rowser_arrow_take_views(RowserArrowBatchReader *batch,
									RowserArrowArray *array);

#endif							/* ROWSER_BYTES_ARROW_BATCH_H */
