/*-------------------------------------------------------------------------
 *
 * decoder_bounds.c
 *	  The smallest and the largest value that a group's header tells of, as
 *	  the values that a decoder would give.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"

#include "columns/decoder.h"

static bool
is_text(Oid type)
{
	return type == TEXTOID || type == VARCHAROID;
}

/*
 * Whether a decoder gives values in the order that they have in the bytes.  A
 * length coercion may: it rounds, or cuts off at the end.  A cast that relabels
 * need not: of integer and oid, only one has a sign.
 */
static bool
keeps_order(const RowserDecoder *decoder)
{
	if (decoder->typid != decoder->target &&
		!(is_text(decoder->typid) && is_text(decoder->target)))
		return false;
	return (decoder->kind != ROWSER_KIND_TEXT &&
			decoder->kind != ROWSER_KIND_NAME) ||
		decoder->encoding == GetDatabaseEncoding();
}

/* A value of a node's header, as the decoder would give it. */
static Datum
decode_bound(RowserDecoder *decoder, const RowserInline *value)
{
	Datum		datum = rowser_scalar_inline(decoder, value);
	bool		isnull = false;

	if (decoder->cast != NULL)
		datum = rowser_cast_value(decoder->cast, datum, &isnull);
	Assert(!isnull);
	return datum;
}

bool
rowser_decoder_bounds(RowserDecoder *decoder, const RowserNode *node,
					  RowserCursor *at, Datum *least, Datum *greatest)
{
	bool		is_constant = node->encoding == ROWSER_ENCODING_CONSTANT;

	if (rowser_node_nonnull(node) == 0 ||
		!rowser_shape_is_scalar(node->shape) ||
		!(is_constant || (node->has_minmax && keeps_order(decoder))) ||
		!(decoder->cast == NULL || rowser_cast_keeps_order(decoder->cast)))
		return false;
	decoder->node = node;
	decoder->at = at;
	*least = decode_bound(decoder,
						  is_constant ? &node->constant : &node->least);
	*greatest = is_constant ? *least : decode_bound(decoder, &node->greatest);
	return true;
}
