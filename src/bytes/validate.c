/*-------------------------------------------------------------------------
 *
 * validate.c
 *	  Checking a row group to its last byte, without knowing its types.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/image.h"
#include "bytes/integers.h"
#include "bytes/memory.h"
#include "bytes/packing.h"
#include "bytes/validate.h"

/* How many integers are looked at at once */
#define BATCH 256

/* What is common to the nodes of a group while they are checked */
typedef struct Validator
{
	const uint8 *body;
	RowserCursor *at;
} Validator;

static bool node_validate(Validator validator, const RowserNode *node);

static bool
fail(Validator validator, const char *what)
{
	return rowser_cursor_fail(validator.at, ROWSER_FAULT_INVALID, what);
}

static void
release(uint8 *owned)
{
	if (owned != NULL)
		rowser_memory_free(owned);
}

/* ----------------------------------------------------------------
 *		Blocks
 * ----------------------------------------------------------------
 */

static bool
bitmap_is_right(const RowserNode *node, const uint8 *bitmap)
{
	uint32		nnulls = 0;

	for (uint32 i = 0; i < node->nvalues; i++)
		nnulls += (bitmap[i / 8] >> (i % 8)) & 1;
	if (node->nvalues % 8 != 0 &&
		bitmap[node->nvalues / 8] >> (node->nvalues % 8) != 0)
		return false;
	return nnulls == node->nnulls;
}

static bool
bitmap_validate(Validator validator, const RowserNode *node)
{
	const uint8 *bitmap;
	uint8	   *owned;
	bool		right;

	if (node->nulls.raw_size == 0)
		return true;
	if (!rowser_block_open(&node->nulls, validator.body, 1, validator.at,
						   &bitmap, &owned))
		return false;
	right = bitmap_is_right(node, bitmap);
	release(owned);
	return right || fail(validator, "A NULL bitmap has another number of NULLs");
}

static bool
images_are_right(const uint8 *block, uint32 size, uint32 nvalues,
				 bool is_text)
{
	const uint8 *next = block;
	const uint8 *end = block + size;

	for (uint32 i = 0; i < nvalues; i++)
	{
		RowserImage image;

		if (!rowser_image_next(block, &next, end, &image))
			return false;
		if (is_text && image.size > 0 &&
			memchr(image.payload, 0, image.size) != NULL)
			return false;
	}
	return next == end;
}

static bool
booleans_are_right(const uint8 *block, uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		if (block[i] > 1)
			return false;
	}
	return true;
}

static bool
shape_is_text(RowserShape shape)
{
	return shape == ROWSER_SHAPE_TEXT || shape == ROWSER_SHAPE_OUTPUT ||
		shape == ROWSER_SHAPE_LABEL;
}

/* Check a block of plain values or of a dictionary's entries. */
static bool
data_validate(Validator validator, const RowserNode *node, uint32 nvalues)
{
	const uint8 *block;
	uint8	   *owned;
	bool		right = true;

	if (!rowser_block_open(&node->data, validator.body, 1, validator.at,
						   &block, &owned))
		return false;
	if (node->width == 0)
		right = images_are_right(block, node->data.raw_size, nvalues,
								 shape_is_text(node->shape));
	else if (node->shape == ROWSER_SHAPE_BOOL)
		right = booleans_are_right(block, nvalues);
	release(owned);
	return right || fail(validator, "A value is impossible");
}

/* ----------------------------------------------------------------
 *		Integers
 * ----------------------------------------------------------------
 */

/* What is done with each of a node's integers; false ends in an error */
typedef bool (*IntegerVisit) (const RowserNode *node, uint32 value,
							  uint64 *sum);

/* Visit all integers of a stream, adding up what the visits say. */
static bool
integers_visit(Validator validator, const RowserNode *node, int which,
			   uint32 max, IntegerVisit visit, uint64 *sum)
{
	RowserIntegers *integers;
	uint32		values[BATCH];
	uint32		left;
	bool		right;

	*sum = 0;
	right = rowser_integers_open(&integers, &node->integers[which],
								 validator.body, validator.at);
	while (right && (left = rowser_integers_left(integers)) > 0)
	{
		uint32		n = Min(left, BATCH);

		rowser_memory_interrupt();
		right = rowser_integers_next_counts(integers, n, max, values,
											validator.at);
		for (uint32 i = 0; right && visit != NULL && i < n; i++)
		{
			if (!visit(node, values[i], sum))
				right = fail(validator, "An index, length or flag is out of range");
		}
	}
	rowser_integers_close(integers);
	return right;
}

