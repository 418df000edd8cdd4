/*-------------------------------------------------------------------------
 *
 * integers.c
 *	  Streams of small integers: indexes, lengths, flags (rowset_format.md,
 *	  section 6.1, "integers").
 *
 * Part of the byte layer: c.h is all of PostgreSQL that it may include.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "bytes/integers.h"
#include "bytes/memory.h"

/* Write integers in plain form, `width` bytes each. */
static void
write_plain(RowserBuffer *nodes, RowserBuffer *body,
			RowserCompression compression, const uint32 *values,
			uint32 nvalues, uint8 width)
{
	uint8	   *bytes = rowser_memory_alloc((size_t) nvalues * width);

	for (uint32 i = 0; i < nvalues; i++)
	{
		for (uint8 j = 0; j < width; j++)
			bytes[(size_t) i * width + j] = (uint8) (values[i] >> (8 * j));
	}
	rowser_buffer_u8(nodes, ROWSER_ENCODING_PLAIN);
	rowser_buffer_u8(nodes, width);
	rowser_block_write(nodes, body, compression, bytes,
					   (size_t) nvalues * width);
	rowser_memory_free(bytes);
}

void
rowser_integers_write(RowserBuffer *nodes, RowserBuffer *body,
					  RowserCompression compression,
					  const uint32 *values, uint32 nvalues, bool in_array)
{
	uint32		bits = 0;
	uint32		differ = 0;

	if (nvalues == 0)
	{
		rowser_buffer_u8(nodes, ROWSER_ENCODING_PLAIN);
		return;
	}
	for (uint32 i = 0; i < nvalues; i++)
	{
		bits |= values[i];
		differ |= values[i] ^ values[0];
	}
	if (differ == 0 &&
		(!in_array || nvalues * UINT64CONST(4) <=
		 ROWSER_BOUND_RATIO * ROWSER_BOUND_BASE))
	{
		rowser_buffer_u8(nodes, ROWSER_ENCODING_CONSTANT);
		rowser_buffer_varuint(nodes, values[0]);
		return;
	}
	write_plain(nodes, body, compression, values, nvalues,
				bits <= PG_UINT8_MAX ? 1 : bits <= PG_UINT16_MAX ? 2 : 4);
}

bool
rowser_integers_open(RowserIntegers *integers, const RowserNode *node,
					 const uint8 *body, RowserCursor *at)
{
	Assert(node->shape == ROWSER_SHAPE_UINT);
	integers->node = node;
	integers->next = NULL;
	integers->owned = NULL;
	integers->left = node->nvalues;
	if (node->encoding == ROWSER_ENCODING_CONSTANT || node->nvalues == 0)
		return true;
	return rowser_block_open(&node->data, body, 1, at,
							 &integers->next, &integers->owned);
}

/* Copy plain integers out; returns the bits that any of them has. */
static uint64
next_plain(RowserIntegers *integers, uint32 nvalues, uint32 *values)
{
	const uint8 *bytes = integers->next;
	uint64		bits = 0;

	switch (integers->node->item_width)
	{
		case 1:
			for (uint32 i = 0; i < nvalues; i++)
				values[i] = bytes[i];
			break;
		case 2:
			for (uint32 i = 0; i < nvalues; i++)
				values[i] = rowser_load_u16(bytes + 2 * (size_t) i);
			break;
		case 4:
			for (uint32 i = 0; i < nvalues; i++)
				values[i] = rowser_load_u32(bytes + 4 * (size_t) i);
			break;
		default:
			for (uint32 i = 0; i < nvalues; i++)
			{
				uint64		value = rowser_load_u64(bytes + 8 * (size_t) i);

				bits |= value;
				values[i] = (uint32) value;
			}
			break;
	}
	integers->next += (size_t) nvalues * integers->node->item_width;
	return bits;
}

bool
rowser_integers_next(RowserIntegers *integers, uint32 nvalues, uint32 max,
					 uint32 *values, RowserCursor *at)
{
	uint64		bits = 0;
	uint32		greatest = 0;

	if (nvalues > integers->left)
		return rowser_cursor_fail(at, ROWSER_FAULT_INVALID,
								  "A node's values end too early");
	integers->left -= nvalues;
	if (nvalues == 0)
		return true;

	if (integers->node->encoding == ROWSER_ENCODING_CONSTANT)
	{
		bits = (uint64) integers->node->constant.integer;
		for (uint32 i = 0; i < nvalues; i++)
			values[i] = (uint32) bits;
	}
	else
		bits = next_plain(integers, nvalues, values);

	for (uint32 i = 0; i < nvalues; i++)
		greatest = Max(greatest, values[i]);
	if (bits > PG_UINT32_MAX || greatest > max)
		return rowser_cursor_fail(at, ROWSER_FAULT_INVALID,
								  "An index, length or flag is out of range");
	return true;
}

bool
rowser_integers_next_signed(RowserIntegers *integers, uint32 nvalues,
							int32 *values, RowserCursor *at)
{
	uint32	   *zigzag = (uint32 *) values;

	if (!rowser_integers_next(integers, nvalues, PG_UINT32_MAX, zigzag, at))
		return false;
	for (uint32 i = 0; i < nvalues; i++)
		values[i] = (int32) ((zigzag[i] >> 1) ^ (~(zigzag[i] & 1) + 1));
	return true;
}
