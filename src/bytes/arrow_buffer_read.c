/*-------------------------------------------------------------------------
 *
 * arrow_buffer_read.c
 *	  Reading a record batch's buffers, each checked against its field's type
 *	  and length (Arrow Columnar Format, section Physical Memory Layout).
 *
 * Buffers lie one behind the other in the message's body.  One that is
 * compressed is only decompressed when its field can have so many bytes.
 *
 * Memory: what is decompressed comes from rowser_memory_alloc().
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_batch.h"
#include "bytes/arrow_codec.h"
#include "bytes/memory.h"

/*
 * Bytes that a buffer may have beyond what its values need, when it is
 * compressed: as many again, and some to spare.
 */
#define SPARE_SIZE				65536

/* Values that are looked at between interrupts */
#define INTERRUPT_VALUES		65536

static inline uint64
bitmap_size(uint32 nvalues)
{
	return ((uint64) nvalues + 7) / 8;
}

/* ----------------------------------------------------------------
 *		Buffers
 * ----------------------------------------------------------------
 */

/*
 * Decompress a buffer that has its raw size before it, which may be `most` at
 * most.
 */
static bool
decompress(RowserArrowBatchReader *batch, const uint8 **bytes, uint64 *size,
		   uint64 most, uint64 place)
{
	int64		raw_size;
	uint64		stored_size;
	uint8	   *raw;

	if (*size < ROWSER_ARROW_RAW_SIZE_SIZE)
		return rowser_arrow_batch_fail(batch, place,
									   "A compressed buffer has no size");
	raw_size = (int64) rowser_load_u64(*bytes);
	stored_size = *size - ROWSER_ARROW_RAW_SIZE_SIZE;
	*bytes += ROWSER_ARROW_RAW_SIZE_SIZE;
	if (raw_size == ROWSER_ARROW_NOT_COMPRESSED)
	{
		*size = stored_size;
		return true;
	}
	if (raw_size < 0 || (uint64) raw_size > most)
		return rowser_arrow_batch_fail(batch, place,
									   "A compressed buffer claims more bytes than its values need");
	if ((uint64) raw_size > rowser_arrow_codec_bound(batch->codec,
													 stored_size))
		return rowser_arrow_batch_fail(batch, place,
									   "A compressed buffer claims more bytes than it can hold");
	if ((uint64) raw_size > batch->raw_left)
		return rowser_arrow_fail(batch->reader, place,
								 ROWSER_FAULT_UNSUPPORTED,
								 "A message has more than 1 GB when it is decompressed");
	batch->raw_left -= (uint64) raw_size;
	*size = (uint64) raw_size;
	if (raw_size == 0)
		return true;
	raw = rowser_memory_alloc((size_t) raw_size);
	if (!rowser_arrow_decompress(batch->codec, *bytes, (size_t) stored_size,
								 raw, (size_t) raw_size))
		return rowser_arrow_batch_fail(batch, place,
									   "A buffer cannot be decompressed");
	*bytes = raw;
	return true;
}

/*
 * Take the next buffer, whatever it holds; *bytes is NULL for one that is
 * empty.
 */
static bool
take_any_buffer(RowserArrowBatchReader *batch, uint64 most,
				const uint8 **bytes, uint64 *size, uint64 *place)
{
	const uint8 *pair;
	uint64		offset;

	*bytes = NULL;
	*place = batch->metadata;
	if (batch->next_buffer == batch->buffers.count)
		return rowser_arrow_batch_fail(batch, batch->metadata,
									   "A message has too few buffers");
	pair = rowser_flat_element(&batch->buffers, batch->next_buffer++,
							   ROWSER_ARROW_PAIR_SIZE);
	offset = rowser_load_u64(pair);
	*size = rowser_load_u64(pair + 8);
	if (*size > 0)
	{
		if (offset > batch->body_size || *size > batch->body_size - offset)
			return rowser_arrow_batch_fail(batch, batch->metadata,
										   "A buffer is not in its message's body");
		if (offset < batch->body_next)
			return rowser_arrow_batch_fail(batch, batch->metadata,
										   "Two buffers overlap");
		batch->body_next = offset + *size;
		*place = batch->body + offset;
		*bytes = batch->reader->bytes + *place;
		if (batch->codec != ROWSER_ARROW_CODEC_NONE &&
			!decompress(batch, bytes, size, most, *place))
			return false;
		if (*size == 0)
			*bytes = NULL;
	}
	return true;
}

/*
 * The same for one in which values need `needed` bytes.  With `may_be_empty` it
 * may be that although they do.
 */
