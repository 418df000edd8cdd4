/*-------------------------------------------------------------------------
 *
 * kind.c
 *	  Kinds: the ways in which values go between Datums and bytes.
 *
 * To give a built-in type a faster way than its send and receive functions, add
 * it to rowser_kind_of_builtin() and, for a new kind, to the switches of
 * vector.c and values.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupdesc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "columns/kind.h"
#include "compat.h"

RowserKind
rowser_kind_of_builtin(Oid type)
{
	switch (type)
	{
		case BOOLOID:
			return ROWSER_KIND_BOOL;
		case CHAROID:
			return ROWSER_KIND_INT1;
		case INT2OID:
			return ROWSER_KIND_INT2;
		case INT4OID:
		case OIDOID:
		case XIDOID:
		case CIDOID:
			return ROWSER_KIND_INT4;
		case INT8OID:
		case CASHOID:
		case XID8OID:
		case PG_LSNOID:
			return ROWSER_KIND_INT8;
		case FLOAT4OID:
			return ROWSER_KIND_FLOAT4;
		case FLOAT8OID:
			return ROWSER_KIND_FLOAT8;
		case DATEOID:
			return ROWSER_KIND_DATE;
		case TIMEOID:
			return ROWSER_KIND_TIME;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return ROWSER_KIND_TIMESTAMP;
		case UUIDOID:
		case MACADDROID:
		case MACADDR8OID:
			return ROWSER_KIND_FIXED;
		case TIMETZOID:
			return ROWSER_KIND_TIMETZ;
		case INTERVALOID:
			return ROWSER_KIND_INTERVAL;
		case TIDOID:
			return ROWSER_KIND_TID;
		case NUMERICOID:
			return ROWSER_KIND_NUMERIC;
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			return ROWSER_KIND_TEXT;
		case NAMEOID:
			return ROWSER_KIND_NAME;
		case JSONOID:
			return ROWSER_KIND_JSON;
		case XMLOID:
			return ROWSER_KIND_XML;
		case PG_NODE_TREEOID:
			return ROWSER_KIND_NODE_TREE;
		case BYTEAOID:
			return ROWSER_KIND_BYTES;
		case INT2VECTOROID:
		case OIDVECTOROID:
			/* their receive functions refuse what is empty */
			return ROWSER_KIND_VECTOR;
		case REGPROCOID:
		case REGPROCEDUREOID:
		case REGOPEROID:
		case REGOPERATOROID:
		case REGCLASSOID:
		case REGTYPEOID:
		case REGCOLLATIONOID:
		case REGCONFIGOID:
		case REGDICTIONARYOID:
		case REGROLEOID:
		case REGNAMESPACEOID:
			return ROWSER_KIND_REG;
		case TSVECTOROID:
		case TSQUERYOID:
		case JSONBOID:
			return ROWSER_KIND_BINARY;
		case RECORDOID:
			return ROWSER_KIND_RECORD;
		case RECORDARRAYOID:
			return ROWSER_KIND_ARRAY;
		case GTSVECTOROID:
		case PG_NDISTINCTOID:
		case PG_DEPENDENCIESOID:
		case PG_MCV_LISTOID:
		case PG_BRIN_BLOOM_SUMMARYOID:
		case PG_BRIN_MINMAX_MULTI_SUMMARYOID:
		case UNKNOWNOID:
		case CSTRINGOID:
		case CSTRINGARRAYOID:
		case VOIDOID:
		case ANYARRAYOID:
		case ANYENUMOID:
		case ANYRANGEOID:
		case ANYMULTIRANGEOID:
		case ANYCOMPATIBLEARRAYOID:
		case ANYCOMPATIBLERANGEOID:
		case ANYCOMPATIBLEMULTIRANGEOID:
			return ROWSER_KIND_PRINTED;
		default:
			return ROWSER_KIND_NONE;
	}
}

static RowserKind kind_of(Oid type, List **seen);

/*
 * Whether a type has values at any depth that can only be printed.  Composite
 * types can have one another many times over: each is looked at once.
 */
static bool
is_printed_inside(Oid type, List **seen)
{
	RowserKind	kind;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	kind = kind_of(type, seen);
	if (kind == ROWSER_KIND_ARRAY && type != RECORDARRAYOID)
		return is_printed_inside(get_element_type(type), seen);
	return kind == ROWSER_KIND_PRINTED;
}

/*
 * The kind of a composite type.  One without columns has no nodes that could
 * count its values inside an array, so it goes as text; one with a column that
 * can only be printed can only be printed too.
 */
static RowserKind
composite_kind(Oid type, List **seen)
{
	TupleDesc	tupdesc;
	RowserKind	kind = ROWSER_KIND_OUTPUT;

	/* what could only be printed would have been the end of it */
	if (list_member_oid(*seen, type))
		return ROWSER_KIND_COMPOSITE;
	*seen = lappend_oid(*seen, type);
	tupdesc = lookup_rowtype_tupdesc(type, -1);
	for (int i = 0; i < tupdesc->natts && kind != ROWSER_KIND_PRINTED; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (att->attisdropped)
			continue;
		kind = is_printed_inside(att->atttypid, seen) ? ROWSER_KIND_PRINTED :
			ROWSER_KIND_COMPOSITE;
	}
	ReleaseTupleDesc(tupdesc);
	return kind;
}

