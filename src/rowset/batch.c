/*-------------------------------------------------------------------------
 *
 * batch.c
 *	  Reading the rows of a rowset's row groups in batches.
 *
 * Columns are decoded in step: eager ones for each batch as it is read, late
 * ones only for the rows that are asked for.  Late columns have a place of
 * their own in the group; the rows between that and the row that is asked for
 * are skipped, or decoded too when they are few.
 *
 * Memory: what belongs to a group is in the reader's group_context, what
 * belongs to a batch in its batch_context; both are emptied as reading goes on.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bytes/group_blocks.h"
#include "errors.h"
#include "rowset/reader_state.h"

/* About how many values a batch has at the most */
#define BATCH_VALUES (256 * 1024)

/* ----------------------------------------------------------------
 *		Columns
 * ----------------------------------------------------------------
 */

/*
 * Fetch the bytes of the columns that are read in one way, those of neighbours
 * together.
 */
static void
need_columns(RowserReader *reader, RowserRead read)
{
	uint64		body = reader->group.body - reader->start.start;
	uint64		from = 0;
	uint64		to = 0;

	for (int i = 0; i < reader->nselected; i++)
	{
		const Selected *selected = reader->selected[i];
		uint64		unit_from;
		uint64		unit_to;

		if (selected->read != read || selected->is_started)
			continue;
		rowser_group_unit(&reader->group, selected->column, &unit_from,
						  &unit_to);
		if (unit_from < from || unit_from > to)
		{
			rowser_source_need(reader->source, body + from, to - from);
			from = unit_from;
			to = unit_from;
		}
		to = Max(to, unit_to);
	}
	rowser_source_need(reader->source, body + from, to - from);
}

/*
 * Make the arrays of all columns that are read in one way and have none, in one
 * piece: for a small rowset, many pieces would cost more than its values.
 */
static void
make_arrays(RowserReader *reader, RowserRead read)
{
	Size		capacity = Min(reader->trailer.nrows, ROWSER_BATCH_ROWS);
	Size		narrays = 0;
	Datum	   *values;
	bool	   *nulls;

	for (int i = 0; i < reader->nselected; i++)
	{
		if (reader->selected[i]->read == read &&
			reader->selected[i]->values == NULL)
			narrays++;
	}
	values = MemoryContextAlloc(reader->context, narrays * capacity *
								(sizeof(Datum) + sizeof(bool)));
	nulls = (bool *) (values + narrays * capacity);
	for (int i = 0; i < reader->nselected; i++)
	{
		Selected   *selected = reader->selected[i];

		if (selected->read != read || selected->values != NULL)
			continue;
		selected->values = values;
		selected->nulls = nulls;
		values += capacity;
		nulls += capacity;
	}
}

/* Start a column's decoder on the group. */
static void
start_column(RowserReader *reader, Selected *selected)
{
	MemoryContext old_context = MemoryContextSwitchTo(reader->group_context);
	RowserCursor at = reader->cursor;

	if (selected->values == NULL)
		make_arrays(reader, selected->read);
	if (!rowser_group_check_column(&reader->group, selected->column, &at))
		rowser_fault_report(&reader->fault);
	reader->counts->decompressed +=
		rowser_group_column_decompressed(&reader->group, selected->column);
	rowser_decoder_start(&selected->decoder,
						 &reader->group.columns[selected->column],
						 reader->group.body, &reader->cursor);
	/* a cast's function may give NULL */
	selected->may_have_nulls =
		reader->group.columns[selected->column].nnulls > 0 ||
		(selected->decoder.cast != NULL &&
		 !rowser_cast_is_length(selected->decoder.cast));
	selected->is_started = true;
	MemoryContextSwitchTo(old_context);
}

/*
 * Decode rows of the group for the columns that are read in one way, which are
 * `skip` rows before `from`.  Once the group's last row is decoded, its values
 * must be used up.
 */
static void
decode_columns(RowserReader *reader, RowserRead read, uint32 skip,
			   uint32 from, uint32 nrows)
{
	MemoryContext old_context = MemoryContextSwitchTo(reader->batch_context);
	uint32		offset = from - reader->batch_start;

	need_columns(reader, read);
	for (int i = 0; i < reader->nselected; i++)
	{
		Selected   *selected = reader->selected[i];

		if (selected->read != read)
			continue;
		rowser_reader_set_column(reader, selected->column);
		if (!selected->is_started)
			start_column(reader, selected);
		if (skip > 0)
			rowser_decoder_skip(&selected->decoder, skip);
		rowser_decoder_next(&selected->decoder, nrows,
							selected->values + offset,
							selected->nulls + offset);
		if (from + nrows == reader->group.nrows)
			rowser_decoder_finish(&selected->decoder);
	}
	reader->column = ROWSER_NO_COLUMN;
	MemoryContextSwitchTo(old_context);
}

/* ----------------------------------------------------------------
 *		Batches
 * ----------------------------------------------------------------
 */

/* A batch's memory of up to so much is kept for the next one. */
#define MAX_KEPT_MEMORY		((Size) 8 * 1024 * 1024)

/* So much is no concern of malloc's that it would give it back to the system. */
#define MIN_KEPT_MEMORY		((Size) 128 * 1024)

/*
 * Forget the batch before.  Where batches take much memory, let the next one have
 * the same, since getting it anew, page by page, can take as long as decoding.
 */
