/*-------------------------------------------------------------------------
 *
 * stream_units.c
 *	  The units of a stream: header, row groups, trailer.
 *
 * Memory: the stream's contexts (stream.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "bytes/group.h"
#include "errors.h"
#include "rowset/stream_state.h"

/* Room that a trailer begins with */
#define INITIAL_SIZE	1024

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

void
rowser_stream_pass_unit(Place *place)
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

void
rowser_stream_read_header(RowserStream *stream, Place *place)
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
	rowser_stream_pass_unit(place);
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
		/* of more bytes than a size_t of 32 bits counts, perhaps */
		if (place->entry.size > MaxAllocSize)
			report_invalid(place, "A row group is too large");
		place->wanted = place->entry.size;
	}
	else if (rowser_cursor_left(&cursor) > 0)
		rowser_fault_report(&fault);
}

/* A trailer can say one thing only: what the groups before it were. */
void
rowser_stream_read_trailer(RowserStream *stream, Place *place)
{
	RowserBuffer trailer;

	make_trailer(stream, place, &trailer);
	if (memcmp(trailer.bytes, place->bytes->data + place->from,
			   trailer.size) != 0)
		report_invalid(place, "The trailer is not as the row groups are");
	rowser_buffer_free(&trailer);
	rowser_stream_pass_unit(place);
	place->phase = PHASE_END;
	place->counts.is_at_end = true;
}

void
rowser_stream_append_entry(RowserStream *stream, Place *place)
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

bool
rowser_stream_unit_is_here(RowserStream *stream, Place *place)
{
	if (place->wanted == 0 && place->phase == PHASE_HEADER)
		measure_header(place);
	if (place->wanted == 0 && place->phase == PHASE_GROUPS)
		measure_group(stream, place);
	return place->wanted != 0 &&
		place->size - place->from >= place->wanted;
}

void
rowser_stream_check_end(const Place *place)
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
