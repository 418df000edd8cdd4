/*-------------------------------------------------------------------------
 *
 * row_type.c
 *	  Named row types that stay as they are while values of them are at hand.
 *
 * Values are made, and taken apart, by descriptors that were looked up at
 * different times.  In between, ALTER TYPE could give an attribute another
 * type, and a Datum would be taken for what it isn't.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/lmgr.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "columns/row_type.h"

void
rowser_row_type_lock(Oid type)
{
	Oid			relation = get_typ_typrelid(type);

	if (OidIsValid(relation))
		LockRelationOid(relation, AccessShareLock);
}

TupleDesc
rowser_row_type_copy(Oid type)
{
	rowser_row_type_lock(type);
	/* raises an error for what is no row type, or none any more */
	return lookup_rowtype_tupdesc_copy(type, -1);
}
