/*-------------------------------------------------------------------------
 *
 * chunker.c
 *	  Writing rows as rowsets of bounded size, one after the other.
 *
 * How many bytes rows take is known once their row group is encoded; before,
 * only about how many they take at the most.  So a group is closed as soon as
 * the chunk might be too large with one more row.  What compression has then
 * saved is room for another group, until little room is left.
 *
 * A row that is larger than all before it can still bring a chunk past its
 * size.  For that case the rows of the group are kept as tuples until it is
 * known to fit; if it doesn't, it is taken back and its rows are written again
 * as smaller groups.
 *
 * Memory: everything is in the chunker's context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "utils/memutils.h"

#include "rowset/chunker.h"

/* Room for a group is used down to this part of the chunk's size. */
#define WORTHWHILE_ROOM(chunk_size) ((chunk_size) / 4)

/* Before a tuple that is kept */
#define KEPT_HEADER_SIZE MAXALIGN(sizeof(Size))

struct RowserChunker
{
	MemoryContext context;
	TupleDesc	tupdesc;
	RowserWriterOptions options;
	uint64		chunk_size;
	RowserProgress *progress;	/* borrowed */

	RowserWriter *writer;		/* of the chunk that is being filled, or NULL */
	uint64		pending_size;	/* of the rows in the group being filled */
	uint64		largest_row;	/* by what it added to that, lately */
	List	   *chunks;			/* done, not handed out yet */

	/* the rows of the group that is being filled, one tuple after the other */
	char	   *kept;
	Size		kept_size;
	Size		kept_capacity;
	uint32		nkept;
};

/* ----------------------------------------------------------------
 *		Chunks
 * ----------------------------------------------------------------
 */

/* Begin a chunk. */
static void
begin_chunk(RowserChunker *chunker)
{
	MemoryContext old_context = MemoryContextSwitchTo(chunker->context);

	chunker->writer = rowser_writer_create(chunker->tupdesc, chunker->options);
	rowser_writer_set_progress(chunker->writer, chunker->progress);
	chunker->largest_row /= 2;
	MemoryContextSwitchTo(old_context);
}

/* End the chunk with the groups that it has. */
static void
end_chunk(RowserChunker *chunker)
{
	MemoryContext old_context = MemoryContextSwitchTo(chunker->context);

	chunker->chunks = lappend(chunker->chunks,
							  rowser_writer_finish(chunker->writer));
	chunker->writer = NULL;
	MemoryContextSwitchTo(old_context);
}

RowserChunker *
rowser_chunker_create(TupleDesc tupdesc, RowserWriterOptions options,
					  uint64 chunk_size, RowserProgress *progress)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser chunker",
												  ALLOCSET_DEFAULT_SIZES);
	RowserChunker *chunker = MemoryContextAllocZero(context,
													sizeof(RowserChunker));
	MemoryContext old_context = MemoryContextSwitchTo(context);

	chunker->context = context;
	chunker->tupdesc = CreateTupleDescCopy(tupdesc);
	chunker->options = options;
	chunker->chunk_size = chunk_size;
	chunker->progress = progress;
	MemoryContextSwitchTo(old_context);
	begin_chunk(chunker);
	return chunker;
}

/* ----------------------------------------------------------------
 *		Groups
 * ----------------------------------------------------------------
 */

/*
 * Make room for a tuple, which is zeroed, behind those that are kept.  Its size
 * stands before it, since a row of several values may exceed what a tuple's own
 * header can say.
 */
static HeapTupleHeader
reserve_tuple(RowserChunker *chunker, Size tuple_size)
{
	Size		size = KEPT_HEADER_SIZE + MAXALIGN(tuple_size);
	char	   *place;

	if (size > chunker->kept_capacity - chunker->kept_size)
	{
		Size		capacity = Max(chunker->kept_size + size,
								   chunker->kept_capacity * 2);

		if (chunker->kept == NULL)
			chunker->kept = MemoryContextAllocHuge(chunker->context, capacity);
		else
			chunker->kept = repalloc_huge(chunker->kept, capacity);
		chunker->kept_capacity = capacity;
	}
	place = chunker->kept + chunker->kept_size;
	memset(place, 0, size);
	*(Size *) place = size;
	chunker->kept_size += size;
	chunker->nkept++;
	return (HeapTupleHeader) (place + KEPT_HEADER_SIZE);
}

/*
 * Keep a row until its group is known to fit.  Tuples lie side by side in
 * memory that is used again for the next group; allocating each of them would
 * cost as much as all else that is done with a row.
 */
static void
keep_row(RowserChunker *chunker, const Datum *values, const bool *nulls)
{
	TupleDesc	tupdesc = chunker->tupdesc;
	Size		header_size = MAXALIGN(SizeofHeapTupleHeader +
									   BITMAPLEN(tupdesc->natts));
	Size		data_size = heap_compute_data_size(tupdesc, (Datum *) values,
												   (bool *) nulls);
	HeapTupleHeader tuple = reserve_tuple(chunker, header_size + data_size);

	HeapTupleHeaderSetNatts(tuple, tupdesc->natts);
	tuple->t_hoff = header_size;
	heap_fill_tuple(tupdesc, (Datum *) values, (bool *) nulls,
					(char *) tuple + header_size, data_size,
					&tuple->t_infomask, tuple->t_bits);
}

