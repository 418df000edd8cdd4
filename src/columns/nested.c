/*-------------------------------------------------------------------------
 *
 * nested.c
 *	  Decoding nested values: arrays, ranges and multiranges, and what all have in
 *	  common (rowset_format.md, section 7).
 *
 * The parts are decoded by decoders of their own, to the types that the target
 * has there, and put together by PostgreSQL's own constructors.  Composites
 * and records are in nested_rows.c.
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
#include "columns/row_type.h"
#include "compat.h"

/* Memory for a batch: this much, and so many times the rowset's size */
#define MEMORY_BASE		((Size) 64 * 1024 * 1024)
#define MEMORY_RATIO	1024

/* How many nested values' integers are looked at before the values are */
#define NESTED_BATCH 256

/* How many elements of short arrays are decoded at once */
#define ELEMENT_BATCH 4096

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
				rowser_rows_init_record(decoder, described);
			else
				rowser_rows_init_composite(decoder, described);
			break;
		case ROWSER_SHAPE_RECORD:
			/* what the fields are is told by each group */
			decoder->is_record = decoder->typid == RECORDOID;
			if (!decoder->is_record)
				decoder->tupdesc = rowser_row_type_copy(decoder->typid);
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

void
rowser_nested_init_stored(RowserDecoder *decoder, const RowserType *described)
{
	bool		is_composite = described->shape == ROWSER_SHAPE_COMPOSITE;

	decoder->element_typbyval = true;	/* no array is made */
	if (described->shape == ROWSER_SHAPE_RECORD)
		return;
	decoder->nchildren = is_composite ? described->nfields : 1;
	decoder->children = palloc(Max(decoder->nchildren, 1) *
							   sizeof(RowserDecoder));
	if (!is_composite)
	{
		rowser_decoder_init_stored(decoder->children, described->child);
		return;
	}
	decoder->attributes = palloc(Max(decoder->nchildren, 1) * sizeof(int));
	for (uint32 i = 0; i < decoder->nchildren; i++)
	{
		rowser_decoder_init_stored(&decoder->children[i],
								   &described->fields[i].type);
		decoder->attributes[i] = i;
	}
}

/* ----------------------------------------------------------------
 *		Starting on a node
 * ----------------------------------------------------------------
 */

