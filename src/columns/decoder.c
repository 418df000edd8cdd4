/*-------------------------------------------------------------------------
 *
 * decoder.c
 *	  Decoders: the nodes of one column as Datums of a type of this database.
 *
 * Here is how a column of one type is matched with the type that it is read as,
 * and what all kinds share: NULLs, casts and domains.  Scalar values are
 * in scalar.c, nested ones in nested.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "columns/decoder.h"
#include "columns/memory_limit.h"
#include "columns/parallel.h"
#include "columns/resolve.h"
#include "errors.h"

/* ----------------------------------------------------------------
 *		Making
 * ----------------------------------------------------------------
 */

char *
rowser_field_names(const RowserField *fields, uint32 nfields, int encoding)
{
	StringInfoData names;

	initStringInfo(&names);
	for (uint32 i = 0; i < nfields; i++)
		appendStringInfo(&names, "%s\"%s\"", i > 0 ? ", " : "",
						 rowser_resolve_name(fields[i].name, encoding));
	return names.data;
}

/*
 * Whether values of a shape can be rebuilt as a type part by part, whatever
 * their own type is called: the parts then decide.
 */
static bool
parts_match(const RowserType *described, Oid type)
{
	switch (described->shape)
	{
		case ROWSER_SHAPE_ARRAY:
			return type == RECORDARRAYOID ||
				rowser_kind_of(type) == ROWSER_KIND_ARRAY;
		case ROWSER_SHAPE_COMPOSITE:
		case ROWSER_SHAPE_RECORD:
			return type == RECORDOID ||
				rowser_kind_of(type) == ROWSER_KIND_COMPOSITE;
		case ROWSER_SHAPE_RANGE:
			return rowser_kind_of(type) == ROWSER_KIND_RANGE;
		case ROWSER_SHAPE_MULTIRANGE:
			return rowser_kind_of(type) == ROWSER_KIND_MULTIRANGE;
		default:
			return false;
	}
}

/*
 * A pg_node_tree can be run, by pg_get_expr() for one, and PostgreSQL's own
 * input functions make none; so only those may who can do anything anyway.
 */
static void
check_node_tree(Oid type)
{
	if (type == PG_NODE_TREEOID && !superuser())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to read values of type pg_node_tree"),
				 errhint("Read the column as text.")));
}

/*
 * Whether a described type's values are text in the bytes already and are wanted
 * as text: then neither the type nor what the text names needs to exist here.
 */
static bool
is_text_as_text(const RowserType *described, Oid target)
{
	return (described->shape == ROWSER_SHAPE_OUTPUT ||
			described->shape == ROWSER_SHAPE_LABEL ||
			(described->shape == ROWSER_SHAPE_TEXT &&
			 described->oid == PG_NODE_TREEOID)) &&
		(target == TEXTOID || target == VARCHAROID || target == BPCHAROID ||
		 target == NAMEOID);
}

/* The type that a described type's values are decoded to, before any cast. */
static Oid
decoded_type(const RowserType *described, int encoding, const char *name,
			 Oid target)
{
	if (parts_match(described, target))
		return target;
	if (is_text_as_text(described, target))
		return TEXTOID;
	if (rowser_resolve_is(described, target, encoding))
	{
		if (!rowser_resolve_fits(described, target))
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("cannot read column \"%s\" as type %s", name,
							format_type_be(target)),
					 errdetail("The type is not what it was where the rowset was written.")));
		return target;
	}
	return rowser_resolve_type(described, encoding);
}

/*
 * Check once more that values of the decoded type lie in the bytes as those that
 * are described: all that reads them relies on it.
 */
static void
check_shape(const RowserDecoder *decoder, const RowserType *described,
			const char *name)
{
	if (parts_match(described, decoder->typid) ||
		is_text_as_text(described, decoder->typid) ||
		rowser_resolve_fits(described, decoder->typid))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid rowset"),
			 errdetail("Values of column \"%s\" are not stored as type %s is.",
					   name, format_type_be(decoder->typid))));
}

