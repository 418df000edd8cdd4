/*-------------------------------------------------------------------------
 *
 * deform.c
 *	  The floor of writing: runs a query just as query_to_rowset does, through
 *	  SPI into a receiver, but the receiver only deforms each row.
 *
 * Whatever a writer does comes on top of this.  The receiver lives in the
 * caller's frame and allocates nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "executor/tuptable.h"
#include "fmgr.h"
#include "tcop/dest.h"
#include "utils/builtins.h"

PG_MODULE_MAGIC;

typedef struct DeformReceiver
{
	DestReceiver dest;
	int64		nrows;
} DeformReceiver;

PG_FUNCTION_INFO_V1(bench_deform);

static void
deform_start(DestReceiver *self, int operation, TupleDesc desc)
{
}

/* Have all columns of the row in the slot's arrays, and leave them there. */
static bool
deform_receive(TupleTableSlot *slot, DestReceiver *self)
{
	slot_getallattrs(slot);
	((DeformReceiver *) self)->nrows++;
	return true;
}

static void
deform_end(DestReceiver *self)
{
}

/* Run a query that returns rows, deform them all; gives how many there were. */
Datum
bench_deform(PG_FUNCTION_ARGS)
{
	char	   *query = text_to_cstring(PG_GETARG_TEXT_PP(0));
	DeformReceiver receiver = {
		.dest = {
			.receiveSlot = deform_receive,
			.rStartup = deform_start,
			.rShutdown = deform_end,
			.rDestroy = deform_end,
			.mydest = DestNone
		}
	};
	SPIExecuteOptions options = {
		.dest = &receiver.dest,
		.must_return_tuples = true
	};

	SPI_connect();
	if (SPI_execute_extended(query, &options) < 0)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("could not run the query"));
	SPI_finish();

	PG_RETURN_INT64(receiver.nrows);
}
