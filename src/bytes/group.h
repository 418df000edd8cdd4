/*-------------------------------------------------------------------------
 *
 * group.h
 *	  Row groups: the header with its tree of nodes, and the checksums of the
 *	  body (rowset_format.md, sections 4, 6 and 7).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_GROUP_H
#define ROWSER_BYTES_GROUP_H

#include "bytes/block.h"
#include "bytes/header.h"
#include "bytes/trailer.h"

#define ROWSER_GROUP_TAG		0x47	/* "G" */
#define ROWSER_GROUP_MAX_ROWS	1048576

/* Values in nodes below the rows; more than a PostgreSQL array can hold. */
#define ROWSER_NODE_MAX_VALUES	0x0FFFFFFF

/* Section 6.6: plain bytes that stored bytes may stand for inside arrays. */
#define ROWSER_BOUND_RATIO		1024
#define ROWSER_BOUND_BASE		8
#define ROWSER_BOUND_VALUE		UINT64CONST(16) /* beside its plain bytes */

/* Row types that a node of records may have */
#define ROWSER_MAX_SHAPES		1024

/* Longest image that may stand in a header */
#define ROWSER_IMAGE_INLINE_MAX	255

/* Limits of scaled numbers; section 6.5 */
#define ROWSER_MAX_SCALE			16
#define ROWSER_MAX_DISPLAY_SCALE	63

#define ROWSER_MAX_DIMENSIONS	6

/* As written in the bytes; section 6.1 */
typedef enum RowserEncoding
{
	ROWSER_ENCODING_PLAIN = 0,
	ROWSER_ENCODING_CONSTANT = 1,
	ROWSER_ENCODING_DICTIONARY = 2,
	ROWSER_ENCODING_FRAME = 3,
	ROWSER_ENCODING_DELTA = 4,
	ROWSER_ENCODING_DELTA2 = 5,
	ROWSER_ENCODING_RUNS = 6,
	ROWSER_ENCODING_SCALED = 7,
	ROWSER_ENCODING_BITS = 8
} RowserEncoding;

#define ROWSER_ENCODING_LAST ROWSER_ENCODING_BITS

/* Flags beside the encoding in a node's code */
#define ROWSER_NODE_ENCODING_MASK	0x0F
#define ROWSER_NODE_HAS_NULLS		0x10
#define ROWSER_NODE_HAS_MINMAX		0x20

/* Flags of a range; section 7.4 */
#define ROWSER_RANGE_EMPTY			0x01
#define ROWSER_RANGE_LOWER_INC		0x02
#define ROWSER_RANGE_UPPER_INC		0x04
#define ROWSER_RANGE_NO_LOWER		0x08
#define ROWSER_RANGE_NO_UPPER		0x10
#define ROWSER_RANGE_FLAGS			0x1F

/* A value that stands in the header itself */
typedef struct RowserInline
{
	int64		integer;		/* of the shapes INT1 to INT8 and UINT */
	RowserString bytes;			/* of any other */
} RowserInline;

typedef struct RowserNode RowserNode;

/* One of the shapes that the values of a record column have */
typedef struct RowserRecordShape
{
	uint32		nfields;
	RowserField *fields;
	uint32		nvalues;
	RowserNode *nodes;			/* one a field */
} RowserRecordShape;

/*
 * A node as the group's header describes it.  All counts have been checked
 * against the header's size, none against the body.
 */
struct RowserNode
{
	RowserShape shape;			/* a domain's node has its base type's */
	uint8		width;			/* bytes a plain value, 0 when that varies */
	RowserEncoding encoding;
	uint32		nvalues;		/* NULLs included */
	uint32		nnulls;
	RowserBlock nulls;			/* bitmap; raw_size 0 when there is none */
	uint64		limit;			/* most plain bytes of its values */
	bool		has_minmax;
	RowserInline least;
	RowserInline greatest;

