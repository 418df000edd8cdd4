/*-------------------------------------------------------------------------
 *
 * mutate.c
 *	  Random changes to a rowset that keep its frame consistent.
 *
 * A change of one byte rarely gets past the frame: a size or a sum no longer
 * fits.  Here the rowset is taken apart into the header's description, each
 * group's nodes and each group's body; bytes of these are changed, added and
 * taken away; and the whole is put together again, with a body as long as
 * the changed nodes ask for, so that what reads the values is reached.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/checksum.h"
#include "bytes/group.h"
#include "bytes/header.h"
#include "bytes/memory.h"
#include "bytes/node.h"
#include "bytes/trailer.h"
#include "mutate.h"
#include "reseal.h"

#define CRC_SIZE		4
#define VERSION_SIZE	8
#define MAX_BODY		65536
#define PART_LIMIT		(1024 * 1024)
#define MAX_GROUPS		16

typedef struct GroupParts
{
	uint32		nrows;
	uint64		raw_size;
	RowserBuffer nodes;
	RowserBuffer body;
} GroupParts;

typedef struct Parts
{
	RowserBuffer header;		/* encoding, columns, extensions */
	uint32		ngroups;
	GroupParts	groups[MAX_GROUPS];
} Parts;

/* ----------------------------------------------------------------
 *		Taking apart
 * ----------------------------------------------------------------
 */

static void
part_init(RowserBuffer *part, const uint8 *bytes, size_t size)
{
	rowser_buffer_init(part, size + 64, PART_LIMIT);
	rowser_buffer_bytes(part, bytes, size);
}

static bool
split_group(RowserCursor *cursor, const RowserHeader *header,
			GroupParts *parts)
{
	size_t		from = rowser_cursor_offset(cursor);
	size_t		size = cursor->end - cursor->start;
	RowserGroup group;
	RowserCursor rest;
	size_t		rest_offset;
	size_t		body_offset;
	uint64		number;

	if (!rowser_group_read(cursor, header->columns, header->ncolumns,
						   &group) ||
		!hostile_part_end(cursor->start, size, from + 1, &rest_offset,
						  &body_offset))
		return false;
	parts->nrows = group.nrows;
	parts->raw_size = group.raw_size;
	part_init(&parts->body, group.body, group.body_size);

	rest = *cursor;
	rest.next = rest.start + rest_offset;
	rest.end = rest.start + body_offset - CRC_SIZE * (1 + group.nunits);
	for (int i = 0; i < 3; i++)
	{
		if (!rowser_cursor_varuint(&rest, &number))
			return false;
	}
	part_init(&parts->nodes, rest.next, rest.end - rest.next);
	cursor->next = group.body + group.body_size;
	return true;
}

