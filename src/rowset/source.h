/*-------------------------------------------------------------------------
 *
 * source.h
 *	  Where a reader has a rowset's bytes from: memory, or a table's TOAST
 *	  storage piece by piece.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_SOURCE_H
#define ROWSER_ROWSET_SOURCE_H

#include "bytes/header.h"
#include "bytes/trailer.h"

typedef struct RowserSource RowserSource;

/*
 * Open a bytea in any form, which must outlive the source unless it is stored
 * outside of its row.  One that is stored so and not compressed is fetched as it is
 * needed, any other is here as a whole.  `fetched`, if it isn't NULL, counts
 * bytes that are fetched from TOAST storage.  The source is in the current context.
 */
extern RowserSource *rowser_source_open(Datum rowset, uint64 *fetched);

/* The same for bytes that are here, with nothing to fetch; they are borrowed. */
extern RowserSource *rowser_source_open_bytes(const uint8 *bytes, size_t size);

/* The TOAST table that bytes are still fetched from, or InvalidOid */
extern Oid	rowser_source_storage(const RowserSource *source);

/*
 * Start a cursor over all of the bytes.  Only what has been asked for by
 * rowser_source_need() may be read through it.
 */
extern void rowser_source_start(const RowserSource *source,
								RowserCursor *cursor, RowserFault *fault);

/* Make sure of bytes from an offset on, as far as there are any. */
extern void rowser_source_need(RowserSource *source, uint64 offset,
							   uint64 size);

/* Read header and trailer by a cursor at the start; see trailer.h. */
extern bool rowser_source_read_frame(RowserSource *source,
									 RowserCursor *cursor,
									 RowserHeader *header,
									 RowserTrailer *trailer);

#endif							/* ROWSER_ROWSET_SOURCE_H */
