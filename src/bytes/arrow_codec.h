/*-------------------------------------------------------------------------
 *
 * arrow_codec.h
 *	  The codecs of an Arrow message's buffers, and reading what they made.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_ARROW_CODEC_H
#define ROWSER_BYTES_ARROW_CODEC_H

#include "bytes/arrow.h"

/* Whether this build has a codec, and what users call it. */
extern bool rowser_arrow_codec_is_built(RowserArrowCodec codec);
extern const char *rowser_arrow_codec_name(RowserArrowCodec codec);

/*
 * Decompress a buffer of exactly `stored_size` bytes into exactly `raw_size`
 * bytes at `to`; false when the bytes are not such a buffer.
 */
extern bool rowser_arrow_decompress(RowserArrowCodec codec,
									const uint8 *from, size_t stored_size,
									uint8 *to, size_t raw_size);

/* The most that so many bytes can become when they are decompressed */
extern uint64 rowser_arrow_codec_bound(RowserArrowCodec codec,
									   uint64 stored_size);

#endif							/* ROWSER_BYTES_ARROW_CODEC_H */
