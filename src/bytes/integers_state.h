/*-------------------------------------------------------------------------
 *
 * integers_state.h
 *	  What the files that read integers share; nobody else includes it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_INTEGERS_STATE_H
#define ROWSER_BYTES_INTEGERS_STATE_H

#include "bytes/integers.h"

/* Runs that have been fetched (integers_runs.c) */
typedef struct RowserRunBatch RowserRunBatch;

struct RowserIntegers
{
	const RowserNode *node;		/* borrowed */
	uint32		position;		/* integers given so far */
	const uint8 *bytes;			/* the block's */
	uint8	   *owned;			/* its memory when it was decompressed */
	int64		last;			/* DELTA, DELTA2: the value before */
	int64		step;			/* DELTA2: the last difference */
	RowserIntegers *run_values; /* RUNS */
	RowserIntegers *run_lengths;
	RowserRunBatch *runs;
	uint32		run_left;		/* of the run that `last` is the value of */
	bool		all_fit;		/* FRAME: the header tells that they do */
};

static inline bool
rowser_integers_fail(RowserCursor *at, const char *what)
{
	return rowser_cursor_fail(at, ROWSER_FAULT_INVALID, what);
}

/* Open the streams of runs' values and of their lengths. */
extern bool rowser_integers_open_runs(RowserIntegers *integers,
									  const uint8 *body, RowserCursor *at);

/*
 * Give the next values of runs; into nowhere if `values` is NULL.  The position
 * moves along, since what is left limits a run's length.
 */
extern bool rowser_integers_next_runs(RowserIntegers *integers,
									  uint32 nvalues, int64 *values,
									  RowserCursor *at);

#endif							/* ROWSER_BYTES_INTEGERS_STATE_H */
