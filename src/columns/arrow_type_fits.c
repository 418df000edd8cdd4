/*-------------------------------------------------------------------------
 *
 * arrow_type_fits.c
 *	  Whether an Arrow field is what values of a type become in Arrow.
 *
 * Memory: the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/uuid.h"

#include "bytes/arrow_array.h"
#include "columns/arrow_type_read.h"
#include "columns/kind.h"
#include "columns/row_type.h"

static bool
is_text(const RowserArrowField *field)
{
	return field->type == ROWSER_ARROW_UTF8 ||
		field->type == ROWSER_ARROW_LARGE_UTF8 ||
		field->type == ROWSER_ARROW_UTF8_VIEW;
}

static bool
is_list(const RowserArrowField *field)
{
	return rowser_arrow_has_lists(field->type) ||
		field->type == ROWSER_ARROW_FIXED_SIZE_LIST;
}

static bool
is_integer(const RowserArrowField *field, int32 width, bool is_signed)
{
	return field->width == width && field->is_signed == is_signed;
}

/* Whether a struct has the attributes of a named row type, in their order */
static bool
struct_fits(const RowserArrowField *field, Oid type)
{
	TupleDesc	tupdesc = rowser_row_type_copy(type);
	uint32		next = 0;
	bool		result = true;

	for (int i = 0; i < tupdesc->natts && result; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		const RowserArrowField *child = &field->children[next];

		if (att->attisdropped)
			continue;
		result = next < field->nchildren &&
			strcmp(rowser_arrow_field_name(child),
				   NameStr(att->attname)) == 0 &&
			rowser_arrow_type_fits(child, att->atttypid);
		next++;
	}
	return result && next == field->nchildren;
}

/* Whether integers are what values of a built-in type become in Arrow. */
static bool
integer_fits(const RowserArrowField *field, Oid type)
{
	switch (type)
	{
		case INT2OID:
			return is_integer(field, 16, true);
		case INT4OID:
			return is_integer(field, 32, true);
		case INT8OID:
			return is_integer(field, 64, true);
		case OIDOID:
		case XIDOID:
		case CIDOID:
			return is_integer(field, 32, false);
		case XID8OID:
			return is_integer(field, 64, false);
		default:
			return false;
	}
}

/* The same for all types that no text is needed for and that have no parts */
static bool
scalar_fits(const RowserArrowField *field, Oid type)
{
	switch (field->type)
	{
		case ROWSER_ARROW_BOOL:
			return type == BOOLOID;
		case ROWSER_ARROW_INT:
			return integer_fits(field, type);
		case ROWSER_ARROW_FLOATING_POINT:
			return type == (field->unit == ROWSER_ARROW_PRECISION_DOUBLE ?
							FLOAT8OID : FLOAT4OID);
		case ROWSER_ARROW_DECIMAL:
			return type == NUMERICOID;
		case ROWSER_ARROW_DATE:
			return type == DATEOID;
		case ROWSER_ARROW_TIME:
			return type == TIMEOID;
		case ROWSER_ARROW_TIMESTAMP:
			return type == (field->timezone.size > 0 ? TIMESTAMPTZOID :
							TIMESTAMPOID);
		case ROWSER_ARROW_INTERVAL:
		case ROWSER_ARROW_DURATION:
			return type == INTERVALOID;
		case ROWSER_ARROW_BINARY:
		case ROWSER_ARROW_LARGE_BINARY:
		case ROWSER_ARROW_BINARY_VIEW:
			return type == BYTEAOID;
		case ROWSER_ARROW_FIXED_SIZE_BINARY:
			return type == BYTEAOID ||
				(type == UUIDOID && field->width == UUID_LEN);
		default:
			return false;
	}
}

/* Whether values of a type are text in Arrow, which its input reads. */
static bool
text_fits(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case OIDOID:
		case XIDOID:
		case CIDOID:
		case XID8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case INTERVALOID:
		case BYTEAOID:
		case UUIDOID:
			return false;
		default:
			/* what decoder.c says of node trees goes for these, too */
			return type != PG_NODE_TREEOID || superuser();
	}
}

bool
rowser_arrow_type_fits(const RowserArrowField *field, Oid type)
{
	check_stack_depth();
	type = getBaseType(type);
	switch (rowser_kind_of(type))
	{
		case ROWSER_KIND_ARRAY:
			if (!is_list(field))
				return false;
			if (type == RECORDARRAYOID)
				return field->children[0].type == ROWSER_ARROW_STRUCT;
			return rowser_arrow_type_fits(&field->children[0],
										  get_element_type(type));
		case ROWSER_KIND_COMPOSITE:
			return field->type == ROWSER_ARROW_STRUCT &&
				struct_fits(field, type);
		case ROWSER_KIND_RECORD:
			return field->type == ROWSER_ARROW_STRUCT;
		case ROWSER_KIND_PRINTED:
		case ROWSER_KIND_NONE:
			return false;
		default:
			return is_text(field) ? text_fits(type) : scalar_fits(field, type);
	}
}
