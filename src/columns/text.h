/*-------------------------------------------------------------------------
 *
 * text.h
 *	  Text from bytes: what rowsets and other formats have in common.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_TEXT_H
#define ROWSER_COLUMNS_TEXT_H

#include "bytes/cursor.h"

/* Bytes of which one is zero or has its highest bit set */
#define ROWSER_HAS_ODD_BYTE(word) \
	((((word) - UINT64CONST(0x0101010101010101)) | (word)) & \
	 UINT64CONST(0x8080808080808080))

/*
 * Whether text is ASCII without zero bytes, and so valid and the same in every
 * encoding that a database can have.
 */
static inline bool
rowser_text_is_ascii(const uint8 *text, uint32 size)
{
	uint32		last;			/* where the last word begins */

	if (size < sizeof(uint64))
	{
		for (uint32 i = 0; i < size; i++)
		{
			if (text[i] == 0 || IS_HIGHBIT_SET(text[i]))
				return false;
		}
		return true;
	}
	last = size - sizeof(uint64);
	if (size <= 64)
	{
		/*
		 * How many words there are differs from text to text, and jumps that
		 * can't be foreseen cost more than looking at some words twice.
		 */
		uint64		odd = 0;

		for (uint32 i = 0; i < 64; i += sizeof(uint64))
			odd |= ROWSER_HAS_ODD_BYTE(rowser_load_u64(text + Min(i, last)));
		return odd == 0;
	}
	for (uint32 i = 0; i < last; i += sizeof(uint64))
	{
		if (ROWSER_HAS_ODD_BYTE(rowser_load_u64(text + i)))
			return false;
	}
	return !ROWSER_HAS_ODD_BYTE(rowser_load_u64(text + last));
}

/*
 * Check what a reg* type's input function made of text.  An object that existed
 * no more when the text was written has its number in place of a name.  That
 * may come back, but not as the object that happens to have the number here:
 * that raises 42704.
 */
extern void rowser_text_check_unnamed(Oid type, const char *text, Datum value);

#endif							/* ROWSER_COLUMNS_TEXT_H */
