/*-------------------------------------------------------------------------
 *
 * packing.h
 *	  Unsigned numbers of a few bits each, one after the other
 *	  (rowset_format.md, section 6.1).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_PACKING_H
#define ROWSER_BYTES_PACKING_H

#include "c.h"

/* Bytes that `count` numbers of `bits` bits take. */
static inline uint64
rowser_packing_size(uint64 count, uint8 bits)
{
	return (count * bits + 7) / 8;
}

/* Bits that a number needs; 0 for 0. */
extern uint8 rowser_packing_bits(uint64 number);

/*
 * Pack numbers of 1 to 64 bits into rowser_packing_size() bytes, rounded up to a
 * multiple of eight, at `to`.
 */
extern void rowser_packing_pack(const uint64 *numbers, uint32 count,
								uint8 bits, uint8 *to);

/*
 * Unpack the numbers from number `first` on, out of `size` bytes that hold at
 * least first + count of them.  To each `base` is added, without a look at
 * whether the sum wraps.
 */
extern void rowser_packing_unpack(const uint8 *bytes, uint64 size,
								  uint64 first, uint32 count, uint8 bits,
								  uint64 base, uint64 *numbers);

/* Whether the bits past the last of `count` numbers are 0. */
extern bool rowser_packing_tail_is_zero(const uint8 *bytes, uint64 count,
										uint8 bits);

#endif							/* ROWSER_BYTES_PACKING_H */
