/*-------------------------------------------------------------------------
 *
 * schema.h
 *	  Where the extension is, which is relocatable.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_SCHEMA_H
#define ROWSER_API_SCHEMA_H

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/*
 * The schema that the function being called is in, and so all of the extension,
 * quoted for a query's text; palloc'd.
 */
static inline const char *
rowser_schema_quoted(FunctionCallInfo fcinfo)
{
	return quote_identifier(get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid)));
}

#endif							/* ROWSER_API_SCHEMA_H */
