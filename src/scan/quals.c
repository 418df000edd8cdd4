/*-------------------------------------------------------------------------
 *
 * quals.c
 *	  Filters that tell from a row group's bounds that none of its rows pass.
 *
 * Which clauses can be such filters is clauses.c's affair.  What is chosen is
 * still evaluated for the rows of the groups that are read.
 *
 * Memory: the values that columns are compared with are in a context of their own,
 * which is emptied when they are evaluated anew.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "catalog/pg_collation.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "rowset/match.h"
#include "scan/clauses.h"
#include "scan/quals.h"

typedef enum TestKind
{
	TEST_COMPARE,				/* with any one of the values */
	TEST_NULL,
	TEST_NOT_NULL,
	TEST_AND,
	TEST_OR
} TestKind;

typedef struct Test
{
	TestKind	kind;
	int			variable;		/* the column's place in the scan tuple */

	/* TEST_COMPARE */
	ExprState  *value;
	bool		is_array;
	Oid			element;		/* the array's element type */
	int			strategy;
	FmgrInfo	compare;
	Datum	   *values;			/* none of them NULL */
	int			nvalues;

	/* TEST_AND, TEST_OR */
	struct Test **children;
	int			nchildren;
} Test;

struct RowserQuals
{
	MemoryContext context;		/* of values */
	Test	   *test;
};

/* ----------------------------------------------------------------
 *		Preparing
 * ----------------------------------------------------------------
 */

static void
init_compare(Test *test, Node *clause, PlanState *parent)
{
	RowserComparison comparison;
	Oid			left;
	Oid			right;
	Oid			function;

	if (!rowser_clauses_split(clause, &comparison))
		elog(ERROR, "row group filter has changed since it was planned");
	test->kind = TEST_COMPARE;
	test->variable = comparison.column->varattno - 1;
	test->strategy = comparison.strategy;
	test->value = ExecInitExpr(comparison.value, parent);
	test->is_array = IsA(clause, ScalarArrayOpExpr);
	if (test->is_array)
		test->element = get_base_element_type(exprType((Node *) comparison.value));
	op_input_types(comparison.operator, &left, &right);
	function = get_opfamily_proc(comparison.opfamily, left, right,
								 BTORDER_PROC);
	if (!OidIsValid(function))
		elog(ERROR, "missing support function %d for types %u and %u",
			 BTORDER_PROC, left, right);
	fmgr_info(function, &test->compare);
}

static Test *init_test(Node *clause, PlanState *parent);

static void
init_children(Test *test, List *clauses, PlanState *parent)
{
	ListCell   *lc;

	test->children = palloc(list_length(clauses) * sizeof(Test *));
	foreach(lc, clauses)
		test->children[test->nchildren++] = init_test(lfirst(lc), parent);
}

static Test *
init_test(Node *clause, PlanState *parent)
{
	Test	   *test = palloc0(sizeof(Test));

	if (IsA(clause, NullTest))
	{
		NullTest   *null_test = (NullTest *) clause;

		test->kind = null_test->nulltesttype == IS_NULL ?
			TEST_NULL : TEST_NOT_NULL;
		test->variable = rowser_clauses_column((Node *) null_test->arg)->varattno - 1;
	}
	else if (IsA(clause, BoolExpr))
	{
		BoolExpr   *expr = (BoolExpr *) clause;

		test->kind = expr->boolop == AND_EXPR ? TEST_AND : TEST_OR;
		init_children(test, expr->args, parent);
	}
	else
		init_compare(test, clause, parent);
	return test;
}

RowserQuals *
rowser_quals_init(List *clauses, PlanState *parent)
{
	RowserQuals *quals;

	if (clauses == NIL)
		return NULL;
	quals = palloc(sizeof(RowserQuals));
	quals->context = AllocSetContextCreate(CurrentMemoryContext,
										   "rowser row group filter",
										   ALLOCSET_SMALL_SIZES);
	quals->test = palloc0(sizeof(Test));
	quals->test->kind = TEST_AND;
	init_children(quals->test, clauses, parent);
	return quals;
}

/* ----------------------------------------------------------------
 *		Evaluating
 * ----------------------------------------------------------------
 */