static bool
take_buffer(RowserArrowBatchReader *batch, uint64 needed, bool may_be_empty,
			const uint8 **bytes, uint64 *size, uint64 *place)
{
	if (!take_any_buffer(batch, 2 * needed + SPARE_SIZE, bytes, size, place))
		return false;
	if (*size < needed && !(may_be_empty && *size == 0))
		return rowser_arrow_batch_fail(batch, *place,
									   "A buffer is too short for its values");
	return true;
}

/* ----------------------------------------------------------------
 *		Lengths and NULLs
 * ----------------------------------------------------------------
 */

bool
rowser_arrow_take_node(RowserArrowBatchReader *batch, RowserArrowArray *array)
{
	const uint8 *pair;
	uint64		length;
	uint64		nnulls;

	array->place = batch->metadata;
	if (batch->next_node == batch->nodes.count)
		return rowser_arrow_batch_fail(batch, array->place,
									   "A message has too few field nodes");
	pair = rowser_flat_element(&batch->nodes, batch->next_node++,
							   ROWSER_ARROW_PAIR_SIZE);
	length = rowser_load_u64(pair);
	nnulls = rowser_load_u64(pair + 8);
	if (length > PG_INT32_MAX)
		return rowser_arrow_batch_fail(batch, array->place,
									   "A field has too many values");
	if (nnulls > length)
		return rowser_arrow_batch_fail(batch, array->place,
									   "A field has more NULLs than values");
	array->length = (uint32) length;
	array->nnulls = (uint32) nnulls;
	return true;
}

/* How many of the first bits of a bitmap are set */
static uint32
count_bits(const uint8 *bitmap, uint32 nbits)
{
	uint32		result = 0;

	for (uint32 i = 0; i < nbits / 8; i++)
		result += __builtin_popcount(bitmap[i]);
	if (nbits % 8 != 0)
		result += __builtin_popcount(bitmap[nbits / 8] &
									 ((1U << (nbits % 8)) - 1));
	return result;
}

bool
rowser_arrow_take_validity(RowserArrowBatchReader *batch,
						   RowserArrowArray *array)
{
	uint64		size;

	if (!take_buffer(batch, bitmap_size(array->length), array->nnulls == 0,
					 &array->validity, &size, &array->place))
		return false;
	if (array->validity == NULL || array->length == 0)
	{
		array->validity = NULL;
		return true;
	}
	array->is_backed = true;
	if (array->length - count_bits(array->validity, array->length) !=
		array->nnulls)
		return rowser_arrow_batch_fail(batch, array->place,
									   "A field has another number of NULLs");
	if (array->nnulls == 0)
		array->validity = NULL;
	return true;
}

/* ----------------------------------------------------------------
 *		Buffers of values
 * ----------------------------------------------------------------
 */

/* Bits that a value of a fixed width takes, or 0 */
static uint64
value_bits(const RowserArrowField *field)
{
	switch (field->type)
	{
		case ROWSER_ARROW_BOOL:
			return 1;
		case ROWSER_ARROW_INT:
		case ROWSER_ARROW_DECIMAL:
		case ROWSER_ARROW_TIME:
			return field->width;
		case ROWSER_ARROW_FLOATING_POINT:
			return 16 << field->unit;
		case ROWSER_ARROW_DATE:
			return field->unit == ROWSER_ARROW_DATE_DAY ? 32 : 64;
		case ROWSER_ARROW_TIMESTAMP:
		case ROWSER_ARROW_DURATION:
			return 64;
		case ROWSER_ARROW_INTERVAL:
			return 32 << field->unit;
		case ROWSER_ARROW_FIXED_SIZE_BINARY:
			return (uint64) field->width * 8;
		case ROWSER_ARROW_UTF8_VIEW:
		case ROWSER_ARROW_BINARY_VIEW:
			return ROWSER_ARROW_VIEW_SIZE * 8;
		default:
			return 0;
	}
}

/* Take a buffer of values `bits` wide. */
static bool
take_bits(RowserArrowBatchReader *batch, RowserArrowArray *array, uint64 bits)
{
	uint64		needed = bits % 8 == 0 ? array->length * (bits / 8) :
	(array->length * bits + 7) / 8;

	if (needed > 0)
		array->is_backed = true;
	return take_buffer(batch, needed, false, &array->data, &array->data_size,
					   &array->place);
}

bool
rowser_arrow_take_fixed(RowserArrowBatchReader *batch,
						RowserArrowArray *array)
{
	return take_bits(batch, array, value_bits(array->field));
}

