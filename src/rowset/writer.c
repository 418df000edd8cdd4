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
#include "utils/memdebug.h"
#include "utils/memutils.h"

#include "bytes/project.h"
#include "bytes/trailer.h"
#include "columns/describe.h"
#include "columns/encode.h"
#include "compat.h"
#include "errors.h"
#include "rowset/progress.h"
#include "rowset/writer.h"

/* Section 8 of the format: growth that closes a group */
#define GROUP_MAX_GROWTH	(16 * 1024 * 1024)

/* The header of a rowset of a few columns, and a row */
#define INITIAL_SIZE		512

/* Rows after which progress is reported */
#define PROGRESS_ROWS		1024

/*
 * What a group takes beside its values, at the most as a rule: its frame; a
 * column's node, with its checksum and its bounds; the padding of images
 */
#define GROUP_FRAME_SIZE	32
#define COLUMN_FRAME_SIZE	24
#define COLUMN_BOUNDS_SIZE	24
#define BOUNDS_MIN_ROWS		128
#define PADDING_SHARE		32

struct RowserWriter
{
	RowserWriterOptions options;
	MemoryContext context;
	MemoryContext row_context;
	MemoryContext group_context;
	RowserBuffer result;		/* begins with a varlena header */
	size_t		dropped;		/* bytes behind that which aren't needed */
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
	size_t		entries_size;	/* of the groups' entries in the trailer */

	RowserProgress *progress;	/* borrowed, or NULL */
	uint32		reported;		/* rows of the group that progress has */
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

	check_compression(options.compression);
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
	entry->row = 0;
	entry->size = size;
	entry->header_size = header_size;
	entry->nrows = nrows;
	writer->entries_size += rowser_trailer_entry_size(entry);
}

/* Report the rows of the group that is being filled, and bytes done. */
static void
report_progress(RowserWriter *writer, uint64 size)
{
	RowserProgress *progress = writer->progress;

	if (progress == NULL)
		return;
	progress->rows += writer->nrows - writer->reported;
	progress->bytes += size;
	writer->reported = writer->nrows;
	rowser_progress_report(progress);
}

/* Encode vectors of as many rows as a group and forget their values. */
static void
append_vectors(RowserWriter *writer, RowserVector *vectors, uint32 ncolumns,
			   uint32 nrows)
{
	MemoryContext old_context = MemoryContextSwitchTo(writer->group_context);
	size_t		start = writer->result.size;
	size_t		header_size;
	uint64		raw_size = 0;
	uint64	   *offsets;
	RowserBuffer nodes;
	RowserBuffer body;

	rowser_buffer_init(&nodes, 64 + 16 * ncolumns, MaxAllocSize);
	rowser_buffer_init(&body, 256, MaxAllocSize);
	offsets = palloc((ncolumns + 1) * sizeof(uint64));
	for (uint32 i = 0; i < ncolumns; i++)
	{
		RowserVector *vector = &vectors[i];

		offsets[i] = body.size;
		rowser_vector_encode(vector, writer->options.compression, &nodes,
							 &body);
		raw_size += rowser_vector_plain_size(vector);
		rowser_vector_reset(vector);
	}
	offsets[ncolumns] = body.size;
	header_size = rowser_group_write(&writer->result, nrows, raw_size,
									 &nodes, &body, offsets, ncolumns);
	if (writer->result.overflowed)
		rowser_report_too_large();
	append_entry(writer, writer->result.size - start, header_size, nrows);
	report_progress(writer, writer->result.size - start);

	MemoryContextSwitchTo(old_context);
	MemoryContextReset(writer->group_context);
}

/* Encode the rows that have come in since the last group. */
static void
finish_group(RowserWriter *writer)
{
	if (writer->nrows == 0)
		return;
	append_vectors(writer, writer->vectors, writer->ncolumns, writer->nrows);
	writer->nrows = 0;
	writer->reported = 0;
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
	if (rowser_writer_is_full(writer, writer->nrows, writer->growth))
		finish_group(writer);
	else if (writer->nrows % PROGRESS_ROWS == 0)
		report_progress(writer, 0);
}

void
rowser_writer_set_progress(RowserWriter *writer, RowserProgress *progress)
{
	writer->progress = progress;
}

/* ----------------------------------------------------------------
 *		Rowsets of bounded size
 * ----------------------------------------------------------------
 */

uint32
rowser_writer_pending(const RowserWriter *writer)
{
	return writer->nrows;
}

uint64
rowser_writer_pending_size(const RowserWriter *writer)
{
	return writer->growth;
}

uint32
rowser_writer_ngroups(const RowserWriter *writer)
{
	return writer->ngroups;
}

uint64
rowser_writer_size(const RowserWriter *writer)
{
	return writer->result.size - VARHDRSZ + writer->entries_size +
		rowser_trailer_frame_size(writer->ngroups);
}

