/*-------------------------------------------------------------------------
 *
 * integers.h
 *	  Integers in the encodings that the format has for them
 *	  (rowset_format.md, section 6.1).
 *
 * These serve columns of integers and all that is kept as integers: scaled
 * decimals, and the streams of indexes, lengths and flags that the format calls
 * integers(...), which have the shape UINT.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_INTEGERS_H
#define ROWSER_BYTES_INTEGERS_H

#include "bytes/group.h"

/* ----------------------------------------------------------------
 *		Writing
 * ----------------------------------------------------------------
 */

/* How integers are going to be written, and what is needed for it */
typedef struct RowserIntegersPlan
{
	RowserEncoding encoding;
	uint8		width;			/* PLAIN: bytes an integer */
	uint8		bits;			/* of a packed number */
	int64		least;			/* of the values, or of what is packed */
	int64		least_value;
	int64		greatest_value;
	uint32		nruns;			/* RUNS */
	uint64		size;			/* estimate of the bytes that it takes */
} RowserIntegersPlan;

/*
 * Choose an encoding for `nvalues` > 0 integers of a shape in one pass over
 * them.  In an array only such are chosen as keep to section 6.6; what runs
 * are made of is not in runs again.
 */
extern void rowser_integers_plan(RowserIntegersPlan *plan,
								 const int64 *values, uint32 nvalues,
								 RowserShape shape, bool in_array,
								 bool in_runs);

/* Write what follows a node's code. */
extern void rowser_integers_write_body(RowserBuffer *nodes, RowserBuffer *body,
									   RowserCompression compression,
									   const RowserIntegersPlan *plan,
									   const int64 *values, uint32 nvalues,
									   RowserShape shape);

/* Write integers of the shape UINT as a node: plan, code and body. */
extern void rowser_integers_write(RowserBuffer *nodes, RowserBuffer *body,
								  RowserCompression compression,
								  const int64 *values, uint32 nvalues,
								  bool in_array);

/* ----------------------------------------------------------------
 *		Reading
 * ----------------------------------------------------------------
 */

typedef struct RowserIntegers RowserIntegers;

/*
 * Begin to read the integers of a node, of a shape INT1 to INT8 or UINT, whose
 * group's body is at hand.  Memory is rowser_memory_alloc()'s, as *integers
 * is; rowser_integers_close() gives it back early.
 */
extern bool rowser_integers_open(RowserIntegers **integers,
								 const RowserNode *node, const uint8 *body,
								 RowserCursor *at);
extern void rowser_integers_close(RowserIntegers *integers);

extern uint32 rowser_integers_left(const RowserIntegers *integers);

/* Read the next `nvalues`, which all fit the shape; UINT's up to 2^63 - 1. */
extern bool rowser_integers_next(RowserIntegers *integers, uint32 nvalues,
								 int64 *values, RowserCursor *at);

/* Pass over the next `nvalues`. */
extern bool rowser_integers_skip(RowserIntegers *integers, uint32 nvalues,
								 RowserCursor *at);

/* Read the next `nvalues` of a UINT node, each of which is at most `max`. */
extern bool rowser_integers_next_counts(RowserIntegers *integers,
										uint32 nvalues, uint32 max,
										uint32 *values, RowserCursor *at);

/* As int32s in zigzag form. */
extern bool rowser_integers_next_signed(RowserIntegers *integers,
										uint32 nvalues, int32 *values,
										RowserCursor *at);

static inline uint32
rowser_zigzag32(int32 value)
{
	return ((uint32) value << 1) ^ (uint32) (value >> 31);
}

#endif							/* ROWSER_BYTES_INTEGERS_H */
