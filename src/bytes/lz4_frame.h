/*-------------------------------------------------------------------------
 *
 * lz4_frame.h
 *	  LZ4 frames, made in steps between which the host may interrupt.
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

#endif							/* ROWSER_BYTES_LZ4_FRAME_H */