/* Take the elements of an array that are not NULL, which match nothing. */
static void
set_elements(Test *test, ArrayType *array)
{
	int16		typlen;
	bool		typbyval;
	char		typalign;
	bool	   *nulls;
	int			nelements;

	get_typlenbyvalalign(test->element, &typlen, &typbyval, &typalign);
	deconstruct_array(array, test->element, typlen, typbyval, typalign,
					  &test->values, &nulls, &nelements);
	test->nvalues = 0;
	for (int i = 0; i < nelements; i++)
	{
		if (!nulls[i])
			test->values[test->nvalues++] = test->values[i];
	}
}

static void
evaluate_test(Test *test, ExprContext *econtext)
{
	Datum		value;
	bool		isnull;

	for (int i = 0; i < test->nchildren; i++)
		evaluate_test(test->children[i], econtext);
	if (test->kind != TEST_COMPARE)
		return;

	test->nvalues = 0;
	value = ExecEvalExpr(test->value, econtext, &isnull);
	if (isnull)
		return;
	if (test->is_array)
		set_elements(test, DatumGetArrayTypeP(value));
	else
	{
		test->values = palloc(sizeof(Datum));
		test->values[0] = value;
		test->nvalues = 1;
	}
}

void
rowser_quals_evaluate(RowserQuals *quals, ExprContext *econtext)
{
	MemoryContext old_context;

	MemoryContextReset(quals->context);
	old_context = MemoryContextSwitchTo(quals->context);
	evaluate_test(quals->test, econtext);
	MemoryContextSwitchTo(old_context);
}

/* ----------------------------------------------------------------
 *		Testing
 * ----------------------------------------------------------------
 */

static int
compare(Test *test, Datum bound, Datum value)
{
	return DatumGetInt32(FunctionCall2Coll(&test->compare, C_COLLATION_OID,
										   bound, value));
}

/* Whether a value between the bounds may compare so with one value. */
static bool
bounds_may_pass(Test *test, const RowserBounds *bounds, Datum value)
{
	switch (test->strategy)
	{
		case BTLessStrategyNumber:
			return compare(test, bounds->least, value) < 0;
		case BTLessEqualStrategyNumber:
			return compare(test, bounds->least, value) <= 0;
		case BTEqualStrategyNumber:
			return compare(test, bounds->least, value) <= 0 &&
				compare(test, bounds->greatest, value) >= 0;
		case BTGreaterEqualStrategyNumber:
			return compare(test, bounds->greatest, value) >= 0;
		default:
			Assert(test->strategy == BTGreaterStrategyNumber);
			return compare(test, bounds->greatest, value) > 0;
	}
}

/* Whether values of the group may pass a comparison, for which NULLs don't. */
static bool
comparison_may_pass(Test *test, const RowserBounds *bounds)
{
	if (test->nvalues == 0 || bounds->nnulls == bounds->nrows)
		return false;
	if (!bounds->are_known)
		return true;
	for (int i = 0; i < test->nvalues; i++)
	{
		if (bounds_may_pass(test, bounds, test->values[i]))
			return true;
	}
	return false;
}

static bool
test_may_pass(Test *test, RowserReader *reader, const int *selected)
{
	RowserBounds bounds;

	if (test->kind == TEST_AND || test->kind == TEST_OR)
	{
		/* the first that decides does */
		for (int i = 0; i < test->nchildren; i++)
		{
			if (test_may_pass(test->children[i], reader, selected) ==
				(test->kind == TEST_OR))
				return test->kind == TEST_OR;
		}
		return test->kind == TEST_AND;
	}

	if (selected[test->variable] == ROWSER_NOT_SELECTED)
		return true;
	rowser_reader_bounds(reader, selected[test->variable], &bounds);
	switch (test->kind)
	{
		case TEST_NULL:
			return bounds.nnulls > 0 || bounds.may_become_null;
		case TEST_NOT_NULL:
			return bounds.nnulls < bounds.nrows;
		default:
			return comparison_may_pass(test, &bounds);
	}
}

bool
rowser_quals_may_pass(RowserQuals *quals, RowserReader *reader,
					  const int *selected)
{
	return test_may_pass(quals->test, reader, selected);
}
