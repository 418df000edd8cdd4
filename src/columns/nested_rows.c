/*-------------------------------------------------------------------------
 *
 * nested_rows.c
 *	  Decoding composites and records (rowset_format.md, sections 7.2 and 7.3).
 *
 * A composite becomes a named row type field by field, matched by name as a
 * rowset's columns are; a record's fields have made-up names, so it becomes one
 * by position.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/typcache.h"

#include "columns/decoder.h"
#include "columns/resolve.h"
#include "columns/row_type.h"
#include "compat.h"

/* Memory for the parts of values, of which a hostile array may have many. */
static void *
alloc_batch(uint32 count, Size size)
{
	return palloc_extended(Max(count, 1) * size, MCXT_ALLOC_HUGE);
}

/* ----------------------------------------------------------------
 *		Making
 * ----------------------------------------------------------------
 */

/* The live attribute with a name, or -1. */
static int
find_attribute(TupleDesc tupdesc, const char *name)
{
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (!att->attisdropped && strcmp(NameStr(att->attname), name) == 0)
			return i;
	}
	return -1;
}

/* Refuse to make up the value of a field that the rowset doesn't have. */
static void
check_all_found(RowserDecoder *decoder, const RowserType *described,
				const bool *found)
{
	for (int i = 0; i < decoder->tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(decoder->tupdesc, i);

		if (att->attisdropped || found[i])
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("field \"%s\" of type %s does not exist in the rowset",
						NameStr(att->attname),
						format_type_be(decoder->typid)),
				 errdetail("The rowset's fields are: %s.",
						   rowser_field_names(described->fields,
											  described->nfields,
											  decoder->encoding))));
	}
}

void
rowser_rows_init_composite(RowserDecoder *decoder, const RowserType *described)
{
	bool	   *found;

	decoder->tupdesc = rowser_row_type_copy(decoder->typid);
	decoder->nchildren = described->nfields;
	decoder->children = palloc0(Max(described->nfields, 1) *
								sizeof(RowserDecoder));
	decoder->attributes = palloc(Max(described->nfields, 1) * sizeof(int));
	found = palloc0(Max(decoder->tupdesc->natts, 1) * sizeof(bool));
	for (uint32 i = 0; i < described->nfields; i++)
	{
		const RowserField *field = &described->fields[i];
		int			attribute = find_attribute(decoder->tupdesc,
											   rowser_resolve_name(field->name,
																   decoder->encoding));
		Form_pg_attribute att;

		if (attribute >= 0 && found[attribute])
			attribute = -1;
		decoder->attributes[i] = attribute;
		if (attribute < 0)
			continue;
		found[attribute] = true;
		att = TupleDescAttr(decoder->tupdesc, attribute);
		rowser_decoder_init(&decoder->children[i], &field->type,
							decoder->encoding, NameStr(att->attname),
							decoder->origin, att->atttypid, att->atttypmod);
	}
	check_all_found(decoder, described, found);
}

/*
 * Describe a row of type record whose fields the rowset describes, for which
 * decoders have been made.
 */
static TupleDesc
make_record_tupdesc(const RowserField *fields, RowserDecoder *decoders,
					uint32 nfields, int encoding)
{
	TupleDesc	tupdesc = CreateTemplateTupleDesc(nfields);

	for (uint32 i = 0; i < nfields; i++)
	{
		char	   *name = rowser_resolve_name(fields[i].name, encoding);

		TupleDescInitEntry(tupdesc, i + 1, name, decoders[i].typid,
						   decoders[i].cast ? rowser_resolve_typmod(&fields[i].type) : -1,
						   0);
	}
	return BlessTupleDesc(tupdesc);
}

/* Make decoders for all fields as what the rowset says that they are. */
static RowserDecoder *
init_record_fields(const RowserField *fields, uint32 nfields, int encoding)
{
	RowserDecoder *decoders = palloc0(Max(nfields, 1) * sizeof(RowserDecoder));

	for (uint32 i = 0; i < nfields; i++)
		rowser_decoder_init(&decoders[i], &fields[i].type, encoding,
							rowser_resolve_name(fields[i].name, encoding),
							ROWSER_ORIGIN_BYTES, InvalidOid, -1);
	return decoders;
}

