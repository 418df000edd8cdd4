/*-------------------------------------------------------------------------
 *
 * sweep.c
 *	  rowser_test_sweep(): many damaged copies of one rowset, and what calls
 *	  make of each.
 *
 * Every call runs in a subtransaction of its own, which is rolled back when it
 * raises an error.  A mutant lies right before a page that can't be read, so
 * looking past its end ends in a crash, and the whole runs under a limit of
 * memory.  What the backend is about to read is its activity, which the
 * server's log tells after a crash.
 *
 * Memory: the tally is in the context of the call; what a mutant needs is in
 * mutant_context, which is emptied after each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "portability/instr_time.h"
#include "utils/array.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "confine.h"
#include "mutate.h"
#include "reseal.h"
#include "tally.h"

/* visible, unlike all else; before 16, fmgr.h doesn't say so */
extern PGDLLEXPORT Datum rowser_test_sweep(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_kept(PG_FUNCTION_ARGS);

PG_FUNCTION_INFO_V1(rowser_test_sweep);
PG_FUNCTION_INFO_V1(rowser_test_kept);

#define MEGABYTE ((Size) 1024 * 1024)

/* Room for what random changes add */
#define MUTANT_LIMIT (4 * MEGABYTE)

typedef struct Call
{
	const char *query;
	SPIPlanPtr	plan;
} Call;

typedef struct Sweep
{
	const uint8 *rowset;
	size_t		size;
	int			ncalls;
	Call	   *calls;
	bool		reseal;
	Tally	   *tally;
	Fence		fence;
	MemoryContext mutant_context;
	char		mutant[64];		/* says what was changed */
	const Call *call;			/* the one that runs */
	bool		is_refused;		/* rowset_is_valid() said no */
	const char *refusal;		/* what rowset_check() said of the bytes */
} Sweep;

/* What the warnings of a call are counted for */
static Sweep *running;
static emit_log_hook_type previous_hook;

/* What the last sweep left behind */
static int64 kept_own;
static int64 kept_caches;

/* ----------------------------------------------------------------
 *		One call
 * ----------------------------------------------------------------
 */

/* Count warnings, such as that of a reference that leaks, as outcomes. */
static void
count_warning(ErrorData *error)
{
	if (running != NULL && error->elevel == WARNING)
	{
		Outcome		outcome = hostile_error_outcome(running->call->query,
													error);

		hostile_tally_add(running->tally, &outcome, error->message,
						  running->mutant, 0);
		error->output_to_server = false;
		error->output_to_client = false;
	}
	if (previous_hook != NULL)
		previous_hook(error);
}

/* Run a call's plan; returns what it gave, as far as that is counted. */
static const char *
execute(const Call *call, Datum rowset)
{
	const char *result = "";
	bool		isnull;
	Datum		value;

	if (SPI_execute_plan(call->plan, &rowset, NULL, true, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not run: %s", call->query);
	if (SPI_processed > 0 && SPI_tuptable->tupdesc->natts > 0 &&
		SPI_gettypeid(SPI_tuptable->tupdesc, 1) == BOOLOID)
	{
		value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
							  &isnull);
		result = isnull ? "null" : DatumGetBool(value) ? "true" : "false";
	}
	SPI_freetuptable(SPI_tuptable);
	return result;
}

/*
 * What success is counted as: a call that sees the whole must not read what
 * another one of these says is no rowset.
 */
static const char *
judge_success(Sweep *sweep, const char *result)
{
	const char *query = sweep->call->query;

	if (strcmp(result, "false") == 0)
		sweep->is_refused = true;
	else if (sweep->is_refused && strstr(query, "rowset_check") != NULL)
		return "rowset_check reads what rowset_is_valid refuses";
	else if (sweep->refusal != NULL &&
			 strstr(query, "rowset_to_recordset") != NULL &&
			 strstr(query, "length(t::text)") != NULL)
		return psprintf("rows of what rowset_check refuses: %s",
						sweep->refusal);
	return result;
}

static void
count_success(Sweep *sweep, const char *result, double milliseconds)
{
	Outcome		outcome = {sweep->call->query, 0, 0, NULL, false};

	outcome.message = judge_success(sweep, result);
	hostile_tally_add(sweep->tally, &outcome, outcome.message, sweep->mutant,
					  milliseconds);
}

static void
count_error(Sweep *sweep, const ErrorData *error, double milliseconds)
{
	Outcome		outcome = hostile_error_outcome(sweep->call->query, error);
	StringInfoData sample;

	initStringInfo(&sample);
	appendStringInfoString(&sample, error->message);
	if (error->detail != NULL)
		appendStringInfo(&sample, " (%s)", error->detail);
	hostile_tally_add(sweep->tally, &outcome, sample.data, sweep->mutant,
					  milliseconds);
	/* only the byte layer knows the place; types are the reader's choice */
	if (strstr(sweep->call->query, "rowset_check") != NULL &&
		error->sqlerrcode != ERRCODE_FEATURE_NOT_SUPPORTED &&
		error->detail != NULL && strstr(error->detail, ", at byte ") != NULL)
		sweep->refusal = outcome.message;
}

static void
run_call(Sweep *sweep, const Call *call, Datum rowset)
{
	MemoryContext old_context = CurrentMemoryContext;
	ResourceOwner old_owner = CurrentResourceOwner;
	ErrorData  *error = NULL;
	const char *result = NULL;
	instr_time	start;
	instr_time	duration;
	double		milliseconds;

	sweep->call = call;
	INSTR_TIME_SET_CURRENT(start);
	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(sweep->mutant_context);
	PG_TRY();
	{
		result = execute(call, rowset);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(sweep->mutant_context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(old_context);
	CurrentResourceOwner = old_owner;
	INSTR_TIME_SET_CURRENT(duration);
	INSTR_TIME_SUBTRACT(duration, start);
	milliseconds = INSTR_TIME_GET_MILLISEC(duration);

	if (error != NULL && error->sqlerrcode == ERRCODE_QUERY_CANCELED)
	{
		error->detail = psprintf("%s, %s", call->query, sweep->mutant);
		ReThrowError(error);
	}
	MemoryContextSwitchTo(sweep->mutant_context);
	if (error == NULL)
		count_success(sweep, result, milliseconds);
	else
		count_error(sweep, error, milliseconds);
	MemoryContextSwitchTo(old_context);
}

/* ----------------------------------------------------------------
 *		Mutants
 * ----------------------------------------------------------------
 */

/* Have all calls read a mutant that is in place. */
static void
read_mutant(Sweep *sweep, bytea *mutant)
{
	MemoryContext old_context;

	CHECK_FOR_INTERRUPTS();
	if (sweep->reseal)
	{
		old_context = MemoryContextSwitchTo(sweep->mutant_context);
		hostile_reseal((uint8 *) VARDATA(mutant),
					   VARSIZE(mutant) - VARHDRSZ);
		MemoryContextSwitchTo(old_context);
	}
	pgstat_report_activity(STATE_RUNNING, sweep->mutant);
	sweep->is_refused = false;
	sweep->refusal = NULL;
	for (int i = 0; i < sweep->ncalls; i++)
		run_call(sweep, &sweep->calls[i], PointerGetDatum(mutant));
	MemoryContextReset(sweep->mutant_context);
}

/* The rowset itself, up to a byte. */
static void
read_prefix(Sweep *sweep, size_t size)
{
	bytea	   *mutant = hostile_fence_bytea(&sweep->fence, size);

	memcpy(VARDATA(mutant), sweep->rowset, size);
	snprintf(sweep->mutant, sizeof(sweep->mutant), "the first %zu bytes",
			 size);
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
	snprintf(sweep->mutant, sizeof(sweep->mutant), "byte %zu is %u",
			 offset, value);
	read_mutant(sweep, mutant);
}

static void
read_random(Sweep *sweep, uint32 seed)
{
	MemoryContext old_context = MemoryContextSwitchTo(sweep->mutant_context);
	RowserBuffer buffer;
	bytea	   *mutant;
	bool		made;

	rowser_buffer_init(&buffer, sweep->size + 256, MUTANT_LIMIT);
	made = hostile_mutate(sweep->rowset, sweep->size, seed, &buffer);
	MemoryContextSwitchTo(old_context);
	if (!made)
	{
		MemoryContextReset(sweep->mutant_context);
		return;
	}
	mutant = hostile_fence_bytea(&sweep->fence, buffer.size);
	memcpy(VARDATA(mutant), buffer.bytes, buffer.size);
	snprintf(sweep->mutant, sizeof(sweep->mutant), "seed %u", seed);
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
		read_prefix(sweep, sweep->size);
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

static void
prepare_calls(Sweep *sweep, ArrayType *queries)
{
	Oid			argtypes[1] = {BYTEAOID};
	Datum	   *values;

	deconstruct_array(queries, TEXTOID, -1, false, TYPALIGN_INT, &values,
					  NULL, &sweep->ncalls);
	sweep->calls = palloc(sweep->ncalls * sizeof(Call));
	for (int i = 0; i < sweep->ncalls; i++)
	{
		Call	   *call = &sweep->calls[i];

		call->query = TextDatumGetCString(values[i]);
		call->plan = SPI_prepare_cursor(call->query, 1, argtypes,
										CURSOR_OPT_GENERIC_PLAN);
		if (call->plan == NULL)
			elog(ERROR, "could not prepare: %s", call->query);
	}
}

/* Read the rowset itself, so that what is cached once is there already. */
static void
warm_up(Sweep *sweep)
{
	Tally	   *tally = sweep->tally;

	sweep->tally = hostile_tally_create();
	read_prefix(sweep, sweep->size);
	read_prefix(sweep, 0);
	sweep->tally = tally;
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
	sweep.tally = hostile_tally_create();
	sweep.mutant_context = AllocSetContextCreate(CurrentMemoryContext,
												 "hostile mutant",
												 ALLOCSET_DEFAULT_SIZES);
	hostile_fence_open(&sweep.fence, Max(sweep.size, MUTANT_LIMIT));

	SPI_connect();
	prepare_calls(&sweep, PG_GETARG_ARRAYTYPE_P(1));
	previous_hook = emit_log_hook;
	emit_log_hook = count_warning;
	running = &sweep;
	PG_TRY();
	{
		run(&sweep, text_to_cstring(PG_GETARG_TEXT_PP(2)),
			PG_GETARG_INT32(4), PG_GETARG_INT32(5),
			PG_GETARG_INT32(6) * MEGABYTE);
	}
	PG_FINALLY();
	{
		running = NULL;
		emit_log_hook = previous_hook;
		hostile_fence_close(&sweep.fence);
	}
	PG_END_TRY();
	hostile_tally_put(sweep.tally, rsinfo->setResult, rsinfo->setDesc);
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
