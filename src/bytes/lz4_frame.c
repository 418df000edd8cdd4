/*-------------------------------------------------------------------------
 *
 * lz4_frame.c
 *	  LZ4 frames, made in steps between which the host may interrupt.
 *
 * Blocks are independent of one another and of a size that every decoder has
 * room for.  The frame says how large its content is.
 *
 * liblz4's memory is malloc's, so it is freed before the host interrupts.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/lz4_frame.h"
#include "bytes/memory.h"

#ifdef ROWSER_WITH_LZ4
#include <lz4frame.h>

/* Bytes of a step: some milliseconds; a multiple of the size of a block */
#define COMPRESS_STEP	((size_t) 4 * 1024 * 1024)

/* How a frame is made; what is given to it is compressed at once. */
static LZ4F_preferences_t
frame_preferences(size_t size)
{
	LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;

	preferences.frameInfo.blockSizeID = LZ4F_max256KB;
	preferences.frameInfo.blockMode = LZ4F_blockIndependent;
	preferences.frameInfo.contentSize = size;
	preferences.autoFlush = 1;
	return preferences;
}

size_t
rowser_lz4_frame_bound(size_t size)
{
	LZ4F_preferences_t preferences = frame_preferences(size);

	return LZ4F_compressFrameBound(size, &preferences);
}

static void
free_compressor(void *compressor)
{
	LZ4F_freeCompressionContext(compressor);
}

/*
 * What liblz4 has written; with room enough, only a lack of memory can have
 * kept it from that.
 */
static size_t
check(LZ4F_cctx *compressor, size_t result)
{
	if (LZ4F_isError(result))
	{
		free_compressor(compressor);
		rowser_memory_exhausted();
	}
	return result;
}

size_t
rowser_lz4_frame_compress(const uint8 *from, size_t size, uint8 *to)
{
	LZ4F_preferences_t preferences = frame_preferences(size);
	size_t		capacity = rowser_lz4_frame_bound(size);
	size_t		stored;
	LZ4F_cctx  *compressor;

	if (LZ4F_isError(LZ4F_createCompressionContext(&compressor,
												   LZ4F_VERSION)))
		rowser_memory_exhausted();
	stored = check(compressor, LZ4F_compressBegin(compressor, to, capacity,
												  &preferences));
	for (size_t done = 0; done < size;)
	{
		size_t		step = Min(size - done, COMPRESS_STEP);

		stored += check(compressor,
						LZ4F_compressUpdate(compressor, to + stored,
											capacity - stored, from + done,
											step, NULL));
		done += step;
		rowser_memory_interrupt_after(free_compressor, compressor);
	}
	stored += check(compressor, LZ4F_compressEnd(compressor, to + stored,
												 capacity - stored, NULL));
	free_compressor(compressor);
	return stored;
}
#endif							/* ROWSER_WITH_LZ4 */
