/*-------------------------------------------------------------------------
 *
 * vector.c
 *	  Column vectors: the values of one column while a row group is filled.
 *
 * Here are the scalars but numerics, which are in vector_numeric.c; nested
 * values are in vector_nested.c, and values without a type of this database in
 * vector_stored.c.
 *
 * Memory: all that a vector owns is allocated in the context that was current
 * when it was made, which is why appending never needs to switch; what an
 * append allocates on the way (detoasted copies, what a send function gives)
 * it frees.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "storage/itemptr.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "bytes/image.h"
#include "columns/describe.h"
#include "columns/pin.h"
#include "columns/vector.h"
#include "compat.h"
#include "errors.h"

/* A vector begins with room for this much and grows. */
#define INITIAL_DATA_SIZE	256
#define INITIAL_NULLS_SIZE	32
#define INITIAL_COUNTS		16

/* ----------------------------------------------------------------
 *		Life
 * ----------------------------------------------------------------
 */

/* Unsigned integers don't; text does with "C", but char(n) ignores blanks. */
bool
rowser_vector_type_is_ordered(Oid type, Oid collation)
{
	switch (type)
	{
		case OIDOID:
		case XIDOID:
		case CIDOID:
		case XID8OID:
		case PG_LSNOID:
		case CHAROID:
		case BPCHAROID:
			return false;
		case TEXTOID:
		case VARCHAROID:
			return collation == C_COLLATION_OID;
		case NAMEOID:
			return collation == C_COLLATION_OID || !OidIsValid(collation);
		default:
			return true;
	}
}

static void
check_depth(int depth, const char *name)
{
	if (depth > ROWSER_MAX_TYPE_DEPTH)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("type is nested too deep for a rowset"),
				 errdetail("Column \"%s\" has more than %d levels.",
						   name, ROWSER_MAX_TYPE_DEPTH)));
}

/* Look up the function that a kind calls for each value. */
static void
init_function(RowserVector *vector)
{
	Oid			function;
	bool		is_varlena;

	vector->function_type = rowser_reg_text_type(vector->typid);
	switch (vector->kind)
	{
		case ROWSER_KIND_BINARY:
			getTypeBinaryOutputInfo(vector->function_type, &function,
									&is_varlena);
			break;
		case ROWSER_KIND_OUTPUT:
		case ROWSER_KIND_VECTOR:
		case ROWSER_KIND_REG:
		case ROWSER_KIND_PRINTED:
			getTypeOutputInfo(vector->function_type, &function, &is_varlena);
			break;
		default:
			return;
	}
	fmgr_info(function, &vector->function);
}

/* Kinds whose values are numbered while they are appended */
static bool
kind_is_numbered(RowserKind kind)
{
	return kind == ROWSER_KIND_TEXT || kind == ROWSER_KIND_NAME ||
		kind == ROWSER_KIND_BYTES || kind == ROWSER_KIND_JSON;
}

void
rowser_vector_init_nulls(RowserVector *vector)
{
	rowser_buffer_init(&vector->nulls, INITIAL_NULLS_SIZE,
					   ROWSER_BLOCK_MAX_SIZE);
}

void
rowser_vector_init_scalar(RowserVector *vector)
{
	rowser_buffer_init(&vector->data, INITIAL_DATA_SIZE,
					   ROWSER_BLOCK_MAX_SIZE);
	if (kind_is_numbered(vector->kind))
	{
		rowser_distinct_init(&vector->distinct, 0);
		vector->is_numbered = true;
	}
	if (vector->kind != ROWSER_KIND_NUMERIC)
		return;
	rowser_buffer_init(&vector->scales, INITIAL_NULLS_SIZE,
					   ROWSER_BLOCK_MAX_SIZE);
	rowser_buffer_init(&vector->exceptions, INITIAL_NULLS_SIZE,
					   ROWSER_BLOCK_MAX_SIZE);
	rowser_counts_init(&vector->integers[0]);
}

void
rowser_vector_init_at(RowserVector *vector, RowserType *described,
					  Oid type, int32 typmod, Oid collation,
					  const char *name, bool in_array, int depth)
{
	memset(vector, 0, sizeof(*vector));
	check_depth(depth, name);
	vector->kind = rowser_describe(described, type, typmod, collation, name);

	/* A domain's values are its base type's. */
	while (vector->kind == ROWSER_KIND_DOMAIN)
	{
		RowserType *base = palloc0(sizeof(RowserType));

		type = rowser_domain_base(type, &typmod);
		described->child = base;
		described = base;
		vector->kind = rowser_describe(described, type, typmod, InvalidOid,
									   name);
		check_depth(++depth, name);
	}

	vector->typid = type;
	vector->in_array = in_array;
	vector->is_ordered = rowser_vector_type_is_ordered(type, collation);
	vector->depth = depth;
	vector->width = described->width;
	get_typlenbyvalalign(type, &vector->typlen, &vector->typbyval,
						 &vector->typalign);
	rowser_vector_init_nulls(vector);
	init_function(vector);

	if (rowser_shape_is_scalar(described->shape))
		rowser_vector_init_scalar(vector);
	else
		rowser_vector_init_nested(vector, described, typmod, name, depth);
}

