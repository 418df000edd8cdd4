/*-------------------------------------------------------------------------
 *
 * calls.h
 *	  Calls that read mutants, and counting what they make of each.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_CALLS_H
#define HOSTILE_CALLS_H

#include "executor/spi.h"
#include "utils/array.h"

#include "tally.h"

/* Names of results that must agree, and one more */
#define MAX_AGREEMENTS 4

typedef struct Call
{
	const char *query;			/* takes the mutant as $1 */
	SPIPlanPtr	plan;
} Call;

/* What the calls whose result has this name gave for a mutant */
typedef struct Agreement
{
	const char *label;			/* NULL behind the last one */
	const char *result;
	const Call *call;			/* the first of them */
} Agreement;

typedef struct Reading
{
	int			ncalls;
	Call	   *calls;
	Tally	   *tally;
	bool		by_cpu;			/* what is slow by its own work alone */
	bool		undo;			/* undo what calls did that went well */
	MemoryContext context;		/* emptied after each mutant */
	char		mutant[64];		/* says what was changed */
	bool		has_others;		/* columns may be in it that no list names */

	/* of the mutant */
	const Call *call;			/* the one that runs */
	bool		is_refused;		/* rowset_is_valid() said no */
	const char *refusal;		/* what rowset_check() said of the bytes */
	Agreement	agreements[MAX_AGREEMENTS];
} Reading;

/*
 * Make a reading ready: SPI must be connected.  Tally and contexts are made in
 * the current context.  From then on to hostile_reading_close(), which must be
 * called after an error, too, warnings are counted as outcomes.
 */
extern void hostile_reading_open(Reading *reading, ArrayType *queries);
extern void hostile_reading_close(Reading *reading);

/*
 * A mutant that reading->mutant describes: between the two come its calls.
 * A call that raises an error is rolled back.
 */
extern void hostile_reading_begin(Reading *reading);
extern void hostile_reading_call(Reading *reading, int which, bytea *mutant);
extern void hostile_reading_end(Reading *reading);

#endif							/* HOSTILE_CALLS_H */
