/*-------------------------------------------------------------------------
 *
 * integers_runs.c
 *	  Reading runs of integers (rowset_format.md, section 6.1): that they add up
 *	  is checked here.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/integers_state.h"
#include "bytes/memory.h"

/* How many runs are fetched at once */
#define RUN_BATCH 64

/* Runs whose values and lengths are decoded, but which are not given yet */
struct RowserRunBatch
{
	uint32		next;			/* the run to come */
	uint32		nruns;
	int64		values[RUN_BATCH];
	uint32		lengths[RUN_BATCH];
};

bool
rowser_integers_open_runs(RowserIntegers *integers, const uint8 *body,
						  RowserCursor *at)
{
	const RowserNode *node = integers->node;

	integers->runs = rowser_memory_alloc(sizeof(RowserRunBatch));
	integers->runs->next = integers->runs->nruns = 0;
	return rowser_integers_open(&integers->run_values, node->run_values, body,
								at) &&
		rowser_integers_open(&integers->run_lengths, &node->integers[0], body,
							 at);
}

/* Fetch the next runs.  There are as many lengths as values. */
static bool
fetch_runs(RowserIntegers *integers, RowserCursor *at)
{
	RowserRunBatch *runs = integers->runs;
	uint32		n = Min(rowser_integers_left(integers->run_values), RUN_BATCH);

	if (n == 0)
		return rowser_integers_fail(at, "A node's values end too early");
	runs->next = 0;
	runs->nruns = n;
	return rowser_integers_next(integers->run_values, n, runs->values, at) &&
		rowser_integers_next_counts(integers->run_lengths, n,
									rowser_integers_left(integers),
									runs->lengths, at);
}

/* Go to the next run. */
static inline bool
next_run(RowserIntegers *integers, RowserCursor *at)
{
	RowserRunBatch *runs = integers->runs;

	if (runs->next == runs->nruns && !fetch_runs(integers, at))
		return false;
	integers->last = runs->values[runs->next];
	integers->run_left = runs->lengths[runs->next];
	runs->next++;
	if (integers->run_left == 0)
		return rowser_integers_fail(at, "A run has no length");
	if (integers->run_left > rowser_integers_left(integers))
		return rowser_integers_fail(at, "Runs are longer than their values");
	return true;
}

/*
 * Give a value `n` times, where there is room for `room` of them.  Most runs are
 * short, so a few more than wanted are written rather than counted.
 */
static inline void
repeat_value(int64 value, uint32 n, uint32 room, int64 *values)
{
	if (n <= 4 && room >= 4)
	{
		values[0] = values[1] = values[2] = values[3] = value;
		return;
	}
	for (uint32 i = 0; i < n; i++)
		values[i] = value;
}

bool
rowser_integers_next_runs(RowserIntegers *integers, uint32 nvalues,
						  int64 *values, RowserCursor *at)
{
	while (nvalues > 0)
	{
		uint32		n;

		if (integers->run_left == 0 && !next_run(integers, at))
			return false;
		n = Min(nvalues, integers->run_left);
		if (values != NULL)
		{
			repeat_value(integers->last, n, nvalues, values);
			values += n;
		}
		nvalues -= n;
		integers->run_left -= n;
		integers->position += n;
	}
	if (rowser_integers_left(integers) == 0 &&
		(integers->runs->next < integers->runs->nruns ||
		 rowser_integers_left(integers->run_values) > 0))
		return rowser_integers_fail(at, "Runs are longer than their values");
	return true;
}
