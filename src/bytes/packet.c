/*-------------------------------------------------------------------------
 *
 * packet.c
 *	  Packets: numbered pieces of a rowset, each with a checksum of its own
 *	  (packet_format.md).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/checksum.h"
#include "bytes/packet.h"

#define MAGIC			"\xFF" "RSP"
#define MAGIC_SIZE		4

#define PACKET_IS_LAST	0x01

void
rowser_packet_write(RowserBuffer *buffer, const RowserPacket *packet)
{
	size_t		start = buffer->size;

	rowser_buffer_bytes(buffer, MAGIC, MAGIC_SIZE);
	rowser_buffer_u8(buffer, ROWSER_PACKET_VERSION);
	rowser_buffer_u8(buffer, packet->is_last ? PACKET_IS_LAST : 0);
	rowser_buffer_u64(buffer, packet->stream);
	rowser_buffer_u32(buffer, packet->seq);
	rowser_buffer_bytes(buffer, packet->payload, packet->payload_size);
	if (!buffer->overflowed)
		rowser_buffer_u32(buffer, rowser_checksum(buffer->bytes + start,
												  buffer->size - start));
}

/* Read the magic and the version; a packet of another version is not ours. */
static bool
version_read(RowserCursor *cursor)
{
	uint8		version;

	if (rowser_cursor_left(cursor) < MAGIC_SIZE ||
		memcmp(cursor->next, MAGIC, MAGIC_SIZE) != 0)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes do not begin as a packet does");
	cursor->next += MAGIC_SIZE;
	if (!rowser_cursor_u8(cursor, &version))
		return false;
	if (version != ROWSER_PACKET_VERSION)
	{
		cursor->fault->version = version;
		return rowser_cursor_fail(cursor, ROWSER_FAULT_VERSION,
								  "The packet's version is not supported");
	}
	return true;
}

/*
 * Read what stands before the payload, once the checksum has been found right.
 * There are ROWSER_PACKET_OVERHEAD bytes at the least.
 */
static bool
front_read(RowserCursor *cursor, RowserPacket *packet)
{
	uint8		flags;

	if (!rowser_cursor_u8(cursor, &flags))
		return false;
	if ((flags & ~PACKET_IS_LAST) != 0)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A packet has flags that do not exist");
	packet->is_last = (flags & PACKET_IS_LAST) != 0;
	packet->stream = rowser_load_u64(cursor->next);
	cursor->next += sizeof(uint64);
	if (!rowser_cursor_u32(cursor, &packet->seq))
		return false;
	if (packet->seq == 0)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "A packet has the number 0");
	return true;
}

bool
rowser_packet_read(RowserCursor *cursor, RowserPacket *packet)
{
	RowserCursor rest = *cursor;
	const uint8 *start = cursor->next;

	if (!version_read(&rest))
		return false;
	if (rowser_cursor_left(cursor) < ROWSER_PACKET_OVERHEAD)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes end too early");
	cursor->next = cursor->end - sizeof(uint32);
	if (!rowser_checksum_check(cursor, start,
							   "A packet's bytes have another checksum"))
		return false;
	rest.end = cursor->end - sizeof(uint32);
	if (!front_read(&rest, packet))
		return false;
	packet->payload_size = rowser_cursor_left(&rest);
	if (packet->payload_size < (packet->is_last ? 1 :
								ROWSER_PACKET_MIN_PAYLOAD))
		return rowser_cursor_fail(&rest, ROWSER_FAULT_INVALID,
								  "A packet carries too little");
	return rowser_cursor_bytes(&rest, packet->payload_size,
							   &packet->payload);
}
