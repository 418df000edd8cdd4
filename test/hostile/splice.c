/*-------------------------------------------------------------------------
 *
 * splice.c
 *	  A rowset put together from columns, types and groups of two.
 *
 * Each column of what comes out has a name, a type, a node and a body, of
 * which each is taken from a column of either rowset: mostly from the one that
 * stands there in the first of them, else from any.  So there are columns in
 * another order, more or fewer of them, types of other columns, nodes with the
 * blocks of others, and type descriptions that no writer gives.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/group.h"
#include "bytes/header.h"
#include "bytes/memory.h"
#include "bytes/trailer.h"
#include "mutate.h"
#include "splice.h"

#define MAX_GROUPS		8
#define MAX_COLUMNS		32
#define MAX_BODY		65536
#define NODES_LIMIT		(1024 * 1024)

/* A rowset taken apart */
typedef struct Source
{
	RowserHeader header;
	uint32		ngroups;
	RowserGroup groups[MAX_GROUPS];
} Source;

/* A column of a source */
typedef struct Place
{
	const Source *source;
	uint32		column;
} Place;

/* Where the parts of a column come from */
typedef struct Column
{
	Place		name;
	Place		type;
	Place		nodes;
	Place		body;
} Column;

typedef struct Splice
{
	Source		sources[2];
	uint32		ncolumns;
	Column		columns[MAX_COLUMNS];
	uint64	   *seed;
} Splice;

static bool
take_apart(Specimen specimen, Source *source)
{
	RowserFault fault;
	RowserCursor cursor;
	RowserTrailer trailer;

	rowser_cursor_init(&cursor, specimen.bytes, specimen.size, &fault);
	if (!rowser_header_read(&cursor, &source->header) ||
		!rowser_trailer_read(&cursor, &trailer))
		return false;
	source->ngroups = Min(trailer.ngroups, MAX_GROUPS);
	for (uint32 i = 0; i < source->ngroups; i++)
	{
		RowserGroup *group = &source->groups[i];

		if (!rowser_group_read(&cursor, source->header.columns,
							   source->header.ncolumns, group))
			return false;
		cursor.next = group->body + group->body_size;
	}
	return true;
}

/* Is it one of so many cases? */
static bool
one_in(Splice *splice, uint32 ncases)
{
	return hostile_draw(splice->seed, ncases) == 0;
}

/* ----------------------------------------------------------------
 *		What comes from where
 * ----------------------------------------------------------------
 */

/* Any column that there is; one that stays, when there is none. */
static Place
any_place(Splice *splice, Place place)
{
	const Source *source = &splice->sources[hostile_draw(splice->seed, 2)];

	if (source->header.ncolumns > 0)
	{
		place.source = source;
		place.column = hostile_draw(splice->seed, source->header.ncolumns);
	}
	return place;
}

static void
choose_columns(Splice *splice)
{
	const Source *own = &splice->sources[0];
	uint32		ncolumns = Min(own->header.ncolumns, MAX_COLUMNS);

	for (uint32 i = 0; i < ncolumns; i++)
	{
		Column	   *column = &splice->columns[i];

		column->name.source = own;
		column->name.column = i;
		column->type = column->nodes = column->body = column->name;
		if (one_in(splice, 8))
			column->name = any_place(splice, column->name);
		if (one_in(splice, 3))
			column->type = any_place(splice, column->type);
		if (one_in(splice, 4))
			column->nodes = column->type;
		else if (one_in(splice, 6))
			column->nodes = any_place(splice, column->nodes);
		if (one_in(splice, 4))
			column->body = any_place(splice, column->body);
		else
			column->body = column->nodes;
	}
	splice->ncolumns = ncolumns;
}

/* Exchange two columns, add one, or take one away. */
static void
rearrange_columns(Splice *splice)
{
	uint32		from;
	uint32		to;

	if (splice->ncolumns == 0)
		return;
	from = hostile_draw(splice->seed, splice->ncolumns);
	to = hostile_draw(splice->seed, splice->ncolumns);
	switch (hostile_draw(splice->seed, 8))
	{
		case 0:
			if (splice->ncolumns < MAX_COLUMNS)
				splice->columns[splice->ncolumns++] = splice->columns[from];
			break;
		case 1:
			splice->columns[from] = splice->columns[--splice->ncolumns];
			break;
		case 2:
		case 3:
			{
				Column		column = splice->columns[from];

				splice->columns[from] = splice->columns[to];
				splice->columns[to] = column;
			}
			break;
		default:
			break;
	}
}

/* ----------------------------------------------------------------
 *		Types
 * ----------------------------------------------------------------
 */

/* Any part of a type's description */
static RowserType *
any_part(Splice *splice, RowserType *type)
{
	while (!one_in(splice, 3))
	{
		if (type->child != NULL)
			type = type->child;
		else if (type->nfields > 0)
			type = &type->fields[hostile_draw(splice->seed,
											  type->nfields)].type;
		else
			break;
	}
	return type;
}

