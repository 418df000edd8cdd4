/*-------------------------------------------------------------------------
 *
 * clauses.h
 *	  Clauses that row groups' bounds can tell something about.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_SCAN_CLAUSES_H
#define ROWSER_SCAN_CLAUSES_H

#include "nodes/pathnodes.h"
#include "nodes/primnodes.h"

/* A comparison in its parts, which are the clause's own */
typedef struct RowserComparison
{
	Var		   *column;
	Expr	   *value;			/* an array for a ScalarArrayOpExpr */
	Oid			operator;		/* with the column on its left */
	int			strategy;		/* of btree */
	Oid			opfamily;
	Oid			collation;
} RowserComparison;

/* Those of a relation's clauses that can leave out row groups. */
extern List *rowser_clauses_choose(PlannerInfo *root, Index rti,
								   List *clauses);

/*
 * Take a comparison with one value, or with any of an array's, apart; false if it
 * isn't one that bounds can answer.  The value may still be anything.
 */
extern bool rowser_clauses_split(Node *clause, RowserComparison *comparison);

/* The column that an expression is but for its type's name, or NULL. */
extern Var *rowser_clauses_column(Node *node);

#endif							/* ROWSER_SCAN_CLAUSES_H */
