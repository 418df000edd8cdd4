/*-------------------------------------------------------------------------
 *
 * nested_ranges.c
 *	  Decoding ranges and multiranges (rowset_format.md, section 7.4).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"

#include "columns/decoder.h"
#include "compat.h"

uint32
rowser_ranges_bounds(RowserDecoder *decoder, uint32 flags)
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

void
rowser_ranges_next(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	for (uint32 done = 0; done < nvalues; done += ROWSER_NESTED_BATCH)
	{
		uint32		n = Min(nvalues - done, ROWSER_NESTED_BATCH);
		uint32		flags[ROWSER_NESTED_BATCH];
		Datum		bounds[2 * ROWSER_NESTED_BATCH];
		bool		nulls[2 * ROWSER_NESTED_BATCH];
		const Datum *next = bounds;
		uint32		nbounds = 0;

		rowser_nested_integers(decoder, 0, n, ROWSER_RANGE_FLAGS, flags);
		for (uint32 i = 0; i < n; i++)
			nbounds += rowser_ranges_bounds(decoder, flags[i]);
		rowser_decoder_next(decoder->children, nbounds, bounds, nulls);
		for (uint32 i = 0; i < nbounds; i++)
		{
			/* a cast may have made one of what was none */
			if (nulls[i])
				rowser_decoder_fail(decoder, "A range's bound is NULL");
		}
		CHECK_FOR_INTERRUPTS();
		for (uint32 i = 0; i < n; i++)
		{
			rowser_decoder_check_memory(decoder);
			values[done + i] = make_range_datum(decoder, flags[i], &next);
		}
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

void
rowser_multiranges_next(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	for (uint32 done = 0; done < nvalues; done += ROWSER_NESTED_BATCH)
	{
		uint32		n = Min(nvalues - done, ROWSER_NESTED_BATCH);
		uint32		counts[ROWSER_NESTED_BATCH];

		rowser_nested_integers(decoder, 0, n, PG_INT32_MAX, counts);
		for (uint32 i = 0; i < n; i++)
		{
			CHECK_FOR_INTERRUPTS();
			rowser_decoder_check_memory(decoder);
			values[done + i] = make_multirange_datum(decoder, counts[i]);
		}
	}
}

void
rowser_ranges_skip(RowserDecoder *decoder, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		flags;

		rowser_nested_integers(decoder, 0, 1, ROWSER_RANGE_FLAGS, &flags);
		rowser_decoder_skip(decoder->children,
							rowser_ranges_bounds(decoder, flags));
	}
}

void
rowser_multiranges_skip(RowserDecoder *decoder, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		count;

		rowser_nested_integers(decoder, 0, 1, PG_INT32_MAX, &count);
		rowser_decoder_skip(decoder->children, count);
	}
}
