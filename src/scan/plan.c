/*-------------------------------------------------------------------------
 *
 * plan.c
 *	  Planning the scan: finding calls in FROM, and turning them into paths and
 *	  plans.
 *
 * Nothing needs to be preloaded.  The functions have a planner support function;
 * asking it for the number of rows loads the library, which installs the hook
 * that the planner calls for the same relation a little later.
 *
 * The scan has no relation to open, so its scanrelid is 0, and its tuple holds
 * just the columns that are needed.  A whole-row variable is one column more.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "rowset/estimate.h"
#include "scan/clauses.h"
#include "scan/scan.h"
#include "scan/scan_state.h"
#include "scan/selectivity.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(rowset_recordset_support);

/* What decoding a value costs, in units of cpu_operator_cost */
#define VALUE_COST 0.25

static set_rel_pathlist_hook_type previous_hook = NULL;

static Plan *plan_scan(PlannerInfo *root, RelOptInfo *rel,
					   CustomPath *path, List *tlist, List *clauses,
					   List *custom_plans);

static const CustomPathMethods path_methods = {
	.CustomName = ROWSER_SCAN_NAME,
	.PlanCustomPath = plan_scan,
};

static const CustomScanMethods scan_methods = {
	.CustomName = ROWSER_SCAN_NAME,
	.CreateCustomScanState = rowser_scan_create_state,
};

/* ----------------------------------------------------------------
 *		Finding calls
 * ----------------------------------------------------------------
 */

/* Whether a function is rowset_recordset_support(), by whatever name. */
static bool
is_support_function(Oid function)
{
	FmgrInfo	flinfo;

	if (!OidIsValid(function))
		return false;
	fmgr_info(function, &flinfo);
	return flinfo.fn_addr == rowset_recordset_support;
}

/*
 * Whether a call by the executor would do no more than call the C function of
 * pg_proc's row, and that is one that the scan can stand for.
 */
static bool
is_recordset_function(HeapTuple tuple)
{
	Form_pg_proc form = (Form_pg_proc) GETSTRUCT(tuple);
	Oid		   *types = form->proargtypes.values;

	return form->proretset && !form->proisstrict && !form->prosecdef &&
		heap_attisnull(tuple, Anum_pg_proc_proconfig, NULL) &&
		form->pronargs == 2 &&
		((types[0] == BYTEAOID && types[1] == TEXTOID) ||
		 (types[0] == ANYELEMENTOID && types[1] == BYTEAOID)) &&
		is_support_function(form->prosupport) &&
		!FmgrHookIsNeeded(form->oid);
}

/*
 * The call that a relation in FROM consists of, or NULL.  A row type that is a
 * domain's is left to the function, which checks each row against it.
 */
static RangeTblFunction *
find_call(RangeTblEntry *rte)
{
	RangeTblFunction *rtfunc;
	FuncExpr   *call;
	HeapTuple	tuple;
	TupleDesc	tupdesc;
	TypeFuncClass class;
	bool		found;

	if (rte->rtekind != RTE_FUNCTION || rte->funcordinality ||
		list_length(rte->functions) != 1)
		return NULL;
	rtfunc = linitial_node(RangeTblFunction, rte->functions);
	call = (FuncExpr *) rtfunc->funcexpr;
	if (call == NULL || !IsA(call, FuncExpr) || list_length(call->args) != 2)
		return NULL;

	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(call->funcid));
	if (!HeapTupleIsValid(tuple))
		return NULL;
	found = is_recordset_function(tuple);
	ReleaseSysCache(tuple);
	if (!found)
		return NULL;

	class = get_expr_result_type((Node *) call, NULL, &tupdesc);
	if (class != TYPEFUNC_RECORD && class != TYPEFUNC_COMPOSITE)
		return NULL;
	return rtfunc;
}

/* The argument that is the rowset, by the type of the other one */
static Node *
rowset_argument(FuncExpr *call)
{
	Node	   *last = lsecond(call->args);

	return exprType(last) == BYTEAOID ? last : linitial(call->args);
}

