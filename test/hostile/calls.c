/*-------------------------------------------------------------------------
 *
 * calls.c
 *	  Calls that read mutants, and counting what they make of each.
 *
 * Every call runs in a subtransaction of its own, which is rolled back when it
 * raises an error.  What the backend is about to read is its activity, which
 * the server's log tells after a crash.
 *
 * Of a result the first column of the first row counts: as it is if it is a
 * boolean; if its name begins with "by_", it must be the same for all calls of
 * a mutant that give one of that name, but for those that give NULL.
 *
 * Memory: the tally is in the context of the caller; what a mutant needs is in
 * the reading's context, which is emptied after each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <time.h>

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "calls.h"

/* What the warnings of a call are counted for */
static Reading *running;
static emit_log_hook_type previous_hook;

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

static void
prepare_calls(Reading *reading, ArrayType *queries)
{
	Oid			argtypes[1] = {BYTEAOID};
	Datum	   *values;

	deconstruct_array(queries, TEXTOID, -1, false, TYPALIGN_INT, &values,
					  NULL, &reading->ncalls);
	reading->calls = palloc(reading->ncalls * sizeof(Call));
	for (int i = 0; i < reading->ncalls; i++)
	{
		Call	   *call = &reading->calls[i];

		call->query = TextDatumGetCString(values[i]);
		call->plan = SPI_prepare_cursor(call->query, 1, argtypes,
										CURSOR_OPT_GENERIC_PLAN);
		if (call->plan == NULL)
			elog(ERROR, "could not prepare: %s", call->query);
	}
}

void
hostile_reading_open(Reading *reading, ArrayType *queries)
{
	reading->tally = hostile_tally_create();
	reading->context = AllocSetContextCreate(CurrentMemoryContext,
											 "hostile mutant",
											 ALLOCSET_DEFAULT_SIZES);
	prepare_calls(reading, queries);
	previous_hook = emit_log_hook;
	emit_log_hook = count_warning;
	running = reading;
}

void
hostile_reading_close(Reading *reading)
{
	if (running != reading)
		return;
	running = NULL;
	emit_log_hook = previous_hook;
}

/* ----------------------------------------------------------------
 *		What a call gave
 * ----------------------------------------------------------------
 */

/* Compare with what calls of that name gave; returns what is counted. */
static const char *
compare(Reading *reading, const char *label, const char *result)
{
	Agreement  *agreement = reading->agreements;

	while (agreement->label != NULL && strcmp(agreement->label, label) != 0)
		agreement++;
	if (agreement->label == NULL)
	{
		if (agreement == &reading->agreements[MAX_AGREEMENTS - 1])
			elog(ERROR, "too many names of results");
		agreement->label = pstrdup(label);
		agreement->result = result;
		agreement->call = reading->call;
	}
	else if (strcmp(agreement->result, result) != 0)
		return psprintf("other rows than by: %s", agreement->call->query);
	return "";
}

/* What a result is counted as, from its first row */
static const char *
examine(Reading *reading, HeapTuple row, TupleDesc tupdesc)
{
	const char *label = NameStr(TupleDescAttr(tupdesc, 0)->attname);
	bool		isnull;
	Datum		value;

	if (SPI_gettypeid(tupdesc, 1) == BOOLOID)
	{
		value = SPI_getbinval(row, tupdesc, 1, &isnull);
		return isnull ? "null" : DatumGetBool(value) ? "true" : "false";
	}
	if (strncmp(label, "by_", 3) == 0)
	{
		const char *result = SPI_getvalue(row, tupdesc, 1);

		return result == NULL ? "" : compare(reading, label, result);
	}
	return "";
}

