/*-------------------------------------------------------------------------
 *
 * vector_append.c
 *	  Appending values to column vectors.
 *
 * Here are the scalars but numerics, which are in vector_numeric.c; nested
 * values are in vector_nested.c, and values without a type of this database in
 * vector_stored.c.
 *
 * Memory: appending never needs to switch contexts (vector.c); what it allocates
 * on the way (detoasted copies, what a send function gives) it frees.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/itemptr.h"
#include "utils/date.h"
#include "utils/timestamp.h"

#include "bytes/image.h"
#include "columns/pin.h"
#include "columns/vector.h"
#include "compat.h"

/* Set the bit of the value that is about to be counted. */
static void
append_null(RowserVector *vector)
{
	size_t		byte = vector->nvalues / 8;

	if (byte >= vector->nulls.size)
		rowser_buffer_zeros(&vector->nulls, byte + 1 - vector->nulls.size);
	if (byte < vector->nulls.size)
		vector->nulls.bytes[byte] |= 1 << (vector->nvalues % 8);
	vector->nnulls++;
}

static inline void
append_image(RowserVector *vector, const void *payload, size_t size,
			 uint64 *growth)
{
	if (vector->is_numbered)
	{
		int32		number = rowser_distinct_add(&vector->distinct, payload,
												 size);

		if (likely(number >= 0))
			rowser_buffer_u16(&vector->data, (uint16) number);
		else
			rowser_vector_make_text_plain(vector);
	}
	if (!vector->is_numbered)
		rowser_image_append(&vector->data, payload, size);
	vector->plain_size += rowser_image_plain_size(size);
	*growth += rowser_image_plain_size(size);
}

/* Append a varlena's payload. */
static inline void
append_varlena(RowserVector *vector, Datum value, uint64 *growth)
{
	struct varlena *pointer = (struct varlena *) DatumGetPointer(value);
	struct varlena *detoasted;

	if (likely(VARATT_IS_SHORT(pointer) && !VARATT_IS_EXTERNAL(pointer)))
	{
		append_image(vector, VARDATA_SHORT(pointer),
					 VARSIZE_SHORT(pointer) - VARHDRSZ_SHORT, growth);
		return;
	}
	detoasted = pg_detoast_datum_packed(pointer);
	append_image(vector, VARDATA_ANY(detoasted),
				 VARSIZE_ANY_EXHDR(detoasted), growth);
	if (detoasted != pointer)
		pfree(detoasted);
}

static void
append_binary(RowserVector *vector, Datum value, uint64 *growth)
{
	bytea	   *sent = rowser_pin_send(&vector->function, value);

	append_image(vector, VARDATA_ANY(sent), VARSIZE_ANY_EXHDR(sent), growth);
	pfree(sent);
}

/* Append what an output function gives, which may depend on settings or not. */
static void
append_output(RowserVector *vector, Datum value, bool pinned, uint64 *growth)
{
	int			nest_level = pinned ? rowser_pin_begin() : 0;
	char	   *output = OutputFunctionCall(&vector->function, value);

	if (pinned)
		rowser_pin_end(nest_level);
	append_image(vector, output, strlen(output), growth);
	pfree(output);
}

static void
append_tid(RowserVector *vector, Datum value)
{
	ItemPointer tid = (ItemPointer) DatumGetPointer(value);

	rowser_buffer_u32(&vector->data, ItemPointerGetBlockNumberNoCheck(tid));
	rowser_buffer_u16(&vector->data, ItemPointerGetOffsetNumberNoCheck(tid));
}

static void
append_timetz(RowserVector *vector, Datum value)
{
	TimeTzADT  *timetz = DatumGetTimeTzADTP(value);

	rowser_buffer_u64(&vector->data, (uint64) timetz->time);
	rowser_buffer_u32(&vector->data, (uint32) timetz->zone);
}

static void
append_interval(RowserVector *vector, Datum value)
{
	Interval   *interval = DatumGetIntervalP(value);

	rowser_buffer_u64(&vector->data, (uint64) interval->time);
	rowser_buffer_u32(&vector->data, (uint32) interval->day);
	rowser_buffer_u32(&vector->data, (uint32) interval->month);
}

