/*-------------------------------------------------------------------------
 *
 * read.c
 *	  Reading the rowset that a fuzzer thinks of.
 *
 * It is read as the server reads one: whole, as rowset_is_valid() does; and
 * in the parts that are fetched from TOAST storage, the prefix, the trailer,
 * each group's header and each column, every part in memory of just its own
 * size.  The two must come to the same end.  Integers are read in batches of
 * different sizes, and passed over, which must give the same values.  What
 * was accepted is written again, which must be read as the same.
 *
 * A sanitizer watches; beside it, memory has a limit, and long work is cut off
 * where the server would look for a cancel.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "bytes/checksum.h"
#include "bytes/group_blocks.h"
#include "bytes/header.h"
#include "bytes/integers.h"
#include "bytes/memory.h"
#include "bytes/trailer.h"
#include "bytes/validate.h"
#include "target.h"
#include "whole.h"

/* Looks for a cancel until one comes; about a million integers */
#define MAX_INTERRUPTS	4000

/* Integers of a node that are read in more than one way */
#define MAX_INTEGERS	2048

/* Prefixes of a group that tell of its extent, or don't, up to this long */
#define EXTENT_PREFIX	24

#define TRAILER_SIZE_SIZE	4

static int	ninterrupts;

static bool
is_too_much(void)
{
	return ++ninterrupts > MAX_INTERRUPTS;
}

void
fuzz_claim(bool holds, const char *claim)
{
	if (holds)
		return;
	fprintf(stderr, "claim does not hold: %s\n", claim);
	abort();
}

/* ----------------------------------------------------------------
 *		Parts
 * ----------------------------------------------------------------
 */

uint8 *
fuzz_copy_exactly(const uint8 *bytes, size_t size, size_t shift)
{
	uint8	   *copy;

	shift %= 8;
	copy = rowser_memory_alloc(Max(shift + size, 1));
	if (size > 0)
		memcpy(copy + shift, bytes, size);
	return copy + (shift + size > 0 ? shift : 1);
}

void
fuzz_check_fault(const RowserFault *fault, size_t size)
{
	fuzz_claim(fault->kind != ROWSER_FAULT_NONE, "a failure has a fault");
	fuzz_claim(fault->what != NULL && fault->what[0] != '\0',
			   "a fault has a text");
	fuzz_claim(fault->offset <= size, "a fault has a place");
}

/*
 * The extents, of which only so many bytes are there as the declarations ask
 * for, must be those that reading finds.
 */
static void
check_header_extent(const uint8 *bytes, size_t size,
					const RowserHeader *header)
{
	size_t		prefix_size = Min(size, ROWSER_HEADER_PREFIX_SIZE);
	RowserFault fault;
	RowserCursor cursor;
	uint64		extent;
	bool		found;

	rowser_cursor_init(&cursor, fuzz_copy_exactly(bytes, prefix_size, size),
					   size, &fault);
	found = rowser_header_extent(cursor, &extent);
	fuzz_claim(!found ||
			   extent <= (uint64) PG_INT32_MAX + ROWSER_HEADER_PREFIX_SIZE,
			   "a header's extent is a size");
	if (header != NULL)
		fuzz_claim(found && extent == header->size, "a header has its extent");
}

static void
check_trailer_extent(const uint8 *bytes, size_t size,
					 const RowserTrailer *trailer, uint64 trailer_offset)
{
	RowserFault fault;
	RowserCursor cursor;
	uint64		extent;
	bool		found;

	if (size < TRAILER_SIZE_SIZE)
		return;
	rowser_cursor_init(&cursor,
					   fuzz_copy_exactly(bytes + size - TRAILER_SIZE_SIZE,
									TRAILER_SIZE_SIZE, size) -
					   (size - TRAILER_SIZE_SIZE), size, &fault);
	found = rowser_trailer_extent(cursor, &extent);
	fuzz_claim(!found || extent <= size, "a trailer's extent is inside");
	if (trailer != NULL)
		fuzz_claim(found && extent == size - trailer_offset,
				   "a trailer has its extent");
}

/* ----------------------------------------------------------------
 *		Integers
 * ----------------------------------------------------------------
 */

/*
 * Read the first integers of a node in batches of `batch`, or of 1, 2, 3 and
 * so on for 0, passing over every other batch if `skip`.  Returns whether
 * that went well, and how many were met.
 */
