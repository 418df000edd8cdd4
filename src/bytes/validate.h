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

#endif							/* ROWSER_BYTES_VALIDATE_H */
