/*-------------------------------------------------------------------------
 *
 * from_packets.c
 *	  rowset_from_packets(): a rowset put together from its packets.
 *
 * Memory: the state is in the aggregate's context, and so is the rowset.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "rowset/gather.h"
#include "rowset/packets.h"

PG_FUNCTION_INFO_V1(rowset_from_packets_transfn);
PG_FUNCTION_INFO_V1(rowset_from_packets_finalfn);

/*
 * rowset_from_packets_transfn(state internal, packet bytea) returns internal
 */
Datum
rowset_from_packets_transfn(PG_FUNCTION_ARGS)
{
	RowserGather *gather = PG_ARGISNULL(0) ? NULL :
	(RowserGather *) PG_GETARG_POINTER(0);
	MemoryContext context;
	RowserPacket packet;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "rowset_from_packets_transfn called in non-aggregate context");
	if (PG_ARGISNULL(1))
	{
		if (gather == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(gather);
	}
	if (gather == NULL)
	{
		MemoryContext old_context = MemoryContextSwitchTo(context);

		gather = rowser_gather_create();
		MemoryContextSwitchTo(old_context);
	}
	rowser_packets_read(PG_GETARG_BYTEA_PP(1), &packet);
	rowser_gather_add(gather, &packet);
	PG_RETURN_POINTER(gather);
}

/*
 * rowset_from_packets_finalfn(state internal) returns bytea
 */
Datum
rowset_from_packets_finalfn(PG_FUNCTION_ARGS)
{
	RowserGather *gather;

	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "rowset_from_packets_finalfn called in non-aggregate context");
	/* no packets, no rowset */
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gather = (RowserGather *) PG_GETARG_POINTER(0);
	PG_RETURN_BYTEA_P(rowser_gather_finish(gather));
}
