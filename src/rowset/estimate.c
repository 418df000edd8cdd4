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

#include "fmgr.h"
#include "utils/memutils.h"

#include "bytes/header.h"
#include "bytes/trailer.h"
#include "rowset/estimate.h"

bool
rowser_rowset_estimate_rows(Datum rowset, double *nrows)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser estimate",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	bytea	   *bytes = DatumGetByteaPP(rowset);
	RowserCursor cursor;
	RowserFault fault = {0};
	RowserHeader header;
	RowserTrailer trailer;
	bool		ok;

	rowser_cursor_init(&cursor, VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes),
					   &fault);
	ok = rowser_header_read(&cursor, &header) &&
		rowser_trailer_read(&cursor, &trailer);
	if (ok)
		*nrows = (double) trailer.nrows;
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
	return ok;
}
