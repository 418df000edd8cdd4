/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  What planning wants to know of a rowset, at little cost.
 *
 * Memory: in a context of its own, gone at the end.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "rowset/estimate.h"
#include "rowset/source.h"

bool
rowser_rowset_estimate_rows(Datum rowset, double *nrows)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser estimate",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	RowserSource *source = rowser_source_open(rowset, NULL);
	RowserCursor cursor;
	RowserFault fault = {0};
	RowserHeader header;
	RowserTrailer trailer;
	bool		ok;

	rowser_source_start(source, &cursor, &fault);
	ok = rowser_source_read_frame(source, &cursor, &header, &trailer);
	if (ok)
		*nrows = (double) trailer.nrows;
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
	return ok;
}
