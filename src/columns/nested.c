/*-------------------------------------------------------------------------
 *
 * nested.c
 *	  Decoding arrays, composites, records, ranges and multiranges
 *	  (rowset_format.md, section 7).
 *
 * The parts are decoded by decoders of their own, to the types that the target
 * has there, and put together by PostgreSQL's own constructors.  Composites
 * are matched field by field, by name, as a rowset's columns are; a record's
 * fields have made-up names, so it becomes a named row type by position.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"

#include "columns/decoder.h"
#include "columns/resolve.h"
#include "compat.h"

/* How many nested values' integers are looked at before the values are */
#define NESTED_BATCH 256

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

static void
init_child(RowserDecoder *decoder, const RowserType *described,
		   const char *name, Oid type, int32 typmod)
{
	decoder->nchildren = 1;
	decoder->children = palloc(sizeof(RowserDecoder));
	rowser_decoder_init(decoder->children, described, decoder->encoding,
						name, decoder->origin, type, typmod);
}

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

/* Make decoders for the fields that a named row type has too. */
static void
init_composite(RowserDecoder *decoder, const RowserType *described)
{
	bool	   *found;

	decoder->tupdesc = lookup_rowtype_tupdesc_copy(decoder->typid, -1);
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

/* Make a decoder of composites to type record. */
static void
init_composite_as_record(RowserDecoder *decoder, const RowserType *described)
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

void
rowser_nested_init(RowserDecoder *decoder, const RowserType *described,
				   const char *name, int32 typmod)
{
	switch (described->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			decoder->element = decoder->typid == RECORDARRAYOID ? RECORDOID :
				get_element_type(decoder->typid);
			get_typlenbyvalalign(decoder->element, &decoder->element_typlen,
								 &decoder->element_typbyval,
								 &decoder->element_typalign);
			init_child(decoder, described->child, name, decoder->element,
					   typmod);
			break;
		case ROWSER_SHAPE_COMPOSITE:
			if (decoder->typid == RECORDOID)
				init_composite_as_record(decoder, described);
			else
				init_composite(decoder, described);
			break;
		case ROWSER_SHAPE_RECORD:
			/* what the fields are is told by each group */
			decoder->is_record = decoder->typid == RECORDOID;
			if (!decoder->is_record)
				decoder->tupdesc = lookup_rowtype_tupdesc_copy(decoder->typid,
															   -1);
			break;
		case ROWSER_SHAPE_RANGE:
			decoder->typcache = lookup_type_cache(decoder->typid,
												  TYPECACHE_RANGE_INFO);
			init_child(decoder, described->child, name,
					   decoder->typcache->rngelemtype->type_id, -1);
			break;
		default:
			Assert(described->shape == ROWSER_SHAPE_MULTIRANGE);
			decoder->typcache = lookup_type_cache(decoder->typid,
												  TYPECACHE_MULTIRANGE_INFO);
			decoder->typcache = decoder->typcache->rngtype;
			init_child(decoder, described->child, name,
					   decoder->typcache->type_id, -1);
			break;
	}
}

/* ----------------------------------------------------------------
 *		Starting on a node
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

static void
start_shape(RowserDecoder *decoder, RowserDecoderShape *target,
			const RowserRecordShape *shape, const uint8 *body)
{
	target->nfields = shape->nfields;
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
	for (uint32 i = 0; i < shape->nfields; i++)
		rowser_decoder_start(&target->fields[i], &shape->nodes[i], body,
							 decoder->at);
}

void
rowser_nested_start(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;

	for (uint32 i = 0; i < node->nintegers; i++)
		rowser_decoder_check(decoder,
							 rowser_integers_open(&decoder->integers[i],
												  &node->integers[i], body,
												  decoder->at));
	if (node->shape == ROWSER_SHAPE_RECORD)
	{
		decoder->nshapes = node->nshapes;
		decoder->shapes = palloc0(node->nshapes * sizeof(RowserDecoderShape));
		for (uint32 i = 0; i < node->nshapes; i++)
			start_shape(decoder, &decoder->shapes[i], &node->shapes[i], body);
		return;
	}
	for (uint32 i = 0; i < decoder->nchildren; i++)
	{
		if (decoder->attributes == NULL || decoder->attributes[i] >= 0)
			rowser_decoder_start(&decoder->children[i], &node->children[i],
								 body, decoder->at);
	}
}

void
rowser_nested_finish(RowserDecoder *decoder)
{
	for (uint32 i = 0; i < decoder->node->nintegers; i++)
	{
		if (rowser_integers_left(decoder->integers[i]) > 0)
			rowser_decoder_fail(decoder, "A node has more lengths than are used");
	}
	if (decoder->node->shape == ROWSER_SHAPE_RECORD)
	{
		for (uint32 i = 0; i < decoder->nshapes; i++)
		{
			for (uint32 j = 0; j < decoder->shapes[i].nfields; j++)
				rowser_decoder_finish(&decoder->shapes[i].fields[j]);
		}
		return;
	}
	for (uint32 i = 0; i < decoder->nchildren; i++)
	{
		if (decoder->attributes == NULL || decoder->attributes[i] >= 0)
			rowser_decoder_finish(&decoder->children[i]);
	}
}

/* ----------------------------------------------------------------
 *		Arrays
 * ----------------------------------------------------------------
 */

static void
next_integers(RowserDecoder *decoder, int which, uint32 nvalues, uint32 max,
			  uint32 *values)
{
	rowser_decoder_check(decoder,
						 rowser_integers_next_counts(decoder->integers[which],
													 nvalues, max, values,
													 decoder->at));
}

/* Read the dimensions of one array of form 1. */
static int
next_dimensions(RowserDecoder *decoder, uint32 ndim, int *dims, int *lbounds)
{
	next_integers(decoder, 1, ndim, PG_INT32_MAX, (uint32 *) dims);
	rowser_decoder_check(decoder,
						 rowser_integers_next_signed(decoder->integers[2],
													 ndim, lbounds,
													 decoder->at));
	for (uint32 i = 0; i < ndim; i++)
	{
		if (dims[i] < 1)
			rowser_decoder_fail(decoder, "An array's dimension has no length");
	}
	/* these raise errors of their own for what is too large */
	ArrayCheckBounds(ndim, dims, lbounds);
	return ArrayGetNItems(ndim, dims);
}

/* Decode the elements of one array and put it together. */
static Datum
make_array(RowserDecoder *decoder, int ndim, int *dims, int *lbounds,
		   uint32 nelements)
{
	RowserDecoder *elements = decoder->children;
	ArrayType  *array;
	Datum	   *values;
	bool	   *nulls;

	if (nelements == 0)
		return PointerGetDatum(construct_empty_array(decoder->element));
	if (nelements > elements->node->nvalues - elements->position)
		rowser_decoder_fail(decoder, "An array has more elements than there are");

	values = palloc_extended(nelements * sizeof(Datum), MCXT_ALLOC_HUGE);
	nulls = palloc_extended(nelements * sizeof(bool), MCXT_ALLOC_HUGE);
	rowser_decoder_next(elements, nelements, values, nulls);
	array = construct_md_array(values, nulls, ndim, dims, lbounds,
							   decoder->element, decoder->element_typlen,
							   decoder->element_typbyval,
							   decoder->element_typalign);
	pfree(values);
	pfree(nulls);
	return PointerGetDatum(array);
}

static void
next_arrays(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	bool		general = decoder->node->array_form == 1;
	uint32		counts[NESTED_BATCH];

	for (uint32 done = 0; done < nvalues; done += NESTED_BATCH)
	{
		uint32		n = Min(nvalues - done, NESTED_BATCH);

		next_integers(decoder, 0, n,
					  general ? ROWSER_MAX_DIMENSIONS : PG_INT32_MAX, counts);
		for (uint32 i = 0; i < n; i++)
		{
			int			dims[ROWSER_MAX_DIMENSIONS] = {(int) counts[i]};
			int			lbounds[ROWSER_MAX_DIMENSIONS] = {1};
			int			ndim = counts[i] > 0 ? 1 : 0;
			uint32		nelements = counts[i];

			CHECK_FOR_INTERRUPTS();
			if (general)
			{
				ndim = (int) counts[i];
				nelements = next_dimensions(decoder, ndim, dims, lbounds);
			}
			values[done + i] = make_array(decoder, ndim, dims, lbounds,
										  nelements);
		}
	}
}

/* ----------------------------------------------------------------
 *		Composites and records
 * ----------------------------------------------------------------
 */

static void
next_composites(RowserDecoder *decoder, uint32 nvalues, Datum *values)
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

static void
next_records(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	uint32	   *numbers = alloc_batch(nvalues, sizeof(uint32));
	uint32	   *counts = palloc0(decoder->nshapes * sizeof(uint32));

	if (decoder->node->nintegers > 0)
		next_integers(decoder, 0, nvalues, decoder->nshapes - 1, numbers);
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
		values[i] = make_record(&decoder->shapes[numbers[i]]);
	}
}

