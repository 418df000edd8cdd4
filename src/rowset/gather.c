/*-------------------------------------------------------------------------
 *
 * gather.c
 *	  Putting a rowset together from its packets, in whatever order they come.
 *
 * All packets but the last are of one size, so a packet's number tells where its
 * payload belongs.  There is room up to the highest number that has come; of
 * that, nothing is touched but what is filled, so gaps cost address space only.
 * A last packet that comes first has to wait until another one tells the size.
 *
 * Memory: the context in which the gather was made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "rowset/gather.h"
#include "rowset/reader.h"

/* Ranges of missing packets that an error names */
#define MAX_NAMED_RANGES	10

#define MAX_ROWSET_SIZE		(MaxAllocSize - VARHDRSZ)

struct RowserGather
{
	MemoryContext context;
	uint64		stream;
	uint32		npackets;		/* that have come, each counted once */
	uint32		greatest;		/* number that has come */
	uint32		last;			/* number of the last packet; 0 if not here */
	size_t		payload_size;	/* of all but the last; 0 if not known yet */
	size_t		last_size;
	uint8	   *waiting;		/* the last packet's payload, out of its place */

	char	   *bytes;			/* the rowset behind a varlena header */
	size_t		capacity;		/* for the rowset */
	uint8	   *is_here;		/* one bit a packet */
	size_t		is_here_size;	/* bytes */
};

RowserGather *
rowser_gather_create(void)
{
	RowserGather *gather = palloc0(sizeof(RowserGather));

	gather->context = CurrentMemoryContext;
	return gather;
}

/* ----------------------------------------------------------------
 *		Places
 * ----------------------------------------------------------------
 */

static bool
is_here(const RowserGather *gather, uint32 seq)
{
	size_t		bit = seq - 1;

	return bit / 8 < gather->is_here_size &&
		(gather->is_here[bit / 8] & (1 << (bit % 8))) != 0;
}

/* Note that a packet has come. */
static void
set_here(RowserGather *gather, uint32 seq)
{
	size_t		bit = seq - 1;

	if (bit / 8 >= gather->is_here_size)
	{
		size_t		size = Max(2 * gather->is_here_size, bit / 8 + 64);

		if (gather->is_here == NULL)
			gather->is_here = palloc(size);
		else
			gather->is_here = repalloc(gather->is_here, size);
		memset(gather->is_here + gather->is_here_size, 0,
			   size - gather->is_here_size);
		gather->is_here_size = size;
	}
	gather->is_here[bit / 8] |= 1 << (bit % 8);
}

rowser_noreturn static void
report_too_large(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("rowset is too large"),
			 errdetail("A rowset is one value and cannot exceed 1 GB."),
			 errhint("Feed the packets to a reader, by rowset_reader_feed.")));
}

/* Where a packet's payload belongs; there is room for it then. */
static char *
place(RowserGather *gather, uint32 seq, size_t size)
{
	uint64		offset = (uint64) (seq - 1) * gather->payload_size;

	if (offset + size > MAX_ROWSET_SIZE)
		report_too_large();
	if (offset + size > gather->capacity)
	{
		size_t		capacity = Max(2 * gather->capacity, offset + size);

		capacity = Min(capacity, MAX_ROWSET_SIZE);
		if (gather->bytes == NULL)
			gather->bytes = palloc(VARHDRSZ + capacity);
		else
			gather->bytes = repalloc(gather->bytes, VARHDRSZ + capacity);
		gather->capacity = capacity;
	}
	return gather->bytes + VARHDRSZ + offset;
}

/* ----------------------------------------------------------------
 *		Packets
 * ----------------------------------------------------------------
 */

rowser_noreturn static void
report_conflict(const RowserPacket *packet, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("packets of the rowset do not fit together"),
			 errdetail("Packet %u %s.", packet->seq, what)));
}

/* Refuse a packet that can't be of the stream that the others are of. */
static void
check_packet(const RowserGather *gather, const RowserPacket *packet)
{
	if (gather->npackets > 0 && packet->stream != gather->stream)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("packet belongs to another stream"),
				 errdetail("Packet %u is of stream %016llx, packets before it are of stream %016llx.",
						   packet->seq, (unsigned long long) packet->stream,
						   (unsigned long long) gather->stream)));
	if (packet->is_last)
	{
		if (gather->last != 0 ? packet->seq != gather->last :
			packet->seq < gather->greatest || is_here(gather, packet->seq))
			report_conflict(packet,
							"says that it is the last, which another one shows not to be so");
		if (gather->payload_size != 0 &&
			packet->payload_size > gather->payload_size)
			report_conflict(packet, "is longer than the others");
	}
	else
	{
		if (gather->last != 0 && packet->seq >= gather->last)
			report_conflict(packet, "is not before the last one");
		if (gather->payload_size != 0 &&
			packet->payload_size != gather->payload_size)
			report_conflict(packet, "is of another size than the others");
		if (gather->payload_size == 0 &&
			gather->last_size > packet->payload_size)
			report_conflict(packet, "is shorter than the last one");
	}
}

