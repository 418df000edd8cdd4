/*-------------------------------------------------------------------------
 *
 * header.h
 *	  A rowset's header: version, encoding and the columns' descriptions
 *	  (rowset_format.md, section 3).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_HEADER_H
#define ROWSER_BYTES_HEADER_H

#include "bytes/buffer.h"
#include "bytes/cursor.h"

#define ROWSER_FORMAT_MAJOR		1
#define ROWSER_FORMAT_MINOR		0

#define ROWSER_MAX_COLUMNS		1664
#define ROWSER_MAX_TYPE_DEPTH	32

/* As written in the bytes, but for UINT, which only integers() have */
typedef enum RowserShape
{
	ROWSER_SHAPE_UINT = 0,
	ROWSER_SHAPE_BOOL = 1,
	ROWSER_SHAPE_INT1 = 2,
	ROWSER_SHAPE_INT2 = 3,
	ROWSER_SHAPE_INT4 = 4,
	ROWSER_SHAPE_INT8 = 5,
	ROWSER_SHAPE_FLOAT4 = 6,
	ROWSER_SHAPE_FLOAT8 = 7,
	ROWSER_SHAPE_FIXED = 8,
	ROWSER_SHAPE_NUMERIC = 9,
	ROWSER_SHAPE_TEXT = 10,
	ROWSER_SHAPE_BYTES = 11,
	ROWSER_SHAPE_BINARY = 12,
	ROWSER_SHAPE_OUTPUT = 13,
	ROWSER_SHAPE_LABEL = 14,
	ROWSER_SHAPE_ARRAY = 15,
	ROWSER_SHAPE_COMPOSITE = 16,
	ROWSER_SHAPE_RECORD = 17,
	ROWSER_SHAPE_RANGE = 18,
	ROWSER_SHAPE_MULTIRANGE = 19,
	ROWSER_SHAPE_DOMAIN = 20
} RowserShape;

#define ROWSER_SHAPE_LAST			ROWSER_SHAPE_DOMAIN
#define ROWSER_SHAPE_LAST_SCALAR	ROWSER_SHAPE_LABEL

typedef struct RowserField RowserField;
typedef struct RowserType RowserType;

/*
 * A type's description.  Strings are borrowed: from the rowset that it was read
 * from, or from whoever made it.
 */
struct RowserType
{
	RowserShape shape;
	uint8		width;			/* bytes a value; 0 when they vary */
	uint32		oid;			/* of a built-in type, else 0 */
	RowserString schema;		/* of any other type; empty without one */
	RowserString name;
	int32		typmod;			/* -1 without one */
	RowserString collation_schema;	/* empty for the type's own */
	RowserString collation_name;
	uint32		nfields;		/* COMPOSITE */
	RowserField *fields;
	RowserType *child;			/* ARRAY, RANGE, MULTIRANGE, DOMAIN */
};

struct RowserField
{
	RowserString name;
	RowserType	type;
};

typedef struct RowserHeader
{
	uint8		major;
	uint8		minor;
	size_t		size;			/* of the whole header */
	RowserString encoding;
	uint32		ncolumns;
	RowserField *columns;		/* owned, as all that is below it */
} RowserHeader;

/* Bytes that a plain value of a shape takes, 0 when that varies. */
extern uint8 rowser_shape_width(RowserShape shape);

static inline bool
rowser_shape_is_scalar(RowserShape shape)
{
	return shape <= ROWSER_SHAPE_LAST_SCALAR;
}

static inline bool
rowser_shape_is_integer(RowserShape shape)
{
	return shape >= ROWSER_SHAPE_INT1 && shape <= ROWSER_SHAPE_INT8;
}

extern void rowser_header_write(RowserBuffer *buffer,
								const RowserHeader *header);

/*
 * Read the header.  Its memory comes from rowser_memory_alloc(); strings
 * point into the bytes.
 */
extern bool rowser_header_read(RowserCursor *cursor, RowserHeader *header);

/*
 * How many bytes the header has that a cursor is at, of which
 * ROWSER_HEADER_PREFIX_SIZE bytes need be there, or so it says; false for what
 * isn't one.
 */
#define ROWSER_HEADER_PREFIX_SIZE 18
extern bool rowser_header_extent(RowserCursor cursor, uint64 *size);

/* A number of fields and the fields, as columns, composites and records have */
extern void rowser_fields_write(RowserBuffer *buffer,
								const RowserField *fields, uint32 nfields);
extern bool rowser_fields_read(RowserCursor *cursor, int depth,
							   RowserField **fields, uint32 *nfields);

#endif							/* ROWSER_BYTES_HEADER_H */
