/*-------------------------------------------------------------------------
 *
 * arrow_nulls.c
 *	  NULLs in Arrow arrays, and errors: values that Arrow can't hold, and too
 *	  many of them.
 *
 * The nodes of a rowset and Arrow's arrays differ in what they have for a
 * NULL: nothing there, a place of no meaning here.  So NULLs are put in
 * between.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "columns/arrow_export.h"
#include "columns/resolve.h"

/* ----------------------------------------------------------------
 *		Errors
 * ----------------------------------------------------------------
 */

void
rowser_arrow_report_too_large(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("Arrow stream is too large"),
			 errdetail("A stream is one value and cannot exceed 1 GB."),
			 errhint("Use query_to_rowset_chunks, and rowset_to_arrow of each chunk.")));
}

/* The value of a list that has an item with a number */
static uint64
find_list(const RowserArrowExport *list, uint64 item)
{
	uint64		low = 0;
	uint64		high = list->offsets.size / sizeof(int32) - 1;

	/* offsets ascend: find the last one that isn't behind the item */
	while (high - low > 1)
	{
		uint64		middle = low + (high - low) / 2;

		if (rowser_load_u32(list->offsets.bytes +
							middle * sizeof(int32)) <= item)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void
rowser_arrow_export_unrepresentable(const RowserArrowExport *export, uint32 i,
									int sqlstate, const char *value)
{
	uint64		place = export->length + i;

	while (export->parent != NULL)
	{
		export = export->parent;
		if (export->layout == ROWSER_ARROW_LAYOUT_LIST)
			place = find_list(export, place);
	}
	ereport(ERROR,
			(errcode(sqlstate),
			 errmsg("value cannot be represented in Arrow"),
			 errdetail("Column \"%s\" of row " UINT64_FORMAT " has %s.",
					   rowser_resolve_name(export->name,
										   export->shared->encoding),
					   export->shared->first_row + place + 1, value),
			 errhint("Set rowser.arrow_unrepresentable to 'null' to have NULL in its place.")));
}

void
rowser_arrow_array_count(RowserArrowExport *export, size_t size)
{
	RowserArrowShared *shared = export->shared;

	shared->size += export->offsets.size + export->data.size - size;
	if (export->offsets.overflowed || export->data.overflowed ||
		shared->size > MaxAllocSize)
		rowser_arrow_report_too_large();
}

/* ----------------------------------------------------------------
 *		NULLs
 * ----------------------------------------------------------------
 */

void
rowser_arrow_append_bits(RowserBuffer *buffer, uint64 nbits, uint32 nvalues,
						 const bool *bits, bool invert)
{
	size_t		size = (nbits + nvalues + 7) / 8;
	uint8	   *bytes;

	rowser_buffer_zeros(buffer, size - buffer->size);
	if (buffer->overflowed)
		return;
	bytes = buffer->bytes;
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint64		bit = nbits + i;

		bytes[bit / 8] |= (uint8) ((bits[i] != invert) << (bit % 8));
	}
}

/* Mark all values so far as valid, now that one is not. */
static void
make_validity(RowserArrowExport *export)
{
	size_t		size = export->length / 8;

	export->validity.size = 0;
	if (!rowser_buffer_reserve(&export->validity, size + 1))
		rowser_arrow_report_too_large();
	memset(export->validity.bytes, 0xFF, size);
	export->validity.size = size;
	if (export->length % 8 != 0)
		rowser_buffer_u8(&export->validity,
						 (uint8) ((1 << (export->length % 8)) - 1));
}

void
rowser_arrow_export_append_validity(RowserArrowExport *export, uint32 nvalues,
									const bool *nulls)
{
	uint32		nnulls = 0;

	for (uint32 i = 0; i < nvalues; i++)
		nnulls += nulls[i];
	if (nnulls > 0 && export->null_count == 0)
		make_validity(export);
	export->null_count += nnulls;
	if (export->null_count > 0)
		rowser_arrow_append_bits(&export->validity, export->length, nvalues,
								 nulls, true);
	if (export->validity.overflowed)
		rowser_arrow_report_too_large();
	export->length += nvalues;
}

void
rowser_arrow_array_repeat_offset(RowserArrowExport *export, uint32 nvalues)
{
	RowserBuffer *offsets = &export->offsets;
	uint32		last = rowser_load_u32(offsets->bytes + offsets->size -
									   sizeof(int32));

	for (uint32 i = 0; i < nvalues; i++)
		rowser_buffer_u32(offsets, last);
}

/* Append some NULLs, no more than a batch. */
static void
append_null_batch(RowserArrowExport *export, uint32 nvalues)
{
	size_t		size = export->offsets.size + export->data.size;
	bool		nulls[ROWSER_ARROW_NESTED_BATCH];

	CHECK_FOR_INTERRUPTS();
	memset(nulls, true, nvalues);
	switch (export->layout)
	{
		case ROWSER_ARROW_LAYOUT_BITS:
			memset(nulls, false, nvalues);
			rowser_arrow_append_bits(&export->data, export->length, nvalues,
									 nulls, false);
			memset(nulls, true, nvalues);
			break;
		case ROWSER_ARROW_LAYOUT_FIXED:
			rowser_buffer_zeros(&export->data,
								(size_t) nvalues * export->width);
			break;
		case ROWSER_ARROW_LAYOUT_VARIABLE:
		case ROWSER_ARROW_LAYOUT_LIST:
			rowser_arrow_array_repeat_offset(export, nvalues);
			break;
		case ROWSER_ARROW_LAYOUT_STRUCT:
			for (uint32 i = 0; i < export->nchildren; i++)
				rowser_arrow_export_append_nulls(&export->children[i],
												 nvalues);
			break;
	}
	rowser_arrow_export_append_validity(export, nvalues, nulls);
	rowser_arrow_array_count(export, size);
}

void
rowser_arrow_export_append_nulls(RowserArrowExport *export, uint32 nvalues)
{
	check_stack_depth();
	for (uint32 done = 0; done < nvalues; done += ROWSER_ARROW_NESTED_BATCH)
		append_null_batch(export, Min(nvalues - done,
									  ROWSER_ARROW_NESTED_BATCH));
}
