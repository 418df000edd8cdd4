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

/*
 * Before a query is run whose column definition list names the rowset's own
 * types: raise 0A000 if one of them has a domain inside whose constraints would
 * then run and must not.  That can only be in the bounds of ranges.
 */
extern void rowser_column_list_check_domains(RowserReader *reader);

#endif							/* ROWSER_API_COLUMN_LIST_H */
