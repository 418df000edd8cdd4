/*-------------------------------------------------------------------------
 *
 * arrow_import_nested.c
 *	  Arrow's lists and structs as Datums: arrays, composites and records.
 *
 * The values of what is NULL may be anything, so they are passed over.
 *
 * Memory: values, and the parts that they are made of, are in the current
 * context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"

#include "columns/arrow_import.h"

/* ----------------------------------------------------------------
 *		Lists
 * ----------------------------------------------------------------
 */

/* Which values, from the first list's on, belong to lists that are NULL. */
static bool *
values_to_skip(const RowserArrowArray *array, uint32 start, uint32 nvalues,
			   const bool *nulls)
{
	uint32		first = rowser_arrow_list_offset(array, start);
	bool	   *skip;

	skip = rowser_import_alloc(rowser_arrow_list_offset(array,
														start + nvalues) -
							   first, sizeof(bool));
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		from = rowser_arrow_list_offset(array, start + i);

		memset(skip + (from - first), nulls[i],
			   rowser_arrow_list_offset(array, start + i + 1) - from);
	}
	return skip;
}

static Datum
make_array(const RowserImport *import, Datum *values, bool *nulls,
		   uint32 nvalues)
{
	int			dims[1] = {(int) nvalues};
	int			lbounds[1] = {1};

	if (nvalues == 0)
		return PointerGetDatum(construct_empty_array(import->element));
	return PointerGetDatum(construct_md_array(values, nulls, 1, dims, lbounds,
											  import->element,
											  import->element_typlen,
											  import->element_typbyval,
											  import->element_typalign));
}

void
rowser_import_lists(RowserImport *import, const RowserArrowArray *array,
					uint32 start, uint32 nvalues, const bool *nulls,
					Datum *values)
{
	uint32		first = rowser_arrow_list_offset(array, start);
	uint32		count = rowser_arrow_list_offset(array, start + nvalues) - first;
	Datum	   *elements;
	bool	   *element_nulls;
	bool	   *skip;

	rowser_imports_check_memory(import->imports, (uint64) count *
								(sizeof(Datum) + 2 * sizeof(bool)));
	elements = rowser_import_alloc(count, sizeof(Datum));
	element_nulls = rowser_import_alloc(count, sizeof(bool));
	skip = values_to_skip(array, start, nvalues, nulls);
	rowser_import_values(&import->children[0], &array->children[0], first,
						 count, skip, elements, element_nulls);
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		from = rowser_arrow_list_offset(array, start + i);

		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			continue;
		rowser_imports_check_memory(import->imports, 0);
		values[i] = make_array(import, elements + (from - first),
							   element_nulls + (from - first),
							   rowser_arrow_list_offset(array, start + i + 1) -
							   from);
	}
	pfree(elements);
	pfree(element_nulls);
	pfree(skip);
}

/* ----------------------------------------------------------------
 *		Structs
 * ----------------------------------------------------------------
 */

void
rowser_import_structs(RowserImport *import, const RowserArrowArray *array,
					  uint32 start, uint32 nvalues, const bool *nulls,
					  Datum *values)
{
	uint32		nchildren = import->nchildren;
	int			natts = import->tupdesc->natts;
	Datum	  **columns = palloc(Max(nchildren, 1) * sizeof(Datum *));
	bool	  **column_nulls = palloc(Max(nchildren, 1) * sizeof(bool *));
	Datum	   *row = palloc0(Max(natts, 1) * sizeof(Datum));
	bool	   *row_nulls = palloc(Max(natts, 1) * sizeof(bool));

	rowser_imports_check_memory(import->imports, (uint64) nvalues * nchildren *
								(sizeof(Datum) + sizeof(bool)));
	for (uint32 i = 0; i < nchildren; i++)
	{
		columns[i] = rowser_import_alloc(nvalues, sizeof(Datum));
		column_nulls[i] = rowser_import_alloc(nvalues, sizeof(bool));
		rowser_import_values(&import->children[i], &array->children[i], start,
							 nvalues, nulls, columns[i], column_nulls[i]);
	}
	/* dropped attributes */
	memset(row_nulls, true, natts * sizeof(bool));
	for (uint32 i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			continue;
		rowser_imports_check_memory(import->imports, 0);
		for (uint32 j = 0; j < nchildren; j++)
		{
			row[import->attributes[j]] = columns[j][i];
			row_nulls[import->attributes[j]] = column_nulls[j][i];
		}
		values[i] = HeapTupleGetDatum(heap_form_tuple(import->tupdesc, row,
													  row_nulls));
	}
	for (uint32 i = 0; i < nchildren; i++)
	{
		pfree(columns[i]);
		pfree(column_nulls[i]);
	}
}
