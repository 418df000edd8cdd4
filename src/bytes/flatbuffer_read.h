/*-------------------------------------------------------------------------
 *
 * flatbuffer_read.h
 *	  Verified access to a FlatBuffer, in which Arrow's messages say what they
 *	  are.
 *
 * The source is the FlatBuffers documentation, "FlatBuffers internals": offsets
 * to tables, vectors and strings are uint32s that count from where they stand; a
 * table begins with an int32 that leads back to its vtable, whose uint16s
 * are its size, the table's, and each field's place in the table, or 0.
 *
 * Nothing is verified as a whole.  Each thing is checked when it is asked for,
 * so that what is never asked for may be anything, and no alignment is
 * assumed.  Offsets lead forwards, but many may lead to one thing: whoever
 * follows them bounds how many he follows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_FLATBUFFER_READ_H
#define ROWSER_BYTES_FLATBUFFER_READ_H

#include "bytes/cursor.h"

/* A FlatBuffer inside of a stream */
typedef struct RowserFlatBuffer
{
	const uint8 *bytes;			/* borrowed */
	uint32		size;
	uint64		place;			/* of its first byte, for faults */
	RowserFault *fault;			/* borrowed */
} RowserFlatBuffer;

/* A table whose vtable is inside of the buffer, and it, too */
typedef struct RowserFlatTable
{
	const RowserFlatBuffer *buffer; /* borrowed */
	uint32		offset;			/* of the table */
	uint32		size;			/* of its part that has a fixed size */
	uint32		vtable;			/* offset of its vtable's first field */
	uint32		nfields;		/* in the vtable */
} RowserFlatTable;

/* A vector whose elements are inside of the buffer */
typedef struct RowserFlatVector
{
	const RowserFlatBuffer *buffer; /* borrowed */
	uint32		offset;			/* of its first element */
	uint32		count;
} RowserFlatVector;

/*
 * Each of these returns false and fills the buffer's fault for what is not as
 * it should be.  `field` is a field's number, counted from 0 as the schema
 * declares them.
 */

/* The table that the buffer is about */
extern bool rowser_flat_root(const RowserFlatBuffer *buffer,
							 RowserFlatTable *table);

/*
 * A number of `width` bytes, 1 to 8, extended by its sign; without one, *value
 * stays as it is.
 */
extern bool rowser_flat_integer(const RowserFlatTable *table, uint32 field,
								uint32 width, int64 *value);

/* Another table, or a vector's; *present tells whether there is one. */
extern bool rowser_flat_table(const RowserFlatTable *table, uint32 field,
							  RowserFlatTable *child, bool *present);
extern bool rowser_flat_vector_table(const RowserFlatVector *vector, uint32 i,
									 RowserFlatTable *child);

/* A string, which is empty when there is none.  It is borrowed. */
extern bool rowser_flat_string(const RowserFlatTable *table, uint32 field,
							   RowserString *string);

/*
 * A vector of elements of `width` bytes, 4 for tables; it has none when there
 * is none.
 */
extern bool rowser_flat_vector(const RowserFlatTable *table, uint32 field,
							   uint32 width, RowserFlatVector *vector);

/* An element's bytes, given the same width */
static inline const uint8 *
rowser_flat_element(const RowserFlatVector *vector, uint32 i, uint32 width)
{
	return vector->buffer->bytes + vector->offset + (size_t) i * width;
}

/* Note a fault at an offset in the buffer; always returns false. */
extern bool rowser_flat_fail(const RowserFlatBuffer *buffer, uint32 offset,
							 RowserFaultKind kind, const char *what);

#endif							/* ROWSER_BYTES_FLATBUFFER_READ_H */
