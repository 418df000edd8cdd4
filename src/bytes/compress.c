/*-------------------------------------------------------------------------
 *
 * compress.c
 *	  The block compression methods: one LZ4 block, or one zstd frame.
 *
 * Nothing here keeps state or holds memory after it returns.  A library that
 * gets no memory is no sign that bytes are damaged or don't compress, so that
 * fails as an allocation of our own does.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#ifdef ROWSER_WITH_LZ4
#include <lz4.h>
#endif
#ifdef ROWSER_WITH_ZSTD
#include <zstd.h>
#endif

#include "bytes/compress.h"
#include "bytes/lz4.h"
#include "bytes/zstd.h"

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
			return rowser_lz4_compress(compression.level, from, size, to,
									   capacity);
#else
			break;
#endif
		case ROWSER_METHOD_ZSTD:
#ifdef ROWSER_WITH_ZSTD
			return rowser_zstd_compress(compression.level > 0 ?
										compression.level :
										ZSTD_CLEVEL_DEFAULT,
										from, size, to, capacity);
#else
			break;
#endif
	}
	return 0;
}

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
			return rowser_zstd_decompress(from, stored_size, to, raw_size);
#else
			break;
#endif
	}
	return false;
}
