/*-------------------------------------------------------------------------
 *
 * arrow_import_numbers.c
 *	  Arrow's numbers, dates and times as Datums (Schema.fbs says what each
 *	  counts, and from when).
 *
 * What a type of this database cannot hold is an error, never cut or rounded.
 *
 * Memory: values are in the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/int.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/float.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "columns/arrow_import.h"

/* Days from Arrow's first day to PostgreSQL's */
#define EPOCH_DAYS			(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE)

#define MSECS_PER_DAY		(SECS_PER_DAY * INT64CONST(1000))
#define USECS_PER_MSEC		1000
#define NSECS_PER_USEC		1000

/* Head of the functions below: an import's parameters, none of them unused */
#define IMPORT(name) \
	static void \
	name(RowserImport *import, const RowserArrowArray *array, uint32 start, \
		 uint32 nvalues, const bool *nulls, Datum *values)

/* A loop over the values that are not NULL, each `width` bytes at `p` */
#define IMPORT_EACH(width, expression) \
	do { \
		const uint8 *p = array->data + (size_t) start * (width); \
		\
		for (uint32 i = 0; i < nvalues; i++, p += (width)) \
		{ \
			if (!nulls[i]) \
				values[i] = (expression); \
		} \
	} while (0)

/* ----------------------------------------------------------------
 *		Integers and booleans
 * ----------------------------------------------------------------
 */

IMPORT(import_bool)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		bit = start + i;

		values[i] = BoolGetDatum((array->data[bit / 8] >> (bit % 8)) & 1);
	}
}

/* Datums of int2, of int4 and its kin, and of int8 and its kin */
IMPORT(import_int8)
{
	IMPORT_EACH(1, Int16GetDatum((int8) *p));
}

IMPORT(import_uint8)
{
	IMPORT_EACH(1, Int16GetDatum(*p));
}

IMPORT(import_int16)
{
	IMPORT_EACH(2, Int16GetDatum((int16) rowser_load_u16(p)));
}

IMPORT(import_uint16)
{
	IMPORT_EACH(2, Int32GetDatum(rowser_load_u16(p)));
}

IMPORT(import_int32)
{
	IMPORT_EACH(4, Int32GetDatum((int32) rowser_load_u32(p)));
}

/* int8, or a type that has no sign either */
IMPORT(import_uint32)
{
	if (import->kind == ROWSER_KIND_INT8)
		IMPORT_EACH(4, Int64GetDatum(rowser_load_u32(p)));
	else
		IMPORT_EACH(4, UInt32GetDatum(rowser_load_u32(p)));
}

IMPORT(import_int64)
{
	IMPORT_EACH(8, Int64GetDatum((int64) rowser_load_u64(p)));
}

/* As numeric, or as a type of 64 bits that has no sign either */
static Datum
load_uint64(const RowserImport *import, const uint8 *bytes)
{
	uint64		integer = rowser_load_u64(bytes);

	if (import->kind != ROWSER_KIND_NUMERIC)
		return UInt64GetDatum(integer);
	if (integer <= PG_INT64_MAX)
		return NumericGetDatum(int64_to_numeric((int64) integer));
	return DirectFunctionCall3(numeric_in,
							   CStringGetDatum(psprintf(UINT64_FORMAT,
														integer)),
							   ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

IMPORT(import_uint64)
{
	IMPORT_EACH(8, load_uint64(import, p));
}

/* ----------------------------------------------------------------
 *		Floating point
 * ----------------------------------------------------------------
 */

/* A number of IEEE 754's binary16 */
static float4
half_to_float(uint16 half)
{
	int			exponent = (half >> 10) & 0x1F;
	int			fraction = half & 0x3FF;
	double		result;

	if (exponent == 0x1F)
		result = fraction == 0 ? get_float8_infinity() : get_float8_nan();
	else if (exponent == 0)
		result = ldexp(fraction, -24);
	else
		result = ldexp(fraction + 0x400, exponent - 25);
	return (float4) ((half & 0x8000) ? -result : result);
}

static Datum
load_float8(const uint8 *bytes)
{
	uint64		bits = rowser_load_u64(bytes);
	float8		number;

	memcpy(&number, &bits, sizeof(number));
	return Float8GetDatum(number);
}

IMPORT(import_half)
{
	IMPORT_EACH(2, Float4GetDatum(half_to_float(rowser_load_u16(p))));
}

/* a float4's Datum has its bits */
IMPORT(import_single)
{
	IMPORT_EACH(4, Int32GetDatum((int32) rowser_load_u32(p)));
}

IMPORT(import_double)
{
	IMPORT_EACH(8, load_float8(p));
}

/* ----------------------------------------------------------------
 *		Dates and times
 * ----------------------------------------------------------------
 */

static Datum
date_of_days(int64 days)
{
	days -= EPOCH_DAYS;
	if (days < PG_INT32_MIN || days > PG_INT32_MAX ||
		!IS_VALID_DATE((DateADT) days))
		rowser_import_out_of_range("date");
	return DateADTGetDatum((DateADT) days);
}

static Datum
date_of_msecs(int64 msecs)
{
	if (msecs % MSECS_PER_DAY != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("date has a time of day")));
	return date_of_days(msecs / MSECS_PER_DAY);
}

IMPORT(import_date)
{
	if (array->field->unit == ROWSER_ARROW_DATE_DAY)
		IMPORT_EACH(4, date_of_days((int32) rowser_load_u32(p)));
	else
		IMPORT_EACH(8, date_of_msecs((int64) rowser_load_u64(p)));
}

/* Refuse nanoseconds that aren't microseconds. */
static int64
nsecs_to_usecs(int64 nsecs)
{
	if (nsecs % NSECS_PER_USEC != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("time has a fraction of a microsecond"),
				 errdetail("PostgreSQL keeps times in microseconds."),
				 errhint("Round them before.")));
	return nsecs / NSECS_PER_USEC;
}

