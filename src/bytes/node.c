/*-------------------------------------------------------------------------
 *
 * node.c
 *	  Reading one node of a group's header (rowset_format.md, sections 6, 7).
 *
 * What is checked here needs the header only: that counts are such as the
 * bytes can hold, that every block has the size that its values need, and
 * that values inside arrays don't multiply (section 6.6).  Scalars and integers
 * are in node_scalar.c.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/memory.h"
#include "bytes/node_internal.h"

/* Read a number of values that stand in a node below this one. */
static bool
nvalues_read(RowserNodeContext context, uint32 *nvalues)
{
	return rowser_cursor_count(context.cursor, ROWSER_NODE_MAX_VALUES, nvalues,
							   "A node has too many values");
}

static bool
block_read(RowserNodeContext context, RowserBlock *block)
{
	return rowser_block_read(context.cursor, context.body_offset, block);
}

/* ----------------------------------------------------------------
 *		Nested values
 * ----------------------------------------------------------------
 */

/* Read one child node that stands below integers. */
static bool
child_read(RowserNodeContext context, const RowserType *type, RowserNode *node)
{
	uint32		nvalues;

	if (!nvalues_read(context, &nvalues))
		return false;
	node->nchildren = 1;
	node->children = rowser_memory_alloc_array(1, sizeof(RowserNode));
	return rowser_node_read_at(context, type, nvalues, node->children);
}

static bool
array_read(RowserNodeContext context, const RowserType *type, RowserNode *node)
{
	uint32		nonnull = rowser_node_nonnull(node);

	if (!rowser_cursor_u8(context.cursor, &node->array_form))
		return false;
	if (node->array_form > 1)
		return rowser_node_fail(context, "Arrays have an unknown form");
	if (!rowser_node_integers(context, node, node->array_form == 0 ? 1 : 3,
							nonnull))
		return false;
	if (node->array_form == 1)
	{
		uint32		ndimensions;

		if (!nvalues_read(context, &ndimensions))
			return false;
		if (ndimensions > (uint64) nonnull * ROWSER_MAX_DIMENSIONS)
			return rowser_node_fail(context, "Arrays have too many dimensions");
		if (!rowser_node_integers_at(context, ndimensions, &node->integers[1]) ||
			!rowser_node_integers_at(context, ndimensions, &node->integers[2]))
			return false;
	}
	context.in_array = true;
	return child_read(context, type->child, node);
}

static bool
range_read(RowserNodeContext context, const RowserType *type, RowserNode *node)
{
	if (!rowser_node_integers(context, node, 1, rowser_node_nonnull(node)) ||
		!child_read(context, type->child, node))
		return false;
	if (node->children[0].nnulls > 0)
		return rowser_node_fail(context, "A range's bounds are NULL");
	if (node->children[0].nvalues > 2 * (uint64) rowser_node_nonnull(node))
		return rowser_node_fail(context, "Ranges have too many bounds");
	return true;
}

static bool
multirange_read(RowserNodeContext context, const RowserType *type, RowserNode *node)
{
	if (!rowser_node_integers(context, node, 1, rowser_node_nonnull(node)))
		return false;
	context.in_array = true;
	if (!child_read(context, type->child, node))
		return false;
	if (node->children[0].nnulls > 0)
		return rowser_node_fail(context, "A multirange's ranges are NULL");
	return true;
}

/* Read one node a field, each with as many values. */
static bool
fields_nodes_read(RowserNodeContext context, const RowserField *fields,
				  uint32 nfields, uint32 nvalues, RowserNode **nodes)
{
	/* Each node takes a byte at least. */
	if (nfields > rowser_cursor_left(context.cursor))
		return rowser_node_fail(context, "The bytes end too early");
	*nodes = rowser_memory_alloc_array(nfields, sizeof(RowserNode));
	for (uint32 i = 0; i < nfields; i++)
	{
		if (!rowser_node_read_at(context, &fields[i].type, nvalues, &(*nodes)[i]))
			return false;
	}
	return true;
}

static bool
composite_read(RowserNodeContext context, const RowserType *type, RowserNode *node)
{
	if (type->nfields == 0 && context.in_array)
		return rowser_node_fail(context, "An array's elements have no fields");
	node->nchildren = type->nfields;
	return fields_nodes_read(context, type->fields, type->nfields,
							 rowser_node_nonnull(node), &node->children);
}

