/*-------------------------------------------------------------------------
 *
 * writer.c
 *	  Writing a rowset: rows in, one bytea out.
 *
 * Rows go into one vector a column; when a row group is full, its vectors are
 * encoded and appended to the result, which is built in place in the bytea that
 * is returned.
 *
 * Memory: the result grows in the context that was current when the writer was
 * made.  The vectors are in a context of the writer's own below it.  What
 * appending a row needs on the way is in row_context, reset for each row; what
 * encoding a group needs is in group_context, reset for each group.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "bytes/trailer.h"
#include "columns/describe.h"
#include "columns/encode.h"
#include "columns/vector.h"
#include "compat.h"
#include "errors.h"
#include "rowset/reader.h"
#include "rowset/writer.h"

/* Section 8 of the format: growth that closes a group */
#define GROUP_MAX_GROWTH	(16 * 1024 * 1024)

/* The header of a rowset of a few columns, and a row */
#define INITIAL_SIZE		512

struct RowserWriter
{
	RowserWriterOptions options;
	MemoryContext context;
	MemoryContext row_context;
	MemoryContext group_context;
	RowserBuffer result;		/* begins with a varlena header */
	size_t		header_size;	/* of the rowset's own header */

	uint32		ncolumns;
	RowserField *columns;
	RowserVector *vectors;
	int		   *attributes;		/* each column's index in a row */

	uint64		row_growth;		/* of each row, by its fixed-width columns */
	uint32		nrows;			/* in the group that is being filled */
	uint64		growth;

	RowserDirectoryEntry *groups;
	uint32		ngroups;
	uint32		groups_capacity;
};

static void
check_compression(RowserCompression compression)
{
	if (!rowser_method_is_built(compression.method))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("compression method %s is not supported",
						rowser_method_name(compression.method)),
				 errdetail("This build of rowser has no %s library.",
						   rowser_method_name(compression.method)),
				 errhint("Set rowser.compression to another method.")));
}

/* Make a column of each live attribute. */
static void
init_columns(RowserWriter *writer, TupleDesc tupdesc)
{
	int			natts = Max(tupdesc->natts, 1);

	writer->columns = palloc0(natts * sizeof(RowserField));
	writer->vectors = palloc0(natts * sizeof(RowserVector));
	writer->attributes = palloc0(natts * sizeof(int));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		uint32		column = writer->ncolumns;

		if (att->attisdropped)
			continue;
		writer->columns[column].name = rowser_string_copy(NameStr(att->attname));
		rowser_vector_init(&writer->vectors[column],
						   &writer->columns[column].type, att->atttypid,
						   att->atttypmod, att->attcollation,
						   NameStr(att->attname));
		writer->attributes[column] = i;
		writer->row_growth += writer->columns[column].type.width;
		writer->ncolumns++;
	}
}

/*
 * Make a writer without columns, whose result is allocated in the current
 * context.
 */
static RowserWriter *
create_empty(RowserWriterOptions options)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser writer",
												  ALLOCSET_DEFAULT_SIZES);
	RowserWriter *writer = MemoryContextAllocZero(context,
												  sizeof(RowserWriter));

	check_compression(options.compression);
	writer->options = options;
	writer->context = context;
	writer->row_context = AllocSetContextCreate(context, "rowser writer row",
												ALLOCSET_DEFAULT_SIZES);
	writer->group_context = AllocSetContextCreate(context,
												  "rowser writer group",
												  ALLOCSET_DEFAULT_SIZES);
	rowser_buffer_init(&writer->result, INITIAL_SIZE, MaxAllocSize);
	rowser_buffer_zeros(&writer->result, VARHDRSZ);
	return writer;
}

RowserWriter *
rowser_writer_create(TupleDesc tupdesc, RowserWriterOptions options)
{
	RowserWriter *writer = create_empty(options);
	MemoryContext old_context = MemoryContextSwitchTo(writer->context);
	RowserHeader header = {0};

	init_columns(writer, tupdesc);
	header.encoding.bytes = (const uint8 *) GetDatabaseEncodingName();
	header.encoding.size = strlen(GetDatabaseEncodingName());
	header.ncolumns = writer->ncolumns;
	header.columns = writer->columns;
	rowser_header_write(&writer->result, &header);
	writer->header_size = writer->result.size - VARHDRSZ;
	MemoryContextSwitchTo(old_context);
	return writer;
}

/* Note a group in the directory. */
static void
append_entry(RowserWriter *writer, uint64 size, uint64 header_size,
			 uint32 nrows)
{
	RowserDirectoryEntry *entry;

	if (writer->ngroups == writer->groups_capacity)
	{
		writer->groups_capacity = Max(writer->groups_capacity * 2, 16);
		if (writer->groups == NULL)
			writer->groups = MemoryContextAlloc(writer->context,
												writer->groups_capacity *
												sizeof(RowserDirectoryEntry));
		else
			writer->groups = repalloc_huge(writer->groups,
										   writer->groups_capacity *
										   sizeof(RowserDirectoryEntry));
	}
	entry = &writer->groups[writer->ngroups++];
	entry->offset = 0;
	entry->size = size;
	entry->header_size = header_size;
	entry->nrows = nrows;
}

