/*-------------------------------------------------------------------------
 *
 * carry.c
 *	  Reading the packet that a fuzzer thinks of, and making one of any bytes.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "bytes/checksum.h"
#include "bytes/memory.h"
#include "bytes/packet.h"
#include "target.h"

#define BUFFER_LIMIT	(1024 * 1024)

/* Read a packet; what was read must be written as it is. */
static bool
read_packet(const uint8 *bytes, size_t size, RowserPacket *packet)
{
	RowserFault fault;
	RowserCursor cursor;
	RowserBuffer again;

	fault.kind = ROWSER_FAULT_NONE;
	rowser_cursor_init(&cursor, bytes, size, &fault);
	if (!rowser_packet_read(&cursor, packet))
	{
		fuzz_claim(fault.kind != ROWSER_FAULT_NONE && fault.what != NULL &&
				   fault.offset <= size, "a failure has a fault");
		return false;
	}
	fuzz_claim(packet->payload > bytes && packet->payload_size > 0 &&
			   packet->payload_size + ROWSER_PACKET_OVERHEAD == size,
			   "a payload is what a packet has beside its overhead");
	rowser_buffer_init(&again, size, BUFFER_LIMIT);
	rowser_packet_write(&again, packet);
	fuzz_claim(again.size == size && memcmp(again.bytes, bytes, size) == 0,
			   "a packet is the same when it is written again");
	return true;
}

/* Read what is there, as it is and with the checksum that it should have. */
static void
read_as_packet(const uint8 *bytes, size_t size)
{
	uint8	   *copy = rowser_memory_alloc(Max(size, 1));
	RowserPacket packet;
	uint32		crc;

	memcpy(copy, bytes, size);
	(void) read_packet(copy, size, &packet);
	if (size < sizeof(crc))
		return;
	crc = rowser_checksum(copy, size - sizeof(crc));
	for (size_t i = 0; i < sizeof(crc); i++)
		copy[size - sizeof(crc) + i] = (uint8) (crc >> (8 * i));
	(void) read_packet(copy, size, &packet);
}

/* Carry the bytes in a packet. */
static void
carry(const uint8 *bytes, size_t size)
{
	RowserPacket packet = {.stream = size * UINT64CONST(0x9E3779B97F4A7C15),
		.seq = (uint32) size,.is_last = size < ROWSER_PACKET_MIN_PAYLOAD,
	.payload = bytes,.payload_size = size};
	RowserPacket again;
	RowserBuffer buffer;
	uint8	   *copy;

	rowser_buffer_init(&buffer, 64, BUFFER_LIMIT);
	rowser_packet_write(&buffer, &packet);
	copy = rowser_memory_alloc(buffer.size);
	memcpy(copy, buffer.bytes, buffer.size);
	fuzz_claim(read_packet(copy, buffer.size, &again),
			   "a packet that was written can be read");
	for (size_t room = 1; room < buffer.size; room += Max(room / 2, 1))
	{
		RowserBuffer little;

		rowser_buffer_init(&little, 64, room);
		rowser_packet_write(&little, &packet);
		fuzz_claim(little.overflowed && little.size <= room,
				   "a packet that has no room says so");
	}
	fuzz_claim(again.stream == packet.stream && again.seq == packet.seq &&
			   again.is_last == packet.is_last &&
			   again.payload_size == size &&
			   memcmp(again.payload, bytes, size) == 0,
			   "a packet carries what it was given");
}

void
fuzz_packet(const uint8 *bytes, size_t size)
{
	hostile_memory_reset();
	read_as_packet(bytes, size);
	if (size > 0)
		carry(bytes, size);
	hostile_memory_reset();
}
