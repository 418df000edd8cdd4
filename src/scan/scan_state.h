/*-------------------------------------------------------------------------
 *
 * scan_state.h
 *	  What the files that make up the scan share; nobody else includes it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_SCAN_SCAN_STATE_H
#define ROWSER_SCAN_SCAN_STATE_H

#include "nodes/execnodes.h"
#include "nodes/extensible.h"
#include "port/atomics.h"

#include "rowset/reader.h"
#include "scan/quals.h"

#define ROWSER_SCAN_NAME "RowsetScan"

/* A plan's custom_exprs */
typedef enum RowserScanExprs
{
	ROWSER_SCAN_CALL,			/* the FuncExpr that the scan stands for */
	ROWSER_SCAN_GROUP_FILTER	/* clauses; see quals.h */
} RowserScanExprs;

/*
 * A plan's custom_private: the column definition list of the call, four empty
 * lists without one
 */
typedef enum RowserScanPrivate
{
	ROWSER_SCAN_NAMES,
	ROWSER_SCAN_TYPES,
	ROWSER_SCAN_TYPMODS,
	ROWSER_SCAN_COLLATIONS
} RowserScanPrivate;

/* An attribute of the function's rows that the scan reads */
typedef struct RowserScanColumn
{
	int			attribute;		/* 0-based */
	int			variable;		/* its place in the scan tuple, or -1 */
	int			selected;		/* as match.h says */
	const Datum *values;		/* of the batch */
	const bool *nulls;
	bool		may_be_null;	/* in this batch */
	bool		is_laid_out;	/* the block says already that there are none */
} RowserScanColumn;

/* What the processes of a parallel scan share */
typedef struct RowserScanShared
{
	pg_atomic_uint32 next_group;
	pg_atomic_uint64 groups_read;
	pg_atomic_uint64 groups_skipped;
	pg_atomic_uint64 fetched;
	pg_atomic_uint64 decompressed;
} RowserScanShared;

typedef struct RowserScanState
{
	CustomScanState css;		/* must be first */

	/* what is to be read */
	ExprState  *arguments[2];
	Bitmapset  *argument_params;
	bool		is_populate;	/* else to_recordset */
	TupleDesc	tupdesc;		/* of the function's rows */
	int			whole_row;		/* its place in the scan tuple, or -1 */
	bool		filters_whole_row;
	Bitmapset  *filtered;		/* attributes that the quals need, 0-based */
	Bitmapset  *needed;			/* attributes that anything needs */

	/* one reading; all memory is in `context` */
	MemoryContext context;
	bool		is_open;
	RowserReader *reader;		/* NULL when the rowset is */
	RowserQuals *quals;			/* or NULL */
	bool		quals_are_ready;
	int		   *variables;		/* the reader's numbers, by place in the tuple */
	RowserScanColumn *early;	/* read before the filter */
	int			nearly;
	RowserScanColumn *late;		/* read for the rows that pass it */
	int			nlate;
	RowserScanColumn *fixed;	/* not in the rowset: the same in all rows */
	int			nfixed;
	Datum	   *row_values;		/* a whole row; begins with the defaults */
	bool	   *row_nulls;

	/* the batch */
	uint32		row;			/* the one behind the row that was given last */
	uint32		nrows;
	bool		is_at_end;		/* behind the last row */
	bool		goes_back;		/* now and then; all columns are early then */
	uint32		late_end;		/* late columns are decoded up to here */

	/*
	 * Some rows of the batch laid out as scan tuples, one after the other, so
	 * that the slot need only point to one of them
	 */
	uint32		block_capacity; /* in rows */
	uint32		block_start;
	uint32		block_end;
	Datum	   *block_values;
	bool	   *block_nulls;
	bool		block_is_kept;	/* what is in it stays as it was laid out */
	Datum	   *slot_values;	/* the slot's own arrays */
	bool	   *slot_nulls;

	RowserReaderCounts counts;	/* of all readings */
	RowserReaderCounts published;	/* what of them is in shared, too */
	RowserScanShared *shared;	/* with other processes, or NULL */
	RowserProgress progress;	/* of a scan that isn't parallel */
} RowserScanState;

extern Node *rowser_scan_create_state(CustomScan *plan);

/* BeginCustomScan: find out all that does not depend on the rowset. */
extern void rowser_scan_begin(CustomScanState *node, EState *estate,
							  int eflags);

/*
 * Evaluate the call's arguments and open the rowset, if it isn't NULL; or close it
 * and forget all about it.
 */
extern void rowser_scan_open(RowserScanState *state);
extern void rowser_scan_close(RowserScanState *state);

/* Be without a batch. */
extern void rowser_scan_forget_batch(RowserScanState *state);

/*
 * During a recheck, put the row that the executor has kept for the relation into
 * the slot, or empty it; false for a relation of which it keeps none.
 */
extern bool rowser_scan_recheck(RowserScanState *state, TupleTableSlot *slot);

/* The methods of a parallel scan; see parallel.c. */
extern Size rowser_scan_estimate_dsm(CustomScanState *node,
									 ParallelContext *pcxt);
extern void rowser_scan_initialize_dsm(CustomScanState *node,
									   ParallelContext *pcxt,
									   void *coordinate);
extern void rowser_scan_reinitialize_dsm(CustomScanState *node,
										 ParallelContext *pcxt,
										 void *coordinate);
extern void rowser_scan_initialize_worker(CustomScanState *node,
										  shm_toc *toc, void *coordinate);
extern void rowser_scan_shutdown(CustomScanState *node);

/* In a parallel scan, the next row group for a reader whose state `arg` is. */
extern uint32 rowser_scan_claim(void *arg);

/* In a parallel scan, add what has been counted since the last time. */
extern void rowser_scan_publish(RowserScanState *state);

extern void rowser_scan_explain(CustomScanState *node, List *ancestors,
								ExplainState *es);

#endif							/* ROWSER_SCAN_SCAN_STATE_H */
