/*-------------------------------------------------------------------------
 *
 * reader.c
 *	  Reading a rowset: its description, and its rows in batches.
 *
 * Memory: a reader has three contexts.  `context` lives as long as it does and
 * holds header, trailer and decoders; `group_context` holds what belongs to
 * one row group (its nodes, decompressed blocks, dictionaries), `batch_context`
 * what belongs to one batch.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bytes/validate.h"
#include "columns/decoder.h"
#include "columns/resolve.h"
#include "errors.h"
#include "rowset/reader.h"

typedef struct Selected
{
	uint32		column;			/* in the rowset */
	RowserDecoder decoder;
	Datum	   *values;			/* of the batch */
	bool	   *nulls;
} Selected;

struct RowserReader
{
	MemoryContext context;
	MemoryContext group_context;
	MemoryContext batch_context;
	RowserFault fault;
	RowserCursor start;			/* at the first group, ends at the trailer */
	RowserCursor cursor;		/* at the next group */
	RowserHeader header;
	RowserTrailer trailer;
	int			encoding;
	char	  **names;			/* made when asked for */

	Selected  **selected;
	int			nselected;

	uint32		ngroups;		/* groups begun */
	RowserGroup group;			/* the one that is being read */
	uint32		rows_left;		/* in that group */
	uint32		column;			/* what an error's context names */
};

#define NO_COLUMN PG_UINT32_MAX

/* About how many values a batch has at the most */
#define BATCH_VALUES (256 * 1024)

/* ----------------------------------------------------------------
 *		Life
 * ----------------------------------------------------------------
 */

RowserReader *
rowser_reader_open(const bytea *rowset)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser reader",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	RowserReader *reader = palloc0(sizeof(RowserReader));

	reader->context = context;
	reader->group_context = AllocSetContextCreate(context,
												  "rowser reader group",
												  ALLOCSET_DEFAULT_SIZES);
	reader->batch_context = AllocSetContextCreate(context,
												  "rowser reader batch",
												  ALLOCSET_DEFAULT_SIZES);
	rowser_cursor_init(&reader->start, VARDATA_ANY(rowset),
					   VARSIZE_ANY_EXHDR(rowset), &reader->fault);
	if (!rowser_header_read(&reader->start, &reader->header) ||
		!rowser_trailer_read(&reader->start, &reader->trailer))
		rowser_fault_report(&reader->fault);
	reader->encoding = rowser_resolve_encoding(reader->header.encoding);
	reader->names = palloc0(Max(reader->header.ncolumns, 1) * sizeof(char *));
	reader->selected = palloc(Max(reader->header.ncolumns, 1) *
							  sizeof(Selected *));
	MemoryContextSwitchTo(old_context);
	rowser_reader_rewind(reader);
	return reader;
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
	reader->rows_left = 0;
	reader->column = NO_COLUMN;
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
	const char *name;

	if (reader->column == NO_COLUMN)
	{
		if (reader->ngroups > 0)
			errcontext("row group %u of rowset", reader->ngroups);
		return;
	}
	/* A name not converted yet may be what the error is about. */
	name = reader->names[reader->column];
	if (reader->ngroups == 0)
		errcontext("column %u (\"%s\") of rowset", reader->column + 1,
				   name ? name : "?");
	else
		errcontext("column %u (\"%s\"), row group %u of rowset",
				   reader->column + 1, name ? name : "?", reader->ngroups);
}

static void
push_error_context(RowserReader *reader, ErrorContextCallback *callback)
{
	callback->callback = reader_error_context;
	callback->arg = reader;
	callback->previous = error_context_stack;
	error_context_stack = callback;
}

/* Errors from here on are about a column. */
static void
set_error_column(RowserReader *reader, uint32 column)
{
	reader->column = column;
	(void) rowser_reader_column_name(reader, column);
}

/* ----------------------------------------------------------------
 *		Reading
 * ----------------------------------------------------------------
 */

