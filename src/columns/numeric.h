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

/* A numeric taken apart: its digits to base 10000, the first one's weight */
typedef struct RowserNumericParts
{
	bool		is_special;		/* NaN or an infinity; then nothing else is set */
	bool		is_negative;
	int			weight;
	int			ndigits;
	const char *digits;			/* uint16s of any alignment; borrowed */
} RowserNumericParts;

#define ROWSER_NUMERIC_BASE			10000
#define ROWSER_NUMERIC_BASE_DIGITS	4	/* decimal digits */

/* Take a numeric that isn't compressed apart. */
extern void rowser_numeric_parts(Numeric value, RowserNumericParts *parts);
extern uint16 rowser_numeric_digit(const RowserNumericParts *parts, int i);

/* Append a numeric as an image; returns its payload's size. */
extern uint32 rowser_numeric_append(RowserBuffer *images, Datum value);

/*
 * Build the numeric of a payload, in the form that PostgreSQL itself would give
 * it; NULL when the payload is not one.  palloc'd.
 */
extern Numeric rowser_numeric_build(const uint8 *payload, uint32 size);

/* Most bytes that rowser_numeric_scaled() writes, and their alignment */
#define ROWSER_NUMERIC_SCALED_SIZE	32
#define ROWSER_NUMERIC_SCALED_ALIGN 8

/*
 * Take a numeric as an integer that is 10^scale times the value, `scale` being
 * its display scale; false if it is special or has too many digits.
 */
extern bool rowser_numeric_to_scaled(Datum value, int64 *integer,
									 uint8 *scale);

/*
 * Make the numeric integer / 10^scale with a display scale at `to`, which has
 * room for ROWSER_NUMERIC_SCALED_SIZE bytes; NULL when the display scale would
 * hide digits.  Scales are at most ROWSER_MAX_SCALE and
 * ROWSER_MAX_DISPLAY_SCALE.
 */
extern Numeric rowser_numeric_from_scaled(int64 integer, uint8 scale,
										  uint8 display_scale, char *to);

/*
 * The same for many, each behind the other at `to`; false when the display scale
 * would hide digits of one.
 */
extern bool rowser_numeric_from_scaled_many(const int64 *integers,
											uint32 nvalues, uint8 scale,
											uint8 display_scale, char *to,
											Datum *values);

/* Whether numeric(precision, scale) would leave a value as it is. */
extern bool rowser_numeric_fits(Numeric value, int32 typmod);

/*
 * The same for all integers from `least` to `greatest` divided by 10^scale,
 * with that display scale.
 */
extern bool rowser_numeric_typmod_keeps(int32 typmod, int64 least,
										int64 greatest, uint8 scale);

#endif							/* ROWSER_COLUMNS_NUMERIC_H */
