/*-------------------------------------------------------------------------
 *
 * query.h
 *	  Statements that users give as text: which are accepted, and how their
 *	  parameters are bound.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_QUERY_H
#define ROWSER_API_QUERY_H

#include "executor/spi.h"
#include "fmgr.h"
#include "nodes/params.h"

#include "rowset/writer.h"

/* Parameters that are bound to a statement */
typedef struct RowserParams
{
	int			nparams;
	Oid		   *types;
	Datum	   *values;
	bool	   *nulls;
} RowserParams;

/*
 * Take the parameters from a function's arguments, VARIADIC "any" from argument
 * `first` (0-based) on.  palloc'd.
 */
extern void rowser_query_get_params(FunctionCallInfo fcinfo, int first,
									RowserParams *params);

/* The same as the executor takes them; palloc'd, NULL without any. */
extern ParamListInfo rowser_query_param_list(const RowserParams *params);

/*
 * Within SPI, parse and analyse a query.  Raises 42P11 for what isn't one
 * statement that returns rows; nothing of it has run by then.
 */
extern SPIPlanPtr rowser_query_prepare(const char *query,
									   const RowserParams *params,
									   int cursor_options);

/*
 * Run a query as the current user; gives its rowset, in the current context.
 * Raises what rowser_query_prepare() raises.
 */
extern bytea *rowser_query_run(const char *query, const RowserParams *params,
							   RowserWriterOptions options);

#endif							/* ROWSER_API_QUERY_H */