/* Run a call's plan; returns what its result is counted as. */
static const char *
execute(Reading *reading, Datum rowset)
{
	const Call *call = reading->call;
	const char *result = "";

	if (SPI_execute_plan(call->plan, &rowset, NULL, true, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not run: %s", call->query);
	if (SPI_processed > 0 && SPI_tuptable->tupdesc->natts > 0)
		result = examine(reading, SPI_tuptable->vals[0],
						 SPI_tuptable->tupdesc);
	SPI_freetuptable(SPI_tuptable);
	return result;
}

/*
 * What success is counted as: a call that sees the whole must not read what
 * another one of these says is no rowset.
 */
static const char *
judge_success(Reading *reading, const char *result)
{
	const char *query = reading->call->query;

	if (strcmp(result, "false") == 0)
		reading->is_refused = true;
	else if (reading->is_refused && strstr(query, "rowset_check") != NULL)
		return "rowset_check reads what rowset_is_valid refuses";
	else if (reading->refusal != NULL && !reading->has_others &&
			 strstr(query, "rowset_to_recordset") != NULL &&
			 strstr(query, "length(t::text)") != NULL)
		return psprintf("rows of what rowset_check refuses: %s",
						reading->refusal);
	return result;
}

static void
count_success(Reading *reading, const char *result, double milliseconds)
{
	Outcome		outcome = {reading->call->query, 0, 0, NULL, false};

	outcome.message = judge_success(reading, result);
	hostile_tally_add(reading->tally, &outcome, outcome.message,
					  reading->mutant, milliseconds);
}

static void
count_error(Reading *reading, const ErrorData *error, double milliseconds)
{
	Outcome		outcome = hostile_error_outcome(reading->call->query, error);
	StringInfoData sample;

	initStringInfo(&sample);
	appendStringInfoString(&sample, error->message);
	if (error->detail != NULL)
		appendStringInfo(&sample, " (%s)", error->detail);
	hostile_tally_add(reading->tally, &outcome, sample.data, reading->mutant,
					  milliseconds);
	/* only the byte layer knows the place; types are the reader's choice */
	if (strstr(reading->call->query, "rowset_check") != NULL &&
		error->sqlerrcode != ERRCODE_FEATURE_NOT_SUPPORTED &&
		error->detail != NULL && strstr(error->detail, ", at byte ") != NULL)
		reading->refusal = outcome.message;
}

/* ----------------------------------------------------------------
 *		Running it
 * ----------------------------------------------------------------
 */

/* Milliseconds of the clock that a reading goes by */
static double
clock_ms(const Reading *reading)
{
	struct timespec time;

	if (clock_gettime(reading->by_cpu ? CLOCK_PROCESS_CPUTIME_ID :
					  CLOCK_MONOTONIC, &time) != 0)
		elog(ERROR, "could not read the clock: %m");
	return time.tv_sec * 1000.0 + time.tv_nsec / 1000000.0;
}

/*
 * Run a call in a subtransaction.  Returns what its result is counted as, or
 * NULL and the error that it raised.
 */
static const char *
attempt(Reading *reading, Datum rowset, ErrorData **error)
{
	MemoryContext old_context = CurrentMemoryContext;
	ResourceOwner old_owner = CurrentResourceOwner;
	const char *result = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(reading->context);
	PG_TRY();
	{
		result = execute(reading, rowset);
		if (reading->undo)
			RollbackAndReleaseCurrentSubTransaction();
		else
			ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(reading->context);
		*error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(old_context);
	CurrentResourceOwner = old_owner;
	return result;
}

void
hostile_reading_begin(Reading *reading)
{
	CHECK_FOR_INTERRUPTS();
	pgstat_report_activity(STATE_RUNNING, reading->mutant);
	reading->is_refused = false;
	reading->refusal = NULL;
	memset(reading->agreements, 0, sizeof(reading->agreements));
}

void
hostile_reading_call(Reading *reading, int which, bytea *mutant)
{
	MemoryContext old_context;
	ErrorData  *error = NULL;
	const char *result;
	double		start;
	double		milliseconds;

	reading->call = &reading->calls[which];
	start = clock_ms(reading);
	result = attempt(reading, PointerGetDatum(mutant), &error);
	milliseconds = clock_ms(reading) - start;

	if (error != NULL && error->sqlerrcode == ERRCODE_QUERY_CANCELED)
	{
		error->detail = psprintf("%s, %s", reading->call->query,
								 reading->mutant);
		ReThrowError(error);
	}
	old_context = MemoryContextSwitchTo(reading->context);
	if (error == NULL)
		count_success(reading, result, milliseconds);
	else
		count_error(reading, error, milliseconds);
	MemoryContextSwitchTo(old_context);
}

void
hostile_reading_end(Reading *reading)
{
	MemoryContextReset(reading->context);
}
