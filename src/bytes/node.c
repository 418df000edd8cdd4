/*-------------------------------------------------------------------------
 *
 * node.c
 *	  Reading one node of a group's header (rowset_format.md, sections 6, 7).
 *
 * What is checked here needs the header only: that counts are such as the
 * bytes can hold, that every block has the size that its values need, and
 * that values inside arrays don't multiply (section 6.6).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/memory.h"
#include "bytes/node.h"
#include "bytes/packing.h"

/* What is common to the nodes of one column while they are read */
typedef struct NodeContext
{
	RowserCursor *cursor;
	uint64	   *body_offset;
	bool		in_array;		/* below an ARRAY or a MULTIRANGE */
	int			depth;			/* of this node in its column */
	uint32	   *nnodes;			/* counts the nodes of the group */
} NodeContext;

static bool node_read(NodeContext context, const RowserType *type,
					  uint32 nvalues, RowserNode *node);
static bool integers_read(NodeContext context, uint32 nvalues,
						  RowserNode *node);
static bool run_lengths_read(NodeContext context, uint32 nruns,
							 RowserNode *node);
static bool run_values_read(NodeContext context, uint32 nvalues,
							RowserNode *node);
static bool node_integers_read(NodeContext context, RowserNode *node,
							   uint32 capacity, uint32 nvalues);

static bool
fail(NodeContext context, const char *what)
{
	return rowser_cursor_fail(context.cursor, ROWSER_FAULT_INVALID, what);
}

/* Read a number of values that stand in a node below this one. */
static bool
nvalues_read(NodeContext context, uint32 *nvalues)
{
	return rowser_cursor_count(context.cursor, ROWSER_NODE_MAX_VALUES, nvalues,
							   "A node has too many values");
}

static bool
block_read(NodeContext context, RowserBlock *block)
{
	return rowser_block_read(context.cursor, context.body_offset, block);
}

/* Most plain bytes for a node whose blocks begin at this body offset. */
static uint64
plain_limit(NodeContext context, uint64 from)
{
	if (!context.in_array)
		return PG_UINT64_MAX;
	return ROWSER_BOUND_RATIO *
		(ROWSER_BOUND_BASE + (*context.body_offset - from));
}

/* ----------------------------------------------------------------
 *		Scalars
 * ----------------------------------------------------------------
 */

/* Read a value that stands in the header. */
static bool
inline_read(NodeContext context, const RowserNode *node, RowserInline *value)
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
				return fail(context, "An integer does not fit its type");
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
				return fail(context, "A boolean is neither 0 nor 1");
			return true;
		case ROWSER_SHAPE_TEXT:
		case ROWSER_SHAPE_OUTPUT:
		case ROWSER_SHAPE_LABEL:
			if (!rowser_cursor_text(context.cursor, &value->bytes))
				return false;
			if (value->bytes.size > ROWSER_IMAGE_INLINE_MAX)
				return fail(context, "A value in a header is too large");
			return true;
		default:
			if (!rowser_cursor_string(context.cursor, &value->bytes))
				return false;
			if (value->bytes.size > ROWSER_IMAGE_INLINE_MAX)
				return fail(context, "A value in a header is too large");
			return true;
	}
}

/* Check that a block may hold so many values of a width, 0 for images. */
static bool
plain_size_check(NodeContext context, const RowserBlock *block, uint8 width,
				 uint64 nvalues)
{
	if (width > 0 ? block->raw_size != nvalues * width :
		block->raw_size < nvalues)
		return fail(context, "A block's size is not that of its values");
	return true;
}

/* Read how many bits each of `count` packed numbers has, and their block. */
static bool
packed_read(NodeContext context, RowserNode *node, uint32 count,
			uint8 least_bits)
{
	node->npacked = count;
	if (!rowser_cursor_u8(context.cursor, &node->bits))
		return false;
	if (node->bits < least_bits || node->bits > 64)
		return fail(context, "Packed numbers have an impossible width");
	if (!block_read(context, &node->data))
		return false;
	if (node->data.raw_size != rowser_packing_size(count, node->bits))
		return fail(context, "A block's size is not that of its values");
	return true;
}