void
rowser_rows_init_record(RowserDecoder *decoder, const RowserType *described)
{
	decoder->is_record = true;
	decoder->nchildren = described->nfields;
	decoder->children = init_record_fields(described->fields,
										   described->nfields,
										   decoder->encoding);
	decoder->tupdesc = make_record_tupdesc(described->fields,
										   decoder->children,
										   described->nfields,
										   decoder->encoding);
	decoder->attributes = palloc(Max(described->nfields, 1) * sizeof(int));
	for (uint32 i = 0; i < described->nfields; i++)
		decoder->attributes[i] = i;
}

/* ----------------------------------------------------------------
 *		Starting on a node of records
 * ----------------------------------------------------------------
 */

/*
 * Match a record's fields with a named row type's attributes, one after the
 * other.
 */
static RowserDecoder *
init_fields_by_position(RowserDecoder *decoder,
						const RowserRecordShape *shape)
{
	RowserDecoder *decoders = palloc0(Max(shape->nfields, 1) *
									  sizeof(RowserDecoder));
	uint32		field = 0;

	for (int i = 0; i < decoder->tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(decoder->tupdesc, i);

		if (att->attisdropped)
			continue;
		if (field < shape->nfields)
			rowser_decoder_init(&decoders[field], &shape->fields[field].type,
								decoder->encoding, NameStr(att->attname),
								decoder->origin, att->atttypid,
								att->atttypmod);
		field++;
	}
	if (field != shape->nfields)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot read a record of %u fields as type %s",
						shape->nfields, format_type_be(decoder->typid)),
				 errdetail("The type has %u.", field)));
	return decoders;
}

/* Make decoders that give a record's fields as they lie in the bytes. */
static RowserDecoder *
init_fields_stored(const RowserRecordShape *shape)
{
	RowserDecoder *decoders = palloc0(Max(shape->nfields, 1) *
									  sizeof(RowserDecoder));

	for (uint32 i = 0; i < shape->nfields; i++)
		rowser_decoder_init_stored(&decoders[i], &shape->fields[i].type);
	return decoders;
}

/* Make what one shape's values are decoded by and into. */
static void
init_shape(RowserDecoder *decoder, RowserDecoderShape *target,
		   const RowserRecordShape *shape)
{
	target->values = palloc(Max(shape->nfields, 1) * sizeof(Datum *));
	target->nulls = palloc(Max(shape->nfields, 1) * sizeof(bool *));
	if (decoder->is_record)
	{
		target->fields = init_record_fields(shape->fields, shape->nfields,
											decoder->encoding);
		target->tupdesc = make_record_tupdesc(shape->fields, target->fields,
											  shape->nfields,
											  decoder->encoding);
	}
	else
	{
		target->fields = init_fields_by_position(decoder, shape);
		target->tupdesc = decoder->tupdesc;
	}
}

static void
start_shape(RowserDecoder *decoder, RowserDecoderShape *target,
			const RowserRecordShape *shape, const uint8 *body)
{
	target->nfields = shape->nfields;
	if (decoder->is_stored)
		target->fields = init_fields_stored(shape);
	else
		init_shape(decoder, target, shape);
	for (uint32 i = 0; i < shape->nfields; i++)
		rowser_decoder_start(&target->fields[i], &shape->nodes[i], body,
							 decoder->at);
}

void
rowser_rows_start_records(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;

	decoder->nshapes = node->nshapes;
	decoder->shapes = palloc0(node->nshapes * sizeof(RowserDecoderShape));
	for (uint32 i = 0; i < node->nshapes; i++)
		start_shape(decoder, &decoder->shapes[i], &node->shapes[i], body);
}

/* ----------------------------------------------------------------
 *		Reading
 * ----------------------------------------------------------------
 */

void
rowser_rows_next_composites(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	int			natts = decoder->tupdesc->natts;
	Datum	  **columns = palloc0(Max(natts, 1) * sizeof(Datum *));
	bool	  **column_nulls = palloc0(Max(natts, 1) * sizeof(bool *));
	Datum	   *row = palloc0(Max(natts, 1) * sizeof(Datum));
	bool	   *row_nulls = palloc(Max(natts, 1) * sizeof(bool));

	for (uint32 i = 0; i < decoder->nchildren; i++)
	{
		int			attribute = decoder->attributes[i];

		if (attribute < 0)
			continue;
		columns[attribute] = alloc_batch(nvalues, sizeof(Datum));
		column_nulls[attribute] = alloc_batch(nvalues, sizeof(bool));
		rowser_decoder_next(&decoder->children[i], nvalues,
							columns[attribute], column_nulls[attribute]);
	}
	/* dropped attributes */
	memset(row_nulls, true, natts * sizeof(bool));
	for (uint32 i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		rowser_decoder_check_memory(decoder);
		for (int j = 0; j < natts; j++)
		{
			if (columns[j] == NULL)
				continue;
			row[j] = columns[j][i];
			row_nulls[j] = column_nulls[j][i];
		}
		values[i] = HeapTupleGetDatum(heap_form_tuple(decoder->tupdesc, row,
													  row_nulls));
	}
}