static void
forget_rows(RowserChunker *chunker)
{
	chunker->kept_size = 0;
	chunker->nkept = 0;
	chunker->pending_size = 0;
}

/* Write kept rows again, as one group; returns where the next one is kept. */
static char *
write_kept(RowserChunker *chunker, char *next, uint32 nrows)
{
	int			natts = Max(chunker->tupdesc->natts, 1);
	Datum	   *values = palloc(natts * sizeof(Datum));
	bool	   *nulls = palloc(natts * sizeof(bool));

	for (uint32 i = 0; i < nrows; i++)
	{
		HeapTupleData tuple = {
			.t_data = (HeapTupleHeader) (next + KEPT_HEADER_SIZE)
		};

		heap_deform_tuple(&tuple, chunker->tupdesc, values, nulls);
		rowser_writer_append(chunker->writer, values, nulls);
		next += *(Size *) next;
	}
	rowser_writer_end_group(chunker->writer);
	pfree(values);
	pfree(nulls);
	return next;
}

/* Whether the groups fit; a single row has to. */
static bool
groups_fit(const RowserChunker *chunker, uint32 last_nrows)
{
	return rowser_writer_size(chunker->writer) <= chunker->chunk_size ||
		(last_nrows == 1 && rowser_writer_ngroups(chunker->writer) == 1);
}

/*
 * Take back the last group, with which the chunk is too large, and put its rows
 * into chunks of their own.  If the last row is what is too much, all but that
 * one fit.
 */
static void
split_group(RowserChunker *chunker)
{
	char	   *next = chunker->kept;
	uint32		nleft = chunker->nkept;
	uint32		nrows = nleft;
	bool		was_split = false;

	rowser_writer_drop_group(chunker->writer);
	if (rowser_writer_ngroups(chunker->writer) == 0)
	{
		was_split = true;
		nrows--;
	}
	while (nleft > 0)
	{
		char	   *behind;

		if (rowser_writer_ngroups(chunker->writer) > 0)
		{
			end_chunk(chunker);
			begin_chunk(chunker);
		}
		behind = write_kept(chunker, next, nrows);
		if (groups_fit(chunker, nrows))
		{
			next = behind;
			nleft -= nrows;
			nrows = nleft;
			continue;
		}
		rowser_writer_drop_group(chunker->writer);
		nrows = was_split ? (nrows + 1) / 2 : nrows - 1;
		was_split = true;
	}
}

/* A group has been closed: see if it fits, and if another one does. */
static void
settle_group(RowserChunker *chunker)
{
	if (!groups_fit(chunker, chunker->nkept))
		split_group(chunker);
	forget_rows(chunker);
	if (rowser_writer_size(chunker->writer) +
		WORTHWHILE_ROOM(chunker->chunk_size) > chunker->chunk_size)
		end_chunk(chunker);
}

/* ----------------------------------------------------------------
 *		Rows
 * ----------------------------------------------------------------
 */

void
rowser_chunker_append(RowserChunker *chunker, const Datum *values,
					  const bool *nulls)
{
	uint64		pending_size;

	if (chunker->writer == NULL)
		begin_chunk(chunker);
	keep_row(chunker, values, nulls);
	rowser_writer_append(chunker->writer, values, nulls);
	if (rowser_writer_pending(chunker->writer) == 0)
	{
		settle_group(chunker);
		return;
	}
	pending_size = rowser_writer_pending_size(chunker->writer);
	chunker->largest_row = Max(chunker->largest_row,
							   pending_size - chunker->pending_size);
	chunker->pending_size = pending_size;
	if (rowser_writer_expected_size(chunker->writer) + chunker->largest_row >
		chunker->chunk_size)
	{
		rowser_writer_end_group(chunker->writer);
		settle_group(chunker);
	}
}

uint64
rowser_chunker_room(const RowserChunker *chunker)
{
	uint64		size = 0;

	if (chunker->writer != NULL)
		size = rowser_writer_expected_size(chunker->writer);
	if (size >= chunker->chunk_size)
		return 1;
	return Max((chunker->chunk_size - size) / Max(chunker->largest_row, 1), 1);
}

void
rowser_chunker_finish(RowserChunker *chunker)
{
	if (chunker->writer != NULL && rowser_writer_pending(chunker->writer) > 0)
	{
		rowser_writer_end_group(chunker->writer);
		settle_group(chunker);
	}
	if (chunker->writer != NULL)
		end_chunk(chunker);
}

bytea *
rowser_chunker_next(RowserChunker *chunker)
{
	bytea	   *chunk;

	if (chunker->chunks == NIL)
		return NULL;
	chunk = linitial(chunker->chunks);
	chunker->chunks = list_delete_first(chunker->chunks);
	return chunk;
}
