/*-------------------------------------------------------------------------
 *
 * column_list.h
 *	  A rowset's columns as SQL text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_COLUMN_LIST_H
#define ROWSER_API_COLUMN_LIST_H

#include "lib/stringinfo.h"

#include "rowset/reader.h"

/*
 * Append a column's type as a column definition list wants it, with its collation;
 * names are qualified in any case, or only where search_path wants it.
 */
extern void rowser_column_list_type(StringInfo sql, RowserReader *reader,
									uint32 column, bool qualify);

#endif							/* ROWSER_API_COLUMN_LIST_H */
