/*-------------------------------------------------------------------------
 *
 * arrow_schema_read.c
 *	  Reading an Arrow stream's schema: a tree of fields, and the dictionaries
 *	  that they have.
 *
 * Many offsets of a FlatBuffer may lead to one table, so that a few bytes can
 * be a tree of any size.  The message's size therefore bounds how many fields
 * and how much metadata it may have.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_read.h"
#include "bytes/memory.h"

/* Schema.fbs: fields of the table Schema */
#define SCHEMA_ENDIANNESS		0
#define SCHEMA_FIELDS			1
#define SCHEMA_FEATURES			3

/* ... Field */
#define FIELD_NAME				0
#define FIELD_NULLABLE			1
#define FIELD_TYPE_TYPE			2
#define FIELD_TYPE				3
#define FIELD_DICTIONARY		4
#define FIELD_CHILDREN			5
#define FIELD_METADATA			6

/* ... KeyValue */
#define METADATA_KEY			0
#define METADATA_VALUE			1

/* ... DictionaryEncoding */
#define ENCODING_ID				0
#define ENCODING_INDEX_TYPE		1
#define ENCODING_IS_ORDERED		2
#define ENCODING_KIND			3

/* What a field takes at least: offsets to it, its vtable and its type */
#define FIELD_MIN_SIZE			12

#define ENUM_SIZE				2	/* bytes of a number that is an enum's */

typedef struct SchemaReader
{
	RowserArrowReader *reader;
	uint32		nfields;		/* so far */
	uint32		nfields_left;	/* that the bytes can hold yet */
	uint32		nmetadata_left;
	uint32		nencoded;		/* fields that have a dictionary */
} SchemaReader;

static bool
fail(const RowserFlatTable *table, const char *what)
{
	return rowser_flat_fail(table->buffer, table->offset,
							ROWSER_FAULT_INVALID, what);
}

static bool
fail_unsupported(const RowserFlatTable *table, const char *what)
{
	return rowser_flat_fail(table->buffer, table->offset,
							ROWSER_FAULT_UNSUPPORTED, what);
}

/* ----------------------------------------------------------------
 *		Fields
 * ----------------------------------------------------------------
 */

static bool
read_metadata(SchemaReader *schema, const RowserFlatTable *table,
			  RowserArrowField *field)
{
	RowserFlatVector vector;

	if (!rowser_flat_vector(table, FIELD_METADATA, 4, &vector))
		return false;
	if (vector.count > schema->nmetadata_left)
		return fail(table, "The schema has more metadata than bytes");
	schema->nmetadata_left -= vector.count;
	field->metadata = rowser_memory_alloc_array(vector.count,
												sizeof(RowserArrowKeyValue));
	for (uint32 i = 0; i < vector.count; i++)
	{
		RowserFlatTable entry;

		if (!rowser_flat_vector_table(&vector, i, &entry) ||
			!rowser_flat_string(&entry, METADATA_KEY,
								&field->metadata[i].key) ||
			!rowser_flat_string(&entry, METADATA_VALUE,
								&field->metadata[i].value))
			return false;
	}
	field->nmetadata = vector.count;
	return true;
}

/* How a field's indexes into a dictionary are, if it has any */
static bool
read_encoding(SchemaReader *schema, const RowserFlatTable *table,
			  RowserArrowField *field)
{
	RowserFlatTable encoding;
	RowserFlatTable index_type;
	int64		is_ordered = 0;
	int64		kind = 0;
	bool		has_type;

	if (!rowser_flat_table(table, FIELD_DICTIONARY, &encoding,
						   &field->has_dictionary))
		return false;
	if (!field->has_dictionary)
		return true;
	schema->nencoded++;
	if (!rowser_flat_integer(&encoding, ENCODING_ID, 8,
							 &field->dictionary_id) ||
		!rowser_flat_table(&encoding, ENCODING_INDEX_TYPE, &index_type,
						   &has_type) ||
		!rowser_flat_integer(&encoding, ENCODING_IS_ORDERED, 1,
							 &is_ordered) ||
		!rowser_flat_integer(&encoding, ENCODING_KIND, ENUM_SIZE, &kind))
		return false;
	if (kind != 0)
		return fail_unsupported(&encoding,
								"A dictionary is of a kind that is not known");
	field->is_ordered = is_ordered != 0;
	field->index_width = 32;
	field->index_is_signed = true;
	return !has_type ||
		rowser_arrow_integer_read(&index_type, &field->index_width,
								  &field->index_is_signed);
}

