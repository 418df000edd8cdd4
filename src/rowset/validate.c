/*-------------------------------------------------------------------------
 *
 * validate.c
 *	  Whether bytes are a whole and undamaged rowset.
 *
 * The reader raises errors; this asks the byte layer alone.
 *
 * Memory: in a context of its own, emptied for each group.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bytes/trailer.h"
#include "bytes/validate.h"
#include "columns/resolve.h"
#include "rowset/validate.h"

/* Check the next group and move the cursor past it. */
static bool
validate_group(RowserCursor *cursor, const RowserHeader *header,
			   const RowserDirectoryEntry *entry)
{
	RowserGroup group;
	RowserCursor at;

	if (!rowser_group_read(cursor, header->columns, header->ncolumns,
						   &group) ||
		group.header_size != entry->header_size ||
		group.header_size + group.body_size != entry->size ||
		group.nrows != entry->nrows)
		return false;
	at = *cursor;
	cursor->next = group.body + group.body_size;
	return rowser_group_validate(&group, &at);
}

static bool
validate(RowserCursor *cursor, MemoryContext group_context)
{
	RowserHeader header;
	RowserTrailer trailer;

	if (!rowser_header_read(cursor, &header) ||
		rowser_resolve_encoding_if_known(header.encoding) < 0 ||
		!rowser_trailer_read(cursor, &trailer))
		return false;
	for (uint32 i = 0; i < trailer.ngroups; i++)
	{
		MemoryContext old_context = MemoryContextSwitchTo(group_context);
		bool		right;

		CHECK_FOR_INTERRUPTS();
		right = validate_group(cursor, &header, &trailer.groups[i]);
		MemoryContextSwitchTo(old_context);
		MemoryContextReset(group_context);
		if (!right)
			return false;
	}
	return true;
}

bool
rowser_rowset_validate(const void *bytes, size_t size)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser validate",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext group_context = AllocSetContextCreate(context,
														"rowser validate group",
														ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	RowserFault fault;
	RowserCursor cursor;
	bool		result;

	rowser_cursor_init(&cursor, bytes, size, &fault);
	result = validate(&cursor, group_context);
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
	return result;
}
