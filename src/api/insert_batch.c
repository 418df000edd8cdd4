/*-------------------------------------------------------------------------
 *
 * insert_batch.c
 *	  Inserting the rows of a rowset into a plain table, many at a time.
 *
 * The rows go from the reader's columns into slots, and from there into pages
 * with one call for many rows, which saves most of the locking and logging that
 * single rows take.  What INSERT does beside that is done in COPY's order: for
 * each row defaults, generated columns and constraints, then for each row of a
 * batch that is in the table indexes and AFTER triggers.  A table where that
 * might differ from inserting row by row is left to the executor.
 *
 * Memory: everything is in the executor state's query context, which goes at the
 * end; what expressions allocate for a row is in its per-tuple context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/catalog.h"
#include "commands/trigger.h"
#include "executor/executor.h"
#include "executor/nodeModifyTable.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "parser/parse_node.h"
#include "parser/parse_relation.h"
#include "rewrite/rewriteHandler.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

#include "api/insert.h"
#include "columns/resolve.h"
#include "compat.h"
#include "rowset/match.h"

/* Rows go into the table when there are this many, or this many bytes of them. */
#define MAX_ROWS	1000
#define MAX_BYTES	(256 * 1024)

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
	Relation	rel;			/* borrowed */
	RowserReader *reader;		/* borrowed */
	Given	   *givens;
	int			ngivens;
	Default    *defaults;
	int			ndefaults;

	EState	   *estate;
	ResultRelInfo *target;
	TransitionCaptureState *transition; /* or NULL */
	BulkInsertState bulk;
	CommandId	command;
	int			options;		/* TABLE_INSERT_xxx */

	TupleTableSlot *slots[MAX_ROWS];	/* made when they are first used */
	int			nslots;			/* how many hold a row */
	Size		size;			/* of these rows */
	uint64		nrows;			/* that are in the table */
	uint64		row;			/* that an error is about, 1-based, or 0 */
} Insert;

/* Say which row an error is about, and what was being done. */
static void
insert_error_context(void *arg)
{
	Insert	   *insert = arg;

	if (insert->row > 0)
		errcontext("inserting row %llu of a rowset into \"%s\"",
				   (unsigned long long) insert->row,
				   RelationGetRelationName(insert->rel));
	else
		errcontext("inserting a rowset into \"%s\"",
				   RelationGetRelationName(insert->rel));
}

/* ----------------------------------------------------------------
 *		Whether this way can be gone
 * ----------------------------------------------------------------
 */

static bool
has_insert_rule(Relation rel)
{
	if (rel->rd_rules == NULL)
		return false;
	for (int i = 0; i < rel->rd_rules->numLocks; i++)
		if (rel->rd_rules->rules[i]->event == CMD_INSERT)
			return true;
	return false;
}

static bool
is_plain(Relation rel)
{
	TriggerDesc *triggers = rel->trigdesc;

	if (rel->rd_rel->relkind != RELKIND_RELATION || IsSystemRelation(rel) ||
		has_insert_rule(rel))
		return false;
	/* such a trigger may look for the rows before its own */
	if (triggers != NULL && (triggers->trig_insert_before_row ||
							 triggers->trig_insert_instead_row))
		return false;
	return check_enable_rls(RelationGetRelid(rel), InvalidOid, false) !=
		RLS_ENABLED;
}

/*
 * Find the defaults of the attributes that take no column; false if there is one
 * that might see a difference.
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
			if (DomainHasConstraints(att->atttypid))
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

/* ----------------------------------------------------------------
 *		Beginning and ending
 * ----------------------------------------------------------------
 */

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

/* Check what INSERT checks before it starts, and set up the executor's state. */
static void
init_state(Insert *insert)
{
	Relation	rel = insert->rel;
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

	rowser_init_range_table(insert->estate, pstate);
	insert->target = makeNode(ResultRelInfo);
	ExecInitResultRelation(insert->estate, insert->target, 1);
	ExecOpenIndices(insert->target, false);
	for (int i = 0; i < insert->ndefaults; i++)
		insert->defaults[i].state = ExecInitExpr(insert->defaults[i].expr,
												 NULL);
}

static void
begin_insert(Insert *insert)
{
	Relation	rel = insert->rel;

	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	init_state(insert);
	insert->command = GetCurrentCommandId(true);
	insert->bulk = GetBulkInsertState();
	/* room that other rows have left isn't looked for in a new table */
	if (rel->rd_createSubid != InvalidSubTransactionId ||
		rel->rowser_rd_first_file_subid != InvalidSubTransactionId)
		insert->options |= TABLE_INSERT_SKIP_FSM;

	AfterTriggerBeginQuery();
	insert->transition = MakeTransitionCaptureState(rel->trigdesc,
													RelationGetRelid(rel),
													CMD_INSERT);
	ExecBSInsertTriggers(insert->estate, insert->target);
}

