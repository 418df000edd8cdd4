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
 * Append the rows of a rowset with the very same header, whose row groups are
 * copied as they are.  Raises 42804 when the columns differ.
 */
extern void rowser_writer_append_rowset(RowserWriter *writer,
										const bytea *rowset);

/*
 * Begin a rowset that has the columns and the rows of another one.  Only
 * rowsets can be appended to it.
 */
extern RowserWriter *rowser_writer_create_from(const bytea *rowset,
											   RowserWriterOptions options);

/* Finish the rowset and free the writer. */
extern bytea *rowser_writer_finish(RowserWriter *writer);

#endif							/* ROWSER_ROWSET_WRITER_H */
