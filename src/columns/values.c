/*-------------------------------------------------------------------------
 *
 * values.c
 *	  Scalar values in plain form as Datums (rowset_format.md, sections 3.2 and
 *	  6.2).
 *
 * Those of variable size are images.c's affair.  A switch over the kind is
 * outside of each loop over values.
 * Nothing is taken from the bytes unchecked: what PostgreSQL's own receive
 * functions refuse is refused here too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "storage/itemptr.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "bytes/cursor.h"
#include "columns/decoder.h"

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

	if (width == 0)
	{
		rowser_images_decode(decoder, nvalues, values, sizes);
		return;
	}
	/* The block's size was checked against the number of values. */
	if (rowser_shape_is_integer(decoder->node->shape))
		decode_plain_integers(decoder, decoder->next, nvalues, values);
	else
		decode_fixed_width(decoder, decoder->next, nvalues, values);
	decoder->next += (size_t) width * nvalues;
}