/* Encode the rows that have come in since the last group. */
static void
finish_group(RowserWriter *writer)
{
	MemoryContext old_context;
	size_t		start = writer->result.size;
	size_t		header_size;
	uint64		raw_size = 0;
	uint64	   *offsets;
	RowserBuffer nodes;
	RowserBuffer body;

	if (writer->nrows == 0)
		return;
	old_context = MemoryContextSwitchTo(writer->group_context);
	rowser_buffer_init(&nodes, 64 + 16 * writer->ncolumns, MaxAllocSize);
	rowser_buffer_init(&body, 256, MaxAllocSize);
	offsets = palloc((writer->ncolumns + 1) * sizeof(uint64));
	for (uint32 i = 0; i < writer->ncolumns; i++)
	{
		RowserVector *vector = &writer->vectors[i];

		offsets[i] = body.size;
		rowser_vector_encode(vector, writer->options.compression, &nodes,
							 &body);
		raw_size += rowser_vector_plain_size(vector);
		rowser_vector_reset(vector);
	}
	offsets[writer->ncolumns] = body.size;
	header_size = rowser_group_write(&writer->result, writer->nrows, raw_size,
									 &nodes, &body, offsets,
									 writer->ncolumns);
	if (writer->result.overflowed)
		rowser_report_too_large();
	append_entry(writer, writer->result.size - start, header_size,
				 writer->nrows);

	MemoryContextSwitchTo(old_context);
	MemoryContextReset(writer->group_context);
	writer->nrows = 0;
	writer->growth = 0;
}

void
rowser_writer_append(RowserWriter *writer, const Datum *values,
					 const bool *nulls)
{
	MemoryContext old_context = MemoryContextSwitchTo(writer->row_context);

	rowser_vector_append_row(writer->vectors, writer->attributes,
							 writer->ncolumns, values, nulls,
							 &writer->growth);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(writer->row_context);

	writer->nrows++;
	writer->growth += writer->row_growth;
	if (writer->nrows >= writer->options.row_group_rows ||
		writer->growth > GROUP_MAX_GROWTH)
		finish_group(writer);
}

/* ----------------------------------------------------------------
 *		Whole rowsets
 * ----------------------------------------------------------------
 */

/* Append the row groups of a rowset whose header has been looked at. */
static void
append_groups(RowserWriter *writer, const bytea *rowset,
			  const RowserReader *reader)
{
	const RowserTrailer *trailer = rowser_reader_trailer(reader);
	size_t		from = rowser_reader_header(reader)->size;
	uint64		size = 0;

	for (uint32 i = 0; i < trailer->ngroups; i++)
	{
		const RowserDirectoryEntry *entry = &trailer->groups[i];

		append_entry(writer, entry->size, entry->header_size, entry->nrows);
		size += entry->size;
	}
	rowser_buffer_bytes(&writer->result, VARDATA_ANY(rowset) + from, size);
	if (writer->result.overflowed)
		rowser_report_too_large();
}

void
rowser_writer_append_rowset(RowserWriter *writer, const bytea *rowset)
{
	RowserReader *reader = rowser_reader_open(rowset);

	if (rowser_reader_header(reader)->size != writer->header_size ||
		memcmp(writer->result.bytes + VARHDRSZ, VARDATA_ANY(rowset),
			   writer->header_size) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot put rowsets with different columns together")));
	if (writer->columns != NULL)
		finish_group(writer);
	append_groups(writer, rowset, reader);
	rowser_reader_close(reader);
}

RowserWriter *
rowser_writer_create_from(const bytea *rowset, RowserWriterOptions options)
{
	RowserWriter *writer = create_empty(options);
	RowserReader *reader = rowser_reader_open(rowset);

	writer->header_size = rowser_reader_header(reader)->size;
	rowser_buffer_bytes(&writer->result, VARDATA_ANY(rowset),
						writer->header_size);
	append_groups(writer, rowset, reader);
	rowser_reader_close(reader);
	return writer;
}

bytea *
rowser_writer_finish(RowserWriter *writer)
{
	bytea	   *result;

	finish_group(writer);
	rowser_trailer_write(&writer->result, writer->groups, writer->ngroups);
	if (writer->result.overflowed)
		rowser_report_too_large();
	result = (bytea *) writer->result.bytes;
	SET_VARSIZE(result, writer->result.size);
	MemoryContextDelete(writer->context);
	return result;
}
