/*-------------------------------------------------------------------------
 *
 * whole.c
 *	  Reading a rowset whole, without a server.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "bytes/group_blocks.h"
#include "bytes/header.h"
#include "bytes/memory.h"
#include "bytes/project.h"
#include "bytes/trailer.h"
#include "bytes/validate.h"
#include "whole.h"

uint64		hostile_nprojected;

/*
 * Choose all columns of a group backwards and twice, as rowset_project() does:
 * what comes out must be a group of these columns.
 */
static void
project_group(const RowserGroup *group, const RowserField *fields)
{
	size_t		mark = hostile_memory_mark();
	uint32		ncolumns = 2 * group->ncolumns;
	uint32	   *columns = rowser_memory_alloc_array(ncolumns, sizeof(uint32));
	RowserField *chosen = rowser_memory_alloc_array(ncolumns,
													sizeof(RowserField));
	RowserBuffer buffer;
	RowserFault fault;
	RowserCursor cursor;
	RowserGroup projected;
	size_t		header_size;

	for (uint32 i = 0; i < ncolumns; i++)
	{
		columns[i] = (ncolumns - 1 - i) / 2;
		chosen[i] = fields[columns[i]];
	}
	rowser_buffer_init(&buffer, 256, PG_INT32_MAX);
	header_size = rowser_project_group(&buffer, group, columns, ncolumns);
	rowser_cursor_init(&cursor, buffer.bytes, buffer.size, &fault);
	if (buffer.overflowed ||
		!rowser_group_read(&cursor, chosen, ncolumns, &projected) ||
		projected.header_size != header_size ||
		projected.body_size != 2 * group->body_size ||
		projected.header_size + projected.body_size != buffer.size)
	{
		fprintf(stderr, "columns that are chosen are another group\n");
		abort();
	}
	hostile_nprojected++;
	hostile_memory_release(mark);
}

static bool
read_whole(RowserCursor *cursor)
{
	RowserHeader header;
	RowserTrailer trailer;

	if (!rowser_header_read(cursor, &header) ||
		!rowser_trailer_read(cursor, &trailer))
		return false;
	for (uint32 i = 0; i < trailer.ngroups; i++)
	{
		const RowserDirectoryEntry *entry = &trailer.groups[i];
		RowserGroup group;
		RowserCursor at;

		if (!rowser_group_read(cursor, header.columns, header.ncolumns,
							   &group) ||
			group.header_size != entry->header_size ||
			group.header_size + group.body_size != entry->size ||
			group.nrows != entry->nrows)
			return false;
		at = *cursor;
		cursor->next = group.body + group.body_size;
		(void) rowser_group_methods(&group);
		project_group(&group, header.columns);
		if (!rowser_group_validate(&group, &at))
			return false;
	}
	return true;
}

bool
hostile_read_whole(const uint8 *bytes, size_t size)
{
	uint8	   *copy = rowser_memory_alloc(Max(size, 1));
	uint8	   *start = copy + Max(size, 1) - size;
	RowserFault fault;
	RowserCursor cursor;
	bool		valid;

	/* at the end of what was allocated, even if that is nothing */
	memcpy(start, bytes, size);
	rowser_cursor_init(&cursor, start, size, &fault);
	valid = read_whole(&cursor);
	if (!valid && fault.kind != ROWSER_FAULT_NONE &&
		(fault.what == NULL || fault.offset > size))
	{
		fprintf(stderr, "a fault without a place or text\n");
		abort();
	}
	return valid;
}
