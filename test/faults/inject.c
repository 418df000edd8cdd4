/*-------------------------------------------------------------------------
 *
 * inject.c
 *	  One fault at the n-th step of what this session does next.
 *
 * A step is an allocation by palloc() and the like, or, for the fault "malloc",
 * one by malloc().  The faults:
 *
 *   palloc		it fails
 *   cancel		a request to cancel the statement arrives, and is taken at the
 *				next CHECK_FOR_INTERRUPTS()
 *   terminate	a request to end the session, likewise
 *   malloc		it fails; this needs scarce.so under the server
 *
 * There is one fault only, so what happens after it, up to the abort of the
 * transaction, has memory again.  Steps in critical sections aren't counted,
 * where the server must have memory or stop, nor those of the error handling
 * and of the cumulative statistics, which don't stand it: the entry that is not
 * complete crashes the server when the transaction ends (seen in 15).
 *
 * A server with assertions allocates where others don't: when something is taken
 * out of a list.  PL/pgSQL takes an expression's context out of its executor
 * state's list after it has deleted the context, and when that fails deletes it
 * once more.  So steps in executor states aren't counted there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <dlfcn.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "patch.h"

PG_MODULE_MAGIC;

/* before 16, fmgr.h doesn't make them visible */
extern PGDLLEXPORT Datum rowser_faults_arm(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_faults_disarm(PG_FUNCTION_ARGS);

PG_FUNCTION_INFO_V1(rowser_faults_arm);
PG_FUNCTION_INFO_V1(rowser_faults_disarm);

typedef enum FaultKind
{
	FAULT_NONE,
	FAULT_PALLOC,
	FAULT_CANCEL,
	FAULT_TERMINATE
} FaultKind;

static FaultKind armed = FAULT_NONE;
static int64 steps_left = 0;
static bool happened = false;

/* Of scarce.so: how many calls of malloc are left, -1 for no end; then 0 */
static volatile long *malloc_left = NULL;

/* Contexts in which core does not stand a fault */
static bool
is_exempt(MemoryContext context)
{
#ifdef USE_ASSERT_CHECKING
	if (strcmp(context->name, "ExecutorState") == 0)
		return true;
#endif
	return context == ErrorContext ||
		strncmp(context->name, "PgStat", 6) == 0;
}

static bool
next_step(MemoryContext context)
{
	FaultKind	kind = armed;

	if (kind == FAULT_NONE || CritSectionCount > 0 || is_exempt(context))
		return false;
	if (--steps_left > 0)
		return false;

	armed = FAULT_NONE;
	happened = true;
	switch (kind)
	{
		case FAULT_PALLOC:
			return true;
		case FAULT_CANCEL:
			QueryCancelPending = true;
			break;
		case FAULT_TERMINATE:
			ProcDiePending = true;
			break;
		case FAULT_NONE:
			break;
	}
	InterruptPending = true;
	return false;
}

/*
 * rowser_faults_arm(fault text, nth int8) returns void
 */
Datum
rowser_faults_arm(PG_FUNCTION_ARGS)
{
	char	   *fault = text_to_cstring(PG_GETARG_TEXT_PP(0));
	int64		nth = PG_GETARG_INT64(1);
	FaultKind	kind = FAULT_NONE;

	if (malloc_left == NULL)
		malloc_left = dlsym(RTLD_DEFAULT, "scarce_left");
	if (strcmp(fault, "palloc") == 0)
		kind = FAULT_PALLOC;
	else if (strcmp(fault, "cancel") == 0)
		kind = FAULT_CANCEL;
	else if (strcmp(fault, "terminate") == 0)
		kind = FAULT_TERMINATE;
	else if (strcmp(fault, "malloc") != 0)
		elog(ERROR, "unknown fault \"%s\"", fault);
	else if (malloc_left == NULL)
		elog(ERROR, "scarce.so is not loaded");

	faults_patch_memory(next_step);
	happened = false;
	steps_left = nth;
	armed = kind;
	if (kind == FAULT_NONE)
		*malloc_left = (long) nth;
	PG_RETURN_VOID();
}

/*
 * rowser_faults_disarm() returns bool
 *
 * Has the fault happened?
 */
Datum
rowser_faults_disarm(PG_FUNCTION_ARGS)
{
	armed = FAULT_NONE;
	if (malloc_left != NULL)
	{
		happened |= *malloc_left == 0;
		*malloc_left = -1;
	}
	PG_RETURN_BOOL(happened);
}
