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
 * Memory: everything of one reading is in the state's own context, which is a
 * child of the query's and is emptied when the rowset is closed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "compat.h"
#include "rowset/match.h"
#include "scan/scan_state.h"

static void begin_scan(CustomScanState *node, EState *estate, int eflags);
static TupleTableSlot *exec_scan(CustomScanState *node);
static void end_scan(CustomScanState *node);
static void rescan(CustomScanState *node);

static const CustomExecMethods exec_methods = {
	.CustomName = ROWSER_SCAN_NAME,
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = exec_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.ExplainCustomScan = rowser_scan_explain,
};

/* ----------------------------------------------------------------
 *		Beginning
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

/* The query's number for the relation that the scan stands for */
static Index
scan_rti(const CustomScan *plan)
{
	return bms_singleton_member(plan->custom_relids);
}

/* What a call of the function would check. */
static void
check_call(const FuncExpr *call)
{
	AclResult	acl = rowser_function_execute(call->funcid, GetUserId());

	if (acl != ACLCHECK_OK)
		aclcheck_error(acl, OBJECT_FUNCTION, get_func_name(call->funcid));
	InvokeFunctionExecuteHook(call->funcid);
}

/* Describe the function's rows, as a function scan would. */
static TupleDesc
make_tupdesc(CustomScan *plan, const FuncExpr *call, EState *estate)
{
	List	   *names = list_nth(plan->custom_private, ROWSER_SCAN_NAMES);
	TupleDesc	tupdesc;

	if (names == NIL)
		return lookup_rowtype_tupdesc_copy(call->funcresulttype, -1);
	tupdesc = BuildDescFromLists(names,
								 list_nth(plan->custom_private,
										  ROWSER_SCAN_TYPES),
								 list_nth(plan->custom_private,
										  ROWSER_SCAN_TYPMODS),
								 list_nth(plan->custom_private,
										  ROWSER_SCAN_COLLATIONS));
	return BlessTupleDesc(tupdesc);
}

/* Collect the executor's parameters that an expression depends on. */
static bool
collect_params(Node *node, void *context)
{
	RowserScanState *state = context;

	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
		state->argument_params = bms_add_member(state->argument_params,
												((Param *) node)->paramid);
	if (IsA(node, SubPlan))
	{
		SubPlan    *subplan = (SubPlan *) node;
		List	   *plans = state->css.ss.ps.state->es_plannedstmt->subplans;
		Plan	   *plan = list_nth(plans, subplan->plan_id - 1);

		state->argument_params = bms_add_members(state->argument_params,
												 plan->extParam);
		(void) collect_params((Node *) subplan->args, context);
		return false;
	}
	return expression_tree_walker(node, collect_params, context);
}

/* A column of the scan's tuple must still be what it was when planned. */
static void
check_attribute(TupleDesc tupdesc, const Var *variable)
{
	Form_pg_attribute att;

	if (variable->varattno > tupdesc->natts)
		elog(ERROR, "attribute number %d exceeds number of columns %d",
			 variable->varattno, tupdesc->natts);
	att = TupleDescAttr(tupdesc, variable->varattno - 1);
	if (att->attisdropped)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("attribute %d of type %s has been dropped",
						variable->varattno,
						format_type_be(tupdesc->tdtypeid))));
	if (att->atttypid != variable->vartype)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("attribute %d of type %s has wrong type",
						variable->varattno,
						format_type_be(tupdesc->tdtypeid)),
				 errdetail("Table has type %s, but query expects %s.",
						   format_type_be(att->atttypid),
						   format_type_be(variable->vartype))));
}

/* Add an attribute, or all of them for a whole row, to a set. */
static Bitmapset *
add_attributes(Bitmapset *attributes, TupleDesc tupdesc, const Var *variable)
{
	if (variable->varattno > 0)
		return bms_add_member(attributes, variable->varattno - 1);
	if (tupdesc->natts == 0)
		return attributes;
	return bms_add_range(attributes, 0, tupdesc->natts - 1);
}