/* Check that a type has as many children as it must have. */
static bool
check_children(const RowserFlatTable *table, const RowserArrowField *field)
{
	switch (field->type)
	{
		case ROWSER_ARROW_LIST:
		case ROWSER_ARROW_LARGE_LIST:
		case ROWSER_ARROW_FIXED_SIZE_LIST:
			return field->nchildren == 1 ||
				fail(table, "A list has not one kind of values");
		case ROWSER_ARROW_MAP:
			return (field->nchildren == 1 &&
					field->children[0].type == ROWSER_ARROW_STRUCT &&
					field->children[0].nchildren == 2 &&
					!field->children[0].has_dictionary) ||
				fail(table, "A map has not one kind of keys and of values");
		case ROWSER_ARROW_STRUCT:
		case ROWSER_ARROW_UNION:
		case ROWSER_ARROW_RUN_END_ENCODED:
		case ROWSER_ARROW_LIST_VIEW:
		case ROWSER_ARROW_LARGE_LIST_VIEW:
			return true;
		default:
			return field->nchildren == 0 ||
				fail(table, "A type has children that it can't have");
	}
}

static bool read_fields(SchemaReader *schema, const RowserFlatTable *table,
						uint32 slot, int depth, RowserArrowField **fields,
						uint32 *nfields);

/*
 * Read a field's name.  No more of it is looked at than a name here can have:
 * many fields may share a long one.
 */
static bool
read_name(const RowserFlatTable *table, RowserString *name)
{
	if (!rowser_flat_string(table, FIELD_NAME, name))
		return false;
	if (name->size > 0 &&
		memchr(name->bytes, 0, Min(name->size, ROWSER_ARROW_NAME_SIZE)))
		return fail(table, "A field's name holds a zero byte");
	return true;
}

static bool
read_field(SchemaReader *schema, const RowserFlatTable *table, int depth,
		   RowserArrowField *field)
{
	RowserFlatTable type;
	int64		is_nullable = 0;
	int64		type_id = ROWSER_ARROW_NONE;
	bool		has_type;

	if (!read_name(table, &field->name) ||
		!rowser_flat_integer(table, FIELD_NULLABLE, 1, &is_nullable) ||
		!rowser_flat_integer(table, FIELD_TYPE_TYPE, 1, &type_id) ||
		!rowser_flat_table(table, FIELD_TYPE, &type, &has_type))
		return false;
	field->is_nullable = is_nullable != 0;
	field->type = (RowserArrowTypeId) (uint8) type_id;
	if (field->type == ROWSER_ARROW_NONE || !has_type)
		return fail(table, "A field has no type");
	if (field->type > ROWSER_ARROW_TYPE_LAST)
		return fail_unsupported(table, "A field's type is not known");
	return rowser_arrow_parameters_read(&type, field) &&
		read_encoding(schema, table, field) &&
		read_metadata(schema, table, field) &&
		read_fields(schema, table, FIELD_CHILDREN, depth + 1,
					&field->children, &field->nchildren) &&
		check_children(table, field);
}

