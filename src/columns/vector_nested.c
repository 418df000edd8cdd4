/*-------------------------------------------------------------------------
 *
 * vector_nested.c
 *	  Column vectors of arrays, composites, records, ranges and multiranges.
 *
 * A nested value is taken apart and its parts appended to the vectors below;
 * only what holds it together (lengths, flags, shapes) stays in its own.
 *
 * Memory: as in vector.c.  A record's row types are met while rows come in, and
 * their vectors live as long as the record's, so they are made in its context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"

#include "bytes/integers.h"
#include "columns/describe.h"
#include "columns/row_type.h"
#include "columns/vector.h"
#include "compat.h"

/* ----------------------------------------------------------------
 *		Life
 * ----------------------------------------------------------------
 */

RowserVector *
rowser_vector_init_children(RowserVector *vector, uint32 nchildren)
{
	vector->nchildren = nchildren;
	vector->children = palloc0(Max(nchildren, 1) * sizeof(RowserVector));
	return vector->children;
}

/* Make the one vector below an array, a range or a multirange. */
static void
init_child(RowserVector *vector, RowserType *described, Oid type,
		   int32 typmod, const char *name, bool in_array, int depth)
{
	described->child = palloc0(sizeof(RowserType));
	rowser_vector_init_at(rowser_vector_init_children(vector, 1),
						  described->child, type, typmod, InvalidOid, name,
						  in_array, depth + 1);
}

/*
 * Make a vector for each live attribute of a row type, and describe them as
 * fields.  Errors name the column, or without its name the attribute.
 */
static uint32
init_fields(TupleDesc tupdesc, RowserField **fields, RowserVector **vectors,
			const char *name, bool in_array, int depth)
{
	uint32		nfields = 0;

	*fields = palloc0(Max(tupdesc->natts, 1) * sizeof(RowserField));
	*vectors = palloc0(Max(tupdesc->natts, 1) * sizeof(RowserVector));
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (att->attisdropped)
			continue;
		(*fields)[nfields].name = rowser_string_copy(NameStr(att->attname));
		rowser_vector_init_at(&(*vectors)[nfields], &(*fields)[nfields].type,
							  att->atttypid, att->atttypmod,
							  att->attcollation,
							  name ? name : NameStr(att->attname), in_array,
							  depth + 1);
		nfields++;
	}
	return nfields;
}

void
rowser_vector_init_counts(RowserVector *vector)
{
	for (int i = 0; i < lengthof(vector->integers); i++)
		rowser_counts_init(&vector->integers[i]);
	rowser_counts_init(&vector->shape_numbers);
}

void
rowser_vector_init_nested(RowserVector *vector, RowserType *described,
						  int32 typmod, const char *name, int depth)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	rowser_vector_init_counts(vector);

	switch (vector->kind)
	{
		case ROWSER_KIND_ARRAY:
			{
				Oid			element = get_element_type(vector->typid);

				if (vector->typid == RECORDARRAYOID)
					element = RECORDOID;
				init_child(vector, described, element, typmod, name, true,
						   depth);
			}
			break;
		case ROWSER_KIND_COMPOSITE:
			rowser_row_type_mark(&vector->mark, vector->typid);
			vector->tupdesc = rowser_row_type_copy(vector->typid);
			vector->nchildren = init_fields(vector->tupdesc,
											&described->fields,
											&vector->children, name,
											vector->in_array, depth);
			described->nfields = vector->nchildren;
			break;
		case ROWSER_KIND_RANGE:
			vector->typcache = lookup_type_cache(vector->typid,
												 TYPECACHE_RANGE_INFO);
			init_child(vector, described,
					   vector->typcache->rngelemtype->type_id, -1, name,
					   vector->in_array, depth);
			break;
		case ROWSER_KIND_MULTIRANGE:
			vector->typcache = lookup_type_cache(vector->typid,
												 TYPECACHE_MULTIRANGE_INFO);
			vector->typcache = vector->typcache->rngtype;
			init_child(vector, described, vector->typcache->type_id, -1, name,
					   true, depth);
			break;
		default:
			Assert(vector->kind == ROWSER_KIND_RECORD);
			break;
	}
}

/* ----------------------------------------------------------------
 *		Arrays
 * ----------------------------------------------------------------
 */

/*
 * Once an array turns up that isn't empty or one-dimensional from 1, all of
 * the group's are kept with their dimensions; so turn the lengths of those
 * before it into that form.
 */
