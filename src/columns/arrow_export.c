/*-------------------------------------------------------------------------
 *
 * arrow_export.c
 *	  A rowset's columns as Arrow arrays: making exports, and taking what they
 *	  have collected.
 *
 * Values are taken by arrow_next.c and arrow_values.c; what has to be known of
 * all row groups beforehand is found by arrow_survey.c and arrow_dictionary.c.
 *
 * A nested value is never put together: its parts are in nodes of their own,
 * as Arrow has them in arrays of their own.  So types of arrays, composites
 * and domains need not exist here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "columns/arrow_export.h"
#include "columns/resolve.h"

/* Bytes that a buffer has at first */
#define INITIAL_CAPACITY 64

/* What a list's items are called; others' readers use that name too. */
#define ITEM_NAME "item"

/* ----------------------------------------------------------------
 *		Making
 * ----------------------------------------------------------------
 */

RowserArrowShared *
rowser_arrow_shared_create(int encoding, bool null_unrepresentable)
{
	RowserArrowShared *shared = palloc0(sizeof(RowserArrowShared));

	shared->context = CurrentMemoryContext;
	shared->scratch = AllocSetContextCreate(CurrentMemoryContext,
											"rowser arrow values",
											ALLOCSET_DEFAULT_SIZES);
	shared->encoding = encoding;
	shared->null_unrepresentable = null_unrepresentable;
	shared->values = palloc(ROWSER_ARROW_BATCH * sizeof(Datum));
	shared->nulls = palloc(ROWSER_ARROW_BATCH * sizeof(bool));
	return shared;
}

void
rowser_arrow_shared_start(RowserArrowShared *shared, uint64 first_row)
{
	shared->first_row = first_row;
	shared->size = 0;
}

/* Make exports of a list's items or a composite's fields. */
static void
init_children(RowserArrowExport *export)
{
	static const RowserString item = {(const uint8 *) ITEM_NAME, 4};
	const RowserType *base = export->base;

	switch (base->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			export->nchildren = 1;
			export->children = palloc0(sizeof(RowserArrowExport));
			rowser_arrow_export_init(export->children, export->shared, export,
									 item, base->child);
			break;
		case ROWSER_SHAPE_COMPOSITE:
			export->nchildren = base->nfields;
			export->children = palloc0(Max(base->nfields, 1) *
									   sizeof(RowserArrowExport));
			for (uint32 i = 0; i < base->nfields; i++)
				rowser_arrow_export_init(&export->children[i], export->shared,
										 export, base->fields[i].name,
										 &base->fields[i].type);
			break;
		default:
			export->is_record = base->shape == ROWSER_SHAPE_RECORD;
			break;
	}
}

void
rowser_arrow_export_init(RowserArrowExport *export, RowserArrowShared *shared,
						 RowserArrowExport *parent, RowserString name,
						 const RowserType *described)
{
	check_stack_depth();
	memset(export, 0, sizeof(*export));
	export->shared = shared;
	export->parent = parent;
	export->name = name;
	export->described = described;
	export->base = rowser_arrow_type_base(described);
	export->form = rowser_arrow_type_form(described);
	init_children(export);
}

/* ----------------------------------------------------------------
 *		Preparing
 * ----------------------------------------------------------------
 */

/* How values lie in the buffers. */
static void
set_layout(RowserArrowExport *export)
{
	export->layout = ROWSER_ARROW_LAYOUT_FIXED;
	if (export->has_dictionary)
	{
		export->width = sizeof(int32);
		return;
	}
	switch (export->form)
	{
		case ROWSER_ARROW_FORM_BOOL:
			export->layout = ROWSER_ARROW_LAYOUT_BITS;
			break;
		case ROWSER_ARROW_FORM_INT16:
			export->width = 2;
			break;
		case ROWSER_ARROW_FORM_INT32:
		case ROWSER_ARROW_FORM_DATE:
			export->width = 4;
			break;
		case ROWSER_ARROW_FORM_INT64:
		case ROWSER_ARROW_FORM_FLOAT8:
		case ROWSER_ARROW_FORM_TIME:
		case ROWSER_ARROW_FORM_TIMESTAMP:
			export->width = 8;
			break;
		case ROWSER_ARROW_FORM_INTERVAL:
		case ROWSER_ARROW_FORM_UUID:
		case ROWSER_ARROW_FORM_DECIMAL:
			export->width = 16;
			break;
		case ROWSER_ARROW_FORM_TEXT:
		case ROWSER_ARROW_FORM_NAME:
		case ROWSER_ARROW_FORM_BYTES:
		case ROWSER_ARROW_FORM_PRINTED:
			export->layout = ROWSER_ARROW_LAYOUT_VARIABLE;
			break;
		case ROWSER_ARROW_FORM_LIST:
			export->layout = ROWSER_ARROW_LAYOUT_LIST;
			break;
		case ROWSER_ARROW_FORM_STRUCT:
			export->layout = ROWSER_ARROW_LAYOUT_STRUCT;
			break;
	}
}

/*
 * Make the decoder of values that aren't nested.  What is text in the bytes is
 * read as text: then its type need not exist here.
 */
