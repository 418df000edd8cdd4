/*-------------------------------------------------------------------------
 *
 * images.c
 *	  Values of variable size as Datums (rowset_format.md, sections 3.2 and
 *	  6.3).
 *
 * Where a value is kept in the bytes as PostgreSQL keeps it, its Datum points
 * there; what is read by a type's own function goes through that.  Text is
 * verified, and brought into the database's encoding.
 *
 * Memory: values that are not in the bytes are in the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "tsearch/ts_type.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "bytes/image.h"
#include "columns/decoder.h"
#include "columns/numeric.h"
#include "columns/pin.h"
#include "columns/resolve.h"
#include "columns/text.h"

void
rowser_images_init(RowserDecoder *decoder)
{
	Oid			function;

	switch (decoder->kind)
	{
		case ROWSER_KIND_BINARY:
			getTypeBinaryInputInfo(decoder->typid, &function,
								   &decoder->typioparam);
			break;
		case ROWSER_KIND_REG:
		case ROWSER_KIND_VECTOR:
		case ROWSER_KIND_OUTPUT:
		case ROWSER_KIND_JSON:
		case ROWSER_KIND_XML:
			getTypeInputInfo(rowser_reg_text_type(decoder->typid), &function,
							 &decoder->typioparam);
			break;
		default:
			return;
	}
	fmgr_info(function, &decoder->function);
}

/* ----------------------------------------------------------------
 *		Values
 * ----------------------------------------------------------------
 */

/* An image's payload as a varlena: itself, where that is what it is. */
static Datum
image_varlena(const RowserImage *image)
{
#ifndef WORDS_BIGENDIAN
	return PointerGetDatum(image->image);
#else
	return PointerGetDatum(cstring_to_text_with_len((const char *) image->payload,
													image->size));
#endif
}

/*
 * Check an image's text and bring it into the database's encoding; *size is
 * then that of the result.
 */
static const char *
image_text(RowserDecoder *decoder, const RowserImage *image, uint32 *size)
{
	const char *payload = (const char *) image->payload;
	const char *text;

	*size = image->size;
	if (rowser_text_is_ascii(image->payload, image->size))
		return payload;
	if (memchr(payload, 0, image->size) != NULL)
		rowser_decoder_fail(decoder, "A text holds a zero byte");
	text = pg_any_to_server(payload, image->size, decoder->encoding);
	if (text != payload)
		*size = strlen(text);
	return text;
}

static Datum
decode_text(RowserDecoder *decoder, const RowserImage *image)
{
	uint32		size;
	const char *text = image_text(decoder, image, &size);

	if (text == (const char *) image->payload)
		return image_varlena(image);
	return PointerGetDatum(cstring_to_text_with_len(text, size));
}

static Datum
decode_name(RowserDecoder *decoder, const RowserImage *image)
{
	uint32		size;
	const char *text = image_text(decoder, image, &size);
	Name		name;

	if (size >= NAMEDATALEN)
		rowser_decoder_fail(decoder, "A name is too long");
	name = palloc0(NAMEDATALEN);
	memcpy(NameStr(*name), text, size);
	return NameGetDatum(name);
}

/* An image's text as a C string in the database's encoding. */
static char *
decode_cstring(RowserDecoder *decoder, const RowserImage *image)
{
	uint32		size;
	const char *text = image_text(decoder, image, &size);

	return pnstrdup(text, size);
}

/* Have a type's input function read the text; settings are pinned. */
static Datum
decode_input(RowserDecoder *decoder, const RowserImage *image)
{
	char	   *text = decode_cstring(decoder, image);
	Datum		value = InputFunctionCall(&decoder->function, text,
										  decoder->typioparam, -1);

	if (decoder->kind == ROWSER_KIND_REG)
		rowser_text_check_unnamed(decoder->typid, text, value);
	return value;
}

/*
 * Check text of a type that is stored as it is written, by its input function,
 * and keep it as it is.
 */
static Datum
decode_checked_text(RowserDecoder *decoder, const RowserImage *image)
{
	Datum		value = decode_text(decoder, image);
	char	   *copy = TextDatumGetCString(value);
	Datum		read = InputFunctionCall(&decoder->function, copy,
										 decoder->typioparam, -1);

	pfree(DatumGetPointer(read));
	pfree(copy);
	return value;
}

/*
 * Find an enum's value by its label, as enum_in() does; it checks too that a
 * label that was added in this transaction is safe to use.
 */
