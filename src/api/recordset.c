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

#include "columns/domain.h"
#include "rowset/match.h"

PG_FUNCTION_INFO_V1(rowset_to_recordset);
PG_FUNCTION_INFO_V1(rowset_populate_recordset);
PG_FUNCTION_INFO_V1(rowset_populate_record);

/* Where the attributes of the rows that are made come from */
typedef struct Projection
{
	TupleDesc	tupdesc;		/* of the rows; borrowed */
	int		   *selected;		/* as match.h says */
	Datum	   *values;			/* a row; begins with the defaults */
	bool	   *nulls;
} Projection;

static void
init_projection(Projection *projection, TupleDesc tupdesc)
{
	int			natts = Max(tupdesc->natts, 1);

	projection->tupdesc = tupdesc;
	projection->values = palloc0(natts * sizeof(Datum));
	projection->nulls = palloc(natts * sizeof(bool));
	memset(projection->nulls, true, natts * sizeof(bool));
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

		if (selected == ROWSER_NOT_SELECTED)
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
	RowserProgress progress;
	uint32		nrows;

	rowser_reader_set_progress(reader, &progress, ROWSER_PROGRESS_READ);
	rowser_progress_begin(&progress);
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
	rowser_progress_end(&progress);
}

/* ----------------------------------------------------------------
 *		By column list
 * ----------------------------------------------------------------
 */

/*
 * rowset_to_recordset(rowset bytea, match text) returns setof record
 */
Datum
rowset_to_recordset(PG_FUNCTION_ARGS)
{
	bool		by_position = rowser_match_is_by_position(PG_GETARG_DATUM(1),
														  PG_ARGISNULL(1));
	Projection	projection;
	RowserReader *reader;

	init_projection(&projection, expected_tupdesc(fcinfo));
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();

	reader = rowser_reader_open(PG_GETARG_BYTEA_PP(0));
	if (by_position)
		projection.selected = rowser_match_by_position(reader,
													   projection.tupdesc);
	else
		projection.selected = rowser_match_by_name(reader,
												   projection.tupdesc, NULL);
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
		rowser_match_defaults(PG_GETARG_HEAPTUPLEHEADER(0),
							  projection.tupdesc, projection.values,
							  projection.nulls);
	reader = rowser_reader_open(PG_GETARG_BYTEA_PP(1));
	projection.selected = rowser_match_by_name(reader, projection.tupdesc,
											   projection.nulls);
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
		rowser_match_defaults(PG_GETARG_HEAPTUPLEHEADER(0),
							  projection.tupdesc, projection.values,
							  projection.nulls);

	reader = rowser_reader_open(PG_GETARG_BYTEA_PP(1));
	projection.selected = rowser_match_by_name(reader, projection.tupdesc,
											   projection.nulls);
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
