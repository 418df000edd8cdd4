/*-------------------------------------------------------------------------
 *
 * decoder.h
 *	  Decoders: the nodes of one column as Datums of a type of this database.
 *
 * A decoder is made once for a column and the type to read it as, started on
 * the column's node of each row group, and then gives values in batches.
 *
 * Memory: a decoder belongs to the context that was current when it was made.
 * What it needs for a group comes from the context that was current at
 * rowser_decoder_start(); values come from the context that is current at
 * rowser_decoder_next(), or point into either the group's memory or the rowset's bytes, and
 * so live as long as the shortest-lived of these.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_DECODER_H
#define ROWSER_COLUMNS_DECODER_H

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

#include "bytes/group.h"
#include "bytes/integers.h"
#include "columns/cast.h"
#include "columns/domain.h"
#include "columns/kind.h"
#include "compat.h"

typedef struct RowserDecoder RowserDecoder;

/*
 * Who has chosen a type.  Where it was the rowset, no constraint of a domain
 * runs, and no cast function of somebody who isn't trusted.
 */
typedef enum RowserOrigin
{
	ROWSER_ORIGIN_CALLER,
	ROWSER_ORIGIN_BYTES
} RowserOrigin;

/* One row type of a record column in this group */
typedef struct RowserDecoderShape
{
	TupleDesc	tupdesc;
	uint32		nfields;
	RowserDecoder *fields;
	Datum	  **values;			/* of the batch, one array a field */
	bool	  **nulls;
	uint32		given;			/* values of the node given so far */
	uint32		next;			/* value of the batch to use next */
} RowserDecoderShape;

struct RowserDecoder
{
	RowserKind	kind;
	RowserShape shape;			/* of the nodes that it reads */
	RowserOrigin origin;
	int			encoding;		/* of the rowset's text */
	bool		is_stored;		/* values come as they lie in the bytes */

	/* the type that nodes are decoded to; not a domain */
	Oid			typid;
	int16		typlen;
	char		typalign;
	FmgrInfo	function;		/* receive or input, for kinds that call it */
	Oid			typioparam;
	Oid			target;			/* the type that is wanted; not a domain */
	RowserCast *cast;			/* from typid to target, or NULL */
	RowserDomain *domain;		/* whose constraints to check, or NULL */

	/* nested kinds */
	uint32		nchildren;		/* of the node; some may not be decoded */
	RowserDecoder *children;
	int		   *attributes;		/* COMPOSITE: child's index in tupdesc, or -1 */
	TupleDesc	tupdesc;		/* COMPOSITE, and RECORD read as one */
	bool		is_record;		/* tuples are of type record */
	Oid			element;		/* ARRAY; may be a domain */
	int16		element_typlen;
	bool		element_typbyval;
	char		element_typalign;
	MemoryContext scratch;		/* ARRAY: for elements, before they are one */
	TypeCacheEntry *typcache;	/* RANGE and MULTIRANGE: the range's */

	/* the node that is being read */
	const RowserNode *node;
	RowserCursor *at;			/* where faults are noted */
	bool		is_cast;		/* values come out as cast gives them */
	uint32		position;		/* values given so far, NULLs included */
	const uint8 *bitmap;
	const uint8 *block;			/* PLAIN: raw bytes of the values */
	const uint8 *next;
	const uint8 *end;
	Datum	   *entries;		/* DICTIONARY, or the one CONSTANT value */
	uint32	   *entry_sizes;	/* plain sizes, only where node->limit holds */
	uint64		plain_size;		/* of the values given so far, likewise */
	RowserIntegers *integers[3];
	RowserIntegers *numbers;	/* of a node of integers, or SCALED's */
	uint32		number_position;	/* values given so far, NULLs left out */
	Numeric    *small_numerics; /* SCALED: made so far, by packed number */
	Datum	   *exceptions;
	uint32	   *exception_positions;
	uint32		next_exception;
	uint32		nshapes;		/* RECORD */
	RowserDecoderShape *shapes;
};

/* Names the columns or fields that a rowset has, for a detail */
extern char *rowser_field_names(const RowserField *fields, uint32 nfields,
								int encoding);

/*
 * Make a decoder for a column that is to be read as `type` with `typmod`, or,
 * for InvalidOid, as what the rowset says.  `name` is the column's or field's,
 * for errors.  Raises 42804 for a type without a cast, 42703 for a composite's
 * missing field, and what rowser_resolve_type() raises.
 */
extern void rowser_decoder_init(RowserDecoder *decoder,
								const RowserType *described, int encoding,
								const char *name, RowserOrigin origin,
								Oid type, int32 typmod);

/*
 * Make a decoder for values as they lie in the bytes, whatever their type is:
 * numbers, numerics, and for all else bytes, those of fixed width without a
 * varlena header.  Nested values are read by recode.c.  No catalogue is looked
 * at.
 */
extern void rowser_decoder_init_stored(RowserDecoder *decoder,
									   const RowserType *described);

/* Start on a node, whose group's body is at hand. */
extern void rowser_decoder_start(RowserDecoder *decoder,
								 const RowserNode *node, const uint8 *body,
								 RowserCursor *at);

/* Decode the next `nvalues` values. */
extern void rowser_decoder_next(RowserDecoder *decoder, uint32 nvalues,
								Datum *values, bool *nulls);

/*
 * Pass over the next `nvalues` values, which are checked only as far as passing
 * over them needs.
 */
extern void rowser_decoder_skip(RowserDecoder *decoder, uint32 nvalues);

