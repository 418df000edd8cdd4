/*-------------------------------------------------------------------------
 *
 * module.c
 *	  The magic of the test's module, and its small calls.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "bytes/checksum.h"
#include "bytes/group.h"
#include "bytes/packet.h"
#include "bytes/trailer.h"
#include "reseal.h"

PG_MODULE_MAGIC;

/* visible, unlike all else; before 16, fmgr.h doesn't say so */
extern PGDLLEXPORT Datum rowser_test_reseal(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_compress(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_contents(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_headers(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_packets(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum rowser_test_reseal_packet(PG_FUNCTION_ARGS);

PG_FUNCTION_INFO_V1(rowser_test_reseal);
PG_FUNCTION_INFO_V1(rowser_test_compress);
PG_FUNCTION_INFO_V1(rowser_test_contents);
PG_FUNCTION_INFO_V1(rowser_test_headers);
PG_FUNCTION_INFO_V1(rowser_test_packets);
PG_FUNCTION_INFO_V1(rowser_test_reseal_packet);

/*
 * rowser_test_reseal(rowset bytea) returns bytea
 */
Datum
rowser_test_reseal(PG_FUNCTION_ARGS)
{
	bytea	   *rowset = PG_GETARG_BYTEA_P_COPY(0);

	hostile_reseal((uint8 *) VARDATA(rowset), VARSIZE(rowset) - VARHDRSZ);
	PG_RETURN_BYTEA_P(rowset);
}

/*
 * rowser_test_compress(method int, bytes bytea) returns bytea
 */
Datum
rowser_test_compress(PG_FUNCTION_ARGS)
{
	RowserCompression compression = {(RowserMethod) PG_GETARG_INT32(0), 0};
	bytea	   *bytes = PG_GETARG_BYTEA_P(1);
	size_t		size = VARSIZE(bytes) - VARHDRSZ;
	size_t		capacity = size + size / 128 + 128;
	bytea	   *result = palloc(VARHDRSZ + capacity);
	size_t		stored = rowser_compress(compression,
										 (uint8 *) VARDATA(bytes), size,
										 (uint8 *) VARDATA(result), capacity);

	if (stored == 0)
		PG_RETURN_NULL();
	SET_VARSIZE(result, VARHDRSZ + stored);
	PG_RETURN_BYTEA_P(result);
}

/* ----------------------------------------------------------------
 *		What a rowset consists of
 * ----------------------------------------------------------------
 */

static void
add_word(ArrayBuildState **words, const char *format, int number)
{
	*words = accumArrayResult(*words,
							  CStringGetTextDatum(psprintf(format, number)),
							  false, TEXTOID, CurrentMemoryContext);
}

static void
add_node(ArrayBuildState **words, const RowserNode *node)
{
	if (node->shape == ROWSER_SHAPE_UINT)
		add_word(words, "integers %d", node->encoding);
	else
	{
		add_word(words, "shape %d", node->shape);
		if (rowser_node_nonnull(node) > 0)
			add_word(words, "encoding %d", node->encoding);
	}
	if (node->nulls.raw_size > 0)
		add_word(words, "bitmap by %d", node->nulls.method);
	if (node->data.raw_size > 0)
		add_word(words, "data by %d", node->data.method);
	if (node->has_minmax)
		add_word(words, "bounds of shape %d", node->shape);
	for (uint32 i = 0; i < node->nintegers; i++)
		add_node(words, &node->integers[i]);
	for (uint32 i = 0; i < node->nchildren; i++)
		add_node(words, &node->children[i]);
	for (uint32 i = 0; i < node->nshapes; i++)
	{
		for (uint32 j = 0; j < node->shapes[i].nfields; j++)
			add_node(words, &node->shapes[i].nodes[j]);
	}
}

/* Read a rowset's frame, which must be valid. */
static void
read_frame(bytea *rowset, RowserCursor *cursor, RowserFault *fault,
		   RowserHeader *header, RowserTrailer *trailer)
{
	rowser_cursor_init(cursor, VARDATA(rowset), VARSIZE(rowset) - VARHDRSZ,
					   fault);
	if (!rowser_header_read(cursor, header) ||
		!rowser_trailer_read(cursor, trailer))
		elog(ERROR, "%s", fault->what);
}

/*
 * rowser_test_contents(rowset bytea) returns text[]
 *
 * Which shapes, encodings and methods a valid rowset has, with repetitions.
 */
Datum
rowser_test_contents(PG_FUNCTION_ARGS)
{
	ArrayBuildState *words = initArrayResult(TEXTOID, CurrentMemoryContext,
											 false);
	RowserFault fault;
	RowserCursor cursor;
	RowserHeader header;
	RowserTrailer trailer;

	read_frame(PG_GETARG_BYTEA_P(0), &cursor, &fault, &header, &trailer);
	for (uint32 i = 0; i < trailer.ngroups; i++)
	{
		RowserGroup group;

		if (!rowser_group_read(&cursor, header.columns, header.ncolumns,
							   &group))
			elog(ERROR, "%s", fault.what);
		cursor.next = group.body + group.body_size;
		for (uint32 j = 0; j < group.ncolumns; j++)
			add_node(&words, &group.columns[j]);
	}
	PG_RETURN_DATUM(makeArrayResult(words, CurrentMemoryContext));
}

static void
add_offset(ArrayBuildState **offsets, uint64 offset)
{
	*offsets = accumArrayResult(*offsets, Int32GetDatum((int32) offset), false,
								INT4OID, CurrentMemoryContext);
}

/*
 * rowser_test_headers(rowset bytea) returns int[]
 *
 * Where each header of a valid rowset's groups begins, and where it ends.
 */
Datum
rowser_test_headers(PG_FUNCTION_ARGS)
{
	ArrayBuildState *offsets = initArrayResult(INT4OID, CurrentMemoryContext,
											   false);
	RowserFault fault;
	RowserCursor cursor;
	RowserHeader header;
	RowserTrailer trailer;

	read_frame(PG_GETARG_BYTEA_P(0), &cursor, &fault, &header, &trailer);
	for (uint32 i = 0; i < trailer.ngroups; i++)
	{
		const RowserDirectoryEntry *entry = &trailer.groups[i];

		add_offset(&offsets, entry->offset);
		add_offset(&offsets, entry->offset + entry->header_size);
	}
	PG_RETURN_DATUM(makeArrayResult(offsets, CurrentMemoryContext));
}

/* ----------------------------------------------------------------
 *		Packets
 * ----------------------------------------------------------------
 */

static bytea *
make_packet(const RowserPacket *packet)
{
	RowserBuffer buffer;
	bytea	   *made;

	rowser_buffer_init(&buffer, 1024, MaxAllocSize);
	rowser_buffer_zeros(&buffer, VARHDRSZ);
	rowser_packet_write(&buffer, packet);
	made = (bytea *) buffer.bytes;
	SET_VARSIZE(made, buffer.size);
	return made;
}

/*
 * rowser_test_packets(bytes bytea, packet_size int) returns bytea[]
 *
 * The packets of any bytes, which rowset_packets() would refuse.
 */
Datum
rowser_test_packets(PG_FUNCTION_ARGS)
{
	bytea	   *bytes = PG_GETARG_BYTEA_P(0);
	size_t		payload_size = PG_GETARG_INT32(1) - ROWSER_PACKET_OVERHEAD;
	size_t		size = VARSIZE(bytes) - VARHDRSZ;
	ArrayBuildState *packets = initArrayResult(BYTEAOID, CurrentMemoryContext,
											   false);
	RowserPacket packet = {.stream = 1};

	for (size_t offset = 0; offset < size; offset += packet.payload_size)
	{
		packet.seq++;
		packet.payload = (uint8 *) VARDATA(bytes) + offset;
		packet.payload_size = Min(payload_size, size - offset);
		packet.is_last = offset + packet.payload_size == size;
		packets = accumArrayResult(packets,
								   PointerGetDatum(make_packet(&packet)),
								   false, BYTEAOID, CurrentMemoryContext);
	}
	PG_RETURN_DATUM(makeArrayResult(packets, CurrentMemoryContext));
}

/*
 * rowser_test_reseal_packet(packet bytea) returns bytea
 *
 * The packet with the checksum of what it now says.
 */
Datum
rowser_test_reseal_packet(PG_FUNCTION_ARGS)
{
	bytea	   *packet = PG_GETARG_BYTEA_P_COPY(0);
	size_t		size = VARSIZE(packet) - VARHDRSZ;
	uint32		checksum;

	if (size < sizeof(uint32))
		PG_RETURN_BYTEA_P(packet);
	size -= sizeof(uint32);
	checksum = rowser_checksum(VARDATA(packet), size);
	for (int i = 0; i < (int) sizeof(uint32); i++)
		VARDATA(packet)[size + i] = (char) (checksum >> (8 * i));
	PG_RETURN_BYTEA_P(packet);
}
