/*-------------------------------------------------------------------------
 *
 * reader.c
 *	  Reading a rowset: its description and the columns that are wanted.
 *
 * Its row groups are gone to by groups.c, their rows read by batch.c.
 *
 * Memory: a reader has three contexts.  `context` lives as long as it does and
 * holds header, trailer and decoders; `group_context` holds what belongs to
 * one row group (its nodes, decompressed blocks, dictionaries), `batch_context`
 * what belongs to one batch.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "columns/resolve.h"
#include "errors.h"
#include "rowset/reader_state.h"

/* ----------------------------------------------------------------
 *		Life
 * ----------------------------------------------------------------
 */

/* Make a reader without anything to read, all of whose memory is below itself. */
static RowserReader *
create_reader(void)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser reader",
												  ALLOCSET_DEFAULT_SIZES);
	RowserReader *reader = MemoryContextAllocZero(context,
												  sizeof(RowserReader));

	reader->context = context;
	reader->group_context = AllocSetContextCreate(context,
												  "rowser reader group",
												  ALLOCSET_DEFAULT_SIZES);
	reader->batch_context = AllocSetContextCreate(context,
												  "rowser reader batch",
												  ALLOCSET_DEFAULT_SIZES);
	reader->counts = &reader->own_counts;
	reader->batch_rows = ROWSER_BATCH_ROWS;
	return reader;
}

/* Prepare to read columns, once the header is known. */
static void
init_columns(RowserReader *reader)
{
	uint32		ncolumns = Max(reader->header.ncolumns, 1);

	reader->encoding = rowser_resolve_encoding(reader->header.encoding);
	reader->names = palloc0(ncolumns * sizeof(char *));
	reader->selected = palloc(ncolumns * sizeof(Selected *));
}

RowserReader *
rowser_reader_open(const bytea *rowset)
{
	return rowser_reader_open_datum(PointerGetDatum(rowset), NULL);
}

RowserReader *
rowser_reader_open_datum(Datum rowset, RowserReaderCounts *counts)
{
	RowserReader *reader = create_reader();
	MemoryContext old_context = MemoryContextSwitchTo(reader->context);

	if (counts != NULL)
		reader->counts = counts;
	reader->source = rowser_source_open(rowset, &reader->counts->fetched);
	rowser_source_start(reader->source, &reader->start, &reader->fault);
	if (!rowser_source_read_frame(reader->source, &reader->start,
								  &reader->header, &reader->trailer))
		rowser_fault_report(&reader->fault);
	init_columns(reader);
	MemoryContextSwitchTo(old_context);
	rowser_reader_rewind(reader);
	return reader;
}

RowserReader *
rowser_reader_open_groups(const RowserHeader *header)
{
	RowserReader *reader = create_reader();
	MemoryContext old_context = MemoryContextSwitchTo(reader->context);

	reader->header = *header;
	init_columns(reader);
	/* how many rows are still to come is not known */
	reader->trailer.nrows = PG_UINT64_MAX;
	reader->trailer.groups = palloc(sizeof(RowserDirectoryEntry));
	reader->source = rowser_source_open_bytes(NULL, 0);
	MemoryContextSwitchTo(old_context);
	rowser_reader_rewind(reader);
	return reader;
}

void
rowser_reader_set_group(RowserReader *reader, const uint8 *bytes,
						const RowserDirectoryEntry *entry, uint32 number)
{
	rowser_cursor_init(&reader->start, bytes, entry->size, &reader->fault);
	reader->fault.origin = entry->offset;
	reader->trailer.groups[0] = *entry;
	reader->trailer.groups[0].offset = 0;
	reader->trailer.ngroups = 1;
	reader->groups_before = number;
	rowser_reader_rewind(reader);
}

Oid
rowser_reader_storage(const RowserReader *reader)
{
	return rowser_source_storage(reader->source);
}

void
rowser_reader_fetch_whole(RowserReader *reader)
{
	rowser_source_need(reader->source, 0, PG_UINT64_MAX);
}

void
rowser_reader_close(RowserReader *reader)
{
	MemoryContextDelete(reader->context);
}

void
rowser_reader_rewind(RowserReader *reader)
{
	reader->cursor = reader->start;
	reader->ngroups = 0;
	reader->is_at_end = false;
	reader->rows_left = 0;
	reader->column = ROWSER_NO_COLUMN;
	for (int i = 0; i < reader->nselected; i++)
		reader->selected[i]->is_started = false;
	MemoryContextReset(reader->batch_context);
	MemoryContextReset(reader->group_context);
}

