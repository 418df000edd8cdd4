/*-------------------------------------------------------------------------
 *
 * arrow_import_texts.c
 *	  Arrow's strings as Datums: text, bytes, and types that are read from text.
 *
 * Arrow's text is UTF-8, or should be.  It is verified, and brought into the
 * database's encoding; then what has an input function goes through that.
 *
 * Memory: values are in the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"
#include "utils/uuid.h"

#include "columns/arrow_import.h"
#include "columns/pin.h"
#include "columns/text.h"

/* ----------------------------------------------------------------
 *		Strings
 * ----------------------------------------------------------------
 */

/* A value's bytes, whichever way an array has them */
static inline RowserString
load_string(const RowserArrowArray *array, uint32 i)
{
	RowserString string;

	if (array->field->type != ROWSER_ARROW_FIXED_SIZE_BINARY)
		return rowser_arrow_string(array, i);
	string.size = array->field->width;
	string.bytes = array->data + (size_t) i * string.size;
	return string;
}

/*
 * Check a value's text and bring it into the database's encoding; *size is then
 * that of the result, which need not be terminated.
 */
static const char *
load_text(const RowserArrowArray *array, uint32 i, uint32 *size)
{
	RowserString string = load_string(array, i);
	const char *bytes = (const char *) string.bytes;
	const char *text;

	*size = string.size;
	if (likely(rowser_text_is_ascii(string.bytes, string.size)))
		return bytes;
	if (memchr(bytes, 0, string.size) != NULL)
		rowser_import_fail(array, "A text holds a zero byte");
	text = pg_any_to_server(bytes, string.size, PG_UTF8);
	if (text != bytes)
		*size = strlen(text);
	return text;
}

/* The same as a C string */
static char *
load_cstring(const RowserArrowArray *array, uint32 i)
{
	uint32		size;
	const char *text = load_text(array, i, &size);

	return pnstrdup(text, size);
}

/* Bytes as a varlena, which may have 1 GB with its header */
static Datum
make_varlena(const char *bytes, uint32 size)
{
	if (size > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("value is too large"),
				 errdetail("A value can have at most 1 GB.")));
	return PointerGetDatum(cstring_to_text_with_len(bytes, (int) size));
}

static Datum
make_text(const RowserArrowArray *array, uint32 i)
{
	uint32		size;
	const char *text = load_text(array, i, &size);

	return make_varlena(text, size);
}

static Datum
make_name(const RowserArrowArray *array, uint32 i)
{
	uint32		size;
	const char *text = load_text(array, i, &size);
	Name		name;

	if (size >= NAMEDATALEN)
		rowser_import_fail(array, "A name is too long");
	name = palloc0(NAMEDATALEN);
	memcpy(NameStr(*name), text, size);
	return NameGetDatum(name);
}

/* ----------------------------------------------------------------
 *		Values that are what their bytes are
 * ----------------------------------------------------------------
 */

static void
import_text(RowserImport *import, const RowserArrowArray *array, uint32 start,
			uint32 nvalues, const bool *nulls, Datum *values)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!nulls[i])
			values[i] = make_text(array, start + i);
	}
}

static void
import_name(RowserImport *import, const RowserArrowArray *array, uint32 start,
			uint32 nvalues, const bool *nulls, Datum *values)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		if (!nulls[i])
			values[i] = make_name(array, start + i);
	}
}

static void
import_bytea(RowserImport *import, const RowserArrowArray *array,
			 uint32 start, uint32 nvalues, const bool *nulls, Datum *values)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		RowserString string;

		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			continue;
		string = load_string(array, start + i);
		values[i] = make_varlena((const char *) string.bytes, string.size);
	}
}

static void
import_uuid(RowserImport *import, const RowserArrowArray *array,
			uint32 start, uint32 nvalues, const bool *nulls, Datum *values)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		pg_uuid_t  *uuid;

		if (nulls[i])
			continue;
		uuid = palloc(sizeof(pg_uuid_t));
		memcpy(uuid->data, load_string(array, start + i).bytes, UUID_LEN);
		values[i] = UUIDPGetDatum(uuid);
	}
}

/* ----------------------------------------------------------------
 *		Values that are read from text
 * ----------------------------------------------------------------
 */

/* As enum_in() does; a label of this transaction must be safe to use. */
static void
import_enum(RowserImport *import, const RowserArrowArray *array,
			uint32 start, uint32 nvalues, const bool *nulls, Datum *values)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!nulls[i])
			values[i] = DirectFunctionCall2(enum_in,
											CStringGetDatum(load_cstring(array,
																		 start + i)),
											ObjectIdGetDatum(import->typid));
	}
}

/* Have a type's input function read one text. */
static Datum
read_text(RowserImport *import, const RowserArrowArray *array, uint32 i)
{
	char	   *text = load_cstring(array, i);
	Datum		value = InputFunctionCall(&import->input, text,
										  import->typioparam, -1);

	if (import->kind == ROWSER_KIND_REG)
		rowser_text_check_unnamed(import->typid, text, value);
	pfree(text);
	return value;
}

/*
 * Have a type's input function read the texts, under settings that are the same
 * everywhere.
 */
static void
import_input(RowserImport *import, const RowserArrowArray *array,
			 uint32 start, uint32 nvalues, const bool *nulls, Datum *values)
{
	int			nest_level = rowser_pin_begin();

	for (uint32 i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!nulls[i])
			values[i] = read_text(import, array, start + i);
	}
	rowser_pin_end(nest_level);
}

/* The same where the text, once it has been read, stays as it is. */
static void
import_checked_text(RowserImport *import, const RowserArrowArray *array,
					uint32 start, uint32 nvalues, const bool *nulls,
					Datum *values)
{
	int			nest_level = rowser_pin_begin();

	for (uint32 i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			continue;
		pfree(DatumGetPointer(read_text(import, array, start + i)));
		values[i] = make_text(array, start + i);
	}
	rowser_pin_end(nest_level);
}

RowserImportFunction
rowser_import_texts(const RowserArrowField *field, RowserKind kind)
{
	switch (kind)
	{
		case ROWSER_KIND_BYTES:
			return import_bytea;
		case ROWSER_KIND_FIXED:
			/* uuid; the others of this kind come as text */
			return field->type == ROWSER_ARROW_FIXED_SIZE_BINARY ?
				import_uuid : import_input;
		case ROWSER_KIND_TEXT:
		case ROWSER_KIND_NODE_TREE:
			return import_text;
		case ROWSER_KIND_NAME:
			return import_name;
		case ROWSER_KIND_ENUM:
			return import_enum;
		case ROWSER_KIND_JSON:
		case ROWSER_KIND_XML:
			return import_checked_text;
		default:
			return import_input;
	}
}
