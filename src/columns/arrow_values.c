/*-------------------------------------------------------------------------
 *
 * arrow_values.c
 *	  Values that aren't nested into an Arrow array's buffers.
 *
 * A switch over the form is outside of each loop over values.  A NULL has
 * zeros in the buffers, or no bytes.
 *
 * Memory: what output functions and conversions give is in the current
 * context, which is emptied after each batch.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "datatype/timestamp.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "columns/arrow_decimal.h"
#include "columns/arrow_export.h"
#include "columns/pin.h"

/* PostgreSQL counts from 2000-01-01, Arrow from 1970-01-01. */
#define EPOCH_DAYS	(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE)
#define EPOCH_USECS ((int64) EPOCH_DAYS * USECS_PER_DAY)

#define NSECS_PER_USEC 1000

/* A batch of values that are being appended */
typedef struct Batch
{
	RowserArrowExport *export;
	uint32		nvalues;
	const Datum *values;
	bool	   *nulls;
} Batch;

/* ----------------------------------------------------------------
 *		Values that Arrow can't hold
 * ----------------------------------------------------------------
 */

/* Raise the error for a value, or have it be NULL. */
static void
refuse(Batch *batch, uint32 i, int sqlstate)
{
	RowserArrowExport *export = batch->export;

	if (!export->shared->null_unrepresentable)
	{
		Oid			function;
		bool		is_varlena;
		int			nest_level = rowser_pin_begin();
		char	   *text;

		getTypeOutputInfo(export->decoder->target, &function, &is_varlena);
		text = OidOutputFunctionCall(function, batch->values[i]);
		rowser_pin_end(nest_level);
		rowser_arrow_export_unrepresentable(export, i, sqlstate,
											psprintf("the value %s", text));
	}
	batch->nulls[i] = true;
}

/* ----------------------------------------------------------------
 *		Fixed widths
 * ----------------------------------------------------------------
 */

/* A loop over values that go to `to`, as an expression of value `i` */
#define STORE_EACH(store, width, expression) \
	do { \
		for (uint32 i = 0; i < nvalues; i++) \
			store(to + (width) * i, nulls[i] ? 0 : (expression)); \
	} while (0)

