/*-------------------------------------------------------------------------
 *
 * resolve.c
 *	  Types that a rowset describes, as types of this database.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "columns/kind.h"
#include "columns/resolve.h"
#include "compat.h"

char *
rowser_resolve_text(RowserString text, int encoding)
{
	char	   *copy = pnstrdup((const char *) text.bytes, text.size);

	return pg_any_to_server(copy, text.size, encoding);
}

char *
rowser_resolve_name(RowserString name, int encoding)
{
	char	   *text = rowser_resolve_text(name, encoding);
	int			size = strlen(text);

	if (size >= NAMEDATALEN)
		text[pg_mbcliplen(text, size, NAMEDATALEN - 1)] = '\0';
	return text;
}

/* A description's schema and name as users write them. */
static char *
qualified_name(const RowserType *described, int encoding)
{
	return quote_qualified_identifier(rowser_resolve_text(described->schema,
														  encoding),
									  rowser_resolve_text(described->name,
														  encoding));
}

/* ----------------------------------------------------------------
 *		Looking a type up
 * ----------------------------------------------------------------
 */

/*
 * Look up a type by exact schema and name; InvalidOid if either doesn't exist.
 * A name that is too long for an identifier exists nowhere.
 */
static Oid
lookup_named(const RowserType *described, int encoding, Oid *schema_oid)
{
	char	   *schema = rowser_resolve_text(described->schema, encoding);
	char	   *name = rowser_resolve_text(described->name, encoding);

	*schema_oid = InvalidOid;
	if (strlen(schema) >= NAMEDATALEN || strlen(name) >= NAMEDATALEN)
		return InvalidOid;
	*schema_oid = get_namespace_oid(schema, true);
	if (!OidIsValid(*schema_oid))
		return InvalidOid;
	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid,
						   CStringGetDatum(name),
						   ObjectIdGetDatum(*schema_oid));
}

/* Check the right to use a type of a schema. */
static void
check_usage(Oid schema, Oid type)
{
	AclResult	acl;

	acl = rowser_namespace_usage(schema, GetUserId());
	if (acl != ACLCHECK_OK)
		aclcheck_error(acl, OBJECT_SCHEMA, get_namespace_name(schema));
	acl = rowser_type_usage(type, GetUserId());
	if (acl != ACLCHECK_OK)
		aclcheck_error_type(acl, type);
}

Oid
rowser_resolve_named(RowserString schema, RowserString name, int encoding)
{
	RowserType	described = {.schema = schema, .name = name};
	Oid			schema_oid = InvalidOid;
	Oid			type = lookup_named(&described, encoding, &schema_oid);

	if (OidIsValid(type))
		check_usage(schema_oid, type);
	return type;
}

/* Find a scalar's, composite's or range's type and check the right to use it. */
static Oid
find_type(const RowserType *described, int encoding)
{
	Oid			schema = InvalidOid;
	Oid			type;

	if (described->oid != 0)
	{
		if (SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(described->oid)))
			return described->oid;
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("type with OID %u does not exist", described->oid),
				 errdetail("The rowset may come from a newer server.")));
	}

	type = lookup_named(described, encoding, &schema);
	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("type %s does not exist",
						qualified_name(described, encoding)),
				 errhint("Create it, or name another type for the column in a column definition list.")));

	check_usage(schema, type);
	return type;
}

bool
rowser_resolve_fits(const RowserType *described, Oid type)
{
	RowserKind	kind = rowser_kind_of(type);

	return kind != ROWSER_KIND_NONE && kind != ROWSER_KIND_PRINTED &&
		rowser_kind_shape(kind) == described->shape &&
		(described->shape != ROWSER_SHAPE_FIXED ||
		 rowser_kind_width(kind, type) == described->width);
}

/*
 * Whether a type has a domain at any depth.  Composite types that have been
 * looked at, and had none, are in *seen.
 */
static bool
has_domain_inside(Oid type, List **seen)
{
	TupleDesc	tupdesc;
	bool		result = false;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	switch (rowser_kind_of(type))
	{
		case ROWSER_KIND_DOMAIN:
			return true;
		case ROWSER_KIND_ARRAY:
			return type != RECORDARRAYOID &&
				has_domain_inside(get_element_type(type), seen);
		case ROWSER_KIND_COMPOSITE:
			if (list_member_oid(*seen, type))
				return false;
			*seen = lappend_oid(*seen, type);
			tupdesc = lookup_rowtype_tupdesc(type, -1);
			for (int i = 0; i < tupdesc->natts && !result; i++)
			{
				Form_pg_attribute att = TupleDescAttr(tupdesc, i);

				result = !att->attisdropped &&
					has_domain_inside(att->atttypid, seen);
			}
			ReleaseTupleDesc(tupdesc);
			return result;
		default:
			return false;
	}
}

