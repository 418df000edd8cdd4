/*-------------------------------------------------------------------------
 *
 * stream_state.h
 *	  What the files that make up a stream share; nobody else includes it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_STREAM_STATE_H
#define ROWSER_ROWSET_STREAM_STATE_H

#include "rowset/stream.h"

/* Bytes that only ever get more */
typedef struct Bytes
{
	uint8	   *data;
	size_t		capacity;
} Bytes;

typedef enum Phase
{
	PHASE_HEADER,
	PHASE_GROUPS,
	PHASE_TRAILER,
	PHASE_END
} Phase;

/* A place in the stream */
typedef struct Place
{
	Phase		phase;
	uint64		stream;			/* which one it is; set by its first packet */
	size_t		payload_size;	/* of all packets but the last */
	bool		had_last;
	RowserHeader *header;		/* NULL until it is complete */
	RowserStreamCounts counts;

	/* the unit that has begun */
	Bytes	   *bytes;			/* where it is */
	size_t		from;			/* where it begins there */
	size_t		size;			/* the end of what has come */
	size_t		wanted;			/* the unit's size; 0 if not known yet */
	RowserDirectoryEntry entry; /* a group's, once its size is known */
} Place;

/* A place that one can go back to */
typedef struct Mark
{
	Place		place;
	uint32		label;
	struct Mark *below;
} Mark;

struct RowserStream
{
	MemoryContext context;
	MemoryContext header_context;
	Place		place;
	Place		next;			/* behind the packet that is being read */
	Mark	   *marks;			/* the top one */

	/* One a group.  Those behind a place's number of groups are nobody's. */
	RowserDirectoryEntry *groups;
	uint32		groups_capacity;
};

/* Whether the unit that has begun at a place is here as a whole */
extern bool rowser_stream_unit_is_here(RowserStream *stream, Place *place);

/*
 * Read such a unit, and be behind it: a header, or the trailer; a group is only
 * noted in the directory, and passed.  Reading raises what is wrong.
 */
extern void rowser_stream_read_header(RowserStream *stream, Place *place);
extern void rowser_stream_read_trailer(RowserStream *stream, Place *place);
extern void rowser_stream_append_entry(RowserStream *stream, Place *place);
extern void rowser_stream_pass_unit(Place *place);

/*
 * Behind the last unit that is here: raise what the packet's end does not agree
 * with.
 */
extern void rowser_stream_check_end(const Place *place);

#endif							/* ROWSER_ROWSET_STREAM_STATE_H */
