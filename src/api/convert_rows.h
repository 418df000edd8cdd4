/*-------------------------------------------------------------------------
 *
 * convert_rows.h
 *	  What the calls that turn rowsets into other formats share: the rows, one
 *	  by one, and a result that may grow to 1 GB.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_CONVERT_ROWS_H
#define ROWSER_API_CONVERT_ROWS_H

#include "lib/stringinfo.h"

#include "rowset/reader.h"

/* The rows of a rowset, and the one that is at hand */
typedef struct RowserConvertRows
{
	RowserReader *reader;
	uint32		ncolumns;
	const char **names;
	Oid		   *types;			/* of the values; not domains */
	Datum	   *values;			/* of the row, good until the next one */
	bool	   *nulls;
	MemoryContext context;		/* emptied for each row */

	uint64		nrows;			/* so far */
	uint32		column;			/* set by the caller for errors' context */
	uint32		batch_rows;
	uint32		batch_next;
	ErrorContextCallback callback;
} RowserConvertRows;

/* No column is being converted. */
#define ROWSER_CONVERT_NO_COLUMN PG_UINT32_MAX

/*
 * Begin to read all columns of a rowset, in any form, as the types that it
 * names; with `keep_domains` also those inside of arrays and composites, whose
 * values are then good to be sent only.  Errors name row and column until
 * rowser_convert_end().  All memory is in the current context, as is that of
 * *rows.  Raises what rowser_resolve_type() raises.
 */
extern void rowser_convert_begin(RowserConvertRows *rows, Datum rowset,
								 bool keep_domains);

/* Go to the next row; false behind the last one. */
extern bool rowser_convert_next(RowserConvertRows *rows);
extern void rowser_convert_end(RowserConvertRows *rows);

/* Begin a result that is to be a varlena. */
extern void rowser_convert_init_result(StringInfo result);

/*
 * Append to the result.  Raises 54000 where it would get too large for a value
 * of a type, which is named.
 */
extern void rowser_convert_append(StringInfo result, const char *data,
								  int size, const char *type);

/* The result as a varlena, in place */
extern Datum rowser_convert_finish_result(StringInfo result);

#endif							/* ROWSER_API_CONVERT_ROWS_H */
