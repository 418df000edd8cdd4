/*-------------------------------------------------------------------------
 *
 * arrow_next.c
 *	  A row group's values into Arrow arrays: NULLs, lists, structs, and errors.
 *
 * The nodes of a rowset and Arrow's arrays differ in what they have for a NULL:
 * nothing there, a place of no meaning here.  So NULLs are put in between.
 *
 * Memory: what is allocated for a row group is in the context that was current
 * at rowser_arrow_export_node(); values are in the exports' scratch context,
 * which is emptied after each batch.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "columns/arrow_export.h"
#include "columns/resolve.h"

/* How many nested values' integers are looked at at once */
#define NESTED_BATCH 256

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

	if (export->shared->null_unrepresentable)
		return;
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

/* Count what an export has got since it had `size` bytes, and limit it. */
static void
count_size(RowserArrowExport *export, size_t size)
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

/* Append an offset for each of some values, none of which has bytes or items. */
static void
repeat_offset(RowserArrowExport *export, uint32 nvalues)
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
	bool		nulls[NESTED_BATCH];

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
			repeat_offset(export, nvalues);
			break;
		case ROWSER_ARROW_LAYOUT_STRUCT:
			for (uint32 i = 0; i < export->nchildren; i++)
				rowser_arrow_export_append_nulls(&export->children[i],
												 nvalues);
			break;
	}
	rowser_arrow_export_append_validity(export, nvalues, nulls);
	count_size(export, size);
}

void
rowser_arrow_export_append_nulls(RowserArrowExport *export, uint32 nvalues)
{
	check_stack_depth();
	for (uint32 done = 0; done < nvalues; done += NESTED_BATCH)
		append_null_batch(export, Min(nvalues - done, NESTED_BATCH));
}

/* ----------------------------------------------------------------
 *		Lists
 * ----------------------------------------------------------------
 */

/* Append the offset behind so many more items; gives their number. */
static uint32
append_offset(RowserArrowExport *export, uint64 nitems)
{
	if (nitems > PG_INT32_MAX)
		rowser_arrow_report_too_large();
	rowser_buffer_u32(&export->offsets, (uint32) nitems);
	return (uint32) nitems;
}

/* Take arrays of one dimension, whose lengths are told: all items at once. */
static void
next_vectors(RowserArrowExport *export, uint32 nvalues, const bool *nulls,
			 uint32 nonnull)
{
	uint32		lengths[NESTED_BATCH];
	const uint32 *length = lengths;
	uint64		before = export->children->length;
	uint64		nitems = before;

	rowser_nested_integers(export->decoder, 0, nonnull, PG_INT32_MAX,
						   lengths);
	for (uint32 i = 0; i < nvalues; i++)
	{
		if (!nulls[i])
			nitems += *length++;
		append_offset(export, nitems);
	}
	rowser_arrow_export_next(export->children, (uint32) (nitems - before));
}

/* Refuse an array that is no list, unless it may become NULL. */
static void
check_list(RowserArrowExport *export, uint32 i, uint32 ndim, int lbound)
{
	if (export->shared->null_unrepresentable)
		return;
	rowser_arrow_export_unrepresentable(export, i,
										ERRCODE_ARRAY_SUBSCRIPT_ERROR,
										ndim > 1 ?
										psprintf("an array of %u dimensions", ndim) :
										psprintf("an array whose first element is number %d", lbound));
}

/*
 * Take one array whose dimensions stand by themselves; false for one that has
 * several of them, or whose elements aren't counted from 1.
 */
static bool
next_general(RowserArrowExport *export, uint32 i)
{
	RowserDecoder *decoder = export->decoder;
	int			dims[ROWSER_MAX_DIMENSIONS];
	int			lbounds[ROWSER_MAX_DIMENSIONS] = {1};
	uint64		before = export->children->length;
	uint32		ndim;
	uint32		nitems;

	rowser_nested_integers(decoder, 0, 1, ROWSER_MAX_DIMENSIONS, &ndim);
	nitems = rowser_nested_dimensions(decoder, (int) ndim, dims, lbounds);
	if (ndim > 1 || lbounds[0] != 1)
	{
		check_list(export, i, ndim, lbounds[0]);
		rowser_decoder_skip(decoder->children, nitems);
		append_offset(export, before);
		return false;
	}
	append_offset(export, before + nitems);
	rowser_arrow_export_next(export->children, nitems);
	return true;
}

static void
next_lists(RowserArrowExport *export, uint32 nvalues)
{
	RowserDecoder *decoder = export->decoder;
	size_t		size = export->offsets.size;
	bool		nulls[NESTED_BATCH];
	uint32		nonnull = rowser_decoder_next_nulls(decoder, nvalues, nulls);

	if (nonnull > 0 && decoder->node->array_form != 1)
		next_vectors(export, nvalues, nulls, nonnull);
	else
	{
		for (uint32 i = 0; i < nvalues; i++)
		{
			if (nulls[i])
				repeat_offset(export, 1);
			else
				nulls[i] = !next_general(export, i);
		}
	}
	rowser_arrow_export_append_validity(export, nvalues, nulls);
	count_size(export, size);
}

