/*-------------------------------------------------------------------------
 *
 * cursor.h
 *	  Bounds-checked reading of the primitives of rowset_format.md, section 1.
 *
 * Every byte of a rowset is read through a cursor.  A read either succeeds and
 * moves the cursor, or returns false, has filled the cursor's fault and must
 * not be followed by another one.  Nothing is copied: pointers that come out
 * point into the bytes that went in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_CURSOR_H
#define ROWSER_BYTES_CURSOR_H

#include "port/pg_bswap.h"

#include "bytes/fault.h"

typedef struct RowserCursor
{
	const uint8 *start;			/* what offsets count from; borrowed */
	const uint8 *next;			/* the next byte to read */
	const uint8 *end;			/* one past the last byte */
	RowserFault *fault;			/* borrowed */
} RowserCursor;

/* Bytes inside a rowset; not terminated; borrowed */
typedef struct RowserString
{
	const uint8 *bytes;
	uint32		size;
} RowserString;

/* Start a cursor over `size` bytes. */
extern void rowser_cursor_init(RowserCursor *cursor, const void *bytes,
							   size_t size, RowserFault *fault);

/* How many bytes are left, and where the next one is in the rowset. */
static inline size_t
rowser_cursor_left(const RowserCursor *cursor)
{
	return cursor->end - cursor->next;
}

static inline uint64
rowser_cursor_offset(const RowserCursor *cursor)
{
	return cursor->next - cursor->start;
}

/* Note a fault at the cursor's place; always returns false. */
extern bool rowser_cursor_fail(RowserCursor *cursor, RowserFaultKind kind,
							   const char *what);

extern bool rowser_cursor_u8(RowserCursor *cursor, uint8 *value);
extern bool rowser_cursor_u32(RowserCursor *cursor, uint32 *value);
extern bool rowser_cursor_varuint(RowserCursor *cursor, uint64 *value);
extern bool rowser_cursor_varint(RowserCursor *cursor, int64 *value);

/* A varuint that may be `max` at most; `what` is the fault if it is more. */
extern bool rowser_cursor_count(RowserCursor *cursor, uint64 max,
								uint32 *value, const char *what);

/* Take `size` bytes as they are. */
extern bool rowser_cursor_bytes(RowserCursor *cursor, size_t size,
								const uint8 **bytes);

/* A size and then its bytes.  rowser_cursor_text refuses zero bytes. */
extern bool rowser_cursor_string(RowserCursor *cursor, RowserString *string);
extern bool rowser_cursor_text(RowserCursor *cursor, RowserString *string);

/* Little-endian loads from bytes of any alignment, already bounds-checked */
static inline uint16
rowser_load_u16(const uint8 *bytes)
{
	uint16		value;

	memcpy(&value, bytes, sizeof(value));
#ifdef WORDS_BIGENDIAN
	value = pg_bswap16(value);
#endif
	return value;
}

static inline uint32
rowser_load_u32(const uint8 *bytes)
{
	uint32		value;

	memcpy(&value, bytes, sizeof(value));
#ifdef WORDS_BIGENDIAN
	value = pg_bswap32(value);
#endif
	return value;
}

static inline uint64
rowser_load_u64(const uint8 *bytes)
{
	uint64		value;

	memcpy(&value, bytes, sizeof(value));
#ifdef WORDS_BIGENDIAN
	value = pg_bswap64(value);
#endif
	return value;
}

#endif							/* ROWSER_BYTES_CURSOR_H */
