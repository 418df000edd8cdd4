/*-------------------------------------------------------------------------
 *
 * encode.c
 *	  Writing a column vector as a node of a row group (rowset_format.md,
 *	  sections 6 to 8).
 *
 * The encoding is chosen by looking at the values, never by trying.  The one
 * exception are values in arrays whose encoding would break the limits of
 * section 6.6, which are written again in plain form.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_enum.h"
#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "bytes/image.h"
#include "bytes/integers.h"
#include "columns/describe.h"
#include "columns/dictionary.h"
#include "columns/encode.h"
#include "columns/pin.h"

/* Where a node goes */
typedef struct Encoder
{
	RowserCompression compression;
	RowserBuffer *nodes;
	RowserBuffer *body;
} Encoder;

static void encode_node(Encoder *encoder, RowserVector *vector);

/* ----------------------------------------------------------------
 *		OIDs to text
 * ----------------------------------------------------------------
 */

typedef struct OidText
{
	Oid			oid;			/* hash key */
	RowserString text;
} OidText;

static RowserString
enum_label(Oid oid)
{
	HeapTuple	tuple = SearchSysCache1(ENUMOID, ObjectIdGetDatum(oid));
	RowserString label;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid internal value for enum: %u", oid)));
	label = rowser_string_copy(NameStr(((Form_pg_enum) GETSTRUCT(tuple))->enumlabel));
	ReleaseSysCache(tuple);
	return label;
}

static RowserString
oid_text(RowserVector *vector, Oid oid)
{
	if (vector->kind == ROWSER_KIND_ENUM)
		return enum_label(oid);
	return rowser_string_copy(OutputFunctionCall(&vector->function,
												 ObjectIdGetDatum(oid)));
}

/*
 * Replace the OIDs of a vector of enum or reg* values by their texts' images,
 * looking up each OID once.
 */
static void
oids_to_images(RowserVector *vector)
{
	uint32		nvalues = vector->data.size / sizeof(uint32);
	HASHCTL		control = {.keysize = sizeof(Oid), .entrysize = sizeof(OidText),
	.hcxt = CurrentMemoryContext};
	HTAB	   *texts = hash_create("rowser OID texts", 64, &control,
									HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	RowserBuffer images;
	int			nest_level = rowser_pin_begin();

	rowser_buffer_init(&images, vector->data.capacity, vector->data.limit);
	for (uint32 i = 0; i < nvalues; i++)
	{
		Oid			oid = rowser_load_u32(vector->data.bytes + 4 * (size_t) i);
		bool		found;
		OidText    *entry = hash_search(texts, &oid, HASH_ENTER, &found);

		if (!found)
			entry->text = oid_text(vector, oid);
		rowser_image_append(&images, entry->text.bytes, entry->text.size);
		vector->plain_size += rowser_image_plain_size(entry->text.size);
	}
	rowser_pin_end(nest_level);
	hash_destroy(texts);

	vector->data.size = 0;
	rowser_buffer_bytes(&vector->data, images.bytes, images.size);
	vector->data.overflowed |= images.overflowed;
	rowser_buffer_free(&images);
}

/* ----------------------------------------------------------------
 *		Parts of a node
 * ----------------------------------------------------------------
 */

/* Write the bitmap of a vector that has NULLs. */
static void
write_nulls(Encoder *encoder, RowserVector *vector)
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
		vector->nvalues > ROWSER_BOUND_RATIO *
		(ROWSER_BOUND_BASE + (uint64) (encoder->body->size - body_size)))
	{
		encoder->nodes->size = nodes_size;
		encoder->body->size = body_size;
		rowser_block_write(encoder->nodes, encoder->body, none,
						   bitmap->bytes, size);
	}
}

/* Write what every node begins with. */
static void
begin_node(Encoder *encoder, RowserVector *vector, RowserEncoding encoding)
{
	uint8		code = encoding;

	if (vector->nnulls > 0)
		code |= ROWSER_NODE_HAS_NULLS;
	rowser_buffer_u8(encoder->nodes, code);
	if (vector->nnulls > 0)
	{
		rowser_buffer_varuint(encoder->nodes, vector->nnulls);
		write_nulls(encoder, vector);
	}
}

