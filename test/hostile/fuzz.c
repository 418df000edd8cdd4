/*-------------------------------------------------------------------------
 *
 * fuzz.c
 *	  rowser_test_fuzz(): many random mutants of a rowset, and of it together
 *	  with others, and what calls make of each.
 *
 * A seed says everything of its mutant, and which calls read it: the first
 * ones always do, and a few of the others.
 *
 * Memory: as in calls.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/resource.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "calls.h"
#include "confine.h"
#include "mutant.h"
#include "mutate.h"

/* visible, unlike all else; before 16, fmgr.h doesn't say so */
extern PGDLLEXPORT Datum rowser_test_fuzz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_fuzzed(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_mutant(PG_FUNCTION_ARGS);

PG_FUNCTION_INFO_V1(rowser_test_fuzz);
PG_FUNCTION_INFO_V1(rowser_test_fuzzed);
PG_FUNCTION_INFO_V1(rowser_test_mutant);

#define MEGABYTE		((Size) 1024 * 1024)
#define MUTANT_LIMIT	(4 * MEGABYTE)

typedef struct Fuzz
{
	Specimen	own;
	int			nothers;
	Specimen   *others;
	int			nalways;		/* calls that read every mutant */
	int			nsometimes;		/* how many of the others do */
	Fence		fence;
	Reading		reading;
} Fuzz;

/* What the last fuzzing did */
static int64 nmutants;
static int64 nsealed;
static int64 nreads;
static int64 grown_kilobytes;

/* ----------------------------------------------------------------
 *		Mutants
 * ----------------------------------------------------------------
 */

/* The rowsets of an array; returns how many. */
static int
get_specimens(ArrayType *array, Specimen **specimens)
{
	Datum	   *values;
	int			nvalues;

	deconstruct_array(array, BYTEAOID, -1, false, TYPALIGN_INT, &values, NULL,
					  &nvalues);
	*specimens = palloc(nvalues * sizeof(Specimen));
	for (int i = 0; i < nvalues; i++)
	{
		bytea	   *value = DatumGetByteaP(values[i]);

		(*specimens)[i].bytes = (uint8 *) VARDATA(value);
		(*specimens)[i].size = VARSIZE(value) - VARHDRSZ;
	}
	return nvalues;
}

/*
 * rowser_test_mutant(rowset bytea, others bytea[], seed bigint) returns bytea
 */
Datum
rowser_test_mutant(PG_FUNCTION_ARGS)
{
	bytea	   *rowset = PG_GETARG_BYTEA_P(0);
	Specimen	own = {(uint8 *) VARDATA(rowset), VARSIZE(rowset) - VARHDRSZ};
	RowserBuffer mutant;
	bytea	   *result;
	Specimen   *others;
	int			nothers;

	nothers = get_specimens(PG_GETARG_ARRAYTYPE_P(1), &others);
	rowser_buffer_init(&mutant, own.size + 256, MUTANT_LIMIT);
	(void) hostile_mutant_make(own, others, nothers, PG_GETARG_INT64(2),
							   &mutant);
	result = palloc(VARHDRSZ + mutant.size);
	SET_VARSIZE(result, VARHDRSZ + mutant.size);
	memcpy(VARDATA(result), mutant.bytes, mutant.size);
	PG_RETURN_BYTEA_P(result);
}

/* ----------------------------------------------------------------
 *		Reading them
 * ----------------------------------------------------------------
 */

static void
read_one(Fuzz *fuzz, int64 seed)
{
	Reading    *reading = &fuzz->reading;
	MemoryContext old_context = MemoryContextSwitchTo(reading->context);
	uint64		choice = ~(uint64) seed;
	int			nothers = reading->ncalls - fuzz->nalways;
	RowserBuffer made;
	Making		making;
	bytea	   *mutant;

	rowser_buffer_init(&made, fuzz->own.size + 256, MUTANT_LIMIT);
	making = hostile_mutant_make(fuzz->own, fuzz->others, fuzz->nothers, seed,
								 &made);
	MemoryContextSwitchTo(old_context);
	mutant = hostile_fence_bytea(&fuzz->fence, made.size);
	memcpy(VARDATA(mutant), made.bytes, made.size);
	snprintf(reading->mutant, sizeof(reading->mutant),
			 "seed " INT64_FORMAT, seed);
	nmutants++;
	nsealed += making.sealed;
	reading->has_others = making.spliced;

	hostile_reading_begin(reading);
	for (int i = 0; i < fuzz->nalways; i++)
		hostile_reading_call(reading, i, mutant);
	for (int i = 0; i < fuzz->nsometimes && nothers > 0; i++)
		hostile_reading_call(reading,
							 fuzz->nalways + hostile_draw(&choice, nothers),
							 mutant);
	nreads += fuzz->nalways + (nothers > 0 ? fuzz->nsometimes : 0);
	hostile_reading_end(reading);
}

/* The most memory that this process has had, in kilobytes */
static int64
peak(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) != 0)
		elog(ERROR, "could not get the peak of memory: %m");
	return usage.ru_maxrss;
}

