/*-------------------------------------------------------------------------
 *
 * packets.c
 *	  Packets as values.
 *
 * Memory: the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memdebug.h"
#include "utils/memutils.h"

#include "compat.h"
#include "errors.h"
#include "rowset/packets.h"

bytea *
rowser_packets_make(const RowserPacket *packet)
{
	RowserBuffer buffer;
	bytea	   *bytes;

	rowser_buffer_init(&buffer, VARHDRSZ + ROWSER_PACKET_OVERHEAD +
					   packet->payload_size, MaxAllocSize);
	rowser_buffer_zeros(&buffer, VARHDRSZ);
	rowser_packet_write(&buffer, packet);
	Assert(!buffer.overflowed);
	bytes = (bytea *) buffer.bytes;
	SET_VARSIZE(bytes, buffer.size);
	/* as of a rowset: nothing of the server's memory leaves with it */
	VALGRIND_CHECK_MEM_IS_DEFINED(bytes, VARSIZE(bytes));
	return bytes;
}

void
rowser_packets_read(const bytea *bytes, RowserPacket *packet)
{
	RowserCursor cursor;
	RowserFault fault;

	rowser_cursor_init(&cursor, VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes),
					   &fault);
	if (!rowser_packet_read(&cursor, packet))
		rowser_fault_report_packet(&fault);
}
