/*-------------------------------------------------------------------------
 *
 * integers_write.c
 *	  Writing integers: choosing an encoding, and the encodings
 *	  (rowset_format.md, section 6.1).
 *
 * One pass gathers what every encoding's size follows from, and the smallest
 * wins; ties go to the one that is faster to read.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/integers.h"
#include "bytes/memory.h"
#include "bytes/packing.h"

/* A run costs its value and its length; don't look closer at shorter ones. */
#define RUNS_MIN_LENGTH 4

/* What an encoding must save over one that is faster to read, in parts of 8 */
#define DELTA_MIN_SAVING 1

typedef struct Statistics
{
	int64		least;
	int64		greatest;
	int64		least_delta;	/* wrapping; right only without overflow */
	int64		greatest_delta;
	bool		delta_overflows;
	uint32		nruns;
} Statistics;

/* ----------------------------------------------------------------
 *		Choosing
 * ----------------------------------------------------------------
 */

static void
gather(Statistics *statistics, const int64 *values, uint32 nvalues)
{
	int64		least = values[0];
	int64		greatest = values[0];
	int64		least_delta = PG_INT64_MAX;
	int64		greatest_delta = PG_INT64_MIN;
	uint32		nruns = 1;

	for (uint32 i = 1; i < nvalues; i++)
	{
		int64		delta = (int64) ((uint64) values[i] - (uint64) values[i - 1]);

		least = Min(least, values[i]);
		greatest = Max(greatest, values[i]);
		least_delta = Min(least_delta, delta);
		greatest_delta = Max(greatest_delta, delta);
		nruns += delta != 0;
	}
	statistics->least = least;
	statistics->greatest = greatest;
	statistics->least_delta = least_delta;
	statistics->greatest_delta = greatest_delta;
	statistics->nruns = nruns;

	/* No delta can overflow if the largest difference of any two doesn't. */
	statistics->delta_overflows =
		(uint64) greatest - (uint64) least > PG_INT64_MAX;
}

/* Bits that numbers between two bounds need once the lower is taken off. */
static uint8
range_bits(int64 least, int64 greatest)
{
	return rowser_packing_bits((uint64) greatest - (uint64) least);
}

static uint8
plain_width(RowserShape shape, int64 greatest)
{
	if (shape != ROWSER_SHAPE_UINT)
		return rowser_shape_width(shape);
	return greatest <= PG_UINT8_MAX ? 1 : greatest <= PG_UINT16_MAX ? 2 :
		greatest <= PG_UINT32_MAX ? 4 : 8;
}

/* Take an encoding if it is smaller than what has been found so far. */
static void
consider(RowserIntegersPlan *plan, RowserEncoding encoding, uint8 bits,
		 int64 least, uint64 size)
{
	if (size >= plan->size)
		return;
	plan->encoding = encoding;
	plan->bits = bits;
	plan->least = least;
	plan->size = size;
}

/* Consider DELTA2, for which the steps have to be looked at again. */
static void
consider_delta2(RowserIntegersPlan *plan, const int64 *values,
				uint32 nvalues)
{
	int64		least = PG_INT64_MAX;
	int64		greatest = PG_INT64_MIN;
	uint8		bits;

	for (uint32 i = 2; i < nvalues; i++)
	{
		int64		change = (values[i] - values[i - 1]) -
		(values[i - 1] - values[i - 2]);

		least = Min(least, change);
		greatest = Max(greatest, change);
	}
	bits = range_bits(least, greatest);
	consider(plan, ROWSER_ENCODING_DELTA2, bits, least,
			 rowser_packing_size(nvalues - 2, bits) * 8 /
			 (8 - DELTA_MIN_SAVING) + 24);
}

/* Consider the encodings of values that follow from those before them. */
static void
consider_deltas(RowserIntegersPlan *plan, const Statistics *statistics,
				const int64 *values, uint32 nvalues)
{
	uint8		bits;

	if (nvalues < 3 || statistics->delta_overflows)
		return;
	bits = range_bits(statistics->least_delta, statistics->greatest_delta);
	consider(plan, ROWSER_ENCODING_DELTA, bits, statistics->least_delta,
			 rowser_packing_size(nvalues - 1, bits) * 8 /
			 (8 - DELTA_MIN_SAVING) + 16);

	/*
	 * Steps that hardly vary are those of a clock or a sequence; steps of both
	 * signs are not.  Differences of deltas must fit too.
	 */
	if (bits < 62 && statistics->nruns == nvalues &&
		(statistics->least_delta > 0 || statistics->greatest_delta < 0))
		consider_delta2(plan, values, nvalues);
}

