/*-------------------------------------------------------------------------
 *
 * chunker.h
 *	  Writing rows as rowsets of bounded size, one after the other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_CHUNKER_H
#define ROWSER_ROWSET_CHUNKER_H

#include "rowset/writer.h"

typedef struct RowserChunker RowserChunker;

/*
 * Begin, with a descriptor's live attributes as columns.  No chunk has more
 * than `chunk_size` bytes, unless it is a single row.  All memory, that of the
 * chunks included, is in a child of the current context.  *progress, which must
 * outlive the chunker, counts rows and bytes.  Raises what
 * rowser_writer_create() raises.
 */
extern RowserChunker *rowser_chunker_create(TupleDesc tupdesc,
											RowserWriterOptions options,
											uint64 chunk_size,
											RowserProgress *progress);

/*
 * Append a row: values and nulls by attribute, as in a slot, which are copied.
 * Raises 54000 for a row that is too large for any rowset.
 */
extern void rowser_chunker_append(RowserChunker *chunker, const Datum *values,
								  const bool *nulls);

/* About how many rows, 1 at least, will fit before the next chunk is done */
extern uint64 rowser_chunker_room(const RowserChunker *chunker);

/*
 * After the last row: make a chunk of the rows that are in none yet.  There is
 * one chunk at least, if need be without rows.
 */
extern void rowser_chunker_finish(RowserChunker *chunker);

/*
 * The next chunk that is done, or NULL when none is as yet; it is the caller's
 * to pfree.
 */
extern bytea *rowser_chunker_next(RowserChunker *chunker);

#endif							/* ROWSER_ROWSET_CHUNKER_H */
