/*-------------------------------------------------------------------------
 *
 * integers_read.c
 *	  Reading integers in any encoding (rowset_format.md, section 6.1).
 *
 * The node's header has been checked against its blocks' sizes (node.c), so
 * unpacking can't leave a block.  What is checked here is what only the values
 * show: that sums don't overflow and that results fit their shape.  Runs are
 * read by integers_runs.c.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "common/int.h"

#include "bytes/integers_state.h"
#include "bytes/memory.h"
#include "bytes/packing.h"

/* How many values are passed over at once by decoding them */
#define SKIP_BATCH 256

/* The least and greatest value of a shape */
static int64
shape_least(const RowserNode *node)
{
	if (node->shape == ROWSER_SHAPE_UINT)
		return 0;
	return node->width == 8 ? PG_INT64_MIN :
		-(INT64CONST(1) << (8 * node->width - 1));
}

static int64
shape_greatest(const RowserNode *node)
{
	if (node->shape == ROWSER_SHAPE_UINT || node->width == 8)
		return PG_INT64_MAX;
	return (INT64CONST(1) << (8 * node->width - 1)) - 1;
}

/* ----------------------------------------------------------------
 *		Life
 * ----------------------------------------------------------------
 */

/*
 * Whether any packed number at all gives a value that fits the shape, as the
 * base does.
 */
static bool
frame_fits(const RowserNode *node)
{
	uint64		room = (uint64) shape_greatest(node) - (uint64) node->base;

	return node->bits < 64 && (UINT64CONST(1) << node->bits) - 1 <= room;
}

/* Open the block of packed or plain integers. */
static bool
open_block(RowserIntegers *integers, const uint8 *body, RowserCursor *at)
{
	const RowserNode *node = integers->node;

	if (!rowser_block_open(&node->data, body, 1, at, &integers->bytes,
						   &integers->owned))
		return false;
	if (node->encoding != ROWSER_ENCODING_PLAIN && node->bits > 0 &&
		!rowser_packing_tail_is_zero(integers->bytes, node->npacked,
									 node->bits))
		return rowser_integers_fail(at, "A block has bits past its values");
	integers->all_fit = node->encoding == ROWSER_ENCODING_FRAME &&
		frame_fits(node);
	return true;
}

bool
rowser_integers_open(RowserIntegers **result, const RowserNode *node,
					 const uint8 *body, RowserCursor *at)
{
	RowserIntegers *integers = rowser_memory_alloc(sizeof(RowserIntegers));

	memset(integers, 0, sizeof(*integers));
	integers->node = node;
	*result = integers;
	if (rowser_node_nonnull(node) == 0 ||
		node->encoding == ROWSER_ENCODING_CONSTANT)
		return true;
	if (node->encoding == ROWSER_ENCODING_RUNS)
		return rowser_integers_open_runs(integers, body, at);
	return open_block(integers, body, at);
}

void
rowser_integers_close(RowserIntegers *integers)
{
	if (integers == NULL)
		return;
	rowser_integers_close(integers->run_values);
	rowser_integers_close(integers->run_lengths);
	if (integers->runs != NULL)
		rowser_memory_free(integers->runs);
	if (integers->owned != NULL)
		rowser_memory_free(integers->owned);
	rowser_memory_free(integers);
}

uint32
rowser_integers_left(const RowserIntegers *integers)
{
	return rowser_node_nonnull(integers->node) - integers->position;
}

/* ----------------------------------------------------------------
 *		Encodings
 * ----------------------------------------------------------------
 */

