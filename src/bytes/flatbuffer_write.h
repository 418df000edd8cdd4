/*-------------------------------------------------------------------------
 *
 * flatbuffer_write.h
 *	  FlatBuffers from front to back, as far as Arrow's metadata needs them.
 *
 * A table, vector or string stands behind whatever refers to it, so it is
 * written later; its place is then put where the reference was left open.
 * Whoever writes fills each reference exactly once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_FLATBUFFER_WRITE_H
#define ROWSER_BYTES_FLATBUFFER_WRITE_H

#include "bytes/buffer.h"

/* Most fields of a table that is written */
#define ROWSER_FLATBUFFER_MAX_FIELDS 8

/* A FlatBuffer that is being written; positions are those of its buffer. */
typedef struct RowserFlatbuffer
{
	RowserBuffer *buffer;		/* borrowed; may hold something before it */
	size_t		start;			/* where it begins */
} RowserFlatbuffer;

/*
 * A table before it is written: fields are set by their number in the schema
 */
typedef struct RowserFlatbufferTable
{
	uint8		sizes[ROWSER_FLATBUFFER_MAX_FIELDS];	/* 0 for one not set */
	uint64		values[ROWSER_FLATBUFFER_MAX_FIELDS];
	size_t		positions[ROWSER_FLATBUFFER_MAX_FIELDS];	/* once written */
} RowserFlatbufferTable;

/* What a field is set to: a scalar of 1, 2, 4 or 8 bytes, or a reference */
extern void rowser_flatbuffer_set(RowserFlatbufferTable *table, int field,
								  uint8 size, uint64 value);
extern void rowser_flatbuffer_set_reference(RowserFlatbufferTable *table,
											int field);

/*
 * Begin a FlatBuffer at the end of a buffer.  Returns the position of the
 * reference to the root table.
 */
extern size_t rowser_flatbuffer_begin(RowserFlatbuffer *flatbuffer,
									  RowserBuffer *buffer);

/*
 * Write a table and have the reference at a position refer to it.  The fields'
 * own positions are then in table->positions.
 */
extern void rowser_flatbuffer_table(RowserFlatbuffer *flatbuffer,
									size_t reference,
									RowserFlatbufferTable *table);

/*
 * Write a vector's length and have a reference refer to it; what follows in
 * the buffer are then its elements, which are aligned to `alignment` bytes.
 */
extern void rowser_flatbuffer_vector(RowserFlatbuffer *flatbuffer,
									 size_t reference, uint32 length,
									 size_t alignment);

/*
 * Write a vector of references and have a reference refer to it; returns the
 * position of the first one, behind which the others stand.
 */
extern size_t rowser_flatbuffer_references(RowserFlatbuffer *flatbuffer,
										   size_t reference, uint32 length);
#define ROWSER_FLATBUFFER_REFERENCE_SIZE sizeof(uint32)

extern void rowser_flatbuffer_string(RowserFlatbuffer *flatbuffer,
									 size_t reference, const void *bytes,
									 uint32 size);

#endif							/* ROWSER_BYTES_FLATBUFFER_WRITE_H */
