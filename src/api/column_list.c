/*-------------------------------------------------------------------------
 *
 * column_list.c
 *	  rowset_column_list(): a rowset's columns as SQL text.
 *
 * Here the rowset names types, so they are resolved as resolve.h says: domains
 * show as what they are based on.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"

#include "api/column_list.h"
#include "columns/domain.h"
#include "columns/resolve.h"

PG_FUNCTION_INFO_V1(rowset_column_list);

/* A collation's name with its schema */
static char *
qualified_collation(Oid collation)
{
	HeapTuple	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	Form_pg_collation form;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for collation %u", collation);
	form = (Form_pg_collation) GETSTRUCT(tuple);
	name = quote_qualified_identifier(get_namespace_name(form->collnamespace),
									  NameStr(form->collname));
	ReleaseSysCache(tuple);
	return name;
}

void
rowser_column_list_type(StringInfo sql, RowserReader *reader, uint32 column,
						bool qualify)
{
	const RowserType *described =
	&rowser_reader_header(reader)->columns[column].type;
	int			encoding = rowser_reader_encoding(reader);
	Oid			type = rowser_resolve_type(described, encoding);
	Oid			collation = rowser_resolve_collation(described, encoding);
	uint16		flags = FORMAT_TYPE_TYPEMOD_GIVEN;

	if (qualify)
		flags |= FORMAT_TYPE_FORCE_QUALIFY;
	appendStringInfoString(sql,
						   format_type_extended(type,
												rowser_resolve_typmod(described),
												flags));
	/* without the collation here, the type's own has to do */
	if (OidIsValid(collation) && type_is_collatable(type))
		appendStringInfo(sql, " COLLATE %s",
						 qualify ? qualified_collation(collation) :
						 generate_collation_name(collation));
}

void
rowser_column_list_check_domains(RowserReader *reader)
{
	const RowserHeader *header = rowser_reader_header(reader);
	int			encoding = rowser_reader_encoding(reader);

	for (uint32 i = 0; i < header->ncolumns; i++)
	{
		Oid			type = rowser_resolve_type(&header->columns[i].type,
											   encoding);
		Oid			domain = rowser_domain_untrusted(type);

		if (OidIsValid(domain))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("cannot read column \"%s\" as type %s",
							rowser_reader_column_name(reader, i),
							format_type_be(type)),
					 errdetail("It has the domain %s inside, which belongs to neither a superuser nor the current user.",
							   format_type_be(domain)),
					 errhint("Use a column definition list or a row type.")));
	}
}

/*
 * rowset_column_list(rowset bytea) returns text
 */
Datum
rowset_column_list(PG_FUNCTION_ARGS)
{
	RowserReader *reader = rowser_reader_open(PG_GETARG_BYTEA_PP(0));
	StringInfoData sql;

	initStringInfo(&sql);
	for (uint32 i = 0; i < rowser_reader_header(reader)->ncolumns; i++)
	{
		if (i > 0)
			appendStringInfoString(&sql, ", ");
		appendStringInfo(&sql, "%s ",
						 quote_identifier(rowser_reader_column_name(reader,
																	i)));
		rowser_column_list_type(&sql, reader, i, false);
	}
	rowser_reader_close(reader);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(sql.data, sql.len));
}
