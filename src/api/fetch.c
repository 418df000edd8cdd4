/*-------------------------------------------------------------------------
 *
 * fetch.c
 *	  cursor_to_rowset(): the next rows of an open cursor as a rowset.
 *
 * The rows are fetched as FETCH does it, except that they go into a receiver
 * of ours; so this works on whatever FETCH works on, and moves it alike.
 *
 * Memory: the rowset is in the context that the function was called in; the
 * cursor's query runs in the portal's own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "fmgr.h"
#include "tcop/pquery.h"
#include "utils/builtins.h"

#include "api/receiver.h"

PG_FUNCTION_INFO_V1(cursor_to_rowset);

/* Find a cursor that can be read from, or say why there is none. */
static Portal
find_portal(const char *name)
{
	Portal		portal;

	/* the unnamed portal is the protocol's own */
	if (name[0] == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_NAME),
				 errmsg("invalid cursor name: must not be empty")));
	portal = GetPortalByName(name);
	if (!PortalIsValid(portal))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_CURSOR),
				 errmsg("cursor \"%s\" does not exist", name)));

	/* A client can give names to portals of other statements too. */
	if (portal->strategy == PORTAL_MULTI_QUERY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_DEFINITION),
				 errmsg("cursor \"%s\" does not return rows", name),
				 errdetail("Its statement is %s.",
						   GetCommandTagName(portal->commandTag))));
	if (portal->status != PORTAL_READY)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cursor \"%s\" cannot be run", name),
				 portal->status == PORTAL_ACTIVE ?
				 errdetail("Its query is running.") :
				 errdetail("Its query has ended with an error.")));
	return portal;
}

/* How many rows to fetch, as core's functions want it */
static long
fetch_count(FunctionCallInfo fcinfo, int argument)
{
	int64		count;

	if (PG_ARGISNULL(argument))
		return FETCH_ALL;
	count = PG_GETARG_INT64(argument);
	if (count < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("count must not be negative"),
				 errhint("Go back with MOVE BACKWARD first.")));
	return count >= FETCH_ALL ? FETCH_ALL : (long) count;
}

/*
 * cursor_to_rowset(cursor refcursor, count bigint) returns bytea
 */
Datum
cursor_to_rowset(PG_FUNCTION_ARGS)
{
	RowserReceiver receiver;
	Portal		portal;
	long		count;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	count = fetch_count(fcinfo, 1);
	portal = find_portal(text_to_cstring(PG_GETARG_TEXT_PP(0)));

	rowser_receiver_init(&receiver);
	if (count > 0)
		(void) PortalRunFetch(portal, FETCH_FORWARD, count, &receiver.pub);
	else
	{
		/* FETCH 0 would give the current row once more, or an error. */
		rowser_receiver_begin(&receiver, portal->tupDesc);
	}
	PG_RETURN_BYTEA_P(rowser_writer_finish(receiver.writer));
}
