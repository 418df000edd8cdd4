/*-------------------------------------------------------------------------
 *
 * buffer.c
 *	  Bytes that grow, and the writing of the format's primitives.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/buffer.h"
#include "bytes/memory.h"

void
rowser_buffer_init(RowserBuffer *buffer, size_t capacity, size_t limit)
{
	Assert(capacity > 0 && limit > 0);
	capacity = Min(capacity, limit);
	buffer->bytes = rowser_memory_alloc(capacity);
	buffer->size = 0;
	buffer->capacity = capacity;
	buffer->limit = limit;
	buffer->overflowed = false;
}

void
rowser_buffer_free(RowserBuffer *buffer)
{
	rowser_memory_free(buffer->bytes);
	buffer->bytes = NULL;
	buffer->size = buffer->capacity = 0;
}

/*
 * Grow by half, not by doubling: what a finished rowset needs beside its own
 * bytes stays below them.
 */
bool
rowser_buffer_enlarge(RowserBuffer *buffer, size_t size)
{
	size_t		capacity;

	if (size > buffer->limit - buffer->size)
	{
		buffer->overflowed = true;
		return false;
	}
	capacity = buffer->capacity + buffer->capacity / 2;
	if (capacity < buffer->size + size)
		capacity = buffer->size + size;
	if (capacity > buffer->limit)
		capacity = buffer->limit;
	buffer->bytes = rowser_memory_realloc(buffer->bytes, capacity);
	buffer->capacity = capacity;
	return true;
}

void
rowser_buffer_bytes(RowserBuffer *buffer, const void *bytes, size_t size)
{
	if (size == 0 || !rowser_buffer_reserve(buffer, size))
		return;
	memcpy(buffer->bytes + buffer->size, bytes, size);
	buffer->size += size;
}

void
rowser_buffer_zeros(RowserBuffer *buffer, size_t size)
{
	if (!rowser_buffer_reserve(buffer, size))
		return;
	memset(buffer->bytes + buffer->size, 0, size);
	buffer->size += size;
}

/* How many bytes rowser_buffer_varuint() writes */
size_t
rowser_varuint_size(uint64 value)
{
	size_t		size = 1;

	for (; value >= 0x80; value >>= 7)
		size++;
	return size;
}

void
rowser_buffer_varuint(RowserBuffer *buffer, uint64 value)
{
	while (value > 0x7F)
	{
		rowser_buffer_u8(buffer, (uint8) (value | 0x80));
		value >>= 7;
	}
	rowser_buffer_u8(buffer, (uint8) value);
}

void
rowser_buffer_varint(RowserBuffer *buffer, int64 value)
{
	rowser_buffer_varuint(buffer,
						  ((uint64) value << 1) ^ (uint64) (value >> 63));
}

void
rowser_buffer_string(RowserBuffer *buffer, const void *bytes, size_t size)
{
	rowser_buffer_varuint(buffer, size);
	rowser_buffer_bytes(buffer, bytes, size);
}