void
rowser_decoder_init(RowserDecoder *decoder, const RowserType *described,
					int encoding, const char *name, RowserOrigin origin,
					Oid type, int32 typmod)
{
	Oid			target;
	bool		typbyval;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	memset(decoder, 0, sizeof(*decoder));
	decoder->encoding = encoding;

	while (described->shape == ROWSER_SHAPE_DOMAIN)
		described = described->child;
	if (!OidIsValid(type))
	{
		origin = ROWSER_ORIGIN_BYTES;
		type = rowser_resolve_type(described, encoding);
		typmod = rowser_resolve_typmod(described);
	}
	decoder->origin = origin;
	target = getBaseTypeAndTypmod(type, &typmod);
	decoder->target = target;
	if (origin == ROWSER_ORIGIN_CALLER)
		decoder->domain = rowser_domain_create(type);

	decoder->typid = decoded_type(described, encoding, name, target);
	check_node_tree(decoder->typid);
	decoder->kind = rowser_kind_of(decoder->typid);
	if (decoder->kind == ROWSER_KIND_PRINTED ||
		decoder->kind == ROWSER_KIND_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot read column \"%s\" as type %s", name,
						format_type_be(decoder->typid)),
				 errhint("Read the column as text.")));
	check_shape(decoder, described, name);
	decoder->shape = described->shape;
	get_typlenbyvalalign(decoder->typid, &decoder->typlen, &typbyval,
						 &decoder->typalign);

	if (rowser_shape_is_scalar(described->shape))
	{
		rowser_images_init(decoder);
		if (OidIsValid(decoder->function.fn_oid))
			rowser_parallel_check_function(decoder->function.fn_oid, name);
	}
	else
		rowser_nested_init(decoder, described, name,
						   decoder->typid == target ? typmod : -1);

	/*
	 * An array's typmod is its elements', which have been seen to.  A caller
	 * that repeats the rowset's type, as rowset_open()'s query does, has not
	 * chosen it.
	 */
	if (decoder->typid != target ||
		(typmod != -1 && decoder->kind != ROWSER_KIND_ARRAY))
		decoder->cast = rowser_cast_create(decoder->typid, target, typmod,
										   origin == ROWSER_ORIGIN_BYTES ||
										   (decoder->typid == target &&
											described->typmod == typmod),
										   name);
}

/* The kind that gives a scalar shape's values as they lie in the bytes */
static RowserKind
stored_kind(RowserShape shape)
{
	switch (shape)
	{
		case ROWSER_SHAPE_BOOL:
			return ROWSER_KIND_BOOL;
		case ROWSER_SHAPE_INT1:
		case ROWSER_SHAPE_INT2:
		case ROWSER_SHAPE_INT4:
		case ROWSER_SHAPE_INT8:
			return ROWSER_KIND_INT8;
		case ROWSER_SHAPE_FLOAT4:
			return ROWSER_KIND_FLOAT4;
		case ROWSER_SHAPE_FLOAT8:
			return ROWSER_KIND_FLOAT8;
		case ROWSER_SHAPE_FIXED:
			return ROWSER_KIND_FIXED;
		case ROWSER_SHAPE_NUMERIC:
			return ROWSER_KIND_NUMERIC;
		default:
			return ROWSER_KIND_BYTES;
	}
}

void
rowser_decoder_init_stored(RowserDecoder *decoder,
						   const RowserType *described)
{
	check_stack_depth();
	memset(decoder, 0, sizeof(*decoder));
	while (described->shape == ROWSER_SHAPE_DOMAIN)
		described = described->child;
	decoder->is_stored = true;
	decoder->origin = ROWSER_ORIGIN_BYTES;
	decoder->shape = described->shape;
	if (rowser_shape_is_scalar(described->shape))
	{
		decoder->kind = stored_kind(described->shape);
		decoder->typlen = described->width;
		decoder->typalign = TYPALIGN_CHAR;
	}
	else
		rowser_nested_init_stored(decoder, described);
}

/* ----------------------------------------------------------------
 *		Reading
 * ----------------------------------------------------------------
 */

void
rowser_decoder_fail(RowserDecoder *decoder, const char *what)
{
	if (decoder->node != NULL && decoder->next != NULL &&
		decoder->next >= decoder->at->start &&
		decoder->next <= decoder->at->end)
		decoder->at->next = decoder->next;
	(void) rowser_cursor_fail(decoder->at, ROWSER_FAULT_INVALID, what);
	rowser_fault_report(decoder->at->fault);
}

void
rowser_decoder_check(RowserDecoder *decoder, bool ok)
{
	if (!ok)
		rowser_fault_report(decoder->at->fault);
}

/* Open a node's bitmap and check that it has as many NULLs as the node says. */
static void
open_bitmap(RowserDecoder *decoder, const uint8 *body)
{
	const RowserNode *node = decoder->node;
	const RowserBlock *block = &node->nulls;
	uint8	   *owned;

	decoder->bitmap = NULL;
	if (block->raw_size == 0)
		return;
	rowser_decoder_check(decoder,
						 rowser_block_open(block, body, 1, decoder->at,
										   &decoder->bitmap, &owned));
	if (pg_popcount((const char *) decoder->bitmap,
					block->raw_size) != node->nnulls)
		rowser_decoder_fail(decoder, "A NULL bitmap has another number of NULLs");
	if (node->nvalues % 8 != 0 &&
		decoder->bitmap[block->raw_size - 1] >> (node->nvalues % 8) != 0)
		rowser_decoder_fail(decoder, "A NULL bitmap has bits past its values");
}

void
rowser_decoder_start(RowserDecoder *decoder, const RowserNode *node,
					 const uint8 *body, RowserCursor *at)
{
	check_stack_depth();
	Assert(node->shape == decoder->shape);
	decoder->node = node;
	decoder->at = at;
	decoder->is_cast = false;
	decoder->position = 0;
	decoder->number_position = 0;
	decoder->plain_size = 0;
	decoder->block = decoder->next = decoder->end = NULL;
	open_bitmap(decoder, body);
	if (rowser_node_nonnull(node) == 0)
		return;
	if (rowser_shape_is_scalar(node->shape))
		rowser_scalar_start(decoder, body);
	else
		rowser_nested_start(decoder, body);
}

