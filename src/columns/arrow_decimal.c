/*-------------------------------------------------------------------------
 *
 * arrow_decimal.c
 *	  numeric as Arrow's decimal of 128 bits: an integer in two's complement,
 *	  its low half first (Schema.fbs, table Decimal).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/arrow_write.h"
#include "columns/arrow_decimal.h"
#include "columns/numeric.h"
#include "compat.h"

/* A number without a sign; it stays below 2^127 */
typedef struct Uint128
{
	uint64		high;
	uint64		low;
} Uint128;

/* Multiply by a small number and add another one; false on overflow. */
static inline bool
multiply_add(Uint128 *number, uint32 factor, uint32 addend)
{
	uint64		low = (number->low & PG_UINT32_MAX) * factor + addend;
	uint64		middle = (number->low >> 32) * factor + (low >> 32);

	if (number->high > (PG_INT64_MAX - (middle >> 32)) / factor)
		return false;
	number->low = (middle << 32) | (low & PG_UINT32_MAX);
	number->high = number->high * factor + (middle >> 32);
	return true;
}

static void
store(Uint128 number, bool is_negative, uint8 *to)
{
	if (is_negative)
	{
		number.low = ~number.low + 1;
		number.high = ~number.high + (number.low == 0);
	}
	rowser_store_u64(to, number.low);
	rowser_store_u64(to + sizeof(uint64), number.high);
}

/*
 * Add up the digits: whole groups of them down to the scale, and of the group
 * that the scale cuts those in front of the cut.
 */
static bool
write_digits(Numeric value, int scale, uint8 *to)
{
	static const uint32 powers[] = {1, 10, 100, 1000};
	RowserNumericParts parts;
	Uint128		number = {0, 0};
	int			rest = scale % ROWSER_NUMERIC_BASE_DIGITS;
	int			whole;

	rowser_numeric_parts(value, &parts);
	if (parts.is_special)
		return false;
	whole = parts.weight + 1 + scale / ROWSER_NUMERIC_BASE_DIGITS;
	for (int i = 0; i < whole; i++)
	{
		uint32		digit = i < parts.ndigits ?
		rowser_numeric_digit(&parts, i) : 0;

		/* zero has no digits, so its weight would be of no matter */
		if (parts.ndigits == 0)
			break;
		if (!multiply_add(&number, ROWSER_NUMERIC_BASE, digit))
			return false;
	}
	if (rest > 0)
	{
		uint32		digit = whole >= 0 && whole < parts.ndigits ?
		rowser_numeric_digit(&parts, whole) : 0;

		if (!multiply_add(&number, powers[rest],
						  digit / powers[ROWSER_NUMERIC_BASE_DIGITS - rest]))
			return false;
	}
	store(number, parts.is_negative, to);
	return true;
}

bool
rowser_arrow_decimal_write(Datum value, int scale, uint8 *to)
{
	int64		integer;
	uint8		display_scale;

	/* most are such */
	if (rowser_numeric_to_scaled(value, &integer, &display_scale) &&
		display_scale == scale)
	{
		rowser_store_u64(to, (uint64) integer);
		rowser_store_u64(to + sizeof(uint64),
						 integer < 0 ? ~UINT64CONST(0) : 0);
		return true;
	}
	return write_digits((Numeric) DatumGetPointer(value), scale, to);
}
