/*-------------------------------------------------------------------------
 *
 * scaled.c
 *	  Decoding decimals that are kept as scaled integers (rowset_format.md,
 *	  section 6.5).
 *
 * Many a numeric column has few different values (a discount, a rate); where
 * the integers are packed into few bits, each value's numeric is made once a
 * group.  Others are made in one piece of memory a batch.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "columns/decoder.h"
#include "columns/numeric.h"

/* Packed numbers up to this many bits have a numeric kept for each. */
#define SMALL_BITS		12

/* How many integers are looked at before their values are */
#define SCALED_BATCH	256

static const double powers_of_ten[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
	1e14, 1e15, 1e16
};

StaticAssertDecl(lengthof(powers_of_ten) == ROWSER_MAX_SCALE + 1,
				 "powers_of_ten must reach ROWSER_MAX_SCALE");

/* Decode all exceptions and their positions; they are few. */
static void
start_exceptions(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;
	RowserIntegers *positions;
	int64		least = 0;

	decoder->exceptions = palloc_extended(node->nexceptions * sizeof(Datum),
										  MCXT_ALLOC_HUGE);
	decoder->exception_positions =
		palloc_extended(node->nexceptions * sizeof(uint32), MCXT_ALLOC_HUGE);
	rowser_values_plain(decoder, node->nexceptions, decoder->exceptions, NULL);
	rowser_decoder_check(decoder,
						 rowser_integers_open(&positions, &node->integers[1],
											  body, decoder->at) &&
						 rowser_integers_next_counts(positions,
													 node->nexceptions,
													 rowser_node_nonnull(node) - 1,
													 decoder->exception_positions,
													 decoder->at));
	for (uint32 i = 0; i < node->nexceptions; i++)
	{
		if (decoder->exception_positions[i] < least)
			rowser_decoder_fail(decoder, "Exceptions are not in order");
		least = (int64) decoder->exception_positions[i] + 1;
	}
}

/*
 * Whether each value's numeric is kept, by its packed number.  There must be as
 * many values as numbers: few bytes make a node of few values, and of such nodes
 * there may be many.
 */
static bool
numerics_are_small(const RowserNode *node)
{
	return node->shape == ROWSER_SHAPE_NUMERIC && !node->scales_differ &&
		node->scaled->encoding == ROWSER_ENCODING_FRAME &&
		node->scaled->bits <= SMALL_BITS &&
		rowser_node_nonnull(node) >= 1U << node->scaled->bits;
}

/* Whether the bounds of what is packed tell that no value's length changes. */
static bool
keeps_length(const RowserDecoder *decoder)
{
	const RowserNode *node = decoder->node;
	const RowserNode *scaled = node->scaled;
	uint64		range;

	if (node->shape != ROWSER_SHAPE_NUMERIC || node->scales_differ ||
		node->nexceptions > 0 || node->display_scale != node->scale ||
		scaled->encoding != ROWSER_ENCODING_FRAME || scaled->bits >= 63)
		return false;
	range = (UINT64CONST(1) << scaled->bits) - 1;
	if ((int64) ((uint64) scaled->base + range) < scaled->base)
		return false;
	return rowser_cast_keeps_scaled(decoder->cast, scaled->base,
									scaled->base + (int64) range, node->scale);
}

void
rowser_scaled_start(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;

	decoder->next_exception = 0;
	if (node->nexceptions > 0)
		start_exceptions(decoder, body);
	if (node->scales_differ)
		rowser_decoder_check(decoder,
							 rowser_integers_open(&decoder->integers[0],
												  &node->integers[0], body,
												  decoder->at));
	rowser_decoder_check(decoder,
						 rowser_integers_open(&decoder->numbers, node->scaled,
											  body, decoder->at));
	decoder->is_cast = decoder->cast != NULL && keeps_length(decoder);
	decoder->small_numerics = NULL;
	if (numerics_are_small(node))
		decoder->small_numerics =
			palloc0(sizeof(Numeric) << node->scaled->bits);
}

/* ----------------------------------------------------------------
 *		Numeric
 * ----------------------------------------------------------------
 */

rowser_noreturn static void
hidden_digits(RowserDecoder *decoder)
{
	rowser_decoder_fail(decoder, "A display scale hides digits");
}

static Numeric
make_numeric(RowserDecoder *decoder, int64 integer, uint8 display_scale,
			 char *to)
{
	Numeric		numeric = rowser_numeric_from_scaled(integer,
													 decoder->node->scale,
													 display_scale, to);

	if (numeric == NULL)
		hidden_digits(decoder);
	return numeric;
}