static void
write_integers(Encoder *encoder, const uint32 *values, uint32 nvalues,
			   bool in_array)
{
	rowser_integers_write(encoder->nodes, encoder->body, encoder->compression,
						  values, nvalues, in_array);
}

static void
write_counts(Encoder *encoder, const RowserCounts *counts, bool in_array)
{
	write_integers(encoder, counts->values, counts->size, in_array);
}

/* ----------------------------------------------------------------
 *		Scalars
 * ----------------------------------------------------------------
 */

/* Whether all images are the same, and short enough to stand in a header. */
static bool
images_are_constant(const RowserBuffer *images, uint32 nvalues)
{
	const uint8 *next = images->bytes;
	const uint8 *end = images->bytes + images->size;
	RowserImage first;
	RowserImage image;

	if (!rowser_image_next(images->bytes, &next, end, &first))
		elog(ERROR, "vector holds a broken image");
	if (first.size > ROWSER_IMAGE_INLINE_MAX)
		return false;
	for (uint32 i = 1; i < nvalues; i++)
	{
		if (!rowser_image_next(images->bytes, &next, end, &image))
			elog(ERROR, "vector holds a broken image");
		if (image.size != first.size ||
			memcmp(image.payload, first.payload, first.size) != 0)
			return false;
	}
	return true;
}

/* Whether all values are the same: bytes that equal those a width further. */
static bool
is_constant(const RowserVector *vector, uint32 nvalues)
{
	const RowserBuffer *data = &vector->data;

	if (vector->width == 0)
		return images_are_constant(data, nvalues);
	return memcmp(data->bytes, data->bytes + vector->width,
				  data->size - vector->width) == 0;
}

/* Write the value that all are as an inline value; section 6.1. */
static void
write_constant(RowserBuffer *nodes, const RowserVector *vector,
			   RowserShape shape)
{
	const uint8 *bytes = vector->data.bytes;
	RowserImage image;

	switch (shape)
	{
		case ROWSER_SHAPE_INT1:
			rowser_buffer_varint(nodes, (int8) bytes[0]);
			break;
		case ROWSER_SHAPE_INT2:
			rowser_buffer_varint(nodes, (int16) rowser_load_u16(bytes));
			break;
		case ROWSER_SHAPE_INT4:
			rowser_buffer_varint(nodes, (int32) rowser_load_u32(bytes));
			break;
		case ROWSER_SHAPE_INT8:
			rowser_buffer_varint(nodes, (int64) rowser_load_u64(bytes));
			break;
		default:
			if (vector->width > 0)
			{
				rowser_buffer_bytes(nodes, bytes, vector->width);
				break;
			}
			if (!rowser_image_next(vector->data.bytes, &bytes,
								   bytes + vector->data.size, &image))
				elog(ERROR, "vector holds a broken image");
			rowser_buffer_string(nodes, image.payload, image.size);
			break;
	}
}

/*
 * Write a node of values in a given encoding.  Returns the stored size of its
 * blocks, without the bitmap.
 */
static size_t
write_scalar(Encoder *encoder, RowserVector *vector, RowserEncoding encoding,
			 const RowserDictionary *dictionary)
{
	size_t		body_size;

	begin_node(encoder, vector, encoding);
	body_size = encoder->body->size;
	switch (encoding)
	{
		case ROWSER_ENCODING_CONSTANT:
			write_constant(encoder->nodes, vector,
						   rowser_kind_shape(vector->kind));
			break;
		case ROWSER_ENCODING_DICTIONARY:
			rowser_buffer_varuint(encoder->nodes, dictionary->nentries);
			rowser_block_write(encoder->nodes, encoder->body,
							   encoder->compression,
							   dictionary->entries.bytes,
							   dictionary->entries.size);
			write_integers(encoder, dictionary->indexes,
						   vector->nvalues - vector->nnulls,
						   vector->in_array);
			break;
		default:
			rowser_block_write(encoder->nodes, encoder->body,
							   encoder->compression, vector->data.bytes,
							   vector->data.size);
			break;
	}
	return encoder->body->size - body_size;
}

