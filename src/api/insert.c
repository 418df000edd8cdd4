/*-------------------------------------------------------------------------
 *
 * insert.c
 *	  Inserting the rows of a rowset into a table, one way or the other.
 *
 * Every column of the rowset goes to the table's column of its name; which
 * ones those are is found out here for both ways.  Most tables are filled in
 * batches (insert_batch.c).  Where that might show, the executor is asked, by
 * an INSERT that reads from rowset_to_recordset(): so views, rules, foreign
 * tables, row security and triggers work as they do for any INSERT.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/catalog.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/params.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"

#include "api/column_list.h"
#include "api/insert.h"
#include "compat.h"
#include "rowset/match.h"

/* ----------------------------------------------------------------
 *		Columns
 * ----------------------------------------------------------------
 */

/*
 * Match all columns of the rowset by name.  The values of a generated column
 * are left behind: they are computed anew, as for a table that COPY writes and
 * reads.
 */
static int *
match_columns(RowserReader *reader, Relation rel)
{
	TupleDesc	tupdesc = RelationGetDescr(rel);
	int		   *columns = rowser_match_columns(reader, tupdesc,
											   RelationGetRelationName(rel));

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (columns[i] == ROWSER_NOT_SELECTED)
			continue;
		if (att->attidentity == ATTRIBUTE_IDENTITY_ALWAYS)
			ereport(ERROR,
					(errcode(ERRCODE_GENERATED_ALWAYS),
					 errmsg("cannot insert a non-DEFAULT value into column \"%s\"",
							NameStr(att->attname)),
					 errdetail("Column \"%s\" is an identity column defined as GENERATED ALWAYS.",
							   NameStr(att->attname)),
					 errhint("Use INSERT ... OVERRIDING SYSTEM VALUE with a query that reads from rowset_to_recordset.")));
		if (att->attgenerated != '\0')
			columns[i] = ROWSER_NOT_SELECTED;
	}
	return columns;
}

/* ----------------------------------------------------------------
 *		By the executor
 * ----------------------------------------------------------------
 */

/* An INSERT that takes the rows of the rowset $1. */
static char *
make_query(Relation rel, RowserReader *reader, const int *columns,
		   const char *schema)
{
	TupleDesc	tupdesc = RelationGetDescr(rel);
	const char *separator = "";
	StringInfoData names;
	StringInfoData list;
	char	   *table;

	table = quote_qualified_identifier(get_namespace_name(RelationGetNamespace(rel)),
									   RelationGetRelationName(rel));
	initStringInfo(&names);
	initStringInfo(&list);
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		const char *name;

		if (columns[i] == ROWSER_NOT_SELECTED)
			continue;
		name = quote_identifier(NameStr(att->attname));
		appendStringInfo(&names, "%s%s", separator, name);
		appendStringInfo(&list, "%s%s %s", separator, name,
						 format_type_extended(att->atttypid, att->atttypmod,
											  FORMAT_TYPE_TYPEMOD_GIVEN |
											  FORMAT_TYPE_FORCE_QUALIFY));
		separator = ", ";
	}
	if (names.len == 0)
		/* neither list can be empty */
		return psprintf("INSERT INTO %s SELECT FROM pg_catalog.generate_series(1, %llu)",
						table,
						(unsigned long long) rowser_reader_trailer(reader)->nrows);
	return psprintf("INSERT INTO %s (%s) SELECT * FROM %s.rowset_to_recordset($1, 'name'::pg_catalog.text) AS t(%s)",
					table, names.data, schema, list.data);
}