static void
generalise_arrays(RowserVector *vector)
{
	RowserCounts *ndims = &vector->integers[0];

	for (uint32 i = 0; i < ndims->size; i++)
	{
		uint32		length = ndims->values[i];

		ndims->values[i] = length > 0 ? 1 : 0;
		if (length > 0)
		{
			rowser_counts_append(&vector->integers[1], length);
			rowser_counts_append(&vector->integers[2], rowser_zigzag32(1));
		}
	}
	vector->array_is_general = true;
}

void
rowser_vector_append_dimensions(RowserVector *vector, int ndim,
								const int *dims, const int *lbounds)
{
	if (!vector->array_is_general &&
		(ndim > 1 || (ndim == 1 && lbounds[0] != 1)))
		generalise_arrays(vector);
	if (!vector->array_is_general)
	{
		rowser_counts_append(&vector->integers[0], ndim == 0 ? 0 : dims[0]);
		return;
	}
	rowser_counts_append(&vector->integers[0], ndim);
	for (int i = 0; i < ndim; i++)
	{
		rowser_counts_append(&vector->integers[1], dims[i]);
		rowser_counts_append(&vector->integers[2],
							 rowser_zigzag32(lbounds[i]));
	}
}

/* An array that has dimensions and no elements is empty. */
static bool
array_is_empty(ArrayType *array)
{
	return ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) == 0;
}

static void
append_array(RowserVector *vector, Datum value, uint64 *growth)
{
	RowserVector *elements = vector->children;
	ArrayType  *array = DatumGetArrayTypeP(value);
	Datum	   *values;
	bool	   *nulls;
	int			nvalues;

	if (array_is_empty(array))
	{
		rowser_counts_append(&vector->integers[0], 0);
		return;
	}
	rowser_vector_append_dimensions(vector, ARR_NDIM(array), ARR_DIMS(array),
									ARR_LBOUND(array));
	/* a domain has its base type's length and alignment */
	deconstruct_array(array, ARR_ELEMTYPE(array), elements->typlen,
					  elements->typbyval, elements->typalign,
					  &values, &nulls, &nvalues);
	for (int i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		rowser_vector_append(elements, values[i], nulls[i], growth);
	}
	*growth += (uint64) nvalues * ROWSER_ELEMENT_GROWTH;

	pfree(values);
	pfree(nulls);
	if ((Pointer) array != DatumGetPointer(value))
		pfree(array);
}

/* ----------------------------------------------------------------
 *		Composites and records
 * ----------------------------------------------------------------
 */

/* Append the live attributes of a tuple to one vector each. */
static void
append_fields(TupleDesc tupdesc, HeapTupleHeader header,
			  RowserVector *vectors, uint64 *growth)
{
	HeapTupleData tuple;
	Datum	   *values = palloc(Max(tupdesc->natts, 1) * sizeof(Datum));
	bool	   *nulls = palloc(Max(tupdesc->natts, 1) * sizeof(bool));
	uint32		field = 0;

	tuple.t_len = HeapTupleHeaderGetDatumLength(header);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	tuple.t_data = header;
	heap_deform_tuple(&tuple, tupdesc, values, nulls);

	for (int i = 0; i < tupdesc->natts; i++)
	{
		if (TupleDescAttr(tupdesc, i)->attisdropped)
			continue;
		rowser_vector_append(&vectors[field++], values[i], nulls[i], growth);
	}
	pfree(values);
	pfree(nulls);
}

static void
append_composite(RowserVector *vector, Datum value, uint64 *growth)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(value);

	if (HeapTupleHeaderGetTypeId(header) != vector->typid)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("composite value is not of its column's type"),
				 errdetail("The value is of type %s, the column of type %s.",
						   format_type_be(HeapTupleHeaderGetTypeId(header)),
						   format_type_be(vector->typid))));
	rowser_row_type_check(&vector->mark, vector->tupdesc);
	append_fields(vector->tupdesc, header, vector->children, growth);
	if ((Pointer) header != DatumGetPointer(value))
		pfree(header);
}

