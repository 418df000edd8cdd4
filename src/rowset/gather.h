/*-------------------------------------------------------------------------
 *
 * gather.h
 *	  Putting a rowset together from its packets, in whatever order they come.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_GATHER_H
#define ROWSER_ROWSET_GATHER_H

#include "bytes/packet.h"

typedef struct RowserGather RowserGather;

/* Begin with no packets; all memory is in the current context. */
extern RowserGather *rowser_gather_create(void);

/*
 * Add a packet, whose payload is copied; one that has been added before changes
 * nothing.  Raises 22023 for a packet of another stream, 22P03 for one that does
 * not fit to those before it, 54000 for one that would be past 1 GB.
 */
extern void rowser_gather_add(RowserGather *gather, const RowserPacket *packet);

/*
 * Get the rowset, which is the gather's memory and good until the next packet is
 * added.  Raises 22P03, with the numbers, if packets are missing, and what
 * rowser_reader_open() raises if what they carried isn't a rowset.
 */
extern bytea *rowser_gather_finish(RowserGather *gather);

#endif							/* ROWSER_ROWSET_GATHER_H */
