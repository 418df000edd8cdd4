/*-------------------------------------------------------------------------
 *
 * insert_buffer.c
 *	  Rows on their way into a table, and the batches that they go in.
 *
 * For each row generated columns and constraints are seen to when it comes;
 * its indexes and AFTER triggers when it is in the table with the rest of its
 * batch.  That is COPY's order.  A partition where it would show is given its
 * rows one by one, behind all that wait elsewhere.
 *
 * Memory: buffers are in the context that was current when they were made;
 * what expressions allocate is in the executor state's per-tuple context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tableam.h"
#include "catalog/pg_trigger.h"
#include "executor/executor.h"
#include "executor/nodeModifyTable.h"
#include "foreign/fdwapi.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

#include "api/insert_state.h"
#include "compat.h"

/* ----------------------------------------------------------------
 *		Buffers
 * ----------------------------------------------------------------
 */

/*
 * Whether a partition's rows must be inserted one by one: it is elsewhere, or
 * has triggers that see in which order rows come.
 */
static bool
is_single(ResultRelInfo *target)
{
	TriggerDesc *triggers = target->ri_TrigDesc;

	if (target->ri_FdwRoutine != NULL)
		return true;
	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		Trigger    *trigger = &triggers->triggers[i];

		if (TRIGGER_FOR_ROW(trigger->tgtype) &&
			TRIGGER_FOR_INSERT(trigger->tgtype) &&
			trigger->tgfoid != F_UNIQUE_KEY_RECHECK &&
			RI_FKey_trigger_type(trigger->tgfoid) == RI_TRIGGER_NONE)
			return true;
	}
	return false;
}

RowserInsertBuffer *
rowser_insert_buffer_get(RowserInsertState *state, ResultRelInfo *target)
{
	Relation	rel = target->ri_RelationDesc;
	RowserInsertBuffer *buffer;
	ListCell   *lc;

	foreach(lc, state->buffers)
	{
		buffer = lfirst(lc);
		if (buffer->target == target)
			return buffer;
	}
	buffer = palloc0(sizeof(RowserInsertBuffer));
	buffer->target = target;
	buffer->is_single = state->routing != NULL && is_single(target);
	if (target->ri_FdwRoutine == NULL)
		buffer->bulk = GetBulkInsertState();
	/* room that other rows have left isn't looked for in a new table */
	if (rel->rd_createSubid != InvalidSubTransactionId ||
		rel->rowser_rd_first_file_subid != InvalidSubTransactionId)
		buffer->options |= TABLE_INSERT_SKIP_FSM;
	state->buffers = lappend(state->buffers, buffer);
	return buffer;
}

static void
free_buffer(RowserInsertBuffer *buffer)
{
	Assert(buffer->nslots == 0);
	for (int i = 0; i < ROWSER_INSERT_ROWS && buffer->slots[i] != NULL; i++)
		ExecDropSingleTupleTableSlot(buffer->slots[i]);
	if (buffer->bulk != NULL)
	{
		FreeBulkInsertState(buffer->bulk);
		table_finish_bulk_insert(buffer->target->ri_RelationDesc,
								 buffer->options);
	}
	pfree(buffer);
}

void
rowser_insert_buffer_free_all(RowserInsertState *state)
{
	ListCell   *lc;

	foreach(lc, state->buffers)
		free_buffer(lfirst(lc));
	list_free(state->buffers);
	state->buffers = NIL;
}

TupleTableSlot *
rowser_insert_buffer_slot(RowserInsertBuffer *buffer)
{
	TupleTableSlot **slot = &buffer->slots[buffer->nslots];

	if (*slot == NULL)
		*slot = table_slot_create(buffer->target->ri_RelationDesc, NULL);
	else
		ExecClearTuple(*slot);
	return *slot;
}

/* ----------------------------------------------------------------
 *		Into tables
 * ----------------------------------------------------------------
 */

/* Put the rows of a buffer into a table. */
static void
insert_into_table(RowserInsertState *state, RowserInsertBuffer *buffer)
{
	MemoryContext old_context;

	state->row = 0;
	old_context = MemoryContextSwitchTo(GetPerTupleMemoryContext(state->estate));
	table_multi_insert(buffer->target->ri_RelationDesc, buffer->slots,
					   buffer->nslots, state->command, buffer->options,
					   buffer->bulk);
	MemoryContextSwitchTo(old_context);
	state->ninserted += buffer->nslots;
}

