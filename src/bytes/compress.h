/*-------------------------------------------------------------------------
 *
 * compress.h
 *	  The block compression methods.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_COMPRESS_H
#define ROWSER_BYTES_COMPRESS_H

#include "c.h"

/* As written in the bytes; rowset_format.md, section 4.1 */
typedef enum RowserMethod
{
	ROWSER_METHOD_NONE = 0,
	ROWSER_METHOD_LZ4 = 1,
	ROWSER_METHOD_ZSTD = 2
} RowserMethod;

#define ROWSER_METHOD_LAST ROWSER_METHOD_ZSTD

typedef struct RowserCompression
{
	RowserMethod method;
	int			level;			/* 0 is the method's own default */
} RowserCompression;

/* Whether this build has the method, and what users call it. */
extern bool rowser_method_is_built(RowserMethod method);
extern const char *rowser_method_name(RowserMethod method);

/*
 * Compress `size` bytes into at most `capacity` bytes at `to`.  Returns how
 * many it took, 0 if they don't fit.
 */
extern size_t rowser_compress(RowserCompression compression,
							  const uint8 *from, size_t size,
							  uint8 *to, size_t capacity);

/*
 * Decompress exactly `stored_size` bytes into exactly `raw_size` bytes at `to`;
 * false when the bytes are not such a block.
 */
extern bool rowser_decompress(RowserMethod method,
							  const uint8 *from, size_t stored_size,
							  uint8 *to, size_t raw_size);

#endif							/* ROWSER_BYTES_COMPRESS_H */
