/*-------------------------------------------------------------------------
 *
 * group_blocks.h
 *	  What the blocks of a row group are, going by its header alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_GROUP_BLOCKS_H
#define ROWSER_BYTES_GROUP_BLOCKS_H

#include "bytes/group.h"

/* The methods that compress a group's blocks, as bits 1 << method. */
extern uint32 rowser_group_methods(const RowserGroup *group);

/* The bytes that the compressed blocks of one column decompress to. */
extern uint64 rowser_group_column_decompressed(const RowserGroup *group,
											   uint32 column);

#endif							/* ROWSER_BYTES_GROUP_BLOCKS_H */
