/*-------------------------------------------------------------------------
 *
 * packets.c
 *	  rowset_packets(), query_to_rowset_packets(): a rowset cut into packets,
 *	  whole or as a query gives it.
 *
 * The packets of a query leave as the row groups in them are finished; the query
 * is run only as far as the next packet needs.
 *
 * Memory: what is kept between calls is in the function's multi-call context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "common/hashfn.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "api/portal_rows.h"
#include "api/receiver.h"
#include "compat.h"
#include "rowset/packets.h"
#include "rowset/reader.h"

PG_FUNCTION_INFO_V1(rowset_packets);
PG_FUNCTION_INFO_V1(query_to_rowset_packets);
PG_FUNCTION_INFO_V1(query_to_rowset_packets_params);

/*
 * Rows that are asked of a query at a time.  All of them have to be taken,
 * however large they turn out to be, so there are few.
 */
#define MAX_STEP			64

/* Larger packets would not fit into a row. */
#define MAX_PACKET_SIZE		(MaxAllocSize - 1024)

/* What packets are cut by */
typedef struct Cutter
{
	TupleDesc	tupdesc;		/* of (seq, packet) */
	size_t		payload_size;
	RowserPacket packet;		/* the last one that was cut */
} Cutter;

/* Begin, with the size of packets in argument 1; memory is palloc'd. */
static void
init_cutter(Cutter *cutter, FunctionCallInfo fcinfo)
{
	int32		packet_size = PG_GETARG_INT32(1);
	TupleDesc	tupdesc;

	if (packet_size < ROWSER_PACKET_MIN_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("packet_size is out of range"),
				 errdetail("It is %d.", packet_size),
				 errhint("Give a number of bytes, %d or more.",
						 ROWSER_PACKET_MIN_SIZE)));
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	cutter->tupdesc = BlessTupleDesc(tupdesc);
	cutter->payload_size = Min(packet_size, MAX_PACKET_SIZE) -
		ROWSER_PACKET_OVERHEAD;
	cutter->packet.seq = 0;
}

/*
 * Cut a packet off the first of `left` bytes, at the end of which the stream
 * ends, if the packet reaches it; returns the bytes it carries, and the row
 * (seq, packet) in *row.
 */
static size_t
cut_packet(Cutter *cutter, const uint8 *bytes, size_t left, HeapTuple *row)
{
	RowserPacket *packet = &cutter->packet;
	Datum		values[2];
	bool		nulls[2] = {false, false};
	bytea	   *made;

	if (packet->seq == PG_UINT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("too many packets"),
				 errhint("Make the packets larger.")));
	packet->seq++;
	packet->payload = bytes;
	packet->payload_size = Min(left, cutter->payload_size);
	packet->is_last = packet->payload_size == left;
	made = rowser_packets_make(packet);
	values[0] = Int64GetDatum(packet->seq);
	values[1] = PointerGetDatum(made);
	*row = heap_form_tuple(cutter->tupdesc, values, nulls);
	pfree(made);
	return packet->payload_size;
}

/* ----------------------------------------------------------------
 *		Of a rowset
 * ----------------------------------------------------------------
 */

typedef struct RowsetPackets
{
	Cutter		cutter;
	const uint8 *bytes;			/* of the rowset, that haven't been cut */
	size_t		left;
} RowsetPackets;

/* Begin with the function's arguments; all memory is in the current context. */
static RowsetPackets *
begin_rowset(FunctionCallInfo fcinfo)
{
	RowsetPackets *packets = palloc0(sizeof(RowsetPackets));
	bytea	   *rowset;

	init_cutter(&packets->cutter, fcinfo);
	/* ours, since the argument need not live until the next call */
	rowset = PG_GETARG_BYTEA_P_COPY(0);
	rowser_reader_close(rowser_reader_open(rowset));
	packets->bytes = (const uint8 *) VARDATA(rowset);
	packets->left = VARSIZE(rowset) - VARHDRSZ;

	/* the same rowset in packets of the same size is the same stream */
	packets->cutter.packet.stream =
		hash_bytes_extended(packets->bytes, (int) packets->left,
							packets->cutter.payload_size);
	return packets;
}

/*
 * rowset_packets(rowset bytea, packet_size int) returns setof (seq, packet)
 */
