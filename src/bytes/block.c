/*-------------------------------------------------------------------------
 *
 * block.c
 *	  Blocks: runs of bytes in a group's body, compressed where it pays
 *	  (rowset_format.md, section 4.1).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/block.h"
#include "bytes/memory.h"

/* A block smaller than this is not worth a codec's call. */
#define COMPRESS_MIN_SIZE 64

/* Blocks from this size on are compressed only if a sample of them is. */
#define SAMPLE_MIN_SIZE 16384
#define SAMPLE_SIZE		4096

#define METHOD_BITS 2

/*
 * Whether a sample from the middle of many bytes compresses; bytes that don't
 * are common (they were packed before) and cost as much as those that do.
 */
static bool
sample_compresses(RowserBuffer *body, RowserCompression compression,
				  const uint8 *bytes, size_t size)
{
	size_t		capacity = SAMPLE_SIZE - SAMPLE_SIZE / 8;

	if (size < SAMPLE_MIN_SIZE)
		return true;
	if (!rowser_buffer_reserve(body, capacity))
		return false;
	return rowser_compress(compression, bytes + (size - SAMPLE_SIZE) / 2,
						   SAMPLE_SIZE, body->bytes + body->size,
						   capacity) > 0;
}

/*
 * Try to append the bytes in compressed form.  The limit on the ratio is the
 * reader's defence against bombs, so what shrinks further stays as it is.
 */
static size_t
append_compressed(RowserBuffer *body, RowserCompression compression,
				  const void *bytes, size_t size)
{
	size_t		capacity = size - size / 8;
	size_t		stored;

	if (compression.method == ROWSER_METHOD_NONE || size < COMPRESS_MIN_SIZE)
		return 0;
	/* what doesn't fit raw may still fit compressed */
	capacity = Min(capacity, body->limit - body->size);
	if (!sample_compresses(body, compression, bytes, size) ||
		!rowser_buffer_reserve(body, capacity))
		return 0;
	stored = rowser_compress(compression, bytes, size,
							 body->bytes + body->size, capacity);
	if (stored == 0 || size > stored * ROWSER_BLOCK_MAX_RATIO)
		return 0;
	body->size += stored;
	return stored;
}

void
rowser_block_write(RowserBuffer *header, RowserBuffer *body,
				   RowserCompression compression,
				   const void *bytes, size_t size)
{
	size_t		stored;

	if (size > ROWSER_BLOCK_MAX_SIZE)
	{
		body->overflowed = true;
		return;
	}
	stored = append_compressed(body, compression, bytes, size);
	if (stored == 0)
	{
		rowser_buffer_varuint(header, (uint64) size << METHOD_BITS);
		rowser_buffer_bytes(body, bytes, size);
	}
	else
	{
		rowser_buffer_varuint(header, ((uint64) size << METHOD_BITS) |
							  compression.method);
		rowser_buffer_varuint(header, stored);
	}
}

bool
rowser_block_read(RowserCursor *cursor, uint64 *body_offset,
				  RowserBlock *block)
{
	uint64		code;
	uint32		method;

	if (!rowser_cursor_varuint(cursor, &code))
		return false;
	if (code >> METHOD_BITS > ROWSER_BLOCK_MAX_SIZE)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A block is too large");
	method = code & ((1 << METHOD_BITS) - 1);
	block->raw_size = (uint32) (code >> METHOD_BITS);
	if (method > ROWSER_METHOD_LAST)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A block has an unknown compression method");
	block->method = (RowserMethod) method;
	if (block->method == ROWSER_METHOD_NONE)
		block->stored_size = block->raw_size;
	else
	{
		if (!rowser_cursor_count(cursor, ROWSER_BLOCK_MAX_SIZE,
								 &block->stored_size, "A block is too large"))
			return false;
		if (block->raw_size == 0 ||
			block->raw_size >
			(uint64) block->stored_size * ROWSER_BLOCK_MAX_RATIO)
			return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
									  "A block's sizes do not fit each other");
		if (!rowser_method_is_built(block->method))
			return rowser_cursor_fail(cursor, ROWSER_FAULT_UNSUPPORTED,
									  block->method == ROWSER_METHOD_LZ4 ?
									  "This build has no LZ4 compression" :
									  "This build has no zstd compression");
	}
	block->body_offset = *body_offset;
	*body_offset += block->stored_size;
	return true;
}

bool
rowser_block_open(const RowserBlock *block, const uint8 *body,
				  size_t alignment, RowserCursor *at,
				  const uint8 **bytes, uint8 **owned)
{
	const uint8 *stored = body + block->body_offset;

	*owned = NULL;
	if (block->method == ROWSER_METHOD_NONE &&
		((uintptr_t) stored) % alignment == 0)
	{
		*bytes = stored;
		return true;
	}
	*owned = rowser_memory_alloc(Max(block->raw_size, 1));
	*bytes = *owned;
	if (!rowser_decompress(block->method, stored, block->stored_size,
						   *owned, block->raw_size))
	{
		at->next = stored;
		return rowser_cursor_fail(at, ROWSER_FAULT_INVALID,
								  "A block does not decompress");
	}
	return true;
}
