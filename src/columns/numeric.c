/*-------------------------------------------------------------------------
 *
 * numeric.c
 *	  numeric between its form in memory and the format's (rowset_format.md,
 *	  section 6.4).
 *
 * PostgreSQL keeps numeric's layout private, but it cannot change: it is what
 * tables hold.  A header word tells whether the value is special (NaN or an
 * infinity), or has sign, display scale and weight all in that word (the
 * short form), or has the weight in a word of its own (the long form).  Digits
 * to base 10000 follow.  See src/backend/utils/adt/numeric.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/cursor.h"
#include "bytes/group.h"
#include "bytes/image.h"
#include "columns/numeric.h"
#include "compat.h"

#define NUMERIC_SIGN_MASK			0xC000
#define NUMERIC_POS					0x0000
#define NUMERIC_NEG					0x4000
#define NUMERIC_SHORT				0x8000
#define NUMERIC_SPECIAL				0xC000

#define NUMERIC_DSCALE_MASK			0x3FFF
#define NUMERIC_NAN					0xC000
#define NUMERIC_PINF				0xD000
#define NUMERIC_NINF				0xF000

#define NUMERIC_SHORT_SIGN			0x2000
#define NUMERIC_SHORT_DSCALE_MASK	0x1F80
#define NUMERIC_SHORT_DSCALE_SHIFT	7
#define NUMERIC_SHORT_DSCALE_MAX	63
#define NUMERIC_SHORT_WEIGHT_SIGN	0x0040
#define NUMERIC_SHORT_WEIGHT_MASK	0x003F
#define NUMERIC_SHORT_WEIGHT_MAX	63
#define NUMERIC_SHORT_WEIGHT_MIN	(-64)

#define DIGIT_BASE					10000

#define PAYLOAD_HEADER_SIZE			4

static uint16
load_word(const char *words, int i)
{
	uint16		word;

	memcpy(&word, words + i * sizeof(uint16), sizeof(uint16));
	return word;
}

static int
short_weight(uint16 header)
{
	int			weight = header & NUMERIC_SHORT_WEIGHT_MASK;

	if (header & NUMERIC_SHORT_WEIGHT_SIGN)
		weight |= ~NUMERIC_SHORT_WEIGHT_MASK;
	return weight;
}

static uint8 *
store_u16(uint8 *to, uint16 value)
{
	to[0] = (uint8) value;
	to[1] = (uint8) (value >> 8);
	return to + 2;
}

uint32
rowser_numeric_append(RowserBuffer *images, Datum value)
{
	struct varlena *detoasted = PG_DETOAST_DATUM_PACKED(value);
	const char *words = VARDATA_ANY(detoasted);
	uint16		header = load_word(words, 0);
	uint16		sign_scale;
	int			weight;
	int			nheader = 1;
	int			ndigits;
	uint32		size;
	uint8	   *to;

	if ((header & NUMERIC_SIGN_MASK) == NUMERIC_SPECIAL)
	{
		sign_scale = header;
		weight = 0;
		ndigits = 0;
	}
	else if (header & NUMERIC_SHORT)
	{
		sign_scale = (header & NUMERIC_SHORT_DSCALE_MASK) >>
			NUMERIC_SHORT_DSCALE_SHIFT;
		if (header & NUMERIC_SHORT_SIGN)
			sign_scale |= NUMERIC_NEG;
		weight = short_weight(header);
		ndigits = VARSIZE_ANY_EXHDR(detoasted) / sizeof(uint16) - nheader;
	}
	else
	{
		nheader = 2;
		sign_scale = header;
		weight = (int16) load_word(words, 1);
		ndigits = VARSIZE_ANY_EXHDR(detoasted) / sizeof(uint16) - nheader;
	}

	size = PAYLOAD_HEADER_SIZE + ndigits * sizeof(uint16);
	to = rowser_image_begin(images, size);
	if (to != NULL)
	{
		to = store_u16(to, sign_scale);
		to = store_u16(to, (uint16) weight);
		for (int i = 0; i < ndigits; i++)
			to = store_u16(to, load_word(words, nheader + i));
	}
	if ((Pointer) detoasted != DatumGetPointer(value))
		pfree(detoasted);
	return size;
}

/* Whether digits are such as PostgreSQL makes: in range and no 0 at an end. */
static bool
digits_are_normal(const uint8 *digits, int ndigits)
{
	if (ndigits == 0)
		return true;
	for (int i = 0; i < ndigits; i++)
	{
		if (rowser_load_u16(digits + 2 * i) >= DIGIT_BASE)
			return false;
	}
	return rowser_load_u16(digits) != 0 &&
		rowser_load_u16(digits + 2 * (ndigits - 1)) != 0;
}

/*
 * Whether the display scale hides digits that are there.  Functions trust that
 * it does not.
 */