/* Put the one row of a buffer into a foreign table, if its server wants it. */
static void
insert_into_foreign(RowserInsertState *state, RowserInsertBuffer *buffer)
{
	ResultRelInfo *target = buffer->target;
	TupleTableSlot *slot = buffer->slots[0];

	slot = target->ri_FdwRoutine->ExecForeignInsert(state->estate, target,
													slot, NULL);
	if (slot == NULL)
	{
		ExecClearTuple(buffer->slots[0]);
		buffer->nslots = 0;
		return;
	}
	if (slot != buffer->slots[0])
		ExecCopySlot(buffer->slots[0], slot);
	buffer->slots[0]->tts_tableOid = RelationGetRelid(target->ri_RelationDesc);
	state->ninserted++;
}

/* Put the rows of a buffer into table and indexes, and fire triggers. */
static void
flush_buffer(RowserInsertState *state, RowserInsertBuffer *buffer)
{
	ResultRelInfo *target = buffer->target;
	TriggerDesc *triggers = target->ri_TrigDesc;
	bool		has_triggers = triggers != NULL &&
	(triggers->trig_insert_after_row || triggers->trig_insert_new_table);

	if (buffer->nslots == 0)
		return;
	if (buffer->bulk != NULL)
		insert_into_table(state, buffer);
	else
		insert_into_foreign(state, buffer);
	for (int i = 0; i < buffer->nslots; i++)
	{
		List	   *recheck = NIL;

		state->row = buffer->rows[i];
		if (target->ri_NumIndices > 0)
			recheck = rowser_insert_index_tuples(target, buffer->slots[i],
												 state->estate);
		if (recheck != NIL || has_triggers)
			ExecARInsertTriggers(state->estate, target, buffer->slots[i],
								 recheck, state->transition);
		list_free(recheck);
		ExecClearTuple(buffer->slots[i]);
	}
	buffer->nslots = 0;
}

void
rowser_insert_buffer_flush_all(RowserInsertState *state)
{
	uint64		row = state->row;
	ListCell   *lc;

	foreach(lc, state->buffers)
		flush_buffer(state, lfirst(lc));
	state->row = row;
	state->nslots = 0;
	state->size = 0;
	if (list_length(state->buffers) > ROWSER_INSERT_BUFFERS)
		rowser_insert_buffer_free_all(state);
}

/* ----------------------------------------------------------------
 *		Rows
 * ----------------------------------------------------------------
 */

/* Compute what is generated, and check constraints. */
static void
complete_row(RowserInsertState *state, ResultRelInfo *target,
			 TupleTableSlot *slot, bool is_changed)
{
	Relation	rel = target->ri_RelationDesc;
	TupleConstr *constraints = RelationGetDescr(rel)->constr;

	if (constraints != NULL && constraints->has_generated_stored)
		ExecComputeStoredGenerated(target, state->estate, slot, CMD_INSERT);
	if (constraints != NULL && target->ri_FdwRoutine == NULL)
		ExecConstraints(target, slot, state->estate);
	/* a row that was routed fits, unless it has changed since */
	if (rel->rd_rel->relispartition && (state->routing == NULL || is_changed))
		ExecPartitionCheck(target, slot, state->estate, true);
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

bool
rowser_insert_buffer_append(RowserInsertState *state,
							RowserInsertBuffer *buffer)
{
	ResultRelInfo *target = buffer->target;
	TriggerDesc *triggers = target->ri_TrigDesc;
	TupleTableSlot *slot = buffer->slots[buffer->nslots];
	bool		has_before = triggers != NULL &&
	triggers->trig_insert_before_row;

	slot->tts_tableOid = RelationGetRelid(target->ri_RelationDesc);
	if (has_before && !ExecBRInsertTriggers(state->estate, target, slot))
		return false;
	complete_row(state, target, slot, has_before);

	/* The row is the slot's own from here on. */
	ExecMaterializeSlot(slot);
	state->size += row_size(slot);
	buffer->rows[buffer->nslots++] = state->row;
	state->nslots++;
	if (!buffer->is_single && state->nslots < ROWSER_INSERT_ROWS &&
		state->size < ROWSER_INSERT_SIZE)
		return false;
	rowser_insert_buffer_flush_all(state);
	return true;
}
