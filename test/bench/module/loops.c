/*-------------------------------------------------------------------------
 *
 * loops.c
 *	  Loops in C, to be timed against the same in PL/pgSQL, SQL and PL/Perl.
 *
 * Each does what its namesakes in suites/loops/loops.sql do, one step an
 * iteration, and gives the same check value.  None takes a short cut that a
 * loop in another language could not: each iteration can be cancelled, and
 * where SQL is run, it is run by a plan that is prepared once, through SPI,
 * with the options that PL/pgSQL runs its own statements with.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/tuplestore.h"

/* As many rows a fetch as PL/pgSQL's own loop over a query takes. */
#define ROWS_A_FETCH	50

PG_FUNCTION_INFO_V1(bench_loop_counter);
PG_FUNCTION_INFO_V1(bench_loop_branch);
PG_FUNCTION_INFO_V1(bench_loop_expression);
PG_FUNCTION_INFO_V1(bench_loop_lookup);
PG_FUNCTION_INFO_V1(bench_loop_rows);

/* Count to n.  That each turn may be cancelled keeps the loop a loop. */
Datum
bench_loop_counter(PG_FUNCTION_ARGS)
{
	int64		n = PG_GETARG_INT64(0);
	int64		counter = 0;

	while (counter < n)
	{
		CHECK_FOR_INTERRUPTS();
		counter = counter + 1;
	}

	PG_RETURN_INT64(counter);
}

/* Some arithmetic and a branch that nothing can foresee. */
Datum
bench_loop_branch(PG_FUNCTION_ARGS)
{
	int64		n = PG_GETARG_INT64(0);
	int64		sum = 0;

	for (int64 i = 1; i <= n; i++)
	{
		int64		x = (i * 1103515245 + 12345) % 2147483648;

		CHECK_FOR_INTERRUPTS();
		if (x % 3 == 0)
			sum += x % 1000;
		else
			sum -= 1;
	}

	PG_RETURN_INT64(sum);
}

/* Prepare a query of one bigint parameter. */
static SPIPlanPtr
prepare_query(const char *query)
{
	Oid			argument = INT8OID;
	SPIPlanPtr	plan = SPI_prepare(query, 1, &argument);

	if (plan == NULL)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("could not prepare the query"));
	return plan;
}

/* Run the plan for one argument; gives the int4 of its one row. */
static int32
run_for_int32(SPIPlanPtr plan, int64 argument)
{
	Datum		value = Int64GetDatum(argument);
	bool		isnull = true;
	int32		result = 0;

	if (SPI_execute_plan(plan, &value, NULL, false, 1) == SPI_OK_SELECT &&
		SPI_processed == 1)
		result = DatumGetInt32(SPI_getbinval(SPI_tuptable->vals[0],
											 SPI_tuptable->tupdesc, 1,
											 &isnull));
	if (isnull)
		ereport(ERROR,
				errcode(ERRCODE_NO_DATA_FOUND),
				errmsg("query returned no row"));
	SPI_freetuptable(SPI_tuptable);
	return result;
}

/* One SQL expression an iteration. */
Datum
bench_loop_expression(PG_FUNCTION_ARGS)
{
	int64		n = PG_GETARG_INT64(0);
	int64		sum = 0;
	SPIPlanPtr	plan;

	SPI_connect();
	plan = prepare_query("SELECT hashint8($1) & 127");
	for (int64 i = 1; i <= n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		sum += run_for_int32(plan, i);
	}
	SPI_finish();

	PG_RETURN_INT64(sum);
}

/* One look-up by primary key an iteration, in the table that is named. */
Datum
bench_loop_lookup(PG_FUNCTION_ARGS)
{
	int64		n = PG_GETARG_INT64(0);
	int32		table_number = PG_GETARG_INT32(1);
	int64		sum = 0;
	SPIPlanPtr	plan;

	SPI_connect();
	plan = prepare_query(psprintf("SELECT v FROM loops.lookup_%d WHERE id = $1",
								  table_number));
	for (int64 i = 1; i <= n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		sum += run_for_int32(plan, i * 7919 % 10000 + 1);
	}
	SPI_finish();

	PG_RETURN_INT64(sum);
}

/* Read one row of (id int, v int), put the one made of it into the result. */
static void
make_row(ReturnSetInfo *rsinfo, HeapTuple tuple, TupleDesc desc)
{
	bool		isnull[2];
	Datum		values[2];
	int64		id;
	int64		v;

	heap_deform_tuple(tuple, desc, values, isnull);
	id = DatumGetInt32(values[0]);
	v = DatumGetInt32(values[1]);
	values[1] = Int32GetDatum((int32) ((v * 7 + id) % 1000));
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, isnull);
}

/* Over the first n rows of a query, with a row made of each. */
Datum
bench_loop_rows(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	Datum		n = PG_GETARG_DATUM(0);
	Portal		cursor;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);

	SPI_connect();
	cursor = SPI_cursor_open(NULL,
							 prepare_query("SELECT id, v FROM loops.source "
										   "WHERE id <= $1 ORDER BY id"),
							 &n, NULL, false);
	for (;;)
	{
		SPI_cursor_fetch(cursor, true, ROWS_A_FETCH);
		if (SPI_processed == 0)
			break;
		for (uint64 i = 0; i < SPI_processed; i++)
		{
			CHECK_FOR_INTERRUPTS();
			make_row(rsinfo, SPI_tuptable->vals[i], SPI_tuptable->tupdesc);
		}
		SPI_freetuptable(SPI_tuptable);
	}
	SPI_cursor_close(cursor);
	SPI_finish();

	return (Datum) 0;
}
