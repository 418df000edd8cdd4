/*-------------------------------------------------------------------------
 *
 * exec.c
 *	  Running the scan.
 *
 * The rowset is opened at the first row that is asked for, as a function would
 * be called then.  Each batch fills the columns that the filter needs; the
 * filter then looks at one row at a time, as it would at a function's rows,
 * and only for rows that pass are the other columns decoded.
 *
 * A rescan gives the same rows again, unless a parameter of the call's
 * arguments has changed; only then are these evaluated anew.
 *
 * Memory: the query's context; what belongs to a reading is open.c's affair.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/executor.h"
#include "executor/instrument.h"
#include "funcapi.h"
#include "utils/memutils.h"

#include "scan/scan_state.h"

static TupleTableSlot *exec_scan(CustomScanState *node);
static void end_scan(CustomScanState *node);
static void rescan(CustomScanState *node);

static const CustomExecMethods exec_methods = {
	.CustomName = ROWSER_SCAN_NAME,
	.BeginCustomScan = rowser_scan_begin,
	.ExecCustomScan = exec_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.EstimateDSMCustomScan = rowser_scan_estimate_dsm,
	.InitializeDSMCustomScan = rowser_scan_initialize_dsm,
	.ReInitializeDSMCustomScan = rowser_scan_reinitialize_dsm,
	.InitializeWorkerCustomScan = rowser_scan_initialize_worker,
	.ShutdownCustomScan = rowser_scan_shutdown,
	.ExplainCustomScan = rowser_scan_explain,
};

/* ----------------------------------------------------------------
 *		Life
 * ----------------------------------------------------------------
 */

Node *
rowser_scan_create_state(CustomScan *plan)
{
	RowserScanState *state = palloc0(sizeof(RowserScanState));

	NodeSetTag(state, T_CustomScanState);
	state->css.methods = &exec_methods;
	return (Node *) state;
}

static void
end_scan(CustomScanState *node)
{
	RowserScanState *state = (RowserScanState *) node;

	node->ss.ss_ScanTupleSlot->tts_values = state->slot_values;
	node->ss.ss_ScanTupleSlot->tts_isnull = state->slot_nulls;
	rowser_scan_close(state);
	MemoryContextDelete(state->context);
}

static void
rescan(CustomScanState *node)
{
	RowserScanState *state = (RowserScanState *) node;

	if (bms_overlap(node->ss.ps.chgParam, state->argument_params))
		rowser_scan_close(state);
	else if (state->reader != NULL)
	{
		rowser_scan_forget_batch(state);
		rowser_reader_rewind(state->reader);
	}
	state->quals_are_ready = false;
	ExecScanReScan(&node->ss);
}

/* ----------------------------------------------------------------
 *		Rows
 * ----------------------------------------------------------------
 */

static void
set_arrays(RowserReader *reader, RowserScanColumn *columns, int ncolumns)
{
	for (int i = 0; i < ncolumns; i++)
	{
		columns[i].values = rowser_reader_values(reader, columns[i].selected);
		columns[i].nulls = rowser_reader_nulls(reader, columns[i].selected);
		columns[i].may_be_null =
			rowser_reader_may_have_nulls(reader, columns[i].selected);
	}
}

/* Find the values of a batch that has been read. */
static void
set_batch(RowserScanState *state, uint32 nrows)
{
	rowser_scan_forget_batch(state);
	state->nrows = nrows;
	set_arrays(state->reader, state->early, state->nearly);
	if (state->goes_back)
	{
		set_arrays(state->reader, state->late, state->nlate);
		state->late_end = nrows;
	}
}

/* Read the next batch; false at the end. */
static bool
next_batch(RowserScanState *state)
{
	if (!state->is_open)
		rowser_scan_open(state);
	if (state->reader == NULL)
		return false;
	set_batch(state, rowser_reader_next(state->reader));
	state->is_at_end = state->nrows == 0;
	if (state->shared != NULL)
		rowser_scan_publish(state);
	return !state->is_at_end;
}

/*
 * Prepare for going back: rows that the filter has refused may be wanted after
 * all, so from now on nothing is decoded late.
 */
