/*-------------------------------------------------------------------------
 *
 * packet.h
 *	  Packets: numbered pieces of a rowset, each with a checksum of its own
 *	  (packet_format.md).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_PACKET_H
#define ROWSER_BYTES_PACKET_H

#include "bytes/buffer.h"
#include "bytes/cursor.h"

#define ROWSER_PACKET_VERSION		1

/* Bytes of a packet beside its payload */
#define ROWSER_PACKET_OVERHEAD		22

#define ROWSER_PACKET_MIN_SIZE		64

/* The smallest payload of a packet that isn't the last */
#define ROWSER_PACKET_MIN_PAYLOAD \
	(ROWSER_PACKET_MIN_SIZE - ROWSER_PACKET_OVERHEAD)

typedef struct RowserPacket
{
	uint64		stream;			/* the same in all packets of a stream */
	uint32		seq;			/* from 1 on */
	bool		is_last;
	const uint8 *payload;		/* borrowed */
	size_t		payload_size;
} RowserPacket;

extern void rowser_packet_write(RowserBuffer *buffer,
								const RowserPacket *packet);

/* Read a packet, which is all that is left; its payload points into the bytes. */
extern bool rowser_packet_read(RowserCursor *cursor, RowserPacket *packet);

#endif							/* ROWSER_BYTES_PACKET_H */
