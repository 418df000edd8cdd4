/*-------------------------------------------------------------------------
 *
 * arrow_array.h
 *	  The values of one field in a record batch or a dictionary, as they lie in
 *	  an Arrow stream (Arrow Columnar Format, section Physical Memory Layout).
 *
 * Whoever has such an array has had checked that its buffers hold as many
 * values as it says, that NULLs are as many as it says, that offsets grow and
 * stay inside, and that indexes are those of a dictionary's values.  The
 * values themselves are not checked.  Buffers may stand at any address.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_ARROW_ARRAY_H
#define ROWSER_BYTES_ARROW_ARRAY_H

#include "bytes/arrow.h"

/* A view: its size, and its bytes or where they are */
#define ROWSER_ARROW_VIEW_SIZE		16
#define ROWSER_ARROW_VIEW_INLINE	12	/* longest value that is in its view */

typedef struct RowserArrowArray RowserArrowArray;

struct RowserArrowArray
{
	const RowserArrowField *field;	/* borrowed */
	bool		is_indexes;		/* into the field's dictionary */
	bool		is_backed;		/* its length is backed by bytes somewhere */
	uint32		length;
	uint32		nnulls;
	uint64		place;			/* of the buffers in the stream, for faults */

	/* all borrowed from the stream, or from what was decompressed of it */
	const uint8 *validity;		/* bitmap, 1 for a value; NULL for no NULLs */
	const uint8 *offsets;		/* length + 1 of them; NULL without values */
	uint8		offset_size;	/* 4 or 8 */
	const uint8 *data;			/* bits, numbers, texts, indexes or views */
	uint64		data_size;
	uint32		nviewed;		/* buffers that views lead into */
	RowserString *viewed;

	uint32		nchildren;
	RowserArrowArray *children;
};

static inline bool
rowser_arrow_is_null(const RowserArrowArray *array, uint32 i)
{
	return array->validity != NULL &&
		!((array->validity[i / 8] >> (i % 8)) & 1);
}

/* Whether a field's values are strings of bytes between offsets */
static inline bool
rowser_arrow_has_strings(RowserArrowTypeId type)
{
	return type == ROWSER_ARROW_UTF8 || type == ROWSER_ARROW_LARGE_UTF8 ||
		type == ROWSER_ARROW_BINARY || type == ROWSER_ARROW_LARGE_BINARY;
}

/* Whether they are views of strings */
static inline bool
rowser_arrow_has_views(RowserArrowTypeId type)
{
	return type == ROWSER_ARROW_UTF8_VIEW || type == ROWSER_ARROW_BINARY_VIEW;
}

/* Whether they are lists whose lengths differ; a map is a list of structs */
static inline bool
rowser_arrow_has_lists(RowserArrowTypeId type)
{
	return type == ROWSER_ARROW_LIST || type == ROWSER_ARROW_LARGE_LIST ||
		type == ROWSER_ARROW_MAP;
}

/* An integer of `size` bytes, 1 to 8 */
static inline int64
rowser_arrow_load(const uint8 *bytes, uint32 size, bool is_signed)
{
	switch (size)
	{
		case 1:
			return is_signed ? (int64) (int8) *bytes : (int64) *bytes;
		case 2:
			return is_signed ? (int64) (int16) rowser_load_u16(bytes) :
				(int64) rowser_load_u16(bytes);
		case 4:
			return is_signed ? (int64) (int32) rowser_load_u32(bytes) :
				(int64) rowser_load_u32(bytes);
		default:
			return (int64) rowser_load_u64(bytes);
	}
}

/* Where value i begins; i may be the array's length, which must not be 0. */
static inline uint64
rowser_arrow_offset(const RowserArrowArray *array, uint32 i)
{
	return (uint64) rowser_arrow_load(array->offsets +
									  (size_t) i * array->offset_size,
									  array->offset_size, true);
}

/*
 * Where the values of list i begin; i may be the array's length, which must not
 * be 0.  It has been checked against the number of values.
 */
static inline uint32
rowser_arrow_list_offset(const RowserArrowArray *array, uint32 i)
{
	if (array->field->type == ROWSER_ARROW_FIXED_SIZE_LIST)
		return i * (uint32) array->field->width;
	return (uint32) rowser_arrow_offset(array, i);
}

/* An array's index into its dictionary, of a value that is not NULL */
static inline uint32
rowser_arrow_index(const RowserArrowArray *array, uint32 i)
{
	uint32		size = array->field->index_width / 8;

	return (uint32) rowser_arrow_load(array->data + (size_t) i * size, size,
									  array->field->index_is_signed);
}

/* The bytes of a value that is a string, or a view of one, and not NULL */
static inline RowserString
rowser_arrow_string(const RowserArrowArray *array, uint32 i)
{
	RowserString string;

	if (rowser_arrow_has_views(array->field->type))
	{
		const uint8 *view = array->data + (size_t) i * ROWSER_ARROW_VIEW_SIZE;

		string.size = rowser_load_u32(view);
		if (string.size <= ROWSER_ARROW_VIEW_INLINE)
			string.bytes = view + sizeof(uint32);
		else
			string.bytes = array->viewed[rowser_load_u32(view + 8)].bytes +
				rowser_load_u32(view + 12);
		return string;
	}
	string.bytes = array->data + rowser_arrow_offset(array, i);
	string.size = (uint32) (rowser_arrow_offset(array, i + 1) -
							rowser_arrow_offset(array, i));
	return string;
}

/*
 * How much there is to decode of some of an array's values, in values and, for
 * those of variable size, words of eight bytes.
 */
extern uint64 rowser_arrow_weight(const RowserArrowArray *array,
								  uint32 start, uint32 nvalues);

#endif							/* ROWSER_BYTES_ARROW_ARRAY_H */