static void
read_all(Fuzz *fuzz, int64 first, int64 last, Size memory_limit)
{
	Tally	   *tally = fuzz->reading.tally;
	int64		peak_before;

	/* so that what is cached once is there already */
	fuzz->reading.tally = hostile_tally_create();
	read_one(fuzz, first);
	fuzz->reading.tally = tally;
	nmutants = nsealed = nreads = 0;

	peak_before = peak();
	hostile_memory_limit(memory_limit);
	PG_TRY();
	{
		for (int64 seed = first; seed <= last; seed++)
			read_one(fuzz, seed);
	}
	PG_FINALLY();
	{
		hostile_memory_unlimit();
	}
	PG_END_TRY();
	grown_kilobytes = peak() - peak_before;
}

/*
 * rowser_test_fuzz(rowset bytea, others bytea[], calls text[], nalways int,
 * nsometimes int, first_seed bigint, last_seed bigint, megabytes int)
 * returns setof (call, sqlstate, message, sample, located,
 * outcomes, slowest, mutant)
 *
 * `calls` are queries that take the mutant as $1.  The first `nalways` read
 * every one, and `nsometimes` of the others do.  What they do is undone.
 * Times are the processor's.
 */
Datum
rowser_test_fuzz(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	bytea	   *rowset = PG_GETARG_BYTEA_P(0);
	Fuzz		fuzz = {0};

	InitMaterializedSRF(fcinfo, 0);
	fuzz.own.bytes = (uint8 *) VARDATA(rowset);
	fuzz.own.size = VARSIZE(rowset) - VARHDRSZ;
	fuzz.nothers = get_specimens(PG_GETARG_ARRAYTYPE_P(1), &fuzz.others);
	fuzz.nalways = PG_GETARG_INT32(3);
	fuzz.nsometimes = PG_GETARG_INT32(4);
	fuzz.reading.by_cpu = true;
	fuzz.reading.undo = true;
	hostile_fence_open(&fuzz.fence, MUTANT_LIMIT);

	SPI_connect();
	PG_TRY();
	{
		hostile_reading_open(&fuzz.reading, PG_GETARG_ARRAYTYPE_P(2));
		read_all(&fuzz, PG_GETARG_INT64(5), PG_GETARG_INT64(6),
				 PG_GETARG_INT32(7) * MEGABYTE);
	}
	PG_FINALLY();
	{
		hostile_reading_close(&fuzz.reading);
		hostile_fence_close(&fuzz.fence);
	}
	PG_END_TRY();
	hostile_tally_put(fuzz.reading.tally, rsinfo->setResult, rsinfo->setDesc);
	SPI_finish();
	return (Datum) 0;
}

/*
 * rowser_test_fuzzed(OUT mutants bigint, OUT sealed bigint, OUT reads bigint,
 * OUT kilobytes bigint)
 *
 * How many mutants the last fuzzing read, how many of these had checksums that
 * were made to fit, how many reads that were, and by how much they raised the
 * most memory that this process has had.
 */
Datum
rowser_test_fuzzed(PG_FUNCTION_ARGS)
{
	TupleDesc	tupdesc;
	Datum		values[4];
	bool		nulls[4] = {false};

	values[0] = Int64GetDatum(nmutants);
	values[1] = Int64GetDatum(nsealed);
	values[2] = Int64GetDatum(nreads);
	values[3] = Int64GetDatum(grown_kilobytes);
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc),
													  values, nulls)));
}
