/*-------------------------------------------------------------------------
 *
 * domain.c
 *	  Checking a domain's constraints, NULLs included.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "columns/domain.h"

struct RowserDomain
{
	ExprState  *state;
	ExprContext *econtext;
};

RowserDomain *
rowser_domain_create(Oid type)
{
	CaseTestExpr *placeholder;
	CoerceToDomain *coercion;
	RowserDomain *domain;
	int32		typmod = -1;
	Oid			base = getBaseTypeAndTypmod(type, &typmod);

	if (base == type)
		return NULL;
	placeholder = makeNode(CaseTestExpr);
	placeholder->typeId = base;
	placeholder->typeMod = typmod;
	placeholder->collation = get_typcollation(base);
	coercion = makeNode(CoerceToDomain);
	coercion->arg = (Expr *) placeholder;
	coercion->resulttype = type;
	coercion->resulttypmod = -1;
	coercion->resultcollid = get_typcollation(type);
	coercion->coercionformat = COERCE_IMPLICIT_CAST;
	coercion->location = -1;

	domain = palloc(sizeof(RowserDomain));
	domain->state = ExecInitExpr(expression_planner((Expr *) coercion), NULL);
	domain->econtext = CreateStandaloneExprContext();
	return domain;
}

void
rowser_domain_check(RowserDomain *domain, Datum value, bool isnull)
{
	domain->econtext->caseValue_datum = value;
	domain->econtext->caseValue_isNull = isnull;
	(void) ExecEvalExpr(domain->state, domain->econtext, &isnull);
}
