/*-------------------------------------------------------------------------
 *
 * describe.h
 *	  Types of this database as the format describes them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_DESCRIBE_H
#define ROWSER_COLUMNS_DESCRIBE_H

#include "bytes/header.h"
#include "columns/kind.h"

/*
 * Describe one type, without the types inside it (child and fields), and tell
 * its kind.  Raises 0A000, with the type's and the column's name, for a type
 * that can't be carried.  Strings are palloc'd.
 */
extern RowserKind rowser_describe(RowserType *described, Oid type,
								  int32 typmod, Oid collation,
								  const char *column);

/* The type directly below a domain; *typmod is set to the domain's. */
extern Oid	rowser_domain_base(Oid domain, int32 *typmod);

/* A palloc'd copy of a C string as the format's strings are kept. */
extern RowserString rowser_string_copy(const char *string);

#endif							/* ROWSER_COLUMNS_DESCRIBE_H */
