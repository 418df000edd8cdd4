/*-------------------------------------------------------------------------
 *
 * arrow_array_read.c
 *	  Reading a record batch as arrays, one a field (Arrow Columnar Format,
 *	  section RecordBatch message).
 *
 * A record batch lists a node, with its length, for each field in the order of
 * the schema's tree, and the buffers of each.  Every length is either backed
 * by bytes or bounded.
 *
 * Memory: arrays come from rowser_memory_alloc().
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_batch.h"
#include "bytes/arrow_codec.h"
#include "bytes/memory.h"

/* Message.fbs, fields of the table RecordBatch */
#define BATCH_LENGTH			0
#define BATCH_NODES				1
#define BATCH_BUFFERS			2
#define BATCH_COMPRESSION		3
#define BATCH_VARIADIC_COUNTS	4

/* ... and of the table BodyCompression, with its only method */
#define COMPRESSION_CODEC		0
#define COMPRESSION_METHOD		1
#define METHOD_BUFFER			0

/* ----------------------------------------------------------------
 *		Arrays
 * ----------------------------------------------------------------
 */

/*
 * How many values an array must have, as whatever is around it says.  It is looked
 * at before the array's buffers are: decompressing them may be a lot of work.
 */
typedef struct Lengths
{
	uint64		least;
	uint64		most;
	const char *otherwise;		/* the fault if they are not */
} Lengths;

static bool read_array(RowserArrowBatchReader *batch,
					   const RowserArrowField *field, bool is_values,
					   Lengths lengths, RowserArrowArray *array);

static bool
read_children(RowserArrowBatchReader *batch, RowserArrowArray *array,
			  Lengths lengths)
{
	const RowserArrowField *field = array->field;

	array->nchildren = field->nchildren;
	array->children = rowser_memory_alloc_array(field->nchildren,
												sizeof(RowserArrowArray));
	for (uint32 i = 0; i < field->nchildren; i++)
	{
		if (!read_array(batch, &field->children[i], false, lengths,
						&array->children[i]))
			return false;
	}
	return true;
}

/* Read the values of lists, of which there must be `needed`. */
static bool
read_list_values(RowserArrowBatchReader *batch, RowserArrowArray *array,
				 uint64 needed)
{
	Lengths		lengths = {needed, PG_INT32_MAX,
	"A list is longer than its values"};
	const RowserArrowArray *values;

	if (!read_children(batch, array, lengths))
		return false;
	values = &array->children[0];
	if (!values->is_backed && values->length > ROWSER_ARROW_MAX_BARE_VALUES)
		return rowser_arrow_fail(batch->reader, values->place,
								 ROWSER_FAULT_UNSUPPORTED,
								 "Lists have too many values that take no bytes");
	array->is_backed |= values->is_backed;
	return true;
}

static bool
read_lists(RowserArrowBatchReader *batch, RowserArrowArray *array)
{
	uint8		offset_size =
	array->field->type == ROWSER_ARROW_LARGE_LIST ? 8 : 4;
	uint64		end;

	return rowser_arrow_take_offsets(batch, array, offset_size, &end) &&
		read_list_values(batch, array, end);
}

static bool
read_struct(RowserArrowBatchReader *batch, RowserArrowArray *array)
{
	Lengths		lengths = {array->length, array->length,
	"A struct's fields have different lengths"};

	if (!read_children(batch, array, lengths))
		return false;
	for (uint32 i = 0; i < array->nchildren; i++)
		array->is_backed |= array->children[i].is_backed;
	return true;
}

/* Read what an array of a field's values has beside its validity. */
static bool
read_values(RowserArrowBatchReader *batch, RowserArrowArray *array)
{
	const RowserArrowField *field = array->field;

	if (rowser_arrow_has_strings(field->type))
		return rowser_arrow_take_strings(batch, array);
	if (rowser_arrow_has_views(field->type))
		return rowser_arrow_take_views(batch, array);
	if (rowser_arrow_has_lists(field->type))
		return read_lists(batch, array);
	if (field->type == ROWSER_ARROW_STRUCT)
		return read_struct(batch, array);
	if (field->type == ROWSER_ARROW_FIXED_SIZE_LIST)
		return read_list_values(batch, array,
								(uint64) array->length * field->width);
	return rowser_arrow_take_fixed(batch, array);
}

/*
 * Read a field's array.  With `is_values` that is the values of its
 * dictionary, else where it has one the indexes into that.
 */