/* What a field counts, in microseconds; `what` is for an error. */
static int64
to_usecs(int64 count, int16 unit, const char *what)
{
	int64		usecs;

	switch (unit)
	{
		case ROWSER_ARROW_SECOND:
			if (pg_mul_s64_overflow(count, USECS_PER_SEC, &usecs))
				rowser_import_out_of_range(what);
			return usecs;
		case ROWSER_ARROW_MILLISECOND:
			if (pg_mul_s64_overflow(count, USECS_PER_MSEC, &usecs))
				rowser_import_out_of_range(what);
			return usecs;
		case ROWSER_ARROW_MICROSECOND:
			return count;
		default:
			return nsecs_to_usecs(count);
	}
}

/* A leap second or the end of a day is no time of one. */
static Datum
time_of(int64 count, int16 unit)
{
	int64		usecs = to_usecs(count, unit, "time");

	if (usecs < 0 || usecs >= USECS_PER_DAY)
		rowser_import_out_of_range("time");
	return TimeADTGetDatum(usecs);
}

IMPORT(import_time)
{
	if (array->field->width == 32)
		IMPORT_EACH(4, time_of((int32) rowser_load_u32(p),
								 array->field->unit));
	else
		IMPORT_EACH(8, time_of((int64) rowser_load_u64(p),
								 array->field->unit));
}

/*
 * The epochs' distance is taken off in the unit that the field counts:
 * PostgreSQL's last timestamps are past what microseconds since 1970 can say.
 */
static Datum
timestamp_of(int64 count, int16 unit)
{
	static const int64 distances[] = {
		[ROWSER_ARROW_SECOND] = EPOCH_DAYS * (int64) SECS_PER_DAY,
		[ROWSER_ARROW_MILLISECOND] = EPOCH_DAYS * (USECS_PER_DAY / USECS_PER_MSEC),
		[ROWSER_ARROW_MICROSECOND] = EPOCH_DAYS * USECS_PER_DAY,
	};
	Timestamp	timestamp;

	if (unit == ROWSER_ARROW_NANOSECOND)
	{
		count = nsecs_to_usecs(count);
		unit = ROWSER_ARROW_MICROSECOND;
	}
	if (pg_sub_s64_overflow(count, distances[unit], &count))
		rowser_import_out_of_range("timestamp");
	timestamp = to_usecs(count, unit, "timestamp");
	if (!IS_VALID_TIMESTAMP(timestamp))
		rowser_import_out_of_range("timestamp");
	return TimestampGetDatum(timestamp);
}

IMPORT(import_timestamp)
{
	IMPORT_EACH(8, timestamp_of((int64) rowser_load_u64(p),
								  array->field->unit));
}

static Datum
interval_of(int32 months, int32 days, int64 usecs)
{
	Interval   *interval = palloc(sizeof(Interval));

	interval->month = months;
	interval->day = days;
	interval->time = usecs;
	return IntervalPGetDatum(interval);
}

IMPORT(import_duration)
{
	IMPORT_EACH(8, interval_of(0, 0, to_usecs((int64) rowser_load_u64(p),
												array->field->unit,
												"interval")));
}

IMPORT(import_interval)
{
	switch (array->field->unit)
	{
		case ROWSER_ARROW_YEAR_MONTH:
			IMPORT_EACH(4, interval_of((int32) rowser_load_u32(p), 0, 0));
			break;
		case ROWSER_ARROW_DAY_TIME:
			IMPORT_EACH(8, interval_of(0, (int32) rowser_load_u32(p),
										 (int64) (int32) rowser_load_u32(p + 4) *
										 USECS_PER_MSEC));
			break;
		default:
			IMPORT_EACH(16, interval_of((int32) rowser_load_u32(p),
										  (int32) rowser_load_u32(p + 4),
										  nsecs_to_usecs((int64) rowser_load_u64(p + 8))));
			break;
	}
}

/* ----------------------------------------------------------------
 *		Which function
 * ----------------------------------------------------------------
 */

static RowserImportFunction
integers_function(const RowserArrowField *field)
{
	switch (field->width)
	{
		case 8:
			return field->is_signed ? import_int8 : import_uint8;
		case 16:
			return field->is_signed ? import_int16 : import_uint16;
		case 32:
			return field->is_signed ? import_int32 : import_uint32;
		default:
			return field->is_signed ? import_int64 : import_uint64;
	}
}

RowserImportFunction
rowser_import_numbers(const RowserArrowField *field)
{
	switch (field->type)
	{
		case ROWSER_ARROW_BOOL:
			return import_bool;
		case ROWSER_ARROW_INT:
			return integers_function(field);
		case ROWSER_ARROW_FLOATING_POINT:
			if (field->unit == ROWSER_ARROW_PRECISION_HALF)
				return import_half;
			return field->unit == ROWSER_ARROW_PRECISION_SINGLE ?
				import_single : import_double;
		case ROWSER_ARROW_DECIMAL:
			return rowser_import_decimals;
		case ROWSER_ARROW_DATE:
			return import_date;
		case ROWSER_ARROW_TIME:
			return import_time;
		case ROWSER_ARROW_TIMESTAMP:
			return import_timestamp;
		case ROWSER_ARROW_DURATION:
			return import_duration;
		case ROWSER_ARROW_INTERVAL:
			return import_interval;
		default:
			return NULL;
	}
}
