/*-------------------------------------------------------------------------
 *
 * stream.c
 *	  Reading a rowset from its packets as they come, in order.
 *
 * What has come and isn't read yet is the beginning of a unit: the header, a row
 * group or the trailer.  A unit's first bytes tell how long it is; it is read
 * when it is there as a whole, and then its bytes are dropped.  So each byte is
 * read once, and what is kept is a unit and a packet at the most, beside the
 * directory of groups that the trailer has to agree with.
 *
 * A packet is read at a place of its own, which becomes the stream's when all
 * has gone well.  Bytes are only ever added behind those that a place or a mark
 * knows of; where the bytes before them can be dropped, the rest is copied.
 *
 * Memory: `context` for all that lasts as long as the stream, `header_context`
 * below it for the header.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "large_memory.h"
#include "rowset/stream_state.h"

#define INITIAL_SIZE	1024

/*
 * A unit of up to so many bytes gets all of its memory at once; a larger one at
 * most so many times what has come of it, since its size may be a lie.
 */
#define AT_ONCE_SIZE	((size_t) 1024 * 1024)
#define GROWTH			8

/* ----------------------------------------------------------------
 *		Bytes
 * ----------------------------------------------------------------
 */

static Bytes *
create_bytes(RowserStream *stream, size_t capacity)
{
	Bytes	   *bytes = MemoryContextAlloc(stream->context, sizeof(Bytes));

	bytes->data = MemoryContextAllocHuge(stream->context, capacity);
	bytes->capacity = capacity;
	return bytes;
}

static void
free_bytes(Bytes *bytes)
{
	pfree(bytes->data);
	pfree(bytes);
}

/* Whether a mark still needs bytes that the stream's place is done with */
static bool
is_marked(const RowserStream *stream, const Bytes *bytes)
{
	for (const Mark *mark = stream->marks; mark != NULL; mark = mark->below)
	{
		if (mark->place.bytes == bytes)
			return true;
	}
	return false;
}

/*
 * Give bytes more memory, in a new piece: what it says to the system of a large
 * one has to be said before it is written to.
 */
static void
enlarge_bytes(RowserStream *stream, Bytes *bytes, size_t used,
			  size_t capacity)
{
	uint8	   *data = rowser_large_memory_alloc(stream->context, capacity);

	memcpy(data, bytes->data, used);
	pfree(bytes->data);
	bytes->data = data;
	bytes->capacity = capacity;
}

/* Add a packet's payload behind what has come. */
static void
append_bytes(RowserStream *stream, Place *place, const uint8 *data,
			 size_t size)
{
	Bytes	   *bytes = place->bytes;
	size_t		needed = place->size + size;

	if (needed > bytes->capacity)
	{
		size_t		most = Max(GROWTH * place->size, AT_ONCE_SIZE);
		size_t		useful = 2 * place->size;

		/* the packet that ends the unit may go on behind it */
		if (place->wanted != 0)
			useful = place->from + place->wanted + size;
		enlarge_bytes(stream, bytes, place->size,
					  Max(needed, Min(useful, most)));
	}
	memcpy(bytes->data + place->size, data, size);
	place->size = needed;
}

/*
 * Drop the bytes of units that have been read.  What is left of the packet is
 * copied, which is never more than the packet.  The memory is kept for the next
 * unit, if there is one.
 */
static void
drop_bytes(RowserStream *stream, Place *place)
{
	size_t		left = place->size - place->from;
	Bytes	   *bytes;

	if (place->from == 0)
		return;
	if (!is_marked(stream, place->bytes) && left <= place->from &&
		place->phase != PHASE_END)
		memcpy(place->bytes->data, place->bytes->data + place->from, left);
	else
	{
		bytes = create_bytes(stream, Max(INITIAL_SIZE, left));
		memcpy(bytes->data, place->bytes->data + place->from, left);
		if (!is_marked(stream, place->bytes))
			free_bytes(place->bytes);
		place->bytes = bytes;
	}
	place->from = 0;
	place->size = left;
}

/* ----------------------------------------------------------------
 *		Life
 * ----------------------------------------------------------------
 */

RowserStream *
rowser_stream_create(void)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser stream",
												  ALLOCSET_DEFAULT_SIZES);
	RowserStream *stream = MemoryContextAllocZero(context,
												  sizeof(RowserStream));

	stream->context = context;
	stream->header_context = AllocSetContextCreate(context,
												   "rowser stream header",
												   ALLOCSET_SMALL_SIZES);
	stream->place.bytes = create_bytes(stream, INITIAL_SIZE);
	stream->next = stream->place;
	return stream;
}

