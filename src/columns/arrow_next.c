/*-------------------------------------------------------------------------
 *
 * arrow_next.c
 *	  A row group's values into Arrow arrays: lists, structs, and batches of
 *	  what they are made of.
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

/* ----------------------------------------------------------------
 *		Lists
 * ----------------------------------------------------------------
 */

/* Append the offset behind so many items. */
static void
append_offset(RowserArrowExport *export, uint64 nitems)
{
	if (nitems > PG_INT32_MAX)
		rowser_arrow_report_too_large();
	rowser_buffer_u32(&export->offsets, (uint32) nitems);
}

/* Take arrays of one dimension, whose lengths are told: all items at once. */
static void
next_vectors(RowserArrowExport *export, uint32 nvalues, const bool *nulls,
			 uint32 nonnull)
{
	uint32		lengths[ROWSER_ARROW_NESTED_BATCH];
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
	nitems = rowser_arrays_dimensions(decoder, (int) ndim, dims, lbounds);
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
	bool		nulls[ROWSER_ARROW_NESTED_BATCH];
	uint32		nonnull = rowser_decoder_next_nulls(decoder, nvalues, nulls);

	if (nonnull > 0 && decoder->node->array_form != 1)
		next_vectors(export, nvalues, nulls, nonnull);
	else
	{
		for (uint32 i = 0; i < nvalues; i++)
		{
			if (nulls[i])
				rowser_arrow_array_repeat_offset(export, 1);
			else
				nulls[i] = !next_general(export, i);
		}
	}
	rowser_arrow_export_append_validity(export, nvalues, nulls);
	rowser_arrow_array_count(export, size);
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
	bool		nulls[ROWSER_ARROW_NESTED_BATCH];
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
	rowser_arrow_array_count(export, size);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(shared->scratch);
}

void
rowser_arrow_export_next(RowserArrowExport *export, uint32 nvalues)
{
	bool		is_nested = export->form == ROWSER_ARROW_FORM_LIST ||
	export->form == ROWSER_ARROW_FORM_STRUCT;
	uint32		batch = is_nested ? ROWSER_ARROW_NESTED_BATCH :
	ROWSER_ARROW_BATCH;

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