/* Read all integers of a node of a shape INT1 to INT8. */
static bool
values_visit(Validator validator, const RowserNode *node)
{
	RowserIntegers *integers;
	int64		values[BATCH];
	uint32		left;
	bool		right;

	right = rowser_integers_open(&integers, node, validator.body,
								 validator.at);
	while (right && (left = rowser_integers_left(integers)) > 0)
	{
		rowser_memory_interrupt();
		right = rowser_integers_next(integers, Min(left, BATCH), values,
									 validator.at);
	}
	rowser_integers_close(integers);
	return right;
}

/* Positions ascend; the sum is the one that comes next. */
static bool
check_position(const RowserNode *node, uint32 position, uint64 *sum)
{
	if (position < *sum || position >= rowser_node_nonnull(node))
		return false;
	*sum = (uint64) position + 1;
	return true;
}

static bool
add_value(const RowserNode *node, uint32 value, uint64 *sum)
{
	*sum += value;
	return true;
}

static bool
add_bounds(const RowserNode *node, uint32 flags, uint64 *sum)
{
	if (flags & ROWSER_RANGE_EMPTY)
		return flags == ROWSER_RANGE_EMPTY;
	if (((flags & ROWSER_RANGE_NO_LOWER) &&
		 (flags & ROWSER_RANGE_LOWER_INC)) ||
		((flags & ROWSER_RANGE_NO_UPPER) && (flags & ROWSER_RANGE_UPPER_INC)))
		return false;
	*sum += !(flags & ROWSER_RANGE_NO_LOWER) +
		!(flags & ROWSER_RANGE_NO_UPPER);
	return true;
}

/* Compare a sum with the number of values in the node below. */
static bool
child_validate(Validator validator, const RowserNode *node, uint64 sum)
{
	if (sum != node->children[0].nvalues)
		return fail(validator, "Lengths do not add up to their values");
	return node_validate(validator, &node->children[0]);
}

/* Multiply one array's lengths; a product past any array ends in an error. */
static bool
next_product(Validator validator, RowserIntegers *lengths, uint32 ndim,
			 uint64 *product)
{
	uint32		values[ROWSER_MAX_DIMENSIONS];

	*product = ndim > 0 ? 1 : 0;
	if (!rowser_integers_next_counts(lengths, ndim, PG_INT32_MAX, values,
									 validator.at))
		return false;
	for (uint32 i = 0; i < ndim; i++)
	{
		*product *= values[i];
		if (values[i] == 0 || *product > ROWSER_NODE_MAX_VALUES)
			return fail(validator, "An array's lengths are impossible");
	}
	return true;
}

/* Add up the elements of arrays that are kept with their dimensions. */
static bool
dimensions_sum(Validator validator, RowserIntegers *ndims,
			   RowserIntegers *lengths, uint64 *sum)
{
	*sum = 0;
	while (rowser_integers_left(ndims) > 0)
	{
		uint32		ndim;
		uint64		product;

		rowser_memory_interrupt();
		if (!rowser_integers_next_counts(ndims, 1, ROWSER_MAX_DIMENSIONS,
										 &ndim, validator.at) ||
			!next_product(validator, lengths, ndim, &product))
			return false;
		*sum += product;
	}
	if (rowser_integers_left(lengths) > 0)
		return fail(validator, "Arrays have more lengths than dimensions");
	return true;
}

static bool
general_arrays_validate(Validator validator, const RowserNode *node)
{
	RowserIntegers *ndims = NULL;
	RowserIntegers *lengths = NULL;
	uint64		sum;
	bool		right;

	if (!integers_visit(validator, node, 2, PG_UINT32_MAX, NULL, &sum))
		return false;
	right = rowser_integers_open(&ndims, &node->integers[0], validator.body,
								 validator.at) &&
		rowser_integers_open(&lengths, &node->integers[1], validator.body,
							 validator.at) &&
		dimensions_sum(validator, ndims, lengths, &sum);
	rowser_integers_close(ndims);
	rowser_integers_close(lengths);
	return right && child_validate(validator, node, sum);
}

/* ----------------------------------------------------------------
 *		Nodes
 * ----------------------------------------------------------------
 */

static bool
bits_validate(Validator validator, const RowserNode *node)
{
	const uint8 *bits;
	uint8	   *owned;
	bool		right;

	if (!rowser_block_open(&node->data, validator.body, 1, validator.at,
						   &bits, &owned))
		return false;
	right = rowser_packing_tail_is_zero(bits, rowser_node_nonnull(node), 1);
	release(owned);
	return right || fail(validator, "A block has bits past its values");
}

