/*-------------------------------------------------------------------------
 *
 * json.c
 *	  Values as JSON text, the same as PostgreSQL's to_json() gives.
 *
 * What the category of a type takes is looked up when the type is prepared.
 * The types of an anonymous record's fields are known when one is met, and are
 * prepared then, once for each row type.
 *
 * Memory: what is known of types is in the context of RowserJsonRecords and
 * stays as long as that.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/jsonapi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "columns/json.h"
#include "columns/json_category.h"
#include "columns/row_type.h"
#include "compat.h"

/* A row type's fields; those of attributes that are dropped are NULL */
typedef struct Row
{
	TupleDesc	tupdesc;
	char	  **labels;			/* "name": with the quotes */
	RowserJson **fields;
} Row;

struct RowserJsonRecords
{
	MemoryContext context;
	int32		size;
	Row		  **rows;			/* by typmod; NULL for those not met yet */
};

struct RowserJson
{
	RowserJsonCategory category;
	Oid			typid;			/* not a domain */
	FmgrInfo	function;		/* output function or cast */
	int			nargs;			/* of a cast */
	RowserJsonRecords *records;

	RowserJson *element;		/* ARRAY */
	int16		typlen;			/* of the element, as are those below */
	bool		typbyval;
	char		typalign;
	Row		   *row;			/* COMPOSITE */
};

/* ----------------------------------------------------------------
 *		Preparing types
 * ----------------------------------------------------------------
 */

RowserJsonRecords *
rowser_json_records_create(void)
{
	RowserJsonRecords *records = palloc0(sizeof(RowserJsonRecords));

	records->context = CurrentMemoryContext;
	return records;
}

/* Prepare a row type, whose descriptor stays around. */
static Row *
make_row(RowserJsonRecords *records, TupleDesc tupdesc)
{
	int			natts = Max(tupdesc->natts, 1);
	Row		   *row = palloc(sizeof(Row));

	row->tupdesc = tupdesc;
	row->labels = palloc0(natts * sizeof(char *));
	row->fields = palloc0(natts * sizeof(RowserJson *));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		StringInfoData label;

		if (att->attisdropped)
			continue;
		initStringInfo(&label);
		escape_json(&label, NameStr(att->attname));
		appendStringInfoChar(&label, ':');
		row->labels[i] = label.data;
		row->fields[i] = rowser_json_create(records, att->atttypid);
	}
	return row;
}

static void
init_array(RowserJson *json)
{
	Oid			element = json->typid == RECORDARRAYOID ? RECORDOID :
	get_element_type(json->typid);

	get_typlenbyvalalign(element, &json->typlen, &json->typbyval,
						 &json->typalign);
	json->element = rowser_json_create(json->records, element);
}

/* Look up what a type's values need, or its parts. */
static void
init_category(RowserJson *json)
{
	Oid			function;

	json->category = rowser_json_category(json->typid, &function);
	if (OidIsValid(function))
		fmgr_info(function, &json->function);
	if (json->category == ROWSER_JSON_CAST)
		json->nargs = get_func_nargs(function);
	else if (json->category == ROWSER_JSON_ARRAY)
		init_array(json);
	else if (json->category == ROWSER_JSON_COMPOSITE)
		json->row = make_row(json->records,
							 rowser_row_type_copy(json->typid));
}

RowserJson *
rowser_json_create(RowserJsonRecords *records, Oid type)
{
	MemoryContext old_context = MemoryContextSwitchTo(records->context);
	RowserJson *json = palloc0(sizeof(RowserJson));

	check_stack_depth();
	json->typid = getBaseType(type);
	json->records = records;
	init_category(json);
	MemoryContextSwitchTo(old_context);
	return json;
}

/* The fields of a record, prepared when the first of its row type is met */
static Row *
find_record_row(RowserJsonRecords *records, int32 typmod)
{
	MemoryContext old_context;

	if (typmod < records->size && records->rows[typmod] != NULL)
		return records->rows[typmod];

	old_context = MemoryContextSwitchTo(records->context);
	if (typmod >= records->size)
	{
		int32		size = Max(typmod + 1, 2 * records->size);
		Row		  **rows = palloc0(size * sizeof(Row *));

		if (records->size > 0)
		{
			memcpy(rows, records->rows, records->size * sizeof(Row *));
			pfree(records->rows);
		}
		records->rows = rows;
		records->size = size;
	}
	/* typmods of records are numbers of row types in this session's cache */
	records->rows[typmod] = make_row(records,
									 lookup_rowtype_tupdesc_copy(RECORDOID,
																 typmod));
	MemoryContextSwitchTo(old_context);
	return records->rows[typmod];
}

/* ----------------------------------------------------------------
 *		Writing
 * ----------------------------------------------------------------
 */

static void
write_field(const RowserJson *json, Datum value, bool isnull,
			StringInfo result)
{
	if (isnull)
		appendBinaryStringInfo(result, "null", 4);
	else
		rowser_json_write(json, value, result);
}

