/*-------------------------------------------------------------------------
 *
 * row_type.h
 *	  Named row types that stay as they are while values of them are at hand.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_ROW_TYPE_H
#define ROWSER_COLUMNS_ROW_TYPE_H

#include "access/tupdesc.h"

/*
 * Lock a named row type until the transaction ends, as a table is that is read,
 * so that whoever looks it up from now on finds the same.  Other types need
 * none.
 */
extern void rowser_row_type_lock(Oid type);

/* Likewise, with a copy of its descriptor, in the current context. */
extern TupleDesc rowser_row_type_copy(Oid type);

#endif							/* ROWSER_COLUMNS_ROW_TYPE_H */
