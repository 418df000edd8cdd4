/*-------------------------------------------------------------------------
 *
 * json.h
 *	  Values as JSON text, the same as PostgreSQL's to_json() gives.
 *
 * to_json() looks for a cast to json from types that users have made, each
 * time anew.  Here the types are a rowset's, so such a cast is looked for
 * once, and only one that may run is called, at any depth.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_JSON_H
#define ROWSER_COLUMNS_JSON_H

#include "lib/stringinfo.h"

typedef struct RowserJson RowserJson;
typedef struct RowserJsonRecords RowserJsonRecords;

/*
 * What is known of the row types of anonymous records that have been met; one
 * for all that belong together, in the current context.
 */
extern RowserJsonRecords *rowser_json_records_create(void);

/*
 * Prepare to write values of a type, which may be a domain.  Raises 42501 for
 * a cast to json that may not run (json_category.h); for the fields of a
 * record that is raised when one is met.  Allocated in the context of
 * `records`.
 */
extern RowserJson *rowser_json_create(RowserJsonRecords *records, Oid type);

/*
 * Append a value that is not NULL.  What is allocated on the way is in the
 * current context.
 */
extern void rowser_json_write(const RowserJson *json, Datum value,
							  StringInfo result);

#endif							/* ROWSER_COLUMNS_JSON_H */
