/*-------------------------------------------------------------------------
 *
 * arrow_reader.c
 *	  Reading an Arrow IPC stream: its columns, and its rows in batches.
 *
 * A record batch may have any number of rows, and a row any number of values
 * below it, so rows are decoded a few at a time.
 *
 * Memory: the reader has a context of its own for its columns and the
 * dictionaries' values.  Below it is one for the message that is read, and one
 * for the values of the rows that are at hand.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "bytes/arrow_read.h"
#include "bytes/header.h"
#include "columns/arrow_import.h"
#include "columns/arrow_type_read.h"
#include "errors.h"
#include "rowset/arrow_reader.h"

/* Most rows that are decoded at once */
#define BATCH_ROWS		1024

struct RowserArrowRows
{
	MemoryContext context;
	MemoryContext message_context;
	MemoryContext values_context;
	RowserFault fault;
	RowserArrowReader reader;

	uint32		ncolumns;
	TupleDesc	tupdesc;
	RowserImports imports;
	RowserImport *columns;		/* one a column */
	Datum	  **values;			/* one array a column */
	bool	  **nulls;

	RowserArrowReadBatch batch;		/* the record batch that is read */
	uint32		next;			/* row of it that is decoded next */

	/* for errors */
	ErrorContextCallback callback;
	uint64		nbatches;		/* so far */
	const char *column;			/* NULL outside of any */
};

/* Say what an error was met at; what the bytes say has a place of its own. */
static void
error_context(void *arg)
{
	const RowserArrowRows *rows = arg;

	if (rows->imports.loading != NULL)
		errcontext("dictionary of column \"%s\" of Arrow stream",
				   rows->imports.loading);
	else if (rows->column != NULL && rows->nbatches > 0)
		errcontext("record batch " UINT64_FORMAT ", column \"%s\" of Arrow stream",
				   rows->nbatches, rows->column);
	else if (rows->column != NULL)
		errcontext("column \"%s\" of Arrow stream", rows->column);
}

/* ----------------------------------------------------------------
 *		Opening
 * ----------------------------------------------------------------
 */

/* Find out which columns there are and what they are read as. */
static void
init_columns(RowserArrowRows *rows)
{
	const RowserArrowField *fields = rows->reader.fields;
	uint32		ncolumns = rows->reader.nfields;

	if (ncolumns > ROWSER_MAX_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_COLUMNS),
				 errmsg("Arrow stream has too many columns"),
				 errdetail("It has %u, and a rowset can have at most %d.",
						   ncolumns, ROWSER_MAX_COLUMNS)));
	rows->ncolumns = ncolumns;
	rows->tupdesc = CreateTemplateTupleDesc(ncolumns);
	rows->columns = palloc0(Max(ncolumns, 1) * sizeof(RowserImport));
	rows->values = palloc(Max(ncolumns, 1) * sizeof(Datum *));
	rows->nulls = palloc(Max(ncolumns, 1) * sizeof(bool *));
	rowser_imports_init(&rows->imports, &rows->reader);
	for (uint32 i = 0; i < ncolumns; i++)
	{
		char	   *name = rowser_arrow_field_name(&fields[i]);
		RowserArrowType type;

		rows->column = name;
		type = rowser_arrow_type_read(&fields[i], name);
		TupleDescInitEntry(rows->tupdesc, i + 1, name, type.type, type.typmod,
						   0);
		TupleDescInitEntryCollation(rows->tupdesc, i + 1, type.collation);
		rowser_import_init(&rows->columns[i], &rows->imports, &fields[i],
						   type.type, type.typmod, name);
		rows->values[i] = palloc(BATCH_ROWS * sizeof(Datum));
		rows->nulls[i] = palloc(BATCH_ROWS * sizeof(bool));
	}
	rows->column = NULL;
}

RowserArrowRows *
rowser_arrow_rows_open(const void *bytes, Size size)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser arrow reader",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	RowserArrowRows *rows = palloc0(sizeof(RowserArrowRows));

	rows->context = context;
	rows->message_context = AllocSetContextCreate(context,
												  "rowser arrow message",
												  ALLOCSET_DEFAULT_SIZES);
	rows->values_context = AllocSetContextCreate(context,
												 "rowser arrow values",
												 ALLOCSET_DEFAULT_SIZES);
	rows->callback.callback = error_context;
	rows->callback.arg = rows;
	rows->callback.previous = error_context_stack;
	error_context_stack = &rows->callback;
	if (!rowser_arrow_open(&rows->reader, bytes, size, &rows->fault))
		rowser_fault_report_arrow(&rows->fault);
	init_columns(rows);
	MemoryContextSwitchTo(old_context);
	return rows;
}

TupleDesc
rowser_arrow_rows_tupdesc(const RowserArrowRows *rows)
{
	return rows->tupdesc;
}

void
rowser_arrow_rows_close(RowserArrowRows *rows)
{
	error_context_stack = rows->callback.previous;
	MemoryContextDelete(rows->context);
}

/* ----------------------------------------------------------------
 *		Reading
 * ----------------------------------------------------------------
 */

/* Read messages up to the next record batch with rows; false at the end. */
static bool
next_message(RowserArrowRows *rows)
{
	MemoryContext old_context;

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextReset(rows->message_context);
		old_context = MemoryContextSwitchTo(rows->message_context);
		if (!rowser_arrow_next(&rows->reader, &rows->batch))
			rowser_fault_report_arrow(&rows->fault);
		MemoryContextSwitchTo(old_context);
		switch (rows->batch.kind)
		{
			case ROWSER_ARROW_BATCH_END:
				rows->next = 0;
				return false;
			case ROWSER_ARROW_BATCH_DICTIONARY:
				rowser_imports_dictionary(&rows->imports, &rows->batch);
				break;
			case ROWSER_ARROW_BATCH_ROWS:
				rows->nbatches++;
				rows->next = 0;
				if (rows->batch.length > 0)
					return true;
				break;
		}
	}
}

uint32
rowser_arrow_rows_next(RowserArrowRows *rows)
{
	MemoryContext old_context;
	uint32		nrows;

	CHECK_FOR_INTERRUPTS();
	MemoryContextReset(rows->values_context);
	if (rows->next == rows->batch.length && !next_message(rows))
		return 0;
	nrows = rowser_import_step(rows->columns, rows->batch.arrays,
							   rows->ncolumns, rows->next,
							   Min(rows->batch.length - rows->next,
								   BATCH_ROWS));
	old_context = MemoryContextSwitchTo(rows->values_context);
	for (uint32 i = 0; i < rows->ncolumns; i++)
	{
		rows->column = NameStr(TupleDescAttr(rows->tupdesc, i)->attname);
		rowser_import_values(&rows->columns[i], &rows->batch.arrays[i],
							 rows->next, nrows, NULL, rows->values[i],
							 rows->nulls[i]);
	}
	rows->column = NULL;
	MemoryContextSwitchTo(old_context);
	rows->next += nrows;
	return nrows;
}

Datum *const *
rowser_arrow_rows_values(const RowserArrowRows *rows)
{
	return rows->values;
}

bool *const *
rowser_arrow_rows_nulls(const RowserArrowRows *rows)
{
	return rows->nulls;
}
