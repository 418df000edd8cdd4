/*-------------------------------------------------------------------------
 *
 * scalar.c
 *	  Decoding the nodes of scalar columns, in all encodings but SCALED
 *	  (rowset_format.md, section 6.1).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "bytes/image.h"
#include "bytes/packing.h"
#include "columns/decoder.h"

/* A value that stands in the header, through a buffer of its plain form. */
Datum
rowser_scalar_inline(RowserDecoder *decoder, const RowserInline *value)
{
	const RowserNode *node = decoder->node;
	RowserBuffer plain;
	Datum		datum;

	if (rowser_shape_is_integer(node->shape))
	{
		rowser_values_of_integers(decoder, &value->integer, 1, &datum);
		return datum;
	}
	rowser_buffer_init(&plain, ROWSER_IMAGE_INLINE_MAX + 8,
					   ROWSER_IMAGE_INLINE_MAX + 8);
	if (node->width > 0)
		rowser_buffer_bytes(&plain, value->bytes.bytes, node->width);
	else
		rowser_image_append(&plain, value->bytes.bytes, value->bytes.size);

	decoder->block = decoder->next = plain.bytes;
	decoder->end = plain.bytes + plain.size;
	rowser_values_plain(decoder, 1, &datum, NULL);
	decoder->next = decoder->end;
	return datum;
}

/*
 * Check or change the length of a node's entries, so that its values need no
 * more.
 */
static void
cast_entries(RowserDecoder *decoder, uint32 nentries)
{
	if (decoder->cast == NULL || !rowser_cast_is_length(decoder->cast))
		return;
	for (uint32 i = 0; i < nentries; i++)
	{
		bool		isnull;

		CHECK_FOR_INTERRUPTS();
		decoder->entries[i] = rowser_cast_value(decoder->cast,
												decoder->entries[i], &isnull);
		if (isnull)
			elog(ERROR, "length coercion gave NULL");
	}
	decoder->is_cast = true;
}

/* Make the one value of a CONSTANT node. */
static void
start_constant(RowserDecoder *decoder)
{
	decoder->entries = palloc(sizeof(Datum));
	decoder->entries[0] = rowser_scalar_inline(decoder,
											   &decoder->node->constant);
	cast_entries(decoder, 1);
}

static void
start_dictionary(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;
	bool		limited = node->limit != PG_UINT64_MAX && node->width == 0;

	decoder->entries = palloc_extended(node->nentries * sizeof(Datum),
									   MCXT_ALLOC_HUGE);
	decoder->entry_sizes = NULL;
	if (limited)
		decoder->entry_sizes = palloc_extended(node->nentries * sizeof(uint32),
											   MCXT_ALLOC_HUGE);
	rowser_values_plain(decoder, node->nentries, decoder->entries,
				 decoder->entry_sizes);
	if (decoder->next != decoder->end)
		rowser_decoder_fail(decoder, "A dictionary has bytes past its entries");
	cast_entries(decoder, node->nentries);
	rowser_decoder_check(decoder,
						 rowser_integers_open(&decoder->integers[0],
											  &node->integers[0], body,
											  decoder->at));
}

/* Open the block that holds plain values, entries or bits. */
static void
open_block(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;
	uint8	   *owned;

	rowser_decoder_check(decoder,
						 rowser_block_open(&node->data, body,
										   node->width == 0 ?
										   ROWSER_IMAGE_ALIGNMENT : 1,
										   decoder->at, &decoder->block,
										   &owned));
	decoder->next = decoder->block;
	decoder->end = decoder->block + node->data.raw_size;
}

void
rowser_scalar_start(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;

	switch (node->encoding)
	{
		case ROWSER_ENCODING_DICTIONARY:
			open_block(decoder, body);
			start_dictionary(decoder, body);
			return;
		case ROWSER_ENCODING_SCALED:
			if (node->nexceptions > 0)
				open_block(decoder, body);
			rowser_scaled_start(decoder, body);
			return;
		case ROWSER_ENCODING_BITS:
			open_block(decoder, body);
			if (!rowser_packing_tail_is_zero(decoder->block,
											 rowser_node_nonnull(node), 1))
				rowser_decoder_fail(decoder, "A block has bits past its values");
			decoder->next = decoder->end;
			return;
		default:
			break;
	}
	if (rowser_shape_is_integer(node->shape))
		rowser_decoder_check(decoder,
							 rowser_integers_open(&decoder->numbers, node,
												  body, decoder->at));
	else if (node->encoding == ROWSER_ENCODING_CONSTANT)
		start_constant(decoder);
	else
		open_block(decoder, body);
}

