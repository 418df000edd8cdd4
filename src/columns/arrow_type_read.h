/*-------------------------------------------------------------------------
 *
 * arrow_type_read.h
 *	  Types that an Arrow field is read as.
 *
 * A field's metadata may name the type that the column once had.  That is
 * a claim, believed where the field's own type is what values of it become in
 * Arrow; else the field's own type decides.  Types are looked up by exact schema
 * and name.  Domains are named in the result but no constraint of theirs runs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_ARROW_TYPE_READ_H
#define ROWSER_COLUMNS_ARROW_TYPE_READ_H

#include "bytes/arrow.h"

typedef struct RowserArrowType
{
	Oid			type;			/* may be a domain */
	int32		typmod;			/* of an array, its elements' */
	Oid			collation;		/* the type's own, or another one */
} RowserArrowType;

/*
 * The type that a field is read as.  `column` is the whole column's name, for
 * errors.  Raises 42704 for a type that the metadata names and that isn't
 * here, 42501 without USAGE on it, and 0A000 for what cannot be read.
 */
extern RowserArrowType rowser_arrow_type_read(const RowserArrowField *field,
											  const char *column);

/* Whether a field's values can be read as a type, whose caller has chosen it. */
extern bool rowser_arrow_type_fits(const RowserArrowField *field, Oid type);

/* A field's name, as an identifier can have it; palloc'd. */
extern char *rowser_arrow_field_name(const RowserArrowField *field);

#endif							/* ROWSER_COLUMNS_ARROW_TYPE_READ_H */
