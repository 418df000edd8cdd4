/*-------------------------------------------------------------------------
 *
 * node.h
 *	  Reading one node of a group's header (rowset_format.md, sections 6, 7).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_NODE_H
#define ROWSER_BYTES_NODE_H

#include "bytes/group.h"

/*
 * Read the node of `nvalues` values of a type.  *body_offset moves past the
 * blocks that it names, and *nnodes grows by the nodes that it consists of.
 */
extern bool rowser_node_read(RowserCursor *cursor, uint64 *body_offset,
							 const RowserType *type, uint32 nvalues,
							 RowserNode *node, uint32 *nnodes);

#endif							/* ROWSER_BYTES_NODE_H */