static Datum
decode_enum(RowserDecoder *decoder, const RowserImage *image)
{
	return DirectFunctionCall2(enum_in,
							   CStringGetDatum(decode_cstring(decoder, image)),
							   ObjectIdGetDatum(decoder->typid));
}

static Datum
decode_numeric(RowserDecoder *decoder, const RowserImage *image)
{
	Numeric		value = rowser_numeric_build(image->payload, image->size);

	if (value == NULL)
		rowser_decoder_fail(decoder, "A numeric is malformed");
	return NumericGetDatum(value);
}

/*
 * Whether an image is a tsquery without operands, which the receive function of
 * older minor versions refuses although the send function gives it.
 */
static inline bool
is_empty_tsquery(const RowserDecoder *decoder, const RowserImage *image)
{
	return decoder->typid == TSQUERYOID && image->size == sizeof(uint32) &&
		rowser_load_u32(image->payload) == 0;
}

static Datum
empty_tsquery(void)
{
	TSQuery		query = palloc0(HDRSIZETQ);

	SET_VARSIZE(query, HDRSIZETQ);
	return TSQueryGetDatum(query);
}

/* Decode one image. */
static inline Datum
decode_image(RowserDecoder *decoder, const RowserImage *image)
{
	switch (decoder->kind)
	{
		case ROWSER_KIND_NUMERIC:
			return decode_numeric(decoder, image);
		case ROWSER_KIND_TEXT:
		case ROWSER_KIND_NODE_TREE:
			return decode_text(decoder, image);
		case ROWSER_KIND_NAME:
			return decode_name(decoder, image);
		case ROWSER_KIND_JSON:
		case ROWSER_KIND_XML:
			return decode_checked_text(decoder, image);
		case ROWSER_KIND_BYTES:
			return image_varlena(image);
		case ROWSER_KIND_BINARY:
			if (is_empty_tsquery(decoder, image))
				return empty_tsquery();
			return rowser_pin_receive(&decoder->function, image->payload,
									  image->size, decoder->typioparam, -1,
									  decoder->encoding);
		case ROWSER_KIND_ENUM:
			return decode_enum(decoder, image);
		default:
			Assert(decoder->kind == ROWSER_KIND_OUTPUT ||
				   decoder->kind == ROWSER_KIND_VECTOR ||
				   decoder->kind == ROWSER_KIND_REG);
			return decode_input(decoder, image);
	}
}

/* Whether a kind's values are read by functions that obey settings. */
static bool
kind_is_pinned(RowserKind kind)
{
	return kind == ROWSER_KIND_OUTPUT || kind == ROWSER_KIND_REG ||
		kind == ROWSER_KIND_XML;
}

/* Decode images that stand one after the other at decoder->next. */
static void
decode_images(RowserDecoder *decoder, uint32 nvalues, Datum *values,
			  uint32 *sizes)
{
	bool		pinned = kind_is_pinned(decoder->kind);
	int			nest_level = pinned ? rowser_pin_begin() : 0;

	for (uint32 i = 0; i < nvalues; i++)
	{
		RowserImage image;

		/* an array can have many, and a function can take its time for each */
		CHECK_FOR_INTERRUPTS();
		if (!rowser_image_next(decoder->block, &decoder->next, decoder->end,
							   &image))
			rowser_decoder_fail(decoder, "A value's length is impossible");
		values[i] = decode_image(decoder, &image);
		if (sizes != NULL)
			sizes[i] = rowser_image_plain_size(image.size);
	}
	if (pinned)
		rowser_pin_end(nest_level);
}

/* The same for text, of which there is most. */
static void
decode_texts(RowserDecoder *decoder, uint32 nvalues, Datum *values)
{
	const uint8 *next = decoder->next;

	for (uint32 i = 0; i < nvalues; i++)
	{
		RowserImage image;

		if (unlikely(!rowser_image_next(decoder->block, &next, decoder->end,
										&image)))
		{
			decoder->next = next;
			rowser_decoder_fail(decoder, "A value's length is impossible");
		}
		if (likely(rowser_text_is_ascii(image.payload, image.size)))
			values[i] = image_varlena(&image);
		else
		{
			CHECK_FOR_INTERRUPTS();
			values[i] = decode_text(decoder, &image);
		}
	}
	decoder->next = next;
}

void
rowser_images_decode(RowserDecoder *decoder, uint32 nvalues, Datum *values,
					 uint32 *sizes)
{
	if (decoder->kind == ROWSER_KIND_TEXT && sizes == NULL)
		decode_texts(decoder, nvalues, values);
	else
		decode_images(decoder, nvalues, values, sizes);
}
