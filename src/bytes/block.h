/*-------------------------------------------------------------------------
 *
 * block.h
 *	  Blocks: runs of bytes in a group's body, compressed where it pays
 *	  (rowset_format.md, section 4.1).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_BLOCK_H
#define ROWSER_BYTES_BLOCK_H

#include "bytes/buffer.h"
#include "bytes/compress.h"
#include "bytes/cursor.h"

/* Raw sizes are below this; a codec can't claim more than this many times
 * what is stored. */
#define ROWSER_BLOCK_MAX_SIZE	0x3FFFFFFF
#define ROWSER_BLOCK_MAX_RATIO	255

typedef struct RowserBlock
{
	uint64		body_offset;	/* where its bytes begin in the body */
	uint32		raw_size;
	uint32		stored_size;
	RowserMethod method;
} RowserBlock;

/*
 * Append `size` bytes to the body, compressed if that makes them smaller by an
 * eighth, and the block's description to the header.  More bytes than a
 * block can hold make the body overflow.
 */
extern void rowser_block_write(RowserBuffer *header, RowserBuffer *body,
							   RowserCompression compression,
							   const void *bytes, size_t size);

/*
 * Read a block's description.  Its bytes begin at *body_offset, which moves
 * past them.
 */
extern bool rowser_block_read(RowserCursor *cursor, uint64 *body_offset,
							  RowserBlock *block);

/*
 * The raw bytes of a block: where they are when stored as they are and either
 * at a multiple of `alignment` or `alignment` is 1, else new memory, which
 * is *owned then, or NULL.  `body` holds the group's body (or at least the
 * block).  Returns false with the fault filled when they don't decompress.
 */
extern bool rowser_block_open(const RowserBlock *block, const uint8 *body,
							  size_t alignment, RowserCursor *at,
							  const uint8 **bytes, uint8 **owned);

#endif							/* ROWSER_BYTES_BLOCK_H */