static bool
integers_read(const RowserNode *node, const uint8 *body, RowserCursor at,
			  uint32 batch, bool skip, int64 *values, uint32 *nvalues)
{
	RowserIntegers *integers;
	bool		right;
	bool		skip_this = false;
	uint32		size = Max(batch, 1);

	*nvalues = 0;
	right = rowser_integers_open(&integers, node, body, &at);
	while (right && *nvalues < MAX_INTEGERS &&
		   rowser_integers_left(integers) > 0)
	{
		uint32		n = Min(Min(size, rowser_integers_left(integers)),
							MAX_INTEGERS - *nvalues);

		rowser_memory_interrupt();
		if (skip_this)
			right = rowser_integers_skip(integers, n, &at);
		else
		{
			/* just as much room as is asked to be filled */
			int64	   *some = rowser_memory_alloc(n * sizeof(int64));

			right = rowser_integers_next(integers, n, some, &at);
			if (right)
				memcpy(values + *nvalues, some, n * sizeof(int64));
			rowser_memory_free(some);
		}
		if (right)
			*nvalues += n;
		skip_this = skip && !skip_this;
		if (batch == 0)
			size++;
	}
	rowser_integers_close(integers);
	return right;
}

static void
check_integers(const RowserNode *node, const uint8 *body, RowserCursor at)
{
	static int64 at_once[MAX_INTEGERS];
	static int64 in_parts[MAX_INTEGERS];
	uint32		nat_once;
	uint32		nin_parts;
	bool		right;

	right = integers_read(node, body, at, MAX_INTEGERS, false, at_once,
						  &nat_once);
	fuzz_claim(integers_read(node, body, at, 0, false, in_parts,
							 &nin_parts) == right,
			   "integers are read alike in batches of any size");
	if (right)
		fuzz_claim(nat_once == nin_parts &&
				   memcmp(at_once, in_parts, nat_once * sizeof(int64)) == 0,
				   "integers are the same in batches of any size");

	/* what is passed over keeps these values */
	memcpy(in_parts, at_once, nat_once * sizeof(int64));
	if (integers_read(node, body, at, 0, true, in_parts, &nin_parts) && right)
		fuzz_claim(nat_once == nin_parts &&
				   memcmp(at_once, in_parts, nat_once * sizeof(int64)) == 0,
				   "integers are the same behind ones passed over");
	else
		fuzz_claim(!right, "integers that can be read can be passed over");
}

static bool
node_is_integers(const RowserNode *node)
{
	switch (node->encoding)
	{
		case ROWSER_ENCODING_FRAME:
		case ROWSER_ENCODING_DELTA:
		case ROWSER_ENCODING_DELTA2:
		case ROWSER_ENCODING_RUNS:
			return true;
		case ROWSER_ENCODING_PLAIN:
		case ROWSER_ENCODING_CONSTANT:
			return node->shape == ROWSER_SHAPE_UINT ||
				rowser_shape_is_integer(node->shape);
		default:
			return false;
	}
}

/* Read all integers of a node and those below it. */
static void
node_check_integers(const RowserNode *node, const uint8 *body, RowserCursor at)
{
	if (rowser_shape_is_scalar(node->shape) && node_is_integers(node))
		check_integers(node, body, at);
	for (uint32 i = 0; i < node->nintegers; i++)
		node_check_integers(&node->integers[i], body, at);
	if (node->run_values != NULL)
		node_check_integers(node->run_values, body, at);
	if (node->scaled != NULL)
		node_check_integers(node->scaled, body, at);
	for (uint32 i = 0; i < node->nchildren; i++)
		node_check_integers(&node->children[i], body, at);
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		for (uint32 j = 0; j < node->shapes[i].nfields; j++)
			node_check_integers(&node->shapes[i].nodes[j], body, at);
	}
}

/* ----------------------------------------------------------------
 *		Groups
 * ----------------------------------------------------------------
 */

/*
 * Read one column as a scan does that fetches nothing else: its checksum needs
 * the bytes of its unit, its nodes only its own.
 */
static bool
read_column(const RowserGroup *group, uint32 column, RowserCursor at)
{
	RowserGroup alone = *group;
	uint64		from;
	uint64		to;

	rowser_group_unit(group, column, &from, &to);
	fuzz_claim(from <= to && to <= group->body_size,
			   "a unit is inside the body");
	alone.body = fuzz_copy_exactly(group->body + from, to - from, from) - from;
	if (!rowser_group_check_column(&alone, column, &at))
		return false;

	from = group->offsets[column];
	to = group->offsets[column + 1];
	fuzz_claim(from <= to && to <= group->body_size,
			   "a column is inside the body");
	alone.body = fuzz_copy_exactly(group->body + from, to - from, from) - from;
	alone.ncolumns = 1;
	alone.columns += column;
	alone.offsets += column;
	alone.units += column;
	if (to > from)
	{
		alone.checksums = rowser_memory_alloc_array(group->nunits,
													sizeof(uint32));
		alone.checksums[alone.units[0]] = rowser_checksum(alone.body + from,
														  to - from);
	}
	node_check_integers(alone.columns, alone.body, at);
	return rowser_group_validate(&alone, &at);
}

