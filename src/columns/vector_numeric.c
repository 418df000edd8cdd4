/*-------------------------------------------------------------------------
 *
 * vector_numeric.c
 *	  Column vectors of numerics.
 *
 * A numeric is kept as an integer if it can be one.  A few that can't are kept
 * aside; once they are more than a few, all are kept as images.
 *
 * Memory: as in vector.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/image.h"
#include "columns/numeric.h"
#include "columns/vector.h"
#include "compat.h"

/* Numerics kept aside that are never too many; section 8 of the format */
#define NUMERIC_FEW_EXCEPTIONS 64

static void
count_numeric(RowserVector *vector, uint64 payload_size, uint64 *growth)
{
	vector->plain_size += rowser_image_plain_size(payload_size);
	*growth += rowser_image_plain_size(payload_size);
}

void
rowser_vector_append_numeric(RowserVector *vector, Datum value, uint64 *growth)
{
	RowserCounts *positions = &vector->integers[0];
	int64		integer;
	uint8		scale;

	if (vector->numeric_is_plain)
	{
		count_numeric(vector, rowser_numeric_append(&vector->data, value),
					  growth);
		return;
	}
	if (rowser_numeric_to_scaled(value, &integer, &scale))
	{
		/* the payload's header has one word more than the short form's */
		count_numeric(vector, VARSIZE_ANY_EXHDR(DatumGetPointer(value)) +
					  sizeof(uint16), growth);
		rowser_buffer_u64(&vector->data, (uint64) integer);
		rowser_buffer_u8(&vector->scales, scale);
		return;
	}
	rowser_counts_append(positions, vector->scales.size);
	count_numeric(vector, rowser_numeric_append(&vector->exceptions, value),
				  growth);
	rowser_buffer_u64(&vector->data, 0);
	rowser_buffer_u8(&vector->scales, 0);
	if (positions->size > NUMERIC_FEW_EXCEPTIONS &&
		positions->size > vector->scales.size / 8)
		rowser_vector_make_numeric_plain(vector);
}

void
rowser_vector_make_numeric_plain(RowserVector *vector)
{
	RowserCounts *positions = &vector->integers[0];
	const uint8 *next = vector->exceptions.bytes;
	const uint8 *end = next + vector->exceptions.size;
	RowserBuffer images;
	uint32		exception = 0;

	rowser_buffer_init(&images, Max(vector->data.size, 1),
					   vector->data.limit);
	for (uint32 i = 0; i < vector->scales.size; i++)
	{
		char		buffer[ROWSER_NUMERIC_SCALED_SIZE]
					pg_attribute_aligned(ROWSER_NUMERIC_SCALED_ALIGN);
		RowserImage image;

		if (exception < positions->size && positions->values[exception] == i)
		{
			if (!rowser_image_next(vector->exceptions.bytes, &next, end,
								   &image))
				elog(ERROR, "vector holds a broken image");
			rowser_image_append(&images, image.payload, image.size);
			exception++;
			continue;
		}
		rowser_numeric_from_scaled((int64) rowser_load_u64(vector->data.bytes +
														   8 * (size_t) i),
								   vector->scales.bytes[i],
								   vector->scales.bytes[i], buffer);
		(void) rowser_numeric_append(&images, PointerGetDatum(buffer));
	}
	rowser_vector_replace_data(vector, &images);
	vector->numeric_is_plain = true;
}
