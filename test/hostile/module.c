/*-------------------------------------------------------------------------
 *
 * module.c
 *	  The magic of the test's module, and its small calls.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "bytes/compress.h"
#include "reseal.h"

PG_MODULE_MAGIC;

/* visible, unlike all else; before 16, fmgr.h doesn't say so */
extern PGDLLEXPORT Datum rowser_test_reseal(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_compress(PG_FUNCTION_ARGS);

PG_FUNCTION_INFO_V1(rowser_test_reseal);
PG_FUNCTION_INFO_V1(rowser_test_compress);

/*
 * rowser_test_reseal(rowset bytea) returns bytea
 */
Datum
rowser_test_reseal(PG_FUNCTION_ARGS)
{
	bytea	   *rowset = PG_GETARG_BYTEA_P_COPY(0);

	hostile_reseal((uint8 *) VARDATA(rowset), VARSIZE(rowset) - VARHDRSZ);
	PG_RETURN_BYTEA_P(rowset);
}

/*
 * rowser_test_compress(method int, bytes bytea) returns bytea
 */
Datum
rowser_test_compress(PG_FUNCTION_ARGS)
{
	RowserCompression compression = {(RowserMethod) PG_GETARG_INT32(0), 0};
	bytea	   *bytes = PG_GETARG_BYTEA_P(1);
	size_t		size = VARSIZE(bytes) - VARHDRSZ;
	size_t		capacity = size + size / 128 + 128;
	bytea	   *result = palloc(VARHDRSZ + capacity);
	size_t		stored = rowser_compress(compression,
										 (uint8 *) VARDATA(bytes), size,
										 (uint8 *) VARDATA(result), capacity);

	if (stored == 0)
		PG_RETURN_NULL();
	SET_VARSIZE(result, VARHDRSZ + stored);
	PG_RETURN_BYTEA_P(result);
}
