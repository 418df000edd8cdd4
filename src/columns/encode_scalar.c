/*-------------------------------------------------------------------------
 *
 * encode_scalar.c
 *	  Writing a vector of scalar values (rowset_format.md, sections 6.1 and 8).
 *
 * The encoding is chosen by looking at the values, never by trying.  The one
 * exception are values in arrays whose encoding would break the limits of
 * section 6.6, which are written again as they are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "bytes/image.h"
#include "bytes/integers.h"
#include "bytes/packing.h"
#include "columns/describe.h"
#include "columns/dictionary.h"
#include "columns/encode.h"
#include "columns/pin.h"

/* A dictionary of images must take less than this part of their plain form. */
#define DICTIONARY_SHARE(plain_size) ((plain_size) / 4 * 3)

/* Fixed-width values narrower than this are not worth a dictionary. */
#define DICTIONARY_MIN_WIDTH 4

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

/*
 * A temporary relation's name; without its schema it would be another relation
 * in another session.
 */
static RowserString
temporary_name(Oid relation)
{
	return rowser_string_copy(quote_qualified_identifier("pg_temp",
														 get_rel_name(relation)));
}

static RowserString
oid_text(RowserVector *vector, Oid oid)
{
	if (vector->kind == ROWSER_KIND_ENUM)
		return enum_label(oid);
	if (vector->typid == REGCLASSOID &&
		isTempNamespace(get_rel_namespace(oid)))
		return temporary_name(oid);
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
 *		Looking at the values
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

/* A vector's integers, all as wide as the widest.  palloc'd. */
static int64 *
load_integers(const RowserVector *vector, uint32 nvalues)
{
	const uint8 *bytes = vector->data.bytes;
	int64	   *integers = palloc_extended(nvalues * sizeof(int64),
										   MCXT_ALLOC_HUGE);

	switch (vector->width)
	{
		case 1:
			for (uint32 i = 0; i < nvalues; i++)
				integers[i] = (int8) bytes[i];
			break;
		case 2:
			for (uint32 i = 0; i < nvalues; i++)
				integers[i] = (int16) rowser_load_u16(bytes + 2 * (size_t) i);
			break;
		case 4:
			for (uint32 i = 0; i < nvalues; i++)
				integers[i] = (int32) rowser_load_u32(bytes + 4 * (size_t) i);
			break;
		default:
			for (uint32 i = 0; i < nvalues; i++)
				integers[i] = (int64) rowser_load_u64(bytes + 8 * (size_t) i);
			break;
	}
	return integers;
}

/* ----------------------------------------------------------------
 *		Writing
 * ----------------------------------------------------------------
 */

static void
write_plain(RowserEncoder *encoder, RowserVector *vector,
			RowserCompression compression, const RowserBuffer *bounds)
{
	rowser_encode_begin(encoder, vector, ROWSER_ENCODING_PLAIN, bounds);
	rowser_block_write(encoder->nodes, encoder->body, compression,
					   vector->data.bytes, vector->data.size);
}

/* Write the value that all are as an inline value; section 6.1. */
static void
write_constant(RowserEncoder *encoder, RowserVector *vector)
{
	const uint8 *next = vector->data.bytes;
	RowserImage image;

	rowser_encode_begin(encoder, vector, ROWSER_ENCODING_CONSTANT, NULL);
	if (vector->width > 0)
	{
		rowser_buffer_bytes(encoder->nodes, next, vector->width);
		return;
	}
	if (!rowser_image_next(next, &next, next + vector->data.size, &image))
		elog(ERROR, "vector holds a broken image");
	rowser_buffer_string(encoder->nodes, image.payload, image.size);
}

static void
write_dictionary(RowserEncoder *encoder, RowserVector *vector,
				 const RowserDistinct *distinct, const int64 *indexes,
				 const RowserBuffer *bounds)
{
	rowser_encode_begin(encoder, vector, ROWSER_ENCODING_DICTIONARY, bounds);
	rowser_buffer_varuint(encoder->nodes, distinct->nentries);
	rowser_block_write(encoder->nodes, encoder->body, encoder->compression,
					   distinct->entries.bytes, distinct->entries.size);
	rowser_integers_write(encoder->nodes, encoder->body, encoder->compression,
						  indexes, vector->nvalues - vector->nnulls,
						  vector->in_array);
}

/* Write booleans, one bit each. */
static void
write_bits(RowserEncoder *encoder, RowserVector *vector, uint32 nvalues)
{
	size_t		size = rowser_packing_size(nvalues, 1);
	uint8	   *bits = palloc0(size);

	for (uint32 i = 0; i < nvalues; i++)
		bits[i / 8] |= vector->data.bytes[i] << (i % 8);
	rowser_encode_begin(encoder, vector, ROWSER_ENCODING_BITS, NULL);
	rowser_block_write(encoder->nodes, encoder->body, encoder->compression,
					   bits, size);
	pfree(bits);
}

/* Write integers in what takes the least, a dictionary included. */
static void
write_integers(RowserEncoder *encoder, RowserVector *vector, uint32 nvalues)
{
	int64	   *integers = load_integers(vector, nvalues);
	RowserShape shape = rowser_kind_shape(vector->kind);
	RowserIntegersPlan plan;
	RowserDictionary dictionary;
	RowserBuffer *bounds = NULL;

	rowser_integers_plan(&plan, integers, nvalues, shape, vector->in_array,
						 false);
	if (plan.encoding != ROWSER_ENCODING_CONSTANT &&
		rowser_bounds_are_wanted(vector))
		bounds = rowser_bounds_of_integers(plan.least_value,
										   plan.greatest_value);
	if (plan.encoding != ROWSER_ENCODING_CONSTANT &&
		vector->width >= DICTIONARY_MIN_WIDTH &&
		rowser_dictionary_build(&dictionary, &vector->data, vector->width,
								nvalues, DICTIONARY_SHARE(plan.size)))
		write_dictionary(encoder, vector, &dictionary.distinct,
						 dictionary.indexes, bounds);
	else
	{
		rowser_encode_begin(encoder, vector, plan.encoding, bounds);
		rowser_integers_write_body(encoder->nodes, encoder->body,
								   encoder->compression, &plan, integers,
								   nvalues, shape);
	}
	pfree(integers);
}

/*
 * Write values that were numbered when they were appended, if that pays; else
 * make them plain.
 */
static bool
write_numbered(RowserEncoder *encoder, RowserVector *vector, uint32 nvalues)
{
	RowserDistinct *distinct = &vector->distinct;
	RowserBuffer *bounds = NULL;
	int64	   *indexes;

	if (nvalues < 2 ||
		(distinct->nentries > 1 && rowser_distinct_size(distinct) >=
		 DICTIONARY_SHARE(vector->plain_size)))
	{
		rowser_vector_make_text_plain(vector);
		return false;
	}
	if (distinct->nentries == 1)
	{
		uint32		size;
		const uint8 *value = rowser_distinct_value(distinct, 0, &size);

		if (size <= ROWSER_IMAGE_INLINE_MAX)
		{
			rowser_encode_begin(encoder, vector, ROWSER_ENCODING_CONSTANT,
								NULL);
			rowser_buffer_string(encoder->nodes, value, size);
			return true;
		}
	}
	if (rowser_bounds_are_wanted(vector))
		bounds = rowser_bounds_of_others(vector);
	indexes = palloc_extended(nvalues * sizeof(int64), MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < nvalues; i++)
		indexes[i] = rowser_load_u16(vector->data.bytes + 2 * (size_t) i);
	write_dictionary(encoder, vector, distinct, indexes, bounds);
	pfree(indexes);
	return true;
}

/* Write values that are neither integers nor scaled ones. */
static void
write_other(RowserEncoder *encoder, RowserVector *vector, uint32 nvalues)
{
	RowserDictionary dictionary;
	RowserBuffer *bounds = NULL;
	uint64		plain_size = vector->width > 0 ? vector->data.size :
	vector->plain_size;
	bool		was_numbered = vector->is_numbered;

	if (vector->is_numbered && write_numbered(encoder, vector, nvalues))
		return;
	if (is_constant(vector, nvalues))
	{
		write_constant(encoder, vector);
		return;
	}
	if (vector->kind == ROWSER_KIND_BOOL)
	{
		write_bits(encoder, vector, nvalues);
		return;
	}
	if (rowser_bounds_are_wanted(vector))
		bounds = rowser_bounds_of_others(vector);
	if (!was_numbered &&
		(vector->width == 0 || vector->width >= DICTIONARY_MIN_WIDTH) &&
		rowser_dictionary_build(&dictionary, &vector->data, vector->width,
								nvalues, DICTIONARY_SHARE(plain_size)))
		write_dictionary(encoder, vector, &dictionary.distinct,
						 dictionary.indexes, bounds);
	else
		write_plain(encoder, vector, encoder->compression, bounds);
}

void
rowser_encode_scalar(RowserEncoder *encoder, RowserVector *vector)
{
	uint32		nvalues = vector->nvalues - vector->nnulls;
	RowserEncoderMark mark = rowser_encode_mark(encoder);
	RowserCompression none = {ROWSER_METHOD_NONE, 0};

	if (vector->kind == ROWSER_KIND_ENUM || vector->kind == ROWSER_KIND_REG)
		oids_to_images(vector);
	if (vector->data.overflowed || vector->exceptions.overflowed)
	{
		encoder->body->overflowed = true;
		return;
	}
	if (rowser_shape_is_integer(rowser_kind_shape(vector->kind)))
		write_integers(encoder, vector, nvalues);
	else if (!rowser_encode_scaled(encoder, vector))
		write_other(encoder, vector, nvalues);

	if (vector->in_array &&
		rowser_vector_plain_size(vector) + nvalues * ROWSER_BOUND_VALUE >
		ROWSER_BOUND_RATIO * (ROWSER_BOUND_BASE +
							  (uint64) (encoder->body->size -
										encoder->values_offset)))
	{
		rowser_encode_rewind(encoder, mark);
		if (vector->kind == ROWSER_KIND_NUMERIC && !vector->numeric_is_plain)
			rowser_vector_make_numeric_plain(vector);
		if (vector->is_numbered)
			rowser_vector_make_text_plain(vector);
		write_plain(encoder, vector, none, NULL);
	}
}