void
rowser_integers_plan(RowserIntegersPlan *plan, const int64 *values,
					 uint32 nvalues, RowserShape shape, bool in_array,
					 bool in_runs)
{
	Statistics	statistics;
	uint8		bits;
	uint8		run_bits;

	gather(&statistics, values, nvalues);
	memset(plan, 0, sizeof(*plan));
	plan->width = plain_width(shape, statistics.greatest);
	plan->least = statistics.least;
	plan->least_value = statistics.least;
	plan->greatest_value = statistics.greatest;
	plan->nruns = statistics.nruns;

	if (statistics.least == statistics.greatest &&
		(!in_array || nvalues * (plan->width + ROWSER_BOUND_VALUE) <=
		 ROWSER_BOUND_RATIO * ROWSER_BOUND_BASE))
	{
		plan->encoding = ROWSER_ENCODING_CONSTANT;
		plan->size = 4;
		return;
	}

	plan->encoding = ROWSER_ENCODING_PLAIN;
	plan->size = (uint64) nvalues * plan->width;
	bits = Max(range_bits(statistics.least, statistics.greatest), 1);
	consider(plan, ROWSER_ENCODING_FRAME, bits, statistics.least,
			 rowser_packing_size(nvalues, bits) + 8);
	if (in_array)
		return;
	consider_deltas(plan, &statistics, values, nvalues);
	run_bits = rowser_packing_bits(nvalues / statistics.nruns) + 2;
	if (!in_runs && statistics.nruns <= nvalues / RUNS_MIN_LENGTH)
		consider(plan, ROWSER_ENCODING_RUNS, 0, 0,
				 rowser_packing_size(statistics.nruns, bits + run_bits) + 16);
}

/* ----------------------------------------------------------------
 *		Writing
 * ----------------------------------------------------------------
 */

/* Where integers go */
typedef struct Target
{
	RowserBuffer *nodes;
	RowserBuffer *body;
	RowserCompression compression;
	RowserShape shape;
} Target;

/* Write a number as the shape's numbers stand in headers. */
static void
write_inline(const Target *target, int64 value)
{
	if (target->shape == ROWSER_SHAPE_UINT)
		rowser_buffer_varuint(target->nodes, (uint64) value);
	else
		rowser_buffer_varint(target->nodes, value);
}

static void
write_block(const Target *target, const void *bytes, size_t size)
{
	rowser_block_write(target->nodes, target->body, target->compression,
					   bytes, size);
}

static void
write_plain(const Target *target, const int64 *values, uint32 nvalues,
			uint8 width)
{
	uint8	   *bytes = rowser_memory_alloc((size_t) nvalues * width);
	uint8	   *to = bytes;

	for (uint32 i = 0; i < nvalues; i++)
	{
		for (uint8 j = 0; j < width; j++)
			*to++ = (uint8) ((uint64) values[i] >> (8 * j));
	}
	if (target->shape == ROWSER_SHAPE_UINT)
		rowser_buffer_u8(target->nodes, width);
	write_block(target, bytes, (size_t) nvalues * width);
	rowser_memory_free(bytes);
}

/* Write numbers, `bits` bits each, and how many bits that is. */
static void
write_packed(const Target *target, const uint64 *numbers, uint32 count,
			 uint8 bits)
{
	uint64		size = rowser_packing_size(count, bits);
	uint8	   *packed = rowser_memory_alloc(size + sizeof(uint64));

	rowser_buffer_u8(target->nodes, bits);
	if (bits > 0)
		rowser_packing_pack(numbers, count, bits, packed);
	write_block(target, packed, size);
	rowser_memory_free(packed);
}

static void
write_frame(const Target *target, const RowserIntegersPlan *plan,
			const int64 *values, uint32 nvalues)
{
	uint64	   *numbers = rowser_memory_alloc(nvalues * sizeof(uint64));

	for (uint32 i = 0; i < nvalues; i++)
		numbers[i] = (uint64) values[i] - (uint64) plan->least;
	write_inline(target, plan->least);
	write_packed(target, numbers, nvalues, plan->bits);
	rowser_memory_free(numbers);
}

static void
write_delta(const Target *target, const RowserIntegersPlan *plan,
			const int64 *values, uint32 nvalues)
{
	uint64	   *numbers = rowser_memory_alloc(nvalues * sizeof(uint64));

	for (uint32 i = 1; i < nvalues; i++)
		numbers[i - 1] = (uint64) (values[i] - values[i - 1]) -
			(uint64) plan->least;
	rowser_buffer_varint(target->nodes, values[0]);
	rowser_buffer_varint(target->nodes, plan->least);
	write_packed(target, numbers, nvalues - 1, plan->bits);
	rowser_memory_free(numbers);
}

