/*-------------------------------------------------------------------------
 *
 * vector.c
 *	  Column vectors: the values of one column while a row group is filled.
 *
 * Values are appended by vector_append.c.
 *
 * Memory: all that a vector owns is allocated in the context that was current
 * when it was made, which is why appending never needs to switch.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "utils/lsyscache.h"

#include "bytes/image.h"
#include "columns/describe.h"
#include "columns/vector.h"
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
