/*-------------------------------------------------------------------------
 *
 * domain.c
 *	  Checking a domain's constraints, NULLs included, and who may have them run.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "columns/describe.h"
#include "columns/domain.h"
#include "columns/kind.h"

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

/* Whether a domain belongs to a superuser or the current user. */
static bool
is_trusted(Oid domain)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(domain));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", domain);
	owner = ((Form_pg_type) GETSTRUCT(tuple))->typowner;
	ReleaseSysCache(tuple);
	return owner == GetUserId() || superuser_arg(owner);
}

static Oid	find_untrusted(Oid type, List **seen);

/*
 * The same as below for the attributes of a composite type; those that have been
 * looked at, and had none, are in *seen.
 */
static Oid
untrusted_attribute(Oid type, List **seen)
{
	TupleDesc	tupdesc;
	Oid			result = InvalidOid;

	if (list_member_oid(*seen, type))
		return InvalidOid;
	*seen = lappend_oid(*seen, type);
	tupdesc = lookup_rowtype_tupdesc(type, -1);
	for (int i = 0; i < tupdesc->natts && !OidIsValid(result); i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (!att->attisdropped)
			result = find_untrusted(att->atttypid, seen);
	}
	ReleaseTupleDesc(tupdesc);
	return result;
}

static Oid
find_untrusted(Oid type, List **seen)
{
	int32		typmod;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	switch (rowser_kind_of(type))
	{
		case ROWSER_KIND_DOMAIN:
			if (!is_trusted(type))
				return type;
			return find_untrusted(rowser_domain_base(type, &typmod), seen);
		case ROWSER_KIND_ARRAY:
			return type == RECORDARRAYOID ? InvalidOid :
				find_untrusted(get_element_type(type), seen);
		case ROWSER_KIND_COMPOSITE:
			return untrusted_attribute(type, seen);
		case ROWSER_KIND_RANGE:
			return find_untrusted(get_range_subtype(type), seen);
		case ROWSER_KIND_MULTIRANGE:
			return find_untrusted(get_multirange_range(type), seen);
		default:
			return InvalidOid;
	}
}

Oid
rowser_domain_untrusted(Oid type)
{
	List	   *seen = NIL;

	return find_untrusted(type, &seen);
}
