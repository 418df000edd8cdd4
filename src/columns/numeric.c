/*-------------------------------------------------------------------------
 *
 * numeric.c
 *	  numeric between its form in memory and the format's (rowset_format.md,
 *	  section 6.4).
 *
 * Any numeric, as an image; those that are integers by a scale are the part of
 * numeric_scaled.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/cursor.h"
#include "bytes/image.h"
#include "columns/numeric.h"
#include "columns/numeric_layout.h"
#include "compat.h"

#define PAYLOAD_HEADER_SIZE			4

void
rowser_numeric_parts(Numeric value, RowserNumericParts *parts)
{
	const char *words = VARDATA_ANY(value);
	uint16		header = rowser_numeric_word(words, 0);
	int			nheader = 1;

	parts->is_special = (header & NUMERIC_SIGN_MASK) == NUMERIC_SPECIAL;
	if (parts->is_special)
		return;
	if (header & NUMERIC_SHORT)
	{
		parts->is_negative = (header & NUMERIC_SHORT_SIGN) != 0;
		parts->weight = rowser_numeric_short_weight(header);
	}
	else
	{
		parts->is_negative = (header & NUMERIC_SIGN_MASK) == NUMERIC_NEG;
		parts->weight = (int16) rowser_numeric_word(words, 1);
		nheader = 2;
	}
	parts->ndigits = VARSIZE_ANY_EXHDR(value) / sizeof(uint16) - nheader;
	parts->digits = words + nheader * sizeof(uint16);
}

uint16
rowser_numeric_digit(const RowserNumericParts *parts, int i)
{
	return rowser_numeric_word(parts->digits, i);
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
	uint16		header = rowser_numeric_word(words, 0);
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
		weight = rowser_numeric_short_weight(header);
		ndigits = VARSIZE_ANY_EXHDR(detoasted) / sizeof(uint16) - nheader;
	}
	else
	{
		nheader = 2;
		sign_scale = header;
		weight = (int16) rowser_numeric_word(words, 1);
		ndigits = VARSIZE_ANY_EXHDR(detoasted) / sizeof(uint16) - nheader;
	}

	size = PAYLOAD_HEADER_SIZE + ndigits * sizeof(uint16);
	to = rowser_image_begin(images, size);
	if (to != NULL)
	{
		to = store_u16(to, sign_scale);
		to = store_u16(to, (uint16) weight);
		for (int i = 0; i < ndigits; i++)
			to = store_u16(to, rowser_numeric_word(words, nheader + i));
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
