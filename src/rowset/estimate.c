/*-------------------------------------------------------------------------
 *
 * estimate.c
 *	  What planning wants to know of a rowset, at little cost.
 *
 * A plan may never be run, so damaged bytes are no error here: they tell
 * nothing.  Nothing is decoded but the bounds in the groups' headers, and of
 * many groups only a sample is looked at.
 *
 * Memory: in a context of its own, gone at the end.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "bytes/group.h"
#include "columns/numeric.h"
#include "rowset/estimate.h"
#include "rowset/source.h"

/* About how many columns' headers are read at the most, of all groups */
#define SAMPLE_COLUMNS	4096

struct RowserEstimate
{
	MemoryContext context;
	RowserSource *source;
	RowserFault fault;
	RowserCursor start;
	RowserHeader header;
	RowserTrailer trailer;
	uint32		step;			/* of so many groups, one is in the sample */
	uint32		next_group;
	RowserGroup group;
};

RowserEstimate *
rowser_estimate_open(Datum rowset)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "rowser estimate",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	RowserEstimate *estimate = palloc0(sizeof(RowserEstimate));
	uint64		ncolumns;
	bool		ok;

	estimate->context = context;
	estimate->source = rowser_source_open(rowset, NULL);
	rowser_source_start(estimate->source, &estimate->start, &estimate->fault);
	ok = rowser_source_read_frame(estimate->source, &estimate->start,
								  &estimate->header, &estimate->trailer);
	MemoryContextSwitchTo(old_context);
	if (!ok)
	{
		rowser_estimate_close(estimate);
		return NULL;
	}
	ncolumns = (uint64) estimate->header.ncolumns * estimate->trailer.ngroups;
	estimate->step = (uint32) (ncolumns / SAMPLE_COLUMNS) + 1;
	return estimate;
}

void
rowser_estimate_close(RowserEstimate *estimate)
{
	MemoryContextDelete(estimate->context);
}

double
rowser_estimate_rows(const RowserEstimate *estimate)
{
	return (double) estimate->trailer.nrows;
}

int
rowser_estimate_find_column(const RowserEstimate *estimate, const char *name)
{
	const RowserHeader *header = &estimate->header;
	const char *encoding = GetDatabaseEncodingName();
	int			found = -1;

	/* converting names could fail; and only other names would need it */
	if (header->encoding.size != strlen(encoding) ||
		memcmp(header->encoding.bytes, encoding, header->encoding.size) != 0)
		return -1;
	for (uint32 i = 0; i < header->ncolumns; i++)
	{
		const RowserString *other = &header->columns[i].name;

		if (other->size != strlen(name) ||
			memcmp(other->bytes, name, other->size) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = (int) i;
	}
	return found;
}

bool
rowser_estimate_next_group(RowserEstimate *estimate)
{
	MemoryContext old_context;
	const RowserDirectoryEntry *entry;
	RowserCursor cursor = estimate->start;
	bool		ok;

	if (estimate->next_group >= estimate->trailer.ngroups)
		return false;
	entry = &estimate->trailer.groups[estimate->next_group];
	estimate->next_group += estimate->step;

	old_context = MemoryContextSwitchTo(estimate->context);
	cursor.next = estimate->start.start + entry->offset;
	cursor.end = cursor.next + entry->header_size;
	rowser_source_need(estimate->source, entry->offset, entry->header_size);
	ok = rowser_group_read(&cursor, estimate->header.columns,
						   estimate->header.ncolumns, &estimate->group);
	MemoryContextSwitchTo(old_context);
	return ok;
}

double
rowser_estimate_group_rows(const RowserEstimate *estimate)
{
	return estimate->group.nrows;
}

/* ----------------------------------------------------------------
 *		Numbers
 * ----------------------------------------------------------------
 */

/* How far apart the values of a type are that is counted; 0 for others. */
static double
type_step(Oid type)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
			return 1;
		case DATEOID:
			return USECS_PER_DAY;
		default:
			return 0;
	}
}

/* An integer that a value of a type consists of, as a number */
static bool
integer_number(int64 integer, Oid type, double *number)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case TIMEOID:
			*number = (double) integer;
			return true;
		case DATEOID:
			*number = (double) integer * USECS_PER_DAY;
			return !DATE_NOT_FINITE((DateADT) integer);
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			*number = (double) integer;
			return !TIMESTAMP_NOT_FINITE((Timestamp) integer);
		default:
			return false;
	}
}

static bool
numeric_number(Numeric numeric, double *number)
{
	if (numeric == NULL)
		return false;
	*number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
												 NumericGetDatum(numeric)));
	return isfinite(*number);
}

bool
rowser_estimate_number(Datum value, Oid type, double *number)
{
	switch (type)
	{
		case INT2OID:
			return integer_number(DatumGetInt16(value), type, number);
		case INT4OID:
		case DATEOID:
			return integer_number(DatumGetInt32(value), type, number);
		case INT8OID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return integer_number(DatumGetInt64(value), type, number);
		case FLOAT4OID:
			*number = DatumGetFloat4(value);
			return isfinite(*number);
		case FLOAT8OID:
			*number = DatumGetFloat8(value);
			return isfinite(*number);
		case NUMERICOID:
			return numeric_number(DatumGetNumeric(value), number);
		default:
			return false;
	}
}

/* A value that stands in a node's header, as a number */
static bool
inline_number(const RowserNode *node, const RowserInline *value, Oid type,
			  double *number)
{
	const uint8 *bytes = value->bytes.bytes;

	if (rowser_shape_is_integer(node->shape))
		return integer_number(value->integer, type, number);
	switch (node->shape)
	{
		case ROWSER_SHAPE_FLOAT4:
			return rowser_estimate_number(Int32GetDatum((int32) rowser_load_u32(bytes)),
										  FLOAT4OID, number);
		case ROWSER_SHAPE_FLOAT8:
			{
				uint64		bits = rowser_load_u64(bytes);

				memcpy(number, &bits, sizeof(*number));
				return isfinite(*number);
			}
		case ROWSER_SHAPE_NUMERIC:
			return numeric_number(rowser_numeric_build(bytes,
													   value->bytes.size),
								  number);
		default:
			return false;
	}
}

bool
rowser_estimate_column(const RowserEstimate *estimate, int column, Oid type,
					   RowserColumnEstimate *result)
{
	const RowserNode *node;
	MemoryContext old_context;
	bool		is_constant;

	if (column < 0 || (uint32) column >= estimate->header.ncolumns)
		return false;
	node = &estimate->group.columns[column];
	memset(result, 0, sizeof(*result));
	result->null_fraction = (double) node->nnulls / node->nvalues;
	if (estimate->header.columns[column].type.oid != type)
		return true;
	is_constant = node->encoding == ROWSER_ENCODING_CONSTANT;
	if (rowser_node_nonnull(node) == 0 || !(is_constant || node->has_minmax))
		return true;

	old_context = MemoryContextSwitchTo(estimate->context);
	result->has_bounds =
		inline_number(node, is_constant ? &node->constant : &node->least,
					  type, &result->least) &&
		inline_number(node, is_constant ? &node->constant : &node->greatest,
					  type, &result->greatest) &&
		result->least <= result->greatest;
	result->step = type_step(type);
	result->is_discrete = result->step > 0;
	MemoryContextSwitchTo(old_context);
	return true;
}
