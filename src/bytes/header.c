/*-------------------------------------------------------------------------
 *
 * header.c
 *	  A rowset's header: version, encoding and the columns' descriptions
 *	  (rowset_format.md, section 3).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/checksum.h"
#include "bytes/header.h"
#include "bytes/memory.h"

#define MAGIC		"\xFF" "RS\r\n"	/* and the string's own zero byte */
#define MAGIC_SIZE	6

#define TYPE_SHAPE_MASK		0x1F
#define TYPE_HAS_TYPMOD		0x20
#define TYPE_HAS_COLLATION	0x40
#define TYPE_IS_NAMED		0x80

#define MAX_BUILTIN_OID		9999

static void type_write(RowserBuffer *buffer, const RowserType *type);
static bool type_read(RowserCursor *cursor, int depth, RowserType *type);

uint8
rowser_shape_width(RowserShape shape)
{
	switch (shape)
	{
		case ROWSER_SHAPE_BOOL:
		case ROWSER_SHAPE_INT1:
			return 1;
		case ROWSER_SHAPE_INT2:
			return 2;
		case ROWSER_SHAPE_INT4:
		case ROWSER_SHAPE_FLOAT4:
			return 4;
		case ROWSER_SHAPE_INT8:
		case ROWSER_SHAPE_FLOAT8:
			return 8;
		default:
			return 0;
	}
}

/* Whether types of this shape carry an identity of their own. */
static bool
shape_has_identity(RowserShape shape)
{
	return shape != ROWSER_SHAPE_ARRAY && shape != ROWSER_SHAPE_RECORD;
}

/* ----------------------------------------------------------------
 *		Writing
 * ----------------------------------------------------------------
 */

static void
string_write(RowserBuffer *buffer, RowserString string)
{
	rowser_buffer_string(buffer, string.bytes, string.size);
}

void
rowser_fields_write(RowserBuffer *buffer, const RowserField *fields,
					uint32 nfields)
{
	rowser_buffer_varuint(buffer, nfields);
	for (uint32 i = 0; i < nfields; i++)
	{
		string_write(buffer, fields[i].name);
		type_write(buffer, &fields[i].type);
	}
}

static void
type_write(RowserBuffer *buffer, const RowserType *type)
{
	uint8		code = type->shape;

	if (type->typmod != -1)
		code |= TYPE_HAS_TYPMOD;
	if (type->collation_name.size > 0)
		code |= TYPE_HAS_COLLATION;
	if (type->name.size > 0)
		code |= TYPE_IS_NAMED;
	rowser_buffer_u8(buffer, code);

	if (type->name.size > 0)
	{
		string_write(buffer, type->schema);
		string_write(buffer, type->name);
	}
	else if (shape_has_identity(type->shape))
		rowser_buffer_varuint(buffer, type->oid);
	if (type->typmod != -1)
		rowser_buffer_varint(buffer, type->typmod);
	if (type->collation_name.size > 0)
	{
		string_write(buffer, type->collation_schema);
		string_write(buffer, type->collation_name);
	}

	if (type->shape == ROWSER_SHAPE_FIXED)
		rowser_buffer_u8(buffer, type->width);
	else if (type->shape == ROWSER_SHAPE_COMPOSITE)
		rowser_fields_write(buffer, type->fields, type->nfields);
	else if (type->child != NULL)
		type_write(buffer, type->child);
}

void
rowser_header_write(RowserBuffer *buffer, const RowserHeader *header)
{
	size_t		start = buffer->size;
	RowserBuffer rest;

	rowser_buffer_init(&rest, 256, buffer->limit);
	string_write(&rest, header->encoding);
	rowser_fields_write(&rest, header->columns, header->ncolumns);

	rowser_buffer_bytes(buffer, MAGIC, MAGIC_SIZE);
	rowser_buffer_u8(buffer, ROWSER_FORMAT_MAJOR);
	rowser_buffer_u8(buffer, ROWSER_FORMAT_MINOR);
	rowser_buffer_varuint(buffer, rest.size + sizeof(uint32));
	rowser_buffer_bytes(buffer, rest.bytes, rest.size);
	if (rest.overflowed)
		buffer->overflowed = true;
	if (!buffer->overflowed)
		rowser_buffer_u32(buffer, rowser_checksum(buffer->bytes + start,
												  buffer->size - start));
	rowser_buffer_free(&rest);
}