static void
end_insert(Insert *insert)
{
	EState	   *estate = insert->estate;

	FreeBulkInsertState(insert->bulk);
	ExecASInsertTriggers(estate, insert->target, insert->transition);
	AfterTriggerEndQuery(estate);

	ExecResetTupleTable(estate->es_tupleTable, false);
	table_finish_bulk_insert(insert->rel, insert->options);
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

/* Put the rows that the slots hold into the table, its indexes and triggers. */
static void
flush_rows(Insert *insert)
{
	EState	   *estate = insert->estate;
	ResultRelInfo *target = insert->target;
	TriggerDesc *triggers = target->ri_TrigDesc;
	bool		has_triggers = triggers != NULL &&
	(triggers->trig_insert_after_row || triggers->trig_insert_new_table);
	MemoryContext old_context;

	insert->row = 0;
	old_context = MemoryContextSwitchTo(GetPerTupleMemoryContext(estate));
	table_multi_insert(insert->rel, insert->slots, insert->nslots,
					   insert->command, insert->options, insert->bulk);
	MemoryContextSwitchTo(old_context);

	for (int i = 0; i < insert->nslots; i++)
	{
		List	   *recheck = NIL;

		insert->row = insert->nrows + i + 1;
		if (target->ri_NumIndices > 0)
			recheck = rowser_insert_index_tuples(target, insert->slots[i],
												 estate);
		if (recheck != NIL || has_triggers)
			ExecARInsertTriggers(estate, target, insert->slots[i], recheck,
								 insert->transition);
		list_free(recheck);
		ExecClearTuple(insert->slots[i]);
	}
	insert->nrows += insert->nslots;
	insert->nslots = 0;
	insert->size = 0;
	insert->row = 0;
	ResetPerTupleExprContext(estate);
}

/* Fill a slot with a row of the reader's batch. */
static void
fill_slot(Insert *insert, TupleTableSlot *slot, uint32 row)
{
	ExprContext *econtext = GetPerTupleExprContext(insert->estate);

	ExecClearTuple(slot);
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
	slot->tts_tableOid = RelationGetRelid(insert->rel);
}

/* How large the row of a slot is that has been materialized */
static Size
row_size(TupleTableSlot *slot)
{
	if (TTS_IS_BUFFERTUPLE(slot) || TTS_IS_HEAPTUPLE(slot))
		return ((HeapTupleTableSlot *) slot)->tuple->t_len;
	return heap_compute_data_size(slot->tts_tupleDescriptor,
								  slot->tts_values, slot->tts_isnull);
}

/* Insert a row of the reader's batch, now or with some that follow it. */
static void
insert_row(Insert *insert, uint32 row)
{
	EState	   *estate = insert->estate;
	TupleConstr *constraints = RelationGetDescr(insert->rel)->constr;
	TupleTableSlot *slot = insert->slots[insert->nslots];

	if (slot == NULL)
		slot = insert->slots[insert->nslots] =
			table_slot_create(insert->rel, &estate->es_tupleTable);
	insert->row = insert->nrows + insert->nslots + 1;
	ResetPerTupleExprContext(estate);
	fill_slot(insert, slot, row);
	if (constraints != NULL)
	{
		if (constraints->has_generated_stored)
			ExecComputeStoredGenerated(insert->target, estate, slot,
									   CMD_INSERT);
		ExecConstraints(insert->target, slot, estate);
	}
	if (insert->rel->rd_rel->relispartition)
		ExecPartitionCheck(insert->target, slot, estate, true);

	/* The row is the slot's own from here on. */
	ExecMaterializeSlot(slot);
	insert->size += row_size(slot);
	insert->nslots++;
	if (insert->nslots == MAX_ROWS || insert->size >= MAX_BYTES)
		flush_rows(insert);
	insert->row = 0;
}

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
	if (insert->nslots > 0)
		flush_rows(insert);
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
	if (!is_plain(rel) || !find_defaults(insert, columns))
		return false;

	select_columns(insert, columns, types);
	insert->estate = CreateExecutorState();
	old_context = MemoryContextSwitchTo(insert->estate->es_query_cxt);
	begin_insert(insert);
	callback.callback = insert_error_context;
	callback.arg = insert;
	callback.previous = error_context_stack;
	error_context_stack = &callback;
	insert_rows(insert);
	error_context_stack = callback.previous;
	*nrows = insert->nrows;
	MemoryContextSwitchTo(old_context);
	end_insert(insert);
	return true;
}
