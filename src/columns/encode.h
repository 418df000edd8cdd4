/*-------------------------------------------------------------------------
 *
 * encode.h
 *	  Writing a column vector as a node of a row group.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_ENCODE_H
#define ROWSER_COLUMNS_ENCODE_H

#include "columns/vector.h"

/*
 * Append a vector's node to `nodes` and its blocks to `body`; either may
 * overflow.  The vector must be reset before it is used again.  Uses and leaves
 * memory in the current context.
 */
extern void rowser_vector_encode(RowserVector *vector,
								 RowserCompression compression,
								 RowserBuffer *nodes, RowserBuffer *body);

/* What the files that encode share: where a node goes */
typedef struct RowserEncoder
{
	RowserCompression compression;
	RowserBuffer *nodes;
	RowserBuffer *body;
	size_t		values_offset;	/* in body, where a scalar's values begin */
} RowserEncoder;

/* A place that a node's bytes may be taken back to */
typedef struct RowserEncoderMark
{
	size_t		nodes_size;
	size_t		body_size;
} RowserEncoderMark;

static inline RowserEncoderMark
rowser_encode_mark(const RowserEncoder *encoder)
{
	RowserEncoderMark mark = {encoder->nodes->size, encoder->body->size};

	return mark;
}

static inline void
rowser_encode_rewind(RowserEncoder *encoder, RowserEncoderMark mark)
{
	encoder->nodes->size = mark.nodes_size;
	encoder->body->size = mark.body_size;
}

extern void rowser_encode_begin(RowserEncoder *encoder, RowserVector *vector,
								RowserEncoding encoding);
extern void rowser_encode_counts(RowserEncoder *encoder,
								 const RowserCounts *counts, bool in_array);
extern void rowser_encode_scalar(RowserEncoder *encoder,
								 RowserVector *vector);

/*
 * Write a numeric or floating-point vector as scaled integers; false, and
 * nothing written, when its values are not such.
 */
extern bool rowser_encode_scaled(RowserEncoder *encoder,
								 RowserVector *vector);

#endif							/* ROWSER_COLUMNS_ENCODE_H */
