/*-------------------------------------------------------------------------
 *
 * record.c
 *	  record_to_rowset() and rowset_agg(): rows that SQL has at hand as a
 *	  rowset.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "columns/row_type.h"
#include "rowset/concat.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(record_to_rowset);
PG_FUNCTION_INFO_V1(rowset_agg_transfn);
PG_FUNCTION_INFO_V1(rowset_agg_combinefn);
PG_FUNCTION_INFO_V1(rowset_agg_serialfn);
PG_FUNCTION_INFO_V1(rowset_agg_deserialfn);
PG_FUNCTION_INFO_V1(rowset_agg_finalfn);

/* Take a row apart and append it. */
static void
append_record(RowserWriter *writer, HeapTupleHeader record, TupleDesc tupdesc)
{
	HeapTupleData tuple;
	Datum	   *values = palloc(Max(tupdesc->natts, 1) * sizeof(Datum));
	bool	   *nulls = palloc(Max(tupdesc->natts, 1) * sizeof(bool));

	tuple.t_len = HeapTupleHeaderGetDatumLength(record);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	tuple.t_data = record;
	heap_deform_tuple(&tuple, tupdesc, values, nulls);
	rowser_writer_append(writer, values, nulls);
	pfree(values);
	pfree(nulls);
}

/*
 * record_to_rowset(rec record) returns bytea
 */
Datum
record_to_rowset(PG_FUNCTION_ARGS)
{
	HeapTupleHeader record = PG_GETARG_HEAPTUPLEHEADER(0);
	TupleDesc	tupdesc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(record),
												 HeapTupleHeaderGetTypMod(record));
	RowserWriter *writer = rowser_writer_create(tupdesc,
												rowser_settings_writer_options());

	append_record(writer, record, tupdesc);
	ReleaseTupleDesc(tupdesc);
	PG_RETURN_BYTEA_P(rowser_writer_finish(writer));
}

/* ----------------------------------------------------------------
 *		The aggregate
 * ----------------------------------------------------------------
 */

/*
 * The aggregate's state, in the aggregate's context.  A parallel worker sends
 * its own as a rowset of the rows that it has seen, whose row groups the leader
 * puts together as they are.
 */
typedef struct RowsetAggState
{
	RowserWriter *writer;
	TupleDesc	tupdesc;		/* of the rows so far; NULL once combined */
	Oid			typid;			/* what they were labelled with */
	int32		typmod;
	RowserRowTypeMark mark;
	bytea	   *rowset;			/* instead: what a worker has sent, or all rows */
} RowsetAggState;

/* Begin a rowset whose columns are the first row's. */
static RowsetAggState *
begin_state(MemoryContext context, Oid typid, int32 typmod)
{
	MemoryContext old_context = MemoryContextSwitchTo(context);
	RowsetAggState *state = palloc0(sizeof(RowsetAggState));

	state->typid = typid;
	state->typmod = typmod;
	rowser_row_type_mark(&state->mark, typid);
	state->tupdesc = lookup_rowtype_tupdesc_copy(typid, typmod);
	state->writer = rowser_writer_create(state->tupdesc,
										 rowser_settings_writer_options());
	MemoryContextSwitchTo(old_context);
	return state;
}

/* Refuse a row that would need other columns than those before it. */
static void
check_shape(RowsetAggState *state, Oid typid, int32 typmod)
{
	TupleDesc	tupdesc;
	bool		same;

	if (state->typid == typid && state->typmod == typmod)
	{
		rowser_row_type_check(&state->mark, state->tupdesc);
		return;
	}
	tupdesc = lookup_rowtype_tupdesc(typid, typmod);
	same = equalTupleDescs(state->tupdesc, tupdesc);
	ReleaseTupleDesc(tupdesc);
	if (!same)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot gather rows of different types in one rowset"),
				 errhint("Cast the rows to one row type.")));
}

/*
 * The row type of a NULL row: that of the rows before it or, for the first
 * one, of the argument's declared type.
 */
static void
null_row_type(FunctionCallInfo fcinfo, RowsetAggState *state, Oid *typid,
			  int32 *typmod)
{
	if (state != NULL)
	{
		*typid = state->typid;
		*typmod = state->typmod;
		return;
	}
	*typid = getBaseType(get_fn_expr_argtype(fcinfo->flinfo, 1));
	*typmod = -1;
	if (!OidIsValid(*typid) || *typid == RECORDOID)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot tell the columns of a NULL row"),
				 errhint("Leave such rows out by FILTER (WHERE ...), or cast them to a row type.")));
}

