/*-------------------------------------------------------------------------
 *
 * project.c
 *	  A rowset with some of another one's columns, or with other names.
 *
 * Neither looks at a value.  What a header holds beside encoding and columns
 * (extensions of later versions) is left out: it may not be true of the new
 * rowset.
 *
 * Memory: the result is in the current context, and so are the small things
 * that are needed on the way.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "rowset/project.h"
#include "rowset/writer.h"

/* How nothing that is encoded here is encoded */
static const RowserWriterOptions no_options;

bytea *
rowser_project(RowserReader *reader, const uint32 *columns, uint32 ncolumns)
{
	RowserHeader header = *rowser_reader_header(reader);
	RowserField *fields = palloc(Max(ncolumns, 1) * sizeof(RowserField));
	RowserWriter *writer;
	const RowserGroup *group;

	for (uint32 i = 0; i < ncolumns; i++)
		fields[i] = header.columns[columns[i]];
	header.columns = fields;
	header.ncolumns = ncolumns;
	writer = rowser_writer_create_like(&header, no_options);
	while ((group = rowser_reader_next_group(reader)) != NULL)
	{
		for (uint32 i = 0; i < ncolumns; i++)
			rowser_reader_need_column(reader, group, columns[i]);
		rowser_writer_append_projection(writer, group, columns, ncolumns);
	}
	pfree(fields);
	return rowser_writer_finish(writer);
}

/* A name in the rowset's encoding */
static RowserString
encoded_name(const char *name, int encoding)
{
	RowserString result;
	char	   *converted = pg_server_to_any(name, strlen(name), encoding);

	result.bytes = (const uint8 *) converted;
	result.size = strlen(converted);
	return result;
}

bytea *
rowser_rename(RowserReader *reader, const char *const *names)
{
	RowserHeader header = *rowser_reader_header(reader);
	RowserField *fields = palloc(Max(header.ncolumns, 1) *
								 sizeof(RowserField));
	RowserWriter *writer;
	const RowserGroup *group;

	for (uint32 i = 0; i < header.ncolumns; i++)
	{
		fields[i] = header.columns[i];
		if (names[i] != NULL)
			fields[i].name = encoded_name(names[i],
										  rowser_reader_encoding(reader));
	}
	header.columns = fields;
	writer = rowser_writer_create_like(&header, no_options);
	while ((group = rowser_reader_next_group(reader)) != NULL)
		rowser_writer_append_group(writer, group);
	pfree(fields);
	return rowser_writer_finish(writer);
}
