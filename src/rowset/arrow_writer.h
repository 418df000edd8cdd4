/*-------------------------------------------------------------------------
 *
 * arrow_writer.h
 *	  A rowset as an Arrow IPC stream.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_ARROW_WRITER_H
#define ROWSER_ROWSET_ARROW_WRITER_H

#include "bytes/arrow.h"

typedef struct RowserArrowOptions
{
	RowserArrowCodec codec;		/* of the bodies */
	bool		null_unrepresentable;	/* NULL rather than an error */
} RowserArrowOptions;

/*
 * Write all of a rowset, in any form, as a stream of one record batch a row
 * group.  The result is in the current context.  Raises 0A000 for a codec that
 * isn't built in, 54000 for a stream that gets larger than a value can be, and
 * what rowser_arrow_export_prepare() and rowser_arrow_export_node() raise.
 */
extern bytea *rowser_arrow_write(Datum rowset, RowserArrowOptions options);

#endif							/* ROWSER_ROWSET_ARROW_WRITER_H */