void
rowser_vector_append(RowserVector *vector, Datum value, bool isnull,
					 uint64 *growth)
{
	RowserBuffer *data = &vector->data;

	if (isnull)
	{
		append_null(vector);
		vector->nvalues++;
		return;
	}
	vector->nvalues++;

	switch (vector->kind)
	{
		case ROWSER_KIND_BOOL:
			rowser_buffer_u8(data, DatumGetBool(value) ? 1 : 0);
			break;
		case ROWSER_KIND_INT1:
			rowser_buffer_u8(data, (uint8) DatumGetChar(value));
			break;
		case ROWSER_KIND_INT2:
			rowser_buffer_u16(data, (uint16) DatumGetInt16(value));
			break;
		case ROWSER_KIND_INT4:
		case ROWSER_KIND_DATE:
		case ROWSER_KIND_FLOAT4:
			/* float4 is passed by value as the int32 of its bits */
			rowser_buffer_u32(data, (uint32) DatumGetInt32(value));
			break;
		case ROWSER_KIND_REG:
		case ROWSER_KIND_ENUM:
			/* encode.c turns OIDs into text, each only once */
			rowser_buffer_u32(data, DatumGetObjectId(value));
			break;
		case ROWSER_KIND_INT8:
		case ROWSER_KIND_TIME:
		case ROWSER_KIND_TIMESTAMP:
			rowser_buffer_u64(data, (uint64) DatumGetInt64(value));
			break;
		case ROWSER_KIND_FLOAT8:
			{
				float8		number = DatumGetFloat8(value);
				uint64		bits;

				memcpy(&bits, &number, sizeof(bits));
				rowser_buffer_u64(data, bits);
			}
			break;
		case ROWSER_KIND_FIXED:
			rowser_buffer_bytes(data, DatumGetPointer(value), vector->width);
			break;
		case ROWSER_KIND_TIMETZ:
			append_timetz(vector, value);
			break;
		case ROWSER_KIND_INTERVAL:
			append_interval(vector, value);
			break;
		case ROWSER_KIND_TID:
			append_tid(vector, value);
			break;
		case ROWSER_KIND_NUMERIC:
			rowser_vector_append_numeric(vector, value, growth);
			break;
		case ROWSER_KIND_TEXT:
		case ROWSER_KIND_JSON:
		case ROWSER_KIND_XML:
		case ROWSER_KIND_NODE_TREE:
		case ROWSER_KIND_BYTES:
			append_varlena(vector, value, growth);
			break;
		case ROWSER_KIND_NAME:
			append_image(vector, NameStr(*DatumGetName(value)),
						 strlen(NameStr(*DatumGetName(value))), growth);
			break;
		case ROWSER_KIND_BINARY:
			append_binary(vector, value, growth);
			break;
		case ROWSER_KIND_OUTPUT:
		case ROWSER_KIND_PRINTED:
			append_output(vector, value, true, growth);
			break;
		case ROWSER_KIND_VECTOR:
			append_output(vector, value, false, growth);
			break;
		case ROWSER_KIND_ARRAY:
		case ROWSER_KIND_COMPOSITE:
		case ROWSER_KIND_RECORD:
		case ROWSER_KIND_RANGE:
		case ROWSER_KIND_MULTIRANGE:
			rowser_vector_append_nested(vector, value, growth);
			break;
		case ROWSER_KIND_DOMAIN:
		case ROWSER_KIND_NONE:
			elog(ERROR, "unexpected kind: %d", (int) vector->kind);
	}
}

void
rowser_vector_append_null(RowserVector *vector)
{
	append_null(vector);
	vector->nvalues++;
}

void
rowser_vector_append_varlena(RowserVector *vector, Datum value,
							 uint64 *growth)
{
	vector->nvalues++;
	append_varlena(vector, value, growth);
}

/*
 * The same switch once more, for a row's most frequent kinds alone and without a
 * call for each value: appending a value is a few instructions.
 */
void
rowser_vector_append_row(RowserVector *vectors, const int *attributes,
						 uint32 nvectors, const Datum *values,
						 const bool *nulls, uint64 *growth)
{
	uint64		row_growth = 0;

	for (uint32 i = 0; i < nvectors; i++)
	{
		RowserVector *vector = &vectors[i];
		Datum		value = values[attributes[i]];

		if (unlikely(nulls[attributes[i]]))
		{
			append_null(vector);
			vector->nvalues++;
			continue;
		}
		switch (vector->kind)
		{
			case ROWSER_KIND_INT4:
			case ROWSER_KIND_DATE:
				rowser_buffer_u32(&vector->data, (uint32) DatumGetInt32(value));
				break;
			case ROWSER_KIND_INT8:
			case ROWSER_KIND_TIMESTAMP:
				rowser_buffer_u64(&vector->data, (uint64) DatumGetInt64(value));
				break;
			case ROWSER_KIND_NUMERIC:
				rowser_vector_append_numeric(vector, value, &row_growth);
				break;
			case ROWSER_KIND_TEXT:
				append_varlena(vector, value, &row_growth);
				break;
			default:
				rowser_vector_append(vector, value, false, &row_growth);
				continue;
		}
		vector->nvalues++;
	}
	*growth += row_growth;
}
