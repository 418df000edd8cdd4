/*-------------------------------------------------------------------------
 *
 * arrow_array.c
 *	  How much there is to decode of an Arrow array.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_array.h"

/* The weight of views, whose sizes are not in order */
static uint64
views_weight(const RowserArrowArray *array, uint32 start, uint32 nvalues)
{
	uint64		size = 0;

	for (uint32 i = start; i < start + nvalues; i++)
	{
		if (!rowser_arrow_is_null(array, i))
			size += rowser_load_u32(array->data +
									(size_t) i * ROWSER_ARROW_VIEW_SIZE);
	}
	return nvalues + size / sizeof(uint64);
}

uint64
rowser_arrow_weight(const RowserArrowArray *array, uint32 start,
					uint32 nvalues)
{
	RowserArrowTypeId type = array->field->type;
	uint64		weight = nvalues;
	uint64		first;
	uint64		end;

	if (nvalues == 0 || array->is_indexes)
		return nvalues;
	if (rowser_arrow_has_views(type))
		return views_weight(array, start, nvalues);
	if (type == ROWSER_ARROW_FIXED_SIZE_BINARY)
		return weight + (uint64) nvalues * array->field->width / sizeof(uint64);
	if (type == ROWSER_ARROW_FIXED_SIZE_LIST)
		return weight +
			rowser_arrow_weight(&array->children[0],
								start * (uint32) array->field->width,
								nvalues * (uint32) array->field->width);
	if (type == ROWSER_ARROW_STRUCT)
	{
		for (uint32 i = 0; i < array->nchildren; i++)
			weight += rowser_arrow_weight(&array->children[i], start, nvalues);
		return weight;
	}
	if (!rowser_arrow_has_strings(type) && !rowser_arrow_has_lists(type))
		return weight;
	first = rowser_arrow_offset(array, start);
	end = rowser_arrow_offset(array, start + nvalues);
	if (rowser_arrow_has_strings(type))
		return weight + (end - first) / sizeof(uint64);
	return weight + rowser_arrow_weight(&array->children[0], (uint32) first,
										(uint32) (end - first));
}
