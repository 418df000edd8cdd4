/*-------------------------------------------------------------------------
 *
 * convert_to_copy.c
 *	  rowset_to_copy(): a rowset as COPY (query) TO ... (FORMAT binary) writes
 *	  a query's result.
 *
 * Send functions are called as COPY calls them: text is in client_encoding,
 * which is what COPY FROM takes the bytes to be in.  Arrays and composites are
 * sent with the OIDs of their parts' types, domains among them.
 *
 * Memory: see convert_rows.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "libpq/pqformat.h"
#include "port/pg_bswap.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "api/convert_rows.h"
#include "api/copy_format.h"
#include "compat.h"

PG_FUNCTION_INFO_V1(rowset_to_copy);

/* Look up the columns' send functions. */
static FmgrInfo *
find_send_functions(RowserConvertRows *rows)
{
	FmgrInfo   *functions = palloc(Max(rows->ncolumns, 1) * sizeof(FmgrInfo));

	for (uint32 i = 0; i < rows->ncolumns; i++)
	{
		Oid			function;
		bool		is_varlena;

		rows->column = i;
		getTypeBinaryOutputInfo(rows->types[i], &function, &is_varlena);
		fmgr_info(function, &functions[i]);
	}
	return functions;
}

/* Append the row at hand. */
static void
send_row(RowserConvertRows *rows, FmgrInfo *functions, StringInfo result)
{
	MemoryContext old_context = MemoryContextSwitchTo(rows->context);
	int16		count = pg_hton16((int16) rows->ncolumns);

	rowser_convert_append(result, (const char *) &count, sizeof(count),
						  "bytea");
	for (uint32 i = 0; i < rows->ncolumns; i++)
	{
		bytea	   *value = NULL;
		int32		size = ROWSER_COPY_NULL;
		int32		sent;

		rows->column = i;
		if (!rows->nulls[i])
		{
			value = SendFunctionCall(&functions[i], rows->values[i]);
			size = VARSIZE(value) - VARHDRSZ;
		}
		sent = pg_hton32(size);
		rowser_convert_append(result, (const char *) &sent, sizeof(sent),
							  "bytea");
		if (value != NULL)
			rowser_convert_append(result, VARDATA(value), size, "bytea");
	}
	rows->column = ROWSER_CONVERT_NO_COLUMN;
	MemoryContextSwitchTo(old_context);
}

/*
 * rowset_to_copy(rowset bytea) returns bytea
 */
Datum
rowset_to_copy(PG_FUNCTION_ARGS)
{
	RowserConvertRows rows;
	FmgrInfo   *functions;
	StringInfoData result;
	int16		end = pg_hton16(ROWSER_COPY_END);

	rowser_convert_begin(&rows, PG_GETARG_DATUM(0), true);
	functions = find_send_functions(&rows);
	rowser_convert_init_result(&result);
	appendBinaryStringInfo(&result, ROWSER_COPY_SIGNATURE,
						   ROWSER_COPY_SIGNATURE_SIZE);
	pq_sendint32(&result, 0);	/* flags */
	pq_sendint32(&result, 0);	/* no extension */
	while (rowser_convert_next(&rows))
		send_row(&rows, functions, &result);
	rowser_convert_end(&rows);
	rowser_convert_append(&result, (const char *) &end, sizeof(end), "bytea");
	PG_RETURN_DATUM(rowser_convert_finish_result(&result));
}
