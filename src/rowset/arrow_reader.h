/*-------------------------------------------------------------------------
 *
 * arrow_reader.h
 *	  Reading an Arrow IPC stream: its columns, and its rows in batches.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_ARROW_READER_H
#define ROWSER_ROWSET_ARROW_READER_H

#include "access/tupdesc.h"

typedef struct RowserArrowRows RowserArrowRows;

/*
 * Open a stream, which must stay where it is.  The reader and all its memory are
 * in the current context.  Until it is closed, errors name the record
 * batch and the column.  Raises 22P03 for bytes that are no Arrow stream, 0A000
 * for one that is not supported, and what rowser_arrow_type_read() raises.
 */
extern RowserArrowRows *rowser_arrow_rows_open(const void *bytes, Size size);

/* The stream's columns, of the types that they are read as; the reader's. */
extern TupleDesc rowser_arrow_rows_tupdesc(const RowserArrowRows *rows);

/*
 * Decode the next rows; returns how many, 0 at the end.  Raises as opening does,
 * and the types' own errors for values that they cannot be.
 */
extern uint32 rowser_arrow_rows_next(RowserArrowRows *rows);

/*
 * Where the values of these rows are, and which of them are NULL: an array a
 * column, filled anew by each call of the above.
 */
extern Datum *const *rowser_arrow_rows_values(const RowserArrowRows *rows);
extern bool *const *rowser_arrow_rows_nulls(const RowserArrowRows *rows);

extern void rowser_arrow_rows_close(RowserArrowRows *rows);

#endif							/* ROWSER_ROWSET_ARROW_READER_H */
