/*-------------------------------------------------------------------------
 *
 * json_category.h
 *	  Categories: the ways in which values become JSON, as core has them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_JSON_CATEGORY_H
#define ROWSER_COLUMNS_JSON_CATEGORY_H

typedef enum RowserJsonCategory
{
	ROWSER_JSON_BOOL,
	ROWSER_JSON_NUMBER,
	ROWSER_JSON_DATETIME,
	ROWSER_JSON_JSON,			/* its output is JSON already */
	ROWSER_JSON_CAST,			/* has a cast to json */
	ROWSER_JSON_ARRAY,
	ROWSER_JSON_COMPOSITE,
	ROWSER_JSON_RECORD,			/* anonymous */
	ROWSER_JSON_OTHER			/* its output is a string */
} RowserJsonCategory;

/*
 * The category of a type that is no domain, and the function that makes text
 * of its values: the cast's or the output function, InvalidOid for types
 * with parts.  Raises 42501 for a cast whose function belongs to neither a
 * superuser nor the current user, or that the current user may not execute.
 */
extern RowserJsonCategory rowser_json_category(Oid type, Oid *function);

#endif							/* ROWSER_COLUMNS_JSON_CATEGORY_H */
