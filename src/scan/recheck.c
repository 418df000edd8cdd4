/*-------------------------------------------------------------------------
 *
 * recheck.c
 *	  The scan while the executor rechecks a row that was updated meanwhile.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"

#include "scan/scan_state.h"

/* The query's number for the relation that the scan stands for */
static Index
scan_rti(const CustomScan *plan)
{
	return bms_singleton_member(plan->custom_relids);
}

/*
 * While the executor rechecks a row that was updated meanwhile, a relation that
 * has a row mark gives the one row that was joined with it, which the
 * executor has kept as a whole row.  Returns whether that is so here; the slot
 * is empty when there is no more row.
 */
bool
rowser_scan_recheck(RowserScanState *state, TupleTableSlot *slot)
{
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;
	EPQState   *epqstate = state->css.ss.ps.state->es_epq_active;
	Index		rti = scan_rti(plan);
	TupleTableSlot *row;
	ListCell   *lc;

	if (epqstate->relsubs_rowmark[rti - 1] == NULL)
		return false;
	ExecClearTuple(slot);
	if (epqstate->relsubs_done[rti - 1])
		return true;
	epqstate->relsubs_done[rti - 1] = true;

	row = MakeSingleTupleTableSlot(state->tupdesc, &TTSOpsVirtual);
	if (EvalPlanQualFetchRowMark(epqstate, rti, row) && !TupIsNull(row))
	{
		slot_getallattrs(row);
		foreach(lc, plan->custom_scan_tlist)
		{
			TargetEntry *tle = lfirst_node(TargetEntry, lc);
			int			attribute = ((Var *) tle->expr)->varattno - 1;

			if (attribute < 0)
			{
				slot->tts_values[tle->resno - 1] = ExecFetchSlotHeapTupleDatum(row);
				slot->tts_isnull[tle->resno - 1] = false;
				continue;
			}
			slot->tts_values[tle->resno - 1] = row->tts_values[attribute];
			slot->tts_isnull[tle->resno - 1] = row->tts_isnull[attribute];
		}
		ExecStoreVirtualTuple(slot);
		ExecMaterializeSlot(slot);
	}
	ExecDropSingleTupleTableSlot(row);
	return true;
}
