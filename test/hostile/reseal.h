/*-------------------------------------------------------------------------
 *
 * reseal.h
 *	  Giving a rowset that was tampered with the checksums of what it now says.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_RESEAL_H
#define HOSTILE_RESEAL_H

#include "c.h"

/*
 * Put right every checksum that can be found: of the header, of each group's
 * header and units, of the trailer.  What can't be followed stays as it is.
 * Takes any bytes.  Memory from rowser_memory_alloc() is left behind.
 */
extern void hostile_reseal(uint8 *bytes, size_t size);

/*
 * Read the size at `from` that tells how long the rest is; the rest begins at
 * *rest and ends, checksum included, at *end.  False if that is not inside.
 */
extern bool hostile_part_end(const uint8 *bytes, size_t size, size_t from,
							 size_t *rest, size_t *end);

#endif							/* HOSTILE_RESEAL_H */