	/* scalar shapes */
	RowserInline constant;
	uint8		item_width;		/* UINT in PLAIN: bytes an integer */
	uint32		nentries;		/* DICTIONARY */
	RowserBlock data;			/* values, entries, packed numbers, bits, or
								 * SCALED's exceptions */

	/* FRAME, DELTA, DELTA2 */
	int64		base;			/* FRAME: added to all; else the first value */
	int64		step;			/* DELTA2: from the first value to the next */
	int64		least_change;	/* DELTA, DELTA2: added to what is packed */
	uint8		bits;			/* of a packed number */
	uint32		npacked;

	RowserNode *run_values;		/* RUNS */

	/* SCALED */
	uint8		scale;			/* value = integer / 10^scale */
	uint8		display_scale;	/* NUMERIC, unless they differ */
	bool		scales_differ;	/* integers[0] are they */
	uint32		nexceptions;	/* integers[1] are their positions */
	RowserNode *scaled;			/* the integers; of shape INT8 */

	/*
	 * Integers: a dictionary's indexes; run lengths; SCALED's display scales
	 * and positions; an array's lengths, or numbers of dimensions, lengths
	 * and lower bounds; a range's flags; a multirange's counts; a record's
	 * shape numbers
	 */
	uint32		nintegers;
	RowserNode *integers;

	/* nested shapes */
	uint8		array_form;
	uint32		nchildren;
	RowserNode *children;
	uint32		nshapes;		/* RECORD */
	RowserRecordShape *shapes;
};

typedef struct RowserGroup
{
	const uint8 *start;			/* borrowed */
	const uint8 *body;			/* borrowed; behind the header */
	size_t		header_size;	/* from the tag to the body */
	size_t		body_size;
	uint32		nrows;
	uint64		raw_size;		/* as the header says; not to be trusted */
	uint32		ncolumns;
	uint32		nnodes;			/* of all columns */
	RowserNode *columns;
	const uint8 **nodes;		/* ncolumns + 1: where each begins; borrowed */
	uint64	   *offsets;		/* ncolumns + 1: where each begins in the body */
	uint32	   *units;			/* of each column; PG_UINT32_MAX without */
	uint32		nunits;
	uint32	   *checksums;		/* one a unit */
} RowserGroup;

static inline uint32
rowser_node_nonnull(const RowserNode *node)
{
	return node->nvalues - node->nnulls;
}

/*
 * Read a group's header, whose columns are described by `columns`; the cursor
 * is then at the body, which need not be there.  Memory comes from
 * rowser_memory_alloc().
 */
extern bool rowser_group_read(RowserCursor *cursor, const RowserField *columns,
							  uint32 ncolumns, RowserGroup *group);

/*
 * How large the group is that a cursor is at, and how many rows it has, by its
 * first bytes alone.  When these are all that there is, whether they can begin
 * a group isn't known: it fails with the cursor at their end.
 */
extern bool rowser_group_extent(RowserCursor *cursor,
								RowserDirectoryEntry *entry);

/*
 * Which bytes of the body hold the unit that a column belongs to; none for a
 * column without bytes.
 */
extern void rowser_group_unit(const RowserGroup *group, uint32 column,
							  uint64 *from, uint64 *to);

/* Check the checksum of the unit that a column belongs to, body at hand. */
extern bool rowser_group_check_column(const RowserGroup *group, uint32 column,
									  RowserCursor *at);

/*
 * Put a group together.  `nodes` holds the columns' nodes, `body` their blocks;
 * offsets (ncolumns + 1) say where each column begins in the body.  Returns
 * the size of the part before the body.
 */
extern size_t rowser_group_write(RowserBuffer *buffer, uint32 nrows,
								 uint64 raw_size, const RowserBuffer *nodes,
								 const RowserBuffer *body,
								 const uint64 *offsets, uint32 ncolumns);

#endif							/* ROWSER_BYTES_GROUP_H */
