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
 * Select every column of a rowset, in order, as the type that the rowset names,
 * before any other is selected: column i's values are those of selection i.
 * Returns what rows they make, palloc'd; names may occur twice.  Domains are
 * read as what they are based on.  Raises what rowser_reader_select() and
 * rowser_resolve_type() raise.
 */
extern TupleDesc rowser_rowtype_select(RowserReader *reader);

#endif							/* ROWSER_ROWSET_ROWTYPE_H */
