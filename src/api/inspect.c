/*-------------------------------------------------------------------------
 *
 * inspect.c
 *	  rowset_columns(), rowset_info() and the like: what a rowset says of
 *	  itself.
 *
 * What the header, the trailer and the headers of groups say is told without
 * the values: of a rowset in TOAST storage, only those bytes are fetched.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

#include "bytes/group_blocks.h"
#include "columns/resolve.h"
#include "rowset/reader.h"
#include "rowset/validate.h"

PG_FUNCTION_INFO_V1(rowset_columns);
PG_FUNCTION_INFO_V1(rowset_info);
PG_FUNCTION_INFO_V1(rowset_count);
PG_FUNCTION_INFO_V1(rowset_is_valid);
PG_FUNCTION_INFO_V1(rowset_check);

/* ----------------------------------------------------------------
 *		Columns
 * ----------------------------------------------------------------
 */

/* A type's schema and name, from this database or else from the rowset. */
static void
type_names(const RowserType *described, int encoding, Oid type,
		   char **schema, char **name)
{
	HeapTuple	tuple;

	if (OidIsValid(type))
	{
		Form_pg_type form;

		tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
		if (!HeapTupleIsValid(tuple))
			elog(ERROR, "cache lookup failed for type %u", type);
		form = (Form_pg_type) GETSTRUCT(tuple);
		*schema = get_namespace_name(form->typnamespace);
		*name = pstrdup(NameStr(form->typname));
		ReleaseSysCache(tuple);
		return;
	}
	if (described->shape == ROWSER_SHAPE_ARRAY)
	{
		type_names(described->child, encoding, InvalidOid, schema, name);
		*name = psprintf("%s[]", *name);
		return;
	}
	if (described->oid != 0)
	{
		*schema = pstrdup("pg_catalog");
		*name = psprintf("%u", described->oid);
		return;
	}
	*schema = rowser_resolve_text(described->schema, encoding);
	*name = rowser_resolve_text(described->name, encoding);
}

/* The type as format_type prints it. */
static char *
type_text(Oid type, int32 typmod, const char *schema, const char *name)
{
	int			size = strlen(name);

	if (OidIsValid(type))
		return format_type_with_typemod(type, typmod);
	if (size > 2 && strcmp(name + size - 2, "[]") == 0)
		return psprintf("%s[]",
						quote_qualified_identifier(schema,
												   pnstrdup(name, size - 2)));
	return quote_qualified_identifier(schema, name);
}

static Datum
text_datum(const char *string)
{
	return PointerGetDatum(cstring_to_text(string));
}

/*
 * rowset_columns(rowset bytea) returns setof (ordinality, name, type,
 * type_schema, type_name, typmod, collation, type_oid)
 */
Datum
rowset_columns(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	RowserReader *reader;
	int			encoding;

	InitMaterializedSRF(fcinfo, 0);
	reader = rowser_reader_open_datum(PG_GETARG_DATUM(0), NULL);
	encoding = rowser_reader_encoding(reader);
	for (uint32 i = 0; i < rowser_reader_header(reader)->ncolumns; i++)
	{
		const RowserType *described =
		&rowser_reader_header(reader)->columns[i].type;
		Oid			type = rowser_resolve_shown(described, encoding);
		int32		typmod = rowser_resolve_shown_typmod(described);
		char	   *schema;
		char	   *name;
		Datum		values[8];
		bool		nulls[8] = {false};

		type_names(described, encoding, type, &schema, &name);
		values[0] = Int32GetDatum(i + 1);
		values[1] = text_datum(rowser_reader_column_name(reader, i));
		values[2] = text_datum(type_text(type, typmod, schema, name));
		values[3] = text_datum(schema);
		values[4] = text_datum(name);
		values[5] = Int32GetDatum(typmod);
		nulls[6] = described->collation_name.size == 0;
		if (!nulls[6])
			values[6] = text_datum(quote_qualified_identifier(rowser_resolve_text(described->collation_schema,
																				  encoding),
															  rowser_resolve_text(described->collation_name,
																				  encoding)));
		values[7] = ObjectIdGetDatum(type);
		nulls[7] = !OidIsValid(type);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values,
							 nulls);
	}
	rowser_reader_close(reader);
	return (Datum) 0;
}

/* ----------------------------------------------------------------
 *		The whole
 * ----------------------------------------------------------------
 */

