/*-------------------------------------------------------------------------
 *
 * arrow_survey.c
 *	  What has to be known of all row groups' headers before an Arrow schema is
 *	  written: the row types of records, and which row groups have
 *	  dictionaries.
 *
 * An anonymous record has its row type in the bytes only, value by value;
 * where all values have the same one, it is a struct with these fields, else
 * text.
 *
 * Memory: what is found out is in the exports' context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

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
