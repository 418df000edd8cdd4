/*-------------------------------------------------------------------------
 *
 * arrow_writer.c
 *	  A rowset as an Arrow IPC stream.
 *
 * The row groups' headers are looked at first, for what the schema has to say;
 * then come the schema, the dictionaries, which take a look at the values of
 * their columns, and a record batch for each row group.
 *
 * A row group is taken column by column, so that beside its arrays no more
 * than one column's decompressed bytes is in memory.
 *
 * Memory: the result is in the current context; all else is in a context below
 * it, what a column of a row group needs in one below that.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "bytes/arrow_codec.h"
#include "columns/arrow_export.h"
#include "rowset/arrow_writer.h"
#include "rowset/reader_state.h"

/* Bytes that a stream has room for at first */
#define INITIAL_CAPACITY	(64 * 1024)

typedef struct Writer
{
	MemoryContext context;
	MemoryContext column_context;
	RowserReader *reader;
	RowserArrowShared *shared;
	uint32		ncolumns;
	RowserArrowExport *exports; /* one a column, as the fields */
	RowserArrowField *fields;
	RowserArrowArrays arrays;
	RowserBuffer result;		/* a bytea */
	RowserArrowStream stream;
} Writer;

/* ----------------------------------------------------------------
 *		Beginning
 * ----------------------------------------------------------------
 */

static void
check_codec(RowserArrowCodec codec)
{
	if (!rowser_arrow_codec_is_built(codec))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("compression method %s is not supported",
						rowser_arrow_codec_name(codec)),
				 errdetail("This build of rowser has no %s library.",
						   rowser_arrow_codec_name(codec)),
				 errhint("Set rowser.arrow_compression to another method.")));
}

/* Make the exports; the result has been initialised. */
static void
begin(Writer *writer, Datum rowset, RowserArrowOptions options)
{
	const RowserHeader *header;
	uint32		size;

	writer->reader = rowser_reader_open_datum(rowset, NULL);
	header = rowser_reader_header(writer->reader);
	writer->column_context = AllocSetContextCreate(writer->context,
												   "rowser arrow column",
												   ALLOCSET_DEFAULT_SIZES);
	writer->shared =
		rowser_arrow_shared_create(rowser_reader_encoding(writer->reader),
								   options.null_unrepresentable);
	writer->ncolumns = header->ncolumns;
	size = Max(header->ncolumns, 1);
	writer->exports = palloc0(size * sizeof(RowserArrowExport));
	writer->fields = palloc0(size * sizeof(RowserArrowField));
	for (uint32 i = 0; i < writer->ncolumns; i++)
		rowser_arrow_export_init(&writer->exports[i], writer->shared, NULL,
								 header->columns[i].name,
								 &header->columns[i].type);
	rowser_arrow_write_begin(&writer->stream, &writer->result, options.codec);
}

/* ----------------------------------------------------------------
 *		Row groups
 * ----------------------------------------------------------------
 */

/* What is done with a row group */
typedef void (*GroupAction) (Writer *writer, const RowserGroup *group);

/* Do it with each row group, errors saying where they were met. */
static void
for_each_group(Writer *writer, GroupAction action)
{
	RowserReader *reader = writer->reader;
	const RowserTrailer *trailer = rowser_reader_trailer(reader);

	for (uint32 i = 0; i < trailer->ngroups; i++)
	{
		const RowserGroup *group = rowser_reader_group(reader, i);
		ErrorContextCallback callback;

		rowser_arrow_shared_start(writer->shared, trailer->groups[i].row);
		rowser_reader_push_context(reader, &callback);
		action(writer, group);
		reader->column = ROWSER_NO_COLUMN;
		error_context_stack = callback.previous;
	}
}

static void
survey_group(Writer *writer, const RowserGroup *group)
{
	for (uint32 i = 0; i < writer->ncolumns; i++)
	{
		rowser_reader_set_column(writer->reader, i);
		rowser_arrow_export_survey(&writer->exports[i], &group->columns[i]);
	}
}