/* Read the header of a group that has no more than that, to the same end. */
static void
check_group_header(const RowserGroup *group, const RowserHeader *header)
{
	RowserFault fault;
	RowserCursor cursor;
	RowserGroup again;

	rowser_cursor_init(&cursor,
					   fuzz_copy_exactly(group->start, group->header_size, 1),
					   group->header_size, &fault);
	fuzz_claim(rowser_group_read(&cursor, header->columns, header->ncolumns,
								 &again) &&
			   again.header_size == group->header_size &&
			   again.body_size == group->body_size &&
			   again.nrows == group->nrows && again.nnodes == group->nnodes,
			   "a group's header can be read without its body");
}

/*
 * How large a group is must come out of its first bytes, be they ever so few,
 * or that more are wanted.  Of bytes that are no group, anything may.
 */
static void
check_group_extent(const RowserCursor *group_at, const RowserGroup *group)
{
	for (size_t size = 0; size <= EXTENT_PREFIX; size++)
	{
		RowserFault fault;
		RowserCursor cursor;
		RowserDirectoryEntry entry;
		size_t		mark = hostile_memory_mark();

		if (size > rowser_cursor_left(group_at))
			break;
		rowser_cursor_init(&cursor, fuzz_copy_exactly(group_at->next, size, size),
						   size, &fault);
		if (!rowser_group_extent(&cursor, &entry))
			fuzz_claim(group == NULL || cursor.next == cursor.end,
					   "a group's extent is known, or more bytes are wanted");
		else if (group != NULL)
			fuzz_claim(entry.header_size == group->header_size &&
					   entry.size == group->header_size + group->body_size &&
					   entry.nrows == group->nrows, "a group has its extent");
		hostile_memory_release(mark);
	}
}

/* Read a group, whose body must be inside; the cursor moves past it. */
static bool
read_group(RowserCursor *cursor, const RowserHeader *header,
		   RowserGroup *group)
{
	RowserCursor at = *cursor;
	bool		columns_valid = true;
	bool		valid;
	uint32		methods;

	if (!rowser_group_read(cursor, header->columns, header->ncolumns, group))
	{
		check_group_extent(&at, NULL);
		return false;
	}
	check_group_extent(&at, group);
	check_group_header(group, header);
	if (group->body_size > rowser_cursor_left(cursor))
		return rowser_cursor_fail(cursor, ROWSER_FAULT_INVALID,
								  "The bytes end too early");
	methods = rowser_group_methods(group);
	fuzz_claim(methods < 1 << (ROWSER_METHOD_LAST + 1),
			   "methods are known ones");
	for (uint32 i = 0; i < group->ncolumns; i++)
	{
		fuzz_claim(rowser_group_column_decompressed(group, i) <=
				   (uint64) ROWSER_BLOCK_MAX_RATIO * group->body_size,
				   "blocks decompress to a multiple of the body");
		columns_valid &= read_column(group, i, *cursor);
	}

	at = *cursor;
	cursor->next = group->body + group->body_size;
	valid = rowser_group_validate(group, &at);
	fuzz_claim(valid == columns_valid,
			   "a group is valid if all of its columns are");
	return valid;
}

/* ----------------------------------------------------------------
 *		The whole
 * ----------------------------------------------------------------
 */

/* What was read and is written again must be read as the same. */
static void
check_header_written(const RowserHeader *header)
{
	RowserBuffer once;
	RowserBuffer twice;
	RowserFault fault;
	RowserCursor cursor;
	RowserHeader again;

	rowser_buffer_init(&once, header->size + 64, PG_INT32_MAX);
	rowser_buffer_init(&twice, header->size + 64, PG_INT32_MAX);
	rowser_header_write(&once, header);
	rowser_cursor_init(&cursor, once.bytes, once.size, &fault);
	fuzz_claim(rowser_header_read(&cursor, &again) &&
			   rowser_cursor_left(&cursor) == 0 &&
			   again.ncolumns == header->ncolumns,
			   "a header can be read when it is written again");
	rowser_header_write(&twice, &again);
	fuzz_claim(once.size == twice.size &&
			   memcmp(once.bytes, twice.bytes, once.size) == 0,
			   "a header is the same when it is written again");
}

