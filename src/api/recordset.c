/*-------------------------------------------------------------------------
 *
 * recordset.c
 *	  rowset_to_recordset() and its kin: a rowset as rows of a shape that the
 *	  caller names.
 *
 * The caller's types decide how each column is decoded; what the rowset says of
 * its own types is only compared with them.
 *
 * Memory: the reader is in the context that the function is called in, and is
 * closed before the function returns.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "columns/decoder.h"
#include "columns/domain.h"
#include "compat.h"
#include "rowset/reader.h"

PG_FUNCTION_INFO_V1(rowset_to_recordset);
PG_FUNCTION_INFO_V1(rowset_populate_recordset);
PG_FUNCTION_INFO_V1(rowset_populate_record);

/* Where the attributes of the rows that are made come from */
typedef struct Projection
{
	TupleDesc	tupdesc;		/* of the rows; borrowed */
	int		   *selected;		/* the reader's array, or -1 */
	Datum	   *values;			/* a row; begins with the defaults */
	bool	   *nulls;
} Projection;

#define NOT_SELECTED (-1)

/* ----------------------------------------------------------------
 *		Matching columns
 * ----------------------------------------------------------------
 */

static char *
column_names(RowserReader *reader)
{
	const RowserHeader *header = rowser_reader_header(reader);

	if (header->ncolumns == 0)
		return pstrdup("none");
	return rowser_field_names(header->columns, header->ncolumns,
							  rowser_reader_encoding(reader));
}

/* The column with a name; NOT_SELECTED if there is none, an error if several. */
static int
find_column(RowserReader *reader, const char *name, bool can_match_by_position)
{
	int			found = NOT_SELECTED;

	for (uint32 i = 0; i < rowser_reader_header(reader)->ncolumns; i++)
	{
		if (strcmp(rowser_reader_column_name(reader, i), name) != 0)
			continue;
		if (found != NOT_SELECTED)
			ereport(ERROR,
					(errcode(ERRCODE_AMBIGUOUS_COLUMN),
					 errmsg("column \"%s\" is ambiguous in the rowset", name),
					 errdetail("The rowset's columns are: %s.",
							   column_names(reader)),
					 can_match_by_position ?
					 errhint("Match the columns by position.") : 0));
		found = i;
	}
	return found;
}

static void
report_no_column(RowserReader *reader, const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" does not exist in the rowset", name),
			 errdetail("The rowset's columns are: %s.",
					   column_names(reader))));
}

static void
init_projection(Projection *projection, TupleDesc tupdesc)
{
	int			natts = Max(tupdesc->natts, 1);

	projection->tupdesc = tupdesc;
	projection->selected = palloc(natts * sizeof(int));
	projection->values = palloc0(natts * sizeof(Datum));
	projection->nulls = palloc(natts * sizeof(bool));
	for (int i = 0; i < natts; i++)
	{
		projection->selected[i] = NOT_SELECTED;
		projection->nulls[i] = true;
	}
}

/* Read a column of the rowset into an attribute. */
static void
select_column(Projection *projection, RowserReader *reader, int attribute,
			  uint32 column)
{
	Form_pg_attribute att = TupleDescAttr(projection->tupdesc, attribute);

	projection->selected[attribute] = rowser_reader_select(reader, column,
														   att->atttypid,
														   att->atttypmod);
}

/* Check that a NULL may stand in for a missing column: a domain may object. */
static void
check_null(Oid type)
{
	RowserDomain *domain = rowser_domain_create(type);

	if (domain != NULL)
		rowser_domain_check(domain, (Datum) 0, true);
}

static void
match_by_name(Projection *projection, RowserReader *reader, bool all)
{
	for (int i = 0; i < projection->tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(projection->tupdesc, i);
		int			column;

		if (att->attisdropped)
			continue;
		column = find_column(reader, NameStr(att->attname), all);
		if (column != NOT_SELECTED)
			select_column(projection, reader, i, column);
		else if (all)
			report_no_column(reader, NameStr(att->attname));
		else if (projection->nulls[i])
			check_null(att->atttypid);
	}
}

