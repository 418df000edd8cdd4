/*-------------------------------------------------------------------------
 *
 * pin.c
 *	  Type I/O functions under settings that don't depend on the session.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/guc.h"

#include "columns/pin.h"

/* What rowset_format.md, section 3.2, says of output functions */
static const char *const pinned_settings[][2] =
{
	{"DateStyle", "ISO, YMD"},
	{"IntervalStyle", "postgres"},
	{"TimeZone", "UTC"},
	{"extra_float_digits", "1"},
	{"bytea_output", "hex"},
	{"lc_monetary", "C"},
	{"xmloption", "content"},
	{"quote_all_identifiers", "off"},
	{"search_path", "pg_catalog, pg_temp"}
};

int
rowser_pin_begin(void)
{
	int			nest_level = NewGUCNestLevel();

	for (int i = 0; i < lengthof(pinned_settings); i++)
		(void) set_config_option(pinned_settings[i][0], pinned_settings[i][1],
								 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE,
								 true, 0, false);
	return nest_level;
}

void
rowser_pin_end(int nest_level)
{
	AtEOXact_GUC(true, nest_level);
}

/*
 * Let I/O functions see another client encoding.  This goes below the setting
 * client_encoding, which takes microseconds to change, and so must be undone
 * by the caller even after an error.
 */
static void
set_client_encoding(int encoding)
{
	if (PrepareClientEncoding(encoding) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("cannot convert a rowset from encoding \"%s\" to \"%s\"",
						pg_encoding_to_char(encoding),
						GetDatabaseEncodingName())));
	if (SetClientEncoding(encoding) < 0)
		elog(ERROR, "SetClientEncoding(%d) failed", encoding);
}

bytea *
rowser_pin_send(FmgrInfo *send, Datum value)
{
	int			saved = pg_get_client_encoding();
	bytea	   *result = NULL;

	if (saved == GetDatabaseEncoding())
		return SendFunctionCall(send, value);

	set_client_encoding(GetDatabaseEncoding());
	PG_TRY();
	{
		result = SendFunctionCall(send, value);
	}
	PG_FINALLY();
	{
		SetClientEncoding(saved);
	}
	PG_END_TRY();
	return result;
}

/* Receive functions check what they read, not that they read it all. */
static void
check_used_up(const StringInfoData *buffer)
{
	if (buffer->cursor != buffer->len)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid rowset"),
				 errdetail("A value has more bytes than its type reads.")));
}

static Datum
receive(FmgrInfo *function, StringInfo buffer, Oid typioparam, int32 typmod)
{
	Datum		result = ReceiveFunctionCall(function, buffer, typioparam,
											 typmod);

	check_used_up(buffer);
	return result;
}

Datum
rowser_pin_receive(FmgrInfo *function, const void *bytes, uint32 size,
				   Oid typioparam, int32 typmod, int encoding)
{
	int			saved = pg_get_client_encoding();
	StringInfoData buffer;
	Datum		result = (Datum) 0;

	/* receive functions may look at the byte behind, as in a message */
	initStringInfo(&buffer);
	appendBinaryStringInfo(&buffer, bytes, size);
	if (saved == encoding)
		result = receive(function, &buffer, typioparam, typmod);
	else
	{
		set_client_encoding(encoding);
		PG_TRY();
		{
			result = receive(function, &buffer, typioparam, typmod);
		}
		PG_FINALLY();
		{
			SetClientEncoding(saved);
		}
		PG_END_TRY();
	}
	pfree(buffer.data);
	return result;
}
