/*-------------------------------------------------------------------------
 *
 * large_row.c
 *	  Rows of many megabytes for a tuplestore.
 *
 * A tuplestore makes a copy of a row in memory of its own, and there is no
 * telling it from where to take that.  But it has the copy made by the slot that
 * the row is in.  So a large row comes in a slot of a kind of its own, which is
 * a virtual one but for where its copies are.
 *
 * Memory: the copies are in the context that the tuplestore asks for them in.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/tuptable.h"
#include "utils/memutils.h"

#include "api/large_row.h"
#include "compat.h"
#include "large_memory.h"

bool
rowser_large_row_is_one(TupleDesc tupdesc, Datum *values, bool *nulls)
{
	Size		size = heap_compute_data_size(tupdesc, values, nulls);

	return size >= ROWSER_LARGE_MEMORY_SIZE &&
		AllocSizeIsValid(size + MAXALIGN(SizeofMinimalTupleHeader +
										 BITMAPLEN(tupdesc->natts)));
}

/* The slot's method */
static MinimalTuple
copy_minimal_tuple(ROWSER_COPY_MINIMAL_TUPLE_ARGS)
{
	TupleDesc	tupdesc = slot->tts_tupleDescriptor;
	Size		data_size = heap_compute_data_size(tupdesc, slot->tts_values,
												   slot->tts_isnull);
	bool		has_nulls = memchr(slot->tts_isnull, true,
								   tupdesc->natts * sizeof(bool)) != NULL;
	Size		header_size = SizeofMinimalTupleHeader;
	MinimalTuple tuple;

	if (has_nulls)
		header_size += BITMAPLEN(tupdesc->natts);
	header_size = MAXALIGN(header_size);
	tuple = rowser_large_memory_alloc(CurrentMemoryContext,
									  header_size + data_size);
	/* what lies between values has to be zero, too */
	memset(tuple, 0, header_size + data_size);
	tuple->t_len = header_size + data_size;
	tuple->t_hoff = header_size + MINIMAL_TUPLE_OFFSET;
	HeapTupleHeaderSetNatts(tuple, tupdesc->natts);
	heap_fill_tuple(tupdesc, slot->tts_values, slot->tts_isnull,
					(char *) tuple + header_size, data_size,
					&tuple->t_infomask, has_nulls ? tuple->t_bits : NULL);
	return tuple;
}

void
rowser_large_row_put(Tuplestorestate *store, TupleDesc tupdesc,
					 Datum *values, bool *nulls)
{
	TupleTableSlotOps ops = TTSOpsVirtual;
	TupleTableSlot *slot;

	ops.copy_minimal_tuple = copy_minimal_tuple;
	slot = MakeSingleTupleTableSlot(tupdesc, &ops);
	memcpy(slot->tts_values, values, tupdesc->natts * sizeof(Datum));
	memcpy(slot->tts_isnull, nulls, tupdesc->natts * sizeof(bool));
	ExecStoreVirtualTuple(slot);
	tuplestore_puttupleslot(store, slot);
	ExecDropSingleTupleTableSlot(slot);
}