static bool
read_array(RowserArrowBatchReader *batch, const RowserArrowField *field,
		   bool is_values, Lengths lengths, RowserArrowArray *array)
{
	array->field = field;
	array->is_indexes = field->has_dictionary && !is_values;
	if (!rowser_arrow_take_node(batch, array))
		return false;
	if (array->length < lengths.least || array->length > lengths.most)
		return rowser_arrow_batch_fail(batch, array->place, lengths.otherwise);
	if (array->is_indexes)
		return rowser_arrow_take_validity(batch, array) &&
			rowser_arrow_take_indexes(batch, array);
	switch (field->type)
	{
		case ROWSER_ARROW_NULL:
			array->nnulls = array->length;
			return true;
		case ROWSER_ARROW_UNION:
		case ROWSER_ARROW_RUN_END_ENCODED:
		case ROWSER_ARROW_LIST_VIEW:
		case ROWSER_ARROW_LARGE_LIST_VIEW:
			return rowser_arrow_fail(batch->reader, array->place,
									 ROWSER_FAULT_UNSUPPORTED,
									 "A field is of a type that cannot be read");
		default:
			return rowser_arrow_take_validity(batch, array) &&
				read_values(batch, array);
	}
}

/* ----------------------------------------------------------------
 *		Batches
 * ----------------------------------------------------------------
 */

/* How a batch's buffers are compressed */
static bool
read_compression(RowserArrowBatchReader *batch, const RowserFlatTable *table)
{
	RowserFlatTable compression;
	bool		present;
	int64		codec = ROWSER_ARROW_CODEC_LZ4_FRAME;
	int64		method = METHOD_BUFFER;

	batch->codec = ROWSER_ARROW_CODEC_NONE;
	if (!rowser_flat_table(table, BATCH_COMPRESSION, &compression, &present))
		return false;
	if (!present)
		return true;
	if (!rowser_flat_integer(&compression, COMPRESSION_CODEC, 1, &codec) ||
		!rowser_flat_integer(&compression, COMPRESSION_METHOD, 1, &method))
		return false;
	if ((codec != ROWSER_ARROW_CODEC_LZ4_FRAME &&
		 codec != ROWSER_ARROW_CODEC_ZSTD) || method != METHOD_BUFFER)
		return rowser_arrow_fail(batch->reader, batch->metadata,
								 ROWSER_FAULT_UNSUPPORTED,
								 "A message's compression is not known");
	batch->codec = (RowserArrowCodec) codec;
	return rowser_arrow_codec_is_built(batch->codec) ||
		rowser_arrow_fail(batch->reader, batch->metadata,
						  ROWSER_FAULT_UNSUPPORTED,
						  "A message's compression is not in this build");
}

/* Check that bytes back a batch's length, and that there is nothing more. */
static bool
check_batch(RowserArrowBatchReader *reader,
			  const RowserArrowReadBatch *batch, uint32 narrays)
{
	bool		is_backed = false;

	for (uint32 i = 0; i < narrays; i++)
		is_backed |= batch->arrays[i].is_backed;
	if (!is_backed && batch->length > ROWSER_ARROW_MAX_BARE_ROWS)
		return rowser_arrow_fail(reader->reader, reader->metadata,
								 ROWSER_FAULT_UNSUPPORTED,
								 "A batch has too many rows that take no bytes");
	if (reader->next_node != reader->nodes.count ||
		reader->next_buffer != reader->buffers.count)
		return rowser_arrow_batch_fail(reader, reader->metadata,
									   "A message has more buffers than its fields");
	return true;
}

bool
rowser_arrow_arrays_read(RowserArrowReader *reader,
						 const RowserArrowMessage *message,
						 const RowserFlatTable *table,
						 const RowserArrowField *fields, uint32 nfields,
						 bool is_dictionary, RowserArrowReadBatch *batch)
{
	RowserArrowBatchReader batch_reader = {.reader = reader};
	Lengths		lengths = {.otherwise =
	"A column has not as many values as its batch has rows"};
	int64		length = 0;

	batch_reader.metadata = message->buffer.place;
	batch_reader.body = message->body;
	batch_reader.body_size = message->body_size;
	batch_reader.raw_left = ROWSER_ARROW_MAX_RAW_SIZE;
	if (!rowser_flat_integer(table, BATCH_LENGTH, 8, &length) ||
		!rowser_flat_vector(table, BATCH_NODES, ROWSER_ARROW_PAIR_SIZE,
							&batch_reader.nodes) ||
		!rowser_flat_vector(table, BATCH_BUFFERS, ROWSER_ARROW_PAIR_SIZE,
							&batch_reader.buffers) ||
		!rowser_flat_vector(table, BATCH_VARIADIC_COUNTS, 8,
							&batch_reader.variadic_counts) ||
		!read_compression(&batch_reader, table))
		return false;
	if (length < 0 || length > PG_INT32_MAX)
		return rowser_arrow_batch_fail(&batch_reader, batch_reader.metadata,
									   "A batch has an impossible number of rows");
	batch->length = (uint32) length;
	lengths.least = lengths.most = batch->length;
	batch->arrays = rowser_memory_alloc_array(nfields,
											  sizeof(RowserArrowArray));
	for (uint32 i = 0; i < nfields; i++)
	{
		rowser_memory_interrupt();
		if (!read_array(&batch_reader, &fields[i], is_dictionary, lengths,
						&batch->arrays[i]))
			return false;
	}
	return check_batch(&batch_reader, batch, nfields);
}