/* What is done with a column's node */
typedef void (*NodeAction) (RowserArrowExport *export, const RowserNode *node,
							const uint8 *body, RowserCursor *at);

static void
take_column(Writer *writer, const RowserGroup *group, uint32 column,
			NodeAction action)
{
	MemoryContext old_context = MemoryContextSwitchTo(writer->column_context);
	RowserCursor at = writer->reader->cursor;

	rowser_reader_need_column(writer->reader, group, column);
	rowser_reader_set_column(writer->reader, column);
	action(&writer->exports[column], &group->columns[column], group->body,
		   &at);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(writer->column_context);
}

/* Put what there is into the dictionaries that are still possible. */
static void
fill_dictionaries(Writer *writer, const RowserGroup *group)
{
	for (uint32 i = 0; i < writer->ncolumns; i++)
	{
		if (rowser_arrow_export_wants_dictionary(&writer->exports[i]))
			take_column(writer, group, i, rowser_arrow_export_gather);
	}
}

/* Refuse a stream that has become larger than a value can be. */
static void
check_size(const Writer *writer)
{
	if (writer->result.overflowed)
		rowser_arrow_report_too_large();
}

static void
write_group(Writer *writer, const RowserGroup *group)
{
	RowserArrowBatch batch = {.length = group->nrows};

	writer->arrays.nnodes = 0;
	writer->arrays.nbuffers = 0;
	for (uint32 i = 0; i < writer->ncolumns; i++)
	{
		take_column(writer, group, i, rowser_arrow_export_node);
		rowser_arrow_export_collect(&writer->exports[i], &writer->arrays);
	}
	batch.nnodes = writer->arrays.nnodes;
	batch.nodes = writer->arrays.nodes;
	batch.nbuffers = writer->arrays.nbuffers;
	batch.buffers = writer->arrays.buffers;
	rowser_arrow_write_batch(&writer->stream, &batch);
	check_size(writer);
}

/* ----------------------------------------------------------------
 *		The stream
 * ----------------------------------------------------------------
 */

/* Write the schema, once it is known, and the dictionaries. */
static void
write_schema(Writer *writer)
{
	ErrorContextCallback callback;
	int64		next_id = 0;

	rowser_reader_rewind(writer->reader);
	rowser_reader_push_context(writer->reader, &callback);
	for (uint32 i = 0; i < writer->ncolumns; i++)
	{
		rowser_reader_set_column(writer->reader, i);
		rowser_arrow_export_prepare(&writer->exports[i], &writer->fields[i]);
	}
	writer->reader->column = ROWSER_NO_COLUMN;
	error_context_stack = callback.previous;

	for_each_group(writer, fill_dictionaries);
	for (uint32 i = 0; i < writer->ncolumns; i++)
		rowser_arrow_export_settle(&writer->exports[i], &next_id);
	rowser_arrow_write_schema(&writer->stream, writer->fields,
							  writer->ncolumns);
	for (uint32 i = 0; i < writer->ncolumns; i++)
		rowser_arrow_export_write_dictionaries(&writer->exports[i],
											   &writer->stream);
	check_size(writer);
}

bytea *
rowser_arrow_write(Datum rowset, RowserArrowOptions options)
{
	Writer		writer = {0};
	MemoryContext old_context;
	bytea	   *result;

	check_codec(options.codec);
	rowser_buffer_init(&writer.result, INITIAL_CAPACITY, MaxAllocSize);
	rowser_buffer_zeros(&writer.result, VARHDRSZ);
	writer.context = AllocSetContextCreate(CurrentMemoryContext,
										   "rowser arrow writer",
										   ALLOCSET_DEFAULT_SIZES);
	old_context = MemoryContextSwitchTo(writer.context);
	begin(&writer, rowset, options);
	for_each_group(&writer, survey_group);
	write_schema(&writer);
	for_each_group(&writer, write_group);
	rowser_arrow_write_end(&writer.stream);
	check_size(&writer);
	rowser_reader_close(writer.reader);
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(writer.context);

	result = (bytea *) writer.result.bytes;
	SET_VARSIZE(result, writer.result.size);
	return result;
}