/*
 * The smallest and the largest value that a node has beside NULLs, as values of
 * the type that is decoded to; false when they are not known.  They compare as
 * the type's default btree operators do, text as in collation "C".  The decoder
 * must be started anew afterwards.
 */
extern bool rowser_decoder_bounds(RowserDecoder *decoder,
								  const RowserNode *node, RowserCursor *at,
								  Datum *least, Datum *greatest);

/* Check, after the last value of a node, that there is nothing more. */
extern void rowser_decoder_finish(RowserDecoder *decoder);

/* Pass the next values; returns how many are not NULL, and which. */
extern uint32 rowser_decoder_next_nulls(RowserDecoder *decoder,
										uint32 nvalues, bool *nulls);

/*
 * What holds nested values together: integers (the `which`-th stream of them,
 * each at most `max`), the dimensions of an array of form 1 (returns how many
 * elements it has), how many bounds a range's flags say that it has, and which
 * shape of a record the next value has, of which one more is then given.
 */
extern void rowser_nested_integers(RowserDecoder *decoder, int which,
								   uint32 nvalues, uint32 max, uint32 *values);
extern int	rowser_arrays_dimensions(RowserDecoder *decoder, uint32 ndim,
									 int *dims, int *lbounds);
extern uint32 rowser_ranges_bounds(RowserDecoder *decoder, uint32 flags);
extern uint32 rowser_rows_next_shape(RowserDecoder *decoder);

/* How many nested values' integers are looked at before the values are */
#define ROWSER_NESTED_BATCH 256

/* What the files that make up decoders share */

/*
 * Raise 54000 when what is in the current context, which is a batch's, takes far
 * more memory than the rowset's size explains: what few bytes may stand for is
 * limited (section 6.6), but levels and columns add up, and whatever is made of a
 * dictionary's values has copies of them.
 */
extern void rowser_decoder_check_memory(const RowserDecoder *decoder);

rowser_noreturn extern void rowser_decoder_fail(RowserDecoder *decoder,
												const char *what);
extern void rowser_decoder_check(RowserDecoder *decoder, bool ok);
extern void rowser_scalar_start(RowserDecoder *decoder, const uint8 *body);
extern void rowser_scalar_next(RowserDecoder *decoder, uint32 nvalues,
							   Datum *values);
extern void rowser_scalar_skip(RowserDecoder *decoder, uint32 nvalues);
extern Datum rowser_scalar_inline(RowserDecoder *decoder,
								  const RowserInline *value);
extern void rowser_scaled_start(RowserDecoder *decoder, const uint8 *body);
extern void rowser_scaled_next(RowserDecoder *decoder, uint32 nvalues,
							   Datum *values);
extern void rowser_scaled_skip(RowserDecoder *decoder, uint32 nvalues);

/* Find the function that images are read by, if the kind has one. */
extern void rowser_images_init(RowserDecoder *decoder);

/* Decode images; as rowser_values_plain(). */
extern void rowser_images_decode(RowserDecoder *decoder, uint32 nvalues,
								 Datum *values, uint32 *sizes);

/*
 * Decode values in plain form, images or not, that stand at decoder->next; with
 * `sizes` tell the plain sizes of images.
 */
extern void rowser_values_plain(RowserDecoder *decoder, uint32 nvalues,
								Datum *values, uint32 *sizes);

/* Turn integers that fit the node's shape into Datums; may be in place. */
extern void rowser_values_of_integers(RowserDecoder *decoder,
									  const int64 *integers, uint32 nvalues,
									  Datum *values);

extern void rowser_nested_init(RowserDecoder *decoder,
							   const RowserType *described,
							   const char *name, int32 typmod);
extern void rowser_nested_init_stored(RowserDecoder *decoder,
									  const RowserType *described);
extern void rowser_nested_start(RowserDecoder *decoder, const uint8 *body);
extern void rowser_nested_next(RowserDecoder *decoder, uint32 nvalues,
							   Datum *values);
extern void rowser_nested_skip(RowserDecoder *decoder, uint32 nvalues);
extern void rowser_nested_finish(RowserDecoder *decoder);

extern void rowser_arrays_next(RowserDecoder *decoder, uint32 nvalues,
							   Datum *values);
extern void rowser_arrays_skip(RowserDecoder *decoder, uint32 nvalues);
extern void rowser_ranges_next(RowserDecoder *decoder, uint32 nvalues,
							   Datum *values);
extern void rowser_ranges_skip(RowserDecoder *decoder, uint32 nvalues);
extern void rowser_multiranges_next(RowserDecoder *decoder, uint32 nvalues,
									Datum *values);
extern void rowser_multiranges_skip(RowserDecoder *decoder, uint32 nvalues);

/*
 * Make decoders for the fields that a named row type has too; or, for type
 * record, for all of a composite's.
 */
extern void rowser_rows_init_composite(RowserDecoder *decoder,
									   const RowserType *described);
extern void rowser_rows_init_record(RowserDecoder *decoder,
									const RowserType *described);
extern void rowser_rows_start_records(RowserDecoder *decoder,
									  const uint8 *body);
extern void rowser_rows_next_composites(RowserDecoder *decoder,
										uint32 nvalues, Datum *values);
extern void rowser_rows_next_records(RowserDecoder *decoder, uint32 nvalues,
									 Datum *values);
extern void rowser_rows_skip_records(RowserDecoder *decoder, uint32 nvalues);

#endif							/* ROWSER_COLUMNS_DECODER_H */
