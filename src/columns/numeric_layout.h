/*-------------------------------------------------------------------------
 *
 * numeric_layout.h
 *	  How a numeric lies in memory, for the files that take it apart; nobody else
 *	  includes it.
 *
 * PostgreSQL keeps numeric's layout private, but it cannot change: it is what
 * tables hold.  A header word tells whether the value is special (NaN or an
 * infinity), or has sign, display scale and weight all in that word (the
 * short form), or has the weight in a word of its own (the long form).  Digits
 * to base 10000 follow.  See src/backend/utils/adt/numeric.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_NUMERIC_LAYOUT_H
#define ROWSER_COLUMNS_NUMERIC_LAYOUT_H

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

/* A word of a numeric, which need not be aligned */
static inline uint16
rowser_numeric_word(const char *words, int i)
{
	uint16		word;

	memcpy(&word, words + i * sizeof(uint16), sizeof(uint16));
	return word;
}

/* The weight in a header of the short form */
static inline int
rowser_numeric_short_weight(uint16 header)
{
	int			weight = header & NUMERIC_SHORT_WEIGHT_MASK;

	if (header & NUMERIC_SHORT_WEIGHT_SIGN)
		weight |= ~NUMERIC_SHORT_WEIGHT_MASK;
	return weight;
}

#endif							/* ROWSER_COLUMNS_NUMERIC_LAYOUT_H */
