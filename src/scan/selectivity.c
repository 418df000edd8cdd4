/*-------------------------------------------------------------------------
 *
 * selectivity.c
 *	  How many rows of a rowset that is known pass a filter.
 *
 * The planner knows nothing of a function's rows, and takes a fixed part of them
 * for each kind of clause.  Where the rowset is a constant, the headers of its row
 * groups tell more: how many NULLs a column has, exactly, and between which
 * values the others are.  Values are taken to be spread evenly between the
 * bounds of their group, as the planner takes them to be between those of a
 * histogram's bin; and columns, not to depend on one another.  Clauses that
 * bounds tell nothing about are left to the planner.
 *
 * Memory: the planner's; what belongs to the rowset is estimate.c's affair.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "rowset/estimate.h"
#include "scan/clauses.h"
#include "scan/selectivity.h"

/* One term of a filter, with the numbers that bounds are compared with */
typedef struct Term
{
	NullTest   *null_test;		/* or a comparison: */
	Oid			type;			/* of the column */
	int			column;			/* of the rowset */
	AttrNumber	attno;
	int			strategy;
	double		number;
} Term;

/* A column's part in a group that a conjunction's comparisons leave */
typedef struct Interval
{
	AttrNumber	attno;
	double		low;			/* fractions of the values between the bounds */
	double		high;
} Interval;

/* ----------------------------------------------------------------
 *		Terms
 * ----------------------------------------------------------------
 */

/* Number of the column that a variable is read from, or -1 */
static int
find_column(RowserEstimate *estimate, List *names, bool by_position,
			AttrNumber attno)
{
	if (by_position)
		return attno - 1;
	if (attno > list_length(names))
		return -1;
	return rowser_estimate_find_column(estimate,
									   strVal(list_nth(names, attno - 1)));
}

/* Make a term of a clause; false when bounds tell nothing about it. */
static bool
make_term(PlannerInfo *root, Index rti, Node *clause, Term *term)
{
	RowserComparison comparison;
	Node	   *value;
	Var		   *variable;

	memset(term, 0, sizeof(*term));
	if (IsA(clause, NullTest))
	{
		term->null_test = (NullTest *) clause;
		variable = rowser_clauses_column((Node *) term->null_test->arg);
		if (variable == NULL || term->null_test->argisrow)
			return false;
	}
	else
	{
		if (!IsA(clause, OpExpr) ||
			!rowser_clauses_split(clause, &comparison))
			return false;
		value = estimate_expression_value(root, (Node *) comparison.value);
		if (!IsA(value, Const) || ((Const *) value)->constisnull ||
			!rowser_estimate_number(((Const *) value)->constvalue,
									((Const *) value)->consttype,
									&term->number))
			return false;
		variable = comparison.column;
		term->strategy = comparison.strategy;
	}
	term->attno = variable->varattno;
	term->type = getBaseType(variable->vartype);
	return variable->varno == rti && variable->varlevelsup == 0;
}

/* ----------------------------------------------------------------
 *		Fractions
 * ----------------------------------------------------------------
 */

/* Which fraction of the values between bounds is below a number */
static double
fraction_below(const RowserColumnEstimate *column, double number)
{
	double		width = column->greatest - column->least + column->step;

	if (width <= 0)
		return number > column->least ? 1 : 0;
	return Max(Min((number - column->least) / width, 1), 0);
}

/* Which fraction of the values equals a number that is between the bounds */
static double
fraction_equal(const RowserColumnEstimate *column, double nrows)
{
	double		width = column->greatest - column->least;

	if (width <= 0)
		return 1;
	if (!column->is_discrete)
		return DEFAULT_EQ_SEL;
	return Max(column->step / (width + column->step), 1 / nrows);
}

