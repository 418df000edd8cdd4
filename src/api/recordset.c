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
#include "utils/tuplestore.h"
#include "utils/typcache.h"

#include "api/projection.h"
#include "columns/domain.h"
#include "columns/row_type.h"

PG_FUNCTION_INFO_V1(rowset_to_recordset);
PG_FUNCTION_INFO_V1(rowset_populate_recordset);
PG_FUNCTION_INFO_V1(rowset_populate_record);

/* Put all rows of a rowset into the function's tuplestore. */
static void
put_rows(FunctionCallInfo fcinfo, RowserProjection *projection,
		 RowserReader *reader, Oid domain)
{
	RowserProgress progress;

	rowser_reader_set_progress(reader, &progress, ROWSER_PROGRESS_READ);
	rowser_progress_begin(&progress);
	rowser_projection_put_rows(projection, fcinfo, reader, domain);
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
	RowserProjection projection;
	RowserReader *reader;

	rowser_projection_init(&projection, rowser_projection_expected(fcinfo));
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

/* The row type of argument 0, locked, and the domain over it if it is one. */
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
	rowser_row_type_lock(base);
	return base;
}

/*
 * rowset_populate_recordset(base anyelement, rowset bytea) returns setof
 * anyelement
 */
Datum
rowset_populate_recordset(PG_FUNCTION_ARGS)
{
	RowserProjection projection;
	RowserReader *reader;
	Oid			domain;

	(void) base_row_type(fcinfo, &domain);
	rowser_projection_init(&projection, rowser_projection_expected(fcinfo));
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
		Oid			base_type = HeapTupleHeaderGetTypeId(base);

		/* a row of a named type is a record, too */
		rowser_row_type_lock(base_type);
		return lookup_rowtype_tupdesc_copy(base_type,
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
	RowserProjection projection;
	RowserReader *reader;
	Datum		result;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	rowser_projection_init(&projection, record_tupdesc(fcinfo, type));
	if (!PG_ARGISNULL(0))
		rowser_match_defaults(PG_GETARG_HEAPTUPLEHEADER(0),
							  projection.tupdesc, projection.values,
							  projection.nulls);

	reader = rowser_reader_open(PG_GETARG_BYTEA_PP(1));
	projection.selected = rowser_match_by_name(reader, projection.tupdesc,
											   projection.nulls);
	if (rowser_reader_next(reader) > 0)
		rowser_projection_fill(&projection, reader, 0);
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
