/*-------------------------------------------------------------------------
 *
 * lz4.h
 *	  LZ4 blocks, made in steps between which the host may interrupt.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_LZ4_H
#define ROWSER_BYTES_LZ4_H

#include "c.h"

/*
 * Compress `size` bytes into one block of at most `capacity` bytes at `to`.
 * Returns how many it took, 0 if they don't fit.
 */
extern size_t rowser_lz4_compress(int level, const uint8 *from, size_t size,
								  uint8 *to, size_t capacity);

#endif							/* ROWSER_BYTES_LZ4_H */