/* Narrow a column's part of a group down to what passes a comparison. */
static void
narrow(Interval *interval, const Term *term,
	   const RowserColumnEstimate *column, double nrows)
{
	double		low = 0;
	double		high = 1;

	switch (term->strategy)
	{
		case BTLessStrategyNumber:
			high = fraction_below(column, term->number);
			break;
		case BTLessEqualStrategyNumber:
			high = fraction_below(column, term->number + column->step);
			break;
		case BTGreaterEqualStrategyNumber:
			low = fraction_below(column, term->number);
			break;
		case BTGreaterStrategyNumber:
			low = fraction_below(column, term->number + column->step);
			break;
		default:
			if (term->number < column->least ||
				term->number > column->greatest)
				high = 0;
			else
			{
				double		equal = fraction_equal(column, nrows);

				low = Min(fraction_below(column, term->number), 1 - equal);
				high = low + equal;
			}
			break;
	}
	interval->low = Max(interval->low, low);
	interval->high = Min(interval->high, high);
}

/* Which fraction of the group's rows passes all terms */
static double
group_fraction(RowserEstimate *estimate, const Term *terms, int nterms,
			   Interval *intervals)
{
	double		nrows = rowser_estimate_group_rows(estimate);
	double		fraction = 1;
	int			nintervals = 0;

	for (int i = 0; i < nterms; i++)
	{
		const Term *term = &terms[i];
		RowserColumnEstimate column;
		int			j;

		if (!rowser_estimate_column(estimate, term->column, term->type,
									&column))
			continue;
		if (term->null_test != NULL)
		{
			fraction *= term->null_test->nulltesttype == IS_NULL ?
				column.null_fraction : 1 - column.null_fraction;
			continue;
		}
		for (j = 0; j < nintervals; j++)
		{
			if (intervals[j].attno == term->attno)
				break;
		}
		if (j == nintervals)
		{
			intervals[nintervals++] = (Interval) {term->attno, 0, 1};
			fraction *= 1 - column.null_fraction;
		}
		if (column.has_bounds)
			narrow(&intervals[j], term, &column, nrows);
		else if (term->strategy == BTEqualStrategyNumber)
			fraction *= DEFAULT_EQ_SEL;
		else
			fraction *= DEFAULT_INEQ_SEL;
	}
	for (int i = 0; i < nintervals; i++)
		fraction *= Max(intervals[i].high - intervals[i].low, 0);
	return fraction;
}

/* The same of the whole rowset, by a sample of its groups; -1 without one */
static double
rowset_fraction(RowserEstimate *estimate, const Term *terms, int nterms)
{
	Interval   *intervals = palloc(nterms * sizeof(Interval));
	double		nrows = 0;
	double		passing = 0;

	while (rowser_estimate_next_group(estimate))
	{
		double		rows = rowser_estimate_group_rows(estimate);

		nrows += rows;
		passing += rows * group_fraction(estimate, terms, nterms, intervals);
	}
	return nrows > 0 ? passing / nrows : -1;
}

void
rowser_selectivity_set_rows(PlannerInfo *root, RelOptInfo *rel, Datum rowset,
							List *column_names, bool by_position)
{
	RowserEstimate *estimate;
	Term	   *terms;
	int			nterms = 0;
	List	   *others = NIL;
	double		fraction = -1;
	ListCell   *lc;

	if (rel->baserestrictinfo == NIL ||
		(estimate = rowser_estimate_open(rowset)) == NULL)
		return;
	terms = palloc(list_length(rel->baserestrictinfo) * sizeof(Term));
	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *info = lfirst_node(RestrictInfo, lc);
		Term	   *term = &terms[nterms];

		if (make_term(root, rel->relid, (Node *) info->clause, term) &&
			(term->column = find_column(estimate, column_names, by_position,
										term->attno)) >= 0)
			nterms++;
		else
			others = lappend(others, info);
	}
	if (nterms > 0)
		fraction = rowset_fraction(estimate, terms, nterms);
	rowser_estimate_close(estimate);
	if (fraction >= 0)
		rel->rows = clamp_row_est(rel->tuples * fraction *
								  clauselist_selectivity(root, others,
														 rel->relid,
														 JOIN_INNER, NULL));
}
