/*-------------------------------------------------------------------------
 *
 * arrow_import_step.c
 *	  How many values of Arrow arrays are imported at once, so that memory stays
 *	  in bounds.
 *
 * What values weigh is how much there is to decode of them (arrow_array.h) and
 * to copy: a list or a struct gets a copy of each value that it has from a
 * dictionary, and an index of a byte may lead to megabytes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "columns/arrow_import.h"
#include "columns/memory_limit.h"

/*
 * What values that are imported at once may weigh, if there are several, and what
 * one may: as much as 1 GB of Datums, or of text and its copy
 */
#define STEP_WEIGHT		(1024 * 1024)
#define VALUE_WEIGHT	(2 * MaxAllocSize / sizeof(Datum))

/* What the values weigh that some of an array's indexes lead to */
static uint64
indexed_weight(const RowserImportForm *form, const RowserArrowArray *array,
			   uint32 start, uint32 nvalues)
{
	uint64		size = 0;

	if (form->typlen != -1)
		return (uint64) nvalues * Max(form->typlen, 0) / sizeof(Datum);
	for (uint32 i = start; i < start + nvalues; i++)
	{
		uint32		index;

		if (rowser_arrow_is_null(array, i))
			continue;
		index = rowser_arrow_index(array, i);
		if (index < form->nvalues && !form->nulls[index])
			size += VARSIZE_ANY(DatumGetPointer(form->values[index]));
	}
	return size / sizeof(Datum);
}

/* What is copied from dictionaries into some of an array's lists and structs */
static uint64
copied_weight(const RowserImport *import, const RowserArrowArray *array,
			  uint32 start, uint32 nvalues)
{
	uint64		weight = 0;
	uint32		first = start;
	uint32		count = nvalues;

	check_stack_depth();
	if (nvalues == 0 || import->nchildren == 0)
		return 0;
	if (array->field->type != ROWSER_ARROW_STRUCT)
	{
		first = rowser_arrow_list_offset(array, start);
		count = rowser_arrow_list_offset(array, start + nvalues) - first;
	}
	for (uint32 i = 0; i < import->nchildren; i++)
	{
		const RowserImport *child = &import->children[i];
		const RowserArrowArray *values = &array->children[i];

		weight += values->is_indexes ?
			indexed_weight(child->form, values, first, count) :
			copied_weight(child, values, first, count);
	}
	return weight;
}

/*
 * What some values of several arrays weigh, or no more of it than tells that it is
 * past a limit: what is copied takes a look at each index, and is only looked at
 * where these themselves are not too many.
 */
static uint64
total_weight(const RowserImport *imports, const RowserArrowArray *arrays,
			 uint32 narrays, uint32 start, uint32 nvalues, uint64 limit)
{
	uint64		weight = 0;

	for (uint32 i = 0; i < narrays; i++)
		weight += rowser_arrow_weight(&arrays[i], start, nvalues);
	for (uint32 i = 0; i < narrays && weight <= limit; i++)
		weight += copied_weight(&imports[i], &arrays[i], start, nvalues);
	return weight;
}

uint32
rowser_import_step(const RowserImport *imports,
				   const RowserArrowArray *arrays, uint32 narrays,
				   uint32 start, uint32 most)
{
	for (uint32 step = most; step > 1; step /= 2)
	{
		if (total_weight(imports, arrays, narrays, start, step,
						 STEP_WEIGHT) <= STEP_WEIGHT)
			return step;
	}
	if (total_weight(imports, arrays, narrays, start, 1,
					 VALUE_WEIGHT) > VALUE_WEIGHT)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("row of Arrow stream is too large"),
				 errdetail("Its lists have too many values, or its texts too many bytes.")));
	return 1;
}

void
rowser_imports_check_memory(const RowserImports *imports, uint64 more)
{
	uint64		limit = rowser_memory_limit(imports->reader->size);
	uint64		used = (uint64) imports->memory +
		MemoryContextMemAllocated(CurrentMemoryContext, false);

	if (used + more > limit)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("Arrow stream takes too much memory to read"),
				 errdetail("A stream of this size may take " UINT64_FORMAT " MB at a time.",
						   limit / (1024 * 1024))));
}
