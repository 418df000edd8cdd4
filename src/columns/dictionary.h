/*-------------------------------------------------------------------------
 *
 * dictionary.h
 *	  Finding the different values among images (rowset_format.md, section 8).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_DICTIONARY_H
#define ROWSER_COLUMNS_DICTIONARY_H

#include "bytes/buffer.h"

typedef struct RowserDictionary
{
	RowserBuffer entries;		/* plain form, in order of first appearance */
	uint32		nentries;
	int64	   *indexes;		/* one a value */
} RowserDictionary;

/*
 * Build a dictionary of `nvalues` values in plain form, `width` bytes each or 0
 * for images.  Returns false when it would not take less than `most` bytes.
 * All memory is the current context's.
 */
extern bool rowser_dictionary_build(RowserDictionary *dictionary,
									const RowserBuffer *values, uint8 width,
									uint32 nvalues, uint64 most);

#endif							/* ROWSER_COLUMNS_DICTIONARY_H */
