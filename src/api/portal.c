/*-------------------------------------------------------------------------
 *
 * portal.c
 *	  Queries that a set-returning function runs a few rows at a time.
 *
 * The query has a portal that is kept from call to call.  It is found by its
 * name each time: the end of a subtransaction in which it was opened takes it
 * away, and CLOSE does, while a cursor from outside of that may call again.
 *
 * A loop whose body commits has its portal read to the end just before, while
 * core goes through the table of all portals and does not expect any of them to
 * be dropped that was there when it began.  So what would be closed then is left
 * to the end of the transaction, which is near.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "tcop/pquery.h"
#include "utils/portal.h"

#include "api/portal.h"

/* A portal that is run here is run by one that is being read to its end. */
static bool caller_is_being_held = false;

/* Whether the loop that runs us, or that runs what runs us, is about to commit */
static bool
is_being_held(void)
{
	Portal		caller = ActivePortal;

	return caller_is_being_held ||
		(caller != NULL && caller->portalPinned && !caller->autoHeld &&
		 caller->strategy == PORTAL_ONE_SELECT && caller->holdStore != NULL);
}

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
	/* users neither see it nor need to close it; and see find_portal() */
	opened->visible = false;
	portal->name = MemoryContextStrdup(context, opened->name);
	portal->opened_meanwhile = is_being_held();
	SPI_finish();
}

/*
 * The portal, or NULL if it is gone.  One that is visible is another, which was
 * given its name since.
 */
static Portal
find_portal(const RowserPortal *portal)
{
	Portal		found = GetPortalByName(portal->name);

	return PortalIsValid(found) && !found->visible ? found : NULL;
}

void
rowser_portal_close(RowserPortal *portal)
{
	Portal		opened;

	if (portal->name == NULL)
		return;
	opened = find_portal(portal);
	portal->name = NULL;
	if (opened != NULL && (portal->opened_meanwhile || !is_being_held()))
		SPI_cursor_close(opened);
}

/* Fetch rows, with a note for the portals that are closed meanwhile. */
static uint64
fetch(Portal opened, uint64 nrows, DestReceiver *receiver)
{
	bool		saved = caller_is_being_held;
	uint64		nfetched = 0;

	caller_is_being_held = is_being_held();
	PG_TRY();
	{
		nfetched = PortalRunFetch(opened, FETCH_FORWARD, nrows, receiver);
	}
	PG_FINALLY();
	{
		caller_is_being_held = saved;
	}
	PG_END_TRY();
	return nfetched;
}

bool
rowser_portal_run(RowserPortal *portal, uint64 nrows, DestReceiver *receiver)
{
	Portal		opened = find_portal(portal);

	if (opened == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_STATE),
				 errmsg("the query of %s is not open any more",
						portal->function),
				 errdetail("It was closed before its end, or the subtransaction that it began in was rolled back.")));
	if (fetch(opened, nrows, receiver) == nrows)
		return true;
	rowser_portal_close(portal);
	return false;
}