static bool
scaled_validate(Validator validator, const RowserNode *node)
{
	uint64		sum;

	if (node->scales_differ &&
		!integers_visit(validator, node, 0, ROWSER_MAX_DISPLAY_SCALE, NULL,
						&sum))
		return false;
	if (node->nexceptions > 0 &&
		(!integers_visit(validator, node, 1, PG_UINT32_MAX, check_position,
						 &sum) ||
		 !data_validate(validator, node, node->nexceptions)))
		return false;
	return values_visit(validator, node->scaled);
}

static bool
scalar_validate(Validator validator, const RowserNode *node)
{
	uint64		sum;

	switch (node->encoding)
	{
		case ROWSER_ENCODING_CONSTANT:
			return true;
		case ROWSER_ENCODING_PLAIN:
			return data_validate(validator, node, rowser_node_nonnull(node));
		case ROWSER_ENCODING_DICTIONARY:
			return data_validate(validator, node, node->nentries) &&
				integers_visit(validator, node, 0, node->nentries - 1, NULL,
							   &sum);
		case ROWSER_ENCODING_BITS:
			return bits_validate(validator, node);
		case ROWSER_ENCODING_SCALED:
			return scaled_validate(validator, node);
		default:
			return values_visit(validator, node);
	}
}

/* Check that each shape has as many values as it says. */
static bool
shape_counts_validate(Validator validator, const RowserNode *node)
{
	uint32	   *counts = rowser_memory_alloc(node->nshapes * sizeof(uint32));
	RowserIntegers *integers;
	bool		right;

	memset(counts, 0, node->nshapes * sizeof(uint32));
	right = rowser_integers_open(&integers, &node->integers[0],
								 validator.body, validator.at);
	while (right && rowser_integers_left(integers) > 0)
	{
		uint32		number;

		rowser_memory_interrupt();
		right = rowser_integers_next_counts(integers, 1, node->nshapes - 1,
											&number, validator.at);
		if (right)
			counts[number]++;
	}
	for (uint32 i = 0; right && i < node->nshapes; i++)
	{
		if (counts[i] != node->shapes[i].nvalues)
			right = fail(validator, "A record's shape has another number of values");
	}
	rowser_integers_close(integers);
	rowser_memory_free(counts);
	return right;
}

static bool
record_validate(Validator validator, const RowserNode *node)
{
	if (node->nintegers > 0 && !shape_counts_validate(validator, node))
		return false;
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		for (uint32 j = 0; j < node->shapes[i].nfields; j++)
		{
			if (!node_validate(validator, &node->shapes[i].nodes[j]))
				return false;
		}
	}
	return true;
}

static bool
node_validate(Validator validator, const RowserNode *node)
{
	uint64		sum;

	rowser_memory_interrupt();
	if (!bitmap_validate(validator, node))
		return false;
	if (rowser_node_nonnull(node) == 0)
		return true;
	if (rowser_shape_is_scalar(node->shape))
		return scalar_validate(validator, node);

	switch (node->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			if (node->array_form == 1)
				return general_arrays_validate(validator, node);
			return integers_visit(validator, node, 0, PG_INT32_MAX, add_value,
								  &sum) &&
				child_validate(validator, node, sum);
		case ROWSER_SHAPE_RANGE:
			return integers_visit(validator, node, 0, ROWSER_RANGE_FLAGS,
								  add_bounds, &sum) &&
				child_validate(validator, node, sum);
		case ROWSER_SHAPE_MULTIRANGE:
			return integers_visit(validator, node, 0, PG_INT32_MAX, add_value,
								  &sum) &&
				child_validate(validator, node, sum);
		case ROWSER_SHAPE_COMPOSITE:
			for (uint32 i = 0; i < node->nchildren; i++)
			{
				if (!node_validate(validator, &node->children[i]))
					return false;
			}
			return true;
		default:
			Assert(node->shape == ROWSER_SHAPE_RECORD);
			return record_validate(validator, node);
	}
}

bool
rowser_group_validate(const RowserGroup *group, RowserCursor *at)
{
	Validator	validator = {group->body, at};

	for (uint32 i = 0; i < group->ncolumns; i++)
	{
		if (!rowser_group_check_column(group, i, at) ||
			!node_validate(validator, &group->columns[i]))
			return false;
	}
	return true;
}
