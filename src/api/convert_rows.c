/*-------------------------------------------------------------------------
 *
 * convert_rows.c
 *	  What the calls that turn rowsets into other formats share.
 *
 * The rowset names the types here, so they are found as resolve.h says.
 *
 * Memory: besides the result, the reader's batch and a context for what one
 * row takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "api/convert_rows.h"
#include "columns/resolve.h"
#include "compat.h"

/* ----------------------------------------------------------------
 *		Rows
 * ----------------------------------------------------------------
 */

/* Say which value an error was met at. */
static void
convert_error_context(void *arg)
{
	const RowserConvertRows *rows = arg;

	if (rows->column == ROWSER_CONVERT_NO_COLUMN)
		return;
	if (rows->nrows == 0)
		errcontext("column \"%s\" of rowset", rows->names[rows->column]);
	else
		errcontext("row " UINT64_FORMAT ", column \"%s\" of rowset",
				   rows->nrows, rows->names[rows->column]);
}

static void
select_column(RowserConvertRows *rows, uint32 column, bool keep_domains)
{
	const RowserType *described =
	&rowser_reader_header(rows->reader)->columns[column].type;
	int			encoding = rowser_reader_encoding(rows->reader);
	Oid			type;
	int32		typmod;

	if (keep_domains)
		type = rowser_resolve_sent(described, encoding, &typmod);
	else
	{
		type = rowser_resolve_type(described, encoding);
		typmod = rowser_resolve_typmod(described);
	}
	rows->names[column] = rowser_reader_column_name(rows->reader, column);
	rows->types[column] = type;
	(void) rowser_reader_select_resolved(rows->reader, column, type, typmod);
}

void
rowser_convert_begin(RowserConvertRows *rows, Datum rowset, bool keep_domains)
{
	uint32		size;

	memset(rows, 0, sizeof(*rows));
	/* whole: a cast may do away with the table that it is stored in */
	rows->reader = rowser_reader_open(DatumGetByteaPP(rowset));
	rows->ncolumns = rowser_reader_header(rows->reader)->ncolumns;
	size = Max(rows->ncolumns, 1);
	rows->names = palloc(size * sizeof(char *));
	rows->types = palloc(size * sizeof(Oid));
	rows->values = palloc(size * sizeof(Datum));
	rows->nulls = palloc(size * sizeof(bool));
	for (uint32 i = 0; i < rows->ncolumns; i++)
		select_column(rows, i, keep_domains);
	rows->context = AllocSetContextCreate(CurrentMemoryContext,
										  "rowser convert row",
										  ALLOCSET_DEFAULT_SIZES);
	rows->column = ROWSER_CONVERT_NO_COLUMN;
	rows->callback.callback = convert_error_context;
	rows->callback.arg = rows;
	rows->callback.previous = error_context_stack;
	error_context_stack = &rows->callback;
}

bool
rowser_convert_next(RowserConvertRows *rows)
{
	CHECK_FOR_INTERRUPTS();
	rows->column = ROWSER_CONVERT_NO_COLUMN;
	MemoryContextReset(rows->context);
	if (rows->batch_next == rows->batch_rows)
	{
		rows->batch_rows = rowser_reader_next(rows->reader);
		rows->batch_next = 0;
		if (rows->batch_rows == 0)
			return false;
	}
	for (uint32 i = 0; i < rows->ncolumns; i++)
	{
		rows->values[i] = rowser_reader_values(rows->reader,
											   i)[rows->batch_next];
		rows->nulls[i] = rowser_reader_nulls(rows->reader,
											 i)[rows->batch_next];
	}
	rows->batch_next++;
	rows->nrows++;
	return true;
}

void
rowser_convert_end(RowserConvertRows *rows)
{
	error_context_stack = rows->callback.previous;
	MemoryContextDelete(rows->context);
	rowser_reader_close(rows->reader);
}

/* ----------------------------------------------------------------
 *		The result
 * ----------------------------------------------------------------
 */

void
rowser_convert_init_result(StringInfo result)
{
	initStringInfo(result);
	appendStringInfoSpaces(result, VARHDRSZ);
}

void
rowser_convert_append(StringInfo result, const char *data, int size,
					  const char *type)
{
	/* what StringInfo allows, which has a byte more for its own use */
	if (size >= (int) MaxAllocSize - result->len)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("result is too large"),
				 errdetail("A value of type %s can have at most 1 GB.", type),
				 errhint("Convert fewer rows at a time.")));
	appendBinaryStringInfo(result, data, size);
}

Datum
rowser_convert_finish_result(StringInfo result)
{
	SET_VARSIZE(result->data, result->len);
	return PointerGetDatum(result->data);
}