/* ----------------------------------------------------------------
 *		Reading
 * ----------------------------------------------------------------
 */

/* Read the schema and the name of a type or a collation. */
static bool
qualified_name_read(RowserCursor *cursor, RowserString *schema,
					RowserString *name)
{
	if (!rowser_cursor_text(cursor, schema) ||
		!rowser_cursor_text(cursor, name))
		return false;
	if (schema->size == 0 || name->size == 0)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A type or collation has no name");
	return true;
}

/* Read what identifies a type: its names or the OID of a built-in one. */
static bool
identity_read(RowserCursor *cursor, bool is_named, RowserType *type)
{
	if (is_named)
		return qualified_name_read(cursor, &type->schema, &type->name);
	if (!rowser_cursor_count(cursor, MAX_BUILTIN_OID, &type->oid,
							 "A type's OID is not that of a built-in type"))
		return false;
	if (type->oid == 0)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A type has OID 0");
	return true;
}

static bool
typmod_read(RowserCursor *cursor, RowserType *type)
{
	int64		typmod;

	if (!rowser_cursor_varint(cursor, &typmod))
		return false;
	if (typmod < PG_INT32_MIN || typmod > PG_INT32_MAX || typmod == -1)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A typmod is out of range");
	type->typmod = (int32) typmod;
	return true;
}

/* Read what a shape says about its values: a width or the types inside. */
static bool
parameters_read(RowserCursor *cursor, int depth, RowserType *type)
{
	switch (type->shape)
	{
		case ROWSER_SHAPE_FIXED:
			if (!rowser_cursor_u8(cursor, &type->width))
				return false;
			if (type->width == 0)
				return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
										  "A fixed-width type has width 0");
			return true;
		case ROWSER_SHAPE_COMPOSITE:
			return rowser_fields_read(cursor, depth + 1,
									  &type->fields, &type->nfields);
		case ROWSER_SHAPE_ARRAY:
		case ROWSER_SHAPE_RANGE:
		case ROWSER_SHAPE_MULTIRANGE:
		case ROWSER_SHAPE_DOMAIN:
			type->child = rowser_memory_alloc(sizeof(RowserType));
			if (!type_read(cursor, depth + 1, type->child))
				return false;
			if (type->shape == ROWSER_SHAPE_MULTIRANGE &&
				type->child->shape != ROWSER_SHAPE_RANGE)
				return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
										  "A multirange is not one of ranges");
			if (type->shape == ROWSER_SHAPE_ARRAY &&
				type->child->shape == ROWSER_SHAPE_ARRAY)
				return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
										  "An array's elements are arrays");
			return true;
		default:
			type->width = rowser_shape_width(type->shape);
			return true;
	}
}

static bool
type_read(RowserCursor *cursor, int depth, RowserType *type)
{
	uint8		code;

	memset(type, 0, sizeof(*type));
	type->typmod = -1;
	if (depth > ROWSER_MAX_TYPE_DEPTH)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "Types are nested too deep");
	if (!rowser_cursor_u8(cursor, &code))
		return false;
	if ((code & TYPE_SHAPE_MASK) == ROWSER_SHAPE_UINT ||
		(code & TYPE_SHAPE_MASK) > ROWSER_SHAPE_LAST)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A type has an unknown shape");
	type->shape = (RowserShape) (code & TYPE_SHAPE_MASK);

	if (shape_has_identity(type->shape))
	{
		if (!identity_read(cursor, (code & TYPE_IS_NAMED) != 0, type))
			return false;
	}
	else if (code & TYPE_IS_NAMED)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "An array or record type has a name");
	if ((code & TYPE_HAS_TYPMOD) && !shape_has_identity(type->shape))
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "An array or record type has a typmod");
	if ((code & TYPE_HAS_TYPMOD) && !typmod_read(cursor, type))
		return false;
	if ((code & TYPE_HAS_COLLATION) &&
		!qualified_name_read(cursor, &type->collation_schema,
							 &type->collation_name))
		return false;
	return parameters_read(cursor, depth, type);
}