/* Make a part of a type another one, or say something else of it. */
static void
change_type(Splice *splice, RowserType *type, RowserType *other)
{
	static const int32 typmods[] = {-1, 0, 3, 4, 5, 8, 65535, 655366,
	PG_INT32_MAX, PG_INT32_MIN};

	type = any_part(splice, type);
	other = any_part(splice, other);
	switch (hostile_draw(splice->seed, 8))
	{
		case 0:
			type->typmod = typmods[hostile_draw(splice->seed,
												lengthof(typmods))];
			break;
		case 1:
			type->typmod = other->typmod;
			type->collation_schema = other->collation_schema;
			type->collation_name = other->collation_name;
			break;
		case 2:					/* the name of one, the shape of another */
			type->oid = other->oid;
			type->schema = other->schema;
			type->name = other->name;
			break;
		case 3:
			type->oid = hostile_draw(splice->seed, 10000);
			break;
		case 4:
			type->shape = other->shape;
			type->width = other->width;
			break;
		case 5:					/* in an array */
			if (type->shape != ROWSER_SHAPE_ARRAY)
			{
				RowserType *element = rowser_memory_alloc(sizeof(RowserType));

				*element = *type;
				memset(type, 0, sizeof(*type));
				type->typmod = -1;
				type->shape = ROWSER_SHAPE_ARRAY;
				type->child = element;
			}
			break;
		default:
			if (other != type)
				*type = *other;
			break;
	}
}

/*
 * Can a description be written?  A shape may have been changed without its
 * parts, or a part become what it is a part of.
 */
static bool
can_write(const RowserType *type, int depth)
{
	if (depth > ROWSER_MAX_TYPE_DEPTH)
		return false;
	switch (type->shape)
	{
		case ROWSER_SHAPE_ARRAY:
		case ROWSER_SHAPE_RANGE:
		case ROWSER_SHAPE_MULTIRANGE:
		case ROWSER_SHAPE_DOMAIN:
			return type->child != NULL && can_write(type->child, depth + 1);
		case ROWSER_SHAPE_COMPOSITE:
			for (uint32 i = 0; i < type->nfields; i++)
			{
				if (!can_write(&type->fields[i].type, depth + 1))
					return false;
			}
			return true;
		default:
			return true;
	}
}

/* ----------------------------------------------------------------
 *		Putting together
 * ----------------------------------------------------------------
 */

/* Write the header; false when a type has become none. */
static bool
write_header(Splice *splice, RowserBuffer *spliced)
{
	RowserHeader header = splice->sources[0].header;
	RowserField fields[MAX_COLUMNS];
	Place		other = {&splice->sources[0], 0};

	for (uint32 i = 0; i < splice->ncolumns; i++)
	{
		Column	   *column = &splice->columns[i];

		fields[i] = column->type.source->header.columns[column->type.column];
		fields[i].name =
			column->name.source->header.columns[column->name.column].name;
	}
	if (splice->ncolumns > 0 && one_in(splice, 4))
	{
		uint32		i = hostile_draw(splice->seed, splice->ncolumns);

		other = any_place(splice, other);
		change_type(splice, &fields[i].type,
					&other.source->header.columns[other.column].type);
		if (!can_write(&fields[i].type, 0))
			return false;
	}
	header.ncolumns = splice->ncolumns;
	header.columns = fields;
	rowser_header_write(spliced, &header);
	return true;
}

/* A source's group, by a number that may be any; NULL when it has none. */
static const RowserGroup *
group_of(Place place, uint32 which)
{
	const Source *source = place.source;

	if (source->ngroups == 0)
		return NULL;
	return &source->groups[which % source->ngroups];
}

static void
write_group(Splice *splice, uint32 which, uint32 nrows,
			RowserBuffer *spliced, RowserDirectoryEntry *entry)
{
	size_t		start = spliced->size;
	uint64		offsets[MAX_COLUMNS + 1];
	RowserBuffer nodes;
	RowserBuffer body;

	rowser_buffer_init(&nodes, 256, NODES_LIMIT);
	rowser_buffer_init(&body, 256, MAX_BODY);
	for (uint32 i = 0; i < splice->ncolumns; i++)
	{
		Place		place = splice->columns[i].nodes;
		const RowserGroup *group = group_of(place, which);

		offsets[i] = body.size;
		if (group != NULL)
			rowser_buffer_bytes(&nodes, group->nodes[place.column],
								group->nodes[place.column + 1] -
								group->nodes[place.column]);
		place = splice->columns[i].body;
		group = group_of(place, which);
		if (group != NULL)
			rowser_buffer_bytes(&body,
								group->body + group->offsets[place.column],
								group->offsets[place.column + 1] -
								group->offsets[place.column]);
	}
	offsets[splice->ncolumns] = body.size;
	entry->header_size = rowser_group_write(spliced, nrows, body.size, &nodes,
											&body, offsets, splice->ncolumns);
	entry->size = spliced->size - start;
	entry->nrows = nrows;
	if (nodes.overflowed || body.overflowed)
		spliced->overflowed = true;
}

bool
hostile_splice(Specimen own, Specimen other, uint64 *seed,
			   RowserBuffer *spliced)
{
	Splice		splice = {.seed = seed};
	RowserDirectoryEntry entries[MAX_GROUPS];
	uint32		ngroups;

	if (!take_apart(own, &splice.sources[0]) ||
		!take_apart(other, &splice.sources[1]))
		return false;
	choose_columns(&splice);
	rearrange_columns(&splice);
	if (!write_header(&splice, spliced))
		return false;

	/* mostly the groups that there are, or else some of these, in any order */
	ngroups = splice.sources[0].ngroups;
	if (ngroups > 0 && one_in(&splice, 4))
		ngroups = 1 + hostile_draw(seed, MAX_GROUPS);
	for (uint32 i = 0; i < ngroups; i++)
	{
		const Source *counted = &splice.sources[one_in(&splice, 8) ? 1 : 0];
		Place		place = {counted->ngroups > 0 ? counted :
		&splice.sources[0], 0};
		uint32		which = one_in(&splice, 8) ?
		hostile_draw(seed, MAX_GROUPS) : i;

		write_group(&splice, which, group_of(place, which)->nrows, spliced,
					&entries[i]);
	}
	rowser_trailer_write(spliced, entries, ngroups);
	return !spliced->overflowed;
}
