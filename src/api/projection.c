/*-------------------------------------------------------------------------
 *
 * projection.c
 *	  Rows of a shape that the caller names, from what a reader reads.
 *
 * Memory: the context that the function is called in.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/tuplestore.h"

#include "api/large_row.h"
#include "api/projection.h"
#include "columns/domain.h"
#include "large_memory.h"

void
rowser_projection_init(RowserProjection *projection, TupleDesc tupdesc)
{
	int			natts = Max(tupdesc->natts, 1);

	projection->tupdesc = tupdesc;
	projection->selected = NULL;
	projection->values = palloc0(natts * sizeof(Datum));
	projection->nulls = palloc(natts * sizeof(bool));
	memset(projection->nulls, true, natts * sizeof(bool));
}

static inline void
fill_row(RowserProjection *projection, const RowserReader *reader, uint32 row)
{
	for (int i = 0; i < projection->tupdesc->natts; i++)
	{
		int			selected = projection->selected[i];

		if (selected == ROWSER_NOT_SELECTED)
			continue;
		projection->values[i] = rowser_reader_values(reader, selected)[row];
		projection->nulls[i] = rowser_reader_nulls(reader, selected)[row];
	}
}

void
rowser_projection_fill(RowserProjection *projection,
					   const RowserReader *reader, uint32 row)
{
	fill_row(projection, reader, row);
}

TupleDesc
rowser_projection_expected(FunctionCallInfo fcinfo)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	if (rsinfo == NULL || !IsA(rsinfo, ReturnSetInfo))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("set-valued function called in context that cannot accept a set")));
	if (rsinfo->expectedDesc == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("function returning record called in context "
						"that cannot accept type record"),
				 errhint("Call it in FROM with a column definition list, such as the one that rowset_column_list gives.")));
	return rsinfo->expectedDesc;
}

/* Put the row into the function's tuplestore. */
static void
put_row(RowserProjection *projection, const ReturnSetInfo *rsinfo,
		bool may_be_large)
{
	if (may_be_large &&
		rowser_large_row_is_one(rsinfo->setDesc, projection->values,
								projection->nulls))
		rowser_large_row_put(rsinfo->setResult, rsinfo->setDesc,
							 projection->values, projection->nulls);
	else
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc,
							 projection->values, projection->nulls);
}

void
rowser_projection_put_rows(RowserProjection *projection,
						   FunctionCallInfo fcinfo, RowserReader *reader,
						   Oid domain)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	RowserDomain *check = OidIsValid(domain) ? rowser_domain_create(domain) :
	NULL;
	uint32		nrows;

	while ((nrows = rowser_reader_next(reader)) > 0)
	{
		bool		may_be_large =
		rowser_reader_group_size(reader) >= ROWSER_LARGE_MEMORY_SIZE;

		for (uint32 row = 0; row < nrows; row++)
		{
			fill_row(projection, reader, row);
			if (check != NULL)
			{
				HeapTuple	tuple = heap_form_tuple(projection->tupdesc,
													projection->values,
													projection->nulls);

				rowser_domain_check(check, HeapTupleGetDatum(tuple), false);
				heap_freetuple(tuple);
			}
			put_row(projection, rsinfo, may_be_large);
		}
	}
}
