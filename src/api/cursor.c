/*-------------------------------------------------------------------------
 *
 * cursor.c
 *	  rowset_open(): a cursor over a rowset, whose shape the rowset alone tells.
 *
 * The cursor is one over a query that is made here: it calls
 * rowset_to_recordset() with a column definition list of the rowset's own
 * columns, every name in it qualified.  Columns are matched by position and
 * renamed outside of the list, because a list refuses names that occur twice.
 *
 * A cursor that is to be held is an ordinary one with that option set: at the
 * end of the transaction core keeps its rows, as it does for DECLARE ... WITH
 * HOLD.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "api/column_list.h"
#include "api/schema.h"

PG_FUNCTION_INFO_V1(rowset_open);

/* A query that gives the rows of the rowset $1. */
static char *
make_query(RowserReader *reader, const char *schema)
{
	uint32		ncolumns = rowser_reader_header(reader)->ncolumns;
	StringInfoData sql;

	initStringInfo(&sql);
	if (ncolumns == 0)
	{
		/* no list can say that there are no columns */
		appendStringInfo(&sql,
						 "SELECT FROM pg_catalog.generate_series(1, %s.rowset_count($1))",
						 schema);
		return sql.data;
	}
	appendStringInfoString(&sql, "SELECT ");
	for (uint32 i = 0; i < ncolumns; i++)
		appendStringInfo(&sql, "%sc%u AS %s", i > 0 ? ", " : "", i + 1,
						 quote_identifier(rowser_reader_column_name(reader,
																	i)));
	appendStringInfo(&sql, " FROM %s.rowset_to_recordset($1, 'position'::pg_catalog.text) AS t(",
					 schema);
	for (uint32 i = 0; i < ncolumns; i++)
	{
		appendStringInfo(&sql, "%sc%u ", i > 0 ? ", " : "", i + 1);
		rowser_column_list_type(&sql, reader, i, true);
	}
	appendStringInfoChar(&sql, ')');
	return sql.data;
}

/* Whether the argument `hold` asks for a cursor to be held. */
static bool
wants_hold(FunctionCallInfo fcinfo, int argument)
{
	if (PG_ARGISNULL(argument))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("hold must not be NULL")));
	if (!PG_GETARG_BOOL(argument))
		return false;

	/* as for DECLARE: at COMMIT its query would run as somebody else */
	if (InSecurityRestrictedOperation())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("cannot open a cursor to be held within a security-restricted operation")));
	return true;
}

/*
 * rowset_open(rowset bytea, cursor refcursor, hold boolean) returns refcursor
 */
Datum
rowset_open(PG_FUNCTION_ARGS)
{
	RowserReader *reader;
	Oid			types[1] = {BYTEAOID};
	Datum		values[1];
	char	   *name = NULL;
	bool		hold = wants_hold(fcinfo, 2);
	char	   *query;
	Portal		portal;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	values[0] = PointerGetDatum(PG_GETARG_BYTEA_PP(0));
	if (!PG_ARGISNULL(1))
		name = text_to_cstring(PG_GETARG_TEXT_PP(1));

	reader = rowser_reader_open((bytea *) DatumGetPointer(values[0]));
	rowser_column_list_check_domains(reader);
	query = make_query(reader, rowser_schema_quoted(fcinfo));
	rowser_reader_close(reader);

	SPI_connect();
	portal = SPI_cursor_open_with_args(name, query, 1, types, values, NULL,
									   true, 0);
	if (portal == NULL)
		elog(ERROR, "could not open cursor: %s",
			 SPI_result_code_string(SPI_result));
	/* SPI doesn't promise to heed this one among its options */
	if (hold)
		portal->cursorOptions |= CURSOR_OPT_HOLD;
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(portal->name));
}
