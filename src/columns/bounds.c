/*-------------------------------------------------------------------------
 *
 * bounds.c
 *	  The smallest and the largest value of a vector (rowset_format.md,
 *	  sections 6 and 8), by which readers skip row groups.
 *
 * Only for types whose order is the same on every server.  Whoever compares
 * with these gets it wrong if one of them is not the bound, so where there is
 * doubt (NaN, a value too long to stand in a header) there are none.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"

#include "bytes/image.h"
#include "columns/encode.h"
#include "columns/numeric.h"

/* Fewer values are read faster than they are skipped. */
#define MIN_VALUES	128

/* Longer values have no bounds. */
#define MAX_SIZE	64

bool
rowser_bounds_are_wanted(const RowserVector *vector)
{
	return !vector->in_array && vector->is_ordered &&
		vector->nvalues - vector->nnulls >= MIN_VALUES;
}

static RowserBuffer *
make_buffer(void)
{
	RowserBuffer *bounds = palloc(sizeof(RowserBuffer));

	rowser_buffer_init(bounds, 64, 4 * (MAX_SIZE + 8));
	return bounds;
}

RowserBuffer *
rowser_bounds_of_integers(int64 least, int64 greatest)
{
	RowserBuffer *bounds = make_buffer();

	rowser_buffer_varint(bounds, least);
	rowser_buffer_varint(bounds, greatest);
	return bounds;
}

/* Append integer / 10^scale as a numeric stands in a header. */
static void
append_scaled(RowserBuffer *bounds, int64 integer, uint8 scale)
{
	char		buffer[ROWSER_NUMERIC_SCALED_SIZE]
				pg_attribute_aligned(ROWSER_NUMERIC_SCALED_ALIGN);
	RowserBuffer image;
	const uint8 *next;
	RowserImage payload;

	rowser_numeric_from_scaled(integer, scale, scale, buffer);
	rowser_buffer_init(&image, 64, 64);
	(void) rowser_numeric_append(&image, PointerGetDatum(buffer));
	next = image.bytes;
	if (!rowser_image_next(image.bytes, &next, next + image.size, &payload))
		elog(ERROR, "numeric made a broken image");
	rowser_buffer_string(bounds, payload.payload, payload.size);
	rowser_buffer_free(&image);
}

RowserBuffer *
rowser_bounds_of_scaled(const RowserVector *vector, int64 least,
						int64 greatest, uint8 scale)
{
	RowserBuffer *bounds = make_buffer();

	append_scaled(bounds, least, scale);
	append_scaled(bounds, greatest, scale);
	return bounds;
}

/* ----------------------------------------------------------------
 *		Floating point
 * ----------------------------------------------------------------
 */

static RowserBuffer *
bounds_of_floats(const RowserVector *vector)
{
	const uint8 *bytes = vector->data.bytes;
	uint32		nvalues = vector->data.size / vector->width;
	uint32		least = 0;
	uint32		greatest = 0;
	RowserBuffer *bounds;

	for (uint32 i = 0; i < nvalues; i++)
	{
		double		number = rowser_vector_float(vector, i);

		if (isnan(number))
			return NULL;
		if (number < rowser_vector_float(vector, least))
			least = i;
		if (number > rowser_vector_float(vector, greatest))
			greatest = i;
	}
	bounds = make_buffer();
	rowser_buffer_bytes(bounds, bytes + (size_t) least * vector->width,
						vector->width);
	rowser_buffer_bytes(bounds, bytes + (size_t) greatest * vector->width,
						vector->width);
	return bounds;
}

/* ----------------------------------------------------------------
 *		Bytes
 * ----------------------------------------------------------------
 */

/* Compare as memcmp does, a prefix before what it is a prefix of. */
static int
compare_payloads(const RowserImage *a, const RowserImage *b)
{
	int			result = memcmp(a->payload, b->payload, Min(a->size, b->size));

	if (result != 0)
		return result;
	return a->size < b->size ? -1 : a->size > b->size ? 1 : 0;
}

/* The value at *next in a vector's values, or entries, which moves past it. */
static RowserImage
next_value(const RowserVector *vector, const RowserBuffer *values,
		   const uint8 **next)
{
	RowserImage value;

	if (vector->width > 0)
	{
		value.image = value.payload = *next;
		value.size = vector->width;
		*next += vector->width;
	}
	else if (!rowser_image_next(values->bytes, next,
								values->bytes + values->size, &value))
		elog(ERROR, "vector holds a broken image");
	return value;
}

static void
append_payload(RowserBuffer *bounds, const RowserVector *vector,
			   const RowserImage *value)
{
	if (vector->width > 0)
		rowser_buffer_bytes(bounds, value->payload, value->size);
	else
		rowser_buffer_string(bounds, value->payload, value->size);
}

static RowserBuffer *
bounds_of_bytes(const RowserVector *vector)
{
	const RowserBuffer *values = vector->is_numbered ?
	&vector->distinct.entries : &vector->data;
	const uint8 *next = values->bytes;
	const uint8 *end = next + values->size;
	RowserImage least = next_value(vector, values, &next);
	RowserImage greatest = least;
	RowserBuffer *bounds;

	while (next < end)
	{
		RowserImage value = next_value(vector, values, &next);

		if (compare_payloads(&value, &least) < 0)
			least = value;
		if (compare_payloads(&value, &greatest) > 0)
			greatest = value;
	}
	if (least.size > MAX_SIZE || greatest.size > MAX_SIZE)
		return NULL;
	bounds = make_buffer();
	append_payload(bounds, vector, &least);
	append_payload(bounds, vector, &greatest);
	return bounds;
}

RowserBuffer *
rowser_bounds_of_others(const RowserVector *vector)
{
	switch (vector->kind)
	{
		case ROWSER_KIND_FLOAT4:
		case ROWSER_KIND_FLOAT8:
			return bounds_of_floats(vector);
		case ROWSER_KIND_FIXED:
		case ROWSER_KIND_BYTES:
		case ROWSER_KIND_NAME:
		case ROWSER_KIND_TEXT:
			return bounds_of_bytes(vector);
		default:
			return NULL;
	}
}