static bool
record_read(RowserNodeContext context, RowserNode *node)
{
	uint32		nonnull = rowser_node_nonnull(node);
	uint64		total = 0;

	if (!rowser_cursor_count(context.cursor, Min(nonnull, ROWSER_MAX_SHAPES),
							 &node->nshapes, "Records have too many shapes"))
		return false;
	/* A shape takes two bytes at least. */
	if (node->nshapes == 0 ||
		node->nshapes > rowser_cursor_left(context.cursor) / 2)
		return rowser_node_fail(context, "Records have an impossible number of shapes");
	node->shapes = rowser_memory_alloc_array(node->nshapes, sizeof(RowserRecordShape));
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		RowserRecordShape *shape = &node->shapes[i];

		if (!rowser_fields_read(context.cursor, context.depth + 1,
								&shape->fields, &shape->nfields) ||
			!nvalues_read(context, &shape->nvalues))
			return false;
		if (shape->nvalues == 0)
			return rowser_node_fail(context, "A record's shape has no values");
		total += shape->nvalues;
	}
	if (total != nonnull)
		return rowser_node_fail(context, "A record's shapes do not add up to its values");

	if ((node->nshapes > 1 || context.in_array) &&
		!rowser_node_integers(context, node, 1, nonnull))
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
nulls_read(RowserNodeContext context, RowserNode *node)
{
	uint64		from = *context.body_offset;

	if (!rowser_cursor_count(context.cursor, node->nvalues, &node->nnulls,
							 "There are more NULLs than values"))
		return false;
	if (node->nnulls == 0)
		return rowser_node_fail(context, "A node says that it has NULLs and has none");
	if (node->nnulls == node->nvalues && !context.in_array)
		return true;
	if (!block_read(context, &node->nulls))
		return false;
	if (node->nulls.raw_size != (node->nvalues + UINT64CONST(7)) / 8)
		return rowser_node_fail(context, "A NULL bitmap's size is not that of its values");
	if (node->nvalues * ROWSER_BOUND_VALUE > rowser_node_limit(context, from))
		return rowser_node_fail(context, "Too few bytes stand for too many NULLs");
	return true;
}

/* Shapes whose smallest and largest value may stand in the header */
static bool
shape_has_minmax(RowserShape shape)
{
	return shape >= ROWSER_SHAPE_INT1 && shape <= ROWSER_SHAPE_BYTES;
}

bool
rowser_node_read_at(RowserNodeContext context, const RowserType *type, uint32 nvalues,
		  RowserNode *node)
{
	uint64		from;
	uint8		code;

	/*
	 * Types in the header are no deeper than this; the limit is for records,
	 * whose fields are described here.
	 */
	if (++context.depth > ROWSER_MAX_TYPE_DEPTH)
		return rowser_node_fail(context, "Types are nested too deep");
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
		return rowser_node_fail(context, "A node has an unknown code");
	node->encoding = (RowserEncoding) (code & ROWSER_NODE_ENCODING_MASK);
	if ((code & ROWSER_NODE_HAS_NULLS) && !nulls_read(context, node))
		return false;
	if (rowser_node_nonnull(node) == 0)
	{
		if (node->encoding != ROWSER_ENCODING_PLAIN ||
			(code & ROWSER_NODE_HAS_MINMAX))
			return rowser_node_fail(context, "A node without values says more");
		return true;
	}

	from = *context.body_offset;
	if (code & ROWSER_NODE_HAS_MINMAX)
	{
		if (!shape_has_minmax(node->shape))
			return rowser_node_fail(context, "A node has bounds that its type has not");
		node->has_minmax = true;
		if (!rowser_node_inline(context, node, &node->least) ||
			!rowser_node_inline(context, node, &node->greatest))
			return false;
		if (rowser_shape_is_integer(node->shape) &&
			node->least.integer > node->greatest.integer &&
			node->width < sizeof(int32))
			return rowser_node_fail(context, "A node's bounds are the wrong way round");
	}
	if (rowser_shape_is_scalar(node->shape))
		return rowser_node_scalar(context, node, from);

	if (node->encoding != ROWSER_ENCODING_PLAIN)
		return rowser_node_fail(context, "A nested node has an encoding");
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
	RowserNodeContext context = {cursor, body_offset, false, 0, nnodes};

	memset(node, 0, sizeof(*node));
	return rowser_node_read_at(context, type, nvalues, node);
}
