/*-------------------------------------------------------------------------
 *
 * arrow_survey.c
 *	  What has to be known of all row groups before an Arrow schema is written:
 *	  the row types of records, and the values of dictionaries.
 *
 * An anonymous record has its row type in the bytes only, value by value;
 * where all values have the same one, it is a struct with these fields, else
 * text.
 *
 * A stream has one dictionary a field, which comes before all record batches;
 * so what the row groups' dictionaries hold is put together in a pass of its
 * own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "bytes/image.h"
#include "columns/arrow_export.h"

/* ----------------------------------------------------------------
 *		Records
 * ----------------------------------------------------------------
 */

static void copy_fields(RowserField **fields, uint32 nfields);

/* Copy what a type's description refers to, but for the strings. */
static void
copy_parts(RowserType *type)
{
	check_stack_depth();
	copy_fields(&type->fields, type->nfields);
	if (type->child != NULL)
	{
		RowserType *child = palloc(sizeof(RowserType));

		*child = *type->child;
		type->child = child;
		copy_parts(child);
	}
}

static void
copy_fields(RowserField **fields, uint32 nfields)
{
	RowserField *copy;

	if (nfields == 0)
		return;
	copy = palloc(nfields * sizeof(RowserField));
	memcpy(copy, *fields, nfields * sizeof(RowserField));
	for (uint32 i = 0; i < nfields; i++)
		copy_parts(&copy[i].type);
	*fields = copy;
}

/* Take a record's fields for those of all records of the column. */
static void
set_row_type(RowserArrowExport *export, const RowserRecordShape *shape)
{
	MemoryContext old_context = MemoryContextSwitchTo(export->shared->context);
	RowserField *fields = shape->fields;

	/* what belongs to the row group does not stay */
	copy_fields(&fields, shape->nfields);
	export->has_row_type = true;
	export->nchildren = shape->nfields;
	export->children = palloc0(Max(shape->nfields, 1) *
							   sizeof(RowserArrowExport));
	for (uint32 i = 0; i < shape->nfields; i++)
		rowser_arrow_export_init(&export->children[i], export->shared, export,
								 fields[i].name, &fields[i].type);
	MemoryContextSwitchTo(old_context);
}

/* Append how the format writes a field. */
static void
write_field(RowserBuffer *bytes, RowserString name, const RowserType *type)
{
	RowserField field = {name, *type};

	rowser_fields_write(bytes, &field, 1);
}

/* Whether a record has the same fields as those before it. */
static bool
is_row_type(const RowserArrowExport *export, const RowserRecordShape *shape)
{
	RowserBuffer known;
	RowserBuffer other;
	bool		result;

	if (shape->nfields != export->nchildren)
		return false;
	rowser_buffer_init(&known, 256, MaxAllocSize);
	rowser_buffer_init(&other, 256, MaxAllocSize);
	for (uint32 i = 0; i < shape->nfields; i++)
	{
		write_field(&known, export->children[i].name,
					export->children[i].described);
		write_field(&other, shape->fields[i].name, &shape->fields[i].type);
	}
	result = known.size == other.size &&
		memcmp(known.bytes, other.bytes, known.size) == 0;
	rowser_buffer_free(&known);
	rowser_buffer_free(&other);
	return result;
}

static void
survey_records(RowserArrowExport *export, const RowserNode *node)
{
	if (export->is_mixed)
		return;
	if (node->nshapes != 1 ||
		(export->has_row_type && !is_row_type(export, node->shapes)))
	{
		export->is_mixed = true;
		export->nchildren = 0;
		return;
	}
	if (!export->has_row_type)
		set_row_type(export, node->shapes);
	for (uint32 i = 0; i < export->nchildren; i++)
		rowser_arrow_export_survey(&export->children[i],
								   &node->shapes->nodes[i]);
}

/* ----------------------------------------------------------------
 *		Nodes
 * ----------------------------------------------------------------
 */

void
rowser_arrow_export_survey(RowserArrowExport *export, const RowserNode *node)
{
	check_stack_depth();
	if (rowser_node_nonnull(node) == 0)
		return;
	if (export->is_record)
	{
		survey_records(export, node);
		return;
	}
	for (uint32 i = 0; i < export->nchildren; i++)
		rowser_arrow_export_survey(&export->children[i], &node->children[i]);
	if (node->encoding == ROWSER_ENCODING_DICTIONARY)
		export->saw_dictionary = true;
	else if (node->encoding != ROWSER_ENCODING_CONSTANT)
		export->lacks_dictionary = true;
}

/* ----------------------------------------------------------------
 *		Dictionaries
 * ----------------------------------------------------------------
 */

/*
 * Labels of enums always have a dictionary; a column of text has one where all
 * row groups do, a constant being one.
 */
void
rowser_arrow_survey_prepare(RowserArrowExport *export)
{
	Oid			type = export->base->oid;

	if (export->base->shape == ROWSER_SHAPE_LABEL)
		export->has_dictionary = true;
	else if (type == TEXTOID || type == VARCHAROID || type == BPCHAROID)
		export->has_dictionary = export->parent == NULL &&
			export->saw_dictionary && !export->lacks_dictionary;
	if (!export->has_dictionary)
		return;
	export->distinct = palloc(sizeof(RowserDistinct));
	rowser_distinct_init(export->distinct, 0);
}

bool
rowser_arrow_export_wants_dictionary(const RowserArrowExport *export)
{
	check_stack_depth();
	if (export->has_dictionary)
		return true;
	for (uint32 i = 0; i < export->nchildren; i++)
	{
		if (rowser_arrow_export_wants_dictionary(&export->children[i]))
			return true;
	}
	return false;
}

/* Write one dictionary: an array of its values without NULLs. */
static void
write_dictionary(RowserArrowExport *export, RowserArrowStream *stream)
{
	const RowserDistinct *distinct = export->distinct;
	RowserArrowNode node = {distinct->nentries, 0};
	RowserArrowBytes buffers[3] = {0};
	RowserArrowBatch batch = {
		.length = distinct->nentries,
		.nnodes = 1,
		.nodes = &node,
		.nbuffers = lengthof(buffers),
		.buffers = buffers
	};
	RowserBuffer offsets;
	RowserBuffer data;

	rowser_buffer_init(&offsets, (distinct->nentries + 1) * sizeof(int32),
					   MaxAllocSize);
	rowser_buffer_init(&data, Max(distinct->entries.size, 1), MaxAllocSize);
	rowser_buffer_u32(&offsets, 0);
	for (uint32 i = 0; i < distinct->nentries; i++)
	{
		uint32		size;
		const uint8 *value = rowser_distinct_value(distinct, i, &size);

		rowser_buffer_bytes(&data, value, size);
		rowser_buffer_u32(&offsets, (uint32) data.size);
	}
	buffers[1].bytes = offsets.bytes;
	buffers[1].size = offsets.size;
	buffers[2].bytes = data.bytes;
	buffers[2].size = data.size;
	rowser_arrow_write_dictionary(stream, export->field->dictionary_id,
								  &batch);
	rowser_buffer_free(&offsets);
	rowser_buffer_free(&data);
}

void
rowser_arrow_export_write_dictionaries(RowserArrowExport *export,
									   RowserArrowStream *stream)
{
	check_stack_depth();
	if (export->has_dictionary)
		write_dictionary(export, stream);
	for (uint32 i = 0; i < export->nchildren; i++)
		rowser_arrow_export_write_dictionaries(&export->children[i], stream);
}
