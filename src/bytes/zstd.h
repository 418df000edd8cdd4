/*-------------------------------------------------------------------------
 *
 * zstd.h
 *	  zstd frames, made and read in steps between which the host may interrupt.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_ZSTD_H
#define ROWSER_BYTES_ZSTD_H

#include "c.h"

/*
 * Compress `size` bytes into one frame of at most `capacity` bytes at `to`, at
 * a level that is zstd's own.  Returns how many it took, 0 if they don't fit.
 */
extern size_t rowser_zstd_compress(int level, const uint8 *from, size_t size,
								   uint8 *to, size_t capacity);

/*
 * Decompress one frame of exactly `stored_size` bytes into exactly `raw_size`
 * bytes at `to`; false when the bytes are not such a frame.  A frame must name
 * its raw size, which others' writers leave out: the second one takes those, too.
 */
extern bool rowser_zstd_decompress(const uint8 *from, size_t stored_size,
								   uint8 *to, size_t raw_size);
extern bool rowser_zstd_decompress_unsized(const uint8 *from,
										   size_t stored_size,
										   uint8 *to, size_t raw_size);

#endif							/* ROWSER_BYTES_ZSTD_H */
