/*-------------------------------------------------------------------------
 *
 * arrow_decimal.h
 *	  numeric as Arrow's decimal of 128 bits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_ARROW_DECIMAL_H
#define ROWSER_COLUMNS_ARROW_DECIMAL_H

#include "utils/numeric.h"

#define ROWSER_ARROW_DECIMAL_SIZE 16

/*
 * Write a numeric, multiplied by 10^scale, as an integer to `to`; false for
 * NaN, an infinity and a number of too many digits.  What is behind the scale
 * is lost; a column's typmod has seen to it that there is nothing.
 */
extern bool rowser_arrow_decimal_write(Datum value, int scale, uint8 *to);

#endif							/* ROWSER_COLUMNS_ARROW_DECIMAL_H */