/* Run it; returns the number of rows that were inserted. */
static uint64
run_query(const char *query, bytea *rowset)
{
	Oid			types[1] = {BYTEAOID};
	ParamListInfo params = makeParamList(1);
	SPIExecuteOptions options = {.params = params};
	SPIPlanPtr	plan;
	int			code;
	uint64		nrows;

	/* not PARAM_FLAG_CONST, which has a plan keep copies of the rowset */
	params->params[0].value = PointerGetDatum(rowset);
	params->params[0].isnull = false;
	params->params[0].pflags = 0;
	params->params[0].ptype = BYTEAOID;

	SPI_connect();
	plan = SPI_prepare_cursor(query, 1, types, CURSOR_OPT_GENERIC_PLAN);
	if (plan == NULL)
		elog(ERROR, "SPI_prepare_cursor failed: %s",
			 SPI_result_code_string(SPI_result));
	code = SPI_execute_plan_extended(plan, &options);
	if (code < 0)
		elog(ERROR, "SPI_execute_plan_extended failed: %s",
			 SPI_result_code_string(code));
	nrows = SPI_processed;
	SPI_finish();
	return nrows;
}

/* ----------------------------------------------------------------
 *		Inserting
 * ----------------------------------------------------------------
 */

static bool
has_insert_rule(Relation rel)
{
	if (rel->rd_rules == NULL)
		return false;
	for (int i = 0; i < rel->rd_rules->numLocks; i++)
		if (rel->rd_rules->rules[i]->event == CMD_INSERT)
			return true;
	return false;
}

/*
 * Whether rows can wait for others before they go into the table, and nothing
 * but constraints and AFTER triggers has a say about them.
 */
static bool
can_take_batches(Relation rel)
{
	TriggerDesc *triggers = rel->trigdesc;
	bool		is_partitioned = rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE;

	if ((rel->rd_rel->relkind != RELKIND_RELATION && !is_partitioned) ||
		IsSystemRelation(rel) || has_insert_rule(rel))
		return false;
	/* such a trigger may look for the rows before its own */
	if (triggers != NULL && (triggers->trig_insert_before_row ||
							 triggers->trig_insert_instead_row))
		return false;
	/* rows for these are gathered as the table's, not as its partitions' */
	if (is_partitioned && triggers != NULL && triggers->trig_insert_new_table)
		return false;
	return check_enable_rls(RelationGetRelid(rel), InvalidOid, false) !=
		RLS_ENABLED;
}

/*
 * Open and lock a relation that INSERT may be able to insert into.  INSERT
 * would name it, which takes a right that an OID doesn't.
 */
static Relation
open_target(Oid table)
{
	Relation	rel = try_table_open(table, RowExclusiveLock);
	Oid			schema;
	AclResult	acl;

	if (rel == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", table)));
	schema = RelationGetNamespace(rel);
	acl = rowser_namespace_usage(schema, GetUserId());
	if (acl != ACLCHECK_OK)
		aclcheck_error(acl, OBJECT_SCHEMA, get_namespace_name(schema));
	switch (rel->rd_rel->relkind)
	{
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
		case RELKIND_FOREIGN_TABLE:
		case RELKIND_VIEW:
			return rel;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("cannot insert into relation \"%s\"",
							RelationGetRelationName(rel)),
					 errdetail_relkind_not_supported(rel->rd_rel->relkind)));
	}
	return NULL;
}

uint64
rowser_insert_rowset(Oid table, bytea *rowset, RowserInsertTypes types,
					 const char *schema)
{
	Relation	rel = open_target(table);
	RowserReader *reader;
	int		   *columns;
	char	   *query;
	uint64		nrows;
	bool		is_done;

	reader = rowser_reader_open(rowset);
	columns = match_columns(reader, rel);
	is_done = can_take_batches(rel) &&
		rowser_insert_batch_run(rel, reader, columns, types, &nrows);
	if (!is_done && types == ROWSER_INSERT_TYPES_OF_ROWSET)
		rowser_column_list_check_domains(reader);
	query = is_done ? NULL : make_query(rel, reader, columns, schema);
	rowser_reader_close(reader);
	table_close(rel, NoLock);
	return is_done ? nrows : run_query(query, rowset);
}
