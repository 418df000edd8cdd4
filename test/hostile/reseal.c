/*-------------------------------------------------------------------------
 *
 * reseal.c
 *	  Giving a rowset that was tampered with the checksums of what it now says.
 *
 * The readers of the byte layer refuse what has a wrong checksum, so the frame
 * is followed by its sizes here, and a part is handed to its reader only once
 * its own checksum is right: for what no size tells, the checksum units.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/checksum.h"
#include "bytes/group.h"
#include "bytes/header.h"
#include "bytes/trailer.h"
#include "reseal.h"

#define CRC_SIZE			4
#define VERSION_SIZE		8	/* magic, major and minor */
#define TRAILER_MIN_SIZE	10

static void
store_u32(uint8 *to, uint32 value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8) (value >> (8 * i));
}

/* Write the checksum of the bytes from `from` to `crc` at `crc`. */
static void
seal(uint8 *bytes, size_t from, size_t crc)
{
	store_u32(bytes + crc, rowser_checksum(bytes + from, crc - from));
}

bool
hostile_part_end(const uint8 *bytes, size_t size, size_t from, size_t *rest,
				 size_t *end)
{
	RowserFault fault;
	RowserCursor cursor;
	uint64		rest_size;

	if (from > size)
		return false;
	rowser_cursor_init(&cursor, bytes, size, &fault);
	cursor.next += from;
	if (!rowser_cursor_varuint(&cursor, &rest_size) ||
		rest_size < CRC_SIZE || rest_size > rowser_cursor_left(&cursor))
		return false;
	*rest = rowser_cursor_offset(&cursor);
	*end = *rest + rest_size;
	return true;
}

/* Seal the trailer; returns where it begins, or the end if there is none. */
static size_t
reseal_trailer(uint8 *bytes, size_t size, size_t from)
{
	uint32		trailer_size;

	if (size - from < TRAILER_MIN_SIZE)
		return size;
	trailer_size = rowser_load_u32(bytes + size - 4);
	if (trailer_size < TRAILER_MIN_SIZE || trailer_size > size - from)
		return size;
	seal(bytes, size - trailer_size, size - 4 - CRC_SIZE);
	return size - trailer_size;
}

/* Seal the units of a group whose header has been read. */
static void
reseal_units(uint8 *bytes, size_t body, size_t body_end,
			 const RowserGroup *group)
{
	size_t		crcs = body - CRC_SIZE - (size_t) group->nunits * CRC_SIZE;

	if (group->body_size > body_end - body)
		return;
	for (uint32 unit = 0; unit < group->nunits; unit++)
	{
		uint64		from = PG_UINT64_MAX;
		uint64		to = 0;

		for (uint32 i = 0; i < group->ncolumns; i++)
		{
			if (group->units[i] != unit)
				continue;
			from = Min(from, group->offsets[i]);
			to = Max(to, group->offsets[i + 1]);
		}
		store_u32(bytes + crcs + unit * CRC_SIZE,
				  rowser_checksum(bytes + body + from, to - from));
	}
}

/* Seal the group at `from`; false when there is no way to the next one. */
static bool
reseal_group(uint8 *bytes, size_t size, size_t from,
			 const RowserHeader *header, size_t *next)
{
	RowserFault fault;
	RowserCursor cursor;
	RowserGroup group;
	size_t		rest;
	size_t		body;
	uint64		body_size;

	if (!hostile_part_end(bytes, size, from + 1, &rest, &body))
		return false;
	seal(bytes, from, body - CRC_SIZE);

	rowser_cursor_init(&cursor, bytes, size, &fault);
	cursor.next += from;
	if (header != NULL &&
		rowser_group_read(&cursor, header->columns, header->ncolumns, &group))
	{
		reseal_units(bytes, body, size, &group);
		seal(bytes, from, body - CRC_SIZE);
	}

	cursor.next = cursor.start + rest;
	if (!rowser_cursor_varuint(&cursor, &body_size) ||
		body_size > size - body)
		return false;
	*next = body + body_size;
	return true;
}

void
hostile_reseal(uint8 *bytes, size_t size)
{
	RowserFault fault;
	RowserCursor cursor;
	RowserHeader header;
	bool		readable;
	size_t		rest;
	size_t		from;
	size_t		trailer;

	if (!hostile_part_end(bytes, size, VERSION_SIZE, &rest, &from))
		return;
	seal(bytes, 0, from - CRC_SIZE);
	trailer = reseal_trailer(bytes, size, from);

	rowser_cursor_init(&cursor, bytes, size, &fault);
	readable = rowser_header_read(&cursor, &header);
	while (from < trailer &&
		   reseal_group(bytes, trailer, from, readable ? &header : NULL,
						&from))
		;
}
