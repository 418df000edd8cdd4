/*-------------------------------------------------------------------------
 *
 * large_row.h
 *	  Rows of many megabytes for a tuplestore.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_LARGE_ROW_H
#define ROWSER_API_LARGE_ROW_H

#include "access/tupdesc.h"
#include "utils/tuplestore.h"

/*
 * Whether a row takes large memory (large_memory.h); not when it is past the
 * limit of rows, which tuplestore_putvalues() then says.
 */
extern bool rowser_large_row_is_one(TupleDesc tupdesc, Datum *values,
									bool *nulls);

/* Do as tuplestore_putvalues() does, for such a row. */
extern void rowser_large_row_put(Tuplestorestate *store, TupleDesc tupdesc,
								 Datum *values, bool *nulls);

#endif							/* ROWSER_API_LARGE_ROW_H */
