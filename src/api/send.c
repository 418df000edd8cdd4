/*-------------------------------------------------------------------------
 *
 * send.c
 *	  rowset_send(): the rows of a rowset straight to the client.
 *
 * A procedure has no result of its own, so the client expects nothing but the
 * end of its CALL or DO.  Before that come a row description and rows, through
 * the receiver that core itself would use, as if a SELECT had been sent.
 *
 * Whether that can be is decided by the statement that the client runs, which
 * the active portal tells: where it has a result or copies data, the rows
 * would be taken for a part of that.
 *
 * Memory: all is in the context that the procedure is called in; the reader
 * has a context of its own for each batch, the receiver one for each row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/printtup.h"
#include "executor/tuptable.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "tcop/dest.h"
#include "tcop/pquery.h"
#include "tcop/tcopprot.h"
#include "utils/fmgroids.h"

#include "rowset/rowtype.h"

PG_FUNCTION_INFO_V1(rowset_send);

/* ----------------------------------------------------------------
 *		May rows be sent?
 * ----------------------------------------------------------------
 */

/* Refuse to send, and say why. */
static void
refuse(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot send rows to the client from here"),
			 errdetail_internal("%s", detail),
			 errhint("Use rowset_open to give the rows to the caller as a cursor.")));
}

/*
 * The portal that the client is being answered from.
 *
 * A CALL with output arguments has promised its row of them, and a cursor that
 * is read by a procedure has a portal of its own, which is active meanwhile.
 * Queries that a procedure runs otherwise have none and give nothing to the
 * client, so they don't matter; but a trigger never knows what it runs under,
 * so it sends nothing under any statement.
 */
static Portal
client_portal(void)
{
	Portal		portal = ActivePortal;
	const char *tag;

	if (whereToSendOutput != DestRemote || MyProcPort == NULL ||
		IsParallelWorker())
		refuse("This process has no client.");
	if (DatumGetInt32(OidFunctionCall0(F_PG_TRIGGER_DEPTH)) > 0)
		refuse("A trigger is running.");
	if (portal == NULL)
		refuse("No statement of the client is running.");

	tag = GetCommandTagName(portal->commandTag);
	if (portal->commandTag != CMDTAG_CALL && portal->commandTag != CMDTAG_DO)
		refuse(psprintf("The running statement is %s, not CALL or DO.", tag));
	if (portal->strategy != PORTAL_MULTI_QUERY)
		refuse(psprintf("The running %s has output arguments, which are a result of its own.",
						tag));
	return portal;
}

/* The last portal of the extended protocol that sent rows, while it lives */
static Portal answered_portal = NULL;

static void
forget_portal(void *portal)
{
	if (answered_portal == portal)
		answered_portal = NULL;
}

/*
 * Before rows are sent: see that the client can tell them from others.
 *
 * In the simple protocol a statement can have any number of results.  In the
 * extended one it has a single one: libpq takes a second row description for
 * a failure, other drivers mix up the rows of both.  Only the portals of the
 * extended protocol are visible in pg_cursors.
 */
static void
claim_portal(Portal portal)
{
	MemoryContextCallback *callback;

	if (!portal->visible)
		return;
	if (portal == answered_portal)
		refuse("This statement has sent rows already, and in the extended query protocol it can have one result only.");
	callback = MemoryContextAlloc(portal->portalContext, sizeof(*callback));
	callback->func = forget_portal;
	callback->arg = portal;
	MemoryContextRegisterResetCallback(portal->portalContext, callback);
	answered_portal = portal;
}

/* ----------------------------------------------------------------
 *		Sending
 * ----------------------------------------------------------------
 */

/* Point a slot at a row of the batch, which outlives its use. */
static void
store_row(TupleTableSlot *slot, const RowserReader *reader, uint32 row)
{
	ExecClearTuple(slot);
	for (int i = 0; i < slot->tts_tupleDescriptor->natts; i++)
	{
		slot->tts_values[i] = rowser_reader_values(reader, i)[row];
		slot->tts_isnull[i] = rowser_reader_nulls(reader, i)[row];
	}
	ExecStoreVirtualTuple(slot);
}

/* Send a description of the rows, and the rows. */
static void
send_rows(RowserReader *reader, Portal portal)
{
	TupleDesc	tupdesc = rowser_rowtype_select(reader);
	TupleTableSlot *slot = MakeSingleTupleTableSlot(tupdesc, &TTSOpsVirtual);
	DestReceiver *dest = CreateDestReceiver(DestRemote);
	uint32		nrows;

	/*
	 * The receiver takes the columns' formats from the portal.  This one has
	 * none, whatever the client asked for, since its statement has no result:
	 * the rows are described, and sent, as text.
	 */
	Assert(portal->formats == NULL);
	SetRemoteDestReceiverParams(dest, portal);
	claim_portal(portal);
	dest->rStartup(dest, CMD_SELECT, tupdesc);
	while ((nrows = rowser_reader_next(reader)) > 0)
	{
		for (uint32 row = 0; row < nrows; row++)
		{
			CHECK_FOR_INTERRUPTS();
			store_row(slot, reader, row);
			(void) dest->receiveSlot(slot, dest);
		}
	}
	dest->rShutdown(dest);
	dest->rDestroy(dest);
	ExecDropSingleTupleTableSlot(slot);
}

/*
 * rowset_send(rowset bytea), a procedure
 */
Datum
rowset_send(PG_FUNCTION_ARGS)
{
	Portal		portal = client_portal();
	RowserReader *reader;

	/* procedures can't be strict */
	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("rowset must not be NULL")));
	reader = rowser_reader_open_datum(PG_GETARG_DATUM(0), NULL);
	send_rows(reader, portal);
	rowser_reader_close(reader);
	PG_RETURN_VOID();
}
