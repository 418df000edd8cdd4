/*-------------------------------------------------------------------------
 *
 * describe.c
 *	  Types of this database as the format describes them
 *	  (rowset_format.md, section 3.1).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "columns/describe.h"

RowserString
rowser_string_copy(const char *string)
{
	RowserString result;

	result.size = strlen(string);
	result.bytes = (const uint8 *) pstrdup(string);
	return result;
}

/* Refuse a type whose values have no way into bytes. */
static void
report_unsupported(Oid type, const char *column)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("type %s cannot be stored in a rowset",
					format_type_be(type)),
			 errdetail("Column \"%s\" is of this type.", column)));
}

/* Name a type by its OID if that is the same everywhere, else by its names. */
static void
describe_identity(RowserType *described, Oid type)
{
	HeapTuple	tuple;
	Form_pg_type form;
	char	   *schema;

	if (type < FirstGenbkiObjectId)
	{
		described->oid = type;
		return;
	}
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", type);
	form = (Form_pg_type) GETSTRUCT(tuple);
	schema = get_namespace_name(form->typnamespace);
	if (schema == NULL)
		elog(ERROR, "cache lookup failed for namespace %u",
			 form->typnamespace);
	described->schema = rowser_string_copy(schema);
	described->name = rowser_string_copy(NameStr(form->typname));
	ReleaseSysCache(tuple);
}

/* Name a column's collation, if it is not its type's own. */
static void
describe_collation(RowserType *described, Oid type, Oid collation)
{
	HeapTuple	tuple;
	Form_pg_collation form;
	char	   *schema;

	if (!OidIsValid(collation) || collation == get_typcollation(type))
		return;
	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for collation %u", collation);
	form = (Form_pg_collation) GETSTRUCT(tuple);
	schema = get_namespace_name(form->collnamespace);
	if (schema == NULL)
		elog(ERROR, "cache lookup failed for namespace %u",
			 form->collnamespace);
	described->collation_schema = rowser_string_copy(schema);
	described->collation_name = rowser_string_copy(NameStr(form->collname));
	ReleaseSysCache(tuple);
}

RowserKind
rowser_describe(RowserType *described, Oid type, int32 typmod, Oid collation,
				const char *column)
{
	RowserKind	kind = rowser_kind_of(type);

	memset(described, 0, sizeof(*described));
	described->typmod = -1;
	if (kind == ROWSER_KIND_NONE)
		report_unsupported(type, column);

	described->shape = rowser_kind_shape(kind);
	described->width = rowser_kind_width(kind, type);
	if (kind == ROWSER_KIND_PRINTED)
	{
		described->oid = TEXTOID;
		return kind;
	}
	if (kind == ROWSER_KIND_RECORD)
		return kind;

	/* An array's identity and typmod are those of its element. */
	if (kind != ROWSER_KIND_ARRAY)
	{
		describe_identity(described, type);
		described->typmod = typmod;
	}
	describe_collation(described, type, collation);
	return kind;
}

Oid
rowser_domain_base(Oid domain, int32 *typmod)
{
	HeapTuple	tuple;
	Form_pg_type form;
	Oid			base;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(domain));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", domain);
	form = (Form_pg_type) GETSTRUCT(tuple);
	base = form->typbasetype;
	*typmod = form->typtypmod;
	ReleaseSysCache(tuple);
	return base;
}
