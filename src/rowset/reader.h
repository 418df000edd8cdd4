/*-------------------------------------------------------------------------
 *
 * reader.h
 *	  Reading a rowset: its description, and its rows in batches.
 *
 * A reader is opened on the bytes, told which columns to read as which
 * types, and then gives batches of rows, one array of Datums a column.
 * Columns that nobody selected are neither decoded nor checked.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_READER_H
#define ROWSER_ROWSET_READER_H

#include "bytes/group.h"
#include "bytes/header.h"
#include "bytes/trailer.h"

typedef struct RowserReader RowserReader;

/* A batch has this many rows at most. */
#define ROWSER_BATCH_ROWS 1024

/*
 * Open a reader on the payload of a detoasted bytea, which must outlive it.  The
 * header and the trailer are read and checked.  All of the reader's memory is
 * in a child of the current context.
 */
extern RowserReader *rowser_reader_open(const bytea *rowset);
extern void rowser_reader_close(RowserReader *reader);

/* What header and trailer say; the reader's memory. */
extern const RowserHeader *rowser_reader_header(const RowserReader *reader);
extern const RowserTrailer *rowser_reader_trailer(const RowserReader *reader);
extern int	rowser_reader_encoding(const RowserReader *reader);

/* A column's name in this database's encoding; the reader's memory. */
extern const char *rowser_reader_column_name(RowserReader *reader,
											 uint32 column);

/*
 * Read a column (0-based) as a type, or with InvalidOid as the type that the
 * rowset names.  Returns the number of its array in a batch.  Raises what
 * rowser_decoder_init() raises, with the column in the context.
 */
extern int	rowser_reader_select(RowserReader *reader, uint32 column,
								 Oid type, int32 typmod);

/*
 * Read the next batch; returns its number of rows, 0 at the end.  Values are
 * good until the next call.  Raises an error that says where, for bytes that
 * are damaged.
 */
extern uint32 rowser_reader_next(RowserReader *reader);
extern Datum *rowser_reader_values(const RowserReader *reader, int selected);
extern bool *rowser_reader_nulls(const RowserReader *reader, int selected);

/*
 * Instead of reading rows: the next row group, its header checked against the
 * trailer, or NULL at the end; good until the next call.
 */
extern const RowserGroup *rowser_reader_next_group(RowserReader *reader);

/* Check a group's body to its last byte, or raise an error. */
extern void rowser_reader_check_group(RowserReader *reader,
									  const RowserGroup *group);

/* Go back to before the first row. */
extern void rowser_reader_rewind(RowserReader *reader);

#endif							/* ROWSER_ROWSET_READER_H */