/*
 * rowset_recordset_support(request internal) returns internal
 *
 * Tells the number of rows when the rowset is known.
 */
Datum
rowset_recordset_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	SupportRequestRows *rows;
	Node	   *rowset;

	if (!IsA(request, SupportRequestRows))
		PG_RETURN_POINTER(NULL);
	rows = (SupportRequestRows *) request;
	if (!is_funcclause(rows->node) ||
		list_length(((FuncExpr *) rows->node)->args) != 2)
		PG_RETURN_POINTER(NULL);
	rowset = rowset_argument((FuncExpr *) rows->node);
	if (!IsA(rowset, Const) || exprType(rowset) != BYTEAOID)
		PG_RETURN_POINTER(NULL);
	if (((Const *) rowset)->constisnull)
		rows->rows = 0;
	else
	{
		RowserEstimate *estimate = rowser_estimate_open(((Const *) rowset)->constvalue);

		if (estimate == NULL)
			PG_RETURN_POINTER(NULL);
		rows->rows = rowser_estimate_rows(estimate);
		rowser_estimate_close(estimate);
	}
	PG_RETURN_POINTER(rows);
}

/* ----------------------------------------------------------------
 *		Paths
 * ----------------------------------------------------------------
 */

/* Names of the columns of a call's rows, as they are looked for in the rowset */
static List *
column_names(RangeTblFunction *rtfunc)
{
	List	   *names = NIL;
	TupleDesc	tupdesc;

	if (rtfunc->funccolnames != NIL)
		return rtfunc->funccolnames;
	if (get_expr_result_type(rtfunc->funcexpr, NULL,
							 &tupdesc) != TYPEFUNC_COMPOSITE)
		return NIL;
	for (int i = 0; i < tupdesc->natts; i++)
		names = lappend(names,
						makeString(NameStr(TupleDescAttr(tupdesc, i)->attname)));
	return names;
}

/* Where the rowset is known, have it tell how many rows pass the filter. */
static void
set_rows(PlannerInfo *root, RelOptInfo *rel, RangeTblFunction *rtfunc)
{
	FuncExpr   *call = (FuncExpr *) rtfunc->funcexpr;
	Node	   *rowset = rowset_argument(call);
	Node	   *match = lsecond(call->args);
	bool		by_position = false;

	if (!IsA(rowset, Const) || ((Const *) rowset)->constisnull)
		return;
	if (exprType(match) == TEXTOID)
	{
		if (!IsA(match, Const) || ((Const *) match)->constisnull)
			return;
		by_position = strcmp(TextDatumGetCString(((Const *) match)->constvalue),
							 "position") == 0;
	}
	rowser_selectivity_set_rows(root, rel, ((Const *) rowset)->constvalue,
								column_names(rtfunc), by_position);
}

static void
set_cost(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
		 Node *call)
{
	QualCost	call_cost;
	QualCost	qual_cost = rel->baserestrictcost;
	Cost		tuple_cost;

	path->path.rows = rel->rows;
	if (path->path.param_info)
	{
		ListCell   *lc;

		path->path.rows = path->path.param_info->ppi_rows;
		foreach(lc, path->path.param_info->ppi_clauses)
		{
			QualCost	cost;

			cost_qual_eval_node(&cost, lfirst(lc), root);
			qual_cost.startup += cost.startup;
			qual_cost.per_tuple += cost.per_tuple;
		}
	}

	cost_qual_eval_node(&call_cost, call, root);
	tuple_cost = cpu_tuple_cost / 2 + qual_cost.per_tuple +
		VALUE_COST * cpu_operator_cost *
		list_length(path->path.pathtarget->exprs);
	path->path.startup_cost = call_cost.startup + call_cost.per_tuple +
		qual_cost.startup + path->path.pathtarget->cost.startup;
	path->path.total_cost = path->path.startup_cost +
		tuple_cost * rel->tuples +
		path->path.pathtarget->cost.per_tuple * path->path.rows;
}

