/*-------------------------------------------------------------------------
 *
 * packets.h
 *	  Packets as values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_PACKETS_H
#define ROWSER_ROWSET_PACKETS_H

#include "bytes/packet.h"

/* Make a packet; palloc'd. */
extern bytea *rowser_packets_make(const RowserPacket *packet);

/*
 * Take a packet apart; its payload points into the value.  Raises what
 * rowser_fault_report_packet() does.
 */
extern void rowser_packets_read(const bytea *bytes, RowserPacket *packet);

#endif							/* ROWSER_ROWSET_PACKETS_H */