void
rowser_vector_init(RowserVector *vector, RowserType *described, Oid type,
				   int32 typmod, Oid collation, const char *name)
{
	rowser_vector_init_at(vector, described, type, typmod, collation, name,
						  false, 1);
}

void
rowser_vector_reset(RowserVector *vector)
{
	vector->nvalues = 0;
	vector->nnulls = 0;
	vector->nulls.size = 0;
	vector->data.size = 0;
	vector->plain_size = 0;
	if (kind_is_numbered(vector->kind))
	{
		rowser_distinct_reset(&vector->distinct);
		vector->is_numbered = true;
	}
	vector->numeric_is_plain = false;
	vector->scales.size = 0;
	vector->exceptions.size = 0;
	vector->array_is_general = false;
	vector->shape_numbers.size = 0;
	for (int i = 0; i < lengthof(vector->integers); i++)
		vector->integers[i].size = 0;
	for (uint32 i = 0; i < vector->nchildren; i++)
		rowser_vector_reset(&vector->children[i]);
	for (uint32 i = 0; i < vector->nshapes; i++)
	{
		vector->shapes[i].nvalues = 0;
		for (uint32 j = 0; j < vector->shapes[i].nfields; j++)
			rowser_vector_reset(&vector->shapes[i].vectors[j]);
	}
}

uint64
rowser_vector_plain_size(const RowserVector *vector)
{
	uint64		size;

	if (vector->width > 0)
		size = (uint64) (vector->nvalues - vector->nnulls) * vector->width;
	else
		size = vector->plain_size;
	for (uint32 i = 0; i < vector->nchildren; i++)
		size += rowser_vector_plain_size(&vector->children[i]);
	for (uint32 i = 0; i < vector->nshapes; i++)
	{
		for (uint32 j = 0; j < vector->shapes[i].nfields; j++)
			size += rowser_vector_plain_size(&vector->shapes[i].vectors[j]);
	}
	return size;
}

double
rowser_vector_float(const RowserVector *vector, uint32 i)
{
	const uint8 *bytes = vector->data.bytes + (size_t) i * vector->width;

	if (vector->width == sizeof(float4))
	{
		uint32		bits = rowser_load_u32(bytes);
		float4		number;

		memcpy(&number, &bits, sizeof(number));
		return number;
	}
	else
	{
		uint64		bits = rowser_load_u64(bytes);
		float8		number;

		memcpy(&number, &bits, sizeof(number));
		return number;
	}
}

void
rowser_counts_init(RowserCounts *counts)
{
	counts->size = 0;
	counts->capacity = INITIAL_COUNTS;
	counts->values = palloc(counts->capacity * sizeof(uint32));
}

void
rowser_counts_append(RowserCounts *counts, uint32 value)
{
	if (counts->size == counts->capacity)
	{
		if (counts->capacity > PG_INT32_MAX / 2)
			rowser_report_too_large();
		counts->capacity *= 2;
		counts->values = repalloc_huge(counts->values,
									   counts->capacity * sizeof(uint32));
	}
	counts->values[counts->size++] = value;
}

/* ----------------------------------------------------------------
 *		Appending
 * ----------------------------------------------------------------
 */

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

void
rowser_vector_replace_data(RowserVector *vector, RowserBuffer *images)
{
	vector->data.size = 0;
	rowser_buffer_bytes(&vector->data, images->bytes, images->size);
	vector->data.overflowed |= images->overflowed;
	rowser_buffer_free(images);
}

void
rowser_vector_make_text_plain(RowserVector *vector)
{
	RowserBuffer images;

	rowser_buffer_init(&images, Max(vector->data.size, 64),
					   vector->data.limit);
	for (size_t i = 0; i < vector->data.size; i += sizeof(uint16))
	{
		uint32		size;
		const uint8 *value = rowser_distinct_value(&vector->distinct,
												   rowser_load_u16(vector->data.bytes + i),
												   &size);

		rowser_image_append(&images, value, size);
	}
	rowser_vector_replace_data(vector, &images);
	vector->is_numbered = false;
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
