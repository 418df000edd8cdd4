/*-------------------------------------------------------------------------
 *
 * query.c
 *	  query_to_rowset() and table_to_rowset(): a query's result as a rowset.
 *
 * The statement is prepared first, and refused unless it is one statement that
 * returns rows; nothing of it has run by then.  It then runs through SPI into a
 * receiver that makes the rowset.
 *
 * Memory: the rowset is in the context that the function was called in, which
 * SPI's own contexts come and go above.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/plancache.h"

#include "api/query.h"
#include "api/receiver.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(query_to_rowset);
PG_FUNCTION_INFO_V1(query_to_rowset_params);
PG_FUNCTION_INFO_V1(table_to_rowset);

/* ----------------------------------------------------------------
 *		Running the statement
 * ----------------------------------------------------------------
 */

/*
 * Literals without a type arrive as unknown; as with EXECUTE ... USING, they
 * are bound as text.
 */
static void
settle_unknown(RowserParams *params)
{
	for (int i = 0; i < params->nparams; i++)
	{
		if (params->types[i] != UNKNOWNOID)
			continue;
		params->types[i] = TEXTOID;
		if (!params->nulls[i])
			params->values[i] = CStringGetTextDatum(DatumGetCString(params->values[i]));
	}
}

void
rowser_query_get_params(FunctionCallInfo fcinfo, int first,
						RowserParams *params)
{
	int			nparams = extract_variadic_args(fcinfo, first, false,
												&params->values,
												&params->types,
												&params->nulls);

	/* VARIADIC with a NULL array gives less than none */
	params->nparams = Max(nparams, 0);
	settle_unknown(params);
}

ParamListInfo
rowser_query_param_list(const RowserParams *params)
{
	ParamListInfo list;

	if (params->nparams == 0)
		return NULL;
	list = makeParamList(params->nparams);
	for (int i = 0; i < params->nparams; i++)
	{
		list->params[i].value = params->values[i];
		list->params[i].isnull = params->nulls[i];
		list->params[i].pflags = PARAM_FLAG_CONST;
		list->params[i].ptype = params->types[i];
	}
	return list;
}

SPIPlanPtr
rowser_query_prepare(const char *query, const RowserParams *params,
					 int cursor_options)
{
	SPIPlanPtr	plan = SPI_prepare_cursor(query, params->nparams,
										  params->types, cursor_options);
	List	   *sources;

	if (plan == NULL)
		elog(ERROR, "SPI_prepare_cursor failed: %s",
			 SPI_result_code_string(SPI_result));
	sources = SPI_plan_get_plan_sources(plan);
	if (list_length(sources) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_DEFINITION),
				 errmsg("query must be exactly one statement"),
				 errdetail("It has %d.", list_length(sources))));
	if (((CachedPlanSource *) linitial(sources))->resultDesc == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_DEFINITION),
				 errmsg("query does not return rows"),
				 errhint("Use a statement that does, such as SELECT, VALUES, or INSERT with RETURNING.")));
	return plan;
}

bytea *
rowser_query_run(const char *query, const RowserParams *params,
				 RowserWriterOptions options)
{
	RowserReceiver receiver;
	RowserProgress progress;
	SPIExecuteOptions spi_options = {
		.params = rowser_query_param_list(params),
		.must_return_tuples = true,
		.dest = &receiver.pub
	};
	SPIPlanPtr	plan;
	int			code;
	bytea	   *result;

	rowser_receiver_init(&receiver);
	receiver.options = options;
	rowser_progress_init(&progress, ROWSER_PROGRESS_PACK,
						 ROWSER_PROGRESS_UNKNOWN, ROWSER_PROGRESS_UNKNOWN);
	rowser_progress_begin(&progress);
	receiver.progress = &progress;
	SPI_connect();
	plan = rowser_query_prepare(query, params, CURSOR_OPT_PARALLEL_OK);
	code = SPI_execute_plan_extended(plan, &spi_options);
	if (code < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_DEFINITION),
				 errmsg("cannot make a rowset of this statement"),
				 errdetail("SPI gave %s.", SPI_result_code_string(code))));
	SPI_finish();
	if (receiver.writer == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_DEFINITION),
				 errmsg("query does not return rows"),
				 errdetail("It was expected to, but has not.")));
	result = rowser_writer_finish(receiver.writer);
	rowser_progress_end(&progress);
	return result;
}

/* ----------------------------------------------------------------
 *		SQL functions
 * ----------------------------------------------------------------
 */

/* Run a query; the rowset is written as the session has set it. */
static bytea *
run_query(const char *query, const RowserParams *params)
{
	return rowser_query_run(query, params, rowser_settings_writer_options());
}

/*
 * query_to_rowset(query text) returns bytea
 */
Datum
query_to_rowset(PG_FUNCTION_ARGS)
{
	char	   *query = text_to_cstring(PG_GETARG_TEXT_PP(0));
	RowserParams params = {0};

	PG_RETURN_BYTEA_P(run_query(query, &params));
}

/*
 * query_to_rowset(query text, VARIADIC params "any") returns bytea
 *
 * NULL only for a NULL query: a parameter may well be NULL.
 */
Datum
query_to_rowset_params(PG_FUNCTION_ARGS)
{
	RowserParams params;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	rowser_query_get_params(fcinfo, 1, &params);
	PG_RETURN_BYTEA_P(run_query(text_to_cstring(PG_GETARG_TEXT_PP(0)),
								&params));
}

/*
 * table_to_rowset(tbl regclass) returns bytea
 */
Datum
table_to_rowset(PG_FUNCTION_ARGS)
{
	Oid			table = PG_GETARG_OID(0);
	char	   *name = get_rel_name(table);
	RowserParams params = {0};

	if (name == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", table)));
	name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(table)),
									  name);
	PG_RETURN_BYTEA_P(run_query(psprintf("SELECT * FROM %s", name), &params));
}
