/*-------------------------------------------------------------------------
 *
 * quals.h
 *	  Filters that tell from a row group's bounds that none of its rows pass.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_SCAN_QUALS_H
#define ROWSER_SCAN_QUALS_H

#include "nodes/execnodes.h"

#include "rowset/reader.h"

typedef struct RowserQuals RowserQuals;

/*
 * Prepare chosen clauses, whose variables are by now a scan tuple's; NULL for an
 * empty list.  Memory is the current context's.
 */
extern RowserQuals *rowser_quals_init(List *clauses, PlanState *parent);

/*
 * Evaluate what columns are compared with; needed once a scan.  Values are in
 * memory of the quals' own.
 */
extern void rowser_quals_evaluate(RowserQuals *quals, ExprContext *econtext);

/*
 * Whether rows of the group that the reader is at may pass.  `selected` gives
 * the reader's number of each variable, ROWSER_NOT_SELECTED for one of which
 * nothing is known.
 */
extern bool rowser_quals_may_pass(RowserQuals *quals, RowserReader *reader,
								  const int *selected);

#endif							/* ROWSER_SCAN_QUALS_H */
