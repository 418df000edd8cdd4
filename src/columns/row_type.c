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

#include "catalog/pg_type.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

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

void
rowser_row_type_mark(RowserRowTypeMark *mark, Oid type)
{
	mark->entry = NULL;
	mark->identifier = 0;
	if (type == RECORDOID)
		return;
	mark->entry = lookup_type_cache(type, TYPECACHE_TUPDESC);
	mark->identifier = mark->entry->tupDesc_identifier;
}

/* Whether values have the same attributes by both descriptors */
static bool
attributes_are_same(TupleDesc left, TupleDesc right)
{
	if (left->natts != right->natts)
		return false;
	for (int i = 0; i < left->natts; i++)
	{
		Form_pg_attribute l = TupleDescAttr(left, i);
		Form_pg_attribute r = TupleDescAttr(right, i);

		/* one that was dropped has no type any more */
		if (l->atttypid != r->atttypid || l->atttypmod != r->atttypmod)
			return false;
	}
	return true;
}

/* The cache has another descriptor, but that may be of the same attributes. */
void
rowser_row_type_compare(RowserRowTypeMark *mark, TupleDesc tupdesc)
{
	Oid			type = mark->entry->type_id;
	bool		same = false;

	/* unless it was dropped */
	if (OidIsValid(get_typ_typrelid(type)))
	{
		TupleDesc	current = lookup_rowtype_tupdesc(type, -1);

		same = attributes_are_same(tupdesc, current);
		ReleaseTupleDesc(current);
	}
	if (!same)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("row type was altered while a rowset is made of its values"),
				 errdetail("The row type is %s.",
						   format_type_extended(type, -1,
												FORMAT_TYPE_ALLOW_INVALID))));
	mark->identifier = mark->entry->tupDesc_identifier;
}
