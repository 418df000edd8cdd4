/*-------------------------------------------------------------------------
 *
 * arrow.c
 *	  Reading the Arrow stream that a fuzzer thinks of.
 *
 * It is read as the server reads one, message by message, and every value in
 * every array is looked at as an import does.  What has been checked must hold:
 * nothing is outside of the buffers, indexes are a dictionary's, lists' values
 * are there.  The copy that is read ends where its memory does and stands at any
 * address, for a sanitizer to watch.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "bytes/arrow_read.h"
#include "bytes/memory.h"
#include "target.h"

/* zstd's largest ratio: what compressed buffers may become */
#define DECOMPRESSION_RATIO	32768

/* Values of an array that are looked at; all take too long for large ones */
#define MAX_VALUES	65536

/* Where what is read goes, so that it is read */
static volatile uint8 sink;

static void
look_at(const uint8 *bytes, uint64 size)
{
	uint8		sum = 0;

	for (uint64 i = 0; i < size; i++)
		sum ^= bytes[i];
	sink = sum;
}

static void check_array(const RowserArrowReader *reader,
						const RowserArrowArray *array);

static void
check_index(const RowserArrowReader *reader, const RowserArrowArray *array,
			uint32 i)
{
	uint32		number = rowser_arrow_dictionary_of(reader, array->field);

	fuzz_claim(number < reader->ndictionaries, "a field has its dictionary");
	fuzz_claim(rowser_arrow_index(array, i) <
			   reader->dictionaries[number].length,
			   "an index is a dictionary's");
}

static void
check_list(const RowserArrowArray *array, uint32 i)
{
	uint64		from = rowser_arrow_offset(array, i);
	uint64		end = rowser_arrow_offset(array, i + 1);

	fuzz_claim(from <= end && end <= array->children[0].length,
			   "a list's values are there");
}

/* Look at a value that is not NULL. */
static void
check_value(const RowserArrowReader *reader, const RowserArrowArray *array,
			uint32 i)
{
	RowserArrowTypeId type = array->field->type;
	RowserString string;

	if (array->is_indexes)
		check_index(reader, array, i);
	else if (rowser_arrow_has_strings(type) || rowser_arrow_has_views(type))
	{
		string = rowser_arrow_string(array, i);
		look_at(string.bytes, string.size);
	}
	else if (rowser_arrow_has_lists(type))
		check_list(array, i);
}

/* The weight of some values is that of its parts. */
static void
check_weight(const RowserArrowArray *array)
{
	uint64		weight = rowser_arrow_weight(array, 0, array->length);

	fuzz_claim(weight >= array->length, "values have a weight");
	if (array->length > 1)
		fuzz_claim(rowser_arrow_weight(array, 1, array->length - 1) <= weight,
				   "fewer values weigh less");
}

static void
check_array(const RowserArrowReader *reader, const RowserArrowArray *array)
{
	uint32		nnulls = 0;
	uint32		nvalues = Min(array->length, MAX_VALUES);

	fuzz_claim(array->nnulls <= array->length, "NULLs are among the values");
	look_at(array->data, array->data == NULL ? 0 : array->data_size);
	for (uint32 i = 0; i < nvalues; i++)
	{
		rowser_memory_interrupt();
		if (rowser_arrow_is_null(array, i))
			nnulls++;
		else if (array->nnulls < array->length)
			check_value(reader, array, i);
	}
	if (array->validity != NULL && nvalues == array->length)
		fuzz_claim(nnulls == array->nnulls, "NULLs are as many as it says");
	check_weight(array);
	for (uint32 i = 0; i < array->nchildren; i++)
		check_array(reader, &array->children[i]);
}

static void
check_batch(const RowserArrowReader *reader,
			const RowserArrowReadBatch *batch)
{
	uint32		narrays = batch->kind == ROWSER_ARROW_BATCH_ROWS ?
		reader->nfields : 1;

	for (uint32 i = 0; i < narrays; i++)
	{
		fuzz_claim(batch->arrays[i].length == batch->length,
				   "arrays are as long as their batch");
		check_array(reader, &batch->arrays[i]);
	}
}

/* Read a stream to its end. */
static bool
read_stream(const uint8 *bytes, size_t size)
{
	RowserFault fault = {0};
	RowserArrowReader reader;
	RowserArrowReadBatch batch;
	bool		right;

	bytes = fuzz_copy_exactly(bytes, size, size);
	right = rowser_arrow_open(&reader, bytes, size, &fault);
	while (right)
	{
		size_t		mark = hostile_memory_mark();

		right = rowser_arrow_next(&reader, &batch);
		if (right && batch.kind == ROWSER_ARROW_BATCH_END)
			break;
		if (right)
			check_batch(&reader, &batch);
		hostile_memory_release(mark);
	}
	if (!right)
		fuzz_check_fault(&fault, size);
	fuzz_claim(hostile_memory_peak() <= hostile_memory_bound(size) +
			   (size_t) DECOMPRESSION_RATIO * size,
			   "memory is in proportion to the bytes");
	return right;
}

bool
fuzz_arrow(const uint8 *bytes, size_t size)
{
	bool		valid;

	return fuzz_finishes(read_stream, bytes, size, &valid) && valid;
}
