/*-------------------------------------------------------------------------
 *
 * arrow_codec.c
 *	  The compression of an Arrow message's buffers: one LZ4 frame, or one zstd
 *	  frame (Message.fbs, enum CompressionType).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_codec.h"
#include "bytes/compress.h"
#include "bytes/lz4_frame.h"
#include "bytes/zstd.h"

/* LZ4: a byte of a match's length stands for as many at most */
#define LZ4_EXPANSION		255

/* zstd: a block of three bytes' header and one byte is so long at most */
#define ZSTD_EXPANSION		(128 * 1024 / 4)

bool
rowser_arrow_codec_is_built(RowserArrowCodec codec)
{
	switch (codec)
	{
		case ROWSER_ARROW_CODEC_NONE:
			return true;
		case ROWSER_ARROW_CODEC_LZ4_FRAME:
			return rowser_method_is_built(ROWSER_METHOD_LZ4);
		case ROWSER_ARROW_CODEC_ZSTD:
			return rowser_method_is_built(ROWSER_METHOD_ZSTD);
	}
	return false;
}

const char *
rowser_arrow_codec_name(RowserArrowCodec codec)
{
	switch (codec)
	{
		case ROWSER_ARROW_CODEC_NONE:
			return "none";
		case ROWSER_ARROW_CODEC_LZ4_FRAME:
			return "lz4";
		case ROWSER_ARROW_CODEC_ZSTD:
			return "zstd";
	}
	return NULL;
}

uint64
rowser_arrow_codec_bound(RowserArrowCodec codec, uint64 stored_size)
{
	switch (codec)
	{
		case ROWSER_ARROW_CODEC_LZ4_FRAME:
			return stored_size * LZ4_EXPANSION;
		case ROWSER_ARROW_CODEC_ZSTD:
			return stored_size * ZSTD_EXPANSION;
		default:
			return stored_size;
	}
}

bool
rowser_arrow_decompress(RowserArrowCodec codec, const uint8 *from,
						size_t stored_size, uint8 *to, size_t raw_size)
{
	switch (codec)
	{
		case ROWSER_ARROW_CODEC_LZ4_FRAME:
#ifdef ROWSER_WITH_LZ4
			return rowser_lz4_frame_decompress(from, stored_size, to,
											   raw_size);
#else
			break;
#endif
		case ROWSER_ARROW_CODEC_ZSTD:
#ifdef ROWSER_WITH_ZSTD
			return rowser_zstd_decompress_unsized(from, stored_size, to,
												  raw_size);
#else
			break;
#endif
		case ROWSER_ARROW_CODEC_NONE:
			break;
	}
	return false;
}
