/*-------------------------------------------------------------------------
 *
 * numeric_scaled.c
 *	  numeric between its form in memory and integers by a scale
 *	  (rowset_format.md, section 6.5), and what a typmod leaves as it is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/group.h"
#include "columns/numeric.h"
#include "columns/numeric_layout.h"
#include "compat.h"

/* Decimal digits that any int64 has room for */
#define SAFE_DIGITS			18

#define DIGITS_A_GROUP		4

static const int64 powers_of_ten[] = {
	INT64CONST(1), INT64CONST(10), INT64CONST(100), INT64CONST(1000),
	INT64CONST(10000), INT64CONST(100000), INT64CONST(1000000),
	INT64CONST(10000000), INT64CONST(100000000), INT64CONST(1000000000),
	INT64CONST(10000000000), INT64CONST(100000000000),
	INT64CONST(1000000000000), INT64CONST(10000000000000),
	INT64CONST(100000000000000), INT64CONST(1000000000000000),
	INT64CONST(10000000000000000)
};

StaticAssertDecl(lengthof(powers_of_ten) == ROWSER_MAX_SCALE + 1,
				 "powers_of_ten must reach ROWSER_MAX_SCALE");

/* The first digits of a group: its quotient by a power of ten, by constants. */
static inline uint32
cut_group(uint32 group, int ndigits)
{
	return ndigits == 2 ? group / 100 : ndigits == 1 ? group / 1000 :
		group / 10;
}

/*
 * Add up digits of weights from `weight` down to what the scale keeps.  A group
 * of digits that the scale cuts has zeros behind the cut.
 */
static inline int64
add_digits(const char *digits, int ndigits, int weight, int scale)
{
	int			whole = weight + 1 + scale / DIGITS_A_GROUP;	/* groups */
	int			rest = scale % DIGITS_A_GROUP;
	int			nloaded = Min(whole, ndigits);
	int64		sum = 0;
	int			i = 0;

	for (; i < nloaded; i++)
		sum = sum * DIGIT_BASE + rowser_numeric_word(digits, i);
	for (; i < whole; i++)
		sum *= DIGIT_BASE;
	if (rest > 0)
	{
		sum *= powers_of_ten[rest];
		if (whole >= 0 && whole < ndigits)
			sum += cut_group(rowser_numeric_word(digits, whole), rest);
	}
	return sum;
}

/*
 * The same without a loop, for up to four groups: all as one number, moved by as
 * many decimal places as the scale has more than they do, or fewer; only zeros
 * are lost then.
 */
static inline int64
add_few_digits(const char *digits, int ndigits, int weight, int scale)
{
	int			shift = DIGITS_A_GROUP * (weight + 1 - ndigits) + scale;
	int64		number;

	if (shift <= -DIGITS_A_GROUP || shift > ROWSER_MAX_SCALE)
		return add_digits(digits, ndigits, weight, scale);

	switch (ndigits)
	{
		case 4:
			number = rowser_numeric_word(digits, 0);
			number = number * DIGIT_BASE + rowser_numeric_word(digits, 1);
			number = number * DIGIT_BASE + rowser_numeric_word(digits, 2);
			number = number * DIGIT_BASE + rowser_numeric_word(digits, 3);
			break;
		case 3:
			number = rowser_numeric_word(digits, 0);
			number = number * DIGIT_BASE + rowser_numeric_word(digits, 1);
			number = number * DIGIT_BASE + rowser_numeric_word(digits, 2);
			break;
		case 2:
			number = rowser_numeric_word(digits, 0);
			number = number * DIGIT_BASE + rowser_numeric_word(digits, 1);
			break;
		case 1:
			number = rowser_numeric_word(digits, 0);
			break;
		case 0:
			return 0;
		default:
			return add_digits(digits, ndigits, weight, scale);
	}
	switch (shift)
	{
		case -3:
			return (uint64) number / 1000;
		case -2:
			return (uint64) number / 100;
		case -1:
			return (uint64) number / 10;
		default:
			return number * powers_of_ten[shift];
	}
}

