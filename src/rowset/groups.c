/*-------------------------------------------------------------------------
 *
 * groups.c
 *	  A reader's row groups: going from one to the next, and groups as they are.
 *
 * Memory: what belongs to a group is in the reader's group_context, which is
 * emptied as reading goes on.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bytes/validate.h"
#include "errors.h"
#include "rowset/reader_state.h"

/* ----------------------------------------------------------------
 *		Going to groups
 * ----------------------------------------------------------------
 */

/* Read the next group's header and check it against the directory. */
static void
read_group(RowserReader *reader)
{
	const RowserDirectoryEntry *entry = &reader->trailer.groups[reader->ngroups];
	RowserGroup *group = &reader->group;

	reader->ngroups++;
	reader->cursor = reader->start;
	reader->cursor.next = reader->start.start + entry->offset;
	/* behind that, bytes need not be here */
	reader->cursor.end = reader->cursor.next + entry->header_size;
	rowser_source_need(reader->source, entry->offset, entry->header_size);
	if (!rowser_group_read(&reader->cursor, reader->header.columns,
						   reader->header.ncolumns, group))
		rowser_fault_report(&reader->fault);
	if (group->header_size != entry->header_size ||
		group->header_size + group->body_size != entry->size ||
		group->nrows != entry->nrows)
	{
		(void) rowser_cursor_fail(&reader->cursor, ROWSER_FAULT_INVALID,
								  "A row group is not as the trailer says");
		rowser_fault_report(&reader->fault);
	}
	reader->cursor.end = reader->start.end;
	for (int i = 0; i < reader->nselected; i++)
		reader->selected[i]->is_started = false;
}

/* Start on the next group; false when the filter does not let it pass. */
static bool
try_group(RowserReader *reader)
{
	MemoryContext old_context;
	bool		passes;

	CHECK_FOR_INTERRUPTS();
	MemoryContextReset(reader->group_context);
	old_context = MemoryContextSwitchTo(reader->group_context);
	read_group(reader);
	passes = reader->filter == NULL ||
		reader->filter(reader, reader->filter_arg);
	MemoryContextSwitchTo(old_context);
	if (!passes)
	{
		reader->counts->groups_skipped++;
		return false;
	}
	reader->counts->groups_read++;
	reader->rows_left = reader->group.nrows;
	reader->batch_start = 0;
	reader->late_next = 0;
	reader->late_rows = 1;
	return true;
}

bool
rowser_reader_start_group(RowserReader *reader)
{
	for (;;)
	{
		if (reader->claim != NULL)
		{
			uint32		claimed = reader->claim(reader->claim_arg);

			reader->ngroups = Min(claimed, reader->trailer.ngroups);
		}
		if (reader->ngroups == reader->trailer.ngroups)
			break;
		if (try_group(reader))
			return true;
	}
	reader->is_at_end = true;
	return false;
}

bool
rowser_reader_start_previous_group(RowserReader *reader)
{
	uint32		ngroups = reader->ngroups;

	if (!reader->is_at_end)
		ngroups--;
	reader->is_at_end = false;
	while (ngroups > 0)
	{
		reader->ngroups = --ngroups;
		if (try_group(reader))
			return true;
	}
	return false;
}

void
rowser_reader_bounds(RowserReader *reader, int which, RowserBounds *bounds)
{
	Selected   *selected = reader->selected[which];
	const RowserNode *node = &reader->group.columns[selected->column];

	Assert(!selected->is_started);
	rowser_reader_set_column(reader, selected->column);
	bounds->nrows = node->nvalues;
	bounds->nnulls = node->nnulls;
	bounds->may_become_null = selected->decoder.cast != NULL &&
		!rowser_cast_keeps_order(selected->decoder.cast);
	bounds->are_known = rowser_decoder_bounds(&selected->decoder, node,
											  &reader->cursor, &bounds->least,
											  &bounds->greatest);
	reader->column = ROWSER_NO_COLUMN;
}

uint64
rowser_reader_group_size(const RowserReader *reader)
{
	return reader->group.raw_size;
}

/* ----------------------------------------------------------------
 *		Groups as they are
 * ----------------------------------------------------------------
 */

const RowserGroup *
rowser_reader_next_group(RowserReader *reader)
{
	MemoryContext old_context;
	ErrorContextCallback callback;

	CHECK_FOR_INTERRUPTS();
	if (reader->ngroups == reader->trailer.ngroups)
		return NULL;
	MemoryContextReset(reader->group_context);
	old_context = MemoryContextSwitchTo(reader->group_context);
	rowser_reader_push_context(reader, &callback);
	read_group(reader);
	error_context_stack = callback.previous;
	MemoryContextSwitchTo(old_context);
	return &reader->group;
}

const RowserGroup *
rowser_reader_group(RowserReader *reader, uint32 number)
{
	Assert(number < reader->trailer.ngroups);
	reader->ngroups = number;
	return rowser_reader_next_group(reader);
}

void
rowser_reader_need_group(RowserReader *reader, const RowserGroup *group)
{
	rowser_source_need(reader->source, group->body - reader->start.start,
					   group->body_size);
}

void
rowser_reader_need_column(RowserReader *reader, const RowserGroup *group,
						  uint32 column)
{
	RowserCursor at = reader->cursor;
	ErrorContextCallback callback;
	uint64		from;
	uint64		to;

	rowser_group_unit(group, column, &from, &to);
	rowser_source_need(reader->source,
					   group->body - reader->start.start + from, to - from);
	rowser_reader_push_context(reader, &callback);
	rowser_reader_set_column(reader, column);
	if (!rowser_group_check_column(group, column, &at))
		rowser_fault_report(&reader->fault);
	reader->column = ROWSER_NO_COLUMN;
	error_context_stack = callback.previous;
}

void
rowser_reader_check_group(RowserReader *reader, const RowserGroup *group)
{
	MemoryContext old_context = MemoryContextSwitchTo(reader->group_context);
	RowserCursor at = reader->cursor;
	ErrorContextCallback callback;

	rowser_reader_push_context(reader, &callback);
	if (!rowser_group_validate(group, &at))
		rowser_fault_report(&reader->fault);
	error_context_stack = callback.previous;
	MemoryContextSwitchTo(old_context);
}