/* The number of the shape that a record's row type is, made if it is new. */
static uint32
find_shape(RowserVector *vector, Oid typid, int32 typmod)
{
	RowserVectorShape *shape;
	MemoryContext old_context;

	for (uint32 i = vector->nshapes; i > 0; i--)
	{
		if (vector->shapes[i - 1].typid == typid &&
			vector->shapes[i - 1].typmod == typmod)
			return i - 1;
	}

	if (vector->nshapes == ROWSER_MAX_SHAPES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("records are of too many types for a rowset"),
				 errdetail("A column's records can be of %d row types.",
						   ROWSER_MAX_SHAPES)));
	old_context = MemoryContextSwitchTo(GetMemoryChunkContext(vector->nulls.bytes));
	if (vector->nshapes == 0)
		vector->shapes = palloc(sizeof(RowserVectorShape));
	else
		vector->shapes = repalloc_huge(vector->shapes,
									   (vector->nshapes + 1) *
									   sizeof(RowserVectorShape));
	shape = &vector->shapes[vector->nshapes];
	shape->typid = typid;
	shape->typmod = typmod;
	shape->nvalues = 0;
	rowser_row_type_mark(&shape->mark, typid);
	shape->tupdesc = lookup_rowtype_tupdesc_copy(typid, typmod);
	shape->nfields = init_fields(shape->tupdesc, &shape->fields,
								 &shape->vectors, NULL,
								 vector->in_array, vector->depth);
	MemoryContextSwitchTo(old_context);
	return vector->nshapes++;
}

static void
append_record(RowserVector *vector, Datum value, uint64 *growth)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(value);
	uint32		number = find_shape(vector, HeapTupleHeaderGetTypeId(header),
									HeapTupleHeaderGetTypMod(header));
	RowserVectorShape *shape = &vector->shapes[number];

	rowser_row_type_check(&shape->mark, shape->tupdesc);
	rowser_counts_append(&vector->shape_numbers, number);
	shape->nvalues++;
	append_fields(shape->tupdesc, header, shape->vectors, growth);
	if ((Pointer) header != DatumGetPointer(value))
		pfree(header);
}

/* ----------------------------------------------------------------
 *		Ranges
 * ----------------------------------------------------------------
 */

static void
append_range(RowserVector *vector, RangeType *range, uint64 *growth)
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;
	uint32		flags = 0;

	range_deserialize(vector->typcache, range, &lower, &upper, &empty);
	if (empty)
	{
		rowser_counts_append(&vector->integers[0], ROWSER_RANGE_EMPTY);
		return;
	}
	if (lower.infinite)
		flags |= ROWSER_RANGE_NO_LOWER;
	else
	{
		if (lower.inclusive)
			flags |= ROWSER_RANGE_LOWER_INC;
		rowser_vector_append(vector->children, lower.val, false, growth);
	}
	if (upper.infinite)
		flags |= ROWSER_RANGE_NO_UPPER;
	else
	{
		if (upper.inclusive)
			flags |= ROWSER_RANGE_UPPER_INC;
		rowser_vector_append(vector->children, upper.val, false, growth);
	}
	rowser_counts_append(&vector->integers[0], flags);
}

static void
append_multirange(RowserVector *vector, Datum value, uint64 *growth)
{
	MultirangeType *multirange = DatumGetMultirangeTypeP(value);
	RangeType **ranges;
	int32		nranges;

	multirange_deserialize(vector->typcache, multirange, &nranges, &ranges);
	rowser_counts_append(&vector->integers[0], nranges);
	for (int32 i = 0; i < nranges; i++)
	{
		CHECK_FOR_INTERRUPTS();
		rowser_vector_append(vector->children, RangeTypePGetDatum(ranges[i]),
							 false, growth);
	}
	*growth += (uint64) nranges * ROWSER_ELEMENT_GROWTH;
	if ((Pointer) multirange != DatumGetPointer(value))
		pfree(multirange);
}

void
rowser_vector_append_nested(RowserVector *vector, Datum value, uint64 *growth)
{
	check_stack_depth();

	switch (vector->kind)
	{
		case ROWSER_KIND_ARRAY:
			append_array(vector, value, growth);
			break;
		case ROWSER_KIND_COMPOSITE:
			append_composite(vector, value, growth);
			break;
		case ROWSER_KIND_RECORD:
			append_record(vector, value, growth);
			break;
		case ROWSER_KIND_RANGE:
			append_range(vector, DatumGetRangeTypeP(value), growth);
			break;
		default:
			Assert(vector->kind == ROWSER_KIND_MULTIRANGE);
			append_multirange(vector, value, growth);
			break;
	}
}