/* ----------------------------------------------------------------
 *		Structs
 * ----------------------------------------------------------------
 */

/* Take values that are not NULL. */
static void
next_fields(RowserArrowExport *export, uint32 nvalues)
{
	if (export->is_record)
	{
		/* the survey has seen that there is one row type only */
		for (uint32 i = 0; i < nvalues; i++)
			(void) rowser_rows_next_shape(export->decoder);
	}
	for (uint32 i = 0; i < export->nchildren; i++)
		rowser_arrow_export_next(&export->children[i], nvalues);
}

static void
next_structs(RowserArrowExport *export, uint32 nvalues)
{
	bool		nulls[NESTED_BATCH];
	uint32		end;

	(void) rowser_decoder_next_nulls(export->decoder, nvalues, nulls);
	for (uint32 i = 0; i < nvalues; i = end)
	{
		for (end = i + 1; end < nvalues && nulls[end] == nulls[i]; end++)
			 /* find the end of a run */ ;
		if (!nulls[i])
		{
			next_fields(export, end - i);
			continue;
		}
		for (uint32 j = 0; j < export->nchildren; j++)
			rowser_arrow_export_append_nulls(&export->children[j], end - i);
	}
	rowser_arrow_export_append_validity(export, nvalues, nulls);
}

/* ----------------------------------------------------------------
 *		Values
 * ----------------------------------------------------------------
 */

static void
next_scalars(RowserArrowExport *export, uint32 nvalues)
{
	RowserArrowShared *shared = export->shared;
	MemoryContext old_context = MemoryContextSwitchTo(shared->scratch);
	size_t		size = export->offsets.size + export->data.size;

	if (!export->has_dictionary ||
		!rowser_arrow_dictionary_next(export, nvalues, shared->nulls))
	{
		rowser_decoder_next(export->decoder, nvalues, shared->values,
							shared->nulls);
		rowser_arrow_values_append(export, nvalues, shared->values,
								   shared->nulls);
	}
	rowser_arrow_export_append_validity(export, nvalues, shared->nulls);
	count_size(export, size);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(shared->scratch);
}

void
rowser_arrow_export_next(RowserArrowExport *export, uint32 nvalues)
{
	bool		is_nested = export->form == ROWSER_ARROW_FORM_LIST ||
	export->form == ROWSER_ARROW_FORM_STRUCT;
	uint32		batch = is_nested ? NESTED_BATCH : ROWSER_ARROW_BATCH;

	check_stack_depth();
	while (nvalues > 0)
	{
		uint32		n = Min(nvalues, batch);

		CHECK_FOR_INTERRUPTS();
		if (export->form == ROWSER_ARROW_FORM_LIST)
			next_lists(export, n);
		else if (export->form == ROWSER_ARROW_FORM_STRUCT)
			next_structs(export, n);
		else
			next_scalars(export, n);
		nvalues -= n;
	}
}

/* ----------------------------------------------------------------
 *		Nodes
 * ----------------------------------------------------------------
 */

/* Empty the arrays. */
static void
reset(RowserArrowExport *export)
{
	check_stack_depth();
	export->length = 0;
	export->null_count = 0;
	export->validity.size = 0;
	export->offsets.size = 0;
	export->data.size = 0;
	export->is_mapped = false;
	if (export->layout == ROWSER_ARROW_LAYOUT_VARIABLE ||
		export->layout == ROWSER_ARROW_LAYOUT_LIST)
		rowser_buffer_u32(&export->offsets, 0);
	for (uint32 i = 0; i < export->nchildren; i++)
		reset(&export->children[i]);
}

/*
 * The fields of records have been started on by decoders that know no types;
 * put those in their place that do.
 */
static void
start_records(RowserArrowExport *export, const uint8 *body, RowserCursor *at)
{
	RowserDecoder *decoder = export->decoder;

	check_stack_depth();
	if (export->nchildren == 0 || rowser_node_nonnull(decoder->node) == 0)
		return;
	if (export->is_record)
	{
		for (uint32 i = 0; i < export->nchildren; i++)
			rowser_decoder_start(&export->record_fields[i],
								 &decoder->node->shapes->nodes[i], body, at);
		decoder->shapes->fields = export->record_fields;
	}
	for (uint32 i = 0; i < export->nchildren; i++)
		start_records(&export->children[i], body, at);
}

static void
start(RowserArrowExport *export, const RowserNode *node, const uint8 *body,
	  RowserCursor *at)
{
	rowser_decoder_start(export->decoder, node, body, at);
	start_records(export, body, at);
	reset(export);
}

/* Take all values of a node that has been started on. */
static void
take(RowserArrowExport *export)
{
	rowser_arrow_export_next(export, export->decoder->node->nvalues);
	rowser_decoder_finish(export->decoder);
}

void
rowser_arrow_export_node(RowserArrowExport *export, const RowserNode *node,
						 const uint8 *body, RowserCursor *at)
{
	start(export, node, body, at);
	take(export);
}

void
rowser_arrow_export_gather(RowserArrowExport *export, const RowserNode *node,
						   const uint8 *body, RowserCursor *at)
{
	start(export, node, body, at);
	if (!rowser_arrow_dictionary_gather(export))
		take(export);
}
