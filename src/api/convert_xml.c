/*-------------------------------------------------------------------------
 *
 * convert_xml.c
 *	  rowset_to_xml(): a rowset as query_to_xml() maps a query's result.
 *
 * Core maps names and values; the elements around them are written here.
 *
 * Memory: see convert_rows.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/xml.h"

#include "api/convert_rows.h"

PG_FUNCTION_INFO_V1(rowset_to_xml);

#define INSTANCE_NAMESPACE "http://www.w3.org/2001/XMLSchema-instance"

/* How the rows are to be mapped */
typedef struct Mapping
{
	bool		nulls;			/* whether a NULL has an element */
	bool		tableforest;	/* whether each row is a document of its own */
	const char *targetns;		/* "" for none */
	char	  **names;			/* of the columns */
	StringInfoData text;		/* of one row, or of what is around them */
} Mapping;

static void
init_names(Mapping *mapping, const RowserConvertRows *rows)
{
	mapping->names = palloc(Max(rows->ncolumns, 1) * sizeof(char *));
	for (uint32 i = 0; i < rows->ncolumns; i++)
		mapping->names[i] = map_sql_identifier_to_xml_name(rows->names[i],
														   true, false);
}

/* Open an element that can be the root of a document. */
static void
open_root(Mapping *mapping, const char *name)
{
	appendStringInfo(&mapping->text, "<%s xmlns:xsi=\"%s\"", name,
					 INSTANCE_NAMESPACE);
	if (mapping->targetns[0] != '\0')
		appendStringInfo(&mapping->text, " xmlns=\"%s\"", mapping->targetns);
	appendStringInfoString(&mapping->text, ">\n");
}

/* Map the value of the row at hand in a column. */
static void
map_column(Mapping *mapping, RowserConvertRows *rows, uint32 column)
{
	StringInfo	text = &mapping->text;
	const char *name = mapping->names[column];

	if (rows->nulls[column])
	{
		if (mapping->nulls)
			appendStringInfo(text, "  <%s xsi:nil=\"true\"/>\n", name);
		return;
	}
	rows->column = column;
	appendStringInfo(text, "  <%s>", name);
	appendStringInfoString(text,
						   map_sql_value_to_xml_value(rows->values[column],
													  rows->types[column],
													  true));
	appendStringInfo(text, "</%s>\n", name);
}

/* Map the row at hand. */
static void
map_row(Mapping *mapping, RowserConvertRows *rows)
{
	MemoryContext old_context = MemoryContextSwitchTo(rows->context);

	if (mapping->tableforest)
		open_root(mapping, "row");
	else
		appendStringInfoString(&mapping->text, "<row>\n");
	for (uint32 i = 0; i < rows->ncolumns; i++)
		map_column(mapping, rows, i);
	rows->column = ROWSER_CONVERT_NO_COLUMN;
	appendStringInfoString(&mapping->text, "</row>\n\n");
	MemoryContextSwitchTo(old_context);
}

/* Move what is mapped to the result. */
static void
flush(Mapping *mapping, StringInfo result)
{
	rowser_convert_append(result, mapping->text.data, mapping->text.len,
						  "xml");
	resetStringInfo(&mapping->text);
}

/*
 * rowset_to_xml(rowset bytea, nulls boolean, tableforest boolean,
 *				 targetns text) returns xml
 */
Datum
rowset_to_xml(PG_FUNCTION_ARGS)
{
	RowserConvertRows rows;
	Mapping		mapping = {
		.nulls = PG_GETARG_BOOL(1),
		.tableforest = PG_GETARG_BOOL(2),
		.targetns = text_to_cstring(PG_GETARG_TEXT_PP(3)),
	};
	StringInfoData result;

	rowser_convert_begin(&rows, PG_GETARG_DATUM(0), false);
	init_names(&mapping, &rows);
	initStringInfo(&mapping.text);
	rowser_convert_init_result(&result);
	if (!mapping.tableforest)
	{
		open_root(&mapping, "table");
		appendStringInfoChar(&mapping.text, '\n');
	}
	while (rowser_convert_next(&rows))
	{
		map_row(&mapping, &rows);
		flush(&mapping, &result);
	}
	if (!mapping.tableforest)
		appendStringInfoString(&mapping.text, "</table>\n");
	flush(&mapping, &result);
	rowser_convert_end(&rows);
	PG_RETURN_DATUM(rowser_convert_finish_result(&result));
}