/* Find out which attributes are needed, and which of them before the filter. */
static void
find_needed(RowserScanState *state, CustomScan *plan)
{
	List	   *filtered = pull_vars_of_level((Node *) plan->scan.plan.qual, 0);
	ListCell   *lc;

	state->whole_row = -1;
	foreach(lc, plan->custom_scan_tlist)
	{
		TargetEntry *tle = lfirst_node(TargetEntry, lc);
		Var		   *variable = castNode(Var, tle->expr);

		if (variable->varattno > 0)
			check_attribute(state->tupdesc, variable);
		else
			state->whole_row = tle->resno - 1;
		state->needed = add_attributes(state->needed, state->tupdesc, variable);
	}
	foreach(lc, filtered)
	{
		Var		   *variable = lfirst_node(Var, lc);
		TargetEntry *tle = list_nth_node(TargetEntry, plan->custom_scan_tlist,
										 variable->varattno - 1);

		variable = castNode(Var, tle->expr);
		if (variable->varattno == 0)
			state->filters_whole_row = true;
		state->filtered = add_attributes(state->filtered, state->tupdesc,
										 variable);
	}
	if (plan->scan.plan.qual == NIL)
		state->filtered = state->needed;
}

static void
begin_scan(CustomScanState *node, EState *estate, int eflags)
{
	RowserScanState *state = (RowserScanState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	FuncExpr   *call = list_nth_node(FuncExpr, plan->custom_exprs,
									 ROWSER_SCAN_CALL);
	List	   *clauses = list_nth(plan->custom_exprs,
								   ROWSER_SCAN_GROUP_FILTER);

	check_call(call);
	state->is_populate = exprType(lsecond(call->args)) == BYTEAOID;
	for (int i = 0; i < 2; i++)
		state->arguments[i] = ExecInitExpr(list_nth(call->args, i),
										   &node->ss.ps);
	(void) collect_params((Node *) call->args, state);
	state->tupdesc = make_tupdesc(plan, call, estate);
	find_needed(state, plan);
	state->quals = rowser_quals_init(clauses, &node->ss.ps);
	state->context = AllocSetContextCreate(CurrentMemoryContext, "RowsetScan",
										   ALLOCSET_SMALL_SIZES);
}

/* ----------------------------------------------------------------
 *		Opening and closing
 * ----------------------------------------------------------------
 */

/* The reader's filter: whether the filters let rows of a group pass. */
static bool
filter_group(RowserReader *reader, void *arg)
{
	RowserScanState *state = arg;

	if (!state->quals_are_ready)
	{
		rowser_quals_evaluate(state->quals, state->css.ss.ps.ps_ExprContext);
		state->quals_are_ready = true;
	}
	return rowser_quals_may_pass(state->quals, reader, state->variables);
}

/* Say where the values of an attribute that is needed come from. */
static void
add_column(RowserScanState *state, int attribute, int variable, int selected)
{
	RowserScanColumn column = {attribute, variable, selected, NULL, NULL};

	if (selected == ROWSER_NOT_SELECTED)
	{
		column.values = &state->row_values[attribute];
		column.nulls = &state->row_nulls[attribute];
		state->fixed[state->nfixed++] = column;
	}
	else if (bms_is_member(attribute, state->filtered))
		state->early[state->nearly++] = column;
	else
	{
		rowser_reader_set_read(state->reader, selected, ROWSER_READ_LATE);
		state->late[state->nlate++] = column;
	}
}

/* Set up which columns are read when and where their values go. */
static void
set_columns(RowserScanState *state, const int *selected)
{
	CustomScan *plan = (CustomScan *) state->css.ss.ps.plan;
	int			natts = state->tupdesc->natts;
	int		   *variables = palloc(Max(natts, 1) * sizeof(int));
	ListCell   *lc;

	state->variables = palloc((list_length(plan->custom_scan_tlist) + 1) *
							  sizeof(int));
	memset(variables, -1, natts * sizeof(int));
	foreach(lc, plan->custom_scan_tlist)
	{
		TargetEntry *tle = lfirst_node(TargetEntry, lc);
		int			attribute = ((Var *) tle->expr)->varattno - 1;

		state->variables[tle->resno - 1] = ROWSER_NOT_SELECTED;
		if (attribute < 0)
			continue;
		variables[attribute] = tle->resno - 1;
		state->variables[tle->resno - 1] = selected[attribute];
	}

	state->early = palloc(Max(natts, 1) * sizeof(RowserScanColumn));
	state->late = palloc(Max(natts, 1) * sizeof(RowserScanColumn));
	state->fixed = palloc(Max(natts, 1) * sizeof(RowserScanColumn));
	state->nearly = state->nlate = state->nfixed = 0;
	for (int i = 0; i < natts; i++)
	{
		if (bms_is_member(i, state->needed))
			add_column(state, i, variables[i], selected[i]);
		else if (selected[i] != ROWSER_NOT_SELECTED)
			rowser_reader_set_read(state->reader, selected[i],
								   ROWSER_READ_NEVER);
	}
	pfree(variables);
}

/* Open a reader on a rowset that is not NULL. */
static void
open_reader(RowserScanState *state, Datum rowset, bool by_position)
{
	int		   *selected;

	state->reader = rowser_reader_open_datum(rowset, &state->counts);
	rowser_reader_start_small(state->reader);
	if (by_position)
		selected = rowser_match_by_position(state->reader, state->tupdesc);
	else
		selected = rowser_match_by_name(state->reader, state->tupdesc,
										state->is_populate ?
										state->row_nulls : NULL);
	set_columns(state, selected);
	if (state->quals != NULL)
		rowser_reader_set_filter(state->reader, filter_group, state);
}

/* Evaluate the call's arguments and open the rowset, if it isn't NULL. */
static void
open_rowset(RowserScanState *state)
{
	MemoryContext old_context = MemoryContextSwitchTo(state->context);
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	int			natts = Max(state->tupdesc->natts, 1);
	Datum		values[2];
	bool		nulls[2];
	bool		by_position = false;

	state->is_open = true;
	for (int i = 0; i < 2; i++)
		values[i] = ExecEvalExpr(state->arguments[i], econtext, &nulls[i]);

	state->row_values = palloc0(natts * sizeof(Datum));
	state->row_nulls = palloc(natts * sizeof(bool));
	memset(state->row_nulls, true, natts * sizeof(bool));
	if (!state->is_populate)
		by_position = rowser_match_is_by_position(values[1], nulls[1]);
	else if (!nulls[0] && !nulls[1])
		rowser_match_defaults(DatumGetHeapTupleHeader(values[0]),
							  state->tupdesc, state->row_values,
							  state->row_nulls);
	if (!nulls[state->is_populate ? 1 : 0])
		open_reader(state, values[state->is_populate ? 1 : 0], by_position);
	MemoryContextSwitchTo(old_context);
}

static void
forget_batch(RowserScanState *state)
{
	state->row = state->nrows = state->late_end = 0;
	state->is_at_end = false;
}

static void
close_rowset(RowserScanState *state)
{
	forget_batch(state);
	state->reader = NULL;
	state->is_open = false;
	state->goes_back = false;
	MemoryContextReset(state->context);
}

static void
end_scan(CustomScanState *node)
{
	RowserScanState *state = (RowserScanState *) node;

	close_rowset(state);
	MemoryContextDelete(state->context);
}

static void
rescan(CustomScanState *node)
{
	RowserScanState *state = (RowserScanState *) node;

	if (bms_overlap(node->ss.ps.chgParam, state->argument_params))
		close_rowset(state);
	else if (state->reader != NULL)
	{
		forget_batch(state);
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
	}
}

/* Find the values of a batch that has been read. */
static void
set_batch(RowserScanState *state, uint32 nrows)
{
	forget_batch(state);
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
		open_rowset(state);
	if (state->reader == NULL)
		return false;
	set_batch(state, rowser_reader_next(state->reader));
	state->is_at_end = state->nrows == 0;
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
	if (unlikely(state->whole_row >= 0))
	{
		fill_row(state, state->fixed, state->nfixed, 0, slot);
		fill_row(state, state->early, state->nearly, row, slot);
		if (state->filters_whole_row)
			form_row(state, slot);
		return;
	}
	if (unlikely(state->nfixed > 0))
		fill_tuple(state->fixed, state->nfixed, 0, slot);
	fill_tuple(state->early, state->nearly, row, slot);
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
 *		Rechecking
 * ----------------------------------------------------------------
 */

/*
 * While the executor rechecks a row that was updated meanwhile, a relation that
 * has a row mark gives the one row that was joined with it, which the
 * executor has kept as a whole row.  Returns whether that is so here; the slot
 * is empty when there is no more row.
 */
static bool
fetch_marked_row(RowserScanState *state, TupleTableSlot *slot)
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
		fetch_marked_row(state, slot))
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
