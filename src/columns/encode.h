/*-------------------------------------------------------------------------
 *
 * encode.h
 *	  Writing a column vector as a node of a row group.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_ENCODE_H
#define ROWSER_COLUMNS_ENCODE_H

#include "columns/vector.h"

/*
 * Append a vector's node to `nodes` and its blocks to `body`; either may
 * overflow.  The vector must be reset before it is used again.  Uses and leaves
 * memory in the current context.
 */
extern void rowser_vector_encode(RowserVector *vector,
								 RowserCompression compression,
								 RowserBuffer *nodes, RowserBuffer *body);

#endif							/* ROWSER_COLUMNS_ENCODE_H */
