/*-------------------------------------------------------------------------
 *
 * recode.c
 *	  Values from a node into a vector, whatever their type is.
 *
 * Rows that are cut out of a row group have to be encoded again, but what they
 * mean is of no interest: they go from one plain form to another, so their
 * types need not exist here, and no function of a type is called.  Nested
 * values are not put together either: their parts go into the vectors below.
 *
 * Whoever reads the result checks its values' meaning, as with any rowset.
 *
 * Memory: the vectors' own; values on their way are in the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "columns/recode.h"

/* How many values are on their way at the same time */
#define RECODE_BATCH 256

/* ----------------------------------------------------------------
 *		Scalars
 * ----------------------------------------------------------------
 */

static bool
shape_is_text(RowserShape shape)
{
	return shape == ROWSER_SHAPE_TEXT || shape == ROWSER_SHAPE_OUTPUT ||
		shape == ROWSER_SHAPE_LABEL;
}

/* A zero byte would make a text that stands in a header end the whole. */
static void
check_text(RowserDecoder *decoder, Datum value)
{
	struct varlena *text = (struct varlena *) DatumGetPointer(value);

	if (memchr(VARDATA_ANY(text), 0, VARSIZE_ANY_EXHDR(text)) != NULL)
		rowser_decoder_fail(decoder, "A text holds a zero byte");
}

static void
next_scalars(RowserDecoder *decoder, RowserVector *vector, uint32 nvalues,
			 uint64 *growth)
{
	bool		is_text = shape_is_text(decoder->shape);

	while (nvalues > 0)
	{
		uint32		n = Min(nvalues, RECODE_BATCH);
		Datum		values[RECODE_BATCH];
		bool		nulls[RECODE_BATCH];

		CHECK_FOR_INTERRUPTS();
		rowser_decoder_next(decoder, n, values, nulls);
		for (uint32 i = 0; i < n; i++)
		{
			if (is_text && !nulls[i])
				check_text(decoder, values[i]);
			rowser_vector_append_stored(vector, values[i], nulls[i], growth);
		}
		nvalues -= n;
	}
}

/* ----------------------------------------------------------------
 *		Nested values
 * ----------------------------------------------------------------
 */

static void
next_array(RowserDecoder *decoder, RowserVector *vector, uint64 *growth)
{
	bool		is_general = decoder->node->array_form == 1;
	int			dims[ROWSER_MAX_DIMENSIONS];
	int			lbounds[ROWSER_MAX_DIMENSIONS] = {1};
	uint32		count;
	int			ndim;

	rowser_nested_integers(decoder, 0, 1, is_general ? ROWSER_MAX_DIMENSIONS :
						   PG_INT32_MAX, &count);
	if (is_general)
	{
		ndim = (int) count;
		count = rowser_arrays_dimensions(decoder, ndim, dims, lbounds);
	}
	else
	{
		ndim = count > 0 ? 1 : 0;
		dims[0] = (int) count;
	}
	rowser_vector_append_dimensions(vector, ndim, dims, lbounds);
	*growth += (uint64) count * ROWSER_ELEMENT_GROWTH;
	rowser_recode_next(decoder->children, vector->children, count, growth);
}

static void
next_record(RowserDecoder *decoder, RowserVector *vector, uint64 *growth)
{
	uint32		number = rowser_rows_next_shape(decoder);
	RowserDecoderShape *from = &decoder->shapes[number];
	RowserVectorShape *to;

	if (vector->nshapes == 0)
		rowser_vector_init_shapes(vector, decoder->node);
	to = &vector->shapes[number];
	rowser_counts_append(&vector->shape_numbers, number);
	to->nvalues++;
	for (uint32 i = 0; i < from->nfields; i++)
		rowser_recode_next(&from->fields[i], &to->vectors[i], 1, growth);
}

static void
next_range(RowserDecoder *decoder, RowserVector *vector, uint64 *growth)
{
	uint32		flags;

	rowser_nested_integers(decoder, 0, 1, ROWSER_RANGE_FLAGS, &flags);
	rowser_counts_append(&vector->integers[0], flags);
	rowser_recode_next(decoder->children, vector->children,
					   rowser_ranges_bounds(decoder, flags), growth);
}

static void
next_multirange(RowserDecoder *decoder, RowserVector *vector, uint64 *growth)
{
	uint32		count;

	rowser_nested_integers(decoder, 0, 1, PG_INT32_MAX, &count);
	rowser_counts_append(&vector->integers[0], count);
	*growth += (uint64) count * ROWSER_ELEMENT_GROWTH;
	rowser_recode_next(decoder->children, vector->children, count, growth);
}

/* One value that isn't NULL */
static void
next_nested(RowserDecoder *decoder, RowserVector *vector, uint64 *growth)
{
	switch (decoder->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			next_array(decoder, vector, growth);
			break;
		case ROWSER_SHAPE_COMPOSITE:
			for (uint32 i = 0; i < decoder->nchildren; i++)
				rowser_recode_next(&decoder->children[i],
								   &vector->children[i], 1, growth);
			break;
		case ROWSER_SHAPE_RECORD:
			next_record(decoder, vector, growth);
			break;
		case ROWSER_SHAPE_RANGE:
			next_range(decoder, vector, growth);
			break;
		default:
			Assert(decoder->shape == ROWSER_SHAPE_MULTIRANGE);
			next_multirange(decoder, vector, growth);
			break;
	}
}

void
rowser_recode_next(RowserDecoder *decoder, RowserVector *vector,
				   uint32 nvalues, uint64 *growth)
{
	check_stack_depth();
	if (rowser_shape_is_scalar(decoder->shape))
	{
		next_scalars(decoder, vector, nvalues, growth);
		return;
	}
	for (uint32 i = 0; i < nvalues; i++)
	{
		bool		isnull;

		CHECK_FOR_INTERRUPTS();
		rowser_decoder_next_nulls(decoder, 1, &isnull);
		if (isnull)
			rowser_vector_append_null(vector);
		else
		{
			vector->nvalues++;
			next_nested(decoder, vector, growth);
		}
	}
}
