/*-------------------------------------------------------------------------
 *
 * table.c
 *	  rowset_create_table() and rowset_insert(): a rowset into a table.
 *
 * A table is created by a CREATE TABLE that is made here, so that privileges,
 * names that occur twice, pseudo-types and event triggers are seen to as for
 * any other, and is then inserted into.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/varlena.h"

#include "api/column_list.h"
#include "api/insert.h"
#include "api/schema.h"

PG_FUNCTION_INFO_V1(rowset_create_table);
PG_FUNCTION_INFO_V1(rowset_insert);

/*
 * A CREATE TABLE for a table of the rowset's columns.  A permanent one names
 * its schema; for a temporary one it is left to CREATE TABLE to see that a
 * schema fits.
 */
static char *
make_create(RowserReader *reader, const RangeVar *name, Oid schema)
{
	StringInfoData sql;
	const char *schema_name = name->schemaname;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "CREATE ");
	if (name->relpersistence == RELPERSISTENCE_TEMP)
		appendStringInfoString(&sql, "TEMPORARY ");
	else
		schema_name = get_namespace_name(schema);
	appendStringInfo(&sql, "TABLE %s (",
					 quote_qualified_identifier(schema_name, name->relname));
	for (uint32 i = 0; i < rowser_reader_header(reader)->ncolumns; i++)
	{
		if (i > 0)
			appendStringInfoString(&sql, ", ");
		appendStringInfo(&sql, "%s ",
						 quote_identifier(rowser_reader_column_name(reader,
																	i)));
		rowser_column_list_type(&sql, reader, i, true);
	}
	appendStringInfoChar(&sql, ')');
	return sql.data;
}

/* Create a table of the rowset's columns; returns its OID. */
static Oid
create_table(bytea *rowset, RangeVar *name)
{
	RowserReader *reader = rowser_reader_open(rowset);
	Oid			schema = RangeVarGetCreationNamespace(name);
	char	   *create = make_create(reader, name, schema);
	Oid			table;
	int			code;

	rowser_reader_close(reader);
	SPI_connect();
	code = SPI_execute(create, false, 0);
	if (code < 0)
		elog(ERROR, "SPI_execute failed: %s", SPI_result_code_string(code));
	SPI_finish();

	/* looked up where it was created: search_path may find another first */
	table = get_relname_relid(name->relname, schema);
	if (!OidIsValid(table))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation \"%s\" does not exist", name->relname),
				 errdetail("It has been created, but an event trigger has dropped or renamed it.")));
	return table;
}

/*
 * rowset_create_table(rowset bytea, name text, temporary bool) returns bigint
 */
Datum
rowset_create_table(PG_FUNCTION_ARGS)
{
	bytea	   *rowset = PG_GETARG_BYTEA_PP(0);
	List	   *names = textToQualifiedNameList(PG_GETARG_TEXT_PP(1));
	RangeVar   *name = makeRangeVarFromNameList(names);
	Oid			table;

	if (PG_GETARG_BOOL(2))
		name->relpersistence = RELPERSISTENCE_TEMP;
	table = create_table(rowset, name);
	PG_RETURN_INT64(rowser_insert_rowset(table, rowset,
										 ROWSER_INSERT_TYPES_OF_ROWSET,
										 rowser_schema_quoted(fcinfo)));
}

/*
 * rowset_insert(target regclass, rowset bytea) returns bigint
 */
Datum
rowset_insert(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(rowser_insert_rowset(PG_GETARG_OID(0),
										 PG_GETARG_BYTEA_PP(1),
										 ROWSER_INSERT_TYPES_OF_TABLE,
										 rowser_schema_quoted(fcinfo)));
}