static void
match_by_position(Projection *projection, RowserReader *reader)
{
	uint32		ncolumns = rowser_reader_header(reader)->ncolumns;

	for (int i = 0; i < projection->tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(projection->tupdesc, i);

		if ((uint32) i >= ncolumns)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN),
					 errmsg("column %d (\"%s\") does not exist in the rowset",
							i + 1, NameStr(att->attname)),
					 errdetail("The rowset has %u columns: %s.", ncolumns,
							   column_names(reader))));
		select_column(projection, reader, i, i);
	}
}

/* ----------------------------------------------------------------
 *		Making rows
 * ----------------------------------------------------------------
 */

/* Fill a row with the values of one of a batch. */
static inline void
fill_row(Projection *projection, RowserReader *reader, uint32 row)
{
	for (int i = 0; i < projection->tupdesc->natts; i++)
	{
		int			selected = projection->selected[i];

		if (selected == NOT_SELECTED)
			continue;
		projection->values[i] = rowser_reader_values(reader, selected)[row];
		projection->nulls[i] = rowser_reader_nulls(reader, selected)[row];
	}
}

/* What a caller that takes sets, and takes them whole, expects of rows */
static TupleDesc
expected_tupdesc(FunctionCallInfo fcinfo)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	if (rsinfo == NULL || !IsA(rsinfo, ReturnSetInfo))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("set-valued function called in context that cannot accept a set")));
	if (rsinfo->expectedDesc == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("function returning record called in context "
						"that cannot accept type record"),
				 errhint("Call it in FROM with a column definition list, such as the one that rowset_column_list gives.")));
	return rsinfo->expectedDesc;
}

/* Put all rows into the function's tuplestore. */
static void
put_rows(FunctionCallInfo fcinfo, Projection *projection,
		 RowserReader *reader, Oid domain)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	RowserDomain *check = OidIsValid(domain) ? rowser_domain_create(domain) :
	NULL;
	uint32		nrows;

	while ((nrows = rowser_reader_next(reader)) > 0)
	{
		for (uint32 row = 0; row < nrows; row++)
		{
			fill_row(projection, reader, row);
			if (check != NULL)
			{
				HeapTuple	tuple = heap_form_tuple(projection->tupdesc,
													projection->values,
													projection->nulls);

				rowser_domain_check(check, HeapTupleGetDatum(tuple), false);
				heap_freetuple(tuple);
			}
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc,
								 projection->values, projection->nulls);
		}
	}
}

/* ----------------------------------------------------------------
 *		By column list
 * ----------------------------------------------------------------
 */

/* Whether columns are matched by position; else it is by name. */
static bool
match_is_by_position(FunctionCallInfo fcinfo, int argument)
{
	char	   *match;

	if (PG_ARGISNULL(argument))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("match must not be NULL"),
				 errhint("Available values: name, position.")));
	match = text_to_cstring(PG_GETARG_TEXT_PP(argument));
	if (strcmp(match, "position") == 0)
		return true;
	if (strcmp(match, "name") == 0)
		return false;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value for match: \"%s\"", match),
			 errhint("Available values: name, position.")));
	return false;
}

/*
 * rowset_to_recordset(rowset bytea, match text) returns setof record
 */
Datum
rowset_to_recordset(PG_FUNCTION_ARGS)
{
	bool		by_position = match_is_by_position(fcinfo, 1);
	Projection	projection;
	RowserReader *reader;

	init_projection(&projection, expected_tupdesc(fcinfo));
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();

	reader = rowser_reader_open(PG_GETARG_BYTEA_PP(0));
	if (by_position)
		match_by_position(&projection, reader);
	else
		match_by_name(&projection, reader, true);
	put_rows(fcinfo, &projection, reader, InvalidOid);
	rowser_reader_close(reader);
	PG_RETURN_NULL();
}

/* ----------------------------------------------------------------
 *		By row type
 * ----------------------------------------------------------------
 */