/* Whether the types of the function's rows are all built in, and no domains. */
static bool
types_are_builtin(RangeTblFunction *rtfunc)
{
	List	   *types = rtfunc->funccoltypes;
	TupleDesc	tupdesc;
	ListCell   *lc;

	if (types == NIL &&
		get_expr_result_type(rtfunc->funcexpr, NULL,
							 &tupdesc) == TYPEFUNC_COMPOSITE)
	{
		for (int i = 0; i < tupdesc->natts; i++)
		{
			if (!TupleDescAttr(tupdesc, i)->attisdropped)
				types = lappend_oid(types,
									TupleDescAttr(tupdesc, i)->atttypid);
		}
	}
	foreach(lc, types)
	{
		if (lfirst_oid(lc) >= FirstGenbkiObjectId ||
			get_typtype(lfirst_oid(lc)) == TYPTYPE_PSEUDO)
			return false;
	}
	return true;
}

/*
 * Whether the scan can run in parallel workers.  The functions are marked as
 * restricted, since what they call depends on the types; of built-in types it is
 * known that nothing but the types' own functions and casts is called, and of
 * those the worker checks what they are; see columns/parallel.h.  Each process
 * evaluates the arguments, so these must be the same in all.  Below UNION ALL
 * it's too late: that the whole can't run in workers was decided by how the
 * functions are marked, before the planner came to its parts.
 */
static bool
is_parallel_safe_call(PlannerInfo *root, RelOptInfo *rel,
					  RangeTblFunction *rtfunc)
{
	FuncExpr   *call = (FuncExpr *) rtfunc->funcexpr;

	return root->glob->parallelModeOK &&
		rel->reloptkind == RELOPT_BASEREL &&
		types_are_builtin(rtfunc) &&
		!contain_volatile_functions((Node *) call->args) &&
		is_parallel_safe(root, (Node *) call->args) &&
		is_parallel_safe(root, (Node *) rel->baserestrictinfo) &&
		is_parallel_safe(root, (Node *) rel->reltarget->exprs);
}

/* How many processes share the work, the leader by what it has time for. */
static double
parallel_divisor(int nworkers)
{
	double		divisor = nworkers;

	if (parallel_leader_participation)
		divisor += Max(1.0 - 0.3 * nworkers, 0);
	return divisor;
}

/*
 * Offer to share the row groups among workers.  Not where the rowset stands in
 * the plan itself, since the plan is copied to each worker as text.
 */
static void
add_parallel_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *serial,
				  RangeTblFunction *rtfunc)
{
	CustomPath *path = makeNode(CustomPath);
	double		npages = rel->tuples * rel->reltarget->width / BLCKSZ;
	int			nworkers = compute_parallel_worker(rel, npages, -1,
												   max_parallel_workers_per_gather);
	double		divisor;

	if (nworkers <= 0 ||
		IsA(rowset_argument((FuncExpr *) rtfunc->funcexpr), Const))
		return;
	memcpy(path, serial, sizeof(CustomPath));
	divisor = parallel_divisor(nworkers);
	path->path.parallel_aware = true;
	path->path.parallel_workers = nworkers;
	path->path.rows = clamp_row_est(path->path.rows / divisor);
	path->path.total_cost = path->path.startup_cost +
		(path->path.total_cost - path->path.startup_cost) / divisor;
	add_partial_path(rel, (Path *) path);
}

/*
 * The planner's hook: have a call in FROM scanned, and in no other way, since
 * the function itself would do the same and store all rows first.
 */