/* A packet that has come before must be the same. */
static void
check_duplicate(RowserGather *gather, const RowserPacket *packet)
{
	size_t		size = packet->is_last ? gather->last_size :
	gather->payload_size;
	const void *bytes = gather->waiting;	/* the only one then */

	if (bytes == NULL)
		bytes = place(gather, packet->seq, size);
	if (packet->payload_size != size ||
		memcmp(packet->payload, bytes, size) != 0)
		report_conflict(packet, "has come twice, with different contents");
}

/* Put the last packet where it belongs, once that is known. */
static void
place_last(RowserGather *gather)
{
	memcpy(place(gather, gather->last, gather->last_size), gather->waiting,
		   gather->last_size);
	pfree(gather->waiting);
	gather->waiting = NULL;
}

/* Take a packet that has been checked and isn't here yet. */
static void
take_packet(RowserGather *gather, const RowserPacket *packet)
{
	gather->stream = packet->stream;
	if (packet->is_last)
	{
		gather->last = packet->seq;
		gather->last_size = packet->payload_size;
	}
	else
		gather->payload_size = packet->payload_size;

	if (packet->is_last && packet->seq > 1 && gather->payload_size == 0)
	{
		gather->waiting = palloc(packet->payload_size);
		memcpy(gather->waiting, packet->payload, packet->payload_size);
	}
	else
		memcpy(place(gather, packet->seq, packet->payload_size),
			   packet->payload, packet->payload_size);
	if (gather->waiting != NULL && gather->payload_size != 0)
		place_last(gather);
	set_here(gather, packet->seq);
	gather->npackets++;
	gather->greatest = Max(gather->greatest, packet->seq);
}

void
rowser_gather_add(RowserGather *gather, const RowserPacket *packet)
{
	MemoryContext old_context = MemoryContextSwitchTo(gather->context);

	/* as far as that is known before there is room for it */
	if (packet->seq - 1 > MAX_ROWSET_SIZE / ROWSER_PACKET_MIN_PAYLOAD)
		report_too_large();
	check_packet(gather, packet);
	if (is_here(gather, packet->seq))
		check_duplicate(gather, packet);
	else
		take_packet(gather, packet);
	MemoryContextSwitchTo(old_context);
}

/* ----------------------------------------------------------------
 *		The rowset
 * ----------------------------------------------------------------
 */

/* Name a range of missing packets, unless enough have been named. */
static void
append_range(StringInfo text, int nranges, uint32 from, uint32 to)
{
	if (nranges > MAX_NAMED_RANGES)
		return;
	if (nranges > 1)
		appendStringInfoString(text, ", ");
	if (nranges == MAX_NAMED_RANGES)
		appendStringInfoString(text, "...");
	else if (from == to)
		appendStringInfo(text, "%u", from);
	else
		appendStringInfo(text, "%u to %u", from, to);
}

/* Say which packets are missing. */
rowser_noreturn static void
report_missing(const RowserGather *gather)
{
	StringInfoData text;
	int			nranges = 0;
	uint32		from = 0;		/* the range that is open, if any */

	initStringInfo(&text);
	for (uint32 seq = 1; seq <= gather->greatest; seq++)
	{
		CHECK_FOR_INTERRUPTS();
		if (is_here(gather, seq))
		{
			if (from != 0)
				append_range(&text, ++nranges, from, seq - 1);
			from = 0;
		}
		else if (from == 0)
			from = seq;
	}
	if (gather->last == 0)
		appendStringInfo(&text, "%sall after %u", nranges > 0 ? ", " : "",
						 gather->greatest);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("packets of the rowset are missing"),
			 errdetail("Missing: %s.", text.data)));
}

bytea *
rowser_gather_finish(RowserGather *gather)
{
	size_t		size;
	bytea	   *rowset;

	if (gather->npackets < gather->greatest || gather->last == 0)
		report_missing(gather);
	size = (gather->last - 1) * gather->payload_size + gather->last_size;
	rowset = (bytea *) gather->bytes;
	SET_VARSIZE(rowset, VARHDRSZ + size);
	rowser_reader_close(rowser_reader_open(rowset));
	return rowset;
}
