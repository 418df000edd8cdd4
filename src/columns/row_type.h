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
 * A copy of a named row type's descriptor, in the current context.  The type is
 * locked until the transaction ends, as a table is that is read, so that
 * whoever looks it up again finds the same.
 */
extern TupleDesc rowser_row_type_copy(Oid type);

#endif							/* ROWSER_COLUMNS_ROW_TYPE_H */
