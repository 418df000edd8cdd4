/*-------------------------------------------------------------------------
 *
 * flatbuffer_write.c
 *	  FlatBuffers from front to back, as far as Arrow's metadata needs them.
 *
 * As in "FlatBuffers Internals": a table begins with the distance to its
 * vtable, which says how large both are and where in the table each field is.
 * Each table gets a vtable of its own, in front of it.  Everything is aligned
 * to its size, counted from the FlatBuffer's beginning.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/flatbuffer_write.h"

/* A vtable's size and its table's, in front of the fields' offsets */
#define VTABLE_HEADER_SIZE	4

/* The distance to the vtable, in front of the fields */
#define TABLE_HEADER_SIZE	4

/* ----------------------------------------------------------------
 *		Places
 * ----------------------------------------------------------------
 */

/* Bytes that are missing from `offset` to the next multiple of `alignment` */
static inline size_t
padding(size_t offset, size_t alignment)
{
	return (alignment - offset % alignment) % alignment;
}

/*
 * Pad so that what is `ahead` bytes behind the end of the buffer is aligned.
 */
static void
align(RowserFlatbuffer *flatbuffer, size_t ahead, size_t alignment)
{
	size_t		offset = flatbuffer->buffer->size - flatbuffer->start;

	rowser_buffer_zeros(flatbuffer->buffer,
						padding(offset + ahead, alignment));
}

/*
 * Put a number where there are zeros; past the buffer's limit there is
 * nothing.
 */
static void
put_u32(RowserFlatbuffer *flatbuffer, size_t position, uint32 value)
{
	uint8	   *to = flatbuffer->buffer->bytes + position;

	if (flatbuffer->buffer->overflowed)
		return;
	for (int i = 0; i < 4; i++)
		to[i] = (uint8) (value >> (8 * i));
}

/* Have a reference refer to what comes next. */
static void
refer(RowserFlatbuffer *flatbuffer, size_t reference)
{
	put_u32(flatbuffer, reference,
			(uint32) (flatbuffer->buffer->size - reference));
}

size_t
rowser_flatbuffer_begin(RowserFlatbuffer *flatbuffer, RowserBuffer *buffer)
{
	flatbuffer->buffer = buffer;
	flatbuffer->start = buffer->size;
	rowser_buffer_u32(buffer, 0);
	return flatbuffer->start;
}

/* ----------------------------------------------------------------
 *		Tables
 * ----------------------------------------------------------------
 */

void
rowser_flatbuffer_set(RowserFlatbufferTable *table, int field, uint8 size,
					  uint64 value)
{
	Assert(field < ROWSER_FLATBUFFER_MAX_FIELDS);
	Assert(size == 1 || size == 2 || size == 4 || size == 8);
	table->sizes[field] = size;
	table->values[field] = value;
}

void
rowser_flatbuffer_set_reference(RowserFlatbufferTable *table, int field)
{
	rowser_flatbuffer_set(table, field, ROWSER_FLATBUFFER_REFERENCE_SIZE, 0);
}

/*
 * Lay a table's fields out, the largest first, so that none but the first
 * needs padding; their offsets in the table are then in `offsets`, 0 for those
 * that are not set.  Returns the table's size.
 */
static uint16
lay_out(const RowserFlatbufferTable *table, uint16 *offsets)
{
	uint16		size = TABLE_HEADER_SIZE;

	for (int width = 8; width > 0; width /= 2)
	{
		for (int i = 0; i < ROWSER_FLATBUFFER_MAX_FIELDS; i++)
		{
			if (table->sizes[i] != width)
				continue;
			offsets[i] = size;
			size += width;
		}
	}
	return size;
}

/* Append a number of 1, 2, 4 or 8 bytes. */
static void
append_number(RowserBuffer *buffer, uint8 size, uint64 value)
{
	for (uint8 i = 0; i < size; i++)
		rowser_buffer_u8(buffer, (uint8) (value >> (8 * i)));
}

/* Append the fields of one width, noting where each is. */
static void
append_fields(RowserBuffer *buffer, RowserFlatbufferTable *table, uint8 width)
{
	for (int i = 0; i < ROWSER_FLATBUFFER_MAX_FIELDS; i++)
	{
		if (table->sizes[i] != width)
			continue;
		table->positions[i] = buffer->size;
		append_number(buffer, width, table->values[i]);
	}
}

void
rowser_flatbuffer_table(RowserFlatbuffer *flatbuffer, size_t reference,
						RowserFlatbufferTable *table)
{
	RowserBuffer *buffer = flatbuffer->buffer;
	uint16		offsets[ROWSER_FLATBUFFER_MAX_FIELDS] = {0};
	uint16		size = lay_out(table, offsets);
	uint16		vtable_size = VTABLE_HEADER_SIZE;

	for (int i = 0; i < ROWSER_FLATBUFFER_MAX_FIELDS; i++)
	{
		if (offsets[i] != 0)
			vtable_size = VTABLE_HEADER_SIZE + (i + 1) * sizeof(uint16);
	}
	/* the first field, which is the largest, stands at a multiple of 8 */
	align(flatbuffer, vtable_size + TABLE_HEADER_SIZE, 8);
	rowser_buffer_u16(buffer, vtable_size);
	rowser_buffer_u16(buffer, size);
	for (int i = 0; i < (vtable_size - VTABLE_HEADER_SIZE) / 2; i++)
		rowser_buffer_u16(buffer, offsets[i]);
	refer(flatbuffer, reference);
	rowser_buffer_u32(buffer, vtable_size);
	for (uint8 width = 8; width > 0; width /= 2)
		append_fields(buffer, table, width);
}

/* ----------------------------------------------------------------
 *		Vectors
 * ----------------------------------------------------------------
 */

void
rowser_flatbuffer_vector(RowserFlatbuffer *flatbuffer, size_t reference,
						 uint32 length, size_t alignment)
{
	align(flatbuffer, sizeof(uint32), Max(alignment, sizeof(uint32)));
	refer(flatbuffer, reference);
	rowser_buffer_u32(flatbuffer->buffer, length);
}

size_t
rowser_flatbuffer_references(RowserFlatbuffer *flatbuffer, size_t reference,
							 uint32 length)
{
	size_t		first;

	rowser_flatbuffer_vector(flatbuffer, reference, length,
							 ROWSER_FLATBUFFER_REFERENCE_SIZE);
	first = flatbuffer->buffer->size;
	rowser_buffer_zeros(flatbuffer->buffer,
						(size_t) length * ROWSER_FLATBUFFER_REFERENCE_SIZE);
	return first;
}

void
rowser_flatbuffer_string(RowserFlatbuffer *flatbuffer, size_t reference,
						 const void *bytes, uint32 size)
{
	rowser_flatbuffer_vector(flatbuffer, reference, size, 1);
	rowser_buffer_bytes(flatbuffer->buffer, bytes, size);
	rowser_buffer_u8(flatbuffer->buffer, 0);
}