/* ----------------------------------------------------------------
 *		Ranges
 * ----------------------------------------------------------------
 */

/* How many bounds a range's flags say that it has. */
static uint32
count_bounds(RowserDecoder *decoder, uint32 flags)
{
	if (flags & ROWSER_RANGE_EMPTY)
	{
		if (flags != ROWSER_RANGE_EMPTY)
			rowser_decoder_fail(decoder, "An empty range has bounds");
		return 0;
	}
	if (((flags & ROWSER_RANGE_NO_LOWER) &&
		 (flags & ROWSER_RANGE_LOWER_INC)) ||
		((flags & ROWSER_RANGE_NO_UPPER) && (flags & ROWSER_RANGE_UPPER_INC)))
		rowser_decoder_fail(decoder, "A range includes a bound that it does not have");
	return !(flags & ROWSER_RANGE_NO_LOWER) + !(flags & ROWSER_RANGE_NO_UPPER);
}

static Datum
make_range_datum(RowserDecoder *decoder, uint32 flags, const Datum **bounds)
{
	RangeBound	lower = {0};
	RangeBound	upper = {0};
	bool		empty = (flags & ROWSER_RANGE_EMPTY) != 0;

	lower.lower = true;
	lower.infinite = (flags & ROWSER_RANGE_NO_LOWER) != 0;
	lower.inclusive = (flags & ROWSER_RANGE_LOWER_INC) != 0;
	if (!empty && !lower.infinite)
		lower.val = *(*bounds)++;
	upper.infinite = (flags & ROWSER_RANGE_NO_UPPER) != 0;
	upper.inclusive = (flags & ROWSER_RANGE_UPPER_INC) != 0;
	if (!empty && !upper.infinite)
		upper.val = *(*bounds)++;
	return RangeTypePGetDatum(rowser_make_range(decoder->typcache, &lower,
												&upper, empty));
}

