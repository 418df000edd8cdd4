/*-------------------------------------------------------------------------
 *
 * insert_batch.c
 *	  Inserting the rows of a rowset into a table, many at a time.
 *
 * The rows go from the reader's columns into slots of the table, or of the
 * partition that they belong to, and from there into pages with one call for
 * many rows (insert_buffer.c), which saves most of the locking and logging
 * that single rows take.
 *
 * Memory: everything is in the executor state's query context, which goes at
 * the end; what expressions allocate for a row is in its per-tuple context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "access/tupconvert.h"
#include "access/xact.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "parser/parse_node.h"
#include "parser/parse_relation.h"
#include "rewrite/rewriteHandler.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

#include "api/insert.h"
#include "api/insert_state.h"
#include "columns/resolve.h"
#include "compat.h"
#include "rowset/match.h"

/* An attribute that takes a column of the rowset */
typedef struct Given
{
	int			attribute;		/* 0-based */
	int			selected;		/* the reader's number */
	const Datum *values;		/* of the reader's batch */
	const bool *nulls;
} Given;

/* An attribute that takes its default */
typedef struct Default
{
	int			attribute;		/* 0-based */
	Expr	   *expr;			/* planned */
	ExprState  *state;
} Default;

typedef struct Insert
{
	Relation	rel;			/* the table that was named; borrowed */
	RowserReader *reader;		/* borrowed */
	Given	   *givens;
	int			ngivens;
	Default    *defaults;
	int			ndefaults;

	RowserInsertState state;
	TupleTableSlot *unrouted;	/* a row of a partitioned table, or NULL */
	RowserInsertBuffer *buffer; /* that the last row went to, or NULL */
	uint64		nrows;			/* of the rowset so far */
} Insert;

/* Say which row an error is about, and what was being done. */
static void
insert_error_context(void *arg)
{
	Insert	   *insert = arg;

	if (insert->state.row > 0)
		errcontext("inserting row %llu of a rowset into \"%s\"",
				   (unsigned long long) insert->state.row,
				   RelationGetRelationName(insert->rel));
	else
		errcontext("inserting a rowset into \"%s\"",
				   RelationGetRelationName(insert->rel));
}

/* ----------------------------------------------------------------
 *		Columns
 * ----------------------------------------------------------------
 */

/*
 * Find the defaults of the attributes that take no column; false if there is
 * one that might see a difference.
 */
static bool
find_defaults(Insert *insert, const int *columns)
{
	TupleDesc	tupdesc = RelationGetDescr(insert->rel);

	insert->defaults = palloc(Max(tupdesc->natts, 1) * sizeof(Default));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		Default    *def = &insert->defaults[insert->ndefaults];

		if (columns[i] != ROWSER_NOT_SELECTED || att->attisdropped ||
			att->attgenerated != '\0')
			continue;
		def->attribute = i;
		def->expr = (Expr *) build_column_default(insert->rel, i + 1);
		if (def->expr == NULL)
		{
			/* NULL, to which only a domain can object */
			if (rowser_domain_has_constraints(att->atttypid))
				return false;
			continue;
		}
		def->expr = expression_planner(def->expr);
		if (contain_volatile_functions_not_nextval((Node *) def->expr))
			return false;
		insert->ndefaults++;
	}
	return true;
}

/* Select the rowset's columns, as what the table's are. */
static void
select_columns(Insert *insert, const int *columns, RowserInsertTypes types)
{
	TupleDesc	tupdesc = RelationGetDescr(insert->rel);
	const RowserHeader *header = rowser_reader_header(insert->reader);
	int			encoding = rowser_reader_encoding(insert->reader);

	insert->givens = palloc(Max(tupdesc->natts, 1) * sizeof(Given));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		Oid			type = att->atttypid;

		if (columns[i] == ROWSER_NOT_SELECTED)
			continue;

		/* Where the rowset chose the type, the reader is to know. */
		if (types == ROWSER_INSERT_TYPES_OF_ROWSET)
		{
			const RowserType *described = &header->columns[columns[i]].type;

			if (type == rowser_resolve_type(described, encoding) &&
				att->atttypmod == rowser_resolve_typmod(described))
				type = InvalidOid;
		}
		insert->givens[insert->ngivens].attribute = i;
		insert->givens[insert->ngivens].selected =
			rowser_reader_select(insert->reader, columns[i], type,
								 att->atttypmod);
		insert->ngivens++;
	}
}