const RowserHeader *
rowser_stream_header(const RowserStream *stream)
{
	return stream->next.header;
}

void
rowser_stream_counts(const RowserStream *stream, RowserStreamCounts *counts)
{
	*counts = stream->place.counts;
}

/* ----------------------------------------------------------------
 *		Packets
 * ----------------------------------------------------------------
 */

/* Refuse a packet that isn't the next one of this stream. */
static void
check_packet(const Place *place, const RowserPacket *packet)
{
	if (place->counts.npackets > 0 && packet->stream != place->stream)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("packet belongs to another stream"),
				 errdetail("Packet %u is of stream %016llx, the reader reads stream %016llx.",
						   packet->seq, (unsigned long long) packet->stream,
						   (unsigned long long) place->stream)));
	if (place->had_last)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("reader is at its end"),
				 errdetail("Packet %u was the last one.",
						   place->counts.npackets)));
	if (packet->seq - 1 != place->counts.npackets)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("packet is out of order"),
				 errdetail("It is packet %u, packet %u is expected.",
						   packet->seq, place->counts.npackets + 1)));
	if (place->payload_size != 0 &&
		(packet->is_last ? packet->payload_size > place->payload_size :
		 packet->payload_size != place->payload_size))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("packets of the rowset do not fit together"),
				 errdetail("Packet %u is of another size than the others.",
						   packet->seq)));
}

void
rowser_stream_begin(RowserStream *stream, const RowserPacket *packet)
{
	Place	   *next = &stream->next;

	check_packet(&stream->place, packet);
	*next = stream->place;
	next->stream = packet->stream;
	next->had_last = packet->is_last;
	if (!packet->is_last)
		next->payload_size = packet->payload_size;
	append_bytes(stream, next, packet->payload, packet->payload_size);
	next->counts.npackets++;
	next->counts.fed += packet->payload_size;
}

bool
rowser_stream_next_group(RowserStream *stream, const uint8 **bytes,
						 RowserDirectoryEntry *entry, uint32 *number)
{
	Place	   *next = &stream->next;

	while (rowser_stream_unit_is_here(stream, next))
	{
		switch (next->phase)
		{
			case PHASE_HEADER:
				rowser_stream_read_header(stream, next);
				break;
			case PHASE_GROUPS:
				*bytes = next->bytes->data + next->from;
				*entry = next->entry;
				*number = next->counts.ngroups;
				rowser_stream_append_entry(stream, next);
				rowser_stream_pass_unit(next);
				return true;
			case PHASE_TRAILER:
				rowser_stream_read_trailer(stream, next);
				break;
			case PHASE_END:
				break;
		}
	}
	rowser_stream_check_end(next);
	return false;
}

void
rowser_stream_accept(RowserStream *stream)
{
	drop_bytes(stream, &stream->next);
	stream->place = stream->next;
}

/* ----------------------------------------------------------------
 *		Marks
 * ----------------------------------------------------------------
 */

void
rowser_stream_mark(RowserStream *stream, uint32 label)
{
	Mark	   *mark;

	if (stream->marks != NULL && stream->marks->label == label)
		return;
	mark = MemoryContextAlloc(stream->context, sizeof(Mark));
	mark->place = stream->place;
	mark->label = label;
	mark->below = stream->marks;
	stream->marks = mark;
}

/* Take away the top mark, and the bytes that only it knew of. */
static void
forget_mark(RowserStream *stream)
{
	Mark	   *mark = stream->marks;

	stream->marks = mark->below;
	if (mark->place.bytes != stream->place.bytes &&
		!is_marked(stream, mark->place.bytes))
		free_bytes(mark->place.bytes);
	pfree(mark);
}

void
rowser_stream_go_back(RowserStream *stream, uint32 label)
{
	while (stream->marks != NULL && stream->marks->label >= label)
	{
		Bytes	   *bytes = stream->place.bytes;

		stream->place = stream->marks->place;
		stream->next = stream->place;
		if (!is_marked(stream, bytes))
			free_bytes(bytes);
		forget_mark(stream);
	}
}

void
rowser_stream_pass(RowserStream *stream, uint32 label, uint32 new_label)
{
	Mark	   *mark = stream->marks;

	if (mark == NULL || mark->label != label)
		return;
	if (mark->below != NULL && mark->below->label == new_label)
		forget_mark(stream);
	else
		mark->label = new_label;
}

void
rowser_stream_forget_marks(RowserStream *stream)
{
	while (stream->marks != NULL)
		forget_mark(stream);
}

bool
rowser_stream_is_marked(const RowserStream *stream)
{
	return stream->marks != NULL;
}
