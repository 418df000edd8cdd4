/*-------------------------------------------------------------------------
 *
 * insert_state.h
 *	  What the files that insert in batches share; nobody else includes it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_INSERT_STATE_H
#define ROWSER_API_INSERT_STATE_H

#include "access/heapam.h"
#include "commands/trigger.h"
#include "executor/execPartition.h"
#include "nodes/execnodes.h"

/*
 * Rows go into the tables when there are this many, or this many bytes of
 * them, in all buffers; there is a buffer for each of this many partitions at
 * most.
 */
#define ROWSER_INSERT_ROWS		1000
#define ROWSER_INSERT_SIZE		(256 * 1024)
#define ROWSER_INSERT_BUFFERS	32

/* Rows that wait for one relation */
typedef struct RowserInsertBuffer
{
	ResultRelInfo *target;
	BulkInsertState bulk;		/* NULL for a foreign table */
	int			options;		/* TABLE_INSERT_xxx */
	bool		is_single;		/* each row is inserted before the next */
	int			nslots;			/* how many hold a row */
	TupleTableSlot *slots[ROWSER_INSERT_ROWS];	/* made when first used */
	uint64		rows[ROWSER_INSERT_ROWS];	/* their numbers, for errors */
} RowserInsertBuffer;

/* Where rows go */
typedef struct RowserInsertState
{
	EState	   *estate;
	ModifyTableState mtstate;	/* only what routing asks for */
	ResultRelInfo *root;		/* the table that was named */
	PartitionTupleRouting *routing; /* if it is partitioned, else NULL */
	TransitionCaptureState *transition; /* or NULL */
	CommandId	command;

	List	   *buffers;
	int			nslots;			/* in all buffers */
	Size		size;			/* of these rows */
	uint64		row;			/* that an error is about, 1-based, or 0 */
	uint64		ninserted;
} RowserInsertState;

/* A relation's buffer, made when there is none; the state owns it. */
extern RowserInsertBuffer *rowser_insert_buffer_get(RowserInsertState *state,
													ResultRelInfo *target);

/* An empty slot for the relation's next row */
extern TupleTableSlot *rowser_insert_buffer_slot(RowserInsertBuffer *buffer);

/*
 * Insert the row that has been put into that slot: state->row of the rowset.
 * Its values may point anywhere; generated ones are computed, constraints are
 * checked.  Returns whether all buffers have been emptied, and may be other
 * ones now.
 */
extern bool rowser_insert_buffer_append(RowserInsertState *state,
										RowserInsertBuffer *buffer);

/* Put all rows into their tables; and let go of all buffers, once empty. */
extern void rowser_insert_buffer_flush_all(RowserInsertState *state);
extern void rowser_insert_buffer_free_all(RowserInsertState *state);

#endif							/* ROWSER_API_INSERT_STATE_H */