bool
rowser_numeric_to_scaled(Datum value, int64 *integer, uint8 *scale)
{
	struct varlena *pointer = (struct varlena *) DatumGetPointer(value);
	const char *words;
	uint16		header;
	int			weight;
	int			dscale;

	if (VARATT_IS_EXTERNAL(pointer) || VARATT_IS_COMPRESSED(pointer))
		return false;
	words = VARDATA_ANY(pointer);
	header = rowser_numeric_word(words, 0);
	/* the long form is for what is too long here too */
	if ((header & NUMERIC_SIGN_MASK) != NUMERIC_SHORT)
		return false;
	dscale = (header & NUMERIC_SHORT_DSCALE_MASK) >>
		NUMERIC_SHORT_DSCALE_SHIFT;
	weight = rowser_numeric_short_weight(header);
	if (dscale > ROWSER_MAX_SCALE ||
		(Max(weight, -1) + 1) * DIGITS_A_GROUP + dscale > SAFE_DIGITS)
		return false;

	*scale = (uint8) dscale;
	*integer = add_few_digits(words + sizeof(uint16),
							  VARSIZE_ANY_EXHDR(pointer) / sizeof(uint16) - 1,
							  weight, dscale);
	if (header & NUMERIC_SHORT_SIGN)
		*integer = -*integer;
	return true;
}

/* Split a number below 10^(4 * n) into n groups of digits, highest first. */
static void
split_digits(uint64 number, int ngroups, uint16 *groups)
{
	for (int i = ngroups - 1; i >= 0; i--)
	{
		groups[i] = (uint16) (number % DIGIT_BASE);
		number /= DIGIT_BASE;
	}
}

/* Divide by 10^scale: by a constant for the scales that most columns have. */
static inline uint64
cut_scale(uint64 number, uint8 scale)
{
	switch (scale)
	{
		case 0:
			return number;
		case 1:
			return number / 10;
		case 2:
			return number / 100;
		case 3:
			return number / 1000;
		case 4:
			return number / 10000;
		default:
			return number / powers_of_ten[scale];
	}
}

static int
count_groups(uint64 number)
{
	int			ngroups = 0;

	for (; number > 0; number /= DIGIT_BASE)
		ngroups++;
	return ngroups;
}

static inline uint16
short_header(bool is_negative, int weight, uint8 display_scale)
{
	return NUMERIC_SHORT | (is_negative ? NUMERIC_SHORT_SIGN : 0) |
		(display_scale << NUMERIC_SHORT_DSCALE_SHIFT) |
		(weight < 0 ? NUMERIC_SHORT_WEIGHT_SIGN : 0) |
		(weight & NUMERIC_SHORT_WEIGHT_MASK);
}

Numeric
rowser_numeric_from_scaled(int64 integer, uint8 scale, uint8 display_scale,
						   char *to)
{
	uint64		magnitude = integer < 0 ? 0 - (uint64) integer :
	(uint64) integer;
	uint64		whole = cut_scale(magnitude, scale);
	uint64		fraction = magnitude - whole * powers_of_ten[scale];
	int			nwhole = count_groups(whole);
	int			nfraction = (scale + DIGITS_A_GROUP - 1) / DIGITS_A_GROUP;
	uint16		groups[10];
	uint16	   *first = groups;
	int			ngroups = nwhole + nfraction;
	int			weight = nwhole - 1;
	uint16		header;
	Size		size;


	if (display_scale < scale &&
		fraction % powers_of_ten[scale - display_scale] != 0)
		return NULL;
	split_digits(whole, nwhole, groups);
	split_digits(fraction * powers_of_ten[nfraction * DIGITS_A_GROUP - scale],
				 nfraction, groups + nwhole);
	for (; ngroups > 0 && *first == 0; first++, ngroups--)
		weight--;
	while (ngroups > 0 && first[ngroups - 1] == 0)
		ngroups--;
	if (ngroups == 0)
		weight = 0;

	header = short_header(integer < 0, weight, display_scale);
	size = VARHDRSZ + (1 + ngroups) * sizeof(uint16);
	SET_VARSIZE(to, size);
	memcpy(VARDATA(to), &header, sizeof(uint16));
	memcpy(VARDATA(to) + sizeof(uint16), first, ngroups * sizeof(uint16));
	return (Numeric) to;
}

/*
 * Make numerics of up to eight digits before the point and four behind it: two
 * groups and one, of which those that are zero fall away at either end.
 * How many do is nothing that a processor could foresee, so there is no
 * branch on it.  `power` is that of the scale; as a constant, so that no
 * division is left.
 */