uint64
rowser_writer_expected_size(const RowserWriter *writer)
{
	uint64		column_size = COLUMN_FRAME_SIZE + writer->nrows / 8;
	RowserDirectoryEntry entry = {
		.size = writer->growth,
		.header_size = writer->growth,
		.nrows = writer->nrows
	};

	if (writer->nrows >= BOUNDS_MIN_ROWS)
		column_size += COLUMN_BOUNDS_SIZE;
	return rowser_writer_size(writer) + GROUP_FRAME_SIZE +
		writer->ncolumns * column_size +
		writer->growth + writer->growth / PADDING_SHARE +
		rowser_trailer_entry_size(&entry);
}

void
rowser_writer_end_group(RowserWriter *writer)
{
	finish_group(writer);
}

void
rowser_writer_drop_group(RowserWriter *writer)
{
	RowserDirectoryEntry *entry = &writer->groups[--writer->ngroups];

	Assert(writer->nrows == 0);
	writer->result.size -= entry->size;
	writer->entries_size -= rowser_trailer_entry_size(entry);
	if (writer->progress != NULL)
	{
		writer->progress->rows -= entry->nrows;
		writer->progress->bytes -= entry->size;
	}
}

/* ----------------------------------------------------------------
 *		Row groups from elsewhere
 * ----------------------------------------------------------------
 */

RowserWriter *
rowser_writer_create_like(const RowserHeader *header,
						  RowserWriterOptions options)
{
	RowserWriter *writer = create_empty(options);

	rowser_header_write(&writer->result, header);
	if (writer->result.overflowed)
		rowser_report_too_large();
	writer->header_size = writer->result.size - VARHDRSZ;
	return writer;
}

const uint8 *
rowser_writer_header(const RowserWriter *writer, size_t *size)
{
	*size = writer->header_size;
	return writer->result.bytes + VARHDRSZ;
}

void
rowser_writer_append_group(RowserWriter *writer, const RowserGroup *group)
{
	size_t		size = group->header_size + group->body_size;

	finish_group(writer);
	rowser_buffer_bytes(&writer->result, group->start, size);
	if (writer->result.overflowed)
		rowser_report_too_large();
	append_entry(writer, size, group->header_size, group->nrows);
}

void
rowser_writer_append_projection(RowserWriter *writer,
								const RowserGroup *group,
								const uint32 *columns, uint32 ncolumns)
{
	MemoryContext old_context = MemoryContextSwitchTo(writer->group_context);
	size_t		start = writer->result.size;
	size_t		header_size;

	header_size = rowser_project_group(&writer->result, group, columns,
									   ncolumns);
	if (writer->result.overflowed)
		rowser_report_too_large();
	append_entry(writer, writer->result.size - start, header_size,
				 group->nrows);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(writer->group_context);
}

bool
rowser_writer_is_full(const RowserWriter *writer, uint32 nrows, uint64 growth)
{
	return nrows >= writer->options.row_group_rows ||
		growth > GROUP_MAX_GROWTH;
}

void
rowser_writer_append_vectors(RowserWriter *writer, RowserVector *vectors,
							 uint32 ncolumns, uint32 nrows)
{
	check_compression(writer->options.compression);
	append_vectors(writer, vectors, ncolumns, nrows);
}

void
rowser_writer_end(RowserWriter *writer)
{
	finish_group(writer);
	rowser_trailer_write(&writer->result, writer->groups, writer->ngroups);
	if (writer->result.overflowed)
		rowser_report_too_large();
}

bytea *
rowser_writer_finish(RowserWriter *writer)
{
	bytea	   *result;

	rowser_writer_end(writer);
	result = (bytea *) writer->result.bytes;
	SET_VARSIZE(result, writer->result.size);
	/* nothing of the server's memory leaves with it */
	VALGRIND_CHECK_MEM_IS_DEFINED(result, VARSIZE(result));
	MemoryContextDelete(writer->context);
	return result;
}

/* ----------------------------------------------------------------
 *		Bytes as they come
 * ----------------------------------------------------------------
 */

size_t
rowser_writer_finished(const RowserWriter *writer, const uint8 **bytes)
{
	size_t		from = VARHDRSZ + writer->dropped;

	*bytes = writer->result.bytes + from;
	return writer->result.size - from;
}

/* What is left moves to the front once it is the smaller part. */
void
rowser_writer_drop(RowserWriter *writer, size_t size)
{
	RowserBuffer *result = &writer->result;
	size_t		left;

	writer->dropped += size;
	left = result->size - VARHDRSZ - writer->dropped;
	if (left > writer->dropped)
		return;
	memcpy(result->bytes + VARHDRSZ,
		   result->bytes + VARHDRSZ + writer->dropped, left);
	result->size = VARHDRSZ + left;
	writer->dropped = 0;
}
