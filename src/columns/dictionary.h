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
	RowserBuffer entries;		/* images, in order of first appearance */
	uint32		nentries;
	uint32	   *indexes;		/* one a value */
} RowserDictionary;

/*
 * Build a dictionary of `nvalues` images, which take `plain_size` in plain form.
 * Returns false, with nothing to free, when it would not pay.  All memory is
 * the current context's.
 */
extern bool rowser_dictionary_build(RowserDictionary *dictionary,
									const RowserBuffer *images,
									uint32 nvalues, uint64 plain_size);

#endif							/* ROWSER_COLUMNS_DICTIONARY_H */
