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

/*
 * Whether a vector's smallest and largest value are worth their bytes; see
 * section 8 of the format.
 */
extern bool rowser_bounds_are_wanted(const RowserVector *vector);

/*
 * Find the bounds of integers, of doubles, of numerics kept as integers, or of
 * values that are ordered as bytes; NULL where they are not sure or too long.
 * palloc'd.
 */
extern RowserBuffer *rowser_bounds_of_integers(int64 least, int64 greatest);
extern RowserBuffer *rowser_bounds_of_scaled(const RowserVector *vector,
											 int64 least, int64 greatest,
											 uint8 scale);
extern RowserBuffer *rowser_bounds_of_others(const RowserVector *vector);

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

/*
 * Begin a node.  `bounds` holds the smallest and the largest value as they stand
 * in the header, or is NULL.
 */
extern void rowser_encode_begin(RowserEncoder *encoder, RowserVector *vector,
								RowserEncoding encoding,
								const RowserBuffer *bounds);
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
