/*-------------------------------------------------------------------------
 *
 * tally.h
 *	  Counting what calls make of mutants, by kind of outcome.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_TALLY_H
#define HOSTILE_TALLY_H

#include "utils/elog.h"
#include "utils/tuplestore.h"

typedef struct Outcome
{
	const char *call;
	int			sqlstate;		/* 0 for success */
	int			elevel;			/* ERROR, WARNING; 0 for success */
	const char *message;		/* format of an error's message, or what came */
	bool		is_located;		/* the context names a place in the rowset */
} Outcome;

typedef struct Tally Tally;

/* Make an empty tally in the current context. */
extern Tally *hostile_tally_create(void);

/* Count one; the first of its kind gives the sample and the mutant. */
extern void hostile_tally_add(Tally *tally, const Outcome *outcome,
							  const char *sample, const char *mutant,
							  double milliseconds);

/*
 * Put one row a kind of outcome: call, sqlstate, message, sample, located,
 * outcomes, slowest, mutant.
 */
extern void hostile_tally_put(const Tally *tally, Tuplestorestate *store,
							  TupleDesc tupdesc);

/* What is counted of an error */
extern Outcome hostile_error_outcome(const char *call,
									 const ErrorData *error);

#endif							/* HOSTILE_TALLY_H */