static void
next_ranges(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	for (uint32 done = 0; done < nvalues; done += NESTED_BATCH)
	{
		uint32		n = Min(nvalues - done, NESTED_BATCH);
		uint32		flags[NESTED_BATCH];
		Datum		bounds[2 * NESTED_BATCH];
		bool		nulls[2 * NESTED_BATCH];
		const Datum *next = bounds;
		uint32		nbounds = 0;

		next_integers(decoder, 0, n, ROWSER_RANGE_EMPTY |
					  ROWSER_RANGE_LOWER_INC | ROWSER_RANGE_UPPER_INC |
					  ROWSER_RANGE_NO_LOWER | ROWSER_RANGE_NO_UPPER, flags);
		for (uint32 i = 0; i < n; i++)
			nbounds += count_bounds(decoder, flags[i]);
		rowser_decoder_next(decoder->children, nbounds, bounds, nulls);
		for (uint32 i = 0; i < nbounds; i++)
		{
			/* a cast may have made one of what was none */
			if (nulls[i])
				rowser_decoder_fail(decoder, "A range's bound is NULL");
		}
		CHECK_FOR_INTERRUPTS();
		for (uint32 i = 0; i < n; i++)
			values[done + i] = make_range_datum(decoder, flags[i], &next);
	}
}

static Datum
make_multirange_datum(RowserDecoder *decoder, uint32 nranges)
{
	RowserDecoder *child = decoder->children;
	Datum	   *values;
	bool	   *nulls;
	RangeType **ranges;

	if (nranges > child->node->nvalues - child->position)
		rowser_decoder_fail(decoder, "A multirange has more ranges than there are");
	values = palloc_extended(Max(nranges, 1) * sizeof(Datum), MCXT_ALLOC_HUGE);
	nulls = palloc_extended(Max(nranges, 1) * sizeof(bool), MCXT_ALLOC_HUGE);
	ranges = palloc_extended(Max(nranges, 1) * sizeof(RangeType *),
							 MCXT_ALLOC_HUGE);
	rowser_decoder_next(child, nranges, values, nulls);
	for (uint32 i = 0; i < nranges; i++)
	{
		ranges[i] = DatumGetRangeTypeP(values[i]);
		if (RangeIsEmpty(ranges[i]))
			rowser_decoder_fail(decoder, "A multirange has an empty range");
	}
	return MultirangeTypePGetDatum(make_multirange(decoder->typid,
												   decoder->typcache,
												   nranges, ranges));
}