static void
forget_batch(RowserReader *reader)
{
	Size		size = MemoryContextMemAllocated(reader->batch_context, true);

	if (size <= MIN_KEPT_MEMORY || reader->kept_memory >= MAX_KEPT_MEMORY ||
		size <= reader->kept_memory)
	{
		MemoryContextReset(reader->batch_context);
		return;
	}
	MemoryContextDelete(reader->batch_context);
	reader->kept_memory = MAXALIGN(Min(size + size / 4, MAX_KEPT_MEMORY));
	reader->batch_context = AllocSetContextCreate(reader->context,
												  "rowser reader batch",
												  reader->kept_memory,
												  ALLOCSET_DEFAULT_INITSIZE,
												  ALLOCSET_DEFAULT_MAXSIZE);
}

/*
 * Most rows of a batch: fewer where a row consists of very many values, all of
 * which are in memory at the same time.
 */
static uint32
max_batch_rows(const RowserReader *reader)
{
	uint32		nrows = BATCH_VALUES / Max(reader->group.nnodes, 1);

	return Max(Min(nrows, ROWSER_BATCH_ROWS), 1);
}

static uint32
next_batch(RowserReader *reader)
{
	uint32		nrows;

	if (reader->rows_left == 0 && !rowser_reader_start_group(reader))
		return 0;
	nrows = Min(reader->batch_rows, max_batch_rows(reader));
	nrows = Min(reader->rows_left, nrows);
	reader->batch_start = reader->group.nrows - reader->rows_left;
	reader->rows_left -= nrows;
	reader->batch_rows = Min(2 * reader->batch_rows, ROWSER_BATCH_ROWS);
	decode_columns(reader, ROWSER_READ_EAGER, 0, reader->batch_start, nrows);
	return nrows;
}

/* Report how far into the rowset the rows of the group that are read reach. */
static void
report_progress(RowserReader *reader, uint32 nrows)
{
	const RowserDirectoryEntry *entry;

	if (reader->progress == NULL || reader->ngroups == 0)
		return;
	entry = &reader->trailer.groups[reader->ngroups - 1];
	reader->progress->rows = entry->row + nrows;
	reader->progress->bytes = entry->offset + entry->size;
	rowser_progress_report(reader->progress);
}

uint32
rowser_reader_next(RowserReader *reader)
{
	ErrorContextCallback callback;
	uint32		nrows;

	CHECK_FOR_INTERRUPTS();
	forget_batch(reader);
	rowser_reader_push_context(reader, &callback);
	nrows = next_batch(reader);
	error_context_stack = callback.previous;
	if (nrows > 0)
		report_progress(reader, reader->group.nrows - reader->rows_left);
	else if (reader->progress != NULL)
		rowser_progress_end(reader->progress);
	return nrows;
}

uint32
rowser_reader_fetch_late(RowserReader *reader, uint32 row)
{
	ErrorContextCallback callback;
	uint32		wanted = reader->batch_start + row;
	uint32		batch_end = reader->group.nrows - reader->rows_left;
	uint32		skip;
	uint32		nrows;

	Assert(wanted >= reader->late_next);

	/*
	 * Where rows are asked for one after the other, decode ever more of them at
	 * once; where they are far between, ever fewer.
	 */
	skip = wanted - reader->late_next;
	if (skip <= reader->late_rows)
		reader->late_rows = Min(2 * reader->late_rows, ROWSER_BATCH_ROWS);
	else
		reader->late_rows = Max(reader->late_rows / 2, 1);
	nrows = Min(reader->late_rows, batch_end - wanted);

	rowser_reader_push_context(reader, &callback);
	decode_columns(reader, ROWSER_READ_LATE, skip, wanted, nrows);
	error_context_stack = callback.previous;
	reader->late_next = wanted + nrows;
	return row + nrows;
}

/* Read some rows of the group from its beginning, late columns too. */
static void
load_batch(RowserReader *reader, uint32 from, uint32 nrows)
{
	ErrorContextCallback callback;

	for (int i = 0; i < reader->nselected; i++)
		reader->selected[i]->is_started = false;
	MemoryContextReset(reader->batch_context);
	reader->batch_start = from;
	reader->rows_left = reader->group.nrows - from - nrows;
	reader->late_next = from + nrows;
	rowser_reader_push_context(reader, &callback);
	decode_columns(reader, ROWSER_READ_EAGER, from, from, nrows);
	decode_columns(reader, ROWSER_READ_LATE, from, from, nrows);
	error_context_stack = callback.previous;
}

uint32
rowser_reader_previous(RowserReader *reader)
{
	ErrorContextCallback callback;
	uint32		end = reader->batch_start;
	uint32		nrows;
	bool		found = true;

	if (reader->ngroups == 0)
		return 0;
	if (end == 0 || reader->is_at_end)
	{
		rowser_reader_push_context(reader, &callback);
		found = rowser_reader_start_previous_group(reader);
		error_context_stack = callback.previous;
		end = reader->group.nrows;
	}
	if (!found)
	{
		rowser_reader_rewind(reader);
		return 0;
	}
	nrows = Min(end, max_batch_rows(reader));
	load_batch(reader, end - nrows, nrows);
	return nrows;
}

void
rowser_reader_reload(RowserReader *reader)
{
	uint32		end = reader->group.nrows - reader->rows_left;

	load_batch(reader, reader->batch_start, end - reader->batch_start);
}

Datum *
rowser_reader_values(const RowserReader *reader, int selected)
{
	return reader->selected[selected]->values;
}

bool *
rowser_reader_nulls(const RowserReader *reader, int selected)
{
	return reader->selected[selected]->nulls;
}

bool
rowser_reader_may_have_nulls(const RowserReader *reader, int selected)
{
	return reader->selected[selected]->may_have_nulls;
}
