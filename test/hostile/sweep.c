/*-------------------------------------------------------------------------
 *
 * sweep.c
 *	  rowser_test_sweep(): many damaged copies of one rowset, and what calls
 *	  make of each.
 *
 * A mutant lies right before a page that can't be read, so looking past its
 * end ends in a crash, and the whole runs under a limit of memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "calls.h"
#include "confine.h"
#include "mutate.h"
#include "reseal.h"

/* visible, unlike all else; before 16, fmgr.h doesn't say so */
extern PGDLLEXPORT Datum rowser_test_sweep(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_kept(PG_FUNCTION_ARGS);

PG_FUNCTION_INFO_V1(rowser_test_sweep);
PG_FUNCTION_INFO_V1(rowser_test_kept);

#define MEGABYTE ((Size) 1024 * 1024)

/* Room for what random changes add */
#define MUTANT_LIMIT (4 * MEGABYTE)

typedef struct Sweep
{
	const uint8 *rowset;
	size_t		size;
	bool		reseal;
	Fence		fence;
	Reading		reading;
} Sweep;

/* What the last sweep left behind */
static int64 kept_own;
static int64 kept_caches;

/* ----------------------------------------------------------------
 *		Mutants
 * ----------------------------------------------------------------
 */

/* Have all calls read a mutant that is in place. */
static void
read_mutant(Sweep *sweep, bytea *mutant)
{
	Reading    *reading = &sweep->reading;
	MemoryContext old_context;

	if (sweep->reseal)
	{
		old_context = MemoryContextSwitchTo(reading->context);
		hostile_reseal((uint8 *) VARDATA(mutant),
					   VARSIZE(mutant) - VARHDRSZ);
		MemoryContextSwitchTo(old_context);
	}
	hostile_reading_begin(reading);
	for (int i = 0; i < reading->ncalls; i++)
		hostile_reading_call(reading, i, mutant);
	hostile_reading_end(reading);
}

/* The rowset itself, up to a byte. */
static void
read_prefix(Sweep *sweep, size_t size)
{
	bytea	   *mutant = hostile_fence_bytea(&sweep->fence, size);

	memcpy(VARDATA(mutant), sweep->rowset, size);
	snprintf(sweep->reading.mutant, sizeof(sweep->reading.mutant),
			 "the first %zu bytes", size);
	read_mutant(sweep, mutant);
}

static void
read_change(Sweep *sweep, size_t offset, uint8 value)
{
	bytea	   *mutant = hostile_fence_bytea(&sweep->fence, sweep->size);

	if (value == sweep->rowset[offset])
		return;
	memcpy(VARDATA(mutant), sweep->rowset, sweep->size);
	VARDATA(mutant)[offset] = (char) value;
	snprintf(sweep->reading.mutant, sizeof(sweep->reading.mutant),
			 "byte %zu is %u", offset, value);
	read_mutant(sweep, mutant);
}

static void
read_random(Sweep *sweep, uint32 seed)
{
	MemoryContext context = sweep->reading.context;
	MemoryContext old_context = MemoryContextSwitchTo(context);
	RowserBuffer buffer;
	bytea	   *mutant;
	bool		made;

	rowser_buffer_init(&buffer, sweep->size + 256, MUTANT_LIMIT);
	made = hostile_mutate(sweep->rowset, sweep->size, seed, &buffer);
	MemoryContextSwitchTo(old_context);
	if (!made)
	{
		MemoryContextReset(context);
		return;
	}
	mutant = hostile_fence_bytea(&sweep->fence, buffer.size);
	memcpy(VARDATA(mutant), buffer.bytes, buffer.size);
	snprintf(sweep->reading.mutant, sizeof(sweep->reading.mutant),
			 "seed %u", seed);
	read_mutant(sweep, mutant);
}

static void
read_every_change(Sweep *sweep)
{
	for (size_t offset = 0; offset < sweep->size; offset++)
	{
		for (int value = 0; value <= PG_UINT8_MAX; value++)
			read_change(sweep, offset, (uint8) value);
	}
}

/* Every flip of a bit, and the values at which signs and sizes change */
static void
read_some_changes(Sweep *sweep)
{
	static const uint8 edges[] = {0x00, 0x7F, 0x80, 0xFF};

	for (size_t offset = 0; offset < sweep->size; offset++)
	{
		uint8		byte = sweep->rowset[offset];

		for (int bit = 0; bit < 8; bit++)
			read_change(sweep, offset, byte ^ (1 << bit));
		for (int i = 0; i < lengthof(edges); i++)
		{
			uint8		flipped = byte ^ edges[i];

			if ((flipped & (flipped - 1)) != 0)
				read_change(sweep, offset, edges[i]);
		}
	}
}

static void
read_mutants(Sweep *sweep, const char *kind, uint32 first, uint32 last)
{
	if (strcmp(kind, "whole") == 0)
	{
		/* bombs are to be quick, however busy the machine is */
		sweep->reading.by_cpu = true;
		read_prefix(sweep, sweep->size);
	}
	else if (strcmp(kind, "prefixes") == 0)
	{
		for (size_t size = 0; size < sweep->size; size++)
			read_prefix(sweep, size);
	}
	else if (strcmp(kind, "changes") == 0)
		read_every_change(sweep);
	else if (strcmp(kind, "some changes") == 0)
		read_some_changes(sweep);
	else if (strcmp(kind, "seeds") == 0)
	{
		for (uint32 seed = first; seed <= last; seed++)
			read_random(sweep, seed);
	}
	else
		elog(ERROR, "unknown kind of mutants: %s", kind);
}

/* ----------------------------------------------------------------
 *		The whole
 * ----------------------------------------------------------------
 */

/* Read the rowset itself, so that what is cached once is there already. */
static void
warm_up(Sweep *sweep)
{
	Reading    *reading = &sweep->reading;
	Tally	   *tally = reading->tally;

	reading->tally = hostile_tally_create();
	read_prefix(sweep, sweep->size);
	read_prefix(sweep, 0);
	reading->tally = tally;
}

static void
run(Sweep *sweep, const char *kind, uint32 first, uint32 last,
	size_t memory_limit)
{
	Size		own;
	Size		caches;
	Size		own_after;
	Size		caches_after;

	/* what is read whole may be a bomb */
	if (strcmp(kind, "whole") != 0)
		warm_up(sweep);
	hostile_memory_used(&own, &caches);
	hostile_memory_limit(memory_limit);
	PG_TRY();
	{
		read_mutants(sweep, kind, first, last);
	}
	PG_FINALLY();
	{
		hostile_memory_unlimit();
	}
	PG_END_TRY();
	hostile_memory_used(&own_after, &caches_after);
	kept_own = (int64) own_after - (int64) own;
	kept_caches = (int64) caches_after - (int64) caches;
}

/*
 * rowser_test_sweep(rowset bytea, calls text[], mutants text, reseal bool,
 * first_seed int, last_seed int, megabytes int) returns setof (call, sqlstate,
 * message, sample, located, outcomes, slowest, mutant)
 *
 * `calls` are queries that take the rowset as $1.  `mutants` is "whole",
 * "prefixes", "changes", "some changes" or "seeds".
 */
Datum
rowser_test_sweep(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	bytea	   *rowset = PG_GETARG_BYTEA_P(0);
	Sweep		sweep = {0};

	InitMaterializedSRF(fcinfo, 0);
	sweep.rowset = (uint8 *) VARDATA(rowset);
	sweep.size = VARSIZE(rowset) - VARHDRSZ;
	sweep.reseal = PG_GETARG_BOOL(3);
	hostile_fence_open(&sweep.fence, Max(sweep.size, MUTANT_LIMIT));

	SPI_connect();
	PG_TRY();
	{
		hostile_reading_open(&sweep.reading, PG_GETARG_ARRAYTYPE_P(1));
		run(&sweep, text_to_cstring(PG_GETARG_TEXT_PP(2)),
			PG_GETARG_INT32(4), PG_GETARG_INT32(5),
			PG_GETARG_INT32(6) * MEGABYTE);
	}
	PG_FINALLY();
	{
		hostile_reading_close(&sweep.reading);
		hostile_fence_close(&sweep.fence);
	}
	PG_END_TRY();
	hostile_tally_put(sweep.reading.tally, rsinfo->setResult, rsinfo->setDesc);
	SPI_finish();
	return (Datum) 0;
}

/*
 * rowser_test_kept(OUT own bigint, OUT caches bigint)
 *
 * Bytes that the last sweep has left in memory contexts: in PostgreSQL's
 * caches, which remember names that don't exist too, and in all others.
 */
Datum
rowser_test_kept(PG_FUNCTION_ARGS)
{
	TupleDesc	tupdesc;
	Datum		values[2];
	bool		nulls[2] = {false};

	values[0] = Int64GetDatum(kept_own);
	values[1] = Int64GetDatum(kept_caches);
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc),
													  values, nulls)));
}