/* Load integers of a width, signed unless they are of the shape UINT. */
static void
load_plain(const uint8 *bytes, uint8 width, bool is_signed, uint32 nvalues,
		   int64 *values)
{
	switch (width)
	{
		case 1:
			for (uint32 i = 0; i < nvalues; i++)
				values[i] = is_signed ? (int8) bytes[i] : bytes[i];
			break;
		case 2:
			for (uint32 i = 0; i < nvalues; i++)
			{
				uint16		value = rowser_load_u16(bytes + 2 * (size_t) i);

				values[i] = is_signed ? (int16) value : value;
			}
			break;
		case 4:
			for (uint32 i = 0; i < nvalues; i++)
			{
				uint32		value = rowser_load_u32(bytes + 4 * (size_t) i);

				values[i] = is_signed ? (int64) (int32) value : value;
			}
			break;
		default:
			for (uint32 i = 0; i < nvalues; i++)
				values[i] = (int64) rowser_load_u64(bytes + 8 * (size_t) i);
			break;
	}
}

static void
next_plain(RowserIntegers *integers, uint32 nvalues, int64 *values)
{
	bool		is_signed = integers->node->shape != ROWSER_SHAPE_UINT;
	uint8		width = is_signed ? integers->node->width :
	integers->node->item_width;

	load_plain(integers->bytes + (size_t) integers->position * width, width,
			   is_signed, nvalues, values);
}

/*
 * Unpack the numbers that belong to values from number `first` on, and add
 * `base` to each.
 */
static void
unpack(RowserIntegers *integers, uint64 first, uint32 count, int64 base,
	   int64 *values)
{
	const RowserNode *node = integers->node;

	if (node->bits > 0)
		rowser_packing_unpack(integers->bytes, node->data.raw_size, first,
							  count, node->bits, (uint64) base,
							  (uint64 *) values);
	else
	{
		for (uint32 i = 0; i < count; i++)
			values[i] = base;
	}
}

/*
 * Whether base plus any packed number is in order, so that adding can't have
 * wrapped: as a range, seen from the base, of up to 2^bits - 1.
 */
static bool
frame_is_in_range(const RowserNode *node, const int64 *values,
				  uint32 nvalues)
{
	int64		base = node->base;
	bool		wrapped = false;

	for (uint32 i = 0; i < nvalues; i++)
		wrapped |= values[i] < base;
	return !wrapped;
}

static bool
next_delta(RowserIntegers *integers, uint32 nvalues, int64 *values,
		   RowserCursor *at)
{
	const RowserNode *node = integers->node;
	uint32		i = 0;
	bool		overflow = false;

	if (integers->position == 0)
	{
		integers->last = node->base;
		values[i++] = node->base;
	}
	/* the number of value v is v - 1 */
	unpack(integers, integers->position + i - 1, nvalues - i, 0,
		   values + i);
	for (; i < nvalues; i++)
	{
		int64		delta;

		overflow |= values[i] < 0 ||
			pg_add_s64_overflow(node->least_change, values[i], &delta) ||
			pg_add_s64_overflow(integers->last, delta, &integers->last);
		if (overflow)
			return rowser_integers_fail(at, "A difference is out of range");
		values[i] = integers->last;
	}
	return true;
}

static bool
next_delta2(RowserIntegers *integers, uint32 nvalues, int64 *values,
			RowserCursor *at)
{
	const RowserNode *node = integers->node;
	uint32		i = 0;

	if (integers->position == 0)
	{
		integers->last = node->base;
		values[i++] = node->base;
	}
	if (integers->position + i == 1 && i < nvalues)
	{
		integers->step = node->step;
		if (pg_add_s64_overflow(integers->last, integers->step,
								&integers->last))
			return rowser_integers_fail(at, "A difference is out of range");
		values[i++] = integers->last;
	}
	/* the number of value v is v - 2 */
	if (i < nvalues)
		unpack(integers, integers->position + i - 2, nvalues - i, 0,
			   values + i);
	for (; i < nvalues; i++)
	{
		int64		change;

		if (values[i] < 0 ||
			pg_add_s64_overflow(node->least_change, values[i], &change) ||
			pg_add_s64_overflow(integers->step, change, &integers->step) ||
			pg_add_s64_overflow(integers->last, integers->step,
								&integers->last))
			return rowser_integers_fail(at, "A difference is out of range");
		values[i] = integers->last;
	}
	return true;
}

/* ----------------------------------------------------------------
 *		Values
 * ----------------------------------------------------------------
 */

