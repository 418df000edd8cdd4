/*-------------------------------------------------------------------------
 *
 * node_scalar.c
 *	  Reading the nodes of scalar values and of integers in a group's header
 *	  (rowset_format.md, sections 6.1 and 6.5).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/memory.h"
#include "bytes/node_internal.h"
#include "bytes/packing.h"

static bool run_values_read(RowserNodeContext context, uint32 nvalues,
							RowserNode *node);
static bool run_lengths_read(RowserNodeContext context, uint32 nruns,
							 RowserNode *node);

static bool
block_read(RowserNodeContext context, RowserBlock *block)
{
	return rowser_block_read(context.cursor, context.body_offset, block);
}

bool
rowser_node_inline(RowserNodeContext context, const RowserNode *node, RowserInline *value)
{
	uint64		unsigned_value;

	switch (node->shape)
	{
		case ROWSER_SHAPE_UINT:
			if (!rowser_cursor_varuint(context.cursor, &unsigned_value))
				return false;
			value->integer = (int64) unsigned_value;
			return true;
		case ROWSER_SHAPE_INT1:
		case ROWSER_SHAPE_INT2:
		case ROWSER_SHAPE_INT4:
		case ROWSER_SHAPE_INT8:
			if (!rowser_cursor_varint(context.cursor, &value->integer))
				return false;
			if (node->width < 8 &&
				(value->integer >= INT64CONST(1) << (8 * node->width - 1) ||
				 value->integer < -(INT64CONST(1) << (8 * node->width - 1))))
				return rowser_node_fail(context, "An integer does not fit its type");
			return true;
		case ROWSER_SHAPE_BOOL:
		case ROWSER_SHAPE_FLOAT4:
		case ROWSER_SHAPE_FLOAT8:
		case ROWSER_SHAPE_FIXED:
			value->bytes.size = node->width;
			if (!rowser_cursor_bytes(context.cursor, node->width,
									 &value->bytes.bytes))
				return false;
			if (node->shape == ROWSER_SHAPE_BOOL && *value->bytes.bytes > 1)
				return rowser_node_fail(context, "A boolean is neither 0 nor 1");
			return true;
		case ROWSER_SHAPE_TEXT:
		case ROWSER_SHAPE_OUTPUT:
		case ROWSER_SHAPE_LABEL:
			if (!rowser_cursor_text(context.cursor, &value->bytes))
				return false;
			if (value->bytes.size > ROWSER_IMAGE_INLINE_MAX)
				return rowser_node_fail(context, "A value in a header is too large");
			return true;
		default:
			if (!rowser_cursor_string(context.cursor, &value->bytes))
				return false;
			if (value->bytes.size > ROWSER_IMAGE_INLINE_MAX)
				return rowser_node_fail(context, "A value in a header is too large");
			return true;
	}
}

/* Check that a block may hold so many values of a width, 0 for images. */
static bool
plain_size_check(RowserNodeContext context, const RowserBlock *block, uint8 width,
				 uint64 nvalues)
{
	if (width > 0 ? block->raw_size != nvalues * width :
		block->raw_size < nvalues)
		return rowser_node_fail(context, "A block's size is not that of its values");
	return true;
}

/* Read how many bits each of `count` packed numbers has, and their block. */
static bool
packed_read(RowserNodeContext context, RowserNode *node, uint32 count,
			uint8 least_bits)
{
	node->npacked = count;
	if (!rowser_cursor_u8(context.cursor, &node->bits))
		return false;
	if (node->bits < least_bits || node->bits > 64)
		return rowser_node_fail(context, "Packed numbers have an impossible width");
	if (!block_read(context, &node->data))
		return false;
	if (node->data.raw_size != rowser_packing_size(count, node->bits))
		return rowser_node_fail(context, "A block's size is not that of its values");
	return true;
}

