/*-------------------------------------------------------------------------
 *
 * arrow_schema_write.c
 *	  Writing the schema of an Arrow IPC stream.
 *
 * Source: Schema.fbs, whose tables and fields the functions here name.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_message.h"

/* Fields of the tables, by their numbers in the schema file */
#define SCHEMA_ENDIANNESS		0
#define SCHEMA_FIELDS			1

#define FIELD_NAME				0
#define FIELD_NULLABLE			1
#define FIELD_TYPE_TYPE			2
#define FIELD_TYPE				3
#define FIELD_DICTIONARY		4
#define FIELD_CHILDREN			5
#define FIELD_METADATA			6

#define ENCODING_ID				0
#define ENCODING_INDEX_TYPE		1
#define ENCODING_IS_ORDERED		2

/* Write a table of integers' parameters. */
static void
write_int(RowserFlatbuffer *metadata, size_t reference, int32 width,
		  bool is_signed)
{
	RowserFlatbufferTable table = {0};

	rowser_flatbuffer_set(&table, 0, 4, (uint32) width);
	rowser_flatbuffer_set(&table, 1, 1, is_signed);
	rowser_flatbuffer_table(metadata, reference, &table);
}

/* Write the table of a type of the union Type. */
static void
write_type(RowserFlatbuffer *metadata, size_t reference,
		   const RowserArrowField *field)
{
	RowserFlatbufferTable table = {0};

	switch (field->type)
	{
		case ROWSER_ARROW_INT:
			write_int(metadata, reference, field->width, field->is_signed);
			return;
		case ROWSER_ARROW_DECIMAL:
			rowser_flatbuffer_set(&table, 0, 4, (uint32) field->precision);
			rowser_flatbuffer_set(&table, 1, 4, (uint32) field->scale);
			rowser_flatbuffer_set(&table, 2, 4, (uint32) field->width);
			break;
		case ROWSER_ARROW_TIME:
			rowser_flatbuffer_set(&table, 0, 2, (uint16) field->unit);
			rowser_flatbuffer_set(&table, 1, 4, (uint32) field->width);
			break;
		case ROWSER_ARROW_FLOATING_POINT:
		case ROWSER_ARROW_DATE:
		case ROWSER_ARROW_INTERVAL:
		case ROWSER_ARROW_DURATION:
			rowser_flatbuffer_set(&table, 0, 2, (uint16) field->unit);
			break;
		case ROWSER_ARROW_TIMESTAMP:
			rowser_flatbuffer_set(&table, 0, 2, (uint16) field->unit);
			if (field->timezone.size > 0)
				rowser_flatbuffer_set_reference(&table, 1);
			break;
		case ROWSER_ARROW_FIXED_SIZE_BINARY:
		case ROWSER_ARROW_FIXED_SIZE_LIST:
			rowser_flatbuffer_set(&table, 0, 4, (uint32) field->width);
			break;
		default:
			break;
	}
	rowser_flatbuffer_table(metadata, reference, &table);
	if (field->type == ROWSER_ARROW_TIMESTAMP && field->timezone.size > 0)
		rowser_flatbuffer_string(metadata, table.positions[1],
								 field->timezone.bytes, field->timezone.size);
}

static void
write_dictionary_encoding(RowserFlatbuffer *metadata, size_t reference,
						  const RowserArrowField *field)
{
	RowserFlatbufferTable table = {0};

	rowser_flatbuffer_set(&table, ENCODING_ID, 8,
						  (uint64) field->dictionary_id);
	rowser_flatbuffer_set_reference(&table, ENCODING_INDEX_TYPE);
	rowser_flatbuffer_set(&table, ENCODING_IS_ORDERED, 1, field->is_ordered);
	rowser_flatbuffer_table(metadata, reference, &table);
	write_int(metadata, table.positions[ENCODING_INDEX_TYPE],
			  field->index_width, field->index_is_signed);
}

static void
write_metadata(RowserFlatbuffer *metadata, size_t reference,
			   const RowserArrowField *field)
{
	size_t		next = rowser_flatbuffer_references(metadata, reference,
													field->nmetadata);

	for (uint32 i = 0; i < field->nmetadata; i++)
	{
		const RowserArrowKeyValue *pair = &field->metadata[i];
		RowserFlatbufferTable table = {0};

		rowser_flatbuffer_set_reference(&table, 0);
		rowser_flatbuffer_set_reference(&table, 1);
		rowser_flatbuffer_table(metadata, next, &table);
		rowser_flatbuffer_string(metadata, table.positions[0],
								 pair->key.bytes, pair->key.size);
		rowser_flatbuffer_string(metadata, table.positions[1],
								 pair->value.bytes, pair->value.size);
		next += ROWSER_FLATBUFFER_REFERENCE_SIZE;
	}
}

static void write_fields(RowserFlatbuffer *metadata, size_t reference,
						 const RowserArrowField *fields, uint32 nfields);

static void
write_field(RowserFlatbuffer *metadata, size_t reference,
			const RowserArrowField *field)
{
	RowserFlatbufferTable table = {0};

	rowser_flatbuffer_set_reference(&table, FIELD_NAME);
	rowser_flatbuffer_set(&table, FIELD_NULLABLE, 1, field->is_nullable);
	rowser_flatbuffer_set(&table, FIELD_TYPE_TYPE, 1, field->type);
	rowser_flatbuffer_set_reference(&table, FIELD_TYPE);
	if (field->has_dictionary)
		rowser_flatbuffer_set_reference(&table, FIELD_DICTIONARY);
	rowser_flatbuffer_set_reference(&table, FIELD_CHILDREN);
	if (field->nmetadata > 0)
		rowser_flatbuffer_set_reference(&table, FIELD_METADATA);
	rowser_flatbuffer_table(metadata, reference, &table);

	rowser_flatbuffer_string(metadata, table.positions[FIELD_NAME],
							 field->name.bytes, field->name.size);
	write_type(metadata, table.positions[FIELD_TYPE], field);
	if (field->has_dictionary)
		write_dictionary_encoding(metadata,
								  table.positions[FIELD_DICTIONARY], field);
	if (field->nmetadata > 0)
		write_metadata(metadata, table.positions[FIELD_METADATA], field);
	/* some readers want the vector even where it is empty */
	write_fields(metadata, table.positions[FIELD_CHILDREN], field->children,
				 field->nchildren);
}

/* Write a vector of fields. */
static void
write_fields(RowserFlatbuffer *metadata, size_t reference,
			 const RowserArrowField *fields, uint32 nfields)
{
	size_t		next = rowser_flatbuffer_references(metadata, reference,
													nfields);

	for (uint32 i = 0; i < nfields; i++)
	{
		write_field(metadata, next, &fields[i]);
		next += ROWSER_FLATBUFFER_REFERENCE_SIZE;
	}
}

void
rowser_arrow_write_schema(RowserArrowStream *stream,
						  const RowserArrowField *fields, uint32 nfields)
{
	RowserArrowMessage message;
	RowserFlatbufferTable table = {0};

	rowser_arrow_message_begin(&message, stream, ROWSER_ARROW_MESSAGE_SCHEMA);
	rowser_flatbuffer_set(&table, SCHEMA_ENDIANNESS, 2,
						  ROWSER_ARROW_LITTLE_ENDIAN);
	rowser_flatbuffer_set_reference(&table, SCHEMA_FIELDS);
	rowser_flatbuffer_table(&message.metadata, message.header, &table);
	write_fields(&message.metadata, table.positions[SCHEMA_FIELDS], fields,
				 nfields);
	rowser_arrow_message_finish_metadata(&message);
}
