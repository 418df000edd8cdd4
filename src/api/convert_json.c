/*-------------------------------------------------------------------------
 *
 * convert_json.c
 *	  rowset_to_json() and rowset_to_jsonb(): a rowset as an array of objects.
 *
 * The text is that of json_agg() over the rows, separators included.  A jsonb
 * is put together of each row's own jsonb, copied to its place as it is: an
 * array's elements are containers in the form that they have alone, one behind
 * the other, so nothing but the result and one row is held.
 *
 * Memory: see convert_rows.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#include "api/convert_rows.h"
#include "columns/json.h"
#include "compat.h"

PG_FUNCTION_INFO_V1(rowset_to_json);
PG_FUNCTION_INFO_V1(rowset_to_jsonb);

/* How the columns' values are written */
typedef struct Objects
{
	char	  **labels;			/* "name": with the quotes */
	RowserJson **columns;
	StringInfoData text;		/* of one row */
} Objects;

static void
init_objects(Objects *objects, RowserConvertRows *rows)
{
	RowserJsonRecords *records = rowser_json_records_create();
	uint32		size = Max(rows->ncolumns, 1);

	objects->labels = palloc(size * sizeof(char *));
	objects->columns = palloc(size * sizeof(RowserJson *));
	for (uint32 i = 0; i < rows->ncolumns; i++)
	{
		StringInfoData label;

		initStringInfo(&label);
		escape_json(&label, rows->names[i]);
		appendStringInfoChar(&label, ':');
		objects->labels[i] = label.data;
		rows->column = i;
		objects->columns[i] = rowser_json_create(records, rows->types[i]);
	}
	initStringInfo(&objects->text);
}

/* Make the text of the row at hand; it is good until the next one. */
static void
make_object(Objects *objects, RowserConvertRows *rows)
{
	StringInfo	text = &objects->text;
	MemoryContext old_context = MemoryContextSwitchTo(rows->context);

	resetStringInfo(text);
	appendStringInfoChar(text, '{');
	for (uint32 i = 0; i < rows->ncolumns; i++)
	{
		rows->column = i;
		if (i > 0)
			appendStringInfoChar(text, ',');
		appendStringInfoString(text, objects->labels[i]);
		if (rows->nulls[i])
			appendStringInfoString(text, "null");
		else
			rowser_json_write(objects->columns[i], rows->values[i], text);
	}
	rows->column = ROWSER_CONVERT_NO_COLUMN;
	appendStringInfoChar(text, '}');
	MemoryContextSwitchTo(old_context);
}

/*
 * rowset_to_json(rowset bytea) returns json
 *
 * NULL without rows, as json_agg() is.
 */
Datum
rowset_to_json(PG_FUNCTION_ARGS)
{
	RowserConvertRows rows;
	Objects		objects;
	StringInfoData result;

	rowser_convert_begin(&rows, PG_GETARG_DATUM(0), false);
	init_objects(&objects, &rows);
	rowser_convert_init_result(&result);
	while (rowser_convert_next(&rows))
	{
		if (rows.nrows == 1)
			rowser_convert_append(&result, "[", 1, "json");
		else
			rowser_convert_append(&result, ", \n ", 4, "json");
		make_object(&objects, &rows);
		rowser_convert_append(&result, objects.text.data, objects.text.len,
							  "json");
	}
	rowser_convert_end(&rows);
	if (rows.nrows == 0)
		PG_RETURN_NULL();
	rowser_convert_append(&result, "]", 1, "json");
	PG_RETURN_DATUM(rowser_convert_finish_result(&result));
}

/* ----------------------------------------------------------------
 *		jsonb
 * ----------------------------------------------------------------
 */

/* An array of containers that is being put together; jsonb.h describes it */
typedef struct JsonbArray
{
	StringInfoData buffer;		/* a Jsonb */
	uint32		nelements;
	uint32		total;			/* size of the elements so far */
} JsonbArray;

/* Where the entries of an array's elements stand in a Jsonb */
#define ENTRIES_OFFSET \
	((int) (offsetof(Jsonb, root) + offsetof(JsonbContainer, children)))

static void
report_too_large(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("result is too large"),
			 errdetail("The elements of a jsonb array can have at most %d bytes.",
					   JENTRY_OFFLENMASK),
			 errhint("Convert fewer rows at a time, or convert them to json.")));
}

/* Begin an array that is to have so many elements. */
static void
init_array(JsonbArray *array, uint64 nelements)
{
	int			size;
	uint32		header;

	/* an element has an entry and a header */
	if (nelements > JENTRY_OFFLENMASK / (sizeof(JEntry) + sizeof(uint32)))
		report_too_large();
	size = ENTRIES_OFFSET + (int) nelements * (int) sizeof(JEntry);
	header = (uint32) nelements | JB_FARRAY;
	initStringInfo(&array->buffer);
	enlargeStringInfo(&array->buffer, size);
	memset(array->buffer.data, 0, size);
	memcpy(array->buffer.data + offsetof(Jsonb, root), &header,
		   sizeof(header));
	array->buffer.len = size;
	array->nelements = 0;
	array->total = 0;
}

/* Append a container, which begins at a multiple of four bytes. */
static void
append_element(JsonbArray *array, const JsonbContainer *element, uint32 size)
{
	StringInfo	buffer = &array->buffer;
	uint32		padding = INTALIGN(buffer->len) - buffer->len;
	JEntry		entry = JENTRY_ISCONTAINER;

	if (buffer->len + padding + size > JENTRY_OFFLENMASK)
		report_too_large();
	appendBinaryStringInfo(buffer, "\0\0\0", padding);
	appendBinaryStringInfo(buffer, (const char *) element, size);
	array->total += padding + size;
	if (array->nelements % JB_OFFSET_STRIDE == 0)
		entry |= array->total | JENTRY_HAS_OFF;
	else
		entry |= padding + size;
	memcpy(buffer->data + ENTRIES_OFFSET + array->nelements * sizeof(JEntry),
		   &entry, sizeof(entry));
	array->nelements++;
}

/* Append the row at hand. */
static void
append_row(JsonbArray *array, Objects *objects, RowserConvertRows *rows)
{
	MemoryContext old_context;
	Datum		text;
	Jsonb	   *row;

	make_object(objects, rows);
	old_context = MemoryContextSwitchTo(rows->context);
	text = CStringGetDatum(objects->text.data);
	row = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, text));
	MemoryContextSwitchTo(old_context);
	append_element(array, &row->root,
				   VARSIZE(row) - offsetof(Jsonb, root));
}

/*
 * rowset_to_jsonb(rowset bytea) returns jsonb
 *
 * NULL without rows, as jsonb_agg() is.
 */
Datum
rowset_to_jsonb(PG_FUNCTION_ARGS)
{
	RowserConvertRows rows;
	Objects		objects;
	JsonbArray	array;
	uint64		nrows;

	rowser_convert_begin(&rows, PG_GETARG_DATUM(0), false);
	nrows = rowser_reader_trailer(rows.reader)->nrows;
	init_objects(&objects, &rows);
	init_array(&array, nrows);
	while (rowser_convert_next(&rows))
	{
		if (array.nelements == nrows)
			elog(ERROR, "rowset has more rows than its trailer says");
		append_row(&array, &objects, &rows);
	}
	rowser_convert_end(&rows);
	if (array.nelements != nrows)
		elog(ERROR, "rowset has fewer rows than its trailer says");
	if (nrows == 0)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(rowser_convert_finish_result(&array.buffer));
}