/* The kind of a base type that has no way of its own. */
static RowserKind
base_kind(Oid type, Form_pg_type form)
{
	if (OidIsValid(get_element_type(type)))
		return ROWSER_KIND_ARRAY;
	if (OidIsValid(form->typsend) && OidIsValid(form->typreceive))
		return ROWSER_KIND_BINARY;
	return ROWSER_KIND_OUTPUT;
}

/* The kind of a type inside others, of which the composite ones are in *seen. */
static RowserKind
kind_of(Oid type, List **seen)
{
	RowserKind	kind = rowser_kind_of_builtin(type);
	HeapTuple	tuple;
	Form_pg_type form;

	if (kind != ROWSER_KIND_NONE)
		return kind;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	if (!HeapTupleIsValid(tuple))
		return ROWSER_KIND_NONE;
	form = (Form_pg_type) GETSTRUCT(tuple);
	if (form->typisdefined)
	{
		switch (form->typtype)
		{
			case TYPTYPE_BASE:
				kind = base_kind(type, form);
				break;
			case TYPTYPE_COMPOSITE:
				kind = composite_kind(type, seen);
				break;
			case TYPTYPE_DOMAIN:
				kind = is_printed_inside(form->typbasetype, seen) ?
					ROWSER_KIND_PRINTED : ROWSER_KIND_DOMAIN;
				break;
			case TYPTYPE_ENUM:
				kind = ROWSER_KIND_ENUM;
				break;
			case TYPTYPE_RANGE:
				kind = ROWSER_KIND_RANGE;
				break;
			case TYPTYPE_MULTIRANGE:
				kind = ROWSER_KIND_MULTIRANGE;
				break;
			default:
				break;
		}
	}
	ReleaseSysCache(tuple);
	return kind;
}

RowserKind
rowser_kind_of(Oid type)
{
	List	   *seen = NIL;
	RowserKind	kind = kind_of(type, &seen);

	list_free(seen);
	return kind;
}

RowserShape
rowser_kind_shape(RowserKind kind)
{
	switch (kind)
	{
		case ROWSER_KIND_BOOL:
			return ROWSER_SHAPE_BOOL;
		case ROWSER_KIND_INT1:
			return ROWSER_SHAPE_INT1;
		case ROWSER_KIND_INT2:
			return ROWSER_SHAPE_INT2;
		case ROWSER_KIND_INT4:
		case ROWSER_KIND_DATE:
			return ROWSER_SHAPE_INT4;
		case ROWSER_KIND_INT8:
		case ROWSER_KIND_TIME:
		case ROWSER_KIND_TIMESTAMP:
			return ROWSER_SHAPE_INT8;
		case ROWSER_KIND_FLOAT4:
			return ROWSER_SHAPE_FLOAT4;
		case ROWSER_KIND_FLOAT8:
			return ROWSER_SHAPE_FLOAT8;
		case ROWSER_KIND_FIXED:
		case ROWSER_KIND_TIMETZ:
		case ROWSER_KIND_INTERVAL:
		case ROWSER_KIND_TID:
			return ROWSER_SHAPE_FIXED;
		case ROWSER_KIND_NUMERIC:
			return ROWSER_SHAPE_NUMERIC;
		case ROWSER_KIND_TEXT:
		case ROWSER_KIND_NAME:
		case ROWSER_KIND_JSON:
		case ROWSER_KIND_XML:
		case ROWSER_KIND_NODE_TREE:
		case ROWSER_KIND_PRINTED:
			return ROWSER_SHAPE_TEXT;
		case ROWSER_KIND_BYTES:
			return ROWSER_SHAPE_BYTES;
		case ROWSER_KIND_BINARY:
			return ROWSER_SHAPE_BINARY;
		case ROWSER_KIND_OUTPUT:
		case ROWSER_KIND_VECTOR:
		case ROWSER_KIND_REG:
			return ROWSER_SHAPE_OUTPUT;
		case ROWSER_KIND_ENUM:
			return ROWSER_SHAPE_LABEL;
		case ROWSER_KIND_ARRAY:
			return ROWSER_SHAPE_ARRAY;
		case ROWSER_KIND_COMPOSITE:
			return ROWSER_SHAPE_COMPOSITE;
		case ROWSER_KIND_RECORD:
			return ROWSER_SHAPE_RECORD;
		case ROWSER_KIND_RANGE:
			return ROWSER_SHAPE_RANGE;
		case ROWSER_KIND_MULTIRANGE:
			return ROWSER_SHAPE_MULTIRANGE;
		case ROWSER_KIND_DOMAIN:
			return ROWSER_SHAPE_DOMAIN;
		case ROWSER_KIND_NONE:
			break;
	}
	elog(ERROR, "unrecognized kind: %d", (int) kind);
	return ROWSER_SHAPE_TEXT;
}

uint8
rowser_kind_width(RowserKind kind, Oid type)
{
	switch (kind)
	{
		case ROWSER_KIND_FIXED:
			return (uint8) get_typlen(type);
		case ROWSER_KIND_TIMETZ:
			return 12;
		case ROWSER_KIND_INTERVAL:
			return 16;
		case ROWSER_KIND_TID:
			return 6;
		default:
			return rowser_shape_width(rowser_kind_shape(kind));
	}
}

Oid
rowser_reg_text_type(Oid type)
{
	switch (type)
	{
		case REGPROCOID:
			return REGPROCEDUREOID;
		case REGOPEROID:
			return REGOPERATOROID;
		default:
			return type;
	}
}