/* Read a FRAME's base, which is such as the node's values are. */
static bool
base_read(NodeContext context, RowserNode *node)
{
	RowserInline base;

	if (!inline_read(context, node, &base))
		return false;
	if (node->shape == ROWSER_SHAPE_UINT && base.integer < 0)
		return fail(context, "A base is out of range");
	node->base = base.integer;
	return true;
}

/* Read the values and the lengths of runs. */
static bool
runs_read(NodeContext context, RowserNode *node, uint32 nvalues)
{
	uint32		nruns;

	if (!rowser_cursor_count(context.cursor, nvalues, &nruns,
							 "There are more runs than values"))
		return false;
	if (nruns == 0)
		return fail(context, "There are no runs");
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
integers_body_read(NodeContext context, RowserNode *node, uint32 nvalues)
{
	switch (node->encoding)
	{
		case ROWSER_ENCODING_CONSTANT:
			return inline_read(context, node, &node->constant);
		case ROWSER_ENCODING_FRAME:
			return base_read(context, node) &&
				packed_read(context, node, nvalues, 1);
		case ROWSER_ENCODING_DELTA:
			return rowser_cursor_varint(context.cursor, &node->base) &&
				rowser_cursor_varint(context.cursor, &node->least_change) &&
				packed_read(context, node, nvalues - 1, 0);
		case ROWSER_ENCODING_DELTA2:
			if (nvalues < 2)
				return fail(context, "A node has too few values for its encoding");
			return rowser_cursor_varint(context.cursor, &node->base) &&
				rowser_cursor_varint(context.cursor, &node->step) &&
				rowser_cursor_varint(context.cursor, &node->least_change) &&
				packed_read(context, node, nvalues - 2, 0);
		case ROWSER_ENCODING_RUNS:
			return runs_read(context, node, nvalues);
		default:
			return fail(context, "A node has an impossible encoding");
	}
}

/* Read plain integers of the shape UINT, which say how wide they are. */
static bool
uint_plain_read(NodeContext context, RowserNode *node, uint32 nvalues)
{
	if (!rowser_cursor_u8(context.cursor, &node->item_width))
		return false;
	if (node->item_width != 1 && node->item_width != 2 &&
		node->item_width != 4 && node->item_width != 8)
		return fail(context, "Integers have an impossible width");
	return block_read(context, &node->data) &&
		plain_size_check(context, &node->data, node->item_width, nvalues);
}

/* Read `nvalues` integers (section 6.1), as a node of shape UINT. */
static bool
integers_read(NodeContext context, uint32 nvalues, RowserNode *node)
{
	uint64		from = *context.body_offset;
	uint8		code;

	node->shape = ROWSER_SHAPE_UINT;
	node->nvalues = nvalues;
	if (!rowser_cursor_u8(context.cursor, &code))
		return false;
	if (code > ROWSER_ENCODING_LAST ||
		(nvalues == 0 && code != ROWSER_ENCODING_PLAIN))
		return fail(context, "Integers have an impossible encoding");
	node->encoding = (RowserEncoding) code;
	if (nvalues == 0)
		return true;

	if (node->encoding == ROWSER_ENCODING_PLAIN ?
		!uint_plain_read(context, node, nvalues) :
		!integers_body_read(context, node, nvalues))
		return false;
	if (nvalues * ROWSER_BOUND_VALUE > plain_limit(context, from))
		return fail(context, "Too few bytes stand for too many integers");
	return true;
}

/* Read the lengths of runs, which are not in runs again. */
static bool
run_lengths_read(NodeContext context, uint32 nruns, RowserNode *node)
{
	if (rowser_cursor_left(context.cursor) > 0 &&
		*context.cursor->next == ROWSER_ENCODING_RUNS)
		return fail(context, "Runs' lengths have an impossible encoding");
	return integers_read(context, nruns, node);
}

/*
 * Read the values of runs: a node like the runs' own, without NULLs, and not
 * of runs again.
 */
static bool
run_values_read(NodeContext context, uint32 nvalues, RowserNode *node)
{
	uint8		code;

	node->nvalues = nvalues;
	if (!rowser_cursor_u8(context.cursor, &code))
		return false;
	if (code > ROWSER_ENCODING_LAST || code == ROWSER_ENCODING_RUNS)
		return fail(context, "Runs' values have an impossible encoding");
	node->encoding = (RowserEncoding) code;
	if (node->encoding != ROWSER_ENCODING_PLAIN)
		return integers_body_read(context, node, nvalues);
	if (node->shape == ROWSER_SHAPE_UINT)
		return uint_plain_read(context, node, nvalues);
	return block_read(context, &node->data) &&
		plain_size_check(context, &node->data, node->width, nvalues);
}

/* Make room for a node's integers and read the first of them. */
static bool
node_integers_read(NodeContext context, RowserNode *node, uint32 capacity,
				   uint32 nvalues)
{
	node->integers = rowser_memory_alloc_array(capacity, sizeof(RowserNode));
	node->nintegers = capacity;
	return integers_read(context, nvalues, &node->integers[0]);
}

static bool
dictionary_read(NodeContext context, RowserNode *node)
{
	uint32		nonnull = rowser_node_nonnull(node);

	if (node->shape == ROWSER_SHAPE_BOOL)
		return fail(context, "A node has an impossible encoding");
	if (!rowser_cursor_count(context.cursor, nonnull, &node->nentries,
							 "A dictionary has more entries than values"))
		return false;
	if (node->nentries == 0)
		return fail(context, "A dictionary has no entries");
	return block_read(context, &node->data) &&
		plain_size_check(context, &node->data, node->width, node->nentries) &&
		node_integers_read(context, node, 1, nonnull);
}

static bool
bits_read(NodeContext context, RowserNode *node)
{
	if (node->shape != ROWSER_SHAPE_BOOL)
		return fail(context, "A node has an impossible encoding");
	if (!block_read(context, &node->data))
		return false;
	if (node->data.raw_size !=
		rowser_packing_size(rowser_node_nonnull(node), 1))
		return fail(context, "A block's size is not that of its values");
	return true;
}

#define SCALED_SCALES_DIFFER	0x01
#define SCALED_HAS_EXCEPTIONS	0x02

/* Read the values that are no scaled integers, and where they stand. */
static bool
exceptions_read(NodeContext context, RowserNode *node)
{
	uint32		nonnull = rowser_node_nonnull(node);

	if (!rowser_cursor_count(context.cursor, nonnull, &node->nexceptions,
							 "There are more exceptions than values"))
		return false;
	if (node->nexceptions == 0)
		return fail(context, "There are no exceptions");
	return integers_read(context, node->nexceptions, &node->integers[1]) &&
		block_read(context, &node->data) &&
		plain_size_check(context, &node->data, node->width,
						 node->nexceptions);
}

/* Read the node of a scaled node's integers. */
static bool
scaled_integers_read(NodeContext context, RowserNode *node)
{
	static const RowserType int8 = {.shape = ROWSER_SHAPE_INT8,
	.width = sizeof(int64), .typmod = -1};

	node->scaled = rowser_memory_alloc_array(1, sizeof(RowserNode));
	if (!node_read(context, &int8, rowser_node_nonnull(node), node->scaled))
		return false;
	if (node->scaled->nnulls > 0 || node->scaled->has_minmax ||
		node->scaled->encoding == ROWSER_ENCODING_DICTIONARY)
		return fail(context, "Scaled integers are not plain integers");
	return true;
}

static bool
scaled_read(NodeContext context, RowserNode *node)
{
	uint8		flags;
	uint32		scale;
	bool		is_numeric = node->shape == ROWSER_SHAPE_NUMERIC;

	if (!is_numeric && node->shape != ROWSER_SHAPE_FLOAT4 &&
		node->shape != ROWSER_SHAPE_FLOAT8)
		return fail(context, "A node has an impossible encoding");
	if (!rowser_cursor_u8(context.cursor, &flags) ||
		!rowser_cursor_count(context.cursor, ROWSER_MAX_SCALE, &scale,
							 "A scale is out of range"))
		return false;
	node->scale = (uint8) scale;
	node->scales_differ = (flags & SCALED_SCALES_DIFFER) != 0;
	if ((flags & ~(SCALED_SCALES_DIFFER | SCALED_HAS_EXCEPTIONS)) != 0 ||
		(node->scales_differ && !is_numeric))
		return fail(context, "Scaled numbers have unknown flags");

	node->nintegers = 2;
	node->integers = rowser_memory_alloc_array(2, sizeof(RowserNode));
	if (node->scales_differ)
	{
		if (!integers_read(context, rowser_node_nonnull(node),
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
encoding_read(NodeContext context, RowserNode *node)
{
	switch (node->encoding)
	{
		case ROWSER_ENCODING_PLAIN:
			return block_read(context, &node->data) &&
				plain_size_check(context, &node->data, node->width,
								 rowser_node_nonnull(node));
		case ROWSER_ENCODING_CONSTANT:
			return inline_read(context, node, &node->constant);
		case ROWSER_ENCODING_DICTIONARY:
			return dictionary_read(context, node);
		case ROWSER_ENCODING_BITS:
			return bits_read(context, node);
		case ROWSER_ENCODING_SCALED:
			return scaled_read(context, node);
		default:
			if (!rowser_shape_is_integer(node->shape))
				return fail(context, "A node has an impossible encoding");
			return integers_body_read(context, node,
									  rowser_node_nonnull(node));
	}
}

/* Read a scalar node and check its values against section 6.6's limit. */
static bool
scalar_read(NodeContext context, RowserNode *node, uint64 from)
{
	uint64		least = node->width;	/* plain bytes a value takes at least */

	if (!encoding_read(context, node))
		return false;
	if (node->width == 0)
		least = 4;
	if (node->width == 0 && node->encoding == ROWSER_ENCODING_CONSTANT)
		least += node->constant.bytes.size;
	node->limit = plain_limit(context, from);
	if (rowser_node_nonnull(node) * (least + ROWSER_BOUND_VALUE) >
		node->limit)
		return fail(context, "Too few bytes stand for too many values");
	return true;
}

/* ----------------------------------------------------------------
 *		Nested values
 * ----------------------------------------------------------------
 */

/* Read one child node that stands below integers. */
static bool
child_read(NodeContext context, const RowserType *type, RowserNode *node)
{
	uint32		nvalues;

	if (!nvalues_read(context, &nvalues))
		return false;
	node->nchildren = 1;
	node->children = rowser_memory_alloc_array(1, sizeof(RowserNode));
	return node_read(context, type, nvalues, node->children);
}

static bool
array_read(NodeContext context, const RowserType *type, RowserNode *node)
{
	uint32		nonnull = rowser_node_nonnull(node);

	if (!rowser_cursor_u8(context.cursor, &node->array_form))
		return false;
	if (node->array_form > 1)
		return fail(context, "Arrays have an unknown form");
	if (!node_integers_read(context, node, node->array_form == 0 ? 1 : 3,
							nonnull))
		return false;
	if (node->array_form == 1)
	{
		uint32		ndimensions;

		if (!nvalues_read(context, &ndimensions))
			return false;
		if (ndimensions > (uint64) nonnull * ROWSER_MAX_DIMENSIONS)
			return fail(context, "Arrays have too many dimensions");
		if (!integers_read(context, ndimensions, &node->integers[1]) ||
			!integers_read(context, ndimensions, &node->integers[2]))
			return false;
	}
	context.in_array = true;
	return child_read(context, type->child, node);
}

static bool
range_read(NodeContext context, const RowserType *type, RowserNode *node)
{
	if (!node_integers_read(context, node, 1, rowser_node_nonnull(node)) ||
		!child_read(context, type->child, node))
		return false;
	if (node->children[0].nnulls > 0)
		return fail(context, "A range's bounds are NULL");
	if (node->children[0].nvalues > 2 * (uint64) rowser_node_nonnull(node))
		return fail(context, "Ranges have too many bounds");
	return true;
}

static bool
multirange_read(NodeContext context, const RowserType *type, RowserNode *node)
{
	if (!node_integers_read(context, node, 1, rowser_node_nonnull(node)))
		return false;
	context.in_array = true;
	if (!child_read(context, type->child, node))
		return false;
	if (node->children[0].nnulls > 0)
		return fail(context, "A multirange's ranges are NULL");
	return true;
}

/* Read one node a field, each with as many values. */
static bool
fields_nodes_read(NodeContext context, const RowserField *fields,
				  uint32 nfields, uint32 nvalues, RowserNode **nodes)
{
	/* Each node takes a byte at least. */
	if (nfields > rowser_cursor_left(context.cursor))
		return fail(context, "The bytes end too early");
	*nodes = rowser_memory_alloc_array(nfields, sizeof(RowserNode));
	for (uint32 i = 0; i < nfields; i++)
	{
		if (!node_read(context, &fields[i].type, nvalues, &(*nodes)[i]))
			return false;
	}
	return true;
}

static bool
composite_read(NodeContext context, const RowserType *type, RowserNode *node)
{
	if (type->nfields == 0 && context.in_array)
		return fail(context, "An array's elements have no fields");
	node->nchildren = type->nfields;
	return fields_nodes_read(context, type->fields, type->nfields,
							 rowser_node_nonnull(node), &node->children);
}

static bool
record_read(NodeContext context, RowserNode *node)
{
	uint32		nonnull = rowser_node_nonnull(node);
	uint64		total = 0;

	if (!rowser_cursor_count(context.cursor, Min(nonnull, ROWSER_MAX_SHAPES),
							 &node->nshapes, "Records have too many shapes"))
		return false;
	/* A shape takes two bytes at least. */
	if (node->nshapes == 0 ||
		node->nshapes > rowser_cursor_left(context.cursor) / 2)
		return fail(context, "Records have an impossible number of shapes");
	node->shapes = rowser_memory_alloc_array(node->nshapes, sizeof(RowserRecordShape));
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		RowserRecordShape *shape = &node->shapes[i];

		if (!rowser_fields_read(context.cursor, context.depth + 1,
								&shape->fields, &shape->nfields) ||
			!nvalues_read(context, &shape->nvalues))
			return false;
		if (shape->nvalues == 0)
			return fail(context, "A record's shape has no values");
		total += shape->nvalues;
	}
	if (total != nonnull)
		return fail(context, "A record's shapes do not add up to its values");

	if ((node->nshapes > 1 || context.in_array) &&
		!node_integers_read(context, node, 1, nonnull))
		return false;
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		RowserRecordShape *shape = &node->shapes[i];

		if (!fields_nodes_read(context, shape->fields, shape->nfields,
							   shape->nvalues, &shape->nodes))
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------
 *		Nodes
 * ----------------------------------------------------------------
 */

static bool
nulls_read(NodeContext context, RowserNode *node)
{
	uint64		from = *context.body_offset;

	if (!rowser_cursor_count(context.cursor, node->nvalues, &node->nnulls,
							 "There are more NULLs than values"))
		return false;
	if (node->nnulls == 0)
		return fail(context, "A node says that it has NULLs and has none");
	if (node->nnulls == node->nvalues && !context.in_array)
		return true;
	if (!block_read(context, &node->nulls))
		return false;
	if (node->nulls.raw_size != (node->nvalues + UINT64CONST(7)) / 8)
		return fail(context, "A NULL bitmap's size is not that of its values");
	if (node->nvalues * ROWSER_BOUND_VALUE > plain_limit(context, from))
		return fail(context, "Too few bytes stand for too many NULLs");
	return true;
}

/* Shapes whose smallest and largest value may stand in the header */
static bool
shape_has_minmax(RowserShape shape)
{
	return shape >= ROWSER_SHAPE_INT1 && shape <= ROWSER_SHAPE_BYTES;
}

static bool
node_read(NodeContext context, const RowserType *type, uint32 nvalues,
		  RowserNode *node)
{
	uint64		from;
	uint8		code;

	/*
	 * Types in the header are no deeper than this; the limit is for records,
	 * whose fields are described here.
	 */
	if (++context.depth > ROWSER_MAX_TYPE_DEPTH)
		return fail(context, "Types are nested too deep");
	(*context.nnodes)++;
	while (type->shape == ROWSER_SHAPE_DOMAIN)
		type = type->child;
	node->shape = type->shape;
	node->width = type->width;
	node->nvalues = nvalues;
	node->limit = PG_UINT64_MAX;

	if (!rowser_cursor_u8(context.cursor, &code))
		return false;
	if ((code & ROWSER_NODE_ENCODING_MASK) > ROWSER_ENCODING_LAST ||
		(code & ~(ROWSER_NODE_ENCODING_MASK | ROWSER_NODE_HAS_NULLS |
				  ROWSER_NODE_HAS_MINMAX)) != 0)
		return fail(context, "A node has an unknown code");
	node->encoding = (RowserEncoding) (code & ROWSER_NODE_ENCODING_MASK);
	if ((code & ROWSER_NODE_HAS_NULLS) && !nulls_read(context, node))
		return false;
	if (rowser_node_nonnull(node) == 0)
	{
		if (node->encoding != ROWSER_ENCODING_PLAIN ||
			(code & ROWSER_NODE_HAS_MINMAX))
			return fail(context, "A node without values says more");
		return true;
	}

	from = *context.body_offset;
	if (code & ROWSER_NODE_HAS_MINMAX)
	{
		if (!shape_has_minmax(node->shape))
			return fail(context, "A node has bounds that its type has not");
		node->has_minmax = true;
		if (!inline_read(context, node, &node->least) ||
			!inline_read(context, node, &node->greatest))
			return false;
		if (rowser_shape_is_integer(node->shape) &&
			node->least.integer > node->greatest.integer &&
			node->width < sizeof(int32))
			return fail(context, "A node's bounds are the wrong way round");
	}
	if (rowser_shape_is_scalar(node->shape))
		return scalar_read(context, node, from);

	if (node->encoding != ROWSER_ENCODING_PLAIN)
		return fail(context, "A nested node has an encoding");
	switch (node->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			return array_read(context, type, node);
		case ROWSER_SHAPE_COMPOSITE:
			return composite_read(context, type, node);
		case ROWSER_SHAPE_RECORD:
			return record_read(context, node);
		case ROWSER_SHAPE_RANGE:
			return range_read(context, type, node);
		default:
			Assert(node->shape == ROWSER_SHAPE_MULTIRANGE);
			return multirange_read(context, type, node);
	}
}

bool
rowser_node_read(RowserCursor *cursor, uint64 *body_offset,
				 const RowserType *type, uint32 nvalues, RowserNode *node,
				 uint32 *nnodes)
{
	NodeContext context = {cursor, body_offset, false, 0, nnodes};

	memset(node, 0, sizeof(*node));
	return node_read(context, type, nvalues, node);
}
