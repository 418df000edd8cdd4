/*-------------------------------------------------------------------------
 *
 * explain.c
 *	  What EXPLAIN shows of the scan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/explain.h"
#include "nodes/makefuncs.h"
#include "parser/parsetree.h"
#include "utils/ruleutils.h"

#include "compat.h"
#include "scan/scan_state.h"

/* The relation's name in the query, which a scan of rowsets has no other */
static void
show_alias(const CustomScan *plan, ExplainState *es)
{
	int			rti = bms_singleton_member(plan->custom_relids);

	ExplainPropertyText("Alias", list_nth(es->rtable_names, rti - 1), es);
}

/* The call that the scan stands for, where all is to be told */
static void
show_call(CustomScanState *node, const CustomScan *plan, List *ancestors,
		  ExplainState *es)
{
	List	   *context;

	if (!es->verbose)
		return;
	context = set_deparse_context_plan(es->deparse_cxt, node->ss.ps.plan,
									   ancestors);
	ExplainPropertyText("Function Call",
						deparse_expression(list_nth(plan->custom_exprs,
													ROWSER_SCAN_CALL),
										   context, true, false), es);
}

/* An attribute's name; the query doesn't know those that the type got later. */
static char *
attribute_name(const RowserScanState *state, RangeTblEntry *rte, int attribute)
{
	if (attribute >= list_length(rte->eref->colnames))
		return NameStr(TupleDescAttr(state->tupdesc, attribute)->attname);
	return get_rte_attribute_name(rte, attribute + 1);
}

/* The columns that are decoded, if there is a row */
static void
show_columns(const RowserScanState *state, const CustomScan *plan,
			 ExplainState *es)
{
	RangeTblEntry *rte = rt_fetch(bms_singleton_member(plan->custom_relids),
								  es->rtable);
	List	   *names = NIL;
	int			attribute = -1;

	while ((attribute = bms_next_member(state->needed, attribute)) >= 0)
	{
		if (!TupleDescAttr(state->tupdesc, attribute)->attisdropped)
			names = lappend(names, attribute_name(state, rte, attribute));
	}
	if (names == NIL && es->format == EXPLAIN_FORMAT_TEXT)
		ExplainPropertyText("Columns", "none", es);
	else
		ExplainPropertyList("Columns", names, es);
}

/* The filters by which row groups are left out */
static void
show_group_filter(CustomScanState *node, const CustomScan *plan,
				  List *ancestors, ExplainState *es)
{
	List	   *clauses = list_nth(plan->custom_exprs,
								   ROWSER_SCAN_GROUP_FILTER);
	List	   *context;
	char	   *text;

	if (clauses == NIL)
		return;
	context = set_deparse_context_plan(es->deparse_cxt, node->ss.ps.plan,
									   ancestors);
	text = deparse_expression((Node *) make_ands_explicit(clauses), context, es->verbose,
							  false);
	ExplainPropertyText("Row Group Filter", text, es);
}

/* Show a number of bytes: whole kilobytes in text, as EXPLAIN does elsewhere. */
static void
show_bytes(const char *label, uint64 bytes, ExplainState *es)
{
	if (es->format == EXPLAIN_FORMAT_TEXT)
		ExplainPropertyInteger(label, "kB", (bytes + 1023) / 1024, es);
	else
		ExplainPropertyInteger(psprintf("%s Bytes", label), NULL, bytes, es);
}

void
rowser_scan_explain(CustomScanState *node, List *ancestors, ExplainState *es)
{
	RowserScanState *state = (RowserScanState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;

	show_alias(plan, es);
	show_call(node, plan, ancestors, es);
	show_columns(state, plan, es);
	show_group_filter(node, plan, ancestors, es);
	if (!es->analyze)
		return;
	ExplainPropertyInteger("Row Groups Read", NULL, state->counts.groups_read,
						   es);
	ExplainPropertyInteger("Row Groups Skipped", NULL,
						   state->counts.groups_skipped, es);
	show_bytes("Fetched", state->counts.fetched, es);
	show_bytes("Decompressed", state->counts.decompressed, es);
}