static bool
split(const uint8 *bytes, size_t size, Parts *parts)
{
	RowserFault fault;
	RowserCursor cursor;
	RowserHeader header;
	RowserTrailer trailer;
	size_t		rest;
	size_t		end;

	rowser_cursor_init(&cursor, bytes, size, &fault);
	if (!rowser_header_read(&cursor, &header) ||
		!rowser_trailer_read(&cursor, &trailer) ||
		!hostile_part_end(bytes, size, VERSION_SIZE, &rest, &end) ||
		trailer.ngroups > MAX_GROUPS)
		return false;
	part_init(&parts->header, bytes + rest, end - CRC_SIZE - rest);
	parts->ngroups = trailer.ngroups;
	for (uint32 i = 0; i < parts->ngroups; i++)
	{
		if (!split_group(&cursor, &header, &parts->groups[i]))
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------
 *		Changing
 * ----------------------------------------------------------------
 */

/* splitmix64 */
uint32
hostile_draw(uint64 *seed, uint32 limit)
{
	uint64		number;

	*seed += UINT64CONST(0x9E3779B97F4A7C15);
	number = *seed;
	number = (number ^ (number >> 30)) * UINT64CONST(0xBF58476D1CE4E5B9);
	number = (number ^ (number >> 27)) * UINT64CONST(0x94D049BB133111EB);
	return (uint32) ((number ^ (number >> 31)) % limit);
}

/* A byte that is likely to matter. */
static uint8
draw_byte(uint64 *seed)
{
	static const uint8 likely[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 0x11, 0x3F,
	0x7F, 0x80, 0x81, 0xFE, 0xFF};

	if (hostile_draw(seed, 2) == 0)
		return likely[hostile_draw(seed, lengthof(likely))];
	return (uint8) hostile_draw(seed, 256);
}

/* Make room for, or take away, `size` bytes at `at`. */
static void
part_insert(RowserBuffer *part, size_t at, size_t size)
{
	rowser_buffer_zeros(part, size);
	if (!part->overflowed)
		memmove(part->bytes + at + size, part->bytes + at,
				part->size - size - at);
}

static void
part_remove(RowserBuffer *part, size_t at, size_t size)
{
	size = Min(size, part->size - at);
	memmove(part->bytes + at, part->bytes + at + size,
			part->size - at - size);
	part->size -= size;
}

/* A number of up to 64 bits, in seven-bit groups, where there was a byte. */
static void
part_set_number(RowserBuffer *part, size_t at, uint64 *seed)
{
	uint64		number = UINT64CONST(1) << hostile_draw(seed, 64);
	uint8		bytes[10];
	size_t		size = 0;

	number += hostile_draw(seed, 3) - 1;
	for (; number > 0x7F; number >>= 7)
		bytes[size++] = (uint8) (number | 0x80);
	bytes[size++] = (uint8) number;
	part_insert(part, at, size - 1);
	if (!part->overflowed)
		memcpy(part->bytes + at, bytes, size);
}

void
hostile_change_bytes(RowserBuffer *part, uint64 *seed)
{
	size_t		at;
	size_t		size = 1 + hostile_draw(seed, 4);

	if (part->size == 0)
		return;
	at = hostile_draw(seed, part->size);
	switch (hostile_draw(seed, 8))
	{
		case 0:
			part->bytes[at] ^= 1 << hostile_draw(seed, 8);
			break;
		case 1:
			part->bytes[at] += hostile_draw(seed, 2) == 0 ? 1 : -1;
			break;
		case 2:
			part_insert(part, at, size);
			for (size_t i = 0; i < size && !part->overflowed; i++)
				part->bytes[at + i] = draw_byte(seed);
			break;
		case 3:
			part_remove(part, at, size);
			break;
		case 4:
			part_set_number(part, at, seed);
			break;
		case 5:					/* what stands elsewhere */
			for (size_t i = 0; i < size && at + i < part->size; i++)
				part->bytes[at + i] =
					part->bytes[hostile_draw(seed, part->size)];
			break;
		default:
			part->bytes[at] = draw_byte(seed);
			break;
	}
}

static void
change(Parts *parts, uint64 *seed)
{
	GroupParts *group;

	if (parts->ngroups == 0 || hostile_draw(seed, 4) == 0)
	{
		hostile_change_bytes(&parts->header, seed);
		return;
	}
	group = &parts->groups[hostile_draw(seed, parts->ngroups)];
	switch (hostile_draw(seed, 10))
	{
		case 0:
			group->nrows = 1 + hostile_draw(seed, hostile_draw(seed, 64) > 0 ?
											20 : 2000000);
			break;
		case 1:
		case 2:
		case 3:
			hostile_change_bytes(&group->body, seed);
			break;
		default:
			hostile_change_bytes(&group->nodes, seed);
			break;
	}
}

/* ----------------------------------------------------------------
 *		Putting together
 * ----------------------------------------------------------------
 */

static void
join_header(const uint8 *bytes, const Parts *parts, RowserBuffer *mutant)
{
	rowser_buffer_bytes(mutant, bytes, VERSION_SIZE);
	rowser_buffer_varuint(mutant, parts->header.size + CRC_SIZE);
	rowser_buffer_bytes(mutant, parts->header.bytes, parts->header.size);
	if (!mutant->overflowed)
		rowser_buffer_u32(mutant, rowser_checksum(mutant->bytes,
												  mutant->size));
}

/* Where each column's blocks begin, as the changed nodes say. */
static bool
find_offsets(const GroupParts *parts, const RowserHeader *header,
			 uint64 *offsets)
{
	RowserFault fault;
	RowserCursor cursor;
	uint64		offset = 0;
	uint32		nnodes = 0;

	rowser_cursor_init(&cursor, parts->nodes.bytes, parts->nodes.size, &fault);
	for (uint32 i = 0; i < header->ncolumns; i++)
	{
		RowserNode	node;

		offsets[i] = offset;
		if (!rowser_node_read(&cursor, &offset, &header->columns[i].type,
							  parts->nrows, &node, &nnodes))
			return false;
	}
	offsets[header->ncolumns] = offset;
	return offset <= MAX_BODY;
}

static void
join_group(GroupParts *parts, const RowserHeader *header,
		   RowserBuffer *mutant, RowserDirectoryEntry *entry)
{
	size_t		start = mutant->size;
	uint64	   *offsets = rowser_memory_alloc((header->ncolumns + 1) *
											  sizeof(uint64));

	if (find_offsets(parts, header, offsets))
	{
		uint64		size = offsets[header->ncolumns];

		if (size > parts->body.size)
			rowser_buffer_zeros(&parts->body, size - parts->body.size);
		parts->body.size = size;
	}
	else
		memset(offsets, 0, (header->ncolumns + 1) * sizeof(uint64));
	entry->header_size = rowser_group_write(mutant, parts->nrows,
											parts->raw_size, &parts->nodes,
											&parts->body, offsets,
											header->ncolumns);
	entry->size = mutant->size - start;
	entry->nrows = parts->nrows;
}

bool
hostile_mutate(const uint8 *bytes, size_t size, uint64 seed,
			   RowserBuffer *mutant)
{
	Parts		parts;
	RowserDirectoryEntry entries[MAX_GROUPS];
	RowserFault fault;
	RowserCursor cursor;
	RowserHeader header;
	uint32		nchanges;

	if (!split(bytes, size, &parts))
		return false;
	nchanges = 1 + hostile_draw(&seed, 4);
	for (uint32 i = 0; i < nchanges; i++)
		change(&parts, &seed);

	join_header(bytes, &parts, mutant);
	if (mutant->overflowed)
		return false;
	rowser_cursor_init(&cursor, mutant->bytes, mutant->size, &fault);
	if (!rowser_header_read(&cursor, &header))
		memset(&header, 0, sizeof(header));
	for (uint32 i = 0; i < parts.ngroups; i++)
		join_group(&parts.groups[i], &header, mutant, &entries[i]);
	rowser_trailer_write(mutant, entries, parts.ngroups);
	return !mutant->overflowed;
}
