/*-------------------------------------------------------------------------
 *
 * cpu_time.c
 *	  Processor time of this backend, to set beside the time on the clock: on
 *	  a machine that does something else as well, the two differ.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <time.h>

#include "fmgr.h"

PG_FUNCTION_INFO_V1(bench_cpu_ms);

/* Milliseconds of processor time, user's and system's, since its start. */
Datum
bench_cpu_ms(PG_FUNCTION_ARGS)
{
	struct timespec now;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
		ereport(ERROR,
				errcode_for_file_access(),
				errmsg("could not read the processor time: %m"));

	PG_RETURN_FLOAT8(now.tv_sec * 1000.0 + now.tv_nsec / 1000000.0);
}
