/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *	  A dictionary of values that are at hand in plain form.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/image.h"
#include "columns/dictionary.h"

/* Number all values; false as soon as it is clear that it won't pay. */
static bool
number_values(RowserDictionary *dictionary, const RowserBuffer *values,
			  uint8 width, uint32 nvalues, uint64 most)
{
	RowserDistinct *distinct = &dictionary->distinct;
	const uint8 *next = values->bytes;
	const uint8 *end = values->bytes + values->size;

	for (uint32 i = 0; i < nvalues; i++)
	{
		RowserImage value = {next, next, width};
		int32		number;

		if (width > 0)
			next += width;
		else if (!rowser_image_next(values->bytes, &next, end, &value))
			elog(ERROR, "vector holds a broken image");
		number = rowser_distinct_add(distinct, value.payload, value.size);
		if (number < 0 || distinct->plain_size >= most)
			return false;
		dictionary->indexes[i] = number;
	}
	return rowser_distinct_size(distinct) < most;
}

bool
rowser_dictionary_build(RowserDictionary *dictionary,
						const RowserBuffer *values, uint8 width,
						uint32 nvalues, uint64 most)
{
	if (nvalues < 2)
		return false;
	rowser_distinct_init(&dictionary->distinct, width);
	dictionary->indexes = palloc_extended(nvalues * sizeof(int64),
										  MCXT_ALLOC_HUGE);
	if (number_values(dictionary, values, width, nvalues, most))
		return true;
	rowser_distinct_free(&dictionary->distinct);
	pfree(dictionary->indexes);
	return false;
}
