/*-------------------------------------------------------------------------
 *
 * reshape.c
 *	  rowset_slice(), rowset_project() and the like: rowsets from rowsets,
 *	  without decoding what need not be.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "parser/scansup.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "rowset/concat.h"
#include "rowset/match.h"
#include "rowset/project.h"
#include "rowset/schema.h"
#include "rowset/slice.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(rowset_slice);
PG_FUNCTION_INFO_V1(rowset_project);
PG_FUNCTION_INFO_V1(rowset_rename);
PG_FUNCTION_INFO_V1(rowset_rename_all);
PG_FUNCTION_INFO_V1(rowset_concat);
PG_FUNCTION_INFO_V1(rowset_concat_agg_transfn);
PG_FUNCTION_INFO_V1(rowset_concat_agg_finalfn);
PG_FUNCTION_INFO_V1(rowset_schema_hash);

/* ----------------------------------------------------------------
 *		Rows
 * ----------------------------------------------------------------
 */

/*
 * rowset_slice(rowset bytea, offset bigint, limit bigint) returns bytea
 *
 * NULL is no offset or no limit, as it is for a query's.
 */
Datum
rowset_slice(PG_FUNCTION_ARGS)
{
	int64		offset = PG_ARGISNULL(1) ? 0 : PG_GETARG_INT64(1);
	int64		limit = PG_ARGISNULL(2) ? PG_INT64_MAX : PG_GETARG_INT64(2);

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (offset < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE),
				 errmsg("offset must not be negative")));
	if (limit < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_ROW_COUNT_IN_LIMIT_CLAUSE),
				 errmsg("limit must not be negative")));
	PG_RETURN_BYTEA_P(rowser_slice(PG_GETARG_DATUM(0), offset, limit,
								   rowser_settings_writer_options()));
}

/* ----------------------------------------------------------------
 *		Columns
 * ----------------------------------------------------------------
 */

/* A text as an identifier, which is cut, with a notice, if it is too long */
static char *
identifier(Datum given)
{
	char	   *name = TextDatumGetCString(given);

	truncate_identifier(name, strlen(name), true);
	return name;
}

/* The same for a new name, which must not be empty. */
static char *
new_identifier(Datum given)
{
	char	   *name = identifier(given);

	if (*name == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_NAME),
				 errmsg("column name must not be empty")));
	return name;
}

static void
report_null_name(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 errmsg("column name must not be NULL")));
}

/* Take an array of names apart. */
static Datum *
deconstruct_names(ArrayType *array, int *nnames)
{
	Datum	   *names;
	bool	   *nulls;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &names, &nulls,
					  nnames);
	for (int i = 0; i < *nnames; i++)
	{
		if (nulls[i])
			report_null_name();
	}
	return names;
}

/*
 * rowset_project(rowset bytea, VARIADIC names text[]) returns bytea
 */
Datum
rowset_project(PG_FUNCTION_ARGS)
{
	RowserReader *reader = rowser_reader_open_datum(PG_GETARG_DATUM(0), NULL);
	int			nnames;
	Datum	   *names = deconstruct_names(PG_GETARG_ARRAYTYPE_P(1), &nnames);
	uint32	   *columns;
	bytea	   *result;

	if (nnames > ROWSER_MAX_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_COLUMNS),
				 errmsg("too many columns"),
				 errdetail("A rowset can have at most %d.",
						   ROWSER_MAX_COLUMNS)));
	columns = palloc(Max(nnames, 1) * sizeof(uint32));
	for (int i = 0; i < nnames; i++)
		columns[i] = rowser_match_column(reader, identifier(names[i]));
	result = rowser_project(reader, columns, nnames);
	rowser_reader_close(reader);
	PG_RETURN_BYTEA_P(result);
}

/*
 * rowset_rename(rowset bytea, name text, new_name text) returns bytea
 */
Datum
rowset_rename(PG_FUNCTION_ARGS)
{
	RowserReader *reader;
	const char **names;
	bytea	   *result;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
		report_null_name();
	reader = rowser_reader_open(PG_GETARG_BYTEA_PP(0));
	names = palloc0(Max(rowser_reader_header(reader)->ncolumns, 1) *
					sizeof(char *));
	names[rowser_match_column(reader, identifier(PG_GETARG_DATUM(1)))] =
		new_identifier(PG_GETARG_DATUM(2));
	result = rowser_rename(reader, names);
	rowser_reader_close(reader);
	PG_RETURN_BYTEA_P(result);
}

