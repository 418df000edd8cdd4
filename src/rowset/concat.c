/*-------------------------------------------------------------------------
 *
 * concat.c
 *	  Putting rowsets together, one behind the other.
 *
 * Row groups hold nothing that depends on their place, so they are copied as
 * they are; only their headers are read.  What a rowset's header holds beside
 * encoding and columns (extensions of later versions) is left out: it may not
 * be true of the new rowset.
 *
 * Memory: the writer's; a reader of each rowset while it is appended.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "errors.h"
#include "rowset/concat.h"
#include "rowset/reader.h"
#include "rowset/schema.h"

/* Refuse a rowset whose rows can't stand behind those of the writer. */
static void
check_schema(const RowserWriter *writer, const RowserHeader *header)
{
	RowserCursor cursor;
	RowserFault fault;
	RowserHeader first;
	const uint8 *bytes;
	size_t		size;

	bytes = rowser_writer_header(writer, &size);
	rowser_cursor_init(&cursor, bytes, size, &fault);
	if (!rowser_header_read(&cursor, &first))
		rowser_fault_report(&fault);
	rowser_schema_check_same(&first, header);
}

/* Whether a rowset begins with the very bytes that the writer's does. */
static bool
has_same_header(const RowserWriter *writer, const bytea *rowset,
				const RowserHeader *header)
{
	const uint8 *bytes;
	size_t		size;

	bytes = rowser_writer_header(writer, &size);
	return header->size == size &&
		memcmp(bytes, VARDATA_ANY(rowset), size) == 0;
}

static void
append_groups(RowserWriter *writer, RowserReader *reader)
{
	const RowserGroup *group;

	while ((group = rowser_reader_next_group(reader)) != NULL)
		rowser_writer_append_group(writer, group);
}

RowserWriter *
rowser_concat_begin(const bytea *rowset, RowserWriterOptions options)
{
	RowserReader *reader = rowser_reader_open(rowset);
	RowserWriter *writer;

	writer = rowser_writer_create_like(rowser_reader_header(reader),
											options);
	append_groups(writer, reader);
	rowser_reader_close(reader);
	return writer;
}

void
rowser_concat_append(RowserWriter *writer, const bytea *rowset)
{
	RowserReader *reader = rowser_reader_open(rowset);
	const RowserHeader *header = rowser_reader_header(reader);

	if (!has_same_header(writer, rowset, header))
		check_schema(writer, header);
	append_groups(writer, reader);
	rowser_reader_close(reader);
}
