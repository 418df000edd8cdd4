/*-------------------------------------------------------------------------
 *
 * write.c
 *	  Writing the integers that a fuzzer thinks of, and reading them back.
 *
 * The bytes are a little program that makes integers of runs, steps and far
 * values.  They are written as a column of their shape, or as a stream of
 * UINT, as the planner chooses; the node must be read, give the same integers,
 * and make a valid rowset when it is put into one.  Their own bytes are
 * compressed and decompressed, too.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "bytes/header.h"
#include "bytes/integers.h"
#include "bytes/memory.h"
#include "bytes/node_internal.h"
#include "bytes/trailer.h"
#include "target.h"

#define MAX_VALUES		4096
#define BUFFER_LIMIT	(1024 * 1024)

/* What the first byte says */
#define FLAG_IN_ARRAY	0x08	/* of UINT only */
#define FLAG_LZ4		0x10
#define FLAG_ZSTD		0x20

/* What the low bits of each further byte say; the high bits are a number */
typedef enum Operation
{
	OPERATION_SET,				/* the value is the varint that follows */
	OPERATION_STEP,				/* it is that much more than the last */
	OPERATION_REPEAT,			/* it comes that many times more */
	OPERATION_STEP_AGAIN		/* so does the step */
} Operation;

/* What is written, and how */
typedef struct Written
{
	RowserShape shape;
	bool		in_array;
	RowserCompression compression;
	uint32		nvalues;
	int64		values[MAX_VALUES];
} Written;

/* Cut a number to what its shape can hold. */
static int64
cut(RowserShape shape, uint64 value)
{
	switch (shape)
	{
		case ROWSER_SHAPE_INT1:
			return (int8) value;
		case ROWSER_SHAPE_INT2:
			return (int16) value;
		case ROWSER_SHAPE_INT4:
			return (int32) value;
		case ROWSER_SHAPE_INT8:
			return (int64) value;
		default:
			return (int64) (value & PG_INT64_MAX);
	}
}

static void
append(Written *written, uint64 value)
{
	if (written->nvalues < MAX_VALUES)
		written->values[written->nvalues++] = cut(written->shape, value);
}

/* Run the program; false if it makes nothing. */
static bool
make_values(Written *written, RowserCursor *cursor)
{
	uint64		value = 0;
	uint64		step = 0;
	uint8		code;

	while (rowser_cursor_left(cursor) > 0 &&
		   rowser_cursor_u8(cursor, &code))
	{
		int			number = code >> 2;
		int64		argument;

		switch ((Operation) (code & 3))
		{
			case OPERATION_SET:
			case OPERATION_STEP:
				if (!rowser_cursor_varint(cursor, &argument))
					return written->nvalues > 0;
				step = (code & 3) == OPERATION_SET ?
					(uint64) argument - value : (uint64) argument;
				value += step;
				append(written, value);
				break;
			case OPERATION_REPEAT:
				for (int i = 0; i <= number; i++)
					append(written, value);
				break;
			case OPERATION_STEP_AGAIN:
				for (int i = 0; i <= number; i++)
				{
					value += step;
					append(written, value);
				}
				break;
		}
	}
	return written->nvalues > 0;
}

static void
make_compression(Written *written, uint8 code)
{
	static const int levels[] = {0, 1, 3, 9};
	RowserMethod method = ROWSER_METHOD_NONE;

	if (code & FLAG_LZ4)
		method = ROWSER_METHOD_LZ4;
	else if (code & FLAG_ZSTD)
		method = ROWSER_METHOD_ZSTD;
	if (!rowser_method_is_built(method))
		method = ROWSER_METHOD_NONE;
	written->compression.method = method;
	written->compression.level = levels[code >> 6];
}

/* ----------------------------------------------------------------
 *		There and back
 * ----------------------------------------------------------------
 */

