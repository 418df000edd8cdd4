/*-------------------------------------------------------------------------
 *
 * arrow_import_decimals.c
 *	  Arrow's decimals as numerics: integers in two's complement, of up to
 *	  256 bits, and a scale that they share (Schema.fbs, table Decimal).
 *
 * Memory: values are in the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/fmgrprotos.h"

#include "bytes/group.h"
#include "columns/arrow_import.h"
#include "columns/numeric.h"

/* A decimal of 256 bits in words, and the digits that one division gives */
#define MAX_WORDS			8
#define DIGITS_AT_ONCE		9
#define POWER_AT_ONCE		UINT64CONST(1000000000)

/* Digits of 2^256, to the next multiple of what one division gives */
#define MAX_DIGITS			81

/* Divide a number of `nwords` words, the lowest first; returns the remainder. */
static uint32
divide_words(uint32 *words, int nwords, uint64 divisor)
{
	uint64		remainder = 0;

	for (int i = nwords - 1; i >= 0; i--)
	{
		uint64		dividend = (remainder << 32) | words[i];

		words[i] = (uint32) (dividend / divisor);
		remainder = dividend % divisor;
	}
	return (uint32) remainder;
}

/* Write a number's digits before `end`; returns where they begin. */
static char *
write_digits(uint32 *words, int nwords, char *end)
{
	while (nwords > 0 && words[nwords - 1] == 0)
		nwords--;
	do
	{
		uint32		remainder = divide_words(words, nwords, POWER_AT_ONCE);

		for (int i = 0; i < DIGITS_AT_ONCE; i++)
		{
			*--end = '0' + remainder % 10;
			remainder /= 10;
		}
		while (nwords > 0 && words[nwords - 1] == 0)
			nwords--;
	} while (nwords > 0);
	while (*end == '0' && end[1] != '\0')
		end++;
	return end;
}

/* Load a two's complement's magnitude; returns whether it was negative. */
static bool
load_words(const uint8 *bytes, uint32 *words, int nwords)
{
	bool		is_negative = (bytes[nwords * 4 - 1] & 0x80) != 0;
	uint64		carry = is_negative ? 1 : 0;

	for (int i = 0; i < nwords; i++)
	{
		words[i] = rowser_load_u32(bytes + i * 4);
		if (is_negative)
		{
			carry += (uint32) ~words[i];
			words[i] = (uint32) carry;
			carry >>= 32;
		}
	}
	return is_negative;
}

/* A decimal of any width as numeric, by way of text: digits, and an exponent */
static Datum
decimal_by_text(const uint8 *bytes, int nwords, int32 scale)
{
	uint32		words[MAX_WORDS];
	char		digits[MAX_DIGITS + 1];
	char	   *end = digits + lengthof(digits) - 1;
	char	   *text;
	bool		is_negative = load_words(bytes, words, nwords);

	*end = '\0';
	text = psprintf("%s%se%d", is_negative ? "-" : "",
					write_digits(words, nwords, end), -scale);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text),
							   ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

/* Whether a decimal is one of int64; all its words above that are its sign then. */
static bool
decimal_is_int64(const uint8 *bytes, int nwords, int64 *integer)
{
	uint32		sign;

	if (nwords == 1)
	{
		*integer = (int32) rowser_load_u32(bytes);
		return true;
	}
	*integer = (int64) rowser_load_u64(bytes);
	sign = *integer < 0 ? PG_UINT32_MAX : 0;
	for (int i = 2; i < nwords; i++)
	{
		if (rowser_load_u32(bytes + i * 4) != sign)
			return false;
	}
	return true;
}

static Datum
load_decimal(const RowserArrowField *field, const uint8 *bytes)
{
	int			nwords = field->width / 32;
	int64		integer;

	if (field->scale >= 0 && field->scale <= ROWSER_MAX_SCALE &&
		decimal_is_int64(bytes, nwords, &integer))
	{
		char	   *to = palloc(ROWSER_NUMERIC_SCALED_SIZE);

		return NumericGetDatum(rowser_numeric_from_scaled(integer,
														  field->scale,
														  field->scale, to));
	}
	return decimal_by_text(bytes, nwords, field->scale);
}

void
rowser_import_decimals(RowserImport *import, const RowserArrowArray *array,
					   uint32 start, uint32 nvalues, const bool *nulls,
					   Datum *values)
{
	size_t		width = array->field->width / 8;
	const uint8 *next = array->data + start * width;

	for (uint32 i = 0; i < nvalues; i++, next += width)
	{
		CHECK_FOR_INTERRUPTS();
		if (!nulls[i])
			values[i] = load_decimal(array->field, next);
	}
}
