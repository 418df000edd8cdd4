/*-------------------------------------------------------------------------
 *
 * selectivity.h
 *	  How many rows of a rowset that is known pass a filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_SCAN_SELECTIVITY_H
#define ROWSER_SCAN_SELECTIVITY_H

#include "nodes/pathnodes.h"

/*
 * Set a relation's number of rows behind its filter by what the bounds in the
 * rowset's row groups tell; leave it as it is when they tell nothing.  Column
 * names are matched unless `by_position`.
 */
extern void rowser_selectivity_set_rows(PlannerInfo *root, RelOptInfo *rel,
										Datum rowset, List *column_names,
										bool by_position);

#endif							/* ROWSER_SCAN_SELECTIVITY_H */
