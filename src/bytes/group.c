/*-------------------------------------------------------------------------
 *
 * group.c
 *	  Row groups: frame and checksums (rowset_format.md, section 4).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/checksum.h"
#include "bytes/group.h"
#include "bytes/memory.h"
#include "bytes/node.h"

/* A column with fewer bytes in the body shares its checksum with neighbours. */
#define UNIT_MIN_SIZE	512

#define NO_UNIT			PG_UINT32_MAX

/*
 * Put columns into checksum units by the sizes of their bodies; returns the
 * number of units.
 */
static uint32
units_assign(const uint64 *offsets, uint32 ncolumns, uint32 *units)
{
	uint32		nunits = 0;
	uint64		open_size = 0;	/* bytes in unit nunits, not yet closed */

	for (uint32 i = 0; i < ncolumns; i++)
	{
		uint64		size = offsets[i + 1] - offsets[i];

		units[i] = NO_UNIT;
		if (size == 0)
			continue;
		if (size >= UNIT_MIN_SIZE && open_size > 0)
		{
			nunits++;
			open_size = 0;
		}
		units[i] = nunits;
		open_size += size;
		if (open_size >= UNIT_MIN_SIZE)
		{
			nunits++;
			open_size = 0;
		}
	}
	return nunits + (open_size > 0 ? 1 : 0);
}

/*
 * The bytes of a unit in the body.  A unit's columns are neighbours but for
 * columns without bytes, so they are one run.
 */
static void
unit_bounds(const uint64 *offsets, const uint32 *units, uint32 ncolumns,
			uint32 unit, uint64 *from, uint64 *to)
{
	bool		found = false;

	*from = *to = 0;
	for (uint32 i = 0; i < ncolumns; i++)
	{
		if (units[i] != unit)
			continue;
		if (!found)
			*from = offsets[i];
		found = true;
		*to = offsets[i + 1];
	}
}

size_t
rowser_group_write(RowserBuffer *buffer, uint32 nrows, uint64 raw_size,
				   const RowserBuffer *nodes, const RowserBuffer *body,
				   const uint64 *offsets, uint32 ncolumns)
{
	size_t		start = buffer->size;
	size_t		header_size;
	RowserBuffer rest;
	uint32	   *units;
	uint32		nunits;

	if (nodes->overflowed || body->overflowed)
	{
		buffer->overflowed = true;
		return 0;
	}

	units = rowser_memory_alloc(Max(ncolumns, 1) * sizeof(uint32));
	nunits = units_assign(offsets, ncolumns, units);
	rowser_buffer_init(&rest, nodes->size + 4 * nunits + 64, buffer->limit);
	rowser_buffer_varuint(&rest, body->size);
	rowser_buffer_varuint(&rest, nrows);
	rowser_buffer_varuint(&rest, raw_size);
	rowser_buffer_bytes(&rest, nodes->bytes, nodes->size);
	for (uint32 unit = 0; unit < nunits; unit++)
	{
		uint64		from;
		uint64		to;

		unit_bounds(offsets, units, ncolumns, unit, &from, &to);
		rowser_buffer_u32(&rest, rowser_checksum(body->bytes + from,
												 to - from));
	}

	rowser_buffer_u8(buffer, ROWSER_GROUP_TAG);
	rowser_buffer_varuint(buffer, rest.size + sizeof(uint32));
	rowser_buffer_bytes(buffer, rest.bytes, rest.size);
	if (rest.overflowed)
		buffer->overflowed = true;
	if (!buffer->overflowed)
		rowser_buffer_u32(buffer, rowser_checksum(buffer->bytes + start,
												  buffer->size - start));
	header_size = buffer->size - start;
	rowser_buffer_bytes(buffer, body->bytes, body->size);

	rowser_buffer_free(&rest);
	rowser_memory_free(units);
	return header_size;
}

/* Read the nodes of all columns and where each begins in the body. */
static bool
columns_read(RowserCursor *cursor, const RowserField *columns,
			 RowserGroup *group)
{
	uint64		body_offset = 0;

	if (group->ncolumns > rowser_cursor_left(cursor))
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes end too early");
	group->columns = rowser_memory_alloc(Max(group->ncolumns, 1) *
										 sizeof(RowserNode));
	group->nodes = rowser_memory_alloc((group->ncolumns + 1) *
									   sizeof(uint8 *));
	group->offsets = rowser_memory_alloc((group->ncolumns + 1) *
										 sizeof(uint64));
	for (uint32 i = 0; i < group->ncolumns; i++)
	{
		group->nodes[i] = cursor->next;
		group->offsets[i] = body_offset;
		if (!rowser_node_read(cursor, &body_offset, &columns[i].type,
							  group->nrows, &group->columns[i],
							  &group->nnodes))
			return false;
	}
	group->nodes[group->ncolumns] = cursor->next;
	group->offsets[group->ncolumns] = body_offset;
	if (body_offset != group->body_size)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A group's blocks do not add up to its body");
	return true;
}