static void
add_scan_path(PlannerInfo *root, RelOptInfo *rel, Index rti,
			  RangeTblEntry *rte)
{
	RangeTblFunction *rtfunc;
	CustomPath *path;

	if (previous_hook)
		previous_hook(root, rel, rti, rte);
	if (!rowser_settings_scan_is_enabled() || IS_DUMMY_REL(rel) ||
		(rtfunc = find_call(rte)) == NULL)
		return;

	set_rows(root, rel, rtfunc);
	if (!rel->consider_parallel && is_parallel_safe_call(root, rel, rtfunc))
		rel->consider_parallel = true;
	path = makeNode(CustomPath);
	path->path.pathtype = T_CustomScan;
	path->path.parent = rel;
	path->path.pathtarget = rel->reltarget;
	path->path.param_info = get_baserel_parampathinfo(root, rel,
													  rel->lateral_relids);
	path->path.parallel_safe = rel->consider_parallel;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION |
		CUSTOMPATH_SUPPORT_BACKWARD_SCAN;
	path->methods = &path_methods;
	set_cost(root, rel, path, rtfunc->funcexpr);
	rel->pathlist = NIL;
	add_path(rel, (Path *) path);

	/*
	 * Keep the planner from putting Memoize above, which would detoast each
	 * rowset as a whole to see whether it has met it before.
	 */
	if (path->path.param_info != NULL &&
		path->path.param_info->ppi_clauses == NIL)
		rel->lateral_vars = NIL;
	if (rel->consider_parallel && path->path.param_info == NULL)
		add_parallel_path(root, rel, path, rtfunc);
}

/* ----------------------------------------------------------------
 *		Plans
 * ----------------------------------------------------------------
 */

/* Add the relation's variables in an expression to the scan's tuple. */
static List *
add_variables(List *tlist, Index rti, Node *expr)
{
	List	   *variables = pull_var_clause(expr, PVC_RECURSE_AGGREGATES |
											PVC_RECURSE_WINDOWFUNCS |
											PVC_RECURSE_PLACEHOLDERS);
	ListCell   *lc;

	foreach(lc, variables)
	{
		Var		   *variable = lfirst_node(Var, lc);

		if (variable->varno != rti || variable->varlevelsup != 0 ||
			tlist_member((Expr *) variable, tlist) != NULL)
			continue;
		tlist = lappend(tlist, makeTargetEntry((Expr *) copyObject(variable),
											   list_length(tlist) + 1,
											   NULL, false));
	}
	return tlist;
}

/*
 * The scan's tuple.  It begins as the node's target list does, so that often
 * nothing is left to project.  The planner may put another target list in that
 * one's place, which the path's target then tells of.
 */
static List *
make_scan_tlist(Index rti, List *tlist, CustomPath *path, List *quals)
{
	List	   *scan_tlist = NIL;

	scan_tlist = add_variables(scan_tlist, rti, (Node *) tlist);
	scan_tlist = add_variables(scan_tlist, rti,
							   (Node *) path->path.pathtarget->exprs);
	return add_variables(scan_tlist, rti, (Node *) quals);
}

/* Make the plan of a path. */
static Plan *
plan_scan(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist,
		  List *clauses, List *custom_plans)
{
	CustomScan *scan = makeNode(CustomScan);
	RangeTblEntry *rte = planner_rt_fetch(rel->relid, root);
	RangeTblFunction *rtfunc = linitial_node(RangeTblFunction, rte->functions);
	List	   *quals = extract_actual_clauses(clauses, false);

	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = quals;
	scan->scan.scanrelid = 0;
	scan->flags = path->flags;
	scan->custom_exprs = list_make2(rtfunc->funcexpr,
									rowser_clauses_choose(root, rel->relid,
														  quals));
	scan->custom_scan_tlist = make_scan_tlist(rel->relid, tlist, path, quals);
	scan->custom_private = list_make4(rtfunc->funccolnames,
									  rtfunc->funccoltypes,
									  rtfunc->funccoltypmods,
									  rtfunc->funccolcollations);
	scan->methods = &scan_methods;
	return (Plan *) scan;
}

void
rowser_scan_register(void)
{
	RegisterCustomScanMethods(&scan_methods);
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = add_scan_path;
}