static const RowserType *
strip_domains(const RowserType *described)
{
	while (described->shape == ROWSER_SHAPE_DOMAIN)
		described = described->child;
	return described;
}

bool
rowser_resolve_is_readable(const RowserType *described)
{
	described = strip_domains(described);
	if (described->shape != ROWSER_SHAPE_ARRAY)
		return true;
	described = strip_domains(described->child);
	return described->shape != ROWSER_SHAPE_ARRAY;
}

Oid
rowser_resolve_type(const RowserType *described, int encoding)
{
	Oid			type;
	List	   *seen = NIL;

	check_stack_depth();
	described = strip_domains(described);
	if (described->shape == ROWSER_SHAPE_RECORD)
		return RECORDOID;
	if (described->shape == ROWSER_SHAPE_ARRAY)
	{
		if (!rowser_resolve_is_readable(described))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("cannot read an array of a domain over an array without its type"),
					 errhint("Use a column definition list or a row type.")));
		type = rowser_resolve_type(described->child, encoding);
		if (type == RECORDOID)
			return RECORDARRAYOID;
		type = get_array_type(type);
		if (!OidIsValid(type))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
					 errmsg("invalid rowset"),
					 errdetail("It has an array of a type that has no arrays.")));
		return type;
	}

	type = find_type(described, encoding);
	if (!rowser_resolve_fits(described, type))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid rowset"),
				 errdetail("Values of type %s are not stored as the rowset says.",
						   format_type_be(type))));

	/* See the decoder on who may have node trees. */
	if (type == PG_NODE_TREEOID && !superuser())
		return TEXTOID;
	if (described->shape == ROWSER_SHAPE_COMPOSITE &&
		has_domain_inside(type, &seen))
		return RECORDOID;
	return type;
}

Oid
rowser_resolve_sent(const RowserType *described, int encoding, int32 *typmod)
{
	Oid			type = rowser_resolve_type(described, encoding);
	Oid			named;
	AclResult	acl;

	*typmod = rowser_resolve_typmod(described);
	described = strip_domains(described);
	if (described->shape != ROWSER_SHAPE_ARRAY &&
		described->shape != ROWSER_SHAPE_COMPOSITE)
		return type;
	named = rowser_resolve_shown(described, encoding);
	if (!OidIsValid(named) || named == type)
		return type;
	acl = rowser_type_usage(named, GetUserId());
	if (acl != ACLCHECK_OK)
		aclcheck_error_type(acl, named);
	*typmod = -1;				/* the domains have theirs */
	return named;
}

Oid
rowser_resolve_shown(const RowserType *described, int encoding)
{
	Oid			schema;
	Oid			type;

	check_stack_depth();
	switch (described->shape)
	{
		case ROWSER_SHAPE_RECORD:
			return RECORDOID;
		case ROWSER_SHAPE_ARRAY:
			type = rowser_resolve_shown(described->child, encoding);
			if (type == RECORDOID)
				return RECORDARRAYOID;
			return OidIsValid(type) ? get_array_type(type) : InvalidOid;
		default:
			if (described->oid == 0)
				return lookup_named(described, encoding, &schema);
			return SearchSysCacheExists1(TYPEOID,
										 ObjectIdGetDatum(described->oid)) ?
				described->oid : InvalidOid;
	}
}

Oid
rowser_resolve_collation(const RowserType *described, int encoding)
{
	List	   *names;

	if (described->collation_name.size == 0)
		return InvalidOid;
	names = list_make2(makeString(rowser_resolve_text(described->collation_schema,
													  encoding)),
					   makeString(rowser_resolve_text(described->collation_name,
													  encoding)));
	return get_collation_oid(names, true);
}

/* ----------------------------------------------------------------
 *		Comparing and telling
 * ----------------------------------------------------------------
 */