/* Read the fields that a table has a vector of. */
static bool
read_fields(SchemaReader *schema, const RowserFlatTable *table, uint32 slot,
			int depth, RowserArrowField **fields, uint32 *nfields)
{
	RowserFlatVector vector;

	rowser_memory_interrupt();
	if (!rowser_flat_vector(table, slot, 4, &vector))
		return false;
	if (vector.count == 0)
		return true;
	if (depth > ROWSER_ARROW_MAX_DEPTH)
		return fail_unsupported(table, "A field is nested too deeply");
	if (vector.count > schema->nfields_left)
		return fail(table, "The schema has more fields than bytes");
	if (vector.count > ROWSER_ARROW_MAX_FIELDS - schema->nfields)
		return fail_unsupported(table, "The schema has too many fields");
	schema->nfields += vector.count;
	schema->nfields_left -= vector.count;
	*fields = rowser_memory_alloc_array(vector.count,
										sizeof(RowserArrowField));
	*nfields = vector.count;
	for (uint32 i = 0; i < vector.count; i++)
	{
		RowserFlatTable field;

		if (!rowser_flat_vector_table(&vector, i, &field) ||
			!read_field(schema, &field, depth, &(*fields)[i]))
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------
 *		Dictionaries
 * ----------------------------------------------------------------
 */

/* Whether the values of two fields lie in the bytes alike. */
static bool
types_match(const RowserArrowField *a, const RowserArrowField *b)
{
	if (a->type != b->type || a->width != b->width ||
		a->is_signed != b->is_signed || a->precision != b->precision ||
		a->scale != b->scale || a->unit != b->unit ||
		(a->timezone.size == 0) != (b->timezone.size == 0) ||
		a->nchildren != b->nchildren)
		return false;
	for (uint32 i = 0; i < a->nchildren; i++)
	{
		const RowserArrowField *child = &a->children[i];
		const RowserArrowField *other = &b->children[i];

		if (child->has_dictionary != other->has_dictionary)
			return false;
		if (child->has_dictionary ?
			child->dictionary_id != other->dictionary_id ||
			child->index_width != other->index_width ||
			child->index_is_signed != other->index_is_signed :
			!types_match(child, other))
			return false;
	}
	return true;
}

/* List the fields that have a dictionary, at any depth. */
static void
list_encoded(const RowserArrowField *fields, uint32 nfields,
			 RowserArrowDictionary *dictionaries, uint32 *ndictionaries)
{
	for (uint32 i = 0; i < nfields; i++)
	{
		if (fields[i].has_dictionary)
		{
			RowserArrowDictionary *dictionary =
				&dictionaries[(*ndictionaries)++];

			dictionary->id = fields[i].dictionary_id;
			dictionary->field = &fields[i];
		}
		list_encoded(fields[i].children, fields[i].nchildren, dictionaries,
					 ndictionaries);
	}
}

/* Order by id; of one id, those come first that the schema has first. */
static int
compare_dictionaries(const void *a, const void *b)
{
	const RowserArrowDictionary *one = a;
	const RowserArrowDictionary *other = b;

	if (one->id != other->id)
		return one->id < other->id ? -1 : 1;
	return one->length < other->length ? -1 : one->length > other->length;
}

/* Make the list of dictionaries, in which each is once. */
static bool
list_dictionaries(SchemaReader *schema, const RowserFlatTable *table)
{
	RowserArrowReader *reader = schema->reader;
	RowserArrowDictionary *list;
	uint32		nencoded = 0;

	list = rowser_memory_alloc_array(schema->nencoded,
									 sizeof(RowserArrowDictionary));
	list_encoded(reader->fields, reader->nfields, list, &nencoded);
	/* until there are values, the length tells which was first */
	for (uint32 i = 0; i < nencoded; i++)
		list[i].length = i;
	qsort(list, nencoded, sizeof(RowserArrowDictionary),
		  compare_dictionaries);
	reader->dictionaries = list;
	for (uint32 i = 0; i < nencoded; i++)
	{
		uint32		n = reader->ndictionaries;

		if (n > 0 && list[n - 1].id == list[i].id)
		{
			if (!types_match(list[n - 1].field, list[i].field))
				return fail(table,
							"A dictionary belongs to fields of different types");
			continue;
		}
		list[n] = list[i];
		list[n].length = 0;
		reader->ndictionaries++;
	}
	return true;
}

/* ----------------------------------------------------------------
 *		Schema
 * ----------------------------------------------------------------
 */

/* Refuse what a stream needs that this doesn't know. */
static bool
check_features(const RowserFlatTable *table)
{
	RowserFlatVector vector;

	if (!rowser_flat_vector(table, SCHEMA_FEATURES, 8, &vector))
		return false;
	for (uint32 i = 0; i < vector.count; i++)
	{
		if (rowser_load_u64(rowser_flat_element(&vector, i, 8)) >
			ROWSER_ARROW_FEATURE_COMPRESSED_BODY)
			return fail_unsupported(table,
									"The stream has a feature that is not known");
	}
	return true;
}

bool
rowser_arrow_schema_read(RowserArrowReader *reader,
						 const RowserFlatTable *table)
{
	SchemaReader schema = {.reader = reader};
	int64		endianness = ROWSER_ARROW_LITTLE_ENDIAN;

	schema.nfields_left = table->buffer->size / FIELD_MIN_SIZE;
	schema.nmetadata_left = table->buffer->size / FIELD_MIN_SIZE;
	if (!rowser_flat_integer(table, SCHEMA_ENDIANNESS, ENUM_SIZE,
							 &endianness))
		return false;
	if (endianness != ROWSER_ARROW_LITTLE_ENDIAN)
		return fail_unsupported(table, "The stream is not little-endian");
	return check_features(table) &&
		read_fields(&schema, table, SCHEMA_FIELDS, 1, &reader->fields,
					&reader->nfields) &&
		list_dictionaries(&schema, table);
}
