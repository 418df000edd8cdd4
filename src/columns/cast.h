/*-------------------------------------------------------------------------
 *
 * cast.h
 *	  Turning values of one type into values of another, as assigning them to
 *	  a table's column does.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_CAST_H
#define ROWSER_COLUMNS_CAST_H

#include "fmgr.h"

typedef struct RowserCast RowserCast;

/*
 * Prepare the assignment cast from `source` to `target`, neither a domain, and
 * the coercion to the target's typmod; NULL if the value can stay as it is.
 * With `from_bytes` a rowset has chosen the target too: no function of the
 * types' owners is called then, and a value is never made longer.  Raises 42804 when
 * there is no such cast, or none that may be used.  The cast is allocated in
 * the current context.
 */
extern RowserCast *rowser_cast_create(Oid source, Oid target, int32 typmod,
									  bool from_bytes, const char *column);

/*
 * Whether a cast function may run because a rowset names a type: it belongs to a
 * superuser or the current user.  Who can create a type can create casts from
 * it and to it, whose functions would run as the reader.
 */
extern bool rowser_cast_is_trusted(Oid function);

/*
 * Whether the cast is a length coercion that never gives NULL, and that gives
 * values of btree's order in the same order: numeric, text, varchar and timestamps.
 */
extern bool rowser_cast_keeps_order(const RowserCast *cast);

/*
 * Cast a value that is not NULL; what it allocates is in the current context.
 * Raises 22P03 for one that a rowset says to be of a typmod that it hasn't.
 */
extern Datum rowser_cast_value(RowserCast *cast, Datum value, bool *isnull);

/* Whether a length coercion is sure to leave a value as it is. */
extern bool rowser_cast_is_needless(const RowserCast *cast, Datum value);

/* Cast those of many values that are not NULL. */
extern void rowser_cast_values(RowserCast *cast, uint32 nvalues,
							   Datum *values, bool *nulls);

/*
 * Whether the cast gives the same for the same value and no more than checks or
 * changes its length: then a dictionary's entries may be cast once.
 */
extern bool rowser_cast_is_length(const RowserCast *cast);

/*
 * Whether the cast leaves all numerics alone that are integers from `least` to
 * `greatest`, divided by 10^scale, with that display scale.
 */
extern bool rowser_cast_keeps_scaled(const RowserCast *cast, int64 least,
									 int64 greatest, uint8 scale);

#endif							/* ROWSER_COLUMNS_CAST_H */
