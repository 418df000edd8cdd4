/*-------------------------------------------------------------------------
 *
 * portal_rows.h
 *	  Set-returning functions that run a query as far as their next row needs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_PORTAL_ROWS_H
#define ROWSER_API_PORTAL_ROWS_H

#include "access/htup.h"
#include "fmgr.h"

#include "api/portal.h"

/* What such a function does, with a query as its argument 0 */
typedef struct RowserPortalRows
{
	/*
	 * Begin with the function's arguments, and open *portal, which lives as
	 * long as what is returned; that is palloc'd.
	 */
	void	   *(*begin) (FunctionCallInfo fcinfo, const RowserParams *params,
						  RowserPortal *portal);

	/* Make the next row of what was begun, palloc'd; NULL behind the last. */
	HeapTuple	(*next) (void *state);
} RowserPortalRows;

/*
 * Be a call of the function, whose query takes no parameters or those that
 * follow argument 1.  The second kind gives no rows where the query or argument
 * 1 is NULL; the first one is for strict functions.
 */
extern Datum rowser_portal_rows_give(FunctionCallInfo fcinfo,
									 const RowserPortalRows *rows);
extern Datum rowser_portal_rows_give_params(FunctionCallInfo fcinfo,
											const RowserPortalRows *rows);

#endif							/* ROWSER_API_PORTAL_ROWS_H */
