/*-------------------------------------------------------------------------
 *
 * slice.c
 *	  Some of a rowset's rows as a rowset.
 *
 * A row group that lies in the slice as a whole is copied as it is; groups
 * outside of it are not even fetched.  The one or two that it cuts are taken
 * apart into values and put together again without a look at their types.
 *
 * Memory: the result is in the current context.  What a group that is cut
 * needs is in a context of its own, and what a row needs on its way in one
 * below that.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "columns/recode.h"
#include "rowset/reader_state.h"
#include "rowset/slice.h"

/* A row group of which a part is taken */
typedef struct Cut
{
	RowserReader *reader;
	const RowserGroup *group;
	RowserCursor at;			/* where faults are noted */
	uint32		ncolumns;
	RowserDecoder *decoders;	/* one a column, as the vectors */
	RowserVector *vectors;
	uint64		row_growth;		/* of each row, by fixed-width columns */
} Cut;

/* Make a decoder and a vector for each column, the decoder past some rows. */
static void
begin_cut(Cut *cut, uint32 skip)
{
	const RowserHeader *header = rowser_reader_header(cut->reader);
	const RowserGroup *group = cut->group;

	rowser_reader_need_group(cut->reader, group);
	cut->ncolumns = header->ncolumns;
	cut->decoders = palloc0(Max(cut->ncolumns, 1) * sizeof(RowserDecoder));
	cut->vectors = palloc0(Max(cut->ncolumns, 1) * sizeof(RowserVector));
	for (uint32 i = 0; i < cut->ncolumns; i++)
	{
		const RowserType *type = &header->columns[i].type;

		rowser_reader_need_column(cut->reader, group, i);
		rowser_reader_set_column(cut->reader, i);
		rowser_decoder_init_stored(&cut->decoders[i], type);
		rowser_vector_init_stored(&cut->vectors[i], type, false);
		rowser_decoder_start(&cut->decoders[i], &group->columns[i],
							 group->body, &cut->at);
		rowser_decoder_skip(&cut->decoders[i], skip);
		cut->row_growth += type->width;
	}
}

/* Move rows to the writer, which gets a group whenever they fill one. */
static void
move_rows(Cut *cut, uint32 nrows, RowserWriter *writer,
		  MemoryContext row_context)
{
	MemoryContext old_context = MemoryContextSwitchTo(row_context);
	uint32		pending = 0;
	uint64		growth = 0;

	for (uint32 row = 0; row < nrows; row++)
	{
		CHECK_FOR_INTERRUPTS();
		for (uint32 i = 0; i < cut->ncolumns; i++)
		{
			rowser_reader_set_column(cut->reader, i);
			rowser_recode_next(&cut->decoders[i], &cut->vectors[i], 1,
							   &growth);
		}
		MemoryContextReset(row_context);
		growth += cut->row_growth;
		pending++;
		if (row + 1 == nrows || rowser_writer_is_full(writer, pending, growth))
		{
			rowser_writer_append_vectors(writer, cut->vectors, cut->ncolumns,
										 pending);
			pending = 0;
			growth = 0;
		}
	}
	MemoryContextSwitchTo(old_context);
}

/* Check, behind the group's last row, that there is nothing more. */
static void
finish_cut(Cut *cut)
{
	for (uint32 i = 0; i < cut->ncolumns; i++)
	{
		rowser_reader_set_column(cut->reader, i);
		rowser_decoder_finish(&cut->decoders[i]);
	}
}

/* Take `nrows` rows of a group, behind the first `skip` ones. */
static void
cut_group(RowserReader *reader, const RowserGroup *group, uint32 skip,
		  uint32 nrows, RowserWriter *writer)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser cut",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext row_context = AllocSetContextCreate(context,
													  "rowser cut row",
													  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	Cut			cut = {
		.reader = reader,
		.group = group,
		.at = reader->cursor
	};
	ErrorContextCallback callback;

	rowser_reader_push_context(reader, &callback);
	begin_cut(&cut, skip);
	move_rows(&cut, nrows, writer, row_context);
	if (skip + nrows == group->nrows)
		finish_cut(&cut);
	reader->column = ROWSER_NO_COLUMN;
	error_context_stack = callback.previous;
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
}

bytea *
rowser_slice(Datum rowset, uint64 offset, uint64 limit,
			 RowserWriterOptions options)
{
	RowserReader *reader = rowser_reader_open_datum(rowset, NULL);
	const RowserTrailer *trailer = rowser_reader_trailer(reader);
	RowserWriter *writer;
	uint64		from = Min(offset, trailer->nrows);
	uint64		to = from + Min(limit, trailer->nrows - from);
	uint64		start = 0;
	bytea	   *result;

	writer = rowser_writer_create_like(rowser_reader_header(reader),
											options);
	for (uint32 i = 0; i < trailer->ngroups && start < to; i++)
	{
		uint64		end = start + trailer->groups[i].nrows;

		if (end > from)
		{
			const RowserGroup *group = rowser_reader_group(reader, i);
			uint64		first = Max(start, from);
			uint64		last = Min(end, to);

			if (first == start && last == end)
			{
				rowser_reader_need_group(reader, group);
				rowser_writer_append_group(writer, group);
			}
			else
				cut_group(reader, group, first - start, last - first, writer);
		}
		start = end;
	}
	result = rowser_writer_finish(writer);
	rowser_reader_close(reader);
	return result;
}