int
rowser_reader_select(RowserReader *reader, uint32 column, Oid type,
					 int32 typmod)
{
	MemoryContext old_context = MemoryContextSwitchTo(reader->context);
	Selected   *selected = palloc(sizeof(Selected));
	ErrorContextCallback callback;
	uint64		batch_rows = Max(reader->trailer.nrows, 1);

	batch_rows = Min(batch_rows, ROWSER_BATCH_ROWS);
	push_error_context(reader, &callback);
	set_error_column(reader, column);
	selected->column = column;
	rowser_decoder_init(&selected->decoder,
						&reader->header.columns[column].type,
						reader->encoding,
						rowser_reader_column_name(reader, column),
						ROWSER_ORIGIN_CALLER, type, typmod);
	selected->values = palloc(batch_rows * sizeof(Datum));
	selected->nulls = palloc(batch_rows * sizeof(bool));
	reader->column = NO_COLUMN;
	error_context_stack = callback.previous;

	reader->selected = repalloc(reader->selected,
								(reader->nselected + 1) * sizeof(Selected *));
	reader->selected[reader->nselected] = selected;
	MemoryContextSwitchTo(old_context);
	return reader->nselected++;
}

/* Read the next group's header and check it against the directory. */
static void
read_group(RowserReader *reader)
{
	const RowserDirectoryEntry *entry = &reader->trailer.groups[reader->ngroups];
	RowserGroup *group = &reader->group;

	reader->ngroups++;
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
	/* entries were checked to lie one after the other up to the trailer */
	reader->cursor.next = group->body + group->body_size;
	reader->rows_left = group->nrows;
}

/* Start the decoders on the next group; false when there is none. */
static bool
start_group(RowserReader *reader)
{
	MemoryContext old_context;

	if (reader->ngroups == reader->trailer.ngroups)
		return false;
	MemoryContextReset(reader->group_context);
	old_context = MemoryContextSwitchTo(reader->group_context);
	read_group(reader);
	for (int i = 0; i < reader->nselected; i++)
	{
		Selected   *selected = reader->selected[i];
		RowserCursor at = reader->cursor;

		set_error_column(reader, selected->column);
		if (!rowser_group_check_column(&reader->group, selected->column, &at))
			rowser_fault_report(&reader->fault);
		rowser_decoder_start(&selected->decoder,
							 &reader->group.columns[selected->column],
							 reader->group.body, &reader->cursor);
	}
	reader->column = NO_COLUMN;
	MemoryContextSwitchTo(old_context);
	return true;
}

/* Check that a group's values are used up together with its rows. */
static void
finish_group(RowserReader *reader)
{
	for (int i = 0; i < reader->nselected; i++)
	{
		set_error_column(reader, reader->selected[i]->column);
		rowser_decoder_finish(&reader->selected[i]->decoder);
	}
	reader->column = NO_COLUMN;
}

/*
 * How many rows a batch has: fewer where a row consists of very many values, all
 * of which are in memory at the same time.
 */
static uint32
batch_rows(const RowserReader *reader)
{
	uint32		nrows = BATCH_VALUES / Max(reader->group.nnodes, 1);

	return Max(Min(nrows, ROWSER_BATCH_ROWS), 1);
}

static uint32
next_batch(RowserReader *reader)
{
	MemoryContext old_context;
	uint32		nrows;

	if (reader->rows_left == 0 && !start_group(reader))
		return 0;
	nrows = Min(reader->rows_left, batch_rows(reader));
	old_context = MemoryContextSwitchTo(reader->batch_context);
	for (int i = 0; i < reader->nselected; i++)
	{
		Selected   *selected = reader->selected[i];

		set_error_column(reader, selected->column);
		rowser_decoder_next(&selected->decoder, nrows, selected->values,
							selected->nulls);
	}
	reader->column = NO_COLUMN;
	reader->rows_left -= nrows;
	if (reader->rows_left == 0)
		finish_group(reader);
	MemoryContextSwitchTo(old_context);
	return nrows;
}

uint32
rowser_reader_next(RowserReader *reader)
{
	ErrorContextCallback callback;
	uint32		nrows;

	CHECK_FOR_INTERRUPTS();
	MemoryContextReset(reader->batch_context);
	push_error_context(reader, &callback);
	nrows = next_batch(reader);
	error_context_stack = callback.previous;
	return nrows;
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

/* ----------------------------------------------------------------
 *		Groups
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
	push_error_context(reader, &callback);
	read_group(reader);
	error_context_stack = callback.previous;
	MemoryContextSwitchTo(old_context);
	return &reader->group;
}

void
rowser_reader_check_group(RowserReader *reader, const RowserGroup *group)
{
	MemoryContext old_context = MemoryContextSwitchTo(reader->group_context);
	RowserCursor at = reader->cursor;
	ErrorContextCallback callback;

	push_error_context(reader, &callback);
	if (!rowser_group_validate(group, &at))
		rowser_fault_report(&reader->fault);
	error_context_stack = callback.previous;
	MemoryContextSwitchTo(old_context);
}
