/*-------------------------------------------------------------------------
 *
 * cast.c
 *	  Turning values of one type into values of another, as assigning them to
 *	  a table's column does.
 *
 * The cast is an expression over a placeholder, as PL/pgSQL makes one to assign
 * to a variable, so every way that the parser knows works: functions,
 * relabelling, text I/O, arrays, length coercion.  The common length
 * coercions that change nothing are recognised without evaluating it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "columns/cast.h"
#include "columns/numeric.h"
#include "columns/parallel.h"

struct RowserCast
{
	MemoryContext context;		/* the cast's own memory */
	Oid			target;
	int32		typmod;
	bool		only_length;	/* source and target are the same type */
	bool		from_bytes;
	ExprState  *state;			/* NULL until a value needs it */
	ExprContext *econtext;
};

static void
report_no_cast(Oid source, Oid target, const char *column, bool is_untrusted)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("cannot read column \"%s\" as type %s", column,
					format_type_be(target)),
			 is_untrusted ?
			 errdetail("It is of type %s, whose cast function belongs to neither a superuser nor the current user.",
					   format_type_be(source)) :
			 errdetail("It is of type %s, which has no assignment cast to %s.",
					   format_type_be(source), format_type_be(target))));
}

bool
rowser_cast_is_trusted(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	owner = ((Form_pg_proc) GETSTRUCT(tuple))->proowner;
	ReleaseSysCache(tuple);
	return owner == GetUserId() || superuser_arg(owner);
}

static void
check_cast_function(Oid source, Oid target, bool from_bytes,
					const char *column)
{
	Oid			function = InvalidOid;

	/* between a built-in type and one that the reader chose is the reader's */
	if (source < FirstGenbkiObjectId && !from_bytes)
		return;
	if (source == target)
		(void) find_typmod_coercion_function(target, &function);
	else
		(void) find_coercion_pathway(target, source, COERCION_ASSIGNMENT,
									 &function);
	if (OidIsValid(function) && !rowser_cast_is_trusted(function))
		report_no_cast(source, target, column, true);
}

/* The cast as an expression over a placeholder; NULL when there is none. */
static Node *
make_expression(Oid source, Oid target, int32 typmod)
{
	CaseTestExpr *placeholder = makeNode(CaseTestExpr);

	placeholder->typeId = source;
	placeholder->typeMod = -1;	/* the values are to be checked */
	placeholder->collation = get_typcollation(source);
	return coerce_to_target_type(NULL, (Node *) placeholder, source, target,
								 typmod, COERCION_ASSIGNMENT,
								 COERCE_IMPLICIT_CAST, -1);
}

static void
start_expression(RowserCast *cast, Node *expr)
{
	cast->state = ExecInitExpr((Expr *) expr, NULL);
	cast->econtext = CreateStandaloneExprContext();
}

/* Evaluate the cast, whose expression is made now if it isn't there yet. */
static Datum
evaluate(RowserCast *cast, Datum value, bool *isnull)
{
	if (cast->state == NULL)
	{
		MemoryContext old_context = MemoryContextSwitchTo(cast->context);
		Node	   *expr = make_expression(cast->target, cast->target,
										   cast->typmod);

		start_expression(cast, (Node *) expression_planner((Expr *) expr));
		MemoryContextSwitchTo(old_context);
	}
	cast->econtext->caseValue_datum = value;
	cast->econtext->caseValue_isNull = false;
	return ExecEvalExpr(cast->state, cast->econtext, isnull);
}

/*
 * Whether a type's length coercion is one of PostgreSQL's own that value_fits()
 * knows, so that most likely no value needs it.
 */
static bool
is_known_length(Oid type)
{
	switch (type)
	{
		case VARCHAROID:
		case BPCHAROID:
		case NUMERICOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return true;
		default:
			return false;
	}
}

