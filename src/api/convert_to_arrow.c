/*-------------------------------------------------------------------------
 *
 * convert_to_arrow.c
 *	  rowset_to_arrow() and query_to_arrow(): a rowset, or a query's result, as
 *	  an Arrow IPC stream.
 *
 * A query's result becomes a rowset on the way, which is not compressed.
 *
 * Memory: the stream is in the context that the function was called in.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "api/query.h"
#include "rowset/arrow_writer.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(rowset_to_arrow);
PG_FUNCTION_INFO_V1(query_to_arrow);
PG_FUNCTION_INFO_V1(query_to_arrow_params);

/* Run a query as the current user. */
static bytea *
convert_query(const char *query, const RowserParams *params)
{
	RowserArrowOptions options = rowser_settings_arrow_options();
	RowserWriterOptions writer_options = rowser_settings_writer_options();
	bytea	   *rowset;
	bytea	   *result;

	writer_options.compression.method = ROWSER_METHOD_NONE;
	rowset = rowser_query_run(query, params, writer_options);
	result = rowser_arrow_write(PointerGetDatum(rowset), options);
	pfree(rowset);
	return result;
}

/*
 * rowset_to_arrow(rowset bytea) returns bytea
 */
Datum
rowset_to_arrow(PG_FUNCTION_ARGS)
{
	PG_RETURN_BYTEA_P(rowser_arrow_write(PG_GETARG_DATUM(0),
										 rowser_settings_arrow_options()));
}

/*
 * query_to_arrow(query text) returns bytea
 */
Datum
query_to_arrow(PG_FUNCTION_ARGS)
{
	char	   *query = text_to_cstring(PG_GETARG_TEXT_PP(0));
	RowserParams params = {0};

	PG_RETURN_BYTEA_P(convert_query(query, &params));
}

/*
 * query_to_arrow(query text, VARIADIC params "any") returns bytea
 *
 * NULL only for a NULL query: a parameter may well be NULL.
 */
Datum
query_to_arrow_params(PG_FUNCTION_ARGS)
{
	RowserParams params;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	rowser_query_get_params(fcinfo, 1, &params);
	PG_RETURN_BYTEA_P(convert_query(text_to_cstring(PG_GETARG_TEXT_PP(0)),
									&params));
}
