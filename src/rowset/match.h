/*-------------------------------------------------------------------------
 *
 * match.h
 *	  Which column of a rowset becomes which attribute of a row.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_MATCH_H
#define ROWSER_ROWSET_MATCH_H

#include "access/htup_details.h"
#include "access/tupdesc.h"

#include "rowset/reader.h"

/* An attribute that no column of the rowset is read into */
#define ROWSER_NOT_SELECTED (-1)

/*
 * Select columns of a rowset for the attributes of a row, by name or by
 * position.  Returns, for each attribute, the number that rowser_reader_select()
 * gave, or ROWSER_NOT_SELECTED; palloc'd.  By name, an attribute that is dropped
 * has no column, and where there are defaults, of which `default_nulls` tells
 * which are NULL, neither needs one that has a default that its type takes.
 * Raises 42703 for a column that is missing, 42702 for a name that several columns
 * have, what rowser_reader_select() raises, and what a domain does for NULL.
 */
extern int *rowser_match_by_name(RowserReader *reader, TupleDesc tupdesc,
								 const bool *default_nulls);
extern int *rowser_match_by_position(RowserReader *reader, TupleDesc tupdesc);

/*
 * Match all columns of a rowset with the attributes of a relation, by name.
 * Returns, for each attribute, the column that it takes, or
 * ROWSER_NOT_SELECTED; palloc'd.  Selects nothing.  Raises 42703 for a column
 * that the relation lacks, and 42702 for a name that several columns have.
 */
extern int *rowser_match_columns(RowserReader *reader, TupleDesc tupdesc,
								 const char *relation);

/*
 * The number (0-based) of the column with a name.  Raises 42703 and 42702 as
 * above.
 */
extern uint32 rowser_match_column(RowserReader *reader, const char *name);

/*
 * Whether the argument `match` asks for positions; else it is for names.  Raises
 * 22004 for NULL and 22023 for anything else.
 */
extern bool rowser_match_is_by_position(Datum match, bool isnull);

/*
 * Take the values of a row that is not NULL, whose attributes must be of the
 * descriptor's types (else 42804).  They point into the row.
 */
extern void rowser_match_defaults(HeapTupleHeader row, TupleDesc tupdesc,
								  Datum *values, bool *nulls);

#endif							/* ROWSER_ROWSET_MATCH_H */
