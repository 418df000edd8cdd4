/*-------------------------------------------------------------------------
 *
 * slice.h
 *	  Some of a rowset's rows as a rowset.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_SLICE_H
#define ROWSER_ROWSET_SLICE_H

#include "rowset/writer.h"

/*
 * The rows behind the first `offset` ones, at most `limit` of them, of a
 * rowset in any form.  Row groups that are whole are copied as they are; those
 * that are cut are encoded anew, as the options say.
 */
extern bytea *rowser_slice(Datum rowset, uint64 offset, uint64 limit,
						   RowserWriterOptions options);

#endif							/* ROWSER_ROWSET_SLICE_H */