/* Whether all values fit the shape of the node. */
static bool
values_fit(const RowserNode *node, const int64 *values, uint32 nvalues)
{
	int64		least = shape_least(node);
	int64		greatest = shape_greatest(node);
	bool		outside = false;

	for (uint32 i = 0; i < nvalues; i++)
		outside |= values[i] < least || values[i] > greatest;
	return !outside;
}

bool
rowser_integers_next(RowserIntegers *integers, uint32 nvalues, int64 *values,
					 RowserCursor *at)
{
	const RowserNode *node = integers->node;

	if (nvalues > rowser_integers_left(integers))
		return rowser_integers_fail(at, "A node's values end too early");
	if (nvalues == 0)
		return true;

	switch (node->encoding)
	{
		case ROWSER_ENCODING_CONSTANT:
			for (uint32 i = 0; i < nvalues; i++)
				values[i] = node->constant.integer;
			break;
		case ROWSER_ENCODING_FRAME:
			unpack(integers, integers->position, nvalues, node->base, values);
			if (integers->all_fit)
			{
				integers->position += nvalues;
				return true;
			}
			if (!frame_is_in_range(node, values, nvalues))
				return rowser_integers_fail(at,
											"An integer does not fit its type");
			break;
		case ROWSER_ENCODING_DELTA:
			if (!next_delta(integers, nvalues, values, at))
				return false;
			break;
		case ROWSER_ENCODING_DELTA2:
			if (!next_delta2(integers, nvalues, values, at))
				return false;
			break;
		case ROWSER_ENCODING_RUNS:
			return rowser_integers_next_runs(integers, nvalues, values, at);
		default:
			next_plain(integers, nvalues, values);
			break;
	}
	integers->position += nvalues;
	if (!values_fit(node, values, nvalues))
		return rowser_integers_fail(at, "An integer does not fit its type");
	return true;
}

bool
rowser_integers_skip(RowserIntegers *integers, uint32 nvalues,
					 RowserCursor *at)
{
	int64		values[SKIP_BATCH];

	if (nvalues > rowser_integers_left(integers))
		return rowser_integers_fail(at, "A node's values end too early");
	switch (integers->node->encoding)
	{
		case ROWSER_ENCODING_RUNS:
			return rowser_integers_next_runs(integers, nvalues, NULL, at);
		case ROWSER_ENCODING_DELTA:
		case ROWSER_ENCODING_DELTA2:
			/* each value follows from the one before */
			while (nvalues > 0)
			{
				uint32		n = Min(nvalues, SKIP_BATCH);

				if (!rowser_integers_next(integers, n, values, at))
					return false;
				nvalues -= n;
			}
			return true;
		default:
			integers->position += nvalues;
			return true;
	}
}

bool
rowser_integers_next_counts(RowserIntegers *integers, uint32 nvalues,
							uint32 max, uint32 *values, RowserCursor *at)
{
	int64		wide[SKIP_BATCH];

	while (nvalues > 0)
	{
		uint32		n = Min(nvalues, SKIP_BATCH);
		bool		outside = false;

		if (!rowser_integers_next(integers, n, wide, at))
			return false;
		for (uint32 i = 0; i < n; i++)
		{
			outside |= wide[i] > max;
			values[i] = (uint32) wide[i];
		}
		if (outside)
			return rowser_integers_fail(at,
										"An index, length or flag is out of range");
		values += n;
		nvalues -= n;
	}
	return true;
}

bool
rowser_integers_next_signed(RowserIntegers *integers, uint32 nvalues,
							int32 *values, RowserCursor *at)
{
	uint32	   *zigzag = (uint32 *) values;

	if (!rowser_integers_next_counts(integers, nvalues, PG_UINT32_MAX, zigzag,
									 at))
		return false;
	for (uint32 i = 0; i < nvalues; i++)
		values[i] = (int32) ((zigzag[i] >> 1) ^ (~(zigzag[i] & 1) + 1));
	return true;
}