/* Names of the methods in a set, "none" for nothing but uncompressed blocks. */
static char *
method_names(uint32 methods)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int method = ROWSER_METHOD_NONE + 1; method <= ROWSER_METHOD_LAST;
		 method++)
	{
		if (methods & (1 << method))
			appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "",
							 rowser_method_name((RowserMethod) method));
	}
	if (names.len == 0)
		appendStringInfoString(&names, rowser_method_name(ROWSER_METHOD_NONE));
	return names.data;
}

/*
 * rowset_info(rowset bytea) returns (format_version, encoding, columns, rows,
 * row_groups, compression, raw_bytes, stored_bytes, checksum)
 */
Datum
rowset_info(PG_FUNCTION_ARGS)
{
	Datum		rowset = PG_GETARG_DATUM(0);
	RowserReader *reader = rowser_reader_open_datum(rowset, NULL);
	const RowserHeader *header = rowser_reader_header(reader);
	const RowserTrailer *trailer = rowser_reader_trailer(reader);
	const RowserGroup *group;
	TupleDesc	tupdesc;
	uint32		methods = 0;
	uint64		raw_size = 0;
	Datum		values[9];
	bool		nulls[9] = {false};

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	while ((group = rowser_reader_next_group(reader)) != NULL)
	{
		methods |= rowser_group_methods(group);
		/* a header may claim anything, so don't let the sum wrap */
		if (group->raw_size > PG_INT64_MAX - raw_size)
			raw_size = PG_INT64_MAX;
		else
			raw_size += group->raw_size;
	}
	values[0] = text_datum(psprintf("%u.%u", header->major, header->minor));
	values[1] = text_datum(pnstrdup((const char *) header->encoding.bytes,
									header->encoding.size));
	values[2] = Int32GetDatum(header->ncolumns);
	values[3] = Int64GetDatum(trailer->nrows);
	values[4] = Int32GetDatum(trailer->ngroups);
	values[5] = text_datum(method_names(methods));
	values[6] = Int64GetDatum(raw_size);
	values[7] = Int64GetDatum(toast_raw_datum_size(rowset) - VARHDRSZ);
	values[8] = text_datum("crc32c");
	rowser_reader_close(reader);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc),
													  values, nulls)));
}

/*
 * rowset_count(rowset bytea) returns bigint
 */
Datum
rowset_count(PG_FUNCTION_ARGS)
{
	RowserReader *reader = rowser_reader_open_datum(PG_GETARG_DATUM(0), NULL);
	int64		nrows = rowser_reader_trailer(reader)->nrows;

	rowser_reader_close(reader);
	PG_RETURN_INT64(nrows);
}

/* ----------------------------------------------------------------
 *		Checking
 * ----------------------------------------------------------------
 */

/*
 * rowset_is_valid(rowset bytea) returns bool
 *
 * Looks at frame, checksums and blocks, which the byte layer does without
 * raising errors; not at types or what values mean.
 */
Datum
rowset_is_valid(PG_FUNCTION_ARGS)
{
	bytea	   *rowset = PG_GETARG_BYTEA_PP(0);

	PG_RETURN_BOOL(rowser_rowset_validate(VARDATA_ANY(rowset),
										  VARSIZE_ANY_EXHDR(rowset)));
}

/*
 * rowset_check(rowset bytea) returns void
 *
 * Decodes each value, as the type that the rowset names.
 */
Datum
rowset_check(PG_FUNCTION_ARGS)
{
	RowserReader *reader = rowser_reader_open(PG_GETARG_BYTEA_PP(0));
	const RowserGroup *group;
	RowserProgress progress;

	rowser_reader_set_progress(reader, &progress, ROWSER_PROGRESS_CHECK);
	rowser_progress_begin(&progress);
	while ((group = rowser_reader_next_group(reader)) != NULL)
		rowser_reader_check_group(reader, group);
	rowser_reader_rewind(reader);

	for (uint32 i = 0; i < rowser_reader_header(reader)->ncolumns; i++)
	{
		if (rowser_resolve_is_readable(&rowser_reader_header(reader)->columns[i].type))
			(void) rowser_reader_select(reader, i, InvalidOid, -1);
	}
	while (rowser_reader_next(reader) > 0)
		;
	rowser_progress_end(&progress);
	rowser_reader_close(reader);
	PG_RETURN_VOID();
}
