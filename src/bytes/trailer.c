/*-------------------------------------------------------------------------
 *
 * trailer.c
 *	  The trailer with the directory of row groups (rowset_format.md,
 *	  section 5).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/checksum.h"
#include "bytes/group.h"
#include "bytes/memory.h"
#include "bytes/trailer.h"

/* Tag, number of groups, checksum and size */
#define TRAILER_MIN_SIZE	10

/* Three numbers of one byte each */
#define ENTRY_MIN_SIZE		3

/* A group's tag, four numbers of one byte each, and the header's checksum */
#define GROUP_MIN_SIZE		9

void
rowser_trailer_write(RowserBuffer *buffer, const RowserDirectoryEntry *groups,
					 uint32 ngroups)
{
	size_t		start = buffer->size;

	rowser_buffer_u8(buffer, ROWSER_TRAILER_TAG);
	rowser_buffer_varuint(buffer, ngroups);
	for (uint32 i = 0; i < ngroups; i++)
	{
		rowser_buffer_varuint(buffer, groups[i].size);
		rowser_buffer_varuint(buffer, groups[i].header_size);
		rowser_buffer_varuint(buffer, groups[i].nrows);
	}
	if (buffer->overflowed)
		return;
	rowser_buffer_u32(buffer, rowser_checksum(buffer->bytes + start,
											  buffer->size - start));
	rowser_buffer_u32(buffer, buffer->size - start + sizeof(uint32));
}

size_t
rowser_trailer_entry_size(const RowserDirectoryEntry *entry)
{
	return rowser_varuint_size(entry->size) +
		rowser_varuint_size(entry->header_size) +
		rowser_varuint_size(entry->nrows);
}

size_t
rowser_trailer_frame_size(uint32 ngroups)
{
	return 1 + rowser_varuint_size(ngroups) + 2 * sizeof(uint32);
}

/* Find the trailer by its size in the last four bytes, and check it whole. */
static bool
trailer_find(RowserCursor *cursor, RowserCursor *trailer)
{
	RowserCursor tail = *cursor;
	const uint8 *start;
	uint32		size;

	if (rowser_cursor_left(cursor) < TRAILER_MIN_SIZE)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes end too early");
	tail.next = tail.end - sizeof(uint32);
	if (!rowser_cursor_u32(&tail, &size))
		return false;
	if (size < TRAILER_MIN_SIZE || size > rowser_cursor_left(cursor))
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The rowset has no trailer at its end");
	start = cursor->end - size;
	if (*start != ROWSER_TRAILER_TAG)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The rowset has no trailer at its end");
	tail.next = cursor->end - 2 * sizeof(uint32);
	if (!rowser_checksum_check(&tail, start, "The trailer's checksum differs"))
		return false;

	*trailer = *cursor;
	trailer->next = start + 1;
	trailer->end = tail.end - 2 * sizeof(uint32);
	cursor->end = start;
	return true;
}

static bool
entry_read(RowserCursor *cursor, RowserDirectoryEntry *entry)
{
	return rowser_cursor_varuint(cursor, &entry->size) &&
		rowser_cursor_varuint(cursor, &entry->header_size) &&
		rowser_cursor_count(cursor, ROWSER_GROUP_MAX_ROWS, &entry->nrows,
							"A row group has too many rows");
}

bool
rowser_trailer_read(RowserCursor *cursor, RowserTrailer *trailer)
{
	RowserCursor rest;
	uint64		offset = rowser_cursor_offset(cursor);

	if (!trailer_find(cursor, &rest) ||
		!rowser_cursor_count(&rest, PG_INT32_MAX, &trailer->ngroups,
							 "There are too many row groups"))
		return false;
	if (trailer->ngroups > rowser_cursor_left(&rest) / ENTRY_MIN_SIZE ||
		trailer->ngroups > rowser_cursor_left(cursor) / GROUP_MIN_SIZE)
		return rowser_cursor_fail(&rest, ROWSER_FAULT_INVALID,
								  "The bytes end too early");

	trailer->groups = rowser_memory_alloc_array(trailer->ngroups,
												sizeof(RowserDirectoryEntry));
	trailer->nrows = 0;
	for (uint32 i = 0; i < trailer->ngroups; i++)
	{
		RowserDirectoryEntry *entry = &trailer->groups[i];
		uint64		left = cursor->end - cursor->start - offset;

		if (!entry_read(&rest, entry))
			return false;
		if (entry->size > left || entry->header_size > entry->size ||
			entry->header_size < GROUP_MIN_SIZE ||
			entry->nrows == 0)
			return rowser_cursor_fail(&rest, ROWSER_FAULT_INVALID,
									  "A row group's entry in the trailer is impossible");
		entry->offset = offset;
		entry->row = trailer->nrows;
		offset += entry->size;
		trailer->nrows += entry->nrows;
	}
	if (rowser_cursor_left(&rest) > 0)
		return rowser_cursor_fail(&rest, ROWSER_FAULT_INVALID,
								  "The trailer is too long");
	if (offset != (uint64) (cursor->end - cursor->start))
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The trailer does not name every row group");
	return true;
}

bool
rowser_trailer_extent(RowserCursor cursor, uint64 *size)
{
	if (rowser_cursor_left(&cursor) < TRAILER_MIN_SIZE)
		return false;
	*size = rowser_load_u32(cursor.end - sizeof(uint32));
	return *size <= rowser_cursor_left(&cursor);
}
