/*-------------------------------------------------------------------------
 *
 * lz4_frame.h
 *	  LZ4 frames, made and read in steps between which the host may interrupt.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_LZ4_FRAME_H
#define ROWSER_BYTES_LZ4_FRAME_H

#include "c.h"

/* The most bytes that a frame of `size` bytes can take */
extern size_t rowser_lz4_frame_bound(size_t size);

/*
 * Compress `size` bytes at liblz4's default level into one frame at `to`,
 * which has room for rowser_lz4_frame_bound() bytes.  Returns how many bytes
 * it took.
 */
extern size_t rowser_lz4_frame_compress(const uint8 *from, size_t size,
										uint8 *to);

/*
 * Decompress one frame of exactly `stored_size` bytes, by whoever made, into
 * exactly `raw_size` bytes at `to`; false when the bytes are not such a frame.
 */
extern bool rowser_lz4_frame_decompress(const uint8 *from, size_t stored_size,
										uint8 *to, size_t raw_size);

#endif							/* ROWSER_BYTES_LZ4_FRAME_H */
