/*-------------------------------------------------------------------------
 *
 * mutant.h
 *	  A random mutant of a rowset, alone or together with others.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_MUTANT_H
#define HOSTILE_MUTANT_H

#include "bytes/buffer.h"
#include "splice.h"

/* How a mutant was made */
typedef struct Making
{
	bool		sealed;			/* its checksums were made to fit */
	bool		spliced;		/* columns and groups may be others' */
} Making;

/*
 * Make the seed's mutant of a valid rowset, or of it and one of some others,
 * in `mutant`, which the caller has initialised.  Three of four are sealed.
 * Memory is left behind.
 */
extern Making hostile_mutant_make(Specimen own, const Specimen *others,
								  int nothers, uint64 seed,
								  RowserBuffer *mutant);

#endif							/* HOSTILE_MUTANT_H */
