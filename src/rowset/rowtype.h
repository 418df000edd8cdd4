/*-------------------------------------------------------------------------
 *
 * rowtype.h
 *	  The row type that a rowset itself names.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_ROWTYPE_H
#define ROWSER_ROWSET_ROWTYPE_H

#include "access/tupdesc.h"

#include "rowset/reader.h"

/*
 * Select every column of a rowset, in order, as the type that the rowset
 * names.  No other column may have been selected before, so that column i's
 * values are those of selection i.  Returns the descriptor of the rows,
 * palloc'd; names may occur twice in it.  Domains are read as what they are
 * based on.  Raises what rowser_reader_select() and rowser_resolve_type() do.
 */
extern TupleDesc rowser_rowtype_select(RowserReader *reader);

#endif							/* ROWSER_ROWSET_ROWTYPE_H */
