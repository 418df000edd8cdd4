/*-------------------------------------------------------------------------
 *
 * begin.c
 *	  Beginning the scan: the shape of the function's rows, and what of it the
 *	  plan needs.
 *
 * Memory: the query's context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

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

#include "columns/row_type.h"
#include "compat.h"
#include "scan/scan_state.h"

/* How many values are laid out at once, about */
#define BLOCK_VALUES 1024

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

/*
 * Make room to lay out rows in; as much as stays in a processor's first cache.
 * INSERT may have triggers put their values into the very slot that it was given.
 */
static void
make_block(RowserScanState *state)
{
	TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;
	uint32		natts = Max(slot->tts_tupleDescriptor->natts, 1);
	const PlannedStmt *statement = state->css.ss.ps.state->es_plannedstmt;

	state->block_capacity = Max(BLOCK_VALUES / natts, 1);
	state->block_values = palloc(state->block_capacity * natts *
								 sizeof(Datum));
	state->block_nulls = palloc(state->block_capacity * natts * sizeof(bool));
	state->block_is_kept = statement->commandType == CMD_SELECT &&
		!statement->hasModifyingCTE;
	state->slot_values = slot->tts_values;
	state->slot_nulls = slot->tts_isnull;
}

void
rowser_scan_begin(CustomScanState *node, EState *estate, int eflags)
{
	RowserScanState *state = (RowserScanState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	FuncExpr   *call = list_nth_node(FuncExpr, plan->custom_exprs,
									 ROWSER_SCAN_CALL);
	List	   *clauses = list_nth(plan->custom_exprs,
								   ROWSER_SCAN_GROUP_FILTER);

	check_call(call);
	state->is_populate = exprType(lsecond(call->args)) == BYTEAOID;
	if (state->is_populate)
		rowser_row_type_lock(getBaseType(exprType(linitial(call->args))));
	for (int i = 0; i < 2; i++)
		state->arguments[i] = ExecInitExpr(list_nth(call->args, i),
										   &node->ss.ps);
	(void) collect_params((Node *) call->args, state);
	state->tupdesc = make_tupdesc(plan, call, estate);
	find_needed(state, plan);
	make_block(state);
	state->quals = rowser_quals_init(clauses, &node->ss.ps);
	state->context = AllocSetContextCreate(CurrentMemoryContext, "RowsetScan",
										   ALLOCSET_SMALL_SIZES);
}
