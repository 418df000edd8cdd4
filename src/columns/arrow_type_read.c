/*-------------------------------------------------------------------------
 *
 * arrow_type_read.c
 *	  Types that an Arrow field is read as.
 *
 * Memory: the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/uuid.h"

#include "bytes/arrow_read.h"
#include "columns/arrow_type_read.h"
#include "columns/kind.h"
#include "columns/resolve.h"
#include "compat.h"

/* Bytes of UTF-8 that a name has at most, in whatever encoding it fits here */
#define NAME_MAX_SIZE		(MAX_MULTIBYTE_CHAR_LEN * (NAMEDATALEN - 1))

/* Digits of an unsigned integer of 64 bits */
#define UINT64_DIGITS		20

StaticAssertDecl(NAME_MAX_SIZE <= ROWSER_ARROW_NAME_SIZE,
				 "names are checked as far as they are used");

char *
rowser_arrow_field_name(const RowserArrowField *field)
{
	RowserString name = field->name;

	/* what PostgreSQL calls a column that has no name */
	if (name.size == 0)
		return pstrdup("?column?");

	/* no more of it is of interest, and many fields may share a long name */
	if (name.size > NAME_MAX_SIZE)
		name.size = pg_encoding_mbcliplen(PG_UTF8, (const char *) name.bytes,
										  name.size, NAME_MAX_SIZE);
	return rowser_resolve_name(name, PG_UTF8);
}

/* ----------------------------------------------------------------
 *		Metadata
 * ----------------------------------------------------------------
 */

/* A value of a field's metadata, or NULL */
static const RowserString *
find_metadata(const RowserArrowField *field, const char *key)
{
	for (uint32 i = 0; i < field->nmetadata; i++)
	{
		const RowserArrowKeyValue *entry = &field->metadata[i];

		if (entry->key.size == strlen(key) &&
			memcmp(entry->key.bytes, key, entry->key.size) == 0)
			return &entry->value;
	}
	return NULL;
}

/* Whether a value of a field's metadata is this one */
static bool
metadata_is(const RowserArrowField *field, const char *key, const char *value)
{
	const RowserString *found = find_metadata(field, key);

	return found != NULL && found->size == strlen(value) &&
		memcmp(found->bytes, value, found->size) == 0;
}

/* Whether metadata can be a name of something here */
static bool
is_name(const RowserString *string)
{
	return string != NULL && string->size > 0 &&
		string->size <= NAME_MAX_SIZE &&
		memchr(string->bytes, 0, string->size) == NULL;
}

/* The type that the metadata names, or InvalidOid if it names none */
static Oid
named_type(const RowserArrowField *field, const char *column)
{
	const RowserString *schema = find_metadata(field,
											   ROWSER_ARROW_KEY_TYPE_SCHEMA);
	const RowserString *name = find_metadata(field,
											 ROWSER_ARROW_KEY_TYPE_NAME);
	Oid			type;

	if (!is_name(schema) || !is_name(name))
		return InvalidOid;
	type = rowser_resolve_named(*schema, *name, PG_UTF8);
	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("type %s does not exist",
						quote_qualified_identifier(rowser_resolve_text(*schema,
																	   PG_UTF8),
												   rowser_resolve_text(*name,
																	   PG_UTF8))),
				 errdetail("The Arrow stream says that column \"%s\" is of this type.",
						   column),
				 errhint("Create it, or take \"%s\" out of the field's metadata.",
						 ROWSER_ARROW_KEY_TYPE_NAME)));
	return type;
}

/* The typmod that the metadata names, if a type can have it, or -1 */
static int32
named_typmod(const RowserArrowField *field, Oid type)
{
	const RowserString *typmod = find_metadata(field,
											   ROWSER_ARROW_KEY_TYPMOD);
	int64		value = 0;

	/* a typmod is at most 2147483647 */
	if (typmod == NULL || typmod->size == 0 || typmod->size > 10)
		return -1;
	for (uint32 i = 0; i < typmod->size; i++)
	{
		if (typmod->bytes[i] < '0' || typmod->bytes[i] > '9')
			return -1;
		value = value * 10 + (typmod->bytes[i] - '0');
	}
	while (rowser_kind_of(type) == ROWSER_KIND_ARRAY && type != RECORDARRAYOID)
		type = get_element_type(type);
	if (value > PG_INT32_MAX || get_typtype(type) != TYPTYPE_BASE ||
		!rowser_resolve_typmod_is_possible(type, (int32) value))
		return -1;
	return (int32) value;
}

/* The collation that the metadata names for a type, or another one */
static Oid
named_collation(const RowserArrowField *field, Oid type, Oid otherwise)
{
	const RowserString *name = find_metadata(field,
											 ROWSER_ARROW_KEY_COLLATION);
	const RowserString *schema = find_metadata(field,
											   ROWSER_ARROW_KEY_COLLATION_SCHEMA);
	RowserType	described = {0};
	Oid			collation;

	if (!type_is_collatable(type) || !is_name(name) || !is_name(schema))
		return otherwise;
	described.collation_schema = *schema;
	described.collation_name = *name;
	collation = rowser_resolve_collation(&described, PG_UTF8);
	return OidIsValid(collation) ? collation : otherwise;
}

