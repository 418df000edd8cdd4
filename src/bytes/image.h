/*-------------------------------------------------------------------------
 *
 * image.h
 *	  Images: values of variable size with their length
 *	  (rowset_format.md, section 6.3).
 *
 * An image is laid out as PostgreSQL keeps a varlena on a little-endian
 * machine, so that a reader there points to it instead of copying it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_IMAGE_H
#define ROWSER_BYTES_IMAGE_H

#include "bytes/buffer.h"
#include "bytes/cursor.h"

#define ROWSER_IMAGE_SHORT_MAX	126 /* longest payload with a one-byte header */
#define ROWSER_IMAGE_ALIGNMENT	4

typedef struct RowserImage
{
	const uint8 *image;			/* its first byte, after padding */
	const uint8 *payload;
	uint32		size;			/* of the payload */
} RowserImage;

/* Plain size of one image; section 6.2. */
static inline uint64
rowser_image_plain_size(uint32 payload_size)
{
	return (uint64) payload_size + 4;
}

/*
 * Append padding and an image's header to a buffer whose first byte is that of
 * the block, and make room for the payload; returns where that goes, or
 * NULL when it doesn't fit.
 */
static inline uint8 *
rowser_image_begin(RowserBuffer *buffer, size_t payload_size)
{
	uint8	   *to;

	if (!rowser_buffer_reserve(buffer, payload_size + 7))
		return NULL;
	to = buffer->bytes + buffer->size;
	if (payload_size <= ROWSER_IMAGE_SHORT_MAX)
	{
		*to++ = (uint8) ((payload_size + 1) * 2 + 1);
	}
	else
	{
		uint32		header = (uint32) ((payload_size + 4) * 4);

		while ((to - buffer->bytes) % ROWSER_IMAGE_ALIGNMENT != 0)
			*to++ = 0;
		*to++ = (uint8) header;
		*to++ = (uint8) (header >> 8);
		*to++ = (uint8) (header >> 16);
		*to++ = (uint8) (header >> 24);
	}
	buffer->size = (to - buffer->bytes) + payload_size;
	return to;
}

static inline void
rowser_image_append(RowserBuffer *buffer, const void *payload,
					size_t payload_size)
{
	uint8	   *to = rowser_image_begin(buffer, payload_size);

	if (to != NULL && payload_size > 0)
		memcpy(to, payload, payload_size);
}

/*
 * Take the image at *next, which is in a block that begins at `block`, and
 * move *next past it; false when there is no valid image.
 */
static inline bool
rowser_image_next(const uint8 *block, const uint8 **next, const uint8 *end,
				  RowserImage *image)
{
	const uint8 *at = *next;
	uint32		total;

	if (at >= end)
		return false;
	if (*at & 1)
	{
		total = *at >> 1;
		if (total < 1 || total > (size_t) (end - at))
			return false;
		image->image = at;
		image->payload = at + 1;
		image->size = total - 1;
		*next = at + total;
		return true;
	}

	while ((at - block) % ROWSER_IMAGE_ALIGNMENT != 0)
	{
		if (at >= end || *at != 0)
			return false;
		at++;
	}
	if (end - at < 4)
		return false;
	total = rowser_load_u32(at);
	if (total & 3)
		return false;
	total >>= 2;
	if (total < 4 + ROWSER_IMAGE_SHORT_MAX + 1 || total > (size_t) (end - at))
		return false;
	image->image = at;
	image->payload = at + 4;
	image->size = total - 4;
	*next = at + total;
	return true;
}

#endif							/* ROWSER_BYTES_IMAGE_H */
