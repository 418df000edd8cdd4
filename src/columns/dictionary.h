/*-------------------------------------------------------------------------
 *
 * dictionary.h
 *	  A dictionary of values that are at hand in plain form.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_DICTIONARY_H
#define ROWSER_COLUMNS_DICTIONARY_H

#include "columns/distinct.h"

typedef struct RowserDictionary
{
	RowserDistinct distinct;
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