/* Count what a dictionary gives against section 6.6's limit. */
static void
count_plain_size(RowserDecoder *decoder, const uint32 *indexes,
				 uint32 nvalues)
{
	for (uint32 i = 0; i < nvalues; i++)
		decoder->plain_size += decoder->entry_sizes[indexes[i]];
	if (decoder->plain_size > decoder->node->limit)
		rowser_decoder_fail(decoder, "Too few bytes stand for too many values");
}

/* How many indexes are looked at before their values are */
#define INDEX_BATCH 256

static void
next_dictionary(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	uint32		indexes[INDEX_BATCH];

	while (nvalues > 0)
	{
		uint32		n = Min(nvalues, INDEX_BATCH);

		rowser_decoder_check(decoder,
							 rowser_integers_next_counts(decoder->integers[0],
														 n,
														 decoder->node->nentries - 1,
														 indexes,
														 decoder->at));
		for (uint32 i = 0; i < n; i++)
			values[i] = decoder->entries[indexes[i]];
		if (decoder->entry_sizes != NULL)
			count_plain_size(decoder, indexes, n);
		values += n;
		nvalues -= n;
	}
}

static void
next_bits(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		bit = decoder->number_position + i;

		values[i] = BoolGetDatum((decoder->block[bit / 8] >> (bit % 8)) & 1);
	}
}

/* How many integers are read at once where they can't be read in place */
#define INTEGER_BATCH 256

static void
next_integers(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
#if SIZEOF_DATUM == 8
	rowser_decoder_check(decoder,
						 rowser_integers_next(decoder->numbers, nvalues,
											  (int64 *) values, decoder->at));
	rowser_values_of_integers(decoder, (int64 *) values, nvalues, values);
#else
	int64		integers[INTEGER_BATCH];

	for (uint32 done = 0; done < nvalues; done += INTEGER_BATCH)
	{
		uint32		n = Min(nvalues - done, INTEGER_BATCH);

		rowser_decoder_check(decoder,
							 rowser_integers_next(decoder->numbers, n,
												  integers, decoder->at));
		rowser_values_of_integers(decoder, integers, n, values + done);
	}
#endif
}

void
rowser_scalar_next(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	switch (decoder->node->encoding)
	{
		case ROWSER_ENCODING_DICTIONARY:
			next_dictionary(decoder, nvalues, values);
			break;
		case ROWSER_ENCODING_SCALED:
			rowser_scaled_next(decoder, nvalues, values);
			break;
		case ROWSER_ENCODING_BITS:
			next_bits(decoder, nvalues, values);
			break;
		default:
			if (rowser_shape_is_integer(decoder->node->shape))
				next_integers(decoder, nvalues, values);
			else if (decoder->node->encoding == ROWSER_ENCODING_CONSTANT)
			{
				for (uint32 i = 0; i < nvalues; i++)
					values[i] = decoder->entries[0];
			}
			else
				rowser_values_plain(decoder, nvalues, values, NULL);
			break;
	}
	decoder->number_position += nvalues;
}

/* Pass over plain values; images have to be looked at for their lengths. */
static void
skip_plain(RowserDecoder *decoder, uint32 nvalues)
{
	if (decoder->node->width > 0)
	{
		decoder->next += (size_t) decoder->node->width * nvalues;
		return;
	}
	for (uint32 i = 0; i < nvalues; i++)
	{
		RowserImage image;

		if (!rowser_image_next(decoder->block, &decoder->next, decoder->end,
							   &image))
			rowser_decoder_fail(decoder, "A value's length is impossible");
	}
}

static void
skip_integers(RowserDecoder *decoder, RowserIntegers *integers,
			  uint32 nvalues)
{
	rowser_decoder_check(decoder, rowser_integers_skip(integers, nvalues,
													   decoder->at));
}

void
rowser_scalar_skip(RowserDecoder *decoder, uint32 nvalues)
{
	switch (decoder->node->encoding)
	{
		case ROWSER_ENCODING_DICTIONARY:
			skip_integers(decoder, decoder->integers[0], nvalues);
			break;
		case ROWSER_ENCODING_SCALED:
			rowser_scaled_skip(decoder, nvalues);
			break;
		case ROWSER_ENCODING_BITS:
			break;
		default:
			if (rowser_shape_is_integer(decoder->node->shape))
				skip_integers(decoder, decoder->numbers, nvalues);
			else if (decoder->node->encoding != ROWSER_ENCODING_CONSTANT)
				skip_plain(decoder, nvalues);
			break;
	}
	decoder->number_position += nvalues;
}