/*
 * rowset_rename(rowset bytea, new_names text[]) returns bytea
 *
 * Like the column aliases of a query's FROM: the columns that have none keep
 * their names.
 */
Datum
rowset_rename_all(PG_FUNCTION_ARGS)
{
	RowserReader *reader = rowser_reader_open(PG_GETARG_BYTEA_PP(0));
	uint32		ncolumns = rowser_reader_header(reader)->ncolumns;
	int			nnames;
	Datum	   *new_names = deconstruct_names(PG_GETARG_ARRAYTYPE_P(1),
											  &nnames);
	const char **names = palloc0(Max(ncolumns, 1) * sizeof(char *));
	bytea	   *result;

	if (nnames > ncolumns)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_COLUMN_REFERENCE),
				 errmsg("too many column names"),
				 errdetail("The rowset has %u columns, but %d names are given.",
						   ncolumns, nnames)));
	for (int i = 0; i < nnames; i++)
		names[i] = new_identifier(new_names[i]);
	result = rowser_rename(reader, names);
	rowser_reader_close(reader);
	PG_RETURN_BYTEA_P(result);
}

/* ----------------------------------------------------------------
 *		Putting together
 * ----------------------------------------------------------------
 */

/* Append a rowset to the ones before it, or begin with it. */
static RowserWriter *
concat_next(RowserWriter *writer, Datum rowset)
{
	bytea	   *detoasted = DatumGetByteaPP(rowset);

	if (writer == NULL)
		writer = rowser_concat_begin(detoasted,
									 rowser_settings_writer_options());
	else
		rowser_concat_append(writer, detoasted);
	if ((Pointer) detoasted != DatumGetPointer(rowset))
		pfree(detoasted);
	return writer;
}

/*
 * rowset_concat(VARIADIC rowsets bytea[]) returns bytea
 */
Datum
rowset_concat(PG_FUNCTION_ARGS)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(0);
	RowserWriter *writer = NULL;
	Datum	   *rowsets;
	bool	   *nulls;
	int			nrowsets;

	deconstruct_array(array, BYTEAOID, -1, false, TYPALIGN_INT, &rowsets,
					  &nulls, &nrowsets);
	for (int i = 0; i < nrowsets; i++)
	{
		if (!nulls[i])
			writer = concat_next(writer, rowsets[i]);
	}
	if (writer == NULL)
		PG_RETURN_NULL();
	PG_RETURN_BYTEA_P(rowser_writer_finish(writer));
}

/* The aggregate's state, in the aggregate's context */
typedef struct ConcatAggState
{
	RowserWriter *writer;
	bytea	   *rowset;			/* instead, once it has been asked for */
} ConcatAggState;

/*
 * rowset_concat_agg_transfn(state internal, rowset bytea) returns internal
 */
Datum
rowset_concat_agg_transfn(PG_FUNCTION_ARGS)
{
	ConcatAggState *state = PG_ARGISNULL(0) ? NULL :
	(ConcatAggState *) PG_GETARG_POINTER(0);
	MemoryContext context;
	MemoryContext old_context;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "rowset_concat_agg_transfn called in non-aggregate context");
	if (!PG_ARGISNULL(1))
	{
		old_context = MemoryContextSwitchTo(context);
		if (state == NULL)
			state = palloc0(sizeof(ConcatAggState));
		state->writer = concat_next(state->writer, PG_GETARG_DATUM(1));
		MemoryContextSwitchTo(old_context);
	}
	if (state == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(state);
}

/*
 * rowset_concat_agg_finalfn(state internal) returns bytea
 *
 * May be called again, as rowset_agg_finalfn() may.
 */
Datum
rowset_concat_agg_finalfn(PG_FUNCTION_ARGS)
{
	ConcatAggState *state;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (ConcatAggState *) PG_GETARG_POINTER(0);
	if (state->rowset == NULL)
	{
		state->rowset = rowser_writer_finish(state->writer);
		state->writer = NULL;
	}
	PG_RETURN_BYTEA_P(state->rowset);
}

/*
 * rowset_schema_hash(rowset bytea) returns text
 */
Datum
rowset_schema_hash(PG_FUNCTION_ARGS)
{
	RowserReader *reader = rowser_reader_open_datum(PG_GETARG_DATUM(0), NULL);
	text	   *result;

	result = cstring_to_text(rowser_schema_hash(rowser_reader_header(reader)));
	rowser_reader_close(reader);
	PG_RETURN_TEXT_P(result);
}