/* Read a FRAME's base, which is such as the node's values are. */
static bool
base_read(RowserNodeContext context, RowserNode *node)
{
	RowserInline base;

	if (!rowser_node_inline(context, node, &base))
		return false;
	if (node->shape == ROWSER_SHAPE_UINT && base.integer < 0)
		return rowser_node_fail(context, "A base is out of range");
	node->base = base.integer;
	return true;
}

/* Read the values and the lengths of runs. */
static bool
runs_read(RowserNodeContext context, RowserNode *node, uint32 nvalues)
{
	uint32		nruns;

	if (!rowser_cursor_count(context.cursor, nvalues, &nruns,
							 "There are more runs than values"))
		return false;
	if (nruns == 0)
		return rowser_node_fail(context, "There are no runs");
	node->run_values = rowser_memory_alloc_array(1, sizeof(RowserNode));
	node->run_values->shape = node->shape;
	node->run_values->width = node->width;
	node->run_values->limit = PG_UINT64_MAX;
	if (!run_values_read(context, nruns, node->run_values))
		return false;
	node->integers = rowser_memory_alloc_array(1, sizeof(RowserNode));
	node->nintegers = 1;
	return run_lengths_read(context, nruns, &node->integers[0]);
}

/*
 * Read what follows the code of a node of integers, of the shapes INT1 to INT8
 * or UINT, but for PLAIN.
 */
static bool
integers_body_read(RowserNodeContext context, RowserNode *node, uint32 nvalues)
{
	switch (node->encoding)
	{
		case ROWSER_ENCODING_CONSTANT:
			return rowser_node_inline(context, node, &node->constant);
		case ROWSER_ENCODING_FRAME:
			return base_read(context, node) &&
				packed_read(context, node, nvalues, 1);
		case ROWSER_ENCODING_DELTA:
			return rowser_cursor_varint(context.cursor, &node->base) &&
				rowser_cursor_varint(context.cursor, &node->least_change) &&
				packed_read(context, node, nvalues - 1, 0);
		case ROWSER_ENCODING_DELTA2:
			if (nvalues < 2)
				return rowser_node_fail(context, "A node has too few values for its encoding");
			return rowser_cursor_varint(context.cursor, &node->base) &&
				rowser_cursor_varint(context.cursor, &node->step) &&
				rowser_cursor_varint(context.cursor, &node->least_change) &&
				packed_read(context, node, nvalues - 2, 0);
		case ROWSER_ENCODING_RUNS:
			return runs_read(context, node, nvalues);
		default:
			return rowser_node_fail(context, "A node has an impossible encoding");
	}
}

/* Read plain integers of the shape UINT, which say how wide they are. */
static bool
uint_plain_read(RowserNodeContext context, RowserNode *node, uint32 nvalues)
{
	if (!rowser_cursor_u8(context.cursor, &node->item_width))
		return false;
	if (node->item_width != 1 && node->item_width != 2 &&
		node->item_width != 4 && node->item_width != 8)
		return rowser_node_fail(context, "Integers have an impossible width");
	return block_read(context, &node->data) &&
		plain_size_check(context, &node->data, node->item_width, nvalues);
}

bool
rowser_node_integers_at(RowserNodeContext context, uint32 nvalues, RowserNode *node)
{
	uint64		from = *context.body_offset;
	uint8		code;

	node->shape = ROWSER_SHAPE_UINT;
	node->nvalues = nvalues;
	if (!rowser_cursor_u8(context.cursor, &code))
		return false;
	if (code > ROWSER_ENCODING_LAST ||
		(nvalues == 0 && code != ROWSER_ENCODING_PLAIN))
		return rowser_node_fail(context, "Integers have an impossible encoding");
	node->encoding = (RowserEncoding) code;
	if (nvalues == 0)
		return true;

	if (node->encoding == ROWSER_ENCODING_PLAIN ?
		!uint_plain_read(context, node, nvalues) :
		!integers_body_read(context, node, nvalues))
		return false;
	if (nvalues * ROWSER_BOUND_VALUE > rowser_node_limit(context, from))
		return rowser_node_fail(context, "Too few bytes stand for too many integers");
	return true;
}

