/*-------------------------------------------------------------------------
 *
 * convert_from_copy.c
 *	  copy_to_rowset(): what COPY ... TO ... (FORMAT binary) has written as a
 *	  rowset.
 *
 * The bytes say nothing of types, so the caller names a row type.  They are
 * trusted no more than a rowset's are; receive functions check the values, and
 * domains and typmods, as they do for COPY FROM.  A field is copied to
 * where its receive function may read, and may even write for a while.
 *
 * Memory: the writer; the values of one row are in a context that is reset for
 * each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "api/copy_format.h"
#include "columns/domain.h"
#include "columns/row_type.h"
#include "compat.h"
#include "rowset/writer.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(copy_to_rowset);

/* How an attribute is received */
typedef struct Field
{
	FmgrInfo	function;
	Oid			typioparam;
	int32		typmod;
} Field;

typedef struct CopyReader
{
	const char *next;			/* in the bytes */
	const char *end;

	TupleDesc	tupdesc;
	int			nfields;		/* attributes that are not dropped */
	Field	   *fields;			/* by attribute */
	Datum	   *values;			/* of the row */
	bool	   *nulls;
	RowserDomain *domain;		/* over the row type, or NULL */
	StringInfoData buffer;		/* a field's bytes, with a zero behind */
	MemoryContext context;		/* emptied for each row */

	/* for errors */
	uint64		row;			/* 0 in the header */
	const char *column;			/* NULL between fields */
} CopyReader;

/* ----------------------------------------------------------------
 *		Reading bytes
 * ----------------------------------------------------------------
 */

/* Say which value an error was met at. */
static void
copy_error_context(void *arg)
{
	const CopyReader *reader = arg;

	if (reader->row == 0)
		errcontext("header of COPY data");
	else if (reader->column == NULL)
		errcontext("row " UINT64_FORMAT " of COPY data", reader->row);
	else
		errcontext("row " UINT64_FORMAT ", column \"%s\" of COPY data",
				   reader->row, reader->column);
}

static Size
bytes_left(const CopyReader *reader)
{
	return reader->end - reader->next;
}

/* Move past bytes, which are returned. */
static const char *
take_bytes(CopyReader *reader, Size size)
{
	const char *bytes = reader->next;

	if (size > bytes_left(reader))
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("unexpected EOF in COPY data")));
	reader->next += size;
	return bytes;
}

static int32
take_int32(CopyReader *reader)
{
	uint32		value;

	memcpy(&value, take_bytes(reader, sizeof(value)), sizeof(value));
	return (int32) pg_ntoh32(value);
}

static int16
take_int16(CopyReader *reader)
{
	uint16		value;

	memcpy(&value, take_bytes(reader, sizeof(value)), sizeof(value));
	return (int16) pg_ntoh16(value);
}

static void
read_header(CopyReader *reader)
{
	uint32		flags;
	int32		extension_size;

	if (bytes_left(reader) < ROWSER_COPY_SIGNATURE_SIZE ||
		memcmp(reader->next, ROWSER_COPY_SIGNATURE,
			   ROWSER_COPY_SIGNATURE_SIZE) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("COPY file signature not recognized"),
				 errhint("Only the binary format of COPY can be read.")));
	reader->next += ROWSER_COPY_SIGNATURE_SIZE;
	flags = (uint32) take_int32(reader);
	if (flags & ROWSER_COPY_HAS_OIDS)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("invalid COPY file header (WITH OIDS)")));
	if (flags & ROWSER_COPY_CRITICAL_FLAGS)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("unrecognized critical flags in COPY file header")));
	extension_size = take_int32(reader);
	if (extension_size < 0 || extension_size > bytes_left(reader))
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("invalid COPY file header (wrong length)")));
	reader->next += extension_size;
}

/* ----------------------------------------------------------------
 *		Rows
 * ----------------------------------------------------------------
 */

/* Receive the next field as an attribute's value. */
static void
read_field(CopyReader *reader, int i)
{
	Field	   *field = &reader->fields[i];
	StringInfo	buffer = &reader->buffer;
	int32		size;

	reader->column = NameStr(TupleDescAttr(reader->tupdesc, i)->attname);
	size = take_int32(reader);
	if (size < ROWSER_COPY_NULL)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("invalid field size")));
	reader->nulls[i] = size == ROWSER_COPY_NULL;
	if (reader->nulls[i])
	{
		/* a domain may have something against NULL */
		reader->values[i] = ReceiveFunctionCall(&field->function, NULL,
												field->typioparam,
												field->typmod);
		return;
	}
	resetStringInfo(buffer);
	appendBinaryStringInfo(buffer, take_bytes(reader, size), size);
	reader->values[i] = ReceiveFunctionCall(&field->function, buffer,
											field->typioparam, field->typmod);
	if (buffer->cursor != buffer->len)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("incorrect binary data format")));
}