/* The fields that an interval can be restricted to, as intervaltypmodin() has them */
static bool
interval_fields_are_possible(int fields)
{
	switch (fields)
	{
		case INTERVAL_MASK(YEAR):
		case INTERVAL_MASK(MONTH):
		case INTERVAL_MASK(DAY):
		case INTERVAL_MASK(HOUR):
		case INTERVAL_MASK(MINUTE):
		case INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(YEAR) | INTERVAL_MASK(MONTH):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE):
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE):
		case INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
		case INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
		case INTERVAL_FULL_RANGE:
			return true;
		default:
			return false;
	}
}

bool
rowser_resolve_is(const RowserType *described, Oid type, int encoding)
{
	HeapTuple	tuple;
	Form_pg_type form;
	char	   *schema;
	bool		result;

	if (described->oid != 0)
		return described->oid == type;
	if (described->name.size == 0 || type < FirstGenbkiObjectId)
		return false;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_type) GETSTRUCT(tuple);
	schema = get_namespace_name(form->typnamespace);
	result = schema != NULL &&
		strcmp(schema, rowser_resolve_text(described->schema,
										   encoding)) == 0 &&
		strcmp(NameStr(form->typname), rowser_resolve_text(described->name,
														   encoding)) == 0;
	ReleaseSysCache(tuple);
	return result;
}

bool
rowser_resolve_typmod_is_possible(Oid type, int32 typmod)
{
	int			precision;
	int			scale;
	int			fields;

	switch (type)
	{
		case BPCHAROID:
		case VARCHAROID:
			return typmod > (int32) VARHDRSZ &&
				typmod <= (int32) VARHDRSZ + MaxAttrSize;
		case NUMERICOID:
			precision = ((typmod - (int32) VARHDRSZ) >> 16) & 0xFFFF;
			scale = (((typmod - (int32) VARHDRSZ) & 0x7FF) ^ 1024) - 1024;
			return typmod >= (int32) VARHDRSZ &&
				precision >= 1 && precision <= NUMERIC_MAX_PRECISION &&
				scale >= -NUMERIC_MAX_PRECISION &&
				scale <= NUMERIC_MAX_PRECISION;
		case BITOID:
		case VARBITOID:
			return typmod > 0 && typmod <= MaxAttrSize * BITS_PER_BYTE;
		case TIMEOID:
		case TIMETZOID:
			return typmod >= 0 && typmod <= MAX_TIME_PRECISION;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return typmod >= 0 && typmod <= MAX_TIMESTAMP_PRECISION;
		case INTERVALOID:
			precision = INTERVAL_PRECISION(typmod);
			fields = INTERVAL_RANGE(typmod);
			return (precision == INTERVAL_FULL_PRECISION ||
					precision <= MAX_INTERVAL_PRECISION) &&
				interval_fields_are_possible(fields);
		default:
			return type >= FirstGenbkiObjectId;
	}
}

/* The typmod of a description, checked. */
static int32
checked_typmod(const RowserType *described)
{
	if (described->typmod != -1 && described->oid != 0 &&
		!rowser_resolve_typmod_is_possible(described->oid, described->typmod))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid rowset"),
				 errdetail("Type %s cannot have the typmod %d.",
						   format_type_extended(described->oid, -1,
												FORMAT_TYPE_ALLOW_INVALID),
						   described->typmod)));
	return described->typmod;
}

int32
rowser_resolve_typmod(const RowserType *described)
{
	/* the typmod that a domain sets is on the type below it */
	while (described->shape == ROWSER_SHAPE_DOMAIN ||
		   described->shape == ROWSER_SHAPE_ARRAY)
		described = described->child;
	return checked_typmod(described);
}

int32
rowser_resolve_shown_typmod(const RowserType *described)
{
	if (described->shape == ROWSER_SHAPE_ARRAY)
		described = described->child;
	return checked_typmod(described);
}

int
rowser_resolve_encoding_if_known(RowserString name)
{
	char	   *copy = pnstrdup((const char *) name.bytes, name.size);
	int			encoding = pg_valid_server_encoding(copy);

	/* PostgreSQL is lenient about how a name is written; the format is not */
	if (encoding >= 0 && strcmp(pg_encoding_to_char(encoding), copy) != 0)
		encoding = -1;
	pfree(copy);
	return encoding;
}

int
rowser_resolve_encoding(RowserString name)
{
	int			encoding = rowser_resolve_encoding_if_known(name);

	if (encoding < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid rowset"),
				 errdetail("Its encoding is not one that a database can have.")));
	return encoding;
}