/* Read the numbers of the next values' shapes. */
static void
next_numbers(RowserDecoder *decoder, uint32 nvalues, uint32 *numbers)
{
	rowser_decoder_check(decoder,
						 rowser_integers_next_counts(decoder->integers[0],
													 nvalues,
													 decoder->nshapes - 1,
													 numbers, decoder->at));
}

/* Decode the fields of one shape for the values of a batch that have it. */
static void
next_shape(RowserDecoderShape *shape, uint32 nvalues)
{
	shape->next = 0;
	if (nvalues == 0)
		return;
	for (uint32 i = 0; i < shape->nfields; i++)
	{
		shape->values[i] = alloc_batch(nvalues, sizeof(Datum));
		shape->nulls[i] = alloc_batch(nvalues, sizeof(bool));
		rowser_decoder_next(&shape->fields[i], nvalues, shape->values[i],
							shape->nulls[i]);
	}
}

/* Put the next value of a shape together; its fields are live attributes. */
static Datum
make_record(RowserDecoderShape *shape)
{
	TupleDesc	tupdesc = shape->tupdesc;
	Datum	   *row = palloc0(Max(tupdesc->natts, 1) * sizeof(Datum));
	bool	   *nulls = palloc(Max(tupdesc->natts, 1) * sizeof(bool));
	HeapTuple	tuple;
	uint32		field = 0;

	for (int i = 0; i < tupdesc->natts; i++)
	{
		nulls[i] = true;
		if (TupleDescAttr(tupdesc, i)->attisdropped)
			continue;
		row[i] = shape->values[field][shape->next];
		nulls[i] = shape->nulls[field][shape->next];
		field++;
	}
	shape->next++;
	tuple = heap_form_tuple(tupdesc, row, nulls);
	pfree(row);
	pfree(nulls);
	return HeapTupleGetDatum(tuple);
}

void
rowser_rows_next_records(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	uint32	   *numbers = alloc_batch(nvalues, sizeof(uint32));
	uint32	   *counts = palloc0(decoder->nshapes * sizeof(uint32));

	if (decoder->node->nintegers > 0)
		next_numbers(decoder, nvalues, numbers);
	else
		memset(numbers, 0, nvalues * sizeof(uint32));
	for (uint32 i = 0; i < nvalues; i++)
		counts[numbers[i]]++;
	for (uint32 i = 0; i < decoder->nshapes; i++)
	{
		RowserDecoderShape *shape = &decoder->shapes[i];

		/* a shape without fields has no decoder that would notice */
		if (counts[i] > decoder->node->shapes[i].nvalues - shape->given)
			rowser_decoder_fail(decoder, "A record's shape has more values than it says");
		shape->given += counts[i];
		next_shape(shape, counts[i]);
	}
	for (uint32 i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		rowser_decoder_check_memory(decoder);
		values[i] = make_record(&decoder->shapes[numbers[i]]);
	}
}

/* ----------------------------------------------------------------
 *		Passing over records
 * ----------------------------------------------------------------
 */

uint32
rowser_rows_next_shape(RowserDecoder *decoder)
{
	uint32		number = 0;
	RowserDecoderShape *shape;

	if (decoder->node->nintegers > 0)
		next_numbers(decoder, 1, &number);
	shape = &decoder->shapes[number];
	if (shape->given == decoder->node->shapes[number].nvalues)
		rowser_decoder_fail(decoder, "A record's shape has more values than it says");
	shape->given++;
	return number;
}

void
rowser_rows_skip_records(RowserDecoder *decoder, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		number = rowser_rows_next_shape(decoder);
		RowserDecoderShape *shape = &decoder->shapes[number];

		for (uint32 j = 0; j < shape->nfields; j++)
			rowser_decoder_skip(&shape->fields[j], 1);
	}
}
