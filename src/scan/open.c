/*-------------------------------------------------------------------------
 *
 * open.c
 *	  Opening the rowset that the scan reads, and deciding which of its columns
 *	  are decoded when.
 *
 * Memory: everything of one reading is in the state's own context, which is a
 * child of the query's and is emptied when the rowset is closed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/executor.h"
#include "nodes/pg_list.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "rowset/match.h"
#include "scan/scan_state.h"

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
	RowserScanColumn column = {
		.attribute = attribute,
		.variable = variable,
		.selected = selected,
		.may_be_null = true
	};

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

/*
 * Have batches reported.  Several scans may be open at once, and one that isn't
 * read to its end stays open while other work is done: so one yields.
 */
static void
report_progress(RowserScanState *state)
{
	rowser_reader_set_progress(state->reader, &state->progress,
							   ROWSER_PROGRESS_READ);
	state->progress.yields = true;
}

/*
 * Whether a TOAST table stays as it is while the query runs.  A table that the
 * query reads does, nobody can drop or truncate it; but the rowset may also have
 * come out of a variable or a function, and between two rows of a cursor the
 * session may do anything.  In parallel mode it does nothing of the kind.
 */
static bool
storage_stays(RowserScanState *state, Oid storage)
{
	EState	   *estate = state->css.ss.ps.state;

	if (IsInParallelMode())
		return true;
	for (Index i = 0; i < estate->es_range_table_size; i++)
	{
		Relation	relation = estate->es_relations[i];

		if (relation != NULL && relation->rd_rel->reltoastrelid == storage)
			return true;
	}
	return false;
}

/* Open a reader on a rowset that is not NULL. */
static void
open_reader(RowserScanState *state, Datum rowset, bool by_position)
{
	int		   *selected;
	Oid			storage;

	state->reader = rowser_reader_open_datum(rowset, &state->counts);
	storage = rowser_reader_storage(state->reader);
	if (OidIsValid(storage) && !storage_stays(state, storage))
		rowser_reader_fetch_whole(state->reader);
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
	if (state->shared != NULL)
		rowser_reader_set_claim(state->reader, rowser_scan_claim, state);
	else
		report_progress(state);
}

/* Evaluate the call's arguments and open the rowset, if it isn't NULL. */
void
rowser_scan_open(RowserScanState *state)
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

void
rowser_scan_forget_batch(RowserScanState *state)
{
	state->row = state->nrows = state->late_end = 0;
	state->block_start = state->block_end = 0;
	state->is_at_end = false;
}

void
rowser_scan_close(RowserScanState *state)
{
	rowser_scan_forget_batch(state);
	if (state->reader != NULL && state->shared == NULL)
		rowser_progress_end(&state->progress);
	state->reader = NULL;
	state->is_open = false;
	state->goes_back = false;
	MemoryContextReset(state->context);
}