static pg_attribute_always_inline bool
from_few_digits(const int64 *integers, uint32 nvalues, uint32 power,
				uint8 scale, uint8 display_scale, char *to, Datum *values)
{
	uint16		headers[3];		/* by how many groups fall away in front */

	for (int i = 0; i < 3; i++)
		headers[i] = short_header(false, 1 - i, display_scale);

	for (uint32 i = 0; i < nvalues; i++, to += ROWSER_NUMERIC_SCALED_SIZE)
	{
		int64		integer = integers[i];
		uint64		magnitude = integer < 0 ? 0 - (uint64) integer :
		(uint64) integer;
		uint64		whole = magnitude / power;
		uint32		fraction = (uint32) (magnitude - whole * power) *
		(DIGIT_BASE / power);
		uint32		high = (uint32) whole / DIGIT_BASE;
		uint32		low = (uint32) whole - high * DIGIT_BASE;
		int			leading = (high == 0) + (whole == 0);
		int			trailing = (fraction == 0) + ((fraction | low) == 0);
		uint64		groups = high | (uint64) low << 16 |
		(uint64) fraction << 32;
		uint16	   *words = (uint16 *) (to + VARHDRSZ);

		values[i] = PointerGetDatum(to);
		if (unlikely(whole >= DIGIT_BASE * DIGIT_BASE || magnitude == 0))
		{
			if (rowser_numeric_from_scaled(integer, scale, display_scale,
										   to) == NULL)
				return false;
			continue;
		}
		groups >>= 16 * leading;
		words[0] = headers[leading] | (integer < 0 ? NUMERIC_SHORT_SIGN : 0);
		words[1] = (uint16) groups;
		words[2] = (uint16) (groups >> 16);
		words[3] = (uint16) (groups >> 32);
		SET_VARSIZE(to, VARHDRSZ +
					(4 - leading - trailing) * sizeof(uint16));
	}
	return true;
}

bool
rowser_numeric_from_scaled_many(const int64 *integers, uint32 nvalues,
								uint8 scale, uint8 display_scale, char *to,
								Datum *values)
{
	/* only where digits are hidden can it matter how many are shown */
	switch (display_scale >= scale ? scale : ROWSER_MAX_SCALE)
	{
		case 0:
			return from_few_digits(integers, nvalues, 1, 0, display_scale, to,
								   values);
		case 1:
			return from_few_digits(integers, nvalues, 10, 1, display_scale,
								   to, values);
		case 2:
			return from_few_digits(integers, nvalues, 100, 2, display_scale,
								   to, values);
		case 3:
			return from_few_digits(integers, nvalues, 1000, 3, display_scale,
								   to, values);
		case 4:
			return from_few_digits(integers, nvalues, 10000, 4,
								   display_scale, to, values);
		default:
			break;
	}
	for (uint32 i = 0; i < nvalues; i++, to += ROWSER_NUMERIC_SCALED_SIZE)
	{
		if (rowser_numeric_from_scaled(integers[i], scale, display_scale,
									   to) == NULL)
			return false;
		values[i] = PointerGetDatum(to);
	}
	return true;
}

bool
rowser_numeric_typmod_keeps(int32 typmod, int64 least, int64 greatest,
							uint8 scale)
{
	int			precision;

	if (typmod < (int32) VARHDRSZ)
		return true;
	precision = ((typmod - VARHDRSZ) >> 16) & 0xFFFF;
	if (scale != ((((typmod - VARHDRSZ) & 0x7FF) ^ 1024) - 1024))
		return false;
	return precision > SAFE_DIGITS ||
		(precision <= ROWSER_MAX_SCALE &&
		 greatest < powers_of_ten[precision] &&
		 least > -powers_of_ten[precision]);
}

/*
 * A value of the typmod's scale fits when its digits before the point are fewer
 * than the precision leaves room for.  Digits go in fours, so some values
 * that fit are left to numeric() itself.
 */
bool
rowser_numeric_fits(Numeric value, int32 typmod)
{
	const char *words = VARDATA_ANY(value);
	uint16		header = rowser_numeric_word(words, 0);
	int			precision;
	int			scale;

	if (typmod < (int32) VARHDRSZ)
		return true;
	precision = ((typmod - VARHDRSZ) >> 16) & 0xFFFF;
	scale = (((typmod - VARHDRSZ) & 0x7FF) ^ 1024) - 1024;
	if ((header & NUMERIC_SIGN_MASK) != NUMERIC_SHORT || scale < 0)
		return false;
	if ((header & NUMERIC_SHORT_DSCALE_MASK) >>
		NUMERIC_SHORT_DSCALE_SHIFT != scale)
		return false;
	return (rowser_numeric_short_weight(header) + 1) * 4 <= precision - scale;
}
