/*-------------------------------------------------------------------------
 *
 * lz4_frame.c
 *	  LZ4 frames, made and read in steps between which the host may interrupt.
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

/* Raw bytes of a step of decompression: a millisecond, as a rule */
#define DECOMPRESS_STEP	((size_t) 1024 * 1024)

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

/* ----------------------------------------------------------------
 *		Decompression
 * ----------------------------------------------------------------
 */

static void
free_decompressor(void *decompressor)
{
	(void) LZ4F_freeDecompressionContext(decompressor);
}

/*
 * Whether a result of LZ4's is an error for want of memory.  The number of an
 * error is not part of the library's stable interface, its name is.
 */
static bool
is_out_of_memory(size_t result)
{
	return LZ4F_isError(result) &&
		strcmp(LZ4F_getErrorName(result), "ERROR_allocation_failed") == 0;
}

/*
 * Decompress in steps, until the frame is whole, there is no room or nothing
 * left, or an error.  Returns what the last step returned, 0 for a whole frame,
 * and in the sizes how far it came.
 */
static size_t
decompress_in_steps(LZ4F_dctx *decompressor, const uint8 *from,
					size_t *stored_size, uint8 *to, size_t *raw_size)
{
	size_t		taken = 0;
	size_t		made = 0;
	size_t		source_size;
	size_t		target_size;
	size_t		wanted;

	do
	{
		source_size = *stored_size - taken;
		target_size = Min(*raw_size - made, DECOMPRESS_STEP);
		wanted = LZ4F_decompress(decompressor, to + made, &target_size,
								 from + taken, &source_size, NULL);
		if (LZ4F_isError(wanted))
			break;
		taken += source_size;
		made += target_size;
		rowser_memory_interrupt_after(free_decompressor, decompressor);
	} while (wanted > 0 && source_size + target_size > 0);
	*stored_size = taken;
	*raw_size = made;
	return wanted;
}

bool
rowser_lz4_frame_decompress(const uint8 *from, size_t stored_size,
							uint8 *to, size_t raw_size)
{
	LZ4F_dctx  *decompressor;
	size_t		taken = stored_size;
	size_t		made = raw_size;
	size_t		result;

	if (LZ4F_isError(LZ4F_createDecompressionContext(&decompressor,
													 LZ4F_VERSION)))
		rowser_memory_exhausted();
	result = decompress_in_steps(decompressor, from, &taken, to, &made);
	free_decompressor(decompressor);
	if (is_out_of_memory(result))
		rowser_memory_exhausted();
	return result == 0 && taken == stored_size && made == raw_size;
}
#endif							/* ROWSER_WITH_LZ4 */
