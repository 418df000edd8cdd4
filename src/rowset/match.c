/*-------------------------------------------------------------------------
 *
 * match.c
 *	  Which column of a rowset becomes which attribute of a row.
 *
 * The caller's attributes decide: extra columns are not selected.
 *
 * Memory: the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/typcache.h"

#include "columns/decoder.h"
#include "columns/domain.h"
#include "rowset/match.h"

static char *
column_names(RowserReader *reader)
{
	const RowserHeader *header = rowser_reader_header(reader);

	if (header->ncolumns == 0)
		return pstrdup("none");
	return rowser_field_names(header->columns, header->ncolumns,
							  rowser_reader_encoding(reader));
}

static void
report_ambiguous(RowserReader *reader, const char *name,
				 bool can_match_by_position)
{
	ereport(ERROR,
			(errcode(ERRCODE_AMBIGUOUS_COLUMN),
			 errmsg("column \"%s\" is ambiguous in the rowset", name),
			 errdetail("The rowset's columns are: %s.",
					   column_names(reader)),
			 can_match_by_position ?
			 errhint("Match the columns by position.") : 0));
}

/* The column with a name; -1 if there is none, an error if several. */
static int
find_column(RowserReader *reader, const char *name, bool can_match_by_position)
{
	int			found = -1;

	for (uint32 i = 0; i < rowser_reader_header(reader)->ncolumns; i++)
	{
		const char *other = rowser_reader_column_name(reader, i);

		if (*other != *name || strcmp(other, name) != 0)
			continue;
		if (found >= 0)
			report_ambiguous(reader, name, can_match_by_position);
		found = i;
	}
	return found;
}

static void
report_no_column(RowserReader *reader, const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" does not exist in the rowset", name),
			 errdetail("The rowset's columns are: %s.",
					   column_names(reader))));
}

/* An attribute's 0-based number by its name; -1 if there is none */
static int
find_attribute(TupleDesc tupdesc, const char *name)
{
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (!att->attisdropped && strcmp(NameStr(att->attname), name) == 0)
			return i;
	}
	return -1;
}

static char *
attribute_names(TupleDesc tupdesc)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if (!att->attisdropped)
			appendStringInfo(&names, "%s\"%s\"", names.len > 0 ? ", " : "",
							 NameStr(att->attname));
	}
	if (names.len == 0)
		appendStringInfoString(&names, "none");
	return names.data;
}

uint32
rowser_match_column(RowserReader *reader, const char *name)
{
	int			column = find_column(reader, name, false);

	if (column < 0)
		report_no_column(reader, name);
	return column;
}

/* Check that a NULL may stand in for a missing column: a domain may object. */
static void
check_null(Oid type)
{
	RowserDomain *domain = rowser_domain_create(type);

	if (domain != NULL)
		rowser_domain_check(domain, (Datum) 0, true);
}

int *
rowser_match_by_name(RowserReader *reader, TupleDesc tupdesc,
					 const bool *default_nulls)
{
	int		   *selected = palloc(Max(tupdesc->natts, 1) * sizeof(int));

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		int			column;

		selected[i] = ROWSER_NOT_SELECTED;
		if (att->attisdropped)
			continue;
		column = find_column(reader, NameStr(att->attname),
							 default_nulls == NULL);
		if (column >= 0)
			selected[i] = rowser_reader_select(reader, column, att->atttypid,
											   att->atttypmod);
		else if (default_nulls == NULL)
			report_no_column(reader, NameStr(att->attname));
		else if (default_nulls[i])
			check_null(att->atttypid);
	}
	return selected;
}

int *
rowser_match_by_position(RowserReader *reader, TupleDesc tupdesc)
{
	uint32		ncolumns = rowser_reader_header(reader)->ncolumns;
	int		   *selected = palloc(Max(tupdesc->natts, 1) * sizeof(int));

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);

		if ((uint32) i >= ncolumns)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN),
					 errmsg("column %d (\"%s\") does not exist in the rowset",
							i + 1, NameStr(att->attname)),
					 errdetail("The rowset has %u columns: %s.", ncolumns,
							   column_names(reader))));
		selected[i] = rowser_reader_select(reader, i, att->atttypid,
										   att->atttypmod);
	}
	return selected;
}

int *
rowser_match_columns(RowserReader *reader, TupleDesc tupdesc,
					 const char *relation)
{
	int		   *columns = palloc(Max(tupdesc->natts, 1) * sizeof(int));

	for (int i = 0; i < tupdesc->natts; i++)
		columns[i] = ROWSER_NOT_SELECTED;
	for (uint32 i = 0; i < rowser_reader_header(reader)->ncolumns; i++)
	{
		const char *name = rowser_reader_column_name(reader, i);
		int			attribute = find_attribute(tupdesc, name);

		if (attribute < 0)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN),
					 errmsg("column \"%s\" of relation \"%s\" does not exist",
							name, relation),
					 errdetail("The relation's columns are: %s.",
							   attribute_names(tupdesc)),
					 errhint("Use INSERT with a query that reads from rowset_to_recordset to leave columns out or rename them.")));
		if (columns[attribute] != ROWSER_NOT_SELECTED)
			report_ambiguous(reader, name, false);
		columns[attribute] = i;
	}
	return columns;
}

bool
rowser_match_is_by_position(Datum match, bool isnull)
{
	char	   *value;

	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("match must not be NULL"),
				 errhint("Available values: name, position.")));
	value = TextDatumGetCString(match);
	if (strcmp(value, "position") == 0)
		return true;
	if (strcmp(value, "name") == 0)
		return false;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value for match: \"%s\"", value),
			 errhint("Available values: name, position.")));
	return false;
}

void
rowser_match_defaults(HeapTupleHeader row, TupleDesc tupdesc,
					  Datum *values, bool *nulls)
{
	TupleDesc	row_tupdesc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row),
													 HeapTupleHeaderGetTypMod(row));
	HeapTupleData tuple;
	bool		same = row_tupdesc->natts == tupdesc->natts;

	for (int i = 0; same && i < tupdesc->natts; i++)
		same = TupleDescAttr(row_tupdesc, i)->atttypid ==
			TupleDescAttr(tupdesc, i)->atttypid;
	if (!same)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("first argument does not fit the column definition list")));

	tuple.t_len = HeapTupleHeaderGetDatumLength(row);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	tuple.t_data = row;
	heap_deform_tuple(&tuple, row_tupdesc, values, nulls);
	ReleaseTupleDesc(row_tupdesc);
}