/* ----------------------------------------------------------------
 *		Beginning and ending
 * ----------------------------------------------------------------
 */

/* Check what INSERT checks first, and set up the executor's state. */
static void
init_state(Insert *insert)
{
	Relation	rel = insert->rel;
	RowserInsertState *state = &insert->state;
	ParseState *pstate = make_parsestate(NULL);
	ParseNamespaceItem *item;
	RowserPermissionInfo *permission;

	if (XactReadOnly && !rel->rd_islocaltemp)
		PreventCommandIfReadOnly("INSERT");
	PreventCommandIfParallelMode("INSERT");
	item = addRangeTableEntryForRelation(pstate, rel, RowExclusiveLock, NULL,
										 false, false);
	permission = rowser_permission_info(item);
	permission->requiredPerms = ACL_INSERT;
	for (int i = 0; i < insert->ngivens; i++)
		permission->insertedCols =
			bms_add_member(permission->insertedCols,
						   insert->givens[i].attribute + 1 -
						   FirstLowInvalidHeapAttributeNumber);
	rowser_check_permissions(pstate);

	rowser_init_range_table(state->estate, pstate);
	state->root = makeNode(ResultRelInfo);
	ExecInitResultRelation(state->estate, state->root, 1);
	ExecOpenIndices(state->root, false);
	for (int i = 0; i < insert->ndefaults; i++)
		insert->defaults[i].state = ExecInitExpr(insert->defaults[i].expr,
												 NULL);
}

/* Prepare to find each row's partition. */
static void
init_routing(Insert *insert)
{
	RowserInsertState *state = &insert->state;
	ModifyTableState *mtstate = &state->mtstate;

	NodeSetTag(mtstate, T_ModifyTableState);
	mtstate->ps.state = state->estate;
	mtstate->operation = CMD_INSERT;
	mtstate->mt_nrels = 1;
	mtstate->resultRelInfo = state->root;
	mtstate->rootResultRelInfo = state->root;
	mtstate->mt_transition_capture = state->transition;
	state->routing = ExecSetupPartitionTupleRouting(state->estate,
													insert->rel);
	insert->unrouted = table_slot_create(insert->rel,
										 &state->estate->es_tupleTable);
}

