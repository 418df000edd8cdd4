/*-------------------------------------------------------------------------
 *
 * parallel.c
 *	  The scan in several processes, which hand out row groups to each other.
 *
 * Each process opens the rowset for itself and takes the next row group that
 * nobody has taken.  Counts for EXPLAIN are added up in shared memory as reading
 * goes on; the leader takes the sums when its part of the plan is shut down,
 * which is after it has got all rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"

#include "scan/scan_state.h"

Size
rowser_scan_estimate_dsm(CustomScanState *node, ParallelContext *pcxt)
{
	return sizeof(RowserScanShared);
}

void
rowser_scan_initialize_dsm(CustomScanState *node, ParallelContext *pcxt,
						   void *coordinate)
{
	RowserScanState *state = (RowserScanState *) node;

	state->shared = coordinate;
	pg_atomic_init_u32(&state->shared->next_group, 0);
	pg_atomic_init_u64(&state->shared->groups_read, 0);
	pg_atomic_init_u64(&state->shared->groups_skipped, 0);
	pg_atomic_init_u64(&state->shared->fetched, 0);
	pg_atomic_init_u64(&state->shared->decompressed, 0);
}

void
rowser_scan_reinitialize_dsm(CustomScanState *node, ParallelContext *pcxt,
							 void *coordinate)
{
	RowserScanState *state = (RowserScanState *) node;

	pg_atomic_write_u32(&state->shared->next_group, 0);
}

void
rowser_scan_initialize_worker(CustomScanState *node, shm_toc *toc,
							  void *coordinate)
{
	RowserScanState *state = (RowserScanState *) node;

	state->shared = coordinate;
}

uint32
rowser_scan_claim(void *arg)
{
	RowserScanState *state = arg;

	return pg_atomic_fetch_add_u32(&state->shared->next_group, 1);
}

/* Add what a count has grown by. */
static void
publish(pg_atomic_uint64 *sum, uint64 count, uint64 *published)
{
	if (count > *published)
		pg_atomic_fetch_add_u64(sum, (int64) (count - *published));
	*published = count;
}

void
rowser_scan_publish(RowserScanState *state)
{
	publish(&state->shared->groups_read, state->counts.groups_read,
			&state->published.groups_read);
	publish(&state->shared->groups_skipped, state->counts.groups_skipped,
			&state->published.groups_skipped);
	publish(&state->shared->fetched, state->counts.fetched,
			&state->published.fetched);
	publish(&state->shared->decompressed, state->counts.decompressed,
			&state->published.decompressed);
}

void
rowser_scan_shutdown(CustomScanState *node)
{
	RowserScanState *state = (RowserScanState *) node;

	if (state->shared == NULL)
		return;
	rowser_scan_publish(state);
	if (!IsParallelWorker())
	{
		state->counts.groups_read =
			pg_atomic_read_u64(&state->shared->groups_read);
		state->counts.groups_skipped =
			pg_atomic_read_u64(&state->shared->groups_skipped);
		state->counts.fetched = pg_atomic_read_u64(&state->shared->fetched);
		state->counts.decompressed =
			pg_atomic_read_u64(&state->shared->decompressed);
		state->published = state->counts;
	}
	/* the memory is about to go */
	state->shared = NULL;
	if (state->reader != NULL)
		rowser_reader_set_claim(state->reader, NULL, NULL);
}
