/*-------------------------------------------------------------------------
 *
 * encode.c
 *	  Writing a column vector as a node of a row group (rowset_format.md,
 *	  sections 6 to 8).
 *
 * Here are NULLs and nested values; scalars are in encode_scalar.c and
 * encode_scaled.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "bytes/integers.h"
#include "columns/encode.h"

static void encode_node(RowserEncoder *encoder, RowserVector *vector);

/* ----------------------------------------------------------------
 *		Parts of a node
 * ----------------------------------------------------------------
 */

/* Write the bitmap of a vector that has NULLs. */
static void
write_nulls(RowserEncoder *encoder, RowserVector *vector)
{
	RowserBuffer *bitmap = &vector->nulls;
	size_t		nodes_size = encoder->nodes->size;
	size_t		body_size = encoder->body->size;
	size_t		size = ((size_t) vector->nvalues + 7) / 8;
	RowserCompression none = {ROWSER_METHOD_NONE, 0};

	if (vector->nnulls == vector->nvalues && !vector->in_array)
		return;
	rowser_buffer_zeros(bitmap, size - bitmap->size);
	rowser_block_write(encoder->nodes, encoder->body, encoder->compression,
					   bitmap->bytes, size);
	if (vector->in_array &&
		vector->nvalues * ROWSER_BOUND_VALUE > ROWSER_BOUND_RATIO *
		(ROWSER_BOUND_BASE + (uint64) (encoder->body->size - body_size)))
	{
		encoder->nodes->size = nodes_size;
		encoder->body->size = body_size;
		rowser_block_write(encoder->nodes, encoder->body, none,
						   bitmap->bytes, size);
	}
}

void
rowser_encode_begin(RowserEncoder *encoder, RowserVector *vector,
					RowserEncoding encoding, const RowserBuffer *bounds)
{
	uint8		code = encoding;

	if (vector->nnulls > 0)
		code |= ROWSER_NODE_HAS_NULLS;
	if (bounds != NULL)
		code |= ROWSER_NODE_HAS_MINMAX;
	rowser_buffer_u8(encoder->nodes, code);
	if (vector->nnulls > 0)
	{
		rowser_buffer_varuint(encoder->nodes, vector->nnulls);
		write_nulls(encoder, vector);
	}
	if (bounds != NULL)
		rowser_buffer_bytes(encoder->nodes, bounds->bytes, bounds->size);
	encoder->values_offset = encoder->body->size;
}

void
rowser_encode_counts(RowserEncoder *encoder, const RowserCounts *counts,
					 bool in_array)
{
	int64	   *values = palloc_extended(Max(counts->size, 1) * sizeof(int64),
										 MCXT_ALLOC_HUGE);

	for (uint32 i = 0; i < counts->size; i++)
		values[i] = counts->values[i];
	rowser_integers_write(encoder->nodes, encoder->body, encoder->compression,
						  values, counts->size, in_array);
	pfree(values);
}

/* ----------------------------------------------------------------
 *		Nested values
 * ----------------------------------------------------------------
 */

/* Write the vector below integers with its number of values. */
static void
encode_child(RowserEncoder *encoder, RowserVector *child)
{
	rowser_buffer_varuint(encoder->nodes, child->nvalues);
	encode_node(encoder, child);
}

static void
encode_array(RowserEncoder *encoder, RowserVector *vector)
{
	rowser_buffer_u8(encoder->nodes, vector->array_is_general ? 1 : 0);
	rowser_encode_counts(encoder, &vector->integers[0], vector->in_array);
	if (vector->array_is_general)
	{
		rowser_buffer_varuint(encoder->nodes, vector->integers[1].size);
		rowser_encode_counts(encoder, &vector->integers[1], vector->in_array);
		rowser_encode_counts(encoder, &vector->integers[2], vector->in_array);
	}
	encode_child(encoder, vector->children);
}

/*
 * Number the shapes that occur in this group by first appearance: what groups
 * before this one had met must not show in the bytes.
 */
static uint32
number_shapes(RowserVector *vector, uint32 *order)
{
	uint32	   *numbers = palloc(vector->nshapes * sizeof(uint32));
	uint32		nused = 0;

	memset(numbers, 0xFF, vector->nshapes * sizeof(uint32));
	for (uint32 i = 0; i < vector->shape_numbers.size; i++)
	{
		uint32	   *number = &vector->shape_numbers.values[i];

		if (numbers[*number] == PG_UINT32_MAX)
		{
			numbers[*number] = nused;
			order[nused++] = *number;
		}
		*number = numbers[*number];
	}
	return nused;
}

static void
encode_record(RowserEncoder *encoder, RowserVector *vector)
{
	uint32	   *order = palloc(vector->nshapes * sizeof(uint32));
	uint32		nused = number_shapes(vector, order);

	rowser_buffer_varuint(encoder->nodes, nused);
	for (uint32 i = 0; i < nused; i++)
	{
		RowserVectorShape *shape = &vector->shapes[order[i]];

		rowser_fields_write(encoder->nodes, shape->fields, shape->nfields);
		rowser_buffer_varuint(encoder->nodes, shape->nvalues);
	}
	if (nused > 1 || vector->in_array)
		rowser_encode_counts(encoder, &vector->shape_numbers, vector->in_array);
	for (uint32 i = 0; i < nused; i++)
	{
		RowserVectorShape *shape = &vector->shapes[order[i]];

		for (uint32 j = 0; j < shape->nfields; j++)
			encode_node(encoder, &shape->vectors[j]);
	}
}

static void
encode_nested(RowserEncoder *encoder, RowserVector *vector)
{
	rowser_encode_begin(encoder, vector, ROWSER_ENCODING_PLAIN, NULL);
	switch (vector->kind)
	{
		case ROWSER_KIND_ARRAY:
			encode_array(encoder, vector);
			break;
		case ROWSER_KIND_COMPOSITE:
			for (uint32 i = 0; i < vector->nchildren; i++)
				encode_node(encoder, &vector->children[i]);
			break;
		case ROWSER_KIND_RECORD:
			encode_record(encoder, vector);
			break;
		default:
			Assert(vector->kind == ROWSER_KIND_RANGE ||
				   vector->kind == ROWSER_KIND_MULTIRANGE);
			rowser_encode_counts(encoder, &vector->integers[0], vector->in_array);
			encode_child(encoder, vector->children);
			break;
	}
}

static void
encode_node(RowserEncoder *encoder, RowserVector *vector)
{
	CHECK_FOR_INTERRUPTS();

	if (vector->nvalues == vector->nnulls)
		rowser_encode_begin(encoder, vector, ROWSER_ENCODING_PLAIN, NULL);
	else if (rowser_shape_is_scalar(rowser_kind_shape(vector->kind)))
		rowser_encode_scalar(encoder, vector);
	else
		encode_nested(encoder, vector);
}

void
rowser_vector_encode(RowserVector *vector, RowserCompression compression,
					 RowserBuffer *nodes, RowserBuffer *body)
{
	RowserEncoder encoder = {compression, nodes, body, 0};

	encode_node(&encoder, vector);
}
