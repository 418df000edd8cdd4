/*-------------------------------------------------------------------------
 *
 * vector.h
 *	  Column vectors: the values of one column while a row group is filled.
 *
 * A vector keeps its values in the format's plain form already, so that the
 * group's end has little left to do: encode.c picks an encoding and writes.
 * A nested value's parts go into vectors of their own, one a field or element.
 *
 * A vector's memory is the context's in which it was created.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_VECTOR_H
#define ROWSER_COLUMNS_VECTOR_H

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/typcache.h"

#include "bytes/block.h"
#include "bytes/group.h"
#include "columns/distinct.h"
#include "columns/kind.h"
#include "columns/row_type.h"

/* What an array's element counts against a group's size, NULL or not */
#define ROWSER_ELEMENT_GROWTH 8

typedef struct RowserVector RowserVector;

/* uint32s that grow */
typedef struct RowserCounts
{
	uint32	   *values;			/* owned */
	uint32		size;
	uint32		capacity;
} RowserCounts;

/* The values of a record column that have one row type */
typedef struct RowserVectorShape
{
	Oid			typid;			/* of the tuples */
	int32		typmod;
	TupleDesc	tupdesc;		/* owned */
	RowserRowTypeMark mark;
	uint32		nfields;		/* live attributes */
	RowserField *fields;		/* owned */
	RowserVector *vectors;		/* owned; one a field */
	uint32		nvalues;
} RowserVectorShape;

struct RowserVector
{
	RowserKind	kind;
	Oid			typid;			/* domains stripped */
	int16		typlen;
	bool		typbyval;
	char		typalign;
	uint8		width;			/* bytes a value in data; 0 for images */
	bool		in_array;
	bool		is_ordered;		/* as integers or bytes are, on every server */
	int			depth;			/* of its type in the column's */
	uint32		nvalues;		/* NULLs included */
	uint32		nnulls;
	RowserBuffer nulls;			/* bitmap, as far as the last NULL */
	RowserBuffer data;			/* values in plain form */
	uint64		plain_size;		/* of the images */

	/*
	 * Text and bytes, while there are few different ones: data holds a uint16
	 * for each value, its number in distinct
	 */
	bool		is_numbered;
	RowserDistinct distinct;

	/*
	 * NUMERIC, unless numeric_is_plain: data holds int64s (0 for exceptions),
	 * scales their display scales; integers[0] has the exceptions' positions
	 * among the values that are not NULL
	 */
	bool		numeric_is_plain;
	RowserBuffer scales;
	RowserBuffer exceptions;	/* images */

	FmgrInfo	function;		/* send or output, for kinds that call it */
	Oid			function_type;	/* whose function it is */

	/* nested kinds */
	uint32		nchildren;
	RowserVector *children;		/* owned */
	TupleDesc	tupdesc;		/* COMPOSITE; owned */
	RowserRowTypeMark mark;		/* COMPOSITE */
	TypeCacheEntry *typcache;	/* RANGE, MULTIRANGE: the range's; borrowed */
	bool		array_is_general;
	RowserCounts integers[3];	/* see rowset_format.md, section 7 */
	RowserCounts shape_numbers; /* RECORD: into shapes */
	uint32		nshapes;
	RowserVectorShape *shapes;	/* owned */
};

/*
 * Make a vector for values of a type and describe the type in *described, which
 * must stay where it is.  `name` is for the error 0A000 that a type raises which
 * can't be carried.
 */
extern void rowser_vector_init(RowserVector *vector, RowserType *described,
							   Oid type, int32 typmod, Oid collation,
							   const char *name);

/*
 * Append one value.  It is copied (detoasted first, and never kept).  Adds to
 * *growth what section 8 of the format counts against a group's size.
 */
extern void rowser_vector_append(RowserVector *vector, Datum value,
								 bool isnull, uint64 *growth);

/*
 * Make a vector for values as they lie in the bytes, which it will encode as
 * it does those of the type that is described; and append one that is not
 * nested, in the form that rowser_decoder_init_stored() tells.  Looks at no
 * catalogue.
 */
extern void rowser_vector_init_stored(RowserVector *vector,
									  const RowserType *described,
									  bool in_array);
extern void rowser_vector_append_stored(RowserVector *vector, Datum value,
										bool isnull, uint64 *growth);
extern void rowser_vector_append_null(RowserVector *vector);

/*
 * Keep the dimensions of an array, whose elements are appended to the vector
 * below; and make the shapes that a group's records have.
 */
extern void rowser_vector_append_dimensions(RowserVector *vector, int ndim,
											const int *dims,
											const int *lbounds);
extern void rowser_vector_init_shapes(RowserVector *vector,
									  const RowserNode *node);

/*
 * Append a row: to each of `nvectors` vectors the value of the attribute whose
 * index is in `attributes`.
 */
extern void rowser_vector_append_row(RowserVector *vectors,
									 const int *attributes, uint32 nvectors,
									 const Datum *values, const bool *nulls,
									 uint64 *growth);

/* Forget the values, keep the memory. */
extern void rowser_vector_reset(RowserVector *vector);

/* Plain size of the values, those below included; section 6.2. */
extern uint64 rowser_vector_plain_size(const RowserVector *vector);

/* Turn a numeric vector's integers into images. */
extern void rowser_vector_make_numeric_plain(RowserVector *vector);

/* Turn a vector's numbers of different values into the values' images. */
extern void rowser_vector_make_text_plain(RowserVector *vector);

/* One value of a floating-point vector, NULLs left out. */
extern double rowser_vector_float(const RowserVector *vector, uint32 i);

/* Whether a type's integers, or bytes, compare as its values do */
extern bool rowser_vector_type_is_ordered(Oid type, Oid collation);

/* What the files that make up vectors share */
extern void rowser_vector_init_at(RowserVector *vector, RowserType *described,
								  Oid type, int32 typmod, Oid collation,
								  const char *name, bool in_array, int depth);
extern void rowser_vector_init_nested(RowserVector *vector,
									  RowserType *described, int32 typmod,
									  const char *name, int depth);

/* Make what a vector owns: vectors below it, its bitmap, values, integers. */
extern RowserVector *rowser_vector_init_children(RowserVector *vector,
												 uint32 nchildren);
extern void rowser_vector_init_nulls(RowserVector *vector);
extern void rowser_vector_init_scalar(RowserVector *vector);
extern void rowser_vector_init_counts(RowserVector *vector);

extern void rowser_vector_append_varlena(RowserVector *vector, Datum value,
										 uint64 *growth);
extern void rowser_vector_append_numeric(RowserVector *vector, Datum value,
										 uint64 *growth);

/*
 * Replace a vector's data and free the images.  The data stays in the memory
 * that it is in: this may run in a context that is soon reset.
 */
extern void rowser_vector_replace_data(RowserVector *vector,
									   RowserBuffer *images);
extern void rowser_vector_append_nested(RowserVector *vector, Datum value,
										uint64 *growth);
extern void rowser_counts_init(RowserCounts *counts);
extern void rowser_counts_append(RowserCounts *counts, uint32 value);

#endif							/* ROWSER_COLUMNS_VECTOR_H */
