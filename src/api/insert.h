/*-------------------------------------------------------------------------
 *
 * insert.h
 *	  Inserting the rows of a rowset into a table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_INSERT_H
#define ROWSER_API_INSERT_H

#include "utils/rel.h"

#include "rowset/reader.h"

/* Who has chosen the types of a table's columns */
typedef enum RowserInsertTypes
{
	ROWSER_INSERT_TYPES_OF_TABLE,
	ROWSER_INSERT_TYPES_OF_ROWSET	/* the table was made for the rowset */
} RowserInsertTypes;

/*
 * Insert a rowset into a table by the names of its columns, as the current
 * user; returns the number of rows that were inserted.  Triggers, constraints
 * and domains run meanwhile, and may do away with the table that the rowset
 * was stored in: so it must have been detoasted.  `schema` is the extension's,
 * quoted.  Raises what INSERT does, what reading does, and 42703, 42702 or
 * 428C9 for a column that can't be inserted.
 */
extern uint64 rowser_insert_rowset(Oid table, bytea *rowset,
								   RowserInsertTypes types,
								   const char *schema);

/*
 * Insert the rows in batches, as COPY does, into a table or a partitioned one.
 * `columns` tells which of the rowset's columns each attribute takes, or
 * ROWSER_NOT_SELECTED.  Returns false, and has done nothing, when another
 * attribute has a default that might look at the table, or a domain that NULL
 * must be shown to.
 */
extern bool rowser_insert_batch_run(Relation rel, RowserReader *reader,
									const int *columns,
									RowserInsertTypes types, uint64 *nrows);

#endif							/* ROWSER_API_INSERT_H */
