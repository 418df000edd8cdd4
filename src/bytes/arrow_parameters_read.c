/*-------------------------------------------------------------------------
 *
 * arrow_parameters_read.c
 *	  Reading the parameters of an Arrow type (Schema.fbs, union Type).
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/arrow_read.h"

/* Schema.fbs: a type's fields, whatever they are */
#define TYPE_FIRST				0
#define TYPE_SECOND				1
#define TYPE_THIRD				2

#define ENUM_SIZE				2	/* bytes of a number that is an enum's */

/* PostgreSQL's own bound of a numeric's scale */
#define MAX_SCALE				1000

static bool
fail(const RowserFlatTable *table, const char *what)
{
	return rowser_flat_fail(table->buffer, table->offset,
							ROWSER_FAULT_INVALID, what);
}

const char *
rowser_arrow_type_name(RowserArrowTypeId type)
{
	static const char *const names[] = {
		"None", "Null", "Int", "FloatingPoint", "Binary", "Utf8", "Bool",
		"Decimal", "Date", "Time", "Timestamp", "Interval", "List", "Struct",
		"Union", "FixedSizeBinary", "FixedSizeList", "Map", "Duration",
		"LargeBinary", "LargeUtf8", "LargeList", "RunEndEncoded",
		"BinaryView", "Utf8View", "ListView", "LargeListView"
	};

	StaticAssertStmt(lengthof(names) == ROWSER_ARROW_TYPE_LAST + 1,
					 "every type has a name");
	Assert((int) type <= ROWSER_ARROW_TYPE_LAST);
	return names[type];
}

/* A number of a type that has it in a few bytes */
static bool
read_number(const RowserFlatTable *table, uint32 field, uint32 width,
			int64 otherwise, int64 least, int64 greatest, int64 *value)
{
	*value = otherwise;
	if (!rowser_flat_integer(table, field, width, value))
		return false;
	return (*value >= least && *value <= greatest) ||
		fail(table, "A type has a parameter that it can't have");
}

bool
rowser_arrow_integer_read(const RowserFlatTable *table, int32 *width,
						  bool *is_signed)
{
	int64		bits = 0;
	int64		sign = 0;

	if (!rowser_flat_integer(table, TYPE_FIRST, 4, &bits) ||
		!rowser_flat_integer(table, TYPE_SECOND, 1, &sign))
		return false;
	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return fail(table, "An integer's width is impossible");
	*width = (int32) bits;
	*is_signed = sign != 0;
	return true;
}

/* Most digits of a decimal of some bits, or 0 where there is none */
static int
decimal_digits(int64 bits)
{
	switch (bits)
	{
		case 32:
			return 9;
		case 64:
			return 18;
		case 128:
			return ROWSER_ARROW_DECIMAL128_DIGITS;
		case 256:
			return 76;
		default:
			return 0;
	}
}

static bool
read_decimal(const RowserFlatTable *table, RowserArrowField *field)
{
	int64		precision = 0;
	int64		scale = 0;
	int64		bits = 128;

	if (!rowser_flat_integer(table, TYPE_FIRST, 4, &precision) ||
		!rowser_flat_integer(table, TYPE_SECOND, 4, &scale) ||
		!rowser_flat_integer(table, TYPE_THIRD, 4, &bits))
		return false;
	if (precision < 1 || precision > decimal_digits(bits))
		return fail(table, "A decimal's precision is impossible");
	if (scale < -MAX_SCALE || scale > MAX_SCALE)
		return rowser_flat_fail(table->buffer, table->offset,
								ROWSER_FAULT_UNSUPPORTED,
								"A decimal's scale is too large");
	field->precision = (int32) precision;
	field->scale = (int32) scale;
	field->width = (int32) bits;
	return true;
}

static bool
read_time(const RowserFlatTable *table, RowserArrowField *field)
{
	int64		unit;
	int64		bits = 32;

	if (!read_number(table, TYPE_FIRST, ENUM_SIZE, ROWSER_ARROW_MILLISECOND,
					 ROWSER_ARROW_SECOND, ROWSER_ARROW_NANOSECOND, &unit) ||
		!rowser_flat_integer(table, TYPE_SECOND, 4, &bits))
		return false;
	if (bits != (unit <= ROWSER_ARROW_MILLISECOND ? 32 : 64))
		return fail(table, "A time's width doesn't go with its unit");
	field->unit = (int16) unit;
	field->width = (int32) bits;
	return true;
}

/* A type's unit, an enum that has no other parameter beside it */
static bool
read_unit(const RowserFlatTable *table, int64 otherwise, int64 greatest,
		  RowserArrowField *field)
{
	int64		unit;

	if (!read_number(table, TYPE_FIRST, ENUM_SIZE, otherwise, 0, greatest,
					 &unit))
		return false;
	field->unit = (int16) unit;
	return true;
}

/* How wide values of a fixed size are, in bytes or in values */
static bool
read_width(const RowserFlatTable *table, RowserArrowField *field)
{
	int64		width;

	if (!read_number(table, TYPE_FIRST, 4, 0, 0, PG_INT32_MAX, &width))
		return false;
	field->width = (int32) width;
	return true;
}

bool
rowser_arrow_parameters_read(const RowserFlatTable *table,
							 RowserArrowField *field)
{
	switch (field->type)
	{
		case ROWSER_ARROW_INT:
			return rowser_arrow_integer_read(table, &field->width,
											 &field->is_signed);
		case ROWSER_ARROW_FLOATING_POINT:
			return read_unit(table, ROWSER_ARROW_PRECISION_HALF,
							 ROWSER_ARROW_PRECISION_DOUBLE, field);
		case ROWSER_ARROW_DECIMAL:
			return read_decimal(table, field);
		case ROWSER_ARROW_DATE:
			return read_unit(table, ROWSER_ARROW_DATE_MILLISECOND,
							 ROWSER_ARROW_DATE_MILLISECOND, field);
		case ROWSER_ARROW_TIME:
			return read_time(table, field);
		case ROWSER_ARROW_TIMESTAMP:
			return read_unit(table, ROWSER_ARROW_SECOND,
							 ROWSER_ARROW_NANOSECOND, field) &&
				rowser_flat_string(table, TYPE_SECOND, &field->timezone);
		case ROWSER_ARROW_DURATION:
			return read_unit(table, ROWSER_ARROW_MILLISECOND,
							 ROWSER_ARROW_NANOSECOND, field);
		case ROWSER_ARROW_INTERVAL:
			return read_unit(table, ROWSER_ARROW_YEAR_MONTH,
							 ROWSER_ARROW_MONTH_DAY_NANO, field);
		case ROWSER_ARROW_FIXED_SIZE_BINARY:
		case ROWSER_ARROW_FIXED_SIZE_LIST:
			return read_width(table, field);
		default:
			return true;
	}
}
