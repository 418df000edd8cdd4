/*-------------------------------------------------------------------------
 *
 * arrow_dictionary.c
 *	  The dictionaries of an Arrow stream.
 *
 * A stream has one dictionary a field, which comes before all record batches;
 * so what the row groups' values are is looked at in a pass of its own, and
 * put together.  Where a row group has a dictionary itself, its entries are
 * all that has to be looked up: values are then numbers of entries, which
 * become numbers of the stream's dictionary.
 *
 * Memory: dictionaries, and the numbers of a row group's entries, are in the
 * exports' context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "columns/arrow_export.h"

/* Bytes of an index */
#define INDEX_SIZE sizeof(int32)

/* ----------------------------------------------------------------
 *		Making
 * ----------------------------------------------------------------
 */

/*
 * Labels of enums always have a dictionary; a column of text has one where all
 * row groups do, a constant being one.
 */
void
rowser_arrow_dictionary_prepare(RowserArrowExport *export)
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

/*
 * The number of a text in the dictionary, where it is put as long as that is
 * being made.  When it is one too many, there is to be no dictionary.
 */
static int32
find_number(RowserArrowExport *export, Datum value)
{
	const text *string = (text *) DatumGetPointer(value);
	int			size;
	const char *utf8 = rowser_arrow_utf8(VARDATA_ANY(string),
										 VARSIZE_ANY_EXHDR(string), &size);
	int32		number = rowser_distinct_add(export->distinct, utf8, size);

	if (number >= 0)
		return number;
	if (export->field->has_dictionary)
		elog(ERROR, "value is missing in the dictionary that was made of it");
	export->has_dictionary = false;
	return 0;
}

/* ----------------------------------------------------------------
 *		Entries of row groups
 * ----------------------------------------------------------------
 */

/* Whether values of the node are nothing but numbers of its entries */
static bool
has_entries(const RowserArrowExport *export)
{
	const RowserDecoder *decoder = export->decoder;

	return decoder->node->encoding == ROWSER_ENCODING_DICTIONARY &&
		rowser_node_nonnull(decoder->node) > 0 &&
		decoder->entry_sizes == NULL &&
		(decoder->cast == NULL || decoder->is_cast);
}

/* Find the numbers of a node's entries. */
static void
map_entries(RowserArrowExport *export)
{
	const RowserDecoder *decoder = export->decoder;
	uint32		nentries = decoder->node->nentries;
	uint32		nvalues = rowser_node_nonnull(decoder->node);

	if (export->numbers_capacity < nentries)
	{
		if (export->numbers != NULL)
			pfree(export->numbers);
		export->numbers =
			MemoryContextAllocHuge(export->shared->context,
								   (Size) nentries * sizeof(int32));
		export->numbers_capacity = nentries;
	}
	/* what the entries stand for counts as looked up, too */
	export->distinct->nvalues += Max(nvalues, nentries) - nentries;
	for (uint32 i = 0; i < nentries; i++)
	{
		if (i % ROWSER_ARROW_BATCH == 0)
			CHECK_FOR_INTERRUPTS();
		export->numbers[i] = find_number(export, decoder->entries[i]);
	}
	export->is_mapped = true;
}

bool
rowser_arrow_dictionary_gather(RowserArrowExport *export)
{
	if (!export->has_dictionary || !has_entries(export))
		return false;
	map_entries(export);
	return true;
}

bool
rowser_arrow_dictionary_next(RowserArrowExport *export, uint32 nvalues,
							 bool *nulls)
{
	uint32		entries[ROWSER_ARROW_BATCH];
	const uint32 *entry = entries;
	uint32		nonnull;
	uint8	   *to;

	if (!has_entries(export))
		return false;
	if (!export->is_mapped)
		map_entries(export);
	nonnull = rowser_decoder_next_nulls(export->decoder, nvalues, nulls);
	rowser_nested_integers(export->decoder, 0, nonnull,
						   export->decoder->node->nentries - 1, entries);
	to = rowser_buffer_extend(&export->data, nvalues * INDEX_SIZE);
	if (to == NULL)
		return true;
	for (uint32 i = 0; i < nvalues; i++)
		rowser_store_u32(to + i * INDEX_SIZE,
						 nulls[i] ? 0 : (uint32) export->numbers[*entry++]);
	return true;
}

void
rowser_arrow_dictionary_append(RowserArrowExport *export, uint32 nvalues,
							   const Datum *values, const bool *nulls)
{
	uint8	   *to = rowser_buffer_extend(&export->data, nvalues * INDEX_SIZE);

	if (to == NULL)
		return;
	for (uint32 i = 0; i < nvalues; i++)
		rowser_store_u32(to + i * INDEX_SIZE, nulls[i] ? 0 :
						 (uint32) find_number(export, values[i]));
}

/* ----------------------------------------------------------------
 *		Writing
 * ----------------------------------------------------------------
 */

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
