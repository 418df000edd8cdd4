/*-------------------------------------------------------------------------
 *
 * group_blocks.c
 *	  What the blocks of a row group are, going by its header alone.
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/group_blocks.h"

/* What visiting the blocks of nodes finds out */
typedef struct BlockCounts
{
	uint32		methods;		/* bits 1 << method */
	uint64		decompressed;	/* bytes that compressed blocks give */
} BlockCounts;

static void
block_count(const RowserBlock *block, BlockCounts *counts)
{
	if (block->raw_size == 0)
		return;
	counts->methods |= 1 << block->method;
	if (block->method != ROWSER_METHOD_NONE)
		counts->decompressed += block->raw_size;
}

static void
node_count(const RowserNode *node, BlockCounts *counts)
{
	block_count(&node->nulls, counts);
	block_count(&node->data, counts);
	for (uint32 i = 0; i < node->nintegers; i++)
		node_count(&node->integers[i], counts);
	if (node->run_values != NULL)
		node_count(node->run_values, counts);
	if (node->scaled != NULL)
		node_count(node->scaled, counts);
	for (uint32 i = 0; i < node->nchildren; i++)
		node_count(&node->children[i], counts);
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		for (uint32 j = 0; j < node->shapes[i].nfields; j++)
			node_count(&node->shapes[i].nodes[j], counts);
	}
}

uint32
rowser_group_methods(const RowserGroup *group)
{
	BlockCounts counts = {0};

	for (uint32 i = 0; i < group->ncolumns; i++)
		node_count(&group->columns[i], &counts);
	return counts.methods;
}

uint64
rowser_group_column_decompressed(const RowserGroup *group, uint32 column)
{
	BlockCounts counts = {0};

	node_count(&group->columns[column], &counts);
	return counts.decompressed;
}
