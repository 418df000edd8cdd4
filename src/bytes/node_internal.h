/*-------------------------------------------------------------------------
 *
 * node_internal.h
 *	  What node.c and node_scalar.c share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_NODE_INTERNAL_H
#define ROWSER_BYTES_NODE_INTERNAL_H

#include "bytes/node.h"

/* What is common to the nodes of one column while they are read */
typedef struct RowserNodeContext
{
	RowserCursor *cursor;
	uint64	   *body_offset;
	bool		in_array;		/* below an ARRAY or a MULTIRANGE */
	int			depth;			/* of this node in its column */
	uint32	   *nnodes;			/* counts the nodes of the group */
} RowserNodeContext;

static inline bool
rowser_node_fail(RowserNodeContext context, const char *what)
{
	return rowser_cursor_fail(context.cursor, ROWSER_FAULT_INVALID, what);
}

/* Most plain bytes for a node whose blocks begin at this body offset. */
static inline uint64
rowser_node_limit(RowserNodeContext context, uint64 from)
{
	if (!context.in_array)
		return PG_UINT64_MAX;
	return ROWSER_BOUND_RATIO *
		(ROWSER_BOUND_BASE + (*context.body_offset - from));
}

/* Read a node below another one. */
extern bool rowser_node_read_at(RowserNodeContext context,
								const RowserType *type, uint32 nvalues,
								RowserNode *node);

/* Read a value that stands in the header. */
extern bool rowser_node_inline(RowserNodeContext context,
							   const RowserNode *node, RowserInline *value);

/*
 * Read what follows a scalar node's code, NULLs and bounds; its values' blocks
 * begin at body offset `from`.
 */
extern bool rowser_node_scalar(RowserNodeContext context, RowserNode *node,
							   uint64 from);

/*
 * Read `nvalues` integers; or make room for `capacity` streams of a node's
 * integers and read the first of them.
 */
extern bool rowser_node_integers_at(RowserNodeContext context,
									uint32 nvalues, RowserNode *integers);
extern bool rowser_node_integers(RowserNodeContext context, RowserNode *node,
								 uint32 capacity, uint32 nvalues);

#endif							/* ROWSER_BYTES_NODE_INTERNAL_H */
