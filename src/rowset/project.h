/*-------------------------------------------------------------------------
 *
 * project.h
 *	  A rowset with some of another one's columns, or with other names.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_PROJECT_H
#define ROWSER_ROWSET_PROJECT_H

#include "postgres.h"

#include "rowset/reader.h"

/*
 * The rows of the reader's rowset with the columns whose numbers (0-based) are
 * in `columns`.  Their blocks are copied as they are; the others are neither
 * fetched nor checked.
 */
extern bytea *rowser_project(RowserReader *reader, const uint32 *columns,
							 uint32 ncolumns);

/*
 * The rows of the reader's rowset with other column names, in this database's
 * encoding; where one is NULL, the column keeps its name.
 */
extern bytea *rowser_rename(RowserReader *reader, const char *const *names);

#endif							/* ROWSER_ROWSET_PROJECT_H */
