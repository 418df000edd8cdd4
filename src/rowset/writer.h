/*-------------------------------------------------------------------------
 *
 * writer.h
 *	  Writing a rowset: rows in, one bytea out.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_WRITER_H
#define ROWSER_ROWSET_WRITER_H

#include "access/tupdesc.h"

#include "bytes/compress.h"
#include "bytes/group.h"
#include "columns/vector.h"
#include "rowset/progress.h"

typedef struct RowserWriter RowserWriter;

typedef struct RowserWriterOptions
{
	RowserCompression compression;
	uint32		row_group_rows; /* most rows in a group */
} RowserWriterOptions;

/*
 * Begin a rowset with a descriptor's live attributes as columns.  The writer
 * and what it will return are allocated in the current context.  Raises 0A000
 * for a type that can't be carried or a compression that isn't built in.
 */
extern RowserWriter *rowser_writer_create(TupleDesc tupdesc,
										  RowserWriterOptions options);

/*
 * Append a row: values and nulls by attribute, as in a slot.  Values are
 * copied.  Raises 54000 when the rowset grows too large.
 */
extern void rowser_writer_append(RowserWriter *writer, const Datum *values,
								 const bool *nulls);

/*
 * Have rows and bytes counted in *progress, which must outlive the writer, and
 * reported now and then.
 */
extern void rowser_writer_set_progress(RowserWriter *writer,
									   RowserProgress *progress);

/*
 * Rows in the group that is being filled, what section 8 of the format counts
 * of them against its size, and the number of groups before it
 */
extern uint32 rowser_writer_pending(const RowserWriter *writer);
extern uint64 rowser_writer_pending_size(const RowserWriter *writer);
extern uint32 rowser_writer_ngroups(const RowserWriter *writer);

/*
 * Bytes that the rowset has if it is finished now: exactly, when no rows are
 * pending; and with the pending rows if nothing can be saved on them, which is
 * the most that it takes for nearly all values.
 */
extern uint64 rowser_writer_size(const RowserWriter *writer);
extern uint64 rowser_writer_expected_size(const RowserWriter *writer);

/*
 * Close the group that is being filled although it isn't full.  Without rows
 * pending, take back the last group.
 */
extern void rowser_writer_end_group(RowserWriter *writer);
extern void rowser_writer_drop_group(RowserWriter *writer);

/*
 * Begin a rowset with the columns and the encoding that a header describes; of
 * the header no more is written.  Only row groups can be appended to it.
 */
extern RowserWriter *rowser_writer_create_like(const RowserHeader *header,
											   RowserWriterOptions options);

/* The bytes of the rowset's header; good until something is appended. */
extern const uint8 *rowser_writer_header(const RowserWriter *writer,
										 size_t *size);

/*
 * Append a row group of another rowset with the same columns as it stands
 * there, body at hand.  The rowset's rows are then those of its row groups.
 * Raises 54000 when the rowset grows too large, as the next two do.
 */
extern void rowser_writer_append_group(RowserWriter *writer,
									   const RowserGroup *group);

/*
 * Append the columns of another rowset's group whose numbers (0-based) are in
 * `columns`, which have been checked and whose part of the body is at hand.
 */
extern void rowser_writer_append_projection(RowserWriter *writer,
											const RowserGroup *group,
											const uint32 *columns,
											uint32 ncolumns);

/*
 * Append `nrows` rows that are in vectors of the caller's, which are reset.
 * Raises 0A000 for a compression that isn't built in.
 */
extern void rowser_writer_append_vectors(RowserWriter *writer,
										 RowserVector *vectors,
										 uint32 ncolumns, uint32 nrows);

/* Whether so many rows are a whole row group; `growth` as in vector.h. */
extern bool rowser_writer_is_full(const RowserWriter *writer, uint32 nrows,
								  uint64 growth);

/* Finish the rowset and free the writer. */
extern bytea *rowser_writer_finish(RowserWriter *writer);

/*
 * Or take the bytes as they come: those that are finished and still here, of
 * which the first ones can be dropped, so that the whole may grow beyond 1 GB.
 * Ending finishes the last of them.  Not for a writer that rowsets are appended
 * to.
 */
extern size_t rowser_writer_finished(const RowserWriter *writer,
									 const uint8 **bytes);
extern void rowser_writer_drop(RowserWriter *writer, size_t size);
extern void rowser_writer_end(RowserWriter *writer);

#endif							/* ROWSER_ROWSET_WRITER_H */
