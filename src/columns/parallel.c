/*-------------------------------------------------------------------------
 *
 * parallel.c
 *	  Which functions may run in a parallel worker.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "catalog/pg_proc.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"

#include "columns/parallel.h"

void
rowser_parallel_check_function(Oid function, const char *column)
{
	if (!IsParallelWorker() || func_parallel(function) == PROPARALLEL_SAFE)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot read column \"%s\" in a parallel worker", column),
			 errdetail("Function %s is not parallel safe.",
					   format_procedure(function)),
			 errhint("Set max_parallel_workers_per_gather to 0.")));
}

/* For check_functions_in_node(); raises the error itself */
static bool
check_function(Oid function, void *context)
{
	rowser_parallel_check_function(function, context);
	return false;
}

static bool
check_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;
	(void) check_functions_in_node(node, check_function, context);
	return expression_tree_walker(node, check_walker, context);
}

void
rowser_parallel_check_expr(Node *expr, const char *column)
{
	if (IsParallelWorker())
		(void) check_walker(expr, unconstify(char *, column));
}
