/*-------------------------------------------------------------------------
 *
 * zstd.c
 *	  zstd frames, made and read in steps between which the host may interrupt.
 *
 * At its highest levels, zstd takes a second for a megabyte or two; a call for
 * a value of 10 MB would be deaf to a cancel for all that time.  So what takes
 * long goes through zstd's streaming calls, a step at a time.  The size of the
 * steps depends on the level and on nothing else, so that the same bytes are
 * always made.
 *
 * zstd's memory is malloc's, so it is freed before the host interrupts.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/memory.h"
#include "bytes/zstd.h"

#ifdef ROWSER_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

/* Bytes to decompress that are not worth a step */
#define DECOMPRESS_AT_ONCE	((size_t) 64 * 1024 * 1024)

/* Stored bytes of a step of decompression: some milliseconds, as a rule */
#define DECOMPRESS_STEP		((size_t) 1024 * 1024)

/* Whether a call of zstd went well, which lack of memory is no answer to. */
static bool
succeeded(size_t result)
{
	if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
		rowser_memory_exhausted();
	return !ZSTD_isError(result);
}

/* ----------------------------------------------------------------
 *		Compression
 * ----------------------------------------------------------------
 */

/* Bytes that a level compresses in well under 200 ms */
static size_t
compress_step(int level)
{
	if (level <= 6)
		return 4 * 1024 * 1024;
	if (level <= 12)
		return 1024 * 1024;
	return 128 * 1024;
}

static void
free_compressor(void *compressor)
{
	ZSTD_freeCCtx(compressor);
}

/*
 * Take input up to in->size.  Returns 0, or more when the output is full, or an
 * error of zstd's.
 */
static size_t
compress_input(ZSTD_CCtx *compressor, ZSTD_outBuffer *out, ZSTD_inBuffer *in,
			   bool is_last)
{
	size_t		left;

	do
	{
		left = ZSTD_compressStream2(compressor, out, in,
									is_last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return left;
		if (!is_last)
			left = in->size - in->pos;
	} while (left > 0 && out->pos < out->size);
	return left;
}

/* Returns how many bytes it took, 0 if they don't fit, or an error of zstd's. */
static size_t
compress_in_steps(ZSTD_CCtx *compressor, int level, const uint8 *from,
				  size_t size, uint8 *to, size_t capacity)
{
	ZSTD_inBuffer in = {from, 0, 0};
	ZSTD_outBuffer out = {to, capacity, 0};
	size_t		left;

	left = ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, level);
	if (!ZSTD_isError(left))
		left = ZSTD_CCtx_setPledgedSrcSize(compressor, size);
	if (ZSTD_isError(left))
		return left;
	while (in.size < size)
	{
		in.size += Min(size - in.size, compress_step(level));
		left = compress_input(compressor, &out, &in, in.size == size);
		if (left > 0)
			return ZSTD_isError(left) ? left : 0;
		rowser_memory_interrupt_after(free_compressor, compressor);
	}
	return out.pos;
}

size_t
rowser_zstd_compress(int level, const uint8 *from, size_t size,
					 uint8 *to, size_t capacity)
{
	ZSTD_CCtx  *compressor;
	size_t		stored;

	if (size <= compress_step(level))
	{
		stored = ZSTD_compress(to, capacity, from, size, level);
		return succeeded(stored) ? stored : 0;
	}
	compressor = ZSTD_createCCtx();
	if (compressor == NULL)
		rowser_memory_exhausted();
	stored = compress_in_steps(compressor, level, from, size, to, capacity);
	free_compressor(compressor);
	return succeeded(stored) ? stored : 0;
}

/* ----------------------------------------------------------------
 *		Decompression
 * ----------------------------------------------------------------
 */

static void
free_decompressor(void *decompressor)
{
	ZSTD_freeDCtx(decompressor);
}

/* Returns what ZSTD_decompressStream() returned last: 0 for a whole frame. */
static size_t
decompress_in_steps(ZSTD_DCtx *decompressor, ZSTD_inBuffer *in,
					size_t stored_size, ZSTD_outBuffer *out)
{
	size_t		wanted = 1;
	size_t		before;

	do
	{
		before = in->pos + out->pos;
		in->size = Min(stored_size, in->pos + DECOMPRESS_STEP);
		wanted = ZSTD_decompressStream(decompressor, out, in);
		rowser_memory_interrupt_after(free_decompressor, decompressor);
	} while (wanted > 0 && !ZSTD_isError(wanted) &&
			 in->pos + out->pos > before);
	return wanted;
}

/*
 * ZSTD_decompress() by itself would take several frames one after the other
 * and skip skippable ones, so ask for one that fills the bytes.
 */
static bool
is_one_frame(const uint8 *from, size_t stored_size)
{
	return ZSTD_findFrameCompressedSize(from, stored_size) == stored_size &&
		ZSTD_getDictID_fromFrame(from, stored_size) == 0;
}

static bool
decompress_frame(const uint8 *from, size_t stored_size,
				 uint8 *to, size_t raw_size)
{
	ZSTD_inBuffer in = {from, 0, 0};
	ZSTD_outBuffer out = {to, raw_size, 0};
	ZSTD_DCtx  *decompressor;
	size_t		result;

	if (raw_size > DECOMPRESS_AT_ONCE)
	{
		decompressor = ZSTD_createDCtx();
		if (decompressor == NULL)
			rowser_memory_exhausted();
		result = decompress_in_steps(decompressor, &in, stored_size, &out);
		free_decompressor(decompressor);

		/* but what takes more memory beside its output than is sensible */
		if (ZSTD_getErrorCode(result) !=
			ZSTD_error_frameParameter_windowTooLarge)
			return succeeded(result) && result == 0 &&
				in.pos == stored_size && out.pos == raw_size;
	}
	result = ZSTD_decompress(to, raw_size, from, stored_size);
	return succeeded(result) && result == raw_size;
}

bool
rowser_zstd_decompress(const uint8 *from, size_t stored_size,
					   uint8 *to, size_t raw_size)
{
	return is_one_frame(from, stored_size) &&
		ZSTD_getFrameContentSize(from, stored_size) == raw_size &&
		decompress_frame(from, stored_size, to, raw_size);
}

bool
rowser_zstd_decompress_unsized(const uint8 *from, size_t stored_size,
							   uint8 *to, size_t raw_size)
{
	unsigned long long size = ZSTD_getFrameContentSize(from, stored_size);

	return is_one_frame(from, stored_size) &&
		(size == raw_size || size == ZSTD_CONTENTSIZE_UNKNOWN) &&
		decompress_frame(from, stored_size, to, raw_size);
}
#endif							/* ROWSER_WITH_ZSTD */