static void
check_trailer_written(const RowserTrailer *trailer)
{
	RowserBuffer buffer;
	RowserFault fault;
	RowserCursor cursor;
	RowserTrailer again;
	uint64		groups_size = 0;

	for (uint32 i = 0; i < trailer->ngroups; i++)
		groups_size += trailer->groups[i].size;
	rowser_buffer_init(&buffer, groups_size + 64, PG_INT32_MAX);
	rowser_buffer_zeros(&buffer, groups_size);
	rowser_trailer_write(&buffer, trailer->groups, trailer->ngroups);
	rowser_cursor_init(&cursor, buffer.bytes, buffer.size, &fault);
	fuzz_claim(rowser_trailer_read(&cursor, &again) &&
			   again.ngroups == trailer->ngroups &&
			   again.nrows == trailer->nrows,
			   "a trailer is the same when it is written again");
}

/*
 * Read the groups one after the other, whether or not the trailer is right:
 * without one, as far as they go.
 */
static bool
read_groups(RowserCursor *cursor, const RowserHeader *header,
			const RowserTrailer *trailer)
{
	bool		valid = trailer != NULL;
	uint32		i = 0;

	while (rowser_cursor_left(cursor) > 0)
	{
		uint64		offset = rowser_cursor_offset(cursor);
		const RowserDirectoryEntry *entry;
		RowserGroup group;

		if (!read_group(cursor, header, &group))
			return false;
		if (valid && i < trailer->ngroups)
		{
			entry = &trailer->groups[i++];
			valid = entry->offset == offset && entry->nrows == group.nrows &&
				entry->header_size == group.header_size &&
				entry->size == group.header_size + group.body_size;
		}
	}
	return valid && i == trailer->ngroups;
}

static bool
read_parts(const uint8 *bytes, size_t size)
{
	RowserFault fault;
	RowserCursor cursor;
	RowserHeader header;
	RowserTrailer trailer;
	bool		has_trailer;
	bool		valid;

	fault.kind = ROWSER_FAULT_NONE;
	rowser_cursor_init(&cursor, fuzz_copy_exactly(bytes, size, size), size, &fault);
	if (!rowser_header_read(&cursor, &header))
	{
		fuzz_check_fault(&fault, size);
		check_header_extent(bytes, size, NULL);
		check_trailer_extent(bytes, size, NULL, 0);
		return false;
	}
	check_header_extent(bytes, size, &header);
	check_header_written(&header);

	has_trailer = rowser_trailer_read(&cursor, &trailer);
	if (!has_trailer)
		fuzz_check_fault(&fault, size);
	else
		check_trailer_written(&trailer);
	check_trailer_extent(bytes, size, has_trailer ? &trailer : NULL,
						 cursor.end - cursor.start);

	fault.kind = ROWSER_FAULT_NONE;
	valid = read_groups(&cursor, &header, has_trailer ? &trailer : NULL);
	if (!valid && fault.kind != ROWSER_FAULT_NONE)
		fuzz_check_fault(&fault, size);
	return valid;
}

/* Read whole, within the memory that this may take. */
static bool
read_whole(const uint8 *bytes, size_t size)
{
	bool		valid = hostile_read_whole(bytes, size);

	fuzz_claim(hostile_memory_peak() <= hostile_memory_bound(size),
			   "memory stays in bounds");
	return valid;
}

bool
fuzz_finishes(bool (*read) (const uint8 *bytes, size_t size),
			  const uint8 *bytes, size_t size, bool *valid)
{
	volatile bool finished = false;

	hostile_memory_reset();
	hostile_is_cancelled = is_too_much;
	ninterrupts = 0;
	if (setjmp(hostile_exit) == 0)
	{
		*valid = read(bytes, size);
		finished = true;
	}
	hostile_is_cancelled = NULL;
	hostile_memory_reset();
	return finished;
}

bool
fuzz_read(const uint8 *bytes, size_t size)
{
	bool		valid;
	bool		parts_valid;

	if (!fuzz_finishes(read_whole, bytes, size, &valid))
		return false;
	if (fuzz_finishes(read_parts, bytes, size, &parts_valid))
		fuzz_claim(valid == parts_valid,
				   "a rowset is valid in parts if it is as a whole");
	return valid;
}
