/*-------------------------------------------------------------------------
 *
 * arrow_type.c
 *	  A rowset's types as Arrow's (doc/arrow.md, section Types).
 *
 * A field's metadata names the type that a column had, so that it is the same
 * again once Arrow is read; for an array that is said of its elements, as the
 * rowset itself does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "columns/arrow_type.h"
#include "columns/describe.h"
#include "columns/resolve.h"
#include "compat.h"

/* Pairs of metadata that a field has at the most */
#define MAX_METADATA 7

/* ----------------------------------------------------------------
 *		Forms
 * ----------------------------------------------------------------
 */

const RowserType *
rowser_arrow_type_base(const RowserType *described)
{
	while (described->shape == ROWSER_SHAPE_DOMAIN)
		described = described->child;
	return described;
}

/*
 * Take a typmod of numeric apart; false for those that Arrow has no decimal of
 * 128 bits for.
 */
static bool
get_decimal(int32 typmod, int32 *precision, int32 *scale)
{
	if (typmod < (int32) VARHDRSZ)
		return false;
	*precision = ((typmod - VARHDRSZ) >> 16) & 0xFFFF;
	*scale = (((typmod - VARHDRSZ) & 0x7FF) ^ 1024) - 1024;
	return *precision >= 1 && *precision <= ROWSER_ARROW_DECIMAL128_DIGITS &&
		*scale >= 0 && *scale <= *precision;
}

/* The form of what isn't a built-in type with a form of its own */
static RowserArrowForm
form_of_shape(RowserShape shape)
{
	switch (shape)
	{
		case ROWSER_SHAPE_TEXT:
		case ROWSER_SHAPE_OUTPUT:
		case ROWSER_SHAPE_LABEL:
			return ROWSER_ARROW_FORM_TEXT;
		case ROWSER_SHAPE_ARRAY:
			return ROWSER_ARROW_FORM_LIST;
		case ROWSER_SHAPE_COMPOSITE:
		case ROWSER_SHAPE_RECORD:
			return ROWSER_ARROW_FORM_STRUCT;
		default:
			return ROWSER_ARROW_FORM_PRINTED;
	}
}

RowserArrowForm
rowser_arrow_type_form(const RowserType *described)
{
	int32		precision;
	int32		scale;

	described = rowser_arrow_type_base(described);
	switch (described->oid)
	{
		case BOOLOID:
			return ROWSER_ARROW_FORM_BOOL;
		case INT2OID:
			return ROWSER_ARROW_FORM_INT16;
		case INT4OID:
		case OIDOID:
		case XIDOID:
		case CIDOID:
		case FLOAT4OID:
			return ROWSER_ARROW_FORM_INT32;
		case INT8OID:
		case XID8OID:
			return ROWSER_ARROW_FORM_INT64;
		case FLOAT8OID:
			return ROWSER_ARROW_FORM_FLOAT8;
		case DATEOID:
			return ROWSER_ARROW_FORM_DATE;
		case TIMEOID:
			return ROWSER_ARROW_FORM_TIME;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return ROWSER_ARROW_FORM_TIMESTAMP;
		case INTERVALOID:
			return ROWSER_ARROW_FORM_INTERVAL;
		case UUIDOID:
			return ROWSER_ARROW_FORM_UUID;
		case NUMERICOID:
			return get_decimal(described->typmod, &precision, &scale) ?
				ROWSER_ARROW_FORM_DECIMAL : ROWSER_ARROW_FORM_PRINTED;
		case NAMEOID:
			return ROWSER_ARROW_FORM_NAME;
		case BYTEAOID:
			return ROWSER_ARROW_FORM_BYTES;
		case XMLOID:
			/* its output leaves out which encoding it was written in */
			return ROWSER_ARROW_FORM_PRINTED;
		default:
			return form_of_shape(described->shape);
	}
}

/* ----------------------------------------------------------------
 *		Metadata
 * ----------------------------------------------------------------
 */

const char *
rowser_arrow_utf8(const char *text, int size, int *utf8_size)
{
	const char *result;

	*utf8_size = size;
	if (GetDatabaseEncoding() == PG_UTF8)
		return text;
	result = pg_server_to_any(text, size, PG_UTF8);
	if (result != text)
		*utf8_size = strlen(result);
	return result;
}

/* A C string of this database as a string in UTF-8 */
static RowserString
utf8_string(const char *text)
{
	int			size;
	RowserString result;

	result.bytes = (const uint8 *) rowser_arrow_utf8(text, strlen(text),
													 &size);
	result.size = size;
	return result;
}

static void
add_metadata(RowserArrowField *field, const char *key, const char *value)
{
	RowserArrowKeyValue *pair = &field->metadata[field->nmetadata++];

	Assert(field->nmetadata <= MAX_METADATA);
	pair->key = utf8_string(key);
	pair->value = utf8_string(value);
}

/* Name a built-in type, if it is one here. */
static void
add_builtin_name(RowserArrowField *field, Oid type)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Form_pg_type form;
	char	   *schema;

	if (!HeapTupleIsValid(tuple))
		return;
	form = (Form_pg_type) GETSTRUCT(tuple);
	schema = get_namespace_name(form->typnamespace);
	if (schema != NULL)
	{
		add_metadata(field, ROWSER_ARROW_KEY_TYPE_SCHEMA, schema);
		add_metadata(field, ROWSER_ARROW_KEY_TYPE_NAME,
					 pstrdup(NameStr(form->typname)));
	}
	ReleaseSysCache(tuple);
}

