/*-------------------------------------------------------------------------
 *
 * projection.h
 *	  Rows of a shape that the caller names, from what a reader reads.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_PROJECTION_H
#define ROWSER_API_PROJECTION_H

#include "fmgr.h"

#include "rowset/match.h"

/* Where the attributes of the rows that are made come from */
typedef struct RowserProjection
{
	TupleDesc	tupdesc;		/* of the rows; borrowed */
	int		   *selected;		/* as match.h says; the caller sets it */
	Datum	   *values;			/* a row; begins with the defaults */
	bool	   *nulls;
} RowserProjection;

/* Begin with rows of NULLs; memory is palloc'd. */
extern void rowser_projection_init(RowserProjection *projection,
								   TupleDesc tupdesc);

/*
 * What a function's caller, which takes sets, expects of rows.  Raises 0A000
 * when it is no such caller.
 */
extern TupleDesc rowser_projection_expected(FunctionCallInfo fcinfo);

/* Fill the row with the values of one of a batch. */
extern void rowser_projection_fill(RowserProjection *projection,
								   const RowserReader *reader, uint32 row);

/*
 * Read all rows that are left into the function's tuplestore.  With a domain
 * over the row type, each row is checked.
 */
extern void rowser_projection_put_rows(RowserProjection *projection,
									   FunctionCallInfo fcinfo,
									   RowserReader *reader, Oid domain);

#endif							/* ROWSER_API_PROJECTION_H */
