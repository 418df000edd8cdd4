/*-------------------------------------------------------------------------
 *
 * project.c
 *	  A row group of some of another one's columns (rowset_format.md,
 *	  section 4).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/memory.h"
#include "bytes/project.h"

/* Plain size of an image beside its payload; section 6.2 */
#define IMAGE_OVERHEAD	4

/* The same less the length that a short image has in a block */
#define SHORT_OVERHEAD	3

/* About what a numeric takes that is kept as an integer */
#define SCALED_SIZE		12

/* About the plain size of images. */
static uint64
images_size(const RowserNode *node, bool *is_exact)
{
	uint64		nonnull = rowser_node_nonnull(node);

	switch (node->encoding)
	{
		case ROWSER_ENCODING_CONSTANT:
			return nonnull * (IMAGE_OVERHEAD + node->constant.bytes.size);
		case ROWSER_ENCODING_DICTIONARY:
			*is_exact = false;
			return nonnull * (SHORT_OVERHEAD +
							  node->data.raw_size / node->nentries);
		case ROWSER_ENCODING_SCALED:
			*is_exact = false;
			return nonnull * SCALED_SIZE;
		default:
			*is_exact = false;
			return nonnull * SHORT_OVERHEAD + node->data.raw_size;
	}
}

/*
 * The plain size of a node's values, as far as the group's header tells it;
 * *is_exact becomes false when only the values would.
 */
static uint64
plain_size(const RowserNode *node, bool *is_exact)
{
	uint64		size = 0;

	if (rowser_node_nonnull(node) == 0)
		return 0;
	if (node->width > 0)
		return (uint64) rowser_node_nonnull(node) * node->width;
	if (rowser_shape_is_scalar(node->shape))
		return images_size(node, is_exact);
	for (uint32 i = 0; i < node->nchildren; i++)
		size += plain_size(&node->children[i], is_exact);
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		for (uint32 j = 0; j < node->shapes[i].nfields; j++)
			size += plain_size(&node->shapes[i].nodes[j], is_exact);
	}
	return size;
}

/*
 * The new group's raw size.  Columns whose plain size isn't sure share what
 * the group's other columns leave of its raw size; so it is an estimate, unless
 * each of these is there once.
 */
static uint64
raw_size(const RowserGroup *group, const uint32 *columns, uint32 ncolumns)
{
	uint64		left = group->raw_size;
	uint64		unsure = 0;		/* of such columns */
	uint64		wanted = 0;		/* of those among them that are copied */
	uint64		result = 0;
	double		share;

	for (uint32 i = 0; i < group->ncolumns; i++)
	{
		bool		is_exact = true;
		uint64		size = plain_size(&group->columns[i], &is_exact);

		if (is_exact)
			left -= Min(left, size);
		else
			unsure += size;
	}
	for (uint32 i = 0; i < ncolumns; i++)
	{
		bool		is_exact = true;
		uint64		size = plain_size(&group->columns[columns[i]], &is_exact);

		if (is_exact)
			result += size;
		else
			wanted += size;
	}
	if (wanted == 0)
		return result;
	if (wanted == unsure)
		return result + left;
	/* a header may claim anything */
	share = (double) left * ((double) wanted / (double) unsure);
	return result + (uint64) Min(share, (double) PG_INT64_MAX / 2);
}

/* The bytes that a column has in the body */
static uint64
stored_size(const RowserGroup *group, uint32 column)
{
	return group->offsets[column + 1] - group->offsets[column];
}

size_t
rowser_project_group(RowserBuffer *buffer, const RowserGroup *group,
					 const uint32 *columns, uint32 ncolumns)
{
	uint64	   *offsets = rowser_memory_alloc((ncolumns + 1) * sizeof(uint64));
	RowserBuffer nodes;
	RowserBuffer body;
	size_t		header_size;

	rowser_buffer_init(&nodes, 256, buffer->limit);
	rowser_buffer_init(&body, 256, buffer->limit);
	for (uint32 i = 0; i < ncolumns; i++)
	{
		uint32		column = columns[i];

		offsets[i] = body.size;
		rowser_buffer_bytes(&nodes, group->nodes[column],
							group->nodes[column + 1] - group->nodes[column]);
		rowser_buffer_bytes(&body, group->body + group->offsets[column],
							stored_size(group, column));
	}
	offsets[ncolumns] = body.size;
	header_size = rowser_group_write(buffer, group->nrows,
									 raw_size(group, columns, ncolumns),
									 &nodes, &body, offsets, ncolumns);
	rowser_buffer_free(&nodes);
	rowser_buffer_free(&body);
	rowser_memory_free(offsets);
	return header_size;
}
