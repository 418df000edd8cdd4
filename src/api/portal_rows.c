/*-------------------------------------------------------------------------
 *
 * portal_rows.c
 *	  Set-returning functions that run a query as far as their next row needs.
 *
 * The query is in a portal that is kept from call to call.  It is closed when
 * the function is at its end, or when its caller wants no more of it.  A cursor
 * WITH HOLD is read to its end at COMMIT, when a portal of the function's own may
 * be gone already; so there, all rows go into a tuplestore at the first call.
 *
 * Memory: what is kept between calls is in the function's multi-call context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "tcop/pquery.h"
#include "utils/portal.h"
#include "utils/tuplestore.h"

#include "api/portal_rows.h"

/* A function between its calls */
typedef struct Call
{
	RowserPortal portal;
	void	   *state;			/* the function's own */
} Call;

/* The caller's executor has had enough, or is at its end. */
static void
shut_down(Datum arg)
{
	rowser_portal_close(&((Call *) DatumGetPointer(arg))->portal);
}

/* The first call: begin, and see to it that the portal is closed. */
static Call *
begin_call(FunctionCallInfo fcinfo, FuncCallContext *funcctx,
		   const RowserPortalRows *rows, const RowserParams *params)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext old_context =
	MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
	Call	   *call = palloc0(sizeof(Call));

	call->state = rows->begin(fcinfo, params, &call->portal);
	MemoryContextSwitchTo(old_context);
	RegisterExprContextCallback(rsinfo->econtext, shut_down,
								PointerGetDatum(call));
	return call;
}

/* Give the next row.  In the first call, no params mean that there are none. */
static Datum
give_row(FunctionCallInfo fcinfo, const RowserPortalRows *rows,
		 const RowserParams *params)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	FuncCallContext *funcctx;
	Call	   *call;
	HeapTuple	row;

	if (SRF_IS_FIRSTCALL())
	{
		funcctx = SRF_FIRSTCALL_INIT();
		if (params == NULL)
			SRF_RETURN_DONE(funcctx);
		funcctx->user_fctx = begin_call(fcinfo, funcctx, rows, params);
	}
	funcctx = SRF_PERCALL_SETUP();
	call = funcctx->user_fctx;
	row = rows->next(call->state);
	if (row != NULL)
		SRF_RETURN_NEXT(funcctx, HeapTupleGetDatum(row));
	UnregisterExprContextCallback(rsinfo->econtext, shut_down,
								  PointerGetDatum(call));
	SRF_RETURN_DONE(funcctx);
}

/* Put all rows into the function's tuplestore. */
static void
put_rows(FunctionCallInfo fcinfo, const RowserPortalRows *rows,
		 const RowserParams *params)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	RowserPortal portal = {0};
	void	   *state = rows->begin(fcinfo, params, &portal);
	HeapTuple	row;

	while ((row = rows->next(state)) != NULL)
	{
		tuplestore_puttuple(rsinfo->setResult, row);
		heap_freetuple(row);
	}
}

static bool
caller_is_held(void)
{
	return ActivePortal != NULL &&
		(ActivePortal->cursorOptions & CURSOR_OPT_HOLD) != 0;
}

static Datum
give(FunctionCallInfo fcinfo, const RowserPortalRows *rows,
	 const RowserParams *params)
{
	if (SRF_IS_FIRSTCALL() && caller_is_held())
	{
		InitMaterializedSRF(fcinfo, 0);
		if (params != NULL)
			put_rows(fcinfo, rows, params);
		PG_RETURN_NULL();
	}
	return give_row(fcinfo, rows, params);
}

Datum
rowser_portal_rows_give(FunctionCallInfo fcinfo, const RowserPortalRows *rows)
{
	RowserParams params = {0};

	return give(fcinfo, rows, &params);
}

Datum
rowser_portal_rows_give_params(FunctionCallInfo fcinfo,
							   const RowserPortalRows *rows)
{
	RowserParams params;

	/* a parameter may well be NULL */
	if (!SRF_IS_FIRSTCALL() || PG_ARGISNULL(0) || PG_ARGISNULL(1))
		return give(fcinfo, rows, NULL);
	rowser_query_get_params(fcinfo, 2, &params);
	return give(fcinfo, rows, &params);
}