const RowserHeader *
rowser_reader_header(const RowserReader *reader)
{
	return &reader->header;
}

const RowserTrailer *
rowser_reader_trailer(const RowserReader *reader)
{
	return &reader->trailer;
}

int
rowser_reader_encoding(const RowserReader *reader)
{
	return reader->encoding;
}

const char *
rowser_reader_column_name(RowserReader *reader, uint32 column)
{
	if (reader->names[column] == NULL)
	{
		MemoryContext old_context = MemoryContextSwitchTo(reader->context);

		reader->names[column] = rowser_resolve_name(reader->header.columns[column].name,
													reader->encoding);
		MemoryContextSwitchTo(old_context);
	}
	return reader->names[column];
}

/* ----------------------------------------------------------------
 *		Errors
 * ----------------------------------------------------------------
 */

/* Say which column and row group an error was met in. */
static void
reader_error_context(void *arg)
{
	RowserReader *reader = arg;
	uint32		group = reader->groups_before + reader->ngroups;
	const char *name;

	if (reader->column == ROWSER_NO_COLUMN)
	{
		if (reader->ngroups > 0)
			errcontext("row group %u of rowset", group);
		return;
	}
	/* A name not converted yet may be what the error is about. */
	name = reader->names[reader->column];
	if (reader->ngroups == 0)
		errcontext("column %u (\"%s\") of rowset", reader->column + 1,
				   name ? name : "?");
	else
		errcontext("column %u (\"%s\"), row group %u of rowset",
				   reader->column + 1, name ? name : "?", group);
}

void
rowser_reader_push_context(RowserReader *reader,
						   ErrorContextCallback *callback)
{
	callback->callback = reader_error_context;
	callback->arg = reader;
	callback->previous = error_context_stack;
	error_context_stack = callback;
}

void
rowser_reader_set_column(RowserReader *reader, uint32 column)
{
	reader->column = column;
	(void) rowser_reader_column_name(reader, column);
}

/* ----------------------------------------------------------------
 *		Selecting
 * ----------------------------------------------------------------
 */

static int
select_column(RowserReader *reader, uint32 column, RowserOrigin origin,
			  Oid type, int32 typmod)
{
	MemoryContext old_context = MemoryContextSwitchTo(reader->context);
	Selected   *selected = palloc0(sizeof(Selected));
	ErrorContextCallback callback;

	rowser_reader_push_context(reader, &callback);
	rowser_reader_set_column(reader, column);
	selected->column = column;
	rowser_decoder_init(&selected->decoder,
						&reader->header.columns[column].type,
						reader->encoding,
						rowser_reader_column_name(reader, column),
						origin, type, typmod);
	reader->column = ROWSER_NO_COLUMN;
	error_context_stack = callback.previous;

	reader->selected = repalloc(reader->selected,
								(reader->nselected + 1) * sizeof(Selected *));
	reader->selected[reader->nselected] = selected;
	MemoryContextSwitchTo(old_context);
	return reader->nselected++;
}

int
rowser_reader_select(RowserReader *reader, uint32 column, Oid type,
					 int32 typmod)
{
	return select_column(reader, column, ROWSER_ORIGIN_CALLER, type, typmod);
}

int
rowser_reader_select_resolved(RowserReader *reader, uint32 column, Oid type,
							  int32 typmod)
{
	return select_column(reader, column, ROWSER_ORIGIN_BYTES, type, typmod);
}

void
rowser_reader_set_read(RowserReader *reader, int selected, RowserRead read)
{
	reader->selected[selected]->read = read;
}

void
rowser_reader_set_filter(RowserReader *reader, RowserGroupFilter filter,
						 void *arg)
{
	reader->filter = filter;
	reader->filter_arg = arg;
}

void
rowser_reader_set_claim(RowserReader *reader, RowserGroupClaim claim,
						void *arg)
{
	reader->claim = claim;
	reader->claim_arg = arg;
}

void
rowser_reader_set_progress(RowserReader *reader, RowserProgress *progress,
						   RowserProgressCommand command)
{
	rowser_progress_init(progress, command, reader->trailer.nrows,
						 rowser_cursor_offset(&reader->start) +
						 rowser_cursor_left(&reader->start));
	reader->progress = progress;
}

void
rowser_reader_start_small(RowserReader *reader)
{
	/* a small rowset is read at once: what is saved by less costs more */
	if (reader->trailer.nrows > ROWSER_SMALL_ROWSET_ROWS)
		reader->batch_rows = ROWSER_SMALL_BATCH_ROWS;
}
