/*-------------------------------------------------------------------------
 *
 * validate.h
 *	  Checking a row group to its last byte, without knowing its types.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_VALIDATE_H
#define ROWSER_BYTES_VALIDATE_H

#include "bytes/group.h"

/*
 * Check the body of a group whose header has been read: checksums, that blocks
 * decompress and hold as many values as they should, that indexes, lengths
 * and counts fit each other.  What a value means is not looked at.
 */
extern bool rowser_group_validate(const RowserGroup *group, RowserCursor *at);

/* The methods that compress a group's blocks, as bits 1 << method. */
extern uint32 rowser_group_methods(const RowserGroup *group);

/* The bytes that the compressed blocks of one column decompress to. */
extern uint64 rowser_group_column_decompressed(const RowserGroup *group,
											   uint32 column);

#endif							/* ROWSER_BYTES_VALIDATE_H */
