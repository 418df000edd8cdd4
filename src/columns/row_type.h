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
#include "utils/typcache.h"

/*
 * Lock a named row type until the transaction ends, as a table is that is read,
 * so that whoever looks it up from now on finds the same.  Other types need
 * none.
 */
extern void rowser_row_type_lock(Oid type);

/* Likewise, with a copy of its descriptor, in the current context. */
extern TupleDesc rowser_row_type_copy(Oid type);

/* Which of the descriptors that a row type has had over time is meant */
typedef struct RowserRowTypeMark
{
	TypeCacheEntry *entry;		/* NULL for a record's, which never change */
	uint64		identifier;		/* the type cache's */
} RowserRowTypeMark;

/* Mark a row type; to be done before its descriptor is looked up. */
extern void rowser_row_type_mark(RowserRowTypeMark *mark, Oid type);

/*
 * Before a value of a marked type is taken apart by the descriptor: raise 42804
 * if the type has other attributes by now.  The lock keeps other sessions from
 * altering it, but not the one that has the lock.
 */
extern void rowser_row_type_compare(RowserRowTypeMark *mark,
									TupleDesc tupdesc);

static inline void
rowser_row_type_check(RowserRowTypeMark *mark, TupleDesc tupdesc)
{
	if (unlikely(mark->entry != NULL &&
				 mark->entry->tupDesc_identifier != mark->identifier))
		rowser_row_type_compare(mark, tupdesc);
}

#endif							/* ROWSER_COLUMNS_ROW_TYPE_H */
