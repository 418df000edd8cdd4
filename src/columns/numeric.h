/*-------------------------------------------------------------------------
 *
 * numeric.h
 *	  numeric between its form in memory and the format's (rowset_format.md,
 *	  section 6.4).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_NUMERIC_H
#define ROWSER_COLUMNS_NUMERIC_H

#include "utils/numeric.h"

#include "bytes/buffer.h"

/* Append a numeric as an image; returns its payload's size. */
extern uint32 rowser_numeric_append(RowserBuffer *images, Datum value);

/*
 * Build the numeric of a payload, in the form that PostgreSQL itself would give
 * it; NULL when the payload is not one.  palloc'd.
 */
extern Numeric rowser_numeric_build(const uint8 *payload, uint32 size);

/* Whether numeric(precision, scale) would leave a value as it is. */
extern bool rowser_numeric_fits(Numeric value, int32 typmod);

#endif							/* ROWSER_COLUMNS_NUMERIC_H */