/* Which of the next values are NULL; returns how many are not. */
static uint32
next_nulls(RowserDecoder *decoder, uint32 nvalues, bool *nulls)
{
	const RowserNode *node = decoder->node;
	uint32		nonnull = 0;

	if (node->nnulls == 0)
	{
		memset(nulls, false, nvalues);
		return nvalues;
	}
	if (decoder->bitmap == NULL)
	{
		memset(nulls, true, nvalues);
		return 0;
	}
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		bit = decoder->position + i;

		nulls[i] = (decoder->bitmap[bit / 8] >> (bit % 8)) & 1;
		nonnull += !nulls[i];
	}
	return nonnull;
}

uint32
rowser_decoder_next_nulls(RowserDecoder *decoder, uint32 nvalues, bool *nulls)
{
	uint32		nonnull;

	if (nvalues > decoder->node->nvalues - decoder->position)
		rowser_decoder_fail(decoder, "A node's values end too early");
	nonnull = next_nulls(decoder, nvalues, nulls);
	decoder->position += nvalues;
	return nonnull;
}

/* How many of the next values are not NULL. */
static uint32
count_nonnull(const RowserDecoder *decoder, uint32 nvalues)
{
	uint32		nonnull = 0;

	if (decoder->node->nnulls == 0)
		return nvalues;
	if (decoder->bitmap == NULL)
		return 0;
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		bit = decoder->position + i;

		nonnull += !((decoder->bitmap[bit / 8] >> (bit % 8)) & 1);
	}
	return nonnull;
}

/* Move the values that are not NULL, which stand in front, to their places. */
static void
spread_values(Datum *values, const bool *nulls, uint32 nvalues,
			  uint32 nonnull)
{
	for (uint32 i = nvalues; i > 0; i--)
	{
		if (nulls[i - 1])
			values[i - 1] = (Datum) 0;
		else
			values[i - 1] = values[--nonnull];
	}
}

/* Check the domain's constraints, which NULLs may violate too. */
static void
check_domain(RowserDecoder *decoder, uint32 nvalues, const Datum *values,
			 const bool *nulls)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		rowser_domain_check(decoder->domain, values[i], nulls[i]);
	}
}

void
rowser_decoder_check_memory(const RowserDecoder *decoder)
{
	uint64		limit = rowser_memory_limit(decoder->at->end -
											decoder->at->start);

	if (MemoryContextMemAllocated(CurrentMemoryContext, false) > limit)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("rowset takes too much memory to read"),
				 errdetail("A rowset of this size may take " UINT64_FORMAT " MB at a time.",
						   limit / (1024 * 1024))));
}

/*
 * Cast values that have been decoded.  What was one of a dictionary's, however
 * often, is as many values afterwards.
 */
static void
cast_values(const RowserDecoder *decoder, uint32 nvalues, Datum *values,
			bool *nulls)
{
	if (rowser_cast_is_length(decoder->cast))
	{
		rowser_cast_values(decoder->cast, nvalues, values, nulls);
		return;
	}
	for (uint32 i = 0; i < nvalues; i++)
	{
		rowser_decoder_check_memory(decoder);
		rowser_cast_values(decoder->cast, 1, &values[i], &nulls[i]);
	}
}

void
rowser_decoder_next(RowserDecoder *decoder, uint32 nvalues, Datum *values,
					bool *nulls)
{
	uint32		nonnull = rowser_decoder_next_nulls(decoder, nvalues, nulls);

	if (nonnull > 0)
	{
		if (rowser_shape_is_scalar(decoder->node->shape))
			rowser_scalar_next(decoder, nonnull, values);
		else
			rowser_nested_next(decoder, nonnull, values);
	}
	if (nonnull < nvalues)
		spread_values(values, nulls, nvalues, nonnull);
	if (decoder->cast != NULL && !decoder->is_cast)
		cast_values(decoder, nvalues, values, nulls);
	if (decoder->domain != NULL)
		check_domain(decoder, nvalues, values, nulls);
}

void
rowser_decoder_skip(RowserDecoder *decoder, uint32 nvalues)
{
	uint32		nonnull;

	if (nvalues > decoder->node->nvalues - decoder->position)
		rowser_decoder_fail(decoder, "A node's values end too early");
	nonnull = count_nonnull(decoder, nvalues);
	decoder->position += nvalues;
	if (nonnull == 0)
		return;
	if (rowser_shape_is_scalar(decoder->node->shape))
		rowser_scalar_skip(decoder, nonnull);
	else
		rowser_nested_skip(decoder, nonnull);
}

void
rowser_decoder_finish(RowserDecoder *decoder)
{
	if (decoder->position != decoder->node->nvalues)
		rowser_decoder_fail(decoder, "A node has more values than are used");
	if (rowser_node_nonnull(decoder->node) == 0)
		return;
	if (decoder->next != decoder->end)
		rowser_decoder_fail(decoder, "A block has bytes past its values");
	if (!rowser_shape_is_scalar(decoder->node->shape))
		rowser_nested_finish(decoder);
}
