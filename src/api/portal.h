/*-------------------------------------------------------------------------
 *
 * portal.h
 *	  Queries that a set-returning function runs a few rows at a time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_PORTAL_H
#define ROWSER_API_PORTAL_H

#include "tcop/dest.h"

#include "api/query.h"

typedef struct RowserPortal
{
	const char *function;		/* whose query it is, for messages */
	char	   *name;			/* NULL when the query is at its end; palloc'd */
	bool		opened_meanwhile;	/* while a loop's portal was read to its end */
} RowserPortal;

/*
 * Open a portal for a query, with what is kept in the current context.  Raises
 * what rowser_query_prepare() raises.
 */
extern void rowser_portal_open(RowserPortal *portal, const char *function,
							   const char *query, const RowserParams *params);

/*
 * Run the query some rows further, all of which go to `receiver`; false when it
 * is at its end, and then the portal is closed.  Raises 24000 if somebody else
 * has closed it, or the subtransaction that it was opened in was rolled back.
 */
extern bool rowser_portal_run(RowserPortal *portal, uint64 nrows,
							  DestReceiver *receiver);

/* Close the portal, if it is open. */
extern void rowser_portal_close(RowserPortal *portal);

#endif							/* ROWSER_API_PORTAL_H */
