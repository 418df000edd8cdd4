/*-------------------------------------------------------------------------
 *
 * parallel.h
 *	  Which functions may run in a parallel worker.
 *
 * A plan can be parallel before anyone has looked at the rowset, so what reading
 * it needs to call is only found out in the worker.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_PARALLEL_H
#define ROWSER_COLUMNS_PARALLEL_H

#include "nodes/nodes.h"

/*
 * In a parallel worker, raise 0A000 for a function, or an expression with one,
 * that is not marked as parallel safe.
 */
extern void rowser_parallel_check_function(Oid function, const char *column);
extern void rowser_parallel_check_expr(Node *expr, const char *column);

#endif							/* ROWSER_COLUMNS_PARALLEL_H */