static void
write_delta2(const Target *target, const RowserIntegersPlan *plan,
			 const int64 *values, uint32 nvalues)
{
	uint64	   *numbers = rowser_memory_alloc(nvalues * sizeof(uint64));

	for (uint32 i = 2; i < nvalues; i++)
		numbers[i - 2] = (uint64) ((values[i] - values[i - 1]) -
								   (values[i - 1] - values[i - 2])) -
			(uint64) plan->least;
	rowser_buffer_varint(target->nodes, values[0]);
	rowser_buffer_varint(target->nodes, values[1] - values[0]);
	rowser_buffer_varint(target->nodes, plan->least);
	write_packed(target, numbers, nvalues - 2, plan->bits);
	rowser_memory_free(numbers);
}

/* Write what runs are made of: a code and a body. */
static void
write_part(const Target *target, const int64 *values, uint32 nvalues,
		   RowserShape shape)
{
	RowserIntegersPlan plan;

	rowser_integers_plan(&plan, values, nvalues, shape, false, true);
	rowser_buffer_u8(target->nodes, plan.encoding);
	rowser_integers_write_body(target->nodes, target->body,
							   target->compression, &plan, values, nvalues,
							   shape);
}

/* Write each run's value, in an encoding of its own, and its length. */
static void
write_runs(const Target *target, const RowserIntegersPlan *plan,
		   const int64 *values, uint32 nvalues)
{
	int64	   *run_values = rowser_memory_alloc(plan->nruns * sizeof(int64));
	int64	   *lengths = rowser_memory_alloc(plan->nruns * sizeof(int64));
	uint32		nruns = 0;

	for (uint32 i = 0; i < nvalues; i++)
	{
		if (i == 0 || values[i] != values[i - 1])
		{
			run_values[nruns] = values[i];
			lengths[nruns++] = 0;
		}
		lengths[nruns - 1]++;
	}
	Assert(nruns == plan->nruns);

	rowser_buffer_varuint(target->nodes, nruns);
	write_part(target, run_values, nruns, target->shape);
	write_part(target, lengths, nruns, ROWSER_SHAPE_UINT);
	rowser_memory_free(run_values);
	rowser_memory_free(lengths);
}

void
rowser_integers_write_body(RowserBuffer *nodes, RowserBuffer *body,
						   RowserCompression compression,
						   const RowserIntegersPlan *plan,
						   const int64 *values, uint32 nvalues,
						   RowserShape shape)
{
	Target		target = {nodes, body, compression, shape};

	switch (plan->encoding)
	{
		case ROWSER_ENCODING_CONSTANT:
			write_inline(&target, values[0]);
			break;
		case ROWSER_ENCODING_FRAME:
			write_frame(&target, plan, values, nvalues);
			break;
		case ROWSER_ENCODING_DELTA:
			write_delta(&target, plan, values, nvalues);
			break;
		case ROWSER_ENCODING_DELTA2:
			write_delta2(&target, plan, values, nvalues);
			break;
		case ROWSER_ENCODING_RUNS:
			write_runs(&target, plan, values, nvalues);
			break;
		default:
			write_plain(&target, values, nvalues, plan->width);
			break;
	}
}

void
rowser_integers_write(RowserBuffer *nodes, RowserBuffer *body,
					  RowserCompression compression, const int64 *values,
					  uint32 nvalues, bool in_array)
{
	RowserCompression none = {ROWSER_METHOD_NONE, 0};
	RowserIntegersPlan plan;
	size_t		nodes_size = nodes->size;
	size_t		body_size = body->size;

	if (nvalues == 0)
	{
		rowser_buffer_u8(nodes, ROWSER_ENCODING_PLAIN);
		return;
	}
	rowser_integers_plan(&plan, values, nvalues, ROWSER_SHAPE_UINT, in_array,
						 false);
	rowser_buffer_u8(nodes, plan.encoding);
	rowser_integers_write_body(nodes, body, compression, &plan, values,
							   nvalues, ROWSER_SHAPE_UINT);
	if (in_array && nvalues * ROWSER_BOUND_VALUE >
		ROWSER_BOUND_RATIO * (ROWSER_BOUND_BASE + body->size - body_size))
	{
		/* it compressed too well */
		nodes->size = nodes_size;
		body->size = body_size;
		rowser_buffer_u8(nodes, plan.encoding);
		rowser_integers_write_body(nodes, body, none, &plan, values, nvalues,
								   ROWSER_SHAPE_UINT);
	}
}
