/*-------------------------------------------------------------------------
 *
 * module.c
 *	  A fault to be found: whether valgrind watches.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/memdebug.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(rowser_watch_undefined);

/*
 * Have memory checked that nobody wrote.  Returns 1 if the server was built
 * for valgrind.
 */
Datum
rowser_watch_undefined(PG_FUNCTION_ARGS)
{
	char	   *bytes = palloc(8);

	VALGRIND_CHECK_MEM_IS_DEFINED(bytes, 8);
	pfree(bytes);
#ifdef USE_VALGRIND
	PG_RETURN_INT32(1);
#else
	PG_RETURN_INT32(0);
#endif
}
