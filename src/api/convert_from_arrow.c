/*-------------------------------------------------------------------------
 *
 * convert_from_arrow.c
 *	  arrow_to_rowset(): the rows of an Arrow IPC stream as a rowset.
 *
 * Memory: the writer, and the stream's reader.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "compat.h"
#include "rowset/arrow_reader.h"
#include "rowset/writer.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(arrow_to_rowset);

/* Append the rows that are at hand. */
static void
append_rows(RowserWriter *writer, const RowserArrowRows *rows, uint32 nrows,
			Datum *values, bool *nulls)
{
	uint32		ncolumns = rowser_arrow_rows_tupdesc(rows)->natts;
	Datum	   *const *columns = rowser_arrow_rows_values(rows);
	bool	   *const *column_nulls = rowser_arrow_rows_nulls(rows);

	for (uint32 i = 0; i < nrows; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (uint32 j = 0; j < ncolumns; j++)
		{
			values[j] = columns[j][i];
			nulls[j] = column_nulls[j][i];
		}
		rowser_writer_append(writer, values, nulls);
	}
}

/*
 * arrow_to_rowset(arrow bytea) returns bytea
 */
Datum
arrow_to_rowset(PG_FUNCTION_ARGS)
{
	bytea	   *arrow = PG_GETARG_BYTEA_PP(0);
	RowserArrowRows *rows;
	RowserWriter *writer;
	uint32		ncolumns;
	uint32		nrows;
	Datum	   *values;
	bool	   *nulls;

	rows = rowser_arrow_rows_open(VARDATA_ANY(arrow),
								  VARSIZE_ANY_EXHDR(arrow));
	ncolumns = rowser_arrow_rows_tupdesc(rows)->natts;
	values = palloc(Max(ncolumns, 1) * sizeof(Datum));
	nulls = palloc(Max(ncolumns, 1) * sizeof(bool));
	writer = rowser_writer_create(rowser_arrow_rows_tupdesc(rows),
								  rowser_settings_writer_options());
	while ((nrows = rowser_arrow_rows_next(rows)) > 0)
		append_rows(writer, rows, nrows, values, nulls);
	rowser_arrow_rows_close(rows);
	PG_RETURN_BYTEA_P(rowser_writer_finish(writer));
}