static void
encode_scalar(Encoder *encoder, RowserVector *vector)
{
	uint32		nonnull = vector->nvalues - vector->nnulls;
	RowserEncoding encoding = ROWSER_ENCODING_PLAIN;
	RowserDictionary dictionary;
	size_t		nodes_size = encoder->nodes->size;
	size_t		body_size = encoder->body->size;
	size_t		stored;

	if (vector->kind == ROWSER_KIND_ENUM || vector->kind == ROWSER_KIND_REG)
		oids_to_images(vector);
	if (vector->data.overflowed)
	{
		encoder->body->overflowed = true;
		return;
	}
	if (is_constant(vector, nonnull))
		encoding = ROWSER_ENCODING_CONSTANT;
	else if (vector->width == 0 &&
			 rowser_dictionary_build(&dictionary, &vector->data, nonnull,
									 vector->plain_size))
		encoding = ROWSER_ENCODING_DICTIONARY;

	stored = write_scalar(encoder, vector, encoding, &dictionary);
	if (encoding != ROWSER_ENCODING_PLAIN && vector->in_array &&
		rowser_vector_plain_size(vector) >
		ROWSER_BOUND_RATIO * (ROWSER_BOUND_BASE + (uint64) stored))
	{
		encoder->nodes->size = nodes_size;
		encoder->body->size = body_size;
		write_scalar(encoder, vector, ROWSER_ENCODING_PLAIN, NULL);
	}
}

/* ----------------------------------------------------------------
 *		Nested values
 * ----------------------------------------------------------------
 */

/* Write the vector below integers with its number of values. */
static void
encode_child(Encoder *encoder, RowserVector *child)
{
	rowser_buffer_varuint(encoder->nodes, child->nvalues);
	encode_node(encoder, child);
}

static void
encode_array(Encoder *encoder, RowserVector *vector)
{
	rowser_buffer_u8(encoder->nodes, vector->array_is_general ? 1 : 0);
	write_counts(encoder, &vector->integers[0], vector->in_array);
	if (vector->array_is_general)
	{
		rowser_buffer_varuint(encoder->nodes, vector->integers[1].size);
		write_counts(encoder, &vector->integers[1], vector->in_array);
		write_counts(encoder, &vector->integers[2], vector->in_array);
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
encode_record(Encoder *encoder, RowserVector *vector)
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
		write_counts(encoder, &vector->shape_numbers, vector->in_array);
	for (uint32 i = 0; i < nused; i++)
	{
		RowserVectorShape *shape = &vector->shapes[order[i]];

		for (uint32 j = 0; j < shape->nfields; j++)
			encode_node(encoder, &shape->vectors[j]);
	}
}

static void
encode_nested(Encoder *encoder, RowserVector *vector)
{
	begin_node(encoder, vector, ROWSER_ENCODING_PLAIN);
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
			write_counts(encoder, &vector->integers[0], vector->in_array);
			encode_child(encoder, vector->children);
			break;
	}
}

static void
encode_node(Encoder *encoder, RowserVector *vector)
{
	CHECK_FOR_INTERRUPTS();

	if (vector->nvalues == vector->nnulls)
		begin_node(encoder, vector, ROWSER_ENCODING_PLAIN);
	else if (rowser_shape_is_scalar(rowser_kind_shape(vector->kind)))
		encode_scalar(encoder, vector);
	else
		encode_nested(encoder, vector);
}

void
rowser_vector_encode(RowserVector *vector, RowserCompression compression,
					 RowserBuffer *nodes, RowserBuffer *body)
{
	Encoder		encoder = {compression, nodes, body};

	encode_node(&encoder, vector);
}
