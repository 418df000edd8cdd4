/*-------------------------------------------------------------------------
 *
 * recode.h
 *	  Values from a node into a vector, whatever their type is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_RECODE_H
#define ROWSER_COLUMNS_RECODE_H

#include "columns/decoder.h"
#include "columns/vector.h"

/*
 * Take the next `nvalues` values from a decoder of stored values (see
 * rowser_decoder_init_stored()), which has been started on a node, to a vector
 * of such values.  Adds to *growth as rowser_vector_append() does.  What is
 * left in the current context is needed no more.  Raises 22P03 for values that
 * the format doesn't allow.
 */
extern void rowser_recode_next(RowserDecoder *decoder, RowserVector *vector,
							   uint32 nvalues, uint64 *growth);

#endif							/* ROWSER_COLUMNS_RECODE_H */