static void
begin_going_back(RowserScanState *state)
{
	uint32		row = state->row;

	state->goes_back = true;
	for (int i = 0; i < state->nlate; i++)
		rowser_reader_set_read(state->reader, state->late[i].selected,
							   ROWSER_READ_EAGER);
	if (state->nlate == 0 || state->nrows == 0)
		return;
	rowser_reader_reload(state->reader);
	set_batch(state, state->nrows);
	state->row = row;
}

/* Step back to the row before the one that was given last; false without one. */
static bool
step_back(RowserScanState *state)
{
	if (state->reader == NULL)
		return false;
	if (!state->goes_back)
		begin_going_back(state);
	if (state->is_at_end)
		state->is_at_end = false;
	else if (state->row > 0)
		state->row--;
	else
		return false;
	if (state->row == 0)
	{
		set_batch(state, rowser_reader_previous(state->reader));
		state->row = state->nrows;
	}
	return state->row > 0;
}

/* Decode what was left until a row passed the filter. */
static pg_noinline void
fetch_late(RowserScanState *state, uint32 row)
{
	state->late_end = rowser_reader_fetch_late(state->reader, row);
	set_arrays(state->reader, state->late, state->nlate);
}

/*
 * Lay out the values of a column, of which `step` is how far they are apart.
 * While there are no NULLs, the block goes on saying so.
 */
static void
lay_out_column(RowserScanState *state, RowserScanColumn *column,
			   uint32 from, uint32 step, uint32 natts)
{
	uint32		nrows = state->block_end - state->block_start;
	const Datum *values = column->values + from;
	const bool *nulls = column->nulls + from;
	Datum	   *to_values = state->block_values + column->variable;
	bool	   *to_nulls = state->block_nulls + column->variable;

	for (uint32 i = 0; i < nrows; i++)
		to_values[(size_t) i * natts] = values[i * step];
	if (!column->may_be_null && column->is_laid_out)
		return;
	for (uint32 i = 0; i < nrows; i++)
		to_nulls[(size_t) i * natts] = nulls[i * step];
	column->is_laid_out = state->block_is_kept && !column->may_be_null &&
		nrows == state->block_capacity;
}

/*
 * Lay out the rows around one, as far as they don't need late columns.  Going
 * through all columns row by row instead costs more than it looks: the
 * processor's memory of jumps is full of that loop when the plan goes on.
 */
static pg_noinline void
lay_out_rows(RowserScanState *state, uint32 row, uint32 natts)
{
	state->block_start = row - row % state->block_capacity;
	state->block_end = Min(state->block_start + state->block_capacity,
						   state->nrows);
	for (int i = 0; i < state->nfixed; i++)
		lay_out_column(state, &state->fixed[i], 0, 0, natts);
	for (int i = 0; i < state->nearly; i++)
		lay_out_column(state, &state->early[i], state->block_start, 1, natts);
}

/* Put a row's values of some columns into the scan's tuple. */
static inline void
fill_tuple(const RowserScanColumn *columns, int ncolumns, uint32 row,
		   TupleTableSlot *slot)
{
	Datum	   *values = slot->tts_values;
	bool	   *nulls = slot->tts_isnull;

	for (int i = 0; i < ncolumns; i++)
	{
		const RowserScanColumn *column = &columns[i];

		values[column->variable] = column->values[row];
		nulls[column->variable] = column->nulls[row];
	}
}

/*
 * The same where a whole row is wanted, whose columns need not be in the tuple
 * one by one.
 */
static void
fill_row(RowserScanState *state, const RowserScanColumn *columns,
		 int ncolumns, uint32 row, TupleTableSlot *slot)
{
	for (int i = 0; i < ncolumns; i++)
	{
		const RowserScanColumn *column = &columns[i];

		state->row_values[column->attribute] = column->values[row];
		state->row_nulls[column->attribute] = column->nulls[row];
		if (column->variable < 0)
			continue;
		slot->tts_values[column->variable] = column->values[row];
		slot->tts_isnull[column->variable] = column->nulls[row];
	}
}

/* Put the whole row into the scan's tuple, as the caller's memory has it. */
static void
form_row(RowserScanState *state, TupleTableSlot *slot)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	MemoryContext old_context = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	HeapTuple	tuple = heap_form_tuple(state->tupdesc, state->row_values,
										state->row_nulls);

	slot->tts_values[state->whole_row] = HeapTupleGetDatum(tuple);
	slot->tts_isnull[state->whole_row] = false;
	MemoryContextSwitchTo(old_context);
}