/* Give numerics that are made once a group. */
static void
next_small_numerics(RowserDecoder *decoder, const int64 *integers,
					uint32 nvalues, Datum *values)
{
	MemoryContext context = GetMemoryChunkContext(decoder->small_numerics);

	for (uint32 i = 0; i < nvalues; i++)
	{
		Numeric    *numeric = &decoder->small_numerics[integers[i] -
													   decoder->node->scaled->base];

		if (*numeric == NULL)
			*numeric = make_numeric(decoder, integers[i],
									decoder->node->display_scale,
									MemoryContextAlloc(context,
													   ROWSER_NUMERIC_SCALED_SIZE));
		values[i] = NumericGetDatum(*numeric);
	}
}

static void
next_numerics(RowserDecoder *decoder, const int64 *integers, uint32 nvalues,
			  Datum *values)
{
	uint32		scales[SCALED_BATCH];
	char	   *to;

	if (decoder->small_numerics != NULL)
	{
		next_small_numerics(decoder, integers, nvalues, values);
		return;
	}
	to = palloc((Size) nvalues * ROWSER_NUMERIC_SCALED_SIZE);
	if (!decoder->node->scales_differ)
	{
		if (!rowser_numeric_from_scaled_many(integers, nvalues,
											 decoder->node->scale,
											 decoder->node->display_scale,
											 to, values))
			hidden_digits(decoder);
		return;
	}
	rowser_decoder_check(decoder,
						 rowser_integers_next_counts(decoder->integers[0],
													 nvalues,
													 ROWSER_MAX_DISPLAY_SCALE,
													 scales, decoder->at));
	for (uint32 i = 0; i < nvalues; i++)
	{
		values[i] = NumericGetDatum(make_numeric(decoder, integers[i],
												 (uint8) scales[i], to));
		to += ROWSER_NUMERIC_SCALED_SIZE;
	}
}

/* ----------------------------------------------------------------
 *		Floating point
 * ----------------------------------------------------------------
 */

static void
next_floats(RowserDecoder *decoder, const int64 *integers, uint32 nvalues,
			Datum *values)
{
	double		divisor = powers_of_ten[decoder->node->scale];

	if (decoder->kind == ROWSER_KIND_FLOAT4)
	{
		for (uint32 i = 0; i < nvalues; i++)
			values[i] = Float4GetDatum((float4) ((double) integers[i] / divisor));
	}
	else
	{
		for (uint32 i = 0; i < nvalues; i++)
			values[i] = Float8GetDatum((double) integers[i] / divisor);
	}
}

/* ----------------------------------------------------------------
 *		Both
 * ----------------------------------------------------------------
 */

/* Put the exceptions among values from a position on into their places. */
static void
place_exceptions(RowserDecoder *decoder, uint32 position, uint32 nvalues,
				 Datum *values)
{
	while (decoder->next_exception < decoder->node->nexceptions &&
		   decoder->exception_positions[decoder->next_exception] <
		   position + nvalues)
	{
		if (values != NULL)
			values[decoder->exception_positions[decoder->next_exception] -
				   position] = decoder->exceptions[decoder->next_exception];
		decoder->next_exception++;
	}
}

void
rowser_scaled_next(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	for (uint32 done = 0; done < nvalues; done += SCALED_BATCH)
	{
		uint32		n = Min(nvalues - done, SCALED_BATCH);
		int64		integers[SCALED_BATCH];

		rowser_decoder_check(decoder,
							 rowser_integers_next(decoder->numbers, n,
												  integers, decoder->at));
		if (decoder->kind == ROWSER_KIND_NUMERIC)
			next_numerics(decoder, integers, n, values + done);
		else
			next_floats(decoder, integers, n, values + done);
	}
	place_exceptions(decoder, decoder->number_position, nvalues, values);
}

void
rowser_scaled_skip(RowserDecoder *decoder, uint32 nvalues)
{
	rowser_decoder_check(decoder, rowser_integers_skip(decoder->numbers,
													   nvalues, decoder->at));
	if (decoder->node->scales_differ)
		rowser_decoder_check(decoder,
							 rowser_integers_skip(decoder->integers[0],
												  nvalues, decoder->at));
	place_exceptions(decoder, decoder->number_position, nvalues, NULL);
}
