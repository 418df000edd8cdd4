/*-------------------------------------------------------------------------
 *
 * encode_scaled.c
 *	  Writing decimals as scaled integers (rowset_format.md, section 6.5).
 *
 * A numeric vector holds integers already.  A floating-point column is one of
 * decimals in disguise when its values are what some integers divided by a power of
 * ten give, to the last bit; a sample tells which power that might be.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "common/int.h"

#include "bytes/cursor.h"
#include "bytes/integers.h"
#include "columns/encode.h"

/* How many values tell a floating-point column's scale */
#define FLOAT_SAMPLE		64

/* Largest scale that is tried; more digits than this are no decimals */
#define FLOAT_MAX_SCALE		10

/* Integers up to this are exact in binary64. */
#define FLOAT_MAX_INTEGER	9007199254740992.0

/* Flags; as written in the bytes */
#define SCALED_SCALES_DIFFER	0x01
#define SCALED_HAS_EXCEPTIONS	0x02

static const double powers_of_ten[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10
};

/* A column as scaled integers, ready to be written */
typedef struct Scaled
{
	uint32		nvalues;
	int64	   *integers;
	uint8		scale;
	bool		scales_differ;
	int64	   *scales;			/* each value's, if they differ */
	bool		is_numeric;
	const RowserCounts *positions;	/* of the exceptions */
	const RowserBuffer *exceptions; /* in plain form */
} Scaled;

/* ----------------------------------------------------------------
 *		Numeric
 * ----------------------------------------------------------------
 */

/* The largest and smallest display scale of values that are no exceptions. */
static void
scale_range(const RowserVector *vector, uint8 *least, uint8 *greatest)
{
	const RowserCounts *positions = &vector->integers[0];
	uint32		exception = 0;

	*least = PG_UINT8_MAX;
	*greatest = 0;
	for (uint32 i = 0; i < vector->scales.size; i++)
	{
		uint8		scale = vector->scales.bytes[i];

		if (exception < positions->size && positions->values[exception] == i)
		{
			exception++;
			continue;
		}
		*least = Min(*least, scale);
		*greatest = Max(*greatest, scale);
	}
}

/* Bring all integers to one scale; false if one doesn't fit any more. */
static bool
rescale(const RowserVector *vector, Scaled *scaled)
{
	scaled->scales = palloc_extended(scaled->nvalues * sizeof(int64),
									 MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < scaled->nvalues; i++)
	{
		scaled->scales[i] = vector->scales.bytes[i];
		for (int s = vector->scales.bytes[i]; s < scaled->scale; s++)
		{
			if (pg_mul_s64_overflow(scaled->integers[i], 10,
									&scaled->integers[i]))
				return false;
		}
	}
	return true;
}

static bool
scale_numerics(RowserVector *vector, Scaled *scaled)
{
	uint8		least;
	uint8		greatest;

	if (vector->numeric_is_plain)
		return false;
	scale_range(vector, &least, &greatest);
	if (least > greatest)
		return false;			/* all are exceptions */
	for (uint32 i = 0; i < scaled->nvalues; i++)
		scaled->integers[i] = (int64) rowser_load_u64(vector->data.bytes +
													  8 * (size_t) i);
	scaled->is_numeric = true;
	scaled->scale = greatest;
	scaled->scales_differ = least != greatest;
	scaled->positions = &vector->integers[0];
	scaled->exceptions = &vector->exceptions;
	return !scaled->scales_differ || rescale(vector, scaled);
}

/* ----------------------------------------------------------------
 *		Floating point
 * ----------------------------------------------------------------
 */

/*
 * Whether a value is what an integer divided by 10^scale gives: the same bits,
 * which rules out -0 and NaN.
 */
static bool
float_is_scaled(double number, bool is_float4, int scale, int64 *integer)
{
	double		product = number * powers_of_ten[scale];
	double		quotient;

	if (!(fabs(product) <= FLOAT_MAX_INTEGER))
		return false;
	*integer = (int64) rint(product);
	quotient = (double) *integer / powers_of_ten[scale];
	if (is_float4)
		quotient = (float4) quotient;
	return memcmp(&quotient, &number, sizeof(double)) == 0;
}

/* The scale that a sample of values needs, or -1. */
static int
sample_scale(const RowserVector *vector, uint32 nvalues, bool is_float4)
{
	uint32		nsample = Min(nvalues, FLOAT_SAMPLE);
	uint32		nmissed = 0;
	int			scale = 0;

	for (uint32 i = 0; i < nsample; i++)
	{
		double		number = rowser_vector_float(vector,
												 (uint64) i * nvalues / nsample);
		int64		integer;
		int			s = scale;

		while (s <= FLOAT_MAX_SCALE &&
			   !float_is_scaled(number, is_float4, s, &integer))
			s++;
		if (s <= FLOAT_MAX_SCALE)
			scale = s;
		else
			nmissed++;
	}
	return nmissed <= nsample / 16 ? scale : -1;
}