/* Append a row of NULLs. */
static void
append_null_row(RowsetAggState *state)
{
	int			natts = Max(state->tupdesc->natts, 1);
	Datum	   *values = palloc0(natts * sizeof(Datum));
	bool	   *nulls = palloc(natts * sizeof(bool));

	memset(nulls, true, natts * sizeof(bool));
	rowser_writer_append(state->writer, values, nulls);
	pfree(values);
	pfree(nulls);
}

/*
 * rowset_agg_transfn(state internal, rec record) returns internal
 */
Datum
rowset_agg_transfn(PG_FUNCTION_ARGS)
{
	RowsetAggState *state = PG_ARGISNULL(0) ? NULL : (RowsetAggState *) PG_GETARG_POINTER(0);
	HeapTupleHeader record = NULL;
	MemoryContext context;
	Oid			typid;
	int32		typmod;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "rowset_agg_transfn called in non-aggregate context");

	if (PG_ARGISNULL(1))
		null_row_type(fcinfo, state, &typid, &typmod);
	else
	{
		record = PG_GETARG_HEAPTUPLEHEADER(1);
		typid = HeapTupleHeaderGetTypeId(record);
		typmod = HeapTupleHeaderGetTypMod(record);
	}
	if (state == NULL)
		state = begin_state(context, typid, typmod);
	else
		check_shape(state, typid, typmod);
	if (record != NULL)
		append_record(state->writer, record, state->tupdesc);
	else
		append_null_row(state);
	PG_RETURN_POINTER(state);
}

/*
 * The rows of a state as a rowset, after which it takes no more.  It may be
 * asked again: an executor that rescans a hash table of groups does not fill
 * that anew.
 */
static bytea *
state_rowset(RowsetAggState *state)
{
	if (state->rowset == NULL)
	{
		state->rowset = rowser_writer_finish(state->writer);
		state->writer = NULL;
	}
	return state->rowset;
}

/*
 * rowset_agg_combinefn(state1 internal, state2 internal) returns internal
 */
Datum
rowset_agg_combinefn(PG_FUNCTION_ARGS)
{
	RowsetAggState *state1 = PG_ARGISNULL(0) ? NULL :
	(RowsetAggState *) PG_GETARG_POINTER(0);
	RowsetAggState *state2 = PG_ARGISNULL(1) ? NULL :
	(RowsetAggState *) PG_GETARG_POINTER(1);
	MemoryContext context;
	MemoryContext old_context;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "rowset_agg_combinefn called in non-aggregate context");
	if (state2 == NULL)
	{
		if (state1 == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(state1);
	}

	old_context = MemoryContextSwitchTo(context);
	if (state1 == NULL)
	{
		state1 = palloc0(sizeof(RowsetAggState));
		state1->writer = rowser_concat_begin(state_rowset(state2),
											 rowser_settings_writer_options());
	}
	else
		rowser_concat_append(state1->writer, state_rowset(state2));
	MemoryContextSwitchTo(old_context);
	PG_RETURN_POINTER(state1);
}

/*
 * rowset_agg_serialfn(state internal) returns bytea
 */
Datum
rowset_agg_serialfn(PG_FUNCTION_ARGS)
{
	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "rowset_agg_serialfn called in non-aggregate context");
	PG_RETURN_BYTEA_P(state_rowset((RowsetAggState *) PG_GETARG_POINTER(0)));
}

/*
 * rowset_agg_deserialfn(rowset bytea, unused internal) returns internal
 */
Datum
rowset_agg_deserialfn(PG_FUNCTION_ARGS)
{
	RowsetAggState *state;

	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "rowset_agg_deserialfn called in non-aggregate context");
	state = palloc0(sizeof(RowsetAggState));
	state->rowset = PG_GETARG_BYTEA_PP(0);
	PG_RETURN_POINTER(state);
}

/*
 * rowset_agg_finalfn(state internal) returns bytea
 */
Datum
rowset_agg_finalfn(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_BYTEA_P(state_rowset((RowsetAggState *) PG_GETARG_POINTER(0)));
}
