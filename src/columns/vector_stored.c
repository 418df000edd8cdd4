/*-------------------------------------------------------------------------
 *
 * vector_stored.c
 *	  Column vectors of values as they lie in the bytes.
 *
 * What is encoded again without being looked at has a description and perhaps
 * no type of this database.  A vector of such values must encode them just as
 * one of the type's values would, down to the choice of encoding.
 *
 * Memory: as in vector.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "columns/vector.h"

static const char C_SCHEMA[] = "pg_catalog";
static const char C_NAME[] = "C";

/* The kind under which values are encoded just as their type's would be */
static RowserKind
stored_kind(const RowserType *described)
{
	RowserKind	kind = rowser_kind_of_builtin(described->oid);

	/* encode.c would take their values for OIDs */
	if (kind == ROWSER_KIND_REG)
		kind = ROWSER_KIND_OUTPUT;
	if (kind != ROWSER_KIND_NONE && kind != ROWSER_KIND_PRINTED &&
		rowser_kind_shape(kind) == described->shape)
		return kind;

	switch (described->shape)
	{
		case ROWSER_SHAPE_BOOL:
			return ROWSER_KIND_BOOL;
		case ROWSER_SHAPE_INT1:
			return ROWSER_KIND_INT1;
		case ROWSER_SHAPE_INT2:
			return ROWSER_KIND_INT2;
		case ROWSER_SHAPE_INT4:
			return ROWSER_KIND_INT4;
		case ROWSER_SHAPE_INT8:
			return ROWSER_KIND_INT8;
		case ROWSER_SHAPE_FLOAT4:
			return ROWSER_KIND_FLOAT4;
		case ROWSER_SHAPE_FLOAT8:
			return ROWSER_KIND_FLOAT8;
		case ROWSER_SHAPE_FIXED:
			return ROWSER_KIND_FIXED;
		case ROWSER_SHAPE_NUMERIC:
			return ROWSER_KIND_NUMERIC;
		case ROWSER_SHAPE_TEXT:
			return ROWSER_KIND_TEXT;
		case ROWSER_SHAPE_BYTES:
			return ROWSER_KIND_BYTES;
		case ROWSER_SHAPE_BINARY:
			return ROWSER_KIND_BINARY;
		case ROWSER_SHAPE_ARRAY:
			return ROWSER_KIND_ARRAY;
		case ROWSER_SHAPE_COMPOSITE:
			return ROWSER_KIND_COMPOSITE;
		case ROWSER_SHAPE_RECORD:
			return ROWSER_KIND_RECORD;
		case ROWSER_SHAPE_RANGE:
			return ROWSER_KIND_RANGE;
		case ROWSER_SHAPE_MULTIRANGE:
			return ROWSER_KIND_MULTIRANGE;
		default:
			Assert(described->shape == ROWSER_SHAPE_OUTPUT ||
				   described->shape == ROWSER_SHAPE_LABEL);
			return ROWSER_KIND_OUTPUT;
	}
}

/* A described column's collation, as far as the order of its bytes goes */
static Oid
stored_collation(const RowserType *described)
{
	if (described->collation_name.size == 0)
		return InvalidOid;
	if (described->collation_schema.size == strlen(C_SCHEMA) &&
		memcmp(described->collation_schema.bytes, C_SCHEMA,
			   strlen(C_SCHEMA)) == 0 &&
		described->collation_name.size == strlen(C_NAME) &&
		memcmp(described->collation_name.bytes, C_NAME, strlen(C_NAME)) == 0)
		return C_COLLATION_OID;
	return DEFAULT_COLLATION_OID;
}

/* Make the vectors below one of nested values. */
static void
init_nested(RowserVector *vector, const RowserType *described)
{
	bool		is_array = described->shape == ROWSER_SHAPE_ARRAY ||
	described->shape == ROWSER_SHAPE_MULTIRANGE;

	rowser_vector_init_counts(vector);
	if (described->shape == ROWSER_SHAPE_RECORD)
		return;
	if (described->shape != ROWSER_SHAPE_COMPOSITE)
	{
		rowser_vector_init_stored(rowser_vector_init_children(vector, 1),
								  described->child,
								  vector->in_array || is_array);
		return;
	}
	rowser_vector_init_children(vector, described->nfields);
	for (uint32 i = 0; i < described->nfields; i++)
		rowser_vector_init_stored(&vector->children[i],
								  &described->fields[i].type,
								  vector->in_array);
}

void
rowser_vector_init_stored(RowserVector *vector, const RowserType *described,
						  bool in_array)
{
	Oid			collation = stored_collation(described);

	check_stack_depth();
	memset(vector, 0, sizeof(*vector));
	while (described->shape == ROWSER_SHAPE_DOMAIN)
		described = described->child;
	vector->kind = stored_kind(described);
	vector->typid = described->oid;
	vector->in_array = in_array;
	vector->is_ordered = described->oid != 0 &&
		rowser_vector_type_is_ordered(described->oid, collation);
	vector->width = described->width;
	rowser_vector_init_nulls(vector);
	if (rowser_shape_is_scalar(described->shape))
		rowser_vector_init_scalar(vector);
	else
		init_nested(vector, described);
}

void
rowser_vector_init_shapes(RowserVector *vector, const RowserNode *node)
{
	MemoryContext context = GetMemoryChunkContext(vector->nulls.bytes);
	MemoryContext old_context = MemoryContextSwitchTo(context);

	vector->nshapes = node->nshapes;
	vector->shapes = palloc0(node->nshapes * sizeof(RowserVectorShape));
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		RowserVectorShape *shape = &vector->shapes[i];

		shape->nfields = node->shapes[i].nfields;
		shape->fields = node->shapes[i].fields;
		shape->vectors = palloc0(Max(shape->nfields, 1) *
								 sizeof(RowserVector));
		for (uint32 j = 0; j < shape->nfields; j++)
			rowser_vector_init_stored(&shape->vectors[j],
									  &shape->fields[j].type,
									  vector->in_array);
	}
	MemoryContextSwitchTo(old_context);
}

void
rowser_vector_append_stored(RowserVector *vector, Datum value, bool isnull,
							uint64 *growth)
{
	RowserShape shape = rowser_kind_shape(vector->kind);

	if (isnull || (vector->width > 0 && shape != ROWSER_SHAPE_FIXED) ||
		shape == ROWSER_SHAPE_NUMERIC)
	{
		rowser_vector_append(vector, value, isnull, growth);
		return;
	}
	if (shape == ROWSER_SHAPE_FIXED)
	{
		rowser_buffer_bytes(&vector->data, DatumGetPointer(value),
							vector->width);
		vector->nvalues++;
	}
	else
		rowser_vector_append_varlena(vector, value, growth);
}
