/*-------------------------------------------------------------------------
 *
 * compress.c
 *	  The block compression methods: one LZ4 block, or one zstd frame.
 *
 * Nothing here keeps state or holds memory after it returns.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#ifdef ROWSER_WITH_LZ4
#include <lz4.h>
#include <lz4hc.h>
#endif
#ifdef ROWSER_WITH_ZSTD
#include <zstd.h>
#endif

#include "bytes/compress.h"

bool
rowser_method_is_built(RowserMethod method)
{
	switch (method)
	{
		case ROWSER_METHOD_NONE:
			return true;
		case ROWSER_METHOD_LZ4:
#ifdef ROWSER_WITH_LZ4
			return true;
#else
			return false;
#endif
		case ROWSER_METHOD_ZSTD:
#ifdef ROWSER_WITH_ZSTD
			return true;
#else
			return false;
#endif
	}
	return false;
}

const char *
rowser_method_name(RowserMethod method)
{
	switch (method)
	{
		case ROWSER_METHOD_NONE:
			return "none";
		case ROWSER_METHOD_LZ4:
			return "lz4";
		case ROWSER_METHOD_ZSTD:
			return "zstd";
	}
	return NULL;
}

#ifdef ROWSER_WITH_LZ4
static size_t
compress_lz4(int level, const uint8 *from, size_t size,
			 uint8 *to, size_t capacity)
{
	int			stored;

	if (level < LZ4HC_CLEVEL_MIN)
		stored = LZ4_compress_default((const char *) from, (char *) to,
									  (int) size, (int) capacity);
	else
		stored = LZ4_compress_HC((const char *) from, (char *) to,
								 (int) size, (int) capacity,
								 Min(level, LZ4HC_CLEVEL_MAX));
	return stored > 0 ? (size_t) stored : 0;
}
#endif

size_t
rowser_compress(RowserCompression compression, const uint8 *from, size_t size,
				uint8 *to, size_t capacity)
{
	switch (compression.method)
	{
		case ROWSER_METHOD_NONE:
			break;
		case ROWSER_METHOD_LZ4:
#ifdef ROWSER_WITH_LZ4
			return compress_lz4(compression.level, from, size, to, capacity);
#else
			break;
#endif
		case ROWSER_METHOD_ZSTD:
#ifdef ROWSER_WITH_ZSTD
			{
				size_t		stored;
				int			level = compression.level;

				if (level == 0)
					level = ZSTD_CLEVEL_DEFAULT;
				stored = ZSTD_compress(to, capacity, from, size, level);
				return ZSTD_isError(stored) ? 0 : stored;
			}
#else
			break;
#endif
	}
	return 0;
}

#ifdef ROWSER_WITH_ZSTD
/*
 * ZSTD_decompress() by itself would take several frames one after the other
 * and skip skippable ones, so ask for one that fills the bytes and names its
 * size.
 */
static bool
decompress_zstd(const uint8 *from, size_t stored_size,
				uint8 *to, size_t raw_size)
{
	if (ZSTD_findFrameCompressedSize(from, stored_size) != stored_size ||
		ZSTD_getFrameContentSize(from, stored_size) != raw_size ||
		ZSTD_getDictID_fromFrame(from, stored_size) != 0)
		return false;
	return ZSTD_decompress(to, raw_size, from, stored_size) == raw_size;
}
#endif

bool
rowser_decompress(RowserMethod method, const uint8 *from, size_t stored_size,
				  uint8 *to, size_t raw_size)
{
	switch (method)
	{
		case ROWSER_METHOD_NONE:
			if (stored_size != raw_size)
				return false;
			memcpy(to, from, raw_size);
			return true;
		case ROWSER_METHOD_LZ4:
#ifdef ROWSER_WITH_LZ4
			return LZ4_decompress_safe((const char *) from, (char *) to,
									   (int) stored_size,
									   (int) raw_size) == (int) raw_size;
#else
			break;
#endif
		case ROWSER_METHOD_ZSTD:
#ifdef ROWSER_WITH_ZSTD
			return decompress_zstd(from, stored_size, to, raw_size);
#else
			break;
#endif
	}
	return false;
}