static void
prepare_scalar(RowserArrowExport *export)
{
	RowserShape shape = export->base->shape;
	bool		is_text = shape == ROWSER_SHAPE_OUTPUT ||
	shape == ROWSER_SHAPE_LABEL;
	int			encoding = export->shared->encoding;

	rowser_decoder_init(export->decoder, export->described, encoding,
						rowser_resolve_name(export->name, encoding),
						ROWSER_ORIGIN_BYTES, is_text ? TEXTOID : InvalidOid,
						-1);
	if (export->form == ROWSER_ARROW_FORM_PRINTED)
	{
		Oid			function;
		bool		is_varlena;

		getTypeOutputInfo(export->decoder->target, &function, &is_varlena);
		fmgr_info(function, &export->output);
	}
}

static void prepare(RowserArrowExport *export, RowserDecoder *decoder,
					RowserArrowField *field);

/*
 * Make the decoder of nested values, which knows no types, and those of their
 * parts, which do.
 */
static void
prepare_nested(RowserArrowExport *export, RowserArrowField *field)
{
	RowserDecoder *parts;

	rowser_decoder_init_stored(export->decoder, export->described);
	parts = export->decoder->children;
	if (export->is_record)
		parts = export->record_fields = palloc0(Max(export->nchildren, 1) *
												sizeof(RowserDecoder));
	field->nchildren = export->nchildren;
	field->children = palloc0(Max(export->nchildren, 1) *
							  sizeof(RowserArrowField));
	for (uint32 i = 0; i < export->nchildren; i++)
		prepare(&export->children[i], &parts[i], &field->children[i]);
}

static void
prepare(RowserArrowExport *export, RowserDecoder *decoder,
		RowserArrowField *field)
{
	check_stack_depth();
	if (export->is_mixed)
		export->form = ROWSER_ARROW_FORM_PRINTED;
	export->decoder = decoder;
	export->field = field;
	rowser_arrow_type_field(field, export->name, export->described,
							export->form, export->shared->encoding);
	export->scale = field->scale;
	rowser_buffer_init(&export->validity, INITIAL_CAPACITY, MaxAllocSize);
	rowser_buffer_init(&export->offsets, INITIAL_CAPACITY, MaxAllocSize);
	rowser_buffer_init(&export->data, INITIAL_CAPACITY, MaxAllocSize);
	if (export->form == ROWSER_ARROW_FORM_LIST ||
		export->form == ROWSER_ARROW_FORM_STRUCT)
		prepare_nested(export, field);
	else
	{
		prepare_scalar(export);
		rowser_arrow_dictionary_prepare(export);
	}
	set_layout(export);
}

void
rowser_arrow_export_prepare(RowserArrowExport *export,
							RowserArrowField *field)
{
	MemoryContext old_context = MemoryContextSwitchTo(export->shared->context);

	prepare(export, palloc0(sizeof(RowserDecoder)), field);
	MemoryContextSwitchTo(old_context);
}

void
rowser_arrow_export_settle(RowserArrowExport *export, int64 *next_id)
{
	RowserArrowField *field = export->field;

	check_stack_depth();
	if (export->has_dictionary)
	{
		field->has_dictionary = true;
		field->dictionary_id = (*next_id)++;
		field->index_is_signed = true;
		field->index_width = 32;
	}
	set_layout(export);
	for (uint32 i = 0; i < export->nchildren; i++)
		rowser_arrow_export_settle(&export->children[i], next_id);
}

/* ----------------------------------------------------------------
 *		Collecting
 * ----------------------------------------------------------------
 */

static void
add_node(RowserArrowArrays *arrays, uint64 length, uint64 null_count)
{
	RowserArrowNode *node;

	if (arrays->nnodes == arrays->nodes_capacity)
	{
		arrays->nodes_capacity = Max(2 * arrays->nodes_capacity, 64);
		arrays->nodes = arrays->nodes == NULL ?
			palloc(arrays->nodes_capacity * sizeof(RowserArrowNode)) :
			repalloc(arrays->nodes,
					 arrays->nodes_capacity * sizeof(RowserArrowNode));
	}
	node = &arrays->nodes[arrays->nnodes++];
	node->length = length;
	node->null_count = null_count;
}

static void
add_buffer(RowserArrowArrays *arrays, const RowserBuffer *buffer)
{
	RowserArrowBytes *bytes;

	if (arrays->nbuffers == arrays->buffers_capacity)
	{
		arrays->buffers_capacity = Max(2 * arrays->buffers_capacity, 64);
		arrays->buffers = arrays->buffers == NULL ?
			palloc(arrays->buffers_capacity * sizeof(RowserArrowBytes)) :
			repalloc(arrays->buffers,
					 arrays->buffers_capacity * sizeof(RowserArrowBytes));
	}
	bytes = &arrays->buffers[arrays->nbuffers++];
	bytes->bytes = buffer->bytes;
	bytes->size = buffer->size;
}

void
rowser_arrow_export_collect(RowserArrowExport *export,
							RowserArrowArrays *arrays)
{
	check_stack_depth();
	add_node(arrays, export->length, export->null_count);
	add_buffer(arrays, &export->validity);
	if (export->layout == ROWSER_ARROW_LAYOUT_VARIABLE ||
		export->layout == ROWSER_ARROW_LAYOUT_LIST)
		add_buffer(arrays, &export->offsets);
	if (export->layout != ROWSER_ARROW_LAYOUT_LIST &&
		export->layout != ROWSER_ARROW_LAYOUT_STRUCT)
		add_buffer(arrays, &export->data);
	for (uint32 i = 0; i < export->nchildren; i++)
		rowser_arrow_export_collect(&export->children[i], arrays);
}
