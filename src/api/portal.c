/*-------------------------------------------------------------------------
 *
 * portal.c
 *	  Queries that a set-returning function runs a few rows at a time.
 *
 * The query has a portal that is kept from call to call.  It is found by its
 * name each time: the end of a subtransaction in which it was opened takes it
 * away, and CLOSE ALL does, while a cursor from outside of that may call again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "tcop/pquery.h"
#include "utils/portal.h"

#include "api/portal.h"

void
rowser_portal_open(RowserPortal *portal, const char *function,
				   const char *query, const RowserParams *params)
{
	MemoryContext context = CurrentMemoryContext;
	SPIPlanPtr	plan;
	Portal		opened;

	portal->function = function;
	SPI_connect();
	/* a portal that is read in steps has no use for parallel workers */
	plan = rowser_query_prepare(query, params, CURSOR_OPT_NO_SCROLL);
	opened = SPI_cursor_open_with_paramlist(NULL, plan,
											rowser_query_param_list(params),
											false);
	if (opened == NULL)
		elog(ERROR, "could not open cursor: %s",
			 SPI_result_code_string(SPI_result));
	/* users neither see it nor need to close it */
	opened->visible = false;
	portal->name = MemoryContextStrdup(context, opened->name);
	SPI_finish();
}

void
rowser_portal_close(RowserPortal *portal)
{
	Portal		opened;

	if (portal->name == NULL)
		return;
	opened = GetPortalByName(portal->name);
	portal->name = NULL;
	if (PortalIsValid(opened))
		SPI_cursor_close(opened);
}

bool
rowser_portal_run(RowserPortal *portal, uint64 nrows, DestReceiver *receiver)
{
	Portal		opened = GetPortalByName(portal->name);

	if (!PortalIsValid(opened))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_STATE),
				 errmsg("the query of %s is not open any more",
						portal->function),
				 errdetail("It was closed before its end, or the subtransaction that it began in was rolled back.")));
	if (PortalRunFetch(opened, FETCH_FORWARD, nrows, receiver) == nrows)
		return true;
	rowser_portal_close(portal);
	return false;
}
