/*-------------------------------------------------------------------------
 *
 * nested_arrays.c
 *	  Decoding arrays (rowset_format.md, section 7.1).
 *
 * The elements of several short arrays are decoded at once, in memory that is
 * reset when the arrays have copies of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/array.h"
#include "utils/memutils.h"

#include "columns/decoder.h"

/* How many elements of short arrays are decoded at once */
#define ELEMENT_BATCH 4096

int
rowser_arrays_dimensions(RowserDecoder *decoder, uint32 ndim, int *dims,
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
	uint32		nelements = rowser_arrays_dimensions(decoder, ndim, dims,
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
		rowser_decoder_check_memory(decoder);
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

void
rowser_arrays_next(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	uint32		counts[ROWSER_NESTED_BATCH];

	for (uint32 done = 0; done < nvalues; done += ROWSER_NESTED_BATCH)
	{
		uint32		n = Min(nvalues - done, ROWSER_NESTED_BATCH);

		if (decoder->node->array_form == 1)
		{
			rowser_nested_integers(decoder, 0, n, ROWSER_MAX_DIMENSIONS,
								   counts);
			for (uint32 i = 0; i < n; i++)
			{
				CHECK_FOR_INTERRUPTS();
				rowser_decoder_check_memory(decoder);
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

/* Pass over the elements of arrays. */
void
rowser_arrays_skip(RowserDecoder *decoder, uint32 nvalues)
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
			count = rowser_arrays_dimensions(decoder, count, dims, lbounds);
		rowser_decoder_skip(decoder->children, count);
	}
}