/* The row type of argument 0, and the domain over it if it is one. */
static Oid
base_row_type(FunctionCallInfo fcinfo, Oid *domain)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);
	Oid			base = getBaseType(type);

	*domain = base == type ? InvalidOid : type;
	if (!OidIsValid(type) || !type_is_rowtype(base))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("first argument must be a row type"),
				 errdetail("It is of type %s.", format_type_be(type)),
				 errhint("Use NULL::some_table or NULL::some_composite_type.")));
	return base;
}

/* Take the defaults of a row from `base`, which is of its type. */
static void
fill_defaults(Projection *projection, HeapTupleHeader base)
{
	TupleDesc	tupdesc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(base),
												 HeapTupleHeaderGetTypMod(base));
	HeapTupleData tuple;
	bool		same = tupdesc->natts == projection->tupdesc->natts;

	for (int i = 0; same && i < tupdesc->natts; i++)
		same = TupleDescAttr(tupdesc, i)->atttypid ==
			TupleDescAttr(projection->tupdesc, i)->atttypid;
	if (!same)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("first argument does not fit the column definition list")));

	tuple.t_len = HeapTupleHeaderGetDatumLength(base);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	tuple.t_data = base;
	heap_deform_tuple(&tuple, tupdesc, projection->values, projection->nulls);
	ReleaseTupleDesc(tupdesc);
}

/*
 * rowset_populate_recordset(base anyelement, rowset bytea) returns setof
 * anyelement
 */
Datum
rowset_populate_recordset(PG_FUNCTION_ARGS)
{
	Projection	projection;
	RowserReader *reader;
	Oid			domain;

	(void) base_row_type(fcinfo, &domain);
	init_projection(&projection, expected_tupdesc(fcinfo));
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();

	if (!PG_ARGISNULL(0))
		fill_defaults(&projection, PG_GETARG_HEAPTUPLEHEADER(0));
	reader = rowser_reader_open(PG_GETARG_BYTEA_PP(1));
	match_by_name(&projection, reader, false);
	put_rows(fcinfo, &projection, reader, domain);
	rowser_reader_close(reader);
	PG_RETURN_NULL();
}

/* The descriptor of the row that rowset_populate_record() is to give. */
static TupleDesc
record_tupdesc(FunctionCallInfo fcinfo, Oid type)
{
	TupleDesc	tupdesc;

	if (type != RECORDOID)
		return lookup_rowtype_tupdesc_copy(type, -1);
	if (!PG_ARGISNULL(0))
	{
		HeapTupleHeader base = PG_GETARG_HEAPTUPLEHEADER(0);

		return lookup_rowtype_tupdesc_copy(RECORDOID,
										   HeapTupleHeaderGetTypMod(base));
	}
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("could not determine row type for result of rowset_populate_record"),
				 errhint("Provide a non-NULL record argument, or call the function in FROM with a column definition list.")));
	return BlessTupleDesc(CreateTupleDescCopy(tupdesc));
}

/*
 * rowset_populate_record(base anyelement, rowset bytea) returns anyelement
 */
Datum
rowset_populate_record(PG_FUNCTION_ARGS)
{
	Oid			domain;
	Oid			type = base_row_type(fcinfo, &domain);
	Projection	projection;
	RowserReader *reader;
	Datum		result;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	init_projection(&projection, record_tupdesc(fcinfo, type));
	if (!PG_ARGISNULL(0))
		fill_defaults(&projection, PG_GETARG_HEAPTUPLEHEADER(0));

	reader = rowser_reader_open(PG_GETARG_BYTEA_PP(1));
	match_by_name(&projection, reader, false);
	if (rowser_reader_next(reader) > 0)
		fill_row(&projection, reader, 0);
	else if (PG_ARGISNULL(0))
	{
		rowser_reader_close(reader);
		PG_RETURN_NULL();
	}
	result = HeapTupleGetDatum(heap_form_tuple(projection.tupdesc,
											   projection.values,
											   projection.nulls));
	rowser_reader_close(reader);
	if (OidIsValid(domain))
		rowser_domain_check(rowser_domain_create(domain), result, false);
	PG_RETURN_DATUM(result);
}
