/*-------------------------------------------------------------------------
 *
 * flatbuffer_read.c
 *	  Verified access to a FlatBuffer, in which Arrow's messages say what they
 *	  are.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/flatbuffer_read.h"

/* Sizes of what offsets and counts are written as */
#define OFFSET_SIZE		4
#define VTABLE_ENTRY	2
#define VTABLE_HEADER	(2 * VTABLE_ENTRY)

bool
rowser_flat_fail(const RowserFlatBuffer *buffer, uint32 offset,
				 RowserFaultKind kind, const char *what)
{
	buffer->fault->kind = kind;
	buffer->fault->what = what;
	buffer->fault->offset = buffer->place + Min(offset, buffer->size);
	return false;
}

static bool
fail(const RowserFlatBuffer *buffer, uint32 offset, const char *what)
{
	return rowser_flat_fail(buffer, offset, ROWSER_FAULT_INVALID, what);
}

/* Whether `size` bytes at an offset are in the buffer */
static inline bool
is_inside(const RowserFlatBuffer *buffer, uint32 offset, uint64 size)
{
	return offset <= buffer->size && size <= buffer->size - offset;
}

/*
 * Follow the offset that stands at `at`, inside of the buffer, to something of
 * at least `size` bytes.
 */
static bool
follow(const RowserFlatBuffer *buffer, uint32 at, uint32 size, uint32 *to)
{
	uint32		distance = rowser_load_u32(buffer->bytes + at);

	if (distance < OFFSET_SIZE || distance > buffer->size - at ||
		!is_inside(buffer, at + distance, size))
		return fail(buffer, at, "An offset leads out of its message");
	*to = at + distance;
	return true;
}

/* Check a table and its vtable. */
static bool
open_table(const RowserFlatBuffer *buffer, uint32 offset,
		   RowserFlatTable *table)
{
	int64		vtable;
	uint16		vtable_size;

	/* follow() has seen that this is there */
	vtable = (int64) offset -
		(int32) rowser_load_u32(buffer->bytes + offset);
	if (vtable < 0 || vtable > buffer->size ||
		!is_inside(buffer, (uint32) vtable, VTABLE_HEADER))
		return fail(buffer, offset, "A table's vtable is not in its message");
	vtable_size = rowser_load_u16(buffer->bytes + vtable);
	table->size = rowser_load_u16(buffer->bytes + vtable + VTABLE_ENTRY);
	if (vtable_size < VTABLE_HEADER || vtable_size % VTABLE_ENTRY != 0 ||
		!is_inside(buffer, (uint32) vtable, vtable_size))
		return fail(buffer, (uint32) vtable,
					"A vtable's size is impossible");
	if (table->size < OFFSET_SIZE || !is_inside(buffer, offset, table->size))
		return fail(buffer, offset, "A table's size is impossible");
	table->buffer = buffer;
	table->offset = offset;
	table->vtable = (uint32) vtable + VTABLE_HEADER;
	table->nfields = (vtable_size - VTABLE_HEADER) / VTABLE_ENTRY;
	return true;
}

/*
 * Find a field of `width` bytes; *offset is 0, where no field can be, when the
 * table hasn't got it.
 */
static bool
find_field(const RowserFlatTable *table, uint32 field, uint32 width,
		   uint32 *offset)
{
	uint32		place;

	*offset = 0;
	if (field >= table->nfields)
		return true;
	place = rowser_load_u16(table->buffer->bytes + table->vtable +
							field * VTABLE_ENTRY);
	if (place == 0)
		return true;
	if (place < OFFSET_SIZE || place > table->size ||
		width > table->size - place)
		return fail(table->buffer, table->vtable + field * VTABLE_ENTRY,
					"A field is not in its table");
	*offset = table->offset + place;
	return true;
}

bool
rowser_flat_root(const RowserFlatBuffer *buffer, RowserFlatTable *table)
{
	uint32		offset = 0;

	if (buffer->size < OFFSET_SIZE)
		return fail(buffer, 0, "A message is too short");
	return follow(buffer, 0, OFFSET_SIZE, &offset) &&
		open_table(buffer, offset, table);
}

bool
rowser_flat_integer(const RowserFlatTable *table, uint32 field, uint32 width,
					int64 *value)
{
	uint32		offset = 0;
	const uint8 *bytes;

	if (!find_field(table, field, width, &offset))
		return false;
	if (offset == 0)
		return true;
	bytes = table->buffer->bytes + offset;
	switch (width)
	{
		case 1:
			*value = (int8) *bytes;
			break;
		case 2:
			*value = (int16) rowser_load_u16(bytes);
			break;
		case 4:
			*value = (int32) rowser_load_u32(bytes);
			break;
		default:
			Assert(width == 8);
			*value = (int64) rowser_load_u64(bytes);
			break;
	}
	return true;
}

bool
rowser_flat_table(const RowserFlatTable *table, uint32 field,
				  RowserFlatTable *child, bool *present)
{
	uint32		at;
	uint32		offset = 0;

	if (!find_field(table, field, OFFSET_SIZE, &at))
		return false;
	*present = at != 0;
	if (at == 0)
		return true;
	return follow(table->buffer, at, OFFSET_SIZE, &offset) &&
		open_table(table->buffer, offset, child);
}

bool
rowser_flat_vector_table(const RowserFlatVector *vector, uint32 i,
						 RowserFlatTable *child)
{
	uint32		offset = 0;

	return follow(vector->buffer, vector->offset + i * OFFSET_SIZE,
				  OFFSET_SIZE, &offset) &&
		open_table(vector->buffer, offset, child);
}

bool
rowser_flat_vector(const RowserFlatTable *table, uint32 field, uint32 width,
				   RowserFlatVector *vector)
{
	const RowserFlatBuffer *buffer = table->buffer;
	uint32		at;
	uint32		offset = 0;

	vector->buffer = buffer;
	vector->offset = 0;
	vector->count = 0;
	if (!find_field(table, field, OFFSET_SIZE, &at))
		return false;
	if (at == 0)
		return true;
	if (!follow(buffer, at, OFFSET_SIZE, &offset))
		return false;
	vector->count = rowser_load_u32(buffer->bytes + offset);
	vector->offset = offset + OFFSET_SIZE;
	if (!is_inside(buffer, vector->offset, (uint64) vector->count * width))
		return fail(buffer, offset,
					"A vector has more elements than its message");
	return true;
}

bool
rowser_flat_string(const RowserFlatTable *table, uint32 field,
				   RowserString *string)
{
	RowserFlatVector characters;

	if (!rowser_flat_vector(table, field, 1, &characters))
		return false;
	string->bytes = rowser_flat_element(&characters, 0, 1);
	string->size = characters.count;
	return true;
}