/* Fill the part of the tuple that the filter needs. */
static inline void
fill_early(RowserScanState *state, uint32 row, TupleTableSlot *slot)
{
	uint32		natts;
	size_t		index;

	if (unlikely(state->whole_row >= 0))
	{
		fill_row(state, state->fixed, state->nfixed, 0, slot);
		fill_row(state, state->early, state->nearly, row, slot);
		if (state->filters_whole_row)
			form_row(state, slot);
		return;
	}
	natts = slot->tts_tupleDescriptor->natts;
	if (unlikely(row >= state->block_end || row < state->block_start))
		lay_out_rows(state, row, natts);
	index = (size_t) (row - state->block_start) * natts;
	slot->tts_values = state->block_values + index;
	slot->tts_isnull = state->block_nulls + index;
}

/* Fill the rest. */
static inline void
fill_late(RowserScanState *state, uint32 row, TupleTableSlot *slot)
{
	if (state->nlate > 0 && row >= state->late_end)
		fetch_late(state, row);
	if (unlikely(state->whole_row >= 0))
	{
		fill_row(state, state->late, state->nlate, row, slot);
		if (!state->filters_whole_row)
			form_row(state, slot);
		return;
	}
	fill_tuple(state->late, state->nlate, row, slot);
}

/* Make an emptied slot hold the values that are put into its arrays. */
static inline void
mark_filled(TupleTableSlot *slot)
{
	if (unlikely(TTS_SHOULDFREE(slot)))
		ExecClearTuple(slot);
	slot->tts_flags &= ~TTS_FLAG_EMPTY;
	slot->tts_nvalid = slot->tts_tupleDescriptor->natts;
}

/* ----------------------------------------------------------------
 *		The scan
 * ----------------------------------------------------------------
 */

/*
 * Fill the slot with the next row that passes the filter, in the direction of the
 * moment; false when there is none.
 */
static inline bool
next_row(RowserScanState *state, ExprContext *econtext, TupleTableSlot *slot)
{
	ExprState  *qual = state->css.ss.ps.qual;
	bool		back = ScanDirectionIsBackward(state->css.ss.ps.state->es_direction);
	bool		uses_memory = qual != NULL || state->whole_row >= 0 ||
	state->css.ss.ps.ps_ProjInfo != NULL;

	for (;;)
	{
		uint32		row;

		if (unlikely(back))
		{
			if (!step_back(state))
				return false;
			row = state->row - 1;
		}
		else
		{
			if (state->row == state->nrows && !next_batch(state))
				return false;
			row = state->row++;
		}
		if (uses_memory)
			ResetExprContext(econtext);
		mark_filled(slot);
		fill_early(state, row, slot);
		if (qual != NULL)
		{
			econtext->ecxt_scantuple = slot;
			if (!ExecQual(qual, econtext))
			{
				InstrCountFiltered1(state, 1);
				continue;
			}
		}
		fill_late(state, row, slot);
		return true;
	}
}

/* The same during a recheck, for a relation that has a row mark. */
static bool
next_marked_row(RowserScanState *state, ExprContext *econtext,
				TupleTableSlot *slot)
{
	if (TupIsNull(slot))
		return false;
	econtext->ecxt_scantuple = slot;
	if (ExecQual(state->css.ss.ps.qual, econtext))
		return true;
	InstrCountFiltered1(state, 1);
	return false;
}

static TupleTableSlot *
exec_scan(CustomScanState *node)
{
	RowserScanState *state = (RowserScanState *) node;
	ExprContext *econtext = node->ss.ps.ps_ExprContext;
	TupleTableSlot *slot = node->ss.ss_ScanTupleSlot;
	ProjectionInfo *projection = node->ss.ps.ps_ProjInfo;
	bool		found;

	if (unlikely(node->ss.ps.state->es_epq_active != NULL) &&
		rowser_scan_recheck(state, slot))
		found = next_marked_row(state, econtext, slot);
	else
		found = next_row(state, econtext, slot);
	if (!found)
	{
		ExecClearTuple(slot);
		return projection != NULL ?
			ExecClearTuple(projection->pi_state.resultslot) : slot;
	}
	if (projection == NULL)
		return slot;
	econtext->ecxt_scantuple = slot;
	return ExecProject(projection);
}
