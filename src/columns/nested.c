/*-------------------------------------------------------------------------
 *
 * nested.c
 *	  Decoding nested values: what all of them have in common (rowset_format.md,
 *	  section 7).
 *
 * The parts are decoded by decoders of their own, to the types that the target
 * has there, and put together by PostgreSQL's own constructors, in
 * nested_arrays.c, nested_ranges.c and nested_rows.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "columns/decoder.h"
#include "columns/row_type.h"

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
 *		Giving values
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

void
rowser_nested_next(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	check_stack_depth();
	rowser_decoder_check_memory(decoder);

	switch (decoder->node->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			rowser_arrays_next(decoder, nvalues, values);
			break;
		case ROWSER_SHAPE_COMPOSITE:
			rowser_rows_next_composites(decoder, nvalues, values);
			break;
		case ROWSER_SHAPE_RECORD:
			rowser_rows_next_records(decoder, nvalues, values);
			break;
		case ROWSER_SHAPE_RANGE:
			rowser_ranges_next(decoder, nvalues, values);
			break;
		default:
			Assert(decoder->node->shape == ROWSER_SHAPE_MULTIRANGE);
			rowser_multiranges_next(decoder, nvalues, values);
			break;
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
			rowser_arrays_skip(decoder, nvalues);
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
			rowser_ranges_skip(decoder, nvalues);
			break;
		default:
			Assert(decoder->node->shape == ROWSER_SHAPE_MULTIRANGE);
			rowser_multiranges_skip(decoder, nvalues);
			break;
	}
}