/* ----------------------------------------------------------------
 *		Types without metadata
 * ----------------------------------------------------------------
 */

rowser_noreturn static void
report_unsupported(const RowserArrowField *field, const char *column,
				   const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot read column \"%s\" of Arrow type %s", column,
					rowser_arrow_type_name(field->type)),
			 errdetail("%s", what)));
}

static int32
numeric_typmod(int32 precision, int32 scale)
{
	return ((precision << 16) | (scale & 0x7FF)) + VARHDRSZ;
}

static RowserArrowType
plain_type(Oid type)
{
	RowserArrowType result = {type, -1, get_typcollation(type)};

	return result;
}

static RowserArrowType
numeric_type(int32 precision, int32 scale)
{
	RowserArrowType result = plain_type(NUMERICOID);

	result.typmod = numeric_typmod(precision, scale);
	return result;
}

static RowserArrowType
integer_type(const RowserArrowField *field)
{
	if (field->width == 64 && !field->is_signed)
		return numeric_type(UINT64_DIGITS, 0);
	/* one without a sign needs more room than PostgreSQL's of its width */
	switch (field->width + (field->is_signed ? 0 : 8))
	{
		case 8:
		case 16:
			return plain_type(INT2OID);
		case 24:
		case 32:
			return plain_type(INT4OID);
		default:
			return plain_type(INT8OID);
	}
}

/* A list's type: an array of what its values are read as */
static RowserArrowType
list_type(const RowserArrowField *field, const char *column)
{
	RowserArrowType element = rowser_arrow_type_read(&field->children[0],
													 column);
	RowserArrowType result;

	if (rowser_kind_of(element.type) == ROWSER_KIND_ARRAY)
		report_unsupported(field, column, "It has lists of lists.");
	result.type = element.type == RECORDOID ? RECORDARRAYOID :
		get_array_type(element.type);
	if (!OidIsValid(result.type))
		report_unsupported(field, column,
						   "Its values are of a type that has no arrays.");
	result.typmod = element.typmod;
	result.collation = element.collation;
	return result;
}

/* The type that a field is read as by its own type alone */
static RowserArrowType
default_type(const RowserArrowField *field, const char *column)
{
	switch (field->type)
	{
		case ROWSER_ARROW_BOOL:
			return plain_type(BOOLOID);
		case ROWSER_ARROW_INT:
			return integer_type(field);
		case ROWSER_ARROW_FLOATING_POINT:
			return plain_type(field->unit == ROWSER_ARROW_PRECISION_DOUBLE ?
							  FLOAT8OID : FLOAT4OID);
		case ROWSER_ARROW_DECIMAL:
			return numeric_type(field->precision, field->scale);
		case ROWSER_ARROW_NULL:
			return plain_type(TEXTOID);
		case ROWSER_ARROW_UTF8:
		case ROWSER_ARROW_LARGE_UTF8:
		case ROWSER_ARROW_UTF8_VIEW:
			return plain_type(metadata_is(field, ROWSER_ARROW_KEY_EXTENSION,
										  ROWSER_ARROW_EXTENSION_JSON) ?
							  JSONOID : TEXTOID);
		case ROWSER_ARROW_BINARY:
		case ROWSER_ARROW_LARGE_BINARY:
		case ROWSER_ARROW_BINARY_VIEW:
			return plain_type(BYTEAOID);
		case ROWSER_ARROW_FIXED_SIZE_BINARY:
			return plain_type(field->width == UUID_LEN &&
							  metadata_is(field, ROWSER_ARROW_KEY_EXTENSION,
										  ROWSER_ARROW_EXTENSION_UUID) ?
							  UUIDOID : BYTEAOID);
		case ROWSER_ARROW_DATE:
			return plain_type(DATEOID);
		case ROWSER_ARROW_TIME:
			return plain_type(TIMEOID);
		case ROWSER_ARROW_TIMESTAMP:
			return plain_type(field->timezone.size > 0 ? TIMESTAMPTZOID :
							  TIMESTAMPOID);
		case ROWSER_ARROW_INTERVAL:
		case ROWSER_ARROW_DURATION:
			return plain_type(INTERVALOID);
		case ROWSER_ARROW_LIST:
		case ROWSER_ARROW_LARGE_LIST:
		case ROWSER_ARROW_FIXED_SIZE_LIST:
		case ROWSER_ARROW_MAP:
			return list_type(field, column);
		case ROWSER_ARROW_STRUCT:
			return plain_type(RECORDOID);
		default:
			report_unsupported(field, column,
							   "There is no way to read this type.");
	}
}

RowserArrowType
rowser_arrow_type_read(const RowserArrowField *field, const char *column)
{
	RowserArrowType result;
	Oid			type;

	check_stack_depth();
	type = named_type(field, column);
	if (!OidIsValid(type) || !rowser_arrow_type_fits(field, type))
	{
		result = default_type(field, column);
		result.collation = named_collation(field, result.type,
										   result.collation);
		return result;
	}
	result.type = type;
	result.typmod = named_typmod(field, type);
	result.collation = named_collation(field, type, get_typcollation(type));
	/* a decimal's digits are those of its values, whatever was once said */
	if (type == NUMERICOID && field->type == ROWSER_ARROW_DECIMAL)
		result.typmod = numeric_typmod(field->precision, field->scale);
	return result;
}