bool
rowser_arrow_take_indexes(RowserArrowBatchReader *batch,
						  RowserArrowArray *array)
{
	const RowserArrowReader *reader = batch->reader;
	uint32		dictionary = rowser_arrow_dictionary_of(reader, array->field);
	uint64		limit = reader->dictionaries[dictionary].length;
	uint32		size = array->field->index_width / 8;
	bool		outside = false;

	if (!take_bits(batch, array, array->field->index_width))
		return false;
	for (uint32 i = 0; i < array->length; i++)
	{
		int64		index = rowser_arrow_load(array->data + (size_t) i * size,
											  size,
											  array->field->index_is_signed);

		if (i % INTERRUPT_VALUES == 0)
			rowser_memory_interrupt();
		outside |= (uint64) index >= limit && !rowser_arrow_is_null(array, i);
	}
	return !outside || rowser_arrow_batch_fail(batch, array->place,
											   "An index is outside of its dictionary");
}

bool
rowser_arrow_take_offsets(RowserArrowBatchReader *batch,
						  RowserArrowArray *array, uint8 offset_size,
						  uint64 *end)
{
	uint64		size;
	uint64		previous;
	bool		falls = false;

	array->offset_size = offset_size;
	*end = 0;
	/* without values, even the one offset may be left out */
	if (!take_buffer(batch, ((uint64) array->length + 1) * offset_size,
					 array->length == 0, &array->offsets, &size,
					 &array->place))
		return false;
	if (array->length == 0)
	{
		array->offsets = NULL;
		return true;
	}
	array->is_backed = true;
	previous = rowser_arrow_offset(array, 0);
	if (previous > PG_INT64_MAX)
		return rowser_arrow_batch_fail(batch, array->place,
									   "An offset is negative");
	for (uint32 i = 1; i <= array->length; i++)
	{
		uint64		offset = rowser_arrow_offset(array, i);

		if (i % INTERRUPT_VALUES == 0)
			rowser_memory_interrupt();
		falls |= offset < previous || offset > PG_INT64_MAX;
		previous = offset;
	}
	if (falls)
		return rowser_arrow_batch_fail(batch, array->place,
									   "An offset is less than the one before");
	*end = previous;
	return true;
}

bool
rowser_arrow_take_strings(RowserArrowBatchReader *batch,
						  RowserArrowArray *array)
{
	uint8		offset_size =
	array->field->type == ROWSER_ARROW_UTF8 ||
		array->field->type == ROWSER_ARROW_BINARY ? 4 : 8;
	uint64		end;

	if (!rowser_arrow_take_offsets(batch, array, offset_size, &end))
		return false;
	if (end > ROWSER_ARROW_MAX_RAW_SIZE)
		return rowser_arrow_batch_fail(batch, array->place,
									   "An offset is outside of its values");
	return take_buffer(batch, end, false, &array->data, &array->data_size,
					   &array->place);
}

/* Check that a view leads into one of the buffers. */
static bool
view_is_inside(const RowserArrowArray *array, const uint8 *view)
{
	uint32		size = rowser_load_u32(view);
	uint32		buffer = rowser_load_u32(view + 8);
	uint32		offset = rowser_load_u32(view + 12);

	if (size <= ROWSER_ARROW_VIEW_INLINE)
		return true;
	return size <= PG_INT32_MAX && buffer < array->nviewed &&
		offset <= array->viewed[buffer].size &&
		size <= array->viewed[buffer].size - offset;
}

bool
rowser_arrow_take_views(RowserArrowBatchReader *batch, RowserArrowArray *array)
{
	uint64		place = array->place;
	uint64		count;

	if (!rowser_arrow_take_fixed(batch, array))
		return false;
	if (batch->next_variadic_count == batch->variadic_counts.count)
		return rowser_arrow_batch_fail(batch, batch->metadata,
									   "A message has too few numbers of buffers");
	count = rowser_load_u64(rowser_flat_element(&batch->variadic_counts,
												batch->next_variadic_count++,
												8));
	if (count > batch->buffers.count - batch->next_buffer)
		return rowser_arrow_batch_fail(batch, batch->metadata,
									   "A message has too few buffers");
	array->viewed = rowser_memory_alloc_array((size_t) count,
											  sizeof(RowserString));
	for (uint32 i = 0; i < count; i++)
	{
		RowserString *viewed = &array->viewed[i];
		uint64		size;

		/* how much of it is needed only the views tell, which may share it */
		if (!take_any_buffer(batch, ROWSER_ARROW_MAX_RAW_SIZE, &viewed->bytes,
							 &size, &place))
			return false;
		viewed->size = (uint32) Min(size, PG_INT32_MAX);
	}
	array->nviewed = (uint32) count;
	for (uint32 i = 0; i < array->length; i++)
	{
		if (i % INTERRUPT_VALUES == 0)
			rowser_memory_interrupt();
		if (!rowser_arrow_is_null(array, i) &&
			!view_is_inside(array,
							array->data + (size_t) i * ROWSER_ARROW_VIEW_SIZE))
			return rowser_arrow_batch_fail(batch, array->place,
										   "A view leads out of its buffers");
	}
	return true;
}