/* Read the lengths of runs, which are not in runs again. */
static bool
run_lengths_read(RowserNodeContext context, uint32 nruns, RowserNode *node)
{
	if (rowser_cursor_left(context.cursor) > 0 &&
		*context.cursor->next == ROWSER_ENCODING_RUNS)
		return rowser_node_fail(context, "Runs' lengths have an impossible encoding");
	return rowser_node_integers_at(context, nruns, node);
}

/*
 * Read the values of runs: a node like the runs' own, without NULLs, and not
 * of runs again.
 */
static bool
run_values_read(RowserNodeContext context, uint32 nvalues, RowserNode *node)
{
	uint8		code;

	node->nvalues = nvalues;
	if (!rowser_cursor_u8(context.cursor, &code))
		return false;
	if (code > ROWSER_ENCODING_LAST || code == ROWSER_ENCODING_RUNS)
		return rowser_node_fail(context, "Runs' values have an impossible encoding");
	node->encoding = (RowserEncoding) code;
	if (node->encoding != ROWSER_ENCODING_PLAIN)
		return integers_body_read(context, node, nvalues);
	if (node->shape == ROWSER_SHAPE_UINT)
		return uint_plain_read(context, node, nvalues);
	return block_read(context, &node->data) &&
		plain_size_check(context, &node->data, node->width, nvalues);
}

bool
rowser_node_integers(RowserNodeContext context, RowserNode *node, uint32 capacity,
				   uint32 nvalues)
{
	node->integers = rowser_memory_alloc_array(capacity, sizeof(RowserNode));
	node->nintegers = capacity;
	return rowser_node_integers_at(context, nvalues, &node->integers[0]);
}

static bool
dictionary_read(RowserNodeContext context, RowserNode *node)
{
	uint32		nonnull = rowser_node_nonnull(node);

	if (node->shape == ROWSER_SHAPE_BOOL)
		return rowser_node_fail(context, "A node has an impossible encoding");
	if (!rowser_cursor_count(context.cursor, nonnull, &node->nentries,
							 "A dictionary has more entries than values"))
		return false;
	if (node->nentries == 0)
		return rowser_node_fail(context, "A dictionary has no entries");
	return block_read(context, &node->data) &&
		plain_size_check(context, &node->data, node->width, node->nentries) &&
		rowser_node_integers(context, node, 1, nonnull);
}

static bool
bits_read(RowserNodeContext context, RowserNode *node)
{
	if (node->shape != ROWSER_SHAPE_BOOL)
		return rowser_node_fail(context, "A node has an impossible encoding");
	if (!block_read(context, &node->data))
		return false;
	if (node->data.raw_size !=
		rowser_packing_size(rowser_node_nonnull(node), 1))
		return rowser_node_fail(context, "A block's size is not that of its values");
	return true;
}

#define SCALED_SCALES_DIFFER	0x01
#define SCALED_HAS_EXCEPTIONS	0x02

/* Read the values that are no scaled integers, and where they stand. */
static bool
exceptions_read(RowserNodeContext context, RowserNode *node)
{
	uint32		nonnull = rowser_node_nonnull(node);

	if (!rowser_cursor_count(context.cursor, nonnull, &node->nexceptions,
							 "There are more exceptions than values"))
		return false;
	if (node->nexceptions == 0)
		return rowser_node_fail(context, "There are no exceptions");
	return rowser_node_integers_at(context, node->nexceptions, &node->integers[1]) &&
		block_read(context, &node->data) &&
		plain_size_check(context, &node->data, node->width,
						 node->nexceptions);
}

/*
 * Read the node of a scaled node's integers, which is part of that node and no
 * level of its own.
 */