/* Read the checksums of the body's units. */
static bool
checksums_read(RowserCursor *cursor, RowserGroup *group)
{
	group->units = rowser_memory_alloc(Max(group->ncolumns, 1) *
									   sizeof(uint32));
	group->nunits = units_assign(group->offsets, group->ncolumns,
								 group->units);
	group->checksums = rowser_memory_alloc(Max(group->nunits, 1) *
										   sizeof(uint32));
	for (uint32 unit = 0; unit < group->nunits; unit++)
	{
		if (!rowser_cursor_u32(cursor, &group->checksums[unit]))
			return false;
	}
	if (rowser_cursor_left(cursor) > 0)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A group's header is too long");
	return true;
}

/* Read a group's first numbers: the sizes of its body and its rows. */
static bool
front_read(RowserCursor *cursor, uint64 *body_size, uint32 *nrows)
{
	if (!rowser_cursor_varuint(cursor, body_size))
		return false;
	if (*body_size > PG_INT32_MAX)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A row group is too large");
	if (!rowser_cursor_count(cursor, ROWSER_GROUP_MAX_ROWS, nrows,
							 "A row group has too many rows"))
		return false;
	if (*nrows == 0)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A row group has no rows");
	return true;
}

/* Read the tag and the size of the rest of the header. */
static bool
tag_read(RowserCursor *cursor, uint64 *size)
{
	uint8		tag;

	if (!rowser_cursor_u8(cursor, &tag))
		return false;
	if (tag != ROWSER_GROUP_TAG)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "There is no row group where one should be");
	return rowser_cursor_varuint(cursor, size);
}

bool
rowser_group_extent(RowserCursor *cursor, RowserDirectoryEntry *entry)
{
	const uint8 *start = cursor->next;
	uint64		rest_size;
	uint64		body_size;

	memset(entry, 0, sizeof(*entry));
	if (!tag_read(cursor, &rest_size))
		return false;
	entry->header_size = cursor->next - start;
	if (!front_read(cursor, &body_size, &entry->nrows))
		return false;
	if (rest_size > PG_INT32_MAX ||
		cursor->next - start + sizeof(uint32) > entry->header_size + rest_size)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A group's header has an impossible size");
	entry->header_size += rest_size;
	entry->size = entry->header_size + body_size;
	return true;
}

bool
rowser_group_read(RowserCursor *cursor, const RowserField *columns,
				  uint32 ncolumns, RowserGroup *group)
{
	RowserCursor rest;
	uint64		size;
	uint64		body_size;

	memset(group, 0, sizeof(*group));
	group->start = cursor->next;
	group->ncolumns = ncolumns;
	if (!tag_read(cursor, &size))
		return false;
	if (size < sizeof(uint32) || size > rowser_cursor_left(cursor))
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes end too early");

	rest = *cursor;
	rest.end = rest.next + size - sizeof(uint32);
	cursor->next = rest.end;
	if (!rowser_checksum_check(cursor, group->start,
							   "A row group's header has another checksum"))
		return false;
	group->header_size = cursor->next - group->start;
	group->body = cursor->next;

	if (!front_read(&rest, &body_size, &group->nrows))
		return false;
	group->body_size = body_size;
	return rowser_cursor_varuint(&rest, &group->raw_size) &&
		columns_read(&rest, columns, group) &&
		checksums_read(&rest, group);
}

void
rowser_group_unit(const RowserGroup *group, uint32 column, uint64 *from,
				  uint64 *to)
{
	*from = *to = 0;
	if (group->units[column] != NO_UNIT)
		unit_bounds(group->offsets, group->units, group->ncolumns,
					group->units[column], from, to);
}

bool
rowser_group_check_column(const RowserGroup *group, uint32 column,
						  RowserCursor *at)
{
	uint64		from;
	uint64		to;
	uint32		unit = group->units[column];

	if (unit == NO_UNIT)
		return true;
	unit_bounds(group->offsets, group->units, group->ncolumns, unit,
				&from, &to);
	at->next = group->body + from;
	if (rowser_checksum(at->next, to - from) != group->checksums[unit])
		return rowser_cursor_fail(at, ROWSER_FAULT_CHECKSUM,
								  "A column's bytes have another checksum");
	return true;
}