Datum
rowset_packets(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	RowsetPackets *packets;
	size_t		size;
	HeapTuple	row;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old_context;

		funcctx = SRF_FIRSTCALL_INIT();
		old_context = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		funcctx->user_fctx = begin_rowset(fcinfo);
		MemoryContextSwitchTo(old_context);
	}
	funcctx = SRF_PERCALL_SETUP();
	packets = funcctx->user_fctx;
	if (packets->left == 0)
		SRF_RETURN_DONE(funcctx);
	size = cut_packet(&packets->cutter, packets->bytes, packets->left, &row);
	packets->bytes += size;
	packets->left -= size;
	SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(row));
}

/* ----------------------------------------------------------------
 *		Of a query
 * ----------------------------------------------------------------
 */

typedef struct QueryPackets
{
	Cutter		cutter;
	RowserReceiver receiver;
	RowserProgress progress;
	RowserPortal *portal;
	uint64		step;			/* rows to ask for next */
	bool		is_ended;		/* the rowset is complete */
} QueryPackets;

/* Begin with the function's arguments; all memory is in the current context. */
static void *
begin_query(FunctionCallInfo fcinfo, const RowserParams *params,
			RowserPortal *portal)
{
	QueryPackets *packets = palloc0(sizeof(QueryPackets));

	init_cutter(&packets->cutter, fcinfo);
	rowser_receiver_init(&packets->receiver);
	rowser_progress_init(&packets->progress, ROWSER_PROGRESS_PACK,
						 ROWSER_PROGRESS_UNKNOWN, ROWSER_PROGRESS_UNKNOWN);
	packets->receiver.progress = &packets->progress;
	packets->step = 1;
	/* no two streams have the same number, whatever they carry */
	if (!pg_strong_random(&packets->cutter.packet.stream, sizeof(uint64)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	packets->portal = portal;
	rowser_portal_open(portal, "query_to_rowset_packets",
					   text_to_cstring(PG_GETARG_TEXT_PP(0)), params);
	return packets;
}

/* Bytes that are finished and not in a packet yet */
static size_t
finished_bytes(const QueryPackets *packets, const uint8 **bytes)
{
	*bytes = NULL;
	if (packets->receiver.writer == NULL)
		return 0;
	return rowser_writer_finished(packets->receiver.writer, bytes);
}

/* Run the query a few rows further; fewer where these make whole row groups. */
static void
run_query(QueryPackets *packets)
{
	const uint8 *bytes;
	size_t		before = finished_bytes(packets, &bytes);

	if (!rowser_portal_run(packets->portal, packets->step,
						   &packets->receiver.pub))
	{
		if (packets->receiver.writer == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_CURSOR_DEFINITION),
					 errmsg("query does not return rows"),
					 errdetail("It was expected to, but has not.")));
		rowser_writer_end(packets->receiver.writer);
		packets->is_ended = true;
	}
	else if (finished_bytes(packets, &bytes) > before)
		packets->step = Max(packets->step / 2, 1);
	else
		packets->step = Min(packets->step * 2, MAX_STEP);
}

/* Make the next row (seq, packet); NULL when there is none. */
static HeapTuple
next_row(void *state)
{
	QueryPackets *packets = state;
	const uint8 *bytes;
	size_t		left;
	size_t		size;
	HeapTuple	row;

	/* Between calls, the session may have other progress to report. */
	rowser_progress_begin(&packets->progress);
	/* Only the last packet may be short, and only at the end is it known. */
	while ((left = finished_bytes(packets, &bytes)) <=
		   packets->cutter.payload_size && !packets->is_ended)
		run_query(packets);
	rowser_progress_end(&packets->progress);
	if (left == 0)
		return NULL;
	size = cut_packet(&packets->cutter, bytes, left, &row);
	rowser_writer_drop(packets->receiver.writer, size);
	return row;
}

static const RowserPortalRows packet_rows = {
	.begin = begin_query,
	.next = next_row
};

/*
 * query_to_rowset_packets(query text, packet_size int) returns setof (seq,
 * packet)
 */
Datum
query_to_rowset_packets(PG_FUNCTION_ARGS)
{
	return rowser_portal_rows_give(fcinfo, &packet_rows);
}

/*
 * query_to_rowset_packets(query text, packet_size int, VARIADIC params "any")
 * returns setof (seq, packet)
 */
Datum
query_to_rowset_packets_params(PG_FUNCTION_ARGS)
{
	return rowser_portal_rows_give_params(fcinfo, &packet_rows);
}