/* Begin as a statement of its own, which sees all that was done before. */
static void
begin_insert(Insert *insert)
{
	RowserInsertState *state = &insert->state;

	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	init_state(insert);
	state->command = GetCurrentCommandId(true);

	AfterTriggerBeginQuery();
	state->transition = MakeTransitionCaptureState(insert->rel->trigdesc,
												   RelationGetRelid(insert->rel),
												   CMD_INSERT);
	if (insert->rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		init_routing(insert);
	ExecBSInsertTriggers(state->estate, state->root);
}

/* Fire what fires after the rows, and let go of everything. */
static void
end_insert(Insert *insert)
{
	RowserInsertState *state = &insert->state;
	EState	   *estate = state->estate;

	ExecASInsertTriggers(estate, state->root, state->transition);
	AfterTriggerEndQuery(estate);

	ExecResetTupleTable(estate->es_tupleTable, false);
	rowser_insert_buffer_free_all(state);
	if (state->routing != NULL)
		ExecCleanupTupleRouting(&state->mtstate, state->routing);
	ExecCloseResultRelations(estate);
	ExecCloseRangeTableRelations(estate);
	FreeExecutorState(estate);
	PopActiveSnapshot();
	CommandCounterIncrement();
}

/* ----------------------------------------------------------------
 *		Rows
 * ----------------------------------------------------------------
 */

/* Fill an empty slot of the table that was named with a row of the batch. */
static void
fill_slot(Insert *insert, TupleTableSlot *slot, uint32 row)
{
	ExprContext *econtext = GetPerTupleExprContext(insert->state.estate);

	memset(slot->tts_isnull, true,
		   slot->tts_tupleDescriptor->natts * sizeof(bool));
	for (int i = 0; i < insert->ngivens; i++)
	{
		const Given *given = &insert->givens[i];

		slot->tts_values[given->attribute] = given->values[row];
		slot->tts_isnull[given->attribute] = given->nulls[row];
	}
	for (int i = 0; i < insert->ndefaults; i++)
	{
		const Default *def = &insert->defaults[i];

		slot->tts_values[def->attribute] =
			ExecEvalExprSwitchContext(def->state, econtext,
									  &slot->tts_isnull[def->attribute]);
	}
	ExecStoreVirtualTuple(slot);
}

/* Find a row's partition, and put the row into the buffer's slot for it. */
static void
route_row(Insert *insert, uint32 row)
{
	RowserInsertState *state = &insert->state;
	TupleTableSlot *slot = insert->unrouted;
	ResultRelInfo *target;
	TupleConversionMap *map;
	TupleTableSlot *routed;

	ExecClearTuple(slot);
	fill_slot(insert, slot, row);
	slot->tts_tableOid = RelationGetRelid(insert->rel);
	target = ExecFindPartition(&state->mtstate, state->root, state->routing,
							   slot, state->estate);
	if (insert->buffer == NULL || insert->buffer->target != target)
		insert->buffer = rowser_insert_buffer_get(state, target);

	/* What such a partition's triggers look at must be there. */
	if (insert->buffer->is_single && state->nslots > 0)
	{
		rowser_insert_buffer_flush_all(state);
		insert->buffer = rowser_insert_buffer_get(state, target);
	}
	routed = rowser_insert_buffer_slot(insert->buffer);
	map = rowser_root_to_child_map(target, state->estate);
	if (map != NULL)
	{
		execute_attr_map_slot(map->attrMap, slot, routed);
		return;
	}
	memcpy(routed->tts_values, slot->tts_values,
		   slot->tts_tupleDescriptor->natts * sizeof(Datum));
	memcpy(routed->tts_isnull, slot->tts_isnull,
		   slot->tts_tupleDescriptor->natts * sizeof(bool));
	ExecStoreVirtualTuple(routed);
}

/* Insert a row of the reader's batch, now or with some that follow it. */
static void
insert_row(Insert *insert, uint32 row)
{
	RowserInsertState *state = &insert->state;

	ResetPerTupleExprContext(state->estate);
	state->row = ++insert->nrows;
	if (state->routing != NULL)
		route_row(insert, row);
	else
	{
		if (insert->buffer == NULL)
			insert->buffer = rowser_insert_buffer_get(state, state->root);
		fill_slot(insert, rowser_insert_buffer_slot(insert->buffer), row);
	}
	if (rowser_insert_buffer_append(state, insert->buffer))
		insert->buffer = NULL;
	state->row = 0;
}

/* Insert all rows of the reader. */
static void
insert_rows(Insert *insert)
{
	uint32		nrows;

	while ((nrows = rowser_reader_next(insert->reader)) > 0)
	{
		for (int i = 0; i < insert->ngivens; i++)
		{
			Given	   *given = &insert->givens[i];

			given->values = rowser_reader_values(insert->reader,
												 given->selected);
			given->nulls = rowser_reader_nulls(insert->reader,
											   given->selected);
		}
		for (uint32 row = 0; row < nrows; row++)
		{
			CHECK_FOR_INTERRUPTS();
			insert_row(insert, row);
		}
	}
	rowser_insert_buffer_flush_all(&insert->state);
}

bool
rowser_insert_batch_run(Relation rel, RowserReader *reader,
						const int *columns, RowserInsertTypes types,
						uint64 *nrows)
{
	Insert	   *insert = palloc0(sizeof(Insert));
	MemoryContext old_context;
	ErrorContextCallback callback;

	insert->rel = rel;
	insert->reader = reader;
	if (!find_defaults(insert, columns))
		return false;

	select_columns(insert, columns, types);
	insert->state.estate = CreateExecutorState();
	old_context = MemoryContextSwitchTo(insert->state.estate->es_query_cxt);
	begin_insert(insert);
	callback.callback = insert_error_context;
	callback.arg = insert;
	callback.previous = error_context_stack;
	error_context_stack = &callback;
	insert_rows(insert);
	error_context_stack = callback.previous;
	*nrows = insert->state.ninserted;
	MemoryContextSwitchTo(old_context);
	end_insert(insert);
	return true;
}