bool
rowser_fields_read(RowserCursor *cursor, int depth, RowserField **fields,
				   uint32 *nfields)
{
	if (!rowser_cursor_count(cursor, ROWSER_MAX_COLUMNS, nfields,
							 "There are too many columns or fields"))
		return false;
	/* A name with its size and a type's code are three bytes at least. */
	if (*nfields > rowser_cursor_left(cursor) / 3)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes end too early");
	*fields = rowser_memory_alloc_array(*nfields, sizeof(RowserField));
	for (uint32 i = 0; i < *nfields; i++)
	{
		RowserField *field = &(*fields)[i];

		if (!rowser_cursor_text(cursor, &field->name) ||
			!type_read(cursor, depth, &field->type))
			return false;
		if (field->name.size == 0)
			return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
									  "A column or field has no name");
	}
	return true;
}

/* Skip extensions that may be ignored, refuse one that may not. */
static bool
extensions_read(RowserCursor *cursor)
{
	while (rowser_cursor_left(cursor) > 0)
	{
		uint64		tag;
		RowserString value;

		if (!rowser_cursor_varuint(cursor, &tag) ||
			!rowser_cursor_string(cursor, &value))
			return false;
		if (tag & 1)
			return rowser_cursor_fail(cursor, ROWSER_FAULT_UNSUPPORTED,
									  "The header has an extension that this version does not know");
	}
	return true;
}

/* Read the magic and the version; a rowset of another major is not ours. */
static bool
version_read(RowserCursor *cursor, RowserHeader *header)
{
	if (rowser_cursor_left(cursor) < MAGIC_SIZE ||
		memcmp(cursor->next, MAGIC, MAGIC_SIZE) != 0)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes do not begin as a rowset does");
	cursor->next += MAGIC_SIZE;
	if (!rowser_cursor_u8(cursor, &header->major) ||
		!rowser_cursor_u8(cursor, &header->minor))
		return false;
	if (header->major != ROWSER_FORMAT_MAJOR)
	{
		cursor->fault->version = header->major;
		return rowser_cursor_fail(cursor, ROWSER_FAULT_VERSION,
								  "The format's version is not supported");
	}
	return true;
}

bool
rowser_header_read(RowserCursor *cursor, RowserHeader *header)
{
	const uint8 *start = cursor->next;
	RowserCursor rest;
	uint64		size;

	if (!version_read(cursor, header) ||
		!rowser_cursor_varuint(cursor, &size))
		return false;
	if (size < sizeof(uint32) || size > rowser_cursor_left(cursor))
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes end too early");

	rest = *cursor;
	rest.end = rest.next + size - sizeof(uint32);
	cursor->next = rest.end;
	if (!rowser_checksum_check(cursor, start,
							   "The header's checksum differs"))
		return false;
	header->size = cursor->next - start;

	return rowser_cursor_text(&rest, &header->encoding) &&
		rowser_fields_read(&rest, 1, &header->columns, &header->ncolumns) &&
		extensions_read(&rest);
}

bool
rowser_header_extent(RowserCursor cursor, uint64 *size)
{
	RowserFault fault = {0};
	RowserHeader header;
	const uint8 *start = cursor.next;

	cursor.fault = &fault;
	if (!version_read(&cursor, &header) ||
		!rowser_cursor_varuint(&cursor, size) ||
		*size > PG_INT32_MAX)
		return false;
	*size += cursor.next - start;
	return true;
}
