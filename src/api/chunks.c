/*-------------------------------------------------------------------------
 *
 * chunks.c
 *	  query_to_rowset_chunks(): a query's result as rowsets of bounded size.
 *
 * The query runs in a portal that is kept from call to call; each call runs it
 * only as far as the next chunk needs.
 *
 * Memory: what is kept between calls is in the function's multi-call context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "api/portal_rows.h"
#include "errors.h"
#include "rowset/chunker.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(query_to_rowset_chunks);
PG_FUNCTION_INFO_V1(query_to_rowset_chunks_params);

#define MIN_CHUNK_SIZE	1024
#define MAX_CHUNK_SIZE	(1024 * 1024 * 1024 - 1024)

/*
 * Rows that are asked of the portal at a time.  All of them have to be taken,
 * however large they turn out to be, so there are few.
 */
#define MAX_STEP		64

typedef struct Chunks
{
	DestReceiver receiver;		/* must be first */
	MemoryContext context;
	TupleDesc	tupdesc;		/* of (seq, chunk) */
	RowserPortal *portal;
	uint64		step;			/* rows to ask for next */
	uint64		chunk_size;
	RowserChunker *chunker;		/* made when the rows' shape is known */
	RowserProgress progress;
	int64		seq;			/* of the last chunk */
} Chunks;

/* ----------------------------------------------------------------
 *		Receiving rows
 * ----------------------------------------------------------------
 */

/* Called for each step */
static void
receiver_startup(DestReceiver *self, int operation, TupleDesc tupdesc)
{
	Chunks	   *chunks = (Chunks *) self;
	MemoryContext old_context;

	if (chunks->chunker != NULL)
		return;
	old_context = MemoryContextSwitchTo(chunks->context);
	chunks->chunker = rowser_chunker_create(tupdesc,
											rowser_settings_writer_options(),
											chunks->chunk_size,
											&chunks->progress);
	MemoryContextSwitchTo(old_context);
}

static bool
receiver_receive(TupleTableSlot *slot, DestReceiver *self)
{
	slot_getallattrs(slot);
	rowser_chunker_append(((Chunks *) self)->chunker, slot->tts_values,
						  slot->tts_isnull);
	return true;
}

static void
receiver_nothing(DestReceiver *self)
{
}

/* ----------------------------------------------------------------
 *		The query
 * ----------------------------------------------------------------
 */

/* Run the query a few rows further. */
static void
run_query(Chunks *chunks)
{
	if (rowser_portal_run(chunks->portal, chunks->step, &chunks->receiver))
	{
		chunks->step = Min(chunks->step * 2, MAX_STEP);
		chunks->step = Min(chunks->step,
						   rowser_chunker_room(chunks->chunker));
		return;
	}
	if (chunks->chunker == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_CURSOR_DEFINITION),
				 errmsg("query does not return rows"),
				 errdetail("It was expected to, but has not.")));
	rowser_chunker_finish(chunks->chunker);
}

/* ----------------------------------------------------------------
 *		Chunks
 * ----------------------------------------------------------------
 */

/* Begin with the function's arguments; memory is the current context's. */
static void *
begin_chunks(FunctionCallInfo fcinfo, const RowserParams *params,
			 RowserPortal *portal)
{
	int32		chunk_size = PG_GETARG_INT32(1);
	Chunks	   *chunks = palloc0(sizeof(Chunks));
	TupleDesc	tupdesc;

	if (chunk_size < MIN_CHUNK_SIZE || chunk_size > MAX_CHUNK_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("chunk_size is out of range"),
				 errdetail("It is %d.", chunk_size),
				 errhint("Give a number of bytes from %d to %d.",
						 MIN_CHUNK_SIZE, MAX_CHUNK_SIZE)));
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	chunks->tupdesc = BlessTupleDesc(tupdesc);

	/* FETCH would take DestNone for MOVE; see query.c */
	chunks->receiver.receiveSlot = receiver_receive;
	chunks->receiver.rStartup = receiver_startup;
	chunks->receiver.rShutdown = receiver_nothing;
	chunks->receiver.rDestroy = receiver_nothing;
	chunks->receiver.mydest = DestTuplestore;
	chunks->context = CurrentMemoryContext;
	chunks->chunk_size = chunk_size;
	chunks->step = 1;
	rowser_progress_init(&chunks->progress, ROWSER_PROGRESS_PACK,
						 ROWSER_PROGRESS_UNKNOWN, ROWSER_PROGRESS_UNKNOWN);
	chunks->portal = portal;
	rowser_portal_open(portal, "query_to_rowset_chunks",
					   text_to_cstring(PG_GETARG_TEXT_PP(0)), params);
	return chunks;
}

/* Run the query as far as the next chunk needs; NULL when there is none. */
static bytea *
next_chunk(Chunks *chunks)
{
	bytea	   *chunk = NULL;

	/* Between calls, the session may have other progress to report. */
	rowser_progress_begin(&chunks->progress);
	for (;;)
	{
		if (chunks->chunker != NULL)
			chunk = rowser_chunker_next(chunks->chunker);
		if (chunk != NULL || chunks->portal->name == NULL)
			break;
		run_query(chunks);
	}
	rowser_progress_end(&chunks->progress);
	return chunk;
}

/* The row (seq, chunk), which takes the chunk's place in memory. */
static HeapTuple
form_row(Chunks *chunks, bytea *chunk)
{
	Datum		values[2] = {
		Int64GetDatum(++chunks->seq), PointerGetDatum(chunk)
	};
	bool		nulls[2] = {false, false};
	HeapTuple	row;

	/* a single row that is larger than any chunk should be */
	if (VARSIZE(chunk) > MAX_CHUNK_SIZE + VARHDRSZ)
		rowser_report_too_large();
	row = heap_form_tuple(chunks->tupdesc, values, nulls);
	pfree(chunk);
	return row;
}

static HeapTuple
next_row(void *state)
{
	Chunks	   *chunks = state;
	bytea	   *chunk = next_chunk(chunks);

	return chunk != NULL ? form_row(chunks, chunk) : NULL;
}

/* ----------------------------------------------------------------
 *		SQL functions
 * ----------------------------------------------------------------
 */

static const RowserPortalRows chunk_rows = {
	.begin = begin_chunks,
	.next = next_row
};

/*
 * query_to_rowset_chunks(query text, chunk_size int) returns setof (seq, chunk)
 */
Datum
query_to_rowset_chunks(PG_FUNCTION_ARGS)
{
	return rowser_portal_rows_give(fcinfo, &chunk_rows);
}

/*
 * query_to_rowset_chunks(query text, chunk_size int, VARIADIC params "any")
 * returns setof (seq, chunk)
 */
Datum
query_to_rowset_chunks_params(PG_FUNCTION_ARGS)
{
	return rowser_portal_rows_give_params(fcinfo, &chunk_rows);
}
