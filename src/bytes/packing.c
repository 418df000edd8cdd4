/*-------------------------------------------------------------------------
 *
 * packing.c
 *	  Unsigned numbers of a few bits each, one after the other
 *	  (rowset_format.md, section 6.1).
 *
 * Packing gathers a 64-bit word before it is stored, and unpacking takes each
 * number out of one 64-bit load, so that neither looks at single bits.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/cursor.h"
#include "bytes/packing.h"

/* A number of more bits may reach past the 64 that one load gives. */
#define MAX_BITS_A_LOAD 57

uint8
rowser_packing_bits(uint64 number)
{
	uint8		bits = 0;

	while (number != 0)
	{
		number >>= 1;
		bits++;
	}
	return bits;
}

static uint8 *
store_word(uint8 *to, uint64 word)
{
#ifdef WORDS_BIGENDIAN
	word = pg_bswap64(word);
#endif
	memcpy(to, &word, sizeof(word));
	return to + sizeof(word);
}

void
rowser_packing_pack(const uint64 *numbers, uint32 count, uint8 bits,
					uint8 *to)
{
	uint64		word = 0;
	int			used = 0;		/* bits of the word */

	for (uint32 i = 0; i < count; i++)
	{
		word |= numbers[i] << used;
		used += bits;
		if (used >= 64)
		{
			to = store_word(to, word);
			used -= 64;
			/* what didn't fit; shifting by 64 would be undefined */
			word = used > 0 ? numbers[i] >> (bits - used) : 0;
		}
	}
	if (used > 0)
		store_word(to, word);
}

/* Take one number out, near the end of the bytes or wider than a load. */
static uint64
unpack_one(const uint8 *bytes, uint64 size, uint64 number, uint8 bits)
{
	uint64		bit = number * bits;
	uint64		byte = bit / 8;
	int			shift = bit % 8;
	uint64		result = 0;
	int			have = -shift;

	for (; have < bits && byte < size; byte++, have += 8)
	{
		if (have < 0)
			result |= (uint64) bytes[byte] >> -have;
		else
			result |= (uint64) bytes[byte] << have;
	}
	return bits < 64 ? result & ((UINT64CONST(1) << bits) - 1) : result;
}

/* How many numbers, from the first on, one load each can take out. */
static uint32
count_loadable(uint64 size, uint64 first, uint32 count, uint8 bits)
{
	uint64		loadable;

	if (bits > MAX_BITS_A_LOAD || size < sizeof(uint64))
		return 0;
	/* number n is loadable when n * bits / 8 + 8 <= size */
	loadable = ((size - sizeof(uint64)) * 8 + 7) / bits + 1;
	if (loadable <= first)
		return 0;
	return (uint32) Min(loadable - first, count);
}

void
rowser_packing_unpack(const uint8 *bytes, uint64 size, uint64 first,
					  uint32 count, uint8 bits, uint64 base, uint64 *numbers)
{
	uint32		loadable = count_loadable(size, first, count, bits);
	uint64		mask = (UINT64CONST(1) << (bits & 63)) - 1;
	uint64		bit = first * bits;

	for (uint32 i = 0; i < loadable; i++, bit += bits)
		numbers[i] = base +
			((rowser_load_u64(bytes + bit / 8) >> (bit % 8)) & mask);
	for (uint32 i = loadable; i < count; i++)
		numbers[i] = base + unpack_one(bytes, size, first + i, bits);
}

bool
rowser_packing_tail_is_zero(const uint8 *bytes, uint64 count, uint8 bits)
{
	uint64		used = count * bits % 8;

	return used == 0 || bytes[count * bits / 8] >> used == 0;
}