static uint64
float8_bits(Datum value)
{
	float8		number = DatumGetFloat8(value);
	uint64		bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static void
append_dates(Batch *batch, uint8 *to)
{
	for (uint32 i = 0; i < batch->nvalues; i++)
	{
		DateADT		date = DatumGetDateADT(batch->values[i]);

		if (unlikely(!batch->nulls[i] && DATE_NOT_FINITE(date)))
			refuse(batch, i, ERRCODE_DATETIME_VALUE_OUT_OF_RANGE);
		rowser_store_u32(to + 4 * i,
						 batch->nulls[i] ? 0 : (uint32) (date + EPOCH_DAYS));
	}
}

/* Arrow's times end before midnight. */
static void
append_times(Batch *batch, uint8 *to)
{
	for (uint32 i = 0; i < batch->nvalues; i++)
	{
		TimeADT		time = batch->nulls[i] ? 0 :
		DatumGetTimeADT(batch->values[i]);

		if (unlikely(time >= USECS_PER_DAY))
		{
			refuse(batch, i, ERRCODE_DATETIME_VALUE_OUT_OF_RANGE);
			time = 0;
		}
		rowser_store_u64(to + 8 * i, (uint64) time);
	}
}

static void
append_timestamps(Batch *batch, uint8 *to)
{
	for (uint32 i = 0; i < batch->nvalues; i++)
	{
		Timestamp	timestamp = batch->nulls[i] ? -EPOCH_USECS :
		DatumGetTimestamp(batch->values[i]);

		if (unlikely(TIMESTAMP_NOT_FINITE(timestamp) ||
					 pg_add_s64_overflow(timestamp, EPOCH_USECS, &timestamp)))
		{
			refuse(batch, i, ERRCODE_DATETIME_VALUE_OUT_OF_RANGE);
			timestamp = 0;
		}
		else if (batch->nulls[i])
			timestamp = 0;
		rowser_store_u64(to + 8 * i, (uint64) timestamp);
	}
}

/* Months, days and nanoseconds; an infinite interval has too many of these. */
static void
append_intervals(Batch *batch, uint8 *to)
{
	for (uint32 i = 0; i < batch->nvalues; i++, to += 16)
	{
		const Interval *interval = DatumGetIntervalP(batch->values[i]);
		int64		nanoseconds;

		if (!batch->nulls[i] &&
			pg_mul_s64_overflow(interval->time, NSECS_PER_USEC, &nanoseconds))
			refuse(batch, i, ERRCODE_INTERVAL_FIELD_OVERFLOW);
		if (batch->nulls[i])
		{
			memset(to, 0, 16);
			continue;
		}
		rowser_store_u32(to, (uint32) interval->month);
		rowser_store_u32(to + 4, (uint32) interval->day);
		rowser_store_u64(to + 8, (uint64) nanoseconds);
	}
}

static void
append_uuids(Batch *batch, uint8 *to)
{
	for (uint32 i = 0; i < batch->nvalues; i++, to += UUID_LEN)
	{
		if (batch->nulls[i])
			memset(to, 0, UUID_LEN);
		else
			memcpy(to, DatumGetPointer(batch->values[i]), UUID_LEN);
	}
}

static void
append_decimals(Batch *batch, uint8 *to)
{
	for (uint32 i = 0; i < batch->nvalues;
		 i++, to += ROWSER_ARROW_DECIMAL_SIZE)
	{
		if (!batch->nulls[i] &&
			!rowser_arrow_decimal_write(batch->values[i],
										batch->export->scale, to))
			refuse(batch, i, ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE);
		if (batch->nulls[i])
			memset(to, 0, ROWSER_ARROW_DECIMAL_SIZE);
	}
}

static void
append_bools(Batch *batch)
{
	bool		bits[ROWSER_ARROW_BATCH];

	for (uint32 i = 0; i < batch->nvalues; i++)
		bits[i] = !batch->nulls[i] && DatumGetBool(batch->values[i]);
	rowser_arrow_append_bits(&batch->export->data, batch->export->length,
							 batch->nvalues, bits, false);
}

/* Append values whose width the layout says. */
static void
append_fixed(Batch *batch)
{
	const Datum *values = batch->values;
	const bool *nulls = batch->nulls;
	uint32		nvalues = batch->nvalues;
	uint8	   *to = rowser_buffer_extend(&batch->export->data,
							   (size_t) nvalues * batch->export->width);

	if (to == NULL)
		return;
	switch (batch->export->form)
	{
		case ROWSER_ARROW_FORM_INT16:
			STORE_EACH(rowser_store_u16, 2, (uint16) DatumGetInt16(values[i]));
			break;
		case ROWSER_ARROW_FORM_INT32:
			STORE_EACH(rowser_store_u32, 4, (uint32) DatumGetInt32(values[i]));
			break;
		case ROWSER_ARROW_FORM_INT64:
			STORE_EACH(rowser_store_u64, 8, (uint64) DatumGetInt64(values[i]));
			break;
		case ROWSER_ARROW_FORM_FLOAT8:
			STORE_EACH(rowser_store_u64, 8, float8_bits(values[i]));
			break;
		case ROWSER_ARROW_FORM_DATE:
			append_dates(batch, to);
			break;
		case ROWSER_ARROW_FORM_TIME:
			append_times(batch, to);
			break;
		case ROWSER_ARROW_FORM_TIMESTAMP:
			append_timestamps(batch, to);
			break;
		case ROWSER_ARROW_FORM_INTERVAL:
			append_intervals(batch, to);
			break;
		case ROWSER_ARROW_FORM_UUID:
			append_uuids(batch, to);
			break;
		default:
			Assert(batch->export->form == ROWSER_ARROW_FORM_DECIMAL);
			append_decimals(batch, to);
			break;
	}
}

/* ----------------------------------------------------------------
 *		Bytes and text
 * ----------------------------------------------------------------
 */

/* Append varlenas as they are. */
static void
append_varlenas(Batch *batch)
{
	RowserArrowExport *export = batch->export;
	size_t		size = 0;
	uint32		offset = (uint32) export->data.size;
	uint8	   *to;
	uint8	   *offsets;

	for (uint32 i = 0; i < batch->nvalues; i++)
	{
		if (!batch->nulls[i])
			size += VARSIZE_ANY_EXHDR(DatumGetPointer(batch->values[i]));
	}
	to = rowser_buffer_extend(&export->data, size);
	offsets = rowser_buffer_extend(&export->offsets,
								   batch->nvalues * sizeof(int32));
	if (to == NULL || offsets == NULL)
		return;
	for (uint32 i = 0; i < batch->nvalues; i++)
	{
		if (!batch->nulls[i])
		{
			const char *value = DatumGetPointer(batch->values[i]);

			size = VARSIZE_ANY_EXHDR(value);
			memcpy(to, VARDATA_ANY(value), size);
			to += size;
			offset += (uint32) size;
		}
		rowser_store_u32(offsets + i * sizeof(int32), offset);
	}
}

/* Append text of this database, if there is any. */
static void
append_text(RowserArrowExport *export, const char *text, int size)
{
	if (text != NULL)
	{
		text = rowser_arrow_utf8(text, size, &size);
		rowser_buffer_bytes(&export->data, text, size);
	}
	rowser_buffer_u32(&export->offsets, (uint32) export->data.size);
}

/* Append text that has to be converted. */
static void
append_texts(Batch *batch)
{
	for (uint32 i = 0; i < batch->nvalues; i++)
	{
		text	   *value = (text *) DatumGetPointer(batch->values[i]);

		if (batch->nulls[i])
			append_text(batch->export, NULL, 0);
		else
			append_text(batch->export, VARDATA_ANY(value),
						VARSIZE_ANY_EXHDR(value));
	}
}

static void
append_names(Batch *batch)
{
	for (uint32 i = 0; i < batch->nvalues; i++)
	{
		const char *name = batch->nulls[i] ? NULL :
		NameStr(*DatumGetName(batch->values[i]));

		append_text(batch->export, name, name ? (int) strlen(name) : 0);
	}
}

/* Whether a type's output function obeys no settings */
static bool
is_printed_alike(Oid type)
{
	return type == NUMERICOID || type == JSONBOID || type == CHAROID;
}

/* Append what the type's output function gives. */
static void
append_printed(Batch *batch)
{
	RowserArrowExport *export = batch->export;
	bool		pinned = !is_printed_alike(export->decoder->target);
	int			nest_level = pinned ? rowser_pin_begin() : 0;

	for (uint32 i = 0; i < batch->nvalues; i++)
	{
		char	   *text = batch->nulls[i] ? NULL :
		OutputFunctionCall(&export->output, batch->values[i]);

		append_text(export, text, text ? (int) strlen(text) : 0);
	}
	if (pinned)
		rowser_pin_end(nest_level);
}

/* ----------------------------------------------------------------
 *		All of them
 * ----------------------------------------------------------------
 */

void
rowser_arrow_values_append(RowserArrowExport *export, uint32 nvalues,
						   const Datum *values, bool *nulls)
{
	Batch		batch = {export, nvalues, values, nulls};

	if (export->has_dictionary)
	{
		rowser_arrow_dictionary_append(export, nvalues, values, nulls);
		return;
	}
	switch (export->form)
	{
		case ROWSER_ARROW_FORM_BOOL:
			append_bools(&batch);
			break;
		case ROWSER_ARROW_FORM_BYTES:
			append_varlenas(&batch);
			break;
		case ROWSER_ARROW_FORM_TEXT:
			if (GetDatabaseEncoding() == PG_UTF8)
				append_varlenas(&batch);
			else
				append_texts(&batch);
			break;
		case ROWSER_ARROW_FORM_NAME:
			append_names(&batch);
			break;
		case ROWSER_ARROW_FORM_PRINTED:
			append_printed(&batch);
			break;
		default:
			append_fixed(&batch);
			break;
	}
}
