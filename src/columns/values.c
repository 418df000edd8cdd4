/*-------------------------------------------------------------------------
 *
 * values.c
 *	  Scalar values in plain form as Datums (rowset_format.md, sections 3.2,
 *	  6.2 and 6.3).
 *
 * A switch over the kind is outside of each loop over values, but for images.
 * Nothing is taken from the bytes unchecked: what PostgreSQL's own receive
 * functions refuse is refused here too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_enum.h"
#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/itemptr.h"
#include "tsearch/ts_type.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "bytes/image.h"
#include "bytes/packing.h"
#include "columns/decoder.h"
#include "columns/numeric.h"
#include "columns/pin.h"
#include "columns/resolve.h"

void
rowser_values_init(RowserDecoder *decoder)
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
 *		Images
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

/* Bytes of which one is zero or has its highest bit set */
#define HAS_ODD_BYTE(word) \
	((((word) - UINT64CONST(0x0101010101010101)) | (word)) & \
	 UINT64CONST(0x8080808080808080))

/*
 * Whether text is ASCII without zero bytes, and so valid and the same in every
 * encoding that a database can have.
 */
static inline bool
is_ascii(const uint8 *text, uint32 size)
{
	uint32		last;			/* where the last word begins */

	if (size < sizeof(uint64))
	{
		for (uint32 i = 0; i < size; i++)
		{
			if (text[i] == 0 || IS_HIGHBIT_SET(text[i]))
				return false;
		}
		return true;
	}
	last = size - sizeof(uint64);
	if (size <= 64)
	{
		/*
		 * How many words there are differs from text to text, and jumps that
		 * can't be foreseen cost more than looking at some words twice.
		 */
		uint64		odd = 0;

		for (uint32 i = 0; i < 64; i += sizeof(uint64))
			odd |= HAS_ODD_BYTE(rowser_load_u64(text + Min(i, last)));
		return odd == 0;
	}
	for (uint32 i = 0; i < last; i += sizeof(uint64))
	{
		if (HAS_ODD_BYTE(rowser_load_u64(text + i)))
			return false;
	}
	return !HAS_ODD_BYTE(rowser_load_u64(text + last));
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
	if (is_ascii(image->payload, image->size))
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

/*
 * An object that existed no more when the rowset was written has its number in
 * place of a name.  That may come back, but not as the object that happens
 * to have the number here.
 */
static void
check_unnamed(RowserDecoder *decoder, const char *text, Datum value)
{
	Oid			output;
	bool		is_varlena;

	if (strspn(text, "0123456789") != strlen(text))
		return;
	getTypeOutputInfo(rowser_reg_text_type(decoder->typid), &output,
					  &is_varlena);
	if (strcmp(OidOutputFunctionCall(output, value), text) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("object %s has no name in the rowset", text),
				 errdetail("Here another object has this number."),
				 errhint("Read the column as text.")));
}

/* Have a type's input function read the text; settings are pinned. */
static Datum
decode_input(RowserDecoder *decoder, const RowserImage *image)
{
	char	   *text = decode_cstring(decoder, image);
	Datum		value = InputFunctionCall(&decoder->function, text,
										  decoder->typioparam, -1);

	if (decoder->kind == ROWSER_KIND_REG)
		check_unnamed(decoder, text, value);
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
		if (likely(is_ascii(image.payload, image.size)))
			values[i] = image_varlena(&image);
		else
			values[i] = decode_text(decoder, &image);
	}
	decoder->next = next;
}

/* ----------------------------------------------------------------
 *		Values
 * ----------------------------------------------------------------
 */

static Datum
decode_bool(RowserDecoder *decoder, uint8 byte)
{
	if (byte > 1)
		rowser_decoder_fail(decoder, "A boolean is neither 0 nor 1");
	return BoolGetDatum(byte == 1);
}

static void
check_time(TimeADT time)
{
	if (time < INT64CONST(0) || time > USECS_PER_DAY)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("time out of range")));
}

static Datum
decode_float8(uint64 bits)
{
	float8		number;

	memcpy(&number, &bits, sizeof(number));
	return Float8GetDatum(number);
}

static Datum
decode_timetz(const uint8 *bytes)
{
	TimeTzADT  *timetz = palloc(sizeof(TimeTzADT));

	timetz->time = (TimeADT) rowser_load_u64(bytes);
	timetz->zone = (int32) rowser_load_u32(bytes + 8);
	check_time(timetz->time);
	if (timetz->zone <= -TZDISP_LIMIT || timetz->zone >= TZDISP_LIMIT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TIME_ZONE_DISPLACEMENT_VALUE),
				 errmsg("time zone displacement out of range")));
	return TimeTzADTPGetDatum(timetz);
}

static Datum
decode_interval(const uint8 *bytes)
{
	Interval   *interval = palloc(sizeof(Interval));

	interval->time = (TimeOffset) rowser_load_u64(bytes);
	interval->day = (int32) rowser_load_u32(bytes + 8);
	interval->month = (int32) rowser_load_u32(bytes + 12);
	return IntervalPGetDatum(interval);
}

static Datum
decode_tid(const uint8 *bytes)
{
	ItemPointer tid = palloc(sizeof(ItemPointerData));

	ItemPointerSet(tid, rowser_load_u32(bytes), rowser_load_u16(bytes + 4));
	return PointerGetDatum(tid);
}

