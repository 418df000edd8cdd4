/*-------------------------------------------------------------------------
 *
 * cursor.c
 *	  Bounds-checked reading of the primitives of rowset_format.md, section 1.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/cursor.h"

#define VARUINT_MAX_SIZE 10

void
rowser_cursor_init(RowserCursor *cursor, const void *bytes, size_t size,
				   RowserFault *fault)
{
	cursor->start = bytes;
	cursor->next = bytes;
	cursor->end = cursor->start + size;
	cursor->fault = fault;
	memset(fault, 0, sizeof(*fault));
}

bool
rowser_cursor_fail(RowserCursor *cursor, RowserFaultKind kind,
				   const char *what)
{
	cursor->fault->kind = kind;
	cursor->fault->what = what;
	cursor->fault->offset = cursor->fault->origin +
		rowser_cursor_offset(cursor);
	return false;
}

/* Note that the bytes end too early. */
static bool
fail_truncated(RowserCursor *cursor)
{
	return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
							  "The bytes end too early");
}

bool
rowser_cursor_u8(RowserCursor *cursor, uint8 *value)
{
	if (rowser_cursor_left(cursor) < 1)
		return fail_truncated(cursor);
	*value = *cursor->next++;
	return true;
}

bool
rowser_cursor_u32(RowserCursor *cursor, uint32 *value)
{
	if (rowser_cursor_left(cursor) < 4)
		return fail_truncated(cursor);
	*value = rowser_load_u32(cursor->next);
	cursor->next += 4;
	return true;
}

/*
 * Read a varuint, in its shortest form only: two ways to write a number would
 * give the same rowset two checksums.
 */
bool
rowser_cursor_varuint(RowserCursor *cursor, uint64 *value)
{
	uint64		result = 0;

	for (int i = 0; i < VARUINT_MAX_SIZE; i++)
	{
		uint8		byte;

		if (!rowser_cursor_u8(cursor, &byte))
			return false;
		if (i == VARUINT_MAX_SIZE - 1 && byte > 1)
			break;
		result |= (uint64) (byte & 0x7F) << (7 * i);
		if ((byte & 0x80) == 0)
		{
			if (byte == 0 && i > 0)
				break;
			*value = result;
			return true;
		}
	}
	return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
							  "A number is not in its shortest form");
}

bool
rowser_cursor_varint(RowserCursor *cursor, int64 *value)
{
	uint64		zigzag;

	if (!rowser_cursor_varuint(cursor, &zigzag))
		return false;
	*value = (int64) ((zigzag >> 1) ^ (~(zigzag & 1) + 1));
	return true;
}

bool
rowser_cursor_count(RowserCursor *cursor, uint64 max, uint32 *value,
					const char *what)
{
	uint64		count;

	Assert(max <= PG_UINT32_MAX);
	if (!rowser_cursor_varuint(cursor, &count))
		return false;
	if (count > max)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID, what);
	*value = (uint32) count;
	return true;
}

bool
rowser_cursor_bytes(RowserCursor *cursor, size_t size, const uint8 **bytes)
{
	if (rowser_cursor_left(cursor) < size)
		return fail_truncated(cursor);
	*bytes = cursor->next;
	cursor->next += size;
	return true;
}

bool
rowser_cursor_string(RowserCursor *cursor, RowserString *string)
{
	uint64		size;

	if (!rowser_cursor_varuint(cursor, &size))
		return false;
	if (size > rowser_cursor_left(cursor) || size > PG_INT32_MAX)
		return fail_truncated(cursor);
	string->size = (uint32) size;
	return rowser_cursor_bytes(cursor, string->size, &string->bytes);
}

bool
rowser_cursor_text(RowserCursor *cursor, RowserString *string)
{
	if (!rowser_cursor_string(cursor, string))
		return false;
	if (string->size > 0 && memchr(string->bytes, 0, string->size) != NULL)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A text holds a zero byte");
	return true;
}