/* Write the next elements of an array, from its dimension `dim` on. */
static void
write_dimension(const RowserJson *element, ArrayType *array, int dim,
				ArrayIterator iterator, StringInfo result)
{
	Datum		value;
	bool		isnull;

	appendStringInfoChar(result, '[');
	for (int i = 0; i < ARR_DIMS(array)[dim]; i++)
	{
		if (i > 0)
			appendStringInfoChar(result, ',');
		if (dim + 1 < ARR_NDIM(array))
		{
			write_dimension(element, array, dim + 1, iterator, result);
			continue;
		}
		CHECK_FOR_INTERRUPTS();
		if (!array_iterate(iterator, &value, &isnull))
			elog(ERROR, "array has fewer elements than its dimensions say");
		write_field(element, value, isnull, result);
	}
	appendStringInfoChar(result, ']');
}

static void
write_array(const RowserJson *json, Datum value, StringInfo result)
{
	ArrayType  *array = DatumGetArrayTypeP(value);
	ArrayMetaState state = {
		.element_type = ARR_ELEMTYPE(array),
		.typlen = json->typlen,
		.typbyval = json->typbyval,
		.typalign = json->typalign,
	};
	ArrayIterator iterator;

	if (ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) == 0)
	{
		appendBinaryStringInfo(result, "[]", 2);
		return;
	}
	iterator = array_create_iterator(array, 0, &state);
	write_dimension(json->element, array, 0, iterator, result);
	array_free_iterator(iterator);
}

static void
write_row(const RowserJson *json, Datum value, StringInfo result)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(value);
	Row		   *row = json->category == ROWSER_JSON_COMPOSITE ? json->row :
	find_record_row(json->records, HeapTupleHeaderGetTypMod(header));
	int			natts = Max(row->tupdesc->natts, 1);
	Datum	   *values = palloc(natts * sizeof(Datum));
	bool	   *nulls = palloc(natts * sizeof(bool));
	HeapTupleData tuple;
	bool		is_first = true;

	tuple.t_len = HeapTupleHeaderGetDatumLength(header);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	tuple.t_data = header;
	heap_deform_tuple(&tuple, row->tupdesc, values, nulls);

	appendStringInfoChar(result, '{');
	for (int i = 0; i < row->tupdesc->natts; i++)
	{
		if (row->fields[i] == NULL)
			continue;
		if (!is_first)
			appendStringInfoChar(result, ',');
		is_first = false;
		appendStringInfoString(result, row->labels[i]);
		write_field(row->fields[i], values[i], nulls[i], result);
	}
	appendStringInfoChar(result, '}');
	pfree(values);
	pfree(nulls);
}

/* Write what a cast to json gives. */
static void
write_cast(const RowserJson *json, Datum value, StringInfo result)
{
	FmgrInfo   *function = unconstify(FmgrInfo *, &json->function);
	Datum		cast;
	text	   *output;

	switch (json->nargs)
	{
		case 1:
			cast = FunctionCall1(function, value);
			break;
		case 2:
			cast = FunctionCall2(function, value, Int32GetDatum(-1));
			break;
		default:
			cast = FunctionCall3(function, value, Int32GetDatum(-1),
								 BoolGetDatum(true));
			break;
	}
	output = DatumGetTextPP(cast);
	appendBinaryStringInfo(result, VARDATA_ANY(output),
						   VARSIZE_ANY_EXHDR(output));
}

/* Write a type's output, as it is or as a string. */
static void
write_output(const RowserJson *json, Datum value, StringInfo result)
{
	char	   *output = OutputFunctionCall(unconstify(FmgrInfo *,
													   &json->function),
											value);

	/* NaN and the infinities are no numbers to JSON */
	if (json->category == ROWSER_JSON_JSON ||
		(json->category == ROWSER_JSON_NUMBER &&
		 IsValidJsonNumber(output, strlen(output))))
		appendStringInfoString(result, output);
	else
		escape_json(result, output);
	pfree(output);
}

void
rowser_json_write(const RowserJson *json, Datum value, StringInfo result)
{
	char		buffer[MAXDATELEN + 1];

	switch (json->category)
	{
		case ROWSER_JSON_BOOL:
			appendStringInfoString(result,
								   DatumGetBool(value) ? "true" : "false");
			break;
		case ROWSER_JSON_DATETIME:
			JsonEncodeDateTime(buffer, value, json->typid, NULL);
			appendStringInfoChar(result, '"');
			appendStringInfoString(result, buffer);
			appendStringInfoChar(result, '"');
			break;
		case ROWSER_JSON_ARRAY:
			check_stack_depth();
			write_array(json, value, result);
			break;
		case ROWSER_JSON_COMPOSITE:
		case ROWSER_JSON_RECORD:
			check_stack_depth();
			write_row(json, value, result);
			break;
		case ROWSER_JSON_CAST:
			write_cast(json, value, result);
			break;
		case ROWSER_JSON_NUMBER:
		case ROWSER_JSON_JSON:
		case ROWSER_JSON_OTHER:
			write_output(json, value, result);
			break;
	}
}