static void
next_multiranges(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	for (uint32 done = 0; done < nvalues; done += NESTED_BATCH)
	{
		uint32		n = Min(nvalues - done, NESTED_BATCH);
		uint32		counts[NESTED_BATCH];

		next_integers(decoder, 0, n, PG_INT32_MAX, counts);
		for (uint32 i = 0; i < n; i++)
		{
			CHECK_FOR_INTERRUPTS();
			values[done + i] = make_multirange_datum(decoder, counts[i]);
		}
	}
}

void
rowser_nested_next(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	check_stack_depth();

	switch (decoder->node->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			next_arrays(decoder, nvalues, values);
			break;
		case ROWSER_SHAPE_COMPOSITE:
			next_composites(decoder, nvalues, values);
			break;
		case ROWSER_SHAPE_RECORD:
			next_records(decoder, nvalues, values);
			break;
		case ROWSER_SHAPE_RANGE:
			next_ranges(decoder, nvalues, values);
			break;
		default:
			Assert(decoder->node->shape == ROWSER_SHAPE_MULTIRANGE);
			next_multiranges(decoder, nvalues, values);
			break;
	}
}

/* ----------------------------------------------------------------
 *		Passing over values
 * ----------------------------------------------------------------
 */

/* Pass over the elements of arrays. */
static void
skip_arrays(RowserDecoder *decoder, uint32 nvalues)
{
	bool		general = decoder->node->array_form == 1;

	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		count;
		int			dims[ROWSER_MAX_DIMENSIONS];
		int			lbounds[ROWSER_MAX_DIMENSIONS];

		next_integers(decoder, 0, 1,
					  general ? ROWSER_MAX_DIMENSIONS : PG_INT32_MAX, &count);
		if (general)
			count = next_dimensions(decoder, count, dims, lbounds);
		rowser_decoder_skip(decoder->children, count);
	}
}

static void
skip_ranges(RowserDecoder *decoder, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		flags;

		next_integers(decoder, 0, 1, PG_UINT8_MAX, &flags);
		rowser_decoder_skip(decoder->children, count_bounds(decoder, flags));
	}
}

static void
skip_multiranges(RowserDecoder *decoder, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		count;

		next_integers(decoder, 0, 1, PG_INT32_MAX, &count);
		rowser_decoder_skip(decoder->children, count);
	}
}

static void
skip_records(RowserDecoder *decoder, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		number = 0;
		RowserDecoderShape *shape;

		if (decoder->node->nintegers > 0)
			next_integers(decoder, 0, 1, decoder->nshapes - 1, &number);
		shape = &decoder->shapes[number];
		if (shape->given == decoder->node->shapes[number].nvalues)
			rowser_decoder_fail(decoder, "A record's shape has more values than it says");
		shape->given++;
		for (uint32 j = 0; j < shape->nfields; j++)
			rowser_decoder_skip(&shape->fields[j], 1);
	}
}

void
rowser_nested_skip(RowserDecoder *decoder, uint32 nvalues)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();

	switch (decoder->node->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			skip_arrays(decoder, nvalues);
			break;
		case ROWSER_SHAPE_COMPOSITE:
			for (uint32 i = 0; i < decoder->nchildren; i++)
			{
				if (decoder->attributes[i] >= 0)
					rowser_decoder_skip(&decoder->children[i], nvalues);
			}
			break;
		case ROWSER_SHAPE_RECORD:
			skip_records(decoder, nvalues);
			break;
		case ROWSER_SHAPE_RANGE:
			skip_ranges(decoder, nvalues);
			break;
		default:
			Assert(decoder->node->shape == ROWSER_SHAPE_MULTIRANGE);
			skip_multiranges(decoder, nvalues);
			break;
	}
}