/* A value that PostgreSQL keeps just as the bytes are, aligned or not. */
static Datum
decode_fixed(const RowserDecoder *decoder, const uint8 *bytes)
{
	uint8	   *copy;

	if (decoder->typalign == TYPALIGN_CHAR)
		return PointerGetDatum(bytes);
	copy = palloc(decoder->typlen);
	memcpy(copy, bytes, decoder->typlen);
	return PointerGetDatum(copy);
}

/* ----------------------------------------------------------------
 *		Integers
 * ----------------------------------------------------------------
 */

/* Check that integers are dates, or times, or timestamps. */
static void
check_dates(const int64 *dates, uint32 nvalues)
{
	bool		outside = false;

	for (uint32 i = 0; i < nvalues; i++)
	{
		DateADT		date = (DateADT) dates[i];

		outside |= !IS_VALID_DATE(date) & !DATE_NOT_FINITE(date);
	}
	if (outside)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("date out of range")));
}

static void
check_timestamps(const int64 *timestamps, uint32 nvalues)
{
	bool		outside = false;

	for (uint32 i = 0; i < nvalues; i++)
		outside |= !IS_VALID_TIMESTAMP(timestamps[i]) &
			!TIMESTAMP_NOT_FINITE(timestamps[i]);
	if (outside)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
}

void
rowser_values_of_integers(RowserDecoder *decoder, const int64 *integers,
						  uint32 nvalues, Datum *values)
{
	if (decoder->kind == ROWSER_KIND_DATE)
		check_dates(integers, nvalues);
	else if (decoder->kind == ROWSER_KIND_TIMESTAMP)
		check_timestamps(integers, nvalues);
	else if (decoder->kind == ROWSER_KIND_TIME)
	{
		for (uint32 i = 0; i < nvalues; i++)
			check_time(integers[i]);
	}

#if SIZEOF_DATUM == 8
	/* a Datum of a narrower integer is that integer, extended by its sign */
	if ((const void *) integers != (const void *) values)
		memcpy(values, integers, nvalues * sizeof(Datum));
#else
	for (uint32 i = 0; i < nvalues; i++)
		values[i] = decoder->node->width == sizeof(int64) ?
			Int64GetDatum(integers[i]) : Int32GetDatum((int32) integers[i]);
#endif
}

/* ----------------------------------------------------------------
 *		Fixed widths
 * ----------------------------------------------------------------
 */

/* A loop over values `width` bytes apart, each at `p` */
#define DECODE_EACH(width, expression) \
	do { \
		for (uint32 i = 0; i < nvalues; i++, p += (width)) \
			values[i] = (expression); \
	} while (0)

/* Decode fixed-width values that stand one after the other at `p`. */
static void
decode_fixed_width(RowserDecoder *decoder, const uint8 *p, uint32 nvalues,
				   Datum *values)
{
	switch (decoder->kind)
	{
		case ROWSER_KIND_BOOL:
			DECODE_EACH(1, decode_bool(decoder, *p));
			break;
		case ROWSER_KIND_FLOAT4:
			DECODE_EACH(4, Int32GetDatum((int32) rowser_load_u32(p)));
			break;
		case ROWSER_KIND_FLOAT8:
			DECODE_EACH(8, decode_float8(rowser_load_u64(p)));
			break;
		case ROWSER_KIND_TIMETZ:
			DECODE_EACH(12, decode_timetz(p));
			break;
		case ROWSER_KIND_INTERVAL:
			DECODE_EACH(16, decode_interval(p));
			break;
		case ROWSER_KIND_TID:
			DECODE_EACH(6, decode_tid(p));
			break;
		default:
			Assert(decoder->kind == ROWSER_KIND_FIXED);
			DECODE_EACH(decoder->typlen, decode_fixed(decoder, p));
			break;
	}
}

/* ----------------------------------------------------------------
 *		Plain form
 * ----------------------------------------------------------------
 */

/* Decode integers of the node's width in plain form, as dictionaries hold. */
static void
decode_plain_integers(RowserDecoder *decoder, const uint8 *bytes,
					  uint32 nvalues, Datum *values)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		int64		integer;

		switch (decoder->node->width)
		{
			case 1:
				integer = (int8) *bytes;
				break;
			case 2:
				integer = (int16) rowser_load_u16(bytes);
				break;
			case 4:
				integer = (int32) rowser_load_u32(bytes);
				break;
			default:
				integer = (int64) rowser_load_u64(bytes);
				break;
		}
		rowser_values_of_integers(decoder, &integer, 1, &values[i]);
		bytes += decoder->node->width;
	}
}

void
rowser_values_plain(RowserDecoder *decoder, uint32 nvalues, Datum *values,
					uint32 *sizes)
{
	uint8		width = decoder->node->width;

	if (width == 0 && decoder->kind == ROWSER_KIND_TEXT && sizes == NULL)
	{
		decode_texts(decoder, nvalues, values);
		return;
	}
	if (width == 0)
	{
		decode_images(decoder, nvalues, values, sizes);
		return;
	}
	/* The block's size was checked against the number of values. */
	if (rowser_shape_is_integer(decoder->node->shape))
		decode_plain_integers(decoder, decoder->next, nvalues, values);
	else
		decode_fixed_width(decoder, decoder->next, nvalues, values);
	decoder->next += (size_t) width * nvalues;
}