/* Check what is behind the last row. */
static void
check_end(CopyReader *reader)
{
	if (bytes_left(reader) > 0)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("received copy data after EOF marker")));
}

/* Read the next row; false at the end, which must be there. */
static bool
read_row(CopyReader *reader)
{
	int16		nfields;

	CHECK_FOR_INTERRUPTS();
	reader->row++;
	reader->column = NULL;
	if (bytes_left(reader) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("unexpected EOF in COPY data"),
				 errdetail("The marker of the end is missing.")));
	nfields = take_int16(reader);
	if (nfields == ROWSER_COPY_END)
	{
		check_end(reader);
		return false;
	}
	if (nfields != reader->nfields)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("row field count is %d, expected %d", nfields,
						reader->nfields)));
	for (int i = 0; i < reader->tupdesc->natts; i++)
	{
		if (!TupleDescAttr(reader->tupdesc, i)->attisdropped)
			read_field(reader, i);
	}
	reader->column = NULL;
	if (reader->domain != NULL)
		rowser_domain_check(reader->domain,
							HeapTupleGetDatum(heap_form_tuple(reader->tupdesc,
															  reader->values,
															  reader->nulls)),
							false);
	return true;
}

/* ----------------------------------------------------------------
 *		The call
 * ----------------------------------------------------------------
 */

/* The type of argument 0, or an error if it has no columns by itself. */
static Oid
named_row_type(FunctionCallInfo fcinfo)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);

	if (!OidIsValid(type) || getBaseType(type) == RECORDOID ||
		!type_is_rowtype(getBaseType(type)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("first argument must be of a named row type"),
				 errdetail("It is of type %s.", format_type_be(type)),
				 errhint("Use NULL::some_table or NULL::some_composite_type.")));
	return type;
}

/* Prepare to receive rows of a type, which may be a domain over a row type. */
static void
init_row(CopyReader *reader, Oid type)
{
	int			natts;

	reader->tupdesc = rowser_row_type_copy(getBaseType(type));
	natts = Max(reader->tupdesc->natts, 1);
	reader->fields = palloc0(natts * sizeof(Field));
	reader->values = palloc0(natts * sizeof(Datum));
	reader->nulls = palloc(natts * sizeof(bool));
	memset(reader->nulls, true, natts * sizeof(bool));
	for (int i = 0; i < reader->tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(reader->tupdesc, i);
		Field	   *field = &reader->fields[i];
		Oid			function;

		if (att->attisdropped)
			continue;
		getTypeBinaryInputInfo(att->atttypid, &function, &field->typioparam);
		fmgr_info(function, &field->function);
		field->typmod = att->atttypmod;
		reader->nfields++;
	}
	reader->domain = rowser_domain_create(type);
}

/*
 * copy_to_rowset(base anyelement, data bytea) returns bytea
 *
 * Only the type of `base` matters.
 */
Datum
copy_to_rowset(PG_FUNCTION_ARGS)
{
	Oid			type = named_row_type(fcinfo);
	CopyReader	reader = {0};
	ErrorContextCallback callback;
	RowserWriter *writer;
	bytea	   *data;

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	data = PG_GETARG_BYTEA_PP(1);
	reader.next = VARDATA_ANY(data);
	reader.end = reader.next + VARSIZE_ANY_EXHDR(data);
	init_row(&reader, type);
	initStringInfo(&reader.buffer);
	reader.context = AllocSetContextCreate(CurrentMemoryContext,
										   "rowser copy row",
										   ALLOCSET_DEFAULT_SIZES);
	writer = rowser_writer_create(reader.tupdesc,
								  rowser_settings_writer_options());

	callback.callback = copy_error_context;
	callback.arg = &reader;
	callback.previous = error_context_stack;
	error_context_stack = &callback;
	read_header(&reader);
	for (;;)
	{
		MemoryContext old_context = MemoryContextSwitchTo(reader.context);
		bool		is_row = read_row(&reader);

		MemoryContextSwitchTo(old_context);
		if (!is_row)
			break;
		rowser_writer_append(writer, reader.values, reader.nulls);
		MemoryContextReset(reader.context);
	}
	error_context_stack = callback.previous;
	MemoryContextDelete(reader.context);
	PG_RETURN_BYTEA_P(rowser_writer_finish(writer));
}
