/*-------------------------------------------------------------------------
 *
 * stream.h
 *	  Reading a rowset from its packets as they come, in order.
 *
 * A stream keeps its place: each packet is looked at once, and what it
 * completes is given out.  A packet that fails to be read, for whatever reason,
 * leaves the stream where it was.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_STREAM_H
#define ROWSER_ROWSET_STREAM_H

#include "bytes/header.h"
#include "bytes/packet.h"
#include "bytes/trailer.h"

typedef struct RowserStream RowserStream;

/* How far a stream has been read */
typedef struct RowserStreamCounts
{
	uint32		npackets;		/* that were accepted */
	uint64		fed;			/* bytes that they carried */
	uint64		parsed;			/* bytes of header, groups and trailer read */
	uint64		nrows;
	uint32		ngroups;
	bool		is_at_end;
} RowserStreamCounts;

/* All of a stream's memory is in a child of the current context. */
extern RowserStream *rowser_stream_create(void);

/*
 * Begin to read a packet.  Raises 22023 for one of another stream, 55000 for one
 * that isn't next or behind the last, 22P03 for one that does not fit to those
 * before it.
 */
extern void rowser_stream_begin(RowserStream *stream,
								const RowserPacket *packet);

/*
 * Get the next row group that the packet completes; false when there is none.
 * Its bytes are good until the packet is accepted; the entry has its offset in
 * the rowset, and *number counts the groups from 0.  Raises what is wrong with
 * the bytes.
 */
extern bool rowser_stream_next_group(RowserStream *stream,
									 const uint8 **bytes,
									 RowserDirectoryEntry *entry,
									 uint32 *number);

/* Be behind the packet from now on; else the next one may be begun instead. */
extern void rowser_stream_accept(RowserStream *stream);

/* The rowset's header, as the packet that was begun left it; NULL without one */
extern const RowserHeader *rowser_stream_header(const RowserStream *stream);

extern void rowser_stream_counts(const RowserStream *stream,
								 RowserStreamCounts *counts);

/*
 * Mark the stream's place, so that one can go back there.  Marks are a stack,
 * with labels of the caller's that ascend; the first mark with a label stays.
 * Going back is to the lowest mark that has the label or a higher one, if any.
 * Passing gives the top mark, if it has the label, another one, unless there is
 * a mark with that one already.  Only marking can raise an error.
 */
extern void rowser_stream_mark(RowserStream *stream, uint32 label);
extern void rowser_stream_go_back(RowserStream *stream, uint32 label);
extern void rowser_stream_pass(RowserStream *stream, uint32 label,
							   uint32 new_label);
extern void rowser_stream_forget_marks(RowserStream *stream);
extern bool rowser_stream_is_marked(const RowserStream *stream);

#endif							/* ROWSER_ROWSET_STREAM_H */