static void
write_node(const Written *written, RowserBuffer *nodes, RowserBuffer *body)
{
	RowserIntegersPlan plan;

	if (written->shape == ROWSER_SHAPE_UINT)
	{
		rowser_integers_write(nodes, body, written->compression,
							  written->values, written->nvalues,
							  written->in_array);
		return;
	}
	rowser_integers_plan(&plan, written->values, written->nvalues,
						 written->shape, false, false);
	rowser_buffer_u8(nodes, plan.encoding);
	rowser_integers_write_body(nodes, body, written->compression, &plan,
							   written->values, written->nvalues,
							   written->shape);
}

static bool
read_node(const Written *written, RowserCursor *cursor, RowserType *type,
		  RowserNode *node, uint64 *body_size)
{
	uint32		nnodes = 0;
	RowserNodeContext context = {cursor, body_size, written->in_array, 0,
	&nnodes};

	*body_size = 0;
	memset(node, 0, sizeof(*node));
	if (written->shape == ROWSER_SHAPE_UINT)
		return rowser_node_integers_at(context, written->nvalues, node);
	return rowser_node_read(cursor, body_size, type, written->nvalues, node,
							&nnodes);
}

static void
check_values(const Written *written, const RowserNode *node,
			 const uint8 *body, RowserCursor at)
{
	static int64 values[MAX_VALUES];
	RowserIntegers *integers;

	fuzz_claim(rowser_integers_open(&integers, node, body, &at) &&
			   rowser_integers_left(integers) == written->nvalues &&
			   rowser_integers_next(integers, written->nvalues, values, &at),
			   "integers that were written can be read");
	fuzz_claim(memcmp(values, written->values,
					  written->nvalues * sizeof(int64)) == 0,
			   "integers are read as they were written");
	rowser_integers_close(integers);
}

/* What is compressed, into just as much room as it takes, comes back. */
static void
check_compression(const Written *written)
{
	size_t		size = written->nvalues * sizeof(int64);
	uint8	   *bytes = rowser_memory_alloc(size);
	uint8	   *compressed = rowser_memory_alloc(size);
	uint8	   *again;
	size_t		compressed_size;

	if (written->compression.method == ROWSER_METHOD_NONE)
		return;
	memcpy(bytes, written->values, size);
	compressed_size = rowser_compress(written->compression, bytes, size,
									  compressed, size);
	fuzz_claim(compressed_size <= size, "what is compressed fits");
	if (compressed_size == 0)
		return;
	again = rowser_memory_alloc(compressed_size);
	memcpy(again, compressed, compressed_size);
	memset(bytes, 0, size);
	fuzz_claim(rowser_decompress(written->compression.method, again,
								 compressed_size, bytes, size) &&
			   memcmp(bytes, written->values, size) == 0,
			   "what is compressed decompresses to the same");
	fuzz_claim(rowser_compress(written->compression, bytes, size, again,
							   compressed_size - 1) < compressed_size,
			   "what is compressed fits, or is refused");
}

/* Write a rowset of the one column, of at most `limit` bytes. */
static void
write_rowset(const Written *written, const RowserType *type,
			 const RowserBuffer *nodes, const RowserBuffer *body,
			 size_t limit, RowserBuffer *rowset)
{
	RowserField column = {{(const uint8 *) "v", 1}, *type};
	RowserHeader header = {.encoding = {(const uint8 *) "UTF8", 4},
	.ncolumns = 1,.columns = &column};
	uint64		offsets[2] = {0, body->size};
	RowserDirectoryEntry entry = {.nrows = written->nvalues};
	size_t		header_size;

	rowser_buffer_init(rowset, 64, limit);
	rowser_header_write(rowset, &header);
	header_size = rowset->size;
	entry.header_size = rowser_group_write(rowset, written->nvalues,
										   8 * written->nvalues, nodes, body,
										   offsets, 1);
	entry.size = rowset->size - header_size;
	rowser_trailer_write(rowset, &entry, 1);
}

