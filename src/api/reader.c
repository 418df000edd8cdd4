/*-------------------------------------------------------------------------
 *
 * reader.c
 *	  rowset_reader_open() and its kin: a rowset read from its packets as they
 *	  come.
 *
 * Packets are fed one by one; each gives the rows of the row groups that it
 * completes.  What is kept between calls is in the session's readers
 * (reader_registry.c), which know bytes only.  The types that rows are read as
 * are looked up anew for each packet that completes a group, so the caller may
 * name others, and types may have changed since.
 *
 * Memory: what decoding needs is in the context that the function is called in.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "api/projection.h"
#include "api/reader_registry.h"
#include "compat.h"
#include "rowset/packets.h"

PG_FUNCTION_INFO_V1(rowset_reader_open);
PG_FUNCTION_INFO_V1(rowset_reader_feed);
PG_FUNCTION_INFO_V1(rowset_reader_feed_text);
PG_FUNCTION_INFO_V1(rowset_reader_state);
PG_FUNCTION_INFO_V1(rowset_reader_close);

/* The first argument of all of these */
static char *
name_argument(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("reader name must not be NULL")));
	return text_to_cstring(PG_GETARG_TEXT_PP(0));
}

/*
 * rowset_reader_open(name text, hold boolean) returns void
 */
Datum
rowset_reader_open(PG_FUNCTION_ARGS)
{
	char	   *name = name_argument(fcinfo);

	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("hold must not be NULL")));
	rowser_registry_open(name, PG_GETARG_BOOL(1));
	PG_RETURN_VOID();
}

/* ----------------------------------------------------------------
 *		Feeding
 * ----------------------------------------------------------------
 */

/* Open a reader for the groups of a stream, as the caller wants its columns. */
static RowserReader *
open_groups(const RowserStream *stream, RowserProjection *projection,
			bool by_position)
{
	RowserReader *reader =
	rowser_reader_open_groups(rowser_stream_header(stream));

	if (by_position)
		projection->selected = rowser_match_by_position(reader,
														projection->tupdesc);
	else
		projection->selected = rowser_match_by_name(reader,
													projection->tupdesc, NULL);
	return reader;
}

/* Read a packet, and put the rows that it completes into the tuplestore. */
static void
put_rows(FunctionCallInfo fcinfo, RowserStream *stream,
		 const RowserPacket *packet, RowserProjection *projection,
		 bool by_position)
{
	RowserReader *reader = NULL;
	const uint8 *bytes;
	RowserDirectoryEntry entry;
	uint32		number;

	rowser_stream_begin(stream, packet);
	while (rowser_stream_next_group(stream, &bytes, &entry, &number))
	{
		if (reader == NULL)
			reader = open_groups(stream, projection, by_position);
		rowser_reader_set_group(reader, bytes, &entry, number);
		rowser_projection_put_rows(projection, fcinfo, reader, InvalidOid);
	}
	if (reader != NULL)
		rowser_reader_close(reader);
	rowser_stream_accept(stream);
}

/* Feed a packet to the reader that argument 0 names. */
static void
feed(FunctionCallInfo fcinfo, const bytea *bytes)
{
	bool		by_position = rowser_match_is_by_position(PG_GETARG_DATUM(2),
														  PG_ARGISNULL(2));
	RowserSessionReader *reader = rowser_registry_find(name_argument(fcinfo));
	RowserProjection projection;
	RowserPacket packet;

	rowser_projection_init(&projection, rowser_projection_expected(fcinfo));
	rowser_packets_read(bytes, &packet);
	rowser_registry_claim(reader);
	PG_TRY();
	{
		put_rows(fcinfo, reader->stream, &packet, &projection, by_position);
	}
	PG_FINALLY();
	{
		rowser_registry_release(reader);
	}
	PG_END_TRY();
}

/*
 * rowset_reader_feed(name text, packet bytea, match text) returns setof record
 */
Datum
rowset_reader_feed(PG_FUNCTION_ARGS)
{
	(void) rowser_projection_expected(fcinfo);
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	if (!PG_ARGISNULL(1))
		feed(fcinfo, PG_GETARG_BYTEA_PP(1));
	PG_RETURN_NULL();
}

/*
 * A packet as text: in base64, or as bytea is printed in hexadecimal, so that a
 * literal whose type is left open means what it looks like.
 */
static bytea *
decode_text(Datum packet)
{
	text	   *string = DatumGetTextPP(packet);

	if (VARSIZE_ANY_EXHDR(string) >= 2 &&
		memcmp(VARDATA_ANY(string), "\\x", 2) == 0)
		return DatumGetByteaPP(DirectFunctionCall1(byteain,
												   CStringGetDatum(text_to_cstring(string))));
	return DatumGetByteaPP(DirectFunctionCall2(binary_decode,
											   PointerGetDatum(string),
											   CStringGetTextDatum("base64")));
}

/*
 * rowset_reader_feed(name text, packet text, match text) returns setof record
 */
Datum
rowset_reader_feed_text(PG_FUNCTION_ARGS)
{
	(void) rowser_projection_expected(fcinfo);
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	if (!PG_ARGISNULL(1))
		feed(fcinfo, decode_text(PG_GETARG_DATUM(1)));
	PG_RETURN_NULL();
}

/* ----------------------------------------------------------------
 *		State and end
 * ----------------------------------------------------------------
 */

/*
 * rowset_reader_state(name text) returns record
 */
Datum
rowset_reader_state(PG_FUNCTION_ARGS)
{
	RowserSessionReader *reader = rowser_registry_find(name_argument(fcinfo));
	RowserStreamCounts counts;
	TupleDesc	tupdesc;
	Datum		values[8];
	bool		nulls[8] = {false};

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	rowser_stream_counts(reader->stream, &counts);
	values[0] = BoolGetDatum(reader->hold);
	values[1] = Int64GetDatum(counts.npackets);
	values[2] = Int64GetDatum(counts.fed);
	values[3] = Int64GetDatum(counts.parsed);
	values[4] = Int64GetDatum(counts.ngroups);
	values[5] = Int64GetDatum(counts.nrows);
	values[6] = Int64GetDatum((int64) counts.npackets + 1);
	nulls[6] = counts.is_at_end;
	values[7] = BoolGetDatum(counts.is_at_end);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc),
													  values, nulls)));
}

/*
 * rowset_reader_close(name text) returns void
 */
Datum
rowset_reader_close(PG_FUNCTION_ARGS)
{
	rowser_registry_close(rowser_registry_find(name_argument(fcinfo)));
	PG_RETURN_VOID();
}