static bool
scale_hides_digits(const uint8 *digits, int ndigits, int weight, int dscale)
{
	static const int powers[] = {1, 10, 100, 1000};
	int			hidden = (ndigits - (weight + 1)) * 4 - dscale;

	if (ndigits == 0 || hidden <= 0)
		return false;
	return hidden >= lengthof(powers) ||
		rowser_load_u16(digits + 2 * (ndigits - 1)) % powers[hidden] != 0;
}

/* Make a numeric of header words and digits. */
static Numeric
build(const uint16 *header, int nheader, const uint8 *digits, int ndigits)
{
	Size		size = VARHDRSZ + (nheader + ndigits) * sizeof(uint16);
	struct varlena *result = palloc(size);
	char	   *to = VARDATA(result);

	SET_VARSIZE(result, size);
	memcpy(to, header, nheader * sizeof(uint16));
	to += nheader * sizeof(uint16);
	for (int i = 0; i < ndigits; i++, to += sizeof(uint16))
	{
		uint16		digit = rowser_load_u16(digits + 2 * i);

		memcpy(to, &digit, sizeof(uint16));
	}
	return (Numeric) result;
}

Numeric
rowser_numeric_build(const uint8 *payload, uint32 size)
{
	const uint8 *digits = payload + PAYLOAD_HEADER_SIZE;
	uint16		sign_scale;
	uint16		sign;
	int			dscale;
	int			weight;
	int			ndigits;
	uint16		header[2];

	if (size < PAYLOAD_HEADER_SIZE || size % sizeof(uint16) != 0)
		return NULL;
	sign_scale = rowser_load_u16(payload);
	weight = (int16) rowser_load_u16(payload + 2);
	ndigits = (size - PAYLOAD_HEADER_SIZE) / sizeof(uint16);

	if ((sign_scale & NUMERIC_SIGN_MASK) == NUMERIC_SPECIAL)
	{
		if (ndigits != 0 || weight != 0 ||
			(sign_scale != NUMERIC_NAN && sign_scale != NUMERIC_PINF &&
			 sign_scale != NUMERIC_NINF))
			return NULL;
		return build(&sign_scale, 1, digits, 0);
	}

	sign = sign_scale & NUMERIC_SIGN_MASK;
	dscale = sign_scale & NUMERIC_DSCALE_MASK;
	if ((sign != NUMERIC_POS && sign != NUMERIC_NEG) ||
		!digits_are_normal(digits, ndigits) ||
		scale_hides_digits(digits, ndigits, weight, dscale) ||
		(ndigits == 0 && (weight != 0 || sign != NUMERIC_POS)))
		return NULL;

	if (dscale <= NUMERIC_SHORT_DSCALE_MAX &&
		weight <= NUMERIC_SHORT_WEIGHT_MAX &&
		weight >= NUMERIC_SHORT_WEIGHT_MIN)
	{
		header[0] = NUMERIC_SHORT |
			(sign == NUMERIC_NEG ? NUMERIC_SHORT_SIGN : 0) |
			(dscale << NUMERIC_SHORT_DSCALE_SHIFT) |
			(weight < 0 ? NUMERIC_SHORT_WEIGHT_SIGN : 0) |
			(weight & NUMERIC_SHORT_WEIGHT_MASK);
		return build(header, 1, digits, ndigits);
	}
	header[0] = sign_scale;
	header[1] = (uint16) weight;
	return build(header, 2, digits, ndigits);
}

/* ----------------------------------------------------------------
 *		Scaled integers
 * ----------------------------------------------------------------
 */

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
		sum = sum * DIGIT_BASE + load_word(digits, i);
	for (; i < whole; i++)
		sum *= DIGIT_BASE;
	if (rest > 0)
	{
		sum *= powers_of_ten[rest];
		if (whole >= 0 && whole < ndigits)
			sum += cut_group(load_word(digits, whole), rest);
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
			number = load_word(digits, 0);
			number = number * DIGIT_BASE + load_word(digits, 1);
			number = number * DIGIT_BASE + load_word(digits, 2);
			number = number * DIGIT_BASE + load_word(digits, 3);
			break;
		case 3:
			number = load_word(digits, 0);
			number = number * DIGIT_BASE + load_word(digits, 1);
			number = number * DIGIT_BASE + load_word(digits, 2);
			break;
		case 2:
			number = load_word(digits, 0);
			number = number * DIGIT_BASE + load_word(digits, 1);
			break;
		case 1:
			number = load_word(digits, 0);
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
	header = load_word(words, 0);
	/* the long form is for what is too long here too */
	if ((header & NUMERIC_SIGN_MASK) != NUMERIC_SHORT)
		return false;
	dscale = (header & NUMERIC_SHORT_DSCALE_MASK) >>
		NUMERIC_SHORT_DSCALE_SHIFT;
	weight = short_weight(header);
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
	uint16		header = load_word(words, 0);
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
	return (short_weight(header) + 1) * 4 <= precision - scale;
}
