/*-------------------------------------------------------------------------
 *
 * buffer.h
 *	  Bytes that grow, and the writing of the format's primitives.
 *
 * A buffer's memory comes from rowser_memory_alloc() when it is initialised
 * and is the buffer's until rowser_buffer_free().  A buffer has a limit; going
 * past it sets `overflowed` and drops what does not fit, which the owner must
 * look at before it uses the bytes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_BUFFER_H
#define ROWSER_BYTES_BUFFER_H

#include "c.h"

#include "port/pg_bswap.h"

typedef struct RowserBuffer
{
	uint8	   *bytes;			/* owned */
	size_t		size;			/* bytes written */
	size_t		capacity;
	size_t		limit;			/* most bytes that may be written */
	bool		overflowed;
} RowserBuffer;

/* `capacity` is what it begins with, if the limit isn't less. */
extern void rowser_buffer_init(RowserBuffer *buffer, size_t capacity,
							   size_t limit);
extern void rowser_buffer_free(RowserBuffer *buffer);

/* Make room for `size` more bytes; false, and overflowed, past the limit. */
extern bool rowser_buffer_enlarge(RowserBuffer *buffer, size_t size);

static inline bool
rowser_buffer_reserve(RowserBuffer *buffer, size_t size)
{
	if (likely(size <= buffer->capacity - buffer->size))
		return true;
	return rowser_buffer_enlarge(buffer, size);
}

extern void rowser_buffer_bytes(RowserBuffer *buffer, const void *bytes,
								size_t size);
extern void rowser_buffer_zeros(RowserBuffer *buffer, size_t size);
extern void rowser_buffer_varuint(RowserBuffer *buffer, uint64 value);
extern size_t rowser_varuint_size(uint64 value);
extern void rowser_buffer_varint(RowserBuffer *buffer, int64 value);
extern void rowser_buffer_string(RowserBuffer *buffer, const void *bytes,
								 size_t size);

/* Little-endian numbers; these are what appending a value comes down to */
static inline void
rowser_buffer_u8(RowserBuffer *buffer, uint8 value)
{
	if (rowser_buffer_reserve(buffer, sizeof(value)))
		buffer->bytes[buffer->size++] = value;
}

static inline void
rowser_buffer_u16(RowserBuffer *buffer, uint16 value)
{
#ifdef WORDS_BIGENDIAN
	value = pg_bswap16(value);
#endif
	if (!rowser_buffer_reserve(buffer, sizeof(value)))
		return;
	memcpy(buffer->bytes + buffer->size, &value, sizeof(value));
	buffer->size += sizeof(value);
}

static inline void
rowser_buffer_u32(RowserBuffer *buffer, uint32 value)
{
#ifdef WORDS_BIGENDIAN
	value = pg_bswap32(value);
#endif
	if (!rowser_buffer_reserve(buffer, sizeof(value)))
		return;
	memcpy(buffer->bytes + buffer->size, &value, sizeof(value));
	buffer->size += sizeof(value);
}

static inline void
rowser_buffer_u64(RowserBuffer *buffer, uint64 value)
{
#ifdef WORDS_BIGENDIAN
	value = pg_bswap64(value);
#endif
	if (!rowser_buffer_reserve(buffer, sizeof(value)))
		return;
	memcpy(buffer->bytes + buffer->size, &value, sizeof(value));
	buffer->size += sizeof(value);
}

/*
 * Append `size` bytes that are to be stored; returns where, or NULL when they
 * don't fit.
 */
static inline uint8 *
rowser_buffer_extend(RowserBuffer *buffer, size_t size)
{
	uint8	   *to;

	if (!rowser_buffer_reserve(buffer, size))
		return NULL;
	to = buffer->bytes + buffer->size;
	buffer->size += size;
	return to;
}

/* Little-endian stores to bytes of any alignment, for which there is room */
static inline void
rowser_store_u16(uint8 *to, uint16 value)
{
#ifdef WORDS_BIGENDIAN
	value = pg_bswap16(value);
#endif
	memcpy(to, &value, sizeof(value));
}

static inline void
rowser_store_u32(uint8 *to, uint32 value)
{
#ifdef WORDS_BIGENDIAN
	value = pg_bswap32(value);
#endif
	memcpy(to, &value, sizeof(value));
}

static inline void
rowser_store_u64(uint8 *to, uint64 value)
{
#ifdef WORDS_BIGENDIAN
	value = pg_bswap64(value);
#endif
	memcpy(to, &value, sizeof(value));
}

#endif							/* ROWSER_BYTES_BUFFER_H */