static bool
scaled_integers_read(RowserNodeContext context, RowserNode *node)
{
	static const RowserType int8 = {.shape = ROWSER_SHAPE_INT8,
	.width = sizeof(int64), .typmod = -1};

	context.depth--;
	node->scaled = rowser_memory_alloc_array(1, sizeof(RowserNode));
	if (!rowser_node_read_at(context, &int8, rowser_node_nonnull(node), node->scaled))
		return false;
	if (node->scaled->nnulls > 0 || node->scaled->has_minmax ||
		node->scaled->encoding == ROWSER_ENCODING_DICTIONARY)
		return rowser_node_fail(context, "Scaled integers are not plain integers");
	return true;
}

static bool
scaled_read(RowserNodeContext context, RowserNode *node)
{
	uint8		flags;
	uint32		scale;
	bool		is_numeric = node->shape == ROWSER_SHAPE_NUMERIC;

	if (!is_numeric && node->shape != ROWSER_SHAPE_FLOAT4 &&
		node->shape != ROWSER_SHAPE_FLOAT8)
		return rowser_node_fail(context, "A node has an impossible encoding");
	if (!rowser_cursor_u8(context.cursor, &flags) ||
		!rowser_cursor_count(context.cursor, ROWSER_MAX_SCALE, &scale,
							 "A scale is out of range"))
		return false;
	node->scale = (uint8) scale;
	node->scales_differ = (flags & SCALED_SCALES_DIFFER) != 0;
	if ((flags & ~(SCALED_SCALES_DIFFER | SCALED_HAS_EXCEPTIONS)) != 0 ||
		(node->scales_differ && !is_numeric))
		return rowser_node_fail(context, "Scaled numbers have unknown flags");

	node->nintegers = 2;
	node->integers = rowser_memory_alloc_array(2, sizeof(RowserNode));
	if (node->scales_differ)
	{
		if (!rowser_node_integers_at(context, rowser_node_nonnull(node),
						   &node->integers[0]))
			return false;
	}
	else if (is_numeric)
	{
		if (!rowser_cursor_count(context.cursor, ROWSER_MAX_DISPLAY_SCALE,
								 &scale, "A scale is out of range"))
			return false;
		node->display_scale = (uint8) scale;
	}
	if ((flags & SCALED_HAS_EXCEPTIONS) && !exceptions_read(context, node))
		return false;
	return scaled_integers_read(context, node);
}

/* Read what follows a scalar node's code, NULLs and bounds. */
static bool
encoding_read(RowserNodeContext context, RowserNode *node)
{
	switch (node->encoding)
	{
		case ROWSER_ENCODING_PLAIN:
			return block_read(context, &node->data) &&
				plain_size_check(context, &node->data, node->width,
								 rowser_node_nonnull(node));
		case ROWSER_ENCODING_CONSTANT:
			return rowser_node_inline(context, node, &node->constant);
		case ROWSER_ENCODING_DICTIONARY:
			return dictionary_read(context, node);
		case ROWSER_ENCODING_BITS:
			return bits_read(context, node);
		case ROWSER_ENCODING_SCALED:
			return scaled_read(context, node);
		default:
			if (!rowser_shape_is_integer(node->shape))
				return rowser_node_fail(context, "A node has an impossible encoding");
			return integers_body_read(context, node,
									  rowser_node_nonnull(node));
	}
}

bool
rowser_node_scalar(RowserNodeContext context, RowserNode *node, uint64 from)
{
	uint64		least = node->width;	/* plain bytes a value takes at least */

	if (!encoding_read(context, node))
		return false;
	if (node->width == 0)
		least = 4;
	if (node->width == 0 && node->encoding == ROWSER_ENCODING_CONSTANT)
		least += node->constant.bytes.size;
	node->limit = rowser_node_limit(context, from);
	if (rowser_node_nonnull(node) * (least + ROWSER_BOUND_VALUE) >
		node->limit)
		return rowser_node_fail(context, "Too few bytes stand for too many values");
	return true;
}
