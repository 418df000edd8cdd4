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

/* What is common to the nodes of one column while they are read */
typedef struct NodeContext
{
	RowserCursor *cursor;
	uint64	   *body_offset;
	bool		in_array;		/* below an ARRAY or a MULTIRANGE */
	int			depth;			/* of this node in its column */
} NodeContext;

static bool node_read(NodeContext context, const RowserType *type,
					  uint32 nvalues, RowserNode *node);

static bool
fail(NodeContext context, const char *what)
{
	return rowser_cursor_fail(context.cursor, ROWSER_FAULT_INVALID, what);
}

static void *
alloc_zeroed(size_t count, size_t size)
{
	void	   *memory = rowser_memory_alloc(Max(count, 1) * size);

	memset(memory, 0, Max(count, 1) * size);
	return memory;
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
			return rowser_cursor_bytes(context.cursor, node->width,
									   &value->bytes.bytes);
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
	if (code == ROWSER_ENCODING_CONSTANT && nvalues > 0)
	{
		if (!inline_read(context, node, &node->constant))
			return false;
	}
	else if (code == ROWSER_ENCODING_PLAIN)
	{
		if (nvalues == 0)
			return true;
		if (!rowser_cursor_u8(context.cursor, &node->item_width))
			return false;
		if (node->item_width != 1 && node->item_width != 2 &&
			node->item_width != 4 && node->item_width != 8)
			return fail(context, "Integers have an impossible width");
		if (!block_read(context, &node->data) ||
			!plain_size_check(context, &node->data, node->item_width,
							  nvalues))
			return false;
	}
	else if (code <= ROWSER_ENCODING_RUNS &&
			 code != ROWSER_ENCODING_DICTIONARY && nvalues > 0)
		return rowser_cursor_fail(context.cursor, ROWSER_FAULT_UNSUPPORTED,
								  "Integers have an encoding that this version does not read");
	else
		return fail(context, "Integers have an impossible encoding");
	node->encoding = (RowserEncoding) code;

	if (nvalues * UINT64CONST(4) > plain_limit(context, from))
		return fail(context, "Too few bytes stand for too many integers");
	return true;
}

/* Make room for a node's integers and read the first of them. */
static bool
node_integers_read(NodeContext context, RowserNode *node, uint32 capacity,
				   uint32 nvalues)
{
	node->integers = alloc_zeroed(capacity, sizeof(RowserNode));
	node->nintegers = capacity;
	return integers_read(context, nvalues, &node->integers[0]);
}

/* Read the encoding-header of a scalar node. */
static bool
scalar_read(NodeContext context, RowserNode *node, uint64 from)
{
	uint32		nonnull = rowser_node_nonnull(node);
	uint64		least = node->width;	/* plain bytes a value takes at least */

	if (node->width == 0)
		least = 4;

	switch (node->encoding)
	{
		case ROWSER_ENCODING_PLAIN:
			if (!block_read(context, &node->data) ||
				!plain_size_check(context, &node->data, node->width, nonnull))
				return false;
			break;
		case ROWSER_ENCODING_CONSTANT:
			if (!inline_read(context, node, &node->constant))
				return false;
			if (node->width == 0)
				least += node->constant.bytes.size;
			break;
		case ROWSER_ENCODING_DICTIONARY:
			if (node->shape == ROWSER_SHAPE_BOOL)
				return fail(context, "A node has an impossible encoding");
			if (!rowser_cursor_count(context.cursor, nonnull, &node->nentries,
									 "A dictionary has more entries than values"))
				return false;
			if (node->nentries == 0)
				return fail(context, "A dictionary has no entries");
			if (!block_read(context, &node->data) ||
				!plain_size_check(context, &node->data, node->width,
								  node->nentries) ||
				!node_integers_read(context, node, 1, nonnull))
				return false;
			break;
		default:
			return rowser_cursor_fail(context.cursor, ROWSER_FAULT_UNSUPPORTED,
									  "A node has an encoding that this version does not read");
	}

	node->limit = plain_limit(context, from);
	if (nonnull * least > node->limit)
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
	node->children = alloc_zeroed(1, sizeof(RowserNode));
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
	*nodes = alloc_zeroed(nfields, sizeof(RowserNode));
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

	if (!rowser_cursor_count(context.cursor, nonnull, &node->nshapes,
							 "Records have more shapes than values"))
		return false;
	/* A shape takes two bytes at least. */
	if (node->nshapes == 0 ||
		node->nshapes > rowser_cursor_left(context.cursor) / 2)
		return fail(context, "Records have an impossible number of shapes");
	node->shapes = alloc_zeroed(node->nshapes, sizeof(RowserRecordShape));
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
	if (node->nvalues > plain_limit(context, from))
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
				 const RowserType *type, uint32 nvalues, RowserNode *node)
{
	NodeContext context = {cursor, body_offset, false, 0};

	memset(node, 0, sizeof(*node));
	return node_read(context, type, nvalues, node);
}
