/*-------------------------------------------------------------------------
 *
 * checksum.h
 *	  The format's checksum, CRC-32C (rowset_format.md, section 1).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_CHECKSUM_H
#define ROWSER_BYTES_CHECKSUM_H

#include "bytes/cursor.h"

extern uint32 rowser_checksum(const void *bytes, size_t size);

/* Read a checksum that must be that of the bytes from `from` to the cursor. */
extern bool rowser_checksum_check(RowserCursor *cursor, const uint8 *from,
								  const char *what);

#endif							/* ROWSER_BYTES_CHECKSUM_H */