RowserCast *
rowser_cast_create(Oid source, Oid target, int32 typmod, bool from_bytes,
				   const char *column)
{
	RowserCast *cast;
	Node	   *expr = NULL;

	if (source == target && typmod < 0)
		return NULL;
	if (source != target || !is_known_length(target))
	{
		expr = make_expression(source, target, typmod);
		if (expr == NULL)
			report_no_cast(source, target, column, false);

		/* a typmod that the reader gives has been through its type's function */
		if (source != target || from_bytes)
			check_cast_function(source, target, from_bytes, column);
		expr = (Node *) expression_planner((Expr *) expr);
		while (IsA(expr, RelabelType))
			expr = (Node *) ((RelabelType *) expr)->arg;
		if (IsA(expr, CaseTestExpr))
			return NULL;
		rowser_parallel_check_expr(expr, column);
	}

	cast = palloc0(sizeof(RowserCast));
	cast->context = CurrentMemoryContext;
	cast->target = target;
	cast->typmod = typmod;
	cast->only_length = source == target;
	cast->from_bytes = from_bytes;
	if (expr != NULL)
		start_expression(cast, expr);
	return cast;
}

/* Whether text has at most, or for char(n) exactly, so many characters. */
static bool
text_fits(Datum value, int32 typmod, bool exactly)
{
	struct varlena *text = (struct varlena *) DatumGetPointer(value);
	int			limit = typmod - VARHDRSZ;
	int			length = VARSIZE_ANY_EXHDR(text);

	/* so many bytes are at most so many characters */
	if (!exactly && length <= limit)
		return true;
	length = pg_mbstrlen_with_len(VARDATA_ANY(text), length);
	return exactly ? length == limit : length <= limit;
}

/*
 * Whether a time has no digits but the typmod's, which is not negative;
 * infinity has none.
 */
static bool
timestamp_fits(Timestamp timestamp, int32 typmod)
{
	static const int64 steps[MAX_TIMESTAMP_PRECISION] = {
		INT64CONST(1000000), 100000, 10000, 1000, 100, 10
	};

	return typmod >= MAX_TIMESTAMP_PRECISION ||
		TIMESTAMP_NOT_FINITE(timestamp) || timestamp % steps[typmod] == 0;
}

/* Whether the length coercion would give a value of the type back as it is. */
static bool
value_fits(const RowserCast *cast, Datum value)
{
	switch (cast->target)
	{
		case VARCHAROID:
			return text_fits(value, cast->typmod, false);
		case BPCHAROID:
			return text_fits(value, cast->typmod, true);
		case NUMERICOID:
			return rowser_numeric_fits(DatumGetNumeric(value), cast->typmod);
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return timestamp_fits(DatumGetTimestamp(value), cast->typmod);
		case TIMEOID:
		case TIMETZOID:
			return cast->typmod >= MAX_TIME_PRECISION;
		default:
			return false;
	}
}

bool
rowser_cast_keeps_order(const RowserCast *cast)
{
	return cast->only_length &&
		(cast->target == NUMERICOID || cast->target == VARCHAROID ||
		 cast->target == TIMESTAMPOID || cast->target == TIMESTAMPTZOID);
}

bool
rowser_cast_is_needless(const RowserCast *cast, Datum value)
{
	return cast->only_length && value_fits(cast, value);
}

Datum
rowser_cast_value(RowserCast *cast, Datum value, bool *isnull)
{
	if (rowser_cast_is_needless(cast, value))
	{
		*isnull = false;
		return value;
	}
	/* a few bytes could ask for megabytes of blanks, in each row */
	if (cast->from_bytes && cast->target == BPCHAROID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid rowset"),
				 errdetail("A value is not as long as its type says.")));
	return evaluate(cast, value, isnull);
}

void
rowser_cast_values(RowserCast *cast, uint32 nvalues, Datum *values,
				   bool *nulls)
{
	bool		is_varchar = cast->only_length && cast->target == VARCHAROID;
	int			limit = cast->typmod - VARHDRSZ;

	for (uint32 i = 0; i < nvalues; i++)
	{
		if (nulls[i])
			continue;
		/* so many bytes are at most so many characters */
		if (is_varchar &&
			VARSIZE_ANY_EXHDR(DatumGetPointer(values[i])) <= limit)
			continue;
		CHECK_FOR_INTERRUPTS();
		values[i] = rowser_cast_value(cast, values[i], &nulls[i]);
	}
}

bool
rowser_cast_is_length(const RowserCast *cast)
{
	return cast->only_length;
}

bool
rowser_cast_keeps_scaled(const RowserCast *cast, int64 least, int64 greatest,
						 uint8 scale)
{
	return cast->only_length && cast->target == NUMERICOID &&
		rowser_numeric_typmod_keeps(cast->typmod, least, greatest, scale);
}