/* Say which type it was; arrays and records have no name of their own. */
static void
add_type(RowserArrowField *field, const RowserType *described, int encoding)
{
	if (described->oid != 0)
		add_builtin_name(field, described->oid);
	else if (described->name.size > 0)
	{
		add_metadata(field, ROWSER_ARROW_KEY_TYPE_SCHEMA,
					 rowser_resolve_text(described->schema, encoding));
		add_metadata(field, ROWSER_ARROW_KEY_TYPE_NAME,
					 rowser_resolve_text(described->name, encoding));
	}
	if (described->typmod >= 0)
		add_metadata(field, ROWSER_ARROW_KEY_TYPMOD,
					 psprintf("%d", described->typmod));
	if (described->collation_name.size > 0)
	{
		add_metadata(field, ROWSER_ARROW_KEY_COLLATION_SCHEMA,
					 rowser_resolve_text(described->collation_schema,
										 encoding));
		add_metadata(field, ROWSER_ARROW_KEY_COLLATION,
					 rowser_resolve_text(described->collation_name,
										 encoding));
	}
}

/* Say which canonical extension type of Arrow's it is, if any. */
static void
add_extension(RowserArrowField *field, Oid type)
{
	const char *name;

	if (type == UUIDOID)
		name = ROWSER_ARROW_EXTENSION_UUID;
	else if (type == JSONOID || type == JSONBOID)
		name = ROWSER_ARROW_EXTENSION_JSON;
	else
		return;
	add_metadata(field, ROWSER_ARROW_KEY_EXTENSION, name);
	add_metadata(field, ROWSER_ARROW_KEY_EXTENSION_METADATA, "");
}

/* ----------------------------------------------------------------
 *		Types
 * ----------------------------------------------------------------
 */

static void
set_int(RowserArrowField *field, int32 width, bool is_signed)
{
	field->type = ROWSER_ARROW_INT;
	field->width = width;
	field->is_signed = is_signed;
}

/* Types of 32 bits: what all but float4 are is told by how they are signed */
static void
set_32_bits(RowserArrowField *field, Oid type)
{
	if (type == FLOAT4OID)
	{
		field->type = ROWSER_ARROW_FLOATING_POINT;
		field->unit = ROWSER_ARROW_PRECISION_SINGLE;
	}
	else
		set_int(field, 32, type == INT4OID);
}

/* Set a field's type and its parameters. */
static void
set_type(RowserArrowField *field, const RowserType *base, RowserArrowForm form)
{
	switch (form)
	{
		case ROWSER_ARROW_FORM_BOOL:
			field->type = ROWSER_ARROW_BOOL;
			break;
		case ROWSER_ARROW_FORM_INT16:
			set_int(field, 16, true);
			break;
		case ROWSER_ARROW_FORM_INT32:
			set_32_bits(field, base->oid);
			break;
		case ROWSER_ARROW_FORM_INT64:
			set_int(field, 64, base->oid == INT8OID);
			break;
		case ROWSER_ARROW_FORM_FLOAT8:
			field->type = ROWSER_ARROW_FLOATING_POINT;
			field->unit = ROWSER_ARROW_PRECISION_DOUBLE;
			break;
		case ROWSER_ARROW_FORM_DATE:
			field->type = ROWSER_ARROW_DATE;
			field->unit = ROWSER_ARROW_DATE_DAY;
			break;
		case ROWSER_ARROW_FORM_TIME:
			field->type = ROWSER_ARROW_TIME;
			field->unit = ROWSER_ARROW_MICROSECOND;
			field->width = 64;
			break;
		case ROWSER_ARROW_FORM_TIMESTAMP:
			field->type = ROWSER_ARROW_TIMESTAMP;
			field->unit = ROWSER_ARROW_MICROSECOND;
			if (base->oid == TIMESTAMPTZOID)
				field->timezone = utf8_string("UTC");
			break;
		case ROWSER_ARROW_FORM_INTERVAL:
			field->type = ROWSER_ARROW_INTERVAL;
			field->unit = ROWSER_ARROW_MONTH_DAY_NANO;
			break;
		case ROWSER_ARROW_FORM_UUID:
			field->type = ROWSER_ARROW_FIXED_SIZE_BINARY;
			field->width = 16;
			break;
		case ROWSER_ARROW_FORM_DECIMAL:
			field->type = ROWSER_ARROW_DECIMAL;
			field->width = 128;
			(void) get_decimal(base->typmod, &field->precision,
							   &field->scale);
			break;
		case ROWSER_ARROW_FORM_TEXT:
		case ROWSER_ARROW_FORM_NAME:
		case ROWSER_ARROW_FORM_PRINTED:
			field->type = ROWSER_ARROW_UTF8;
			break;
		case ROWSER_ARROW_FORM_BYTES:
			field->type = ROWSER_ARROW_BINARY;
			break;
		case ROWSER_ARROW_FORM_LIST:
			field->type = ROWSER_ARROW_LIST;
			break;
		case ROWSER_ARROW_FORM_STRUCT:
			field->type = ROWSER_ARROW_STRUCT;
			break;
	}
}

void
rowser_arrow_type_field(RowserArrowField *field, RowserString name,
						const RowserType *described, RowserArrowForm form,
						int encoding)
{
	const RowserType *base = rowser_arrow_type_base(described);

	memset(field, 0, sizeof(*field));
	field->name = utf8_string(rowser_resolve_name(name, encoding));
	field->is_nullable = true;
	field->metadata = palloc0(MAX_METADATA * sizeof(RowserArrowKeyValue));
	set_type(field, base, form);
	if (form != rowser_arrow_type_form(described))
		return;
	add_type(field, described, encoding);
	add_extension(field, base->oid);
}