void
rowser_nested_start(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;

	for (uint32 i = 0; i < node->nintegers; i++)
		rowser_decoder_check(decoder,
							 rowser_integers_open(&decoder->integers[i],
												  &node->integers[i], body,
												  decoder->at));
	if (node->shape == ROWSER_SHAPE_ARRAY)
		decoder->scratch = AllocSetContextCreate(CurrentMemoryContext,
												 "rowser array",
												 ALLOCSET_SMALL_SIZES);
	if (node->shape == ROWSER_SHAPE_RECORD)
	{
		rowser_rows_start_records(decoder, body);
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

void
rowser_nested_integers(RowserDecoder *decoder, int which, uint32 nvalues,
					   uint32 max, uint32 *values)
{
	rowser_decoder_check(decoder,
						 rowser_integers_next_counts(decoder->integers[which],
													 nvalues, max, values,
													 decoder->at));
}

int
rowser_nested_dimensions(RowserDecoder *decoder, uint32 ndim, int *dims,
						 int *lbounds)
{
	rowser_nested_integers(decoder, 1, ndim, PG_INT32_MAX, (uint32 *) dims);
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

/* Decode the elements of some arrays; they belong to the scratch memory. */
static void
next_elements(RowserDecoder *decoder, uint32 nelements, Datum **values,
			  bool **nulls)
{
	RowserDecoder *elements = decoder->children;
	MemoryContext old_context = MemoryContextSwitchTo(decoder->scratch);

	if (nelements > elements->node->nvalues - elements->position)
		rowser_decoder_fail(decoder, "An array has more elements than there are");
	*values = palloc_extended(nelements * sizeof(Datum), MCXT_ALLOC_HUGE);
	*nulls = palloc_extended(nelements * sizeof(bool), MCXT_ALLOC_HUGE);
	rowser_decoder_next(elements, nelements, *values, *nulls);
	MemoryContextSwitchTo(old_context);
}

/* Put one array together, which has a copy of its elements. */
static Datum
make_array(RowserDecoder *decoder, int ndim, int *dims, int *lbounds,
		   uint32 nelements, Datum *values, bool *nulls)
{
	if (nelements == 0)
		return PointerGetDatum(construct_empty_array(decoder->element));
	return PointerGetDatum(construct_md_array(values, nulls, ndim, dims,
											  lbounds, decoder->element,
											  decoder->element_typlen,
											  decoder->element_typbyval,
											  decoder->element_typalign));
}

/* Decode one array of form 1, whose dimensions stand by themselves. */
static Datum
next_general_array(RowserDecoder *decoder, int ndim)
{
	int			dims[ROWSER_MAX_DIMENSIONS];
	int			lbounds[ROWSER_MAX_DIMENSIONS];
	uint32		nelements = rowser_nested_dimensions(decoder, ndim, dims,
													  lbounds);
	Datum	   *values = NULL;
	bool	   *nulls = NULL;
	Datum		array;

	if (nelements > 0)
		next_elements(decoder, nelements, &values, &nulls);
	array = make_array(decoder, ndim, dims, lbounds, nelements, values,
					   nulls);
	MemoryContextReset(decoder->scratch);
	return array;
}

/*
 * Decode arrays of one dimension, of which the lengths are known: the elements of
 * several at once, since most arrays are short.
 */
static void
next_vectors(RowserDecoder *decoder, const uint32 *lengths, uint32 narrays,
			 Datum *arrays)
{
	uint32		first = 0;

	while (first < narrays)
	{
		uint32		end = first;
		uint64		nelements = 0;
		Datum	   *values = NULL;
		bool	   *nulls = NULL;

		CHECK_FOR_INTERRUPTS();
		do
			nelements += lengths[end++];
		while (end < narrays && nelements + lengths[end] <= ELEMENT_BATCH);
		if (nelements > 0)
			next_elements(decoder, nelements, &values, &nulls);
		for (; first < end; first++)
		{
			int			length = (int) lengths[first];
			int			lbound = 1;

			arrays[first] = make_array(decoder, 1, &length, &lbound,
									   lengths[first], values, nulls);
			if (length > 0)
			{
				values += length;
				nulls += length;
			}
		}
		MemoryContextReset(decoder->scratch);
	}
}

static void
next_arrays(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	uint32		counts[NESTED_BATCH];

	for (uint32 done = 0; done < nvalues; done += NESTED_BATCH)
	{
		uint32		n = Min(nvalues - done, NESTED_BATCH);

		if (decoder->node->array_form == 1)
		{
			rowser_nested_integers(decoder, 0, n, ROWSER_MAX_DIMENSIONS,
								   counts);
			for (uint32 i = 0; i < n; i++)
			{
				CHECK_FOR_INTERRUPTS();
				values[done + i] = next_general_array(decoder,
													  (int) counts[i]);
			}
		}
		else
		{
			rowser_nested_integers(decoder, 0, n, PG_INT32_MAX, counts);
			next_vectors(decoder, counts, n, values + done);
		}
	}
}

/* ----------------------------------------------------------------
 *		Ranges
 * ----------------------------------------------------------------
 */

uint32
rowser_nested_bounds(RowserDecoder *decoder, uint32 flags)
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

		rowser_nested_integers(decoder, 0, n, ROWSER_RANGE_FLAGS, flags);
		for (uint32 i = 0; i < n; i++)
			nbounds += rowser_nested_bounds(decoder, flags[i]);
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

		rowser_nested_integers(decoder, 0, n, PG_INT32_MAX, counts);
		for (uint32 i = 0; i < n; i++)
		{
			CHECK_FOR_INTERRUPTS();
			values[done + i] = make_multirange_datum(decoder, counts[i]);
		}
	}
}

/*
 * Refuse to go on when a batch has taken far more memory than the rowset's size
 * explains: what few bytes may stand for is limited (section 6.6), but levels
 * and columns add up.
 */
static void
check_memory(const RowserDecoder *decoder)
{
	Size		size = decoder->at->end - decoder->at->start;
	Size		limit = MEMORY_BASE + MEMORY_RATIO * size;

	if (MemoryContextMemAllocated(CurrentMemoryContext, false) > limit)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("rowset takes too much memory to read"),
				 errdetail("A rowset of this size may take %zu MB at a time.",
						   limit / (1024 * 1024))));
}

void
rowser_nested_next(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	check_stack_depth();
	check_memory(decoder);

	switch (decoder->node->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			next_arrays(decoder, nvalues, values);
			break;
		case ROWSER_SHAPE_COMPOSITE:
			rowser_rows_next_composites(decoder, nvalues, values);
			break;
		case ROWSER_SHAPE_RECORD:
			rowser_rows_next_records(decoder, nvalues, values);
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

		rowser_nested_integers(decoder, 0, 1,
					  general ? ROWSER_MAX_DIMENSIONS : PG_INT32_MAX, &count);
		if (general)
			count = rowser_nested_dimensions(decoder, count, dims, lbounds);
		rowser_decoder_skip(decoder->children, count);
	}
}

static void
skip_ranges(RowserDecoder *decoder, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		flags;

		rowser_nested_integers(decoder, 0, 1, ROWSER_RANGE_FLAGS, &flags);
		rowser_decoder_skip(decoder->children,
							rowser_nested_bounds(decoder, flags));
	}
}

static void
skip_multiranges(RowserDecoder *decoder, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		count;

		rowser_nested_integers(decoder, 0, 1, PG_INT32_MAX, &count);
		rowser_decoder_skip(decoder->children, count);
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
			rowser_rows_skip_records(decoder, nvalues);
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