/* What has no room says so, and stays within the room that it has. */
static void
check_room(const Written *written, const RowserType *type,
		   const RowserBuffer *nodes, const RowserBuffer *body, size_t size)
{
	for (size_t room = 1; room < size;
		 room += Max(Min(room, size - room) / 2, 1))
	{
		RowserBuffer few_nodes;
		RowserBuffer little_body;
		RowserBuffer rowset;

		rowser_buffer_init(&few_nodes, 16, room);
		rowser_buffer_init(&little_body, 16, room);
		write_node(written, &few_nodes, &little_body);
		fuzz_claim(few_nodes.size <= room && little_body.size <= room &&
				   (few_nodes.overflowed || little_body.overflowed ||
					room >= Max(nodes->size, body->size)),
				   "a node that has no room says so");
		write_rowset(written, type, nodes, body, room, &rowset);
		fuzz_claim(rowset.overflowed && rowset.size <= room,
				   "a rowset that has no room says so");
		write_rowset(written, type, &few_nodes, &little_body, BUFFER_LIMIT,
					 &rowset);
		fuzz_claim(rowset.overflowed == (few_nodes.overflowed ||
										 little_body.overflowed),
				   "a rowset of a node without room has none either");
		rowser_buffer_free(&few_nodes);
		rowser_buffer_free(&little_body);
	}
}

/* A rowset of the one column must be valid. */
static void
check_rowset(const Written *written, const RowserType *type,
			 const RowserBuffer *nodes, const RowserBuffer *body)
{
	RowserBuffer rowset;
	uint8	   *bytes;

	write_rowset(written, type, nodes, body, BUFFER_LIMIT, &rowset);
	fuzz_claim(!rowset.overflowed, "a rowset of few integers is small");
	check_room(written, type, nodes, body, rowset.size);

	/* reading gives back what is allocated here */
	bytes = malloc(rowset.size);
	memcpy(bytes, rowset.bytes, rowset.size);
	fuzz_claim(fuzz_read(bytes, rowset.size),
			   "a rowset of integers that were written is valid");
	free(bytes);
}

void
fuzz_write(const uint8 *bytes, size_t size)
{
	static Written written;
	RowserType	type = {.typmod = -1,.oid = 20};
	RowserFault fault;
	RowserCursor cursor;
	RowserBuffer nodes;
	RowserBuffer body;
	RowserNode	node;
	uint64		body_size;
	uint8		code;

	hostile_memory_reset();
	rowser_cursor_init(&cursor, bytes, size, &fault);
	if (!rowser_cursor_u8(&cursor, &code))
		return;
	written.shape = (code & 7) == 0 ? ROWSER_SHAPE_UINT :
		ROWSER_SHAPE_INT1 + (code & 3);
	written.in_array = written.shape == ROWSER_SHAPE_UINT &&
		(code & FLAG_IN_ARRAY) != 0;
	make_compression(&written, code);
	written.nvalues = 0;
	if (!make_values(&written, &cursor))
		return;
	type.shape = written.shape;
	type.width = rowser_shape_width(written.shape);

	rowser_buffer_init(&nodes, 16, BUFFER_LIMIT);
	rowser_buffer_init(&body, 16, BUFFER_LIMIT);
	write_node(&written, &nodes, &body);
	fuzz_claim(!nodes.overflowed && !body.overflowed,
			   "a node of few integers is small");
	rowser_cursor_init(&cursor, nodes.bytes, nodes.size, &fault);
	fuzz_claim(read_node(&written, &cursor, &type, &node, &body_size),
			   "a node that was written can be read");
	fuzz_claim(rowser_cursor_left(&cursor) == 0 && body_size == body.size,
			   "a node has the size that was written");
	check_values(&written, &node, body.bytes, cursor);
	check_compression(&written);
	if (written.shape != ROWSER_SHAPE_UINT)
		check_rowset(&written, &type, &nodes, &body);
	hostile_memory_reset();
}
