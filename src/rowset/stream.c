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

#include "bytes/group.h"
#include "errors.h"
#include "large_memory.h"
#include "rowset/stream.h"

#define INITIAL_SIZE	1024

/*
 * A unit of up to so many bytes gets all of its memory at once; a larger one at
 * most so many times what has come of it, since its size may be a lie.
 */
#define AT_ONCE_SIZE	((size_t) 1024 * 1024)
#define GROWTH			8

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
 *		Units
 * ----------------------------------------------------------------
 */

/* Start a cursor over what has come of the unit. */
static void
start_cursor(const Place *place, RowserCursor *cursor, RowserFault *fault)
{
	rowser_cursor_init(cursor, place->bytes->data + place->from,
					   place->size - place->from, fault);
	fault->origin = place->counts.parsed;
}

/* Raise that the rowset is not what it should be, at the unit's beginning. */
rowser_noreturn static void
report_invalid(const Place *place, const char *what)
{
	RowserFault fault = {.kind = ROWSER_FAULT_INVALID,.what = what,
	.offset = place->counts.parsed};

	rowser_fault_report(&fault);
}

/* The unit has been read. */
static void
pass_unit(Place *place)
{
	place->from += place->wanted;
	place->counts.parsed += place->wanted;
	place->wanted = 0;
}

/*
 * Find out how long the header is; it is left to reading it to say what is
 * wrong.
 */
static void
measure_header(Place *place)
{
	RowserCursor cursor;
	RowserFault fault;
	uint64		size;

	start_cursor(place, &cursor, &fault);
	if (rowser_cursor_left(&cursor) < ROWSER_HEADER_PREFIX_SIZE)
		return;
	if (!rowser_header_extent(cursor, &size))
		size = rowser_cursor_left(&cursor);
	place->wanted = size;
}

static void
read_header(RowserStream *stream, Place *place)
{
	MemoryContext old_context;
	uint8	   *bytes;
	RowserCursor cursor;
	RowserFault fault;
	RowserHeader *header;

	/* what a packet that wasn't accepted may have left behind */
	MemoryContextReset(stream->header_context);
	old_context = MemoryContextSwitchTo(stream->header_context);
	header = palloc0(sizeof(RowserHeader));
	/* names in the header point into its bytes */
	bytes = palloc_extended(place->wanted, MCXT_ALLOC_HUGE);
	memcpy(bytes, place->bytes->data + place->from, place->wanted);
	rowser_cursor_init(&cursor, bytes, place->wanted, &fault);
	if (!rowser_header_read(&cursor, header))
		rowser_fault_report(&fault);
	MemoryContextSwitchTo(old_context);
	place->header = header;
	pass_unit(place);
	place->phase = PHASE_GROUPS;
}

/* Make the trailer that the groups before it call for. */
static void
make_trailer(const RowserStream *stream, const Place *place,
			 RowserBuffer *trailer)
{
	rowser_buffer_init(trailer, INITIAL_SIZE, MaxAllocSize);
	rowser_trailer_write(trailer, stream->groups, place->counts.ngroups);
	if (trailer->overflowed)
		report_invalid(place, "There are too many row groups");
}

/* Find out whether a group or the trailer has begun, and how long it is. */
static void
measure_group(RowserStream *stream, Place *place)
{
	RowserCursor cursor;
	RowserFault fault;

	start_cursor(place, &cursor, &fault);
	if (rowser_cursor_left(&cursor) == 0)
		return;
	if (*cursor.next == ROWSER_TRAILER_TAG)
	{
		RowserBuffer trailer;

		make_trailer(stream, place, &trailer);
		place->wanted = trailer.size;
		place->phase = PHASE_TRAILER;
		rowser_buffer_free(&trailer);
		return;
	}
	if (rowser_group_extent(&cursor, &place->entry))
	{
		place->entry.offset = place->counts.parsed;
		place->wanted = place->entry.size;
		if (place->wanted > MaxAllocSize)
			report_invalid(place, "A row group is too large");
	}
	else if (rowser_cursor_left(&cursor) > 0)
		rowser_fault_report(&fault);
}

/* A trailer can say one thing only: what the groups before it were. */
static void
read_trailer(RowserStream *stream, Place *place)
{
	RowserBuffer trailer;

	make_trailer(stream, place, &trailer);
	if (memcmp(trailer.bytes, place->bytes->data + place->from,
			   trailer.size) != 0)
		report_invalid(place, "The trailer is not as the row groups are");
	rowser_buffer_free(&trailer);
	pass_unit(place);
	place->phase = PHASE_END;
	place->counts.is_at_end = true;
}

/* Note a group in the directory. */
static void
append_entry(RowserStream *stream, Place *place)
{
	if (place->counts.ngroups == stream->groups_capacity)
	{
		uint32		capacity = Max(2 * stream->groups_capacity, 16);
		size_t		size = capacity * sizeof(RowserDirectoryEntry);

		if (stream->groups == NULL)
			stream->groups = MemoryContextAlloc(stream->context, size);
		else
			stream->groups = repalloc_huge(stream->groups, size);
		stream->groups_capacity = capacity;
	}
	stream->groups[place->counts.ngroups++] = place->entry;
	place->counts.nrows += place->entry.nrows;
}

/* Whether the unit that has begun is here as a whole */
static bool
unit_is_here(RowserStream *stream, Place *place)
{
	if (place->wanted == 0 && place->phase == PHASE_HEADER)
		measure_header(place);
	if (place->wanted == 0 && place->phase == PHASE_GROUPS)
		measure_group(stream, place);
	return place->wanted != 0 &&
		place->size - place->from >= place->wanted;
}

/* Behind the last unit that is here: what the packet's end must agree with. */
static void
check_end(const Place *place)
{
	if (place->phase == PHASE_END)
	{
		if (place->size > place->from)
			report_invalid(place, "There are bytes behind the trailer");
		if (!place->had_last)
			report_invalid(place, "The rowset ends before the last packet");
	}
	else if (place->had_last)
		report_invalid(place, "The bytes end too early");
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

	while (unit_is_here(stream, next))
	{
		switch (next->phase)
		{
			case PHASE_HEADER:
				read_header(stream, next);
				break;
			case PHASE_GROUPS:
				*bytes = next->bytes->data + next->from;
				*entry = next->entry;
				*number = next->counts.ngroups;
				append_entry(stream, next);
				pass_unit(next);
				return true;
			case PHASE_TRAILER:
				read_trailer(stream, next);
				break;
			case PHASE_END:
				break;
		}
	}
	check_end(next);
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
