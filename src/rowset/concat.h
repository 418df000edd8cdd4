/*-------------------------------------------------------------------------
 *
 * concat.h
 *	  Putting rowsets together, one behind the other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_CONCAT_H
#define ROWSER_ROWSET_CONCAT_H

#include "rowset/writer.h"

/*
 * Begin a rowset that has the columns and the rows of another one, whose row
 * groups are copied as they are.  Only rowsets can be appended to it.
 */
extern RowserWriter *rowser_concat_begin(const bytea *rowset,
										 RowserWriterOptions options);

/*
 * Append the rows of a rowset, in the same way.  Raises 42804 when columns or
 * encodings differ.
 */
extern void rowser_concat_append(RowserWriter *writer, const bytea *rowset);

#endif							/* ROWSER_ROWSET_CONCAT_H */