static bool
scale_floats(RowserVector *vector, Scaled *scaled)
{
	bool		is_float4 = vector->width == sizeof(float4);
	int			scale = sample_scale(vector, scaled->nvalues, is_float4);
	RowserCounts *positions = palloc(sizeof(RowserCounts));
	RowserBuffer *exceptions = palloc(sizeof(RowserBuffer));

	if (scale < 0)
		return false;
	rowser_counts_init(positions);
	rowser_buffer_init(exceptions, 64, vector->data.limit);
	for (uint32 i = 0; i < scaled->nvalues; i++)
	{
		if (float_is_scaled(rowser_vector_float(vector, i), is_float4, scale,
							&scaled->integers[i]))
			continue;
		scaled->integers[i] = 0;
		rowser_counts_append(positions, i);
		rowser_buffer_bytes(exceptions, vector->data.bytes +
							(size_t) i * vector->width, vector->width);
		if (positions->size > scaled->nvalues / 8)
			return false;
	}
	scaled->scale = (uint8) scale;
	scaled->positions = positions;
	scaled->exceptions = exceptions;
	return true;
}

/* ----------------------------------------------------------------
 *		Writing
 * ----------------------------------------------------------------
 */

static void
write_scaled(RowserEncoder *encoder, RowserVector *vector,
			 const Scaled *scaled, const RowserIntegersPlan *plan)
{
	RowserBuffer *nodes = encoder->nodes;
	RowserCompression compression = encoder->compression;
	uint32		nexceptions = scaled->positions->size;
	RowserBuffer *bounds = NULL;

	/* in an array, the integers by themselves keep to section 6.6 */
	if (vector->in_array)
		compression.method = ROWSER_METHOD_NONE;

	if (!rowser_bounds_are_wanted(vector))
		bounds = NULL;
	else if (!scaled->is_numeric)
		bounds = rowser_bounds_of_others(vector);
	else if (nexceptions == 0)
		bounds = rowser_bounds_of_scaled(vector, plan->least_value,
										 plan->greatest_value, scaled->scale);
	rowser_encode_begin(encoder, vector, ROWSER_ENCODING_SCALED, bounds);
	rowser_buffer_u8(nodes,
					 (scaled->scales_differ ? SCALED_SCALES_DIFFER : 0) |
					 (nexceptions > 0 ? SCALED_HAS_EXCEPTIONS : 0));
	rowser_buffer_varuint(nodes, scaled->scale);
	if (scaled->scales_differ)
		rowser_integers_write(nodes, encoder->body, encoder->compression,
							  scaled->scales, scaled->nvalues,
							  vector->in_array);
	else if (scaled->is_numeric)
		rowser_buffer_varuint(nodes, scaled->scale);
	if (nexceptions > 0)
	{
		rowser_buffer_varuint(nodes, nexceptions);
		rowser_encode_counts(encoder, scaled->positions, vector->in_array);
		rowser_block_write(nodes, encoder->body, encoder->compression,
						   scaled->exceptions->bytes,
						   scaled->exceptions->size);
	}
	rowser_buffer_u8(nodes, plan->encoding);
	rowser_integers_write_body(nodes, encoder->body, compression, plan,
							   scaled->integers, scaled->nvalues,
							   ROWSER_SHAPE_INT8);
}

bool
rowser_encode_scaled(RowserEncoder *encoder, RowserVector *vector)
{
	Scaled		scaled = {.nvalues = vector->nvalues - vector->nnulls};
	RowserIntegersPlan plan;
	bool		right;

	if (vector->kind != ROWSER_KIND_NUMERIC &&
		vector->kind != ROWSER_KIND_FLOAT4 &&
		vector->kind != ROWSER_KIND_FLOAT8)
		return false;
	scaled.integers = palloc_extended(scaled.nvalues * sizeof(int64),
									  MCXT_ALLOC_HUGE);
	right = vector->kind == ROWSER_KIND_NUMERIC ?
		scale_numerics(vector, &scaled) : scale_floats(vector, &scaled);
	if (right)
	{
		rowser_integers_plan(&plan, scaled.integers, scaled.nvalues,
							 ROWSER_SHAPE_INT8, vector->in_array, false);
		if (vector->kind != ROWSER_KIND_NUMERIC &&
			plan.size + scaled.exceptions->size >= vector->data.size)
			right = false;
	}
	if (right)
		write_scaled(encoder, vector, &scaled, &plan);
	else if (vector->kind == ROWSER_KIND_NUMERIC && !vector->numeric_is_plain)
		rowser_vector_make_numeric_plain(vector);
	pfree(scaled.integers);
	return right;
}
