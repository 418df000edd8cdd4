/*-------------------------------------------------------------------------
 *
 * clauses.c
 *	  Clauses that row groups' bounds can tell something about.
 *
 * Such a clause compares a column by a btree operator with something that is the
 * same for all rows, tests a column for NULL, or joins such clauses by AND or
 * OR.
 *
 * Bounds are in the order of the type's default btree operators, and text in
 * that of its bytes; so an order counts only for types where these are the
 * same, and for text only with collation "C".  Equality is of bytes with any
 * deterministic collation.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "scan/clauses.h"
#include "scan/collation.h"

/* Whether bounds of a type's values are in the type's own order. */
static bool
type_is_ordered(Oid type)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case OIDOID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case UUIDOID:
		case BYTEAOID:
		case TEXTOID:
		case VARCHAROID:
		case NAMEOID:
			return true;
		default:
			return false;
	}
}

/*
 * Whether values that are compared keep the order that they have among
 * themselves.  Timestamps don't, as the moments that they are in the session's
 * time zone: where clocks go forward from 02:00, 02:30 is later than 03:00.
 * Dates are too far apart for that.
 */
static bool
comparison_keeps_order(Oid type, Oid operator)
{
	return type != TIMESTAMPOID ||
		op_volatile(operator) == PROVOLATILE_IMMUTABLE;
}

/* Whether bounds tell how values compare under a collation. */
static bool
collation_allows(Oid collation, int strategy)
{
	if (!OidIsValid(collation) || rowser_collation_sorts_bytes(collation))
		return true;
	return strategy == BTEqualStrategyNumber &&
		get_collation_isdeterministic(collation);
}

Var *
rowser_clauses_column(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	if (!IsA(node, Var) || ((Var *) node)->varattno <= 0)
		return NULL;
	return (Var *) node;
}

/*
 * Take a comparison apart; false if it isn't one that bounds can answer.  The
 * value may still be anything.
 */
static bool
split_comparison(Node *left, Node *right, Oid operator, Oid collation,
				 bool may_commute, RowserComparison *comparison)
{
	Oid			type;
	TypeCacheEntry *typcache;

	comparison->column = rowser_clauses_column(left);
	comparison->value = (Expr *) right;
	comparison->operator = operator;
	if (comparison->column == NULL ||
		comparison->column->varlevelsup > 0)
	{
		if (!may_commute)
			return false;
		operator = get_commutator(operator);
		return OidIsValid(operator) &&
			split_comparison(right, left, operator, collation, false,
							 comparison);
	}
	type = getBaseType(comparison->column->vartype);
	if (!type_is_ordered(type))
		return false;
	typcache = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
	comparison->opfamily = typcache->btree_opf;
	comparison->strategy = get_op_opfamily_strategy(operator,
													typcache->btree_opf);
	comparison->collation = collation;
	return comparison->strategy != 0 &&
		comparison_keeps_order(type, operator) &&
		collation_allows(collation, comparison->strategy);
}

bool
rowser_clauses_split(Node *clause, RowserComparison *comparison)
{
	if (IsA(clause, OpExpr))
	{
		OpExpr	   *op = (OpExpr *) clause;

		return list_length(op->args) == 2 &&
			split_comparison(linitial(op->args), lsecond(op->args), op->opno,
							 op->inputcollid, true, comparison);
	}
	if (IsA(clause, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *op = (ScalarArrayOpExpr *) clause;

		return op->useOr &&
			split_comparison(linitial(op->args), lsecond(op->args), op->opno,
							 op->inputcollid, false, comparison);
	}
	return false;
}

/* Whether an expression is the same for all rows and can be evaluated early. */
static bool
is_same_for_all_rows(PlannerInfo *root, Index rti, Node *expr)
{
	return !contain_subplans(expr) && !contain_volatile_functions(expr) &&
		!bms_is_member(rti, pull_varnos(root, expr));
}

static bool
clause_is_usable(PlannerInfo *root, Index rti, Node *clause)
{
	RowserComparison comparison;
	Var		   *column;

	if (IsA(clause, NullTest))
	{
		NullTest   *test = (NullTest *) clause;

		column = rowser_clauses_column((Node *) test->arg);
		return column != NULL && !test->argisrow && column->varno == rti &&
			column->varlevelsup == 0;
	}
	if (IsA(clause, BoolExpr))
	{
		BoolExpr   *expr = (BoolExpr *) clause;
		ListCell   *lc;

		if (expr->boolop == NOT_EXPR)
			return false;
		foreach(lc, expr->args)
		{
			if (!clause_is_usable(root, rti, lfirst(lc)))
				return false;
		}
		return true;
	}
	return rowser_clauses_split(clause, &comparison) &&
		comparison.column->varno == rti &&
		is_same_for_all_rows(root, rti, (Node *) comparison.value);
}

List *
rowser_clauses_choose(PlannerInfo *root, Index rti, List *clauses)
{
	List	   *chosen = NIL;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		if (clause_is_usable(root, rti, lfirst(lc)))
			chosen = lappend(chosen, lfirst(lc));
	}
	return chosen;
}
