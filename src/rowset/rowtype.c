/*-------------------------------------------------------------------------
 *
 * rowtype.c
 *	  The row type that a rowset itself names.
 *
 * For calls that have neither a column list nor a row type.  Here the bytes
 * choose the types, so they are resolved as resolve.h says.
 *
 * Memory: the current context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/lsyscache.h"

#include "columns/resolve.h"
#include "rowset/rowtype.h"

/* Describe an attribute by the column that it is read from. */
static void
init_attribute(TupleDesc tupdesc, RowserReader *reader, uint32 column)
{
	const RowserType *described =
	&rowser_reader_header(reader)->columns[column].type;
	int			encoding = rowser_reader_encoding(reader);
	Oid			collation = rowser_resolve_collation(described, encoding);
	Oid			type = rowser_resolve_type(described, encoding);

	TupleDescInitEntry(tupdesc, column + 1,
					   rowser_reader_column_name(reader, column), type,
					   rowser_resolve_typmod(described), 0);
	/* without the collation here, the type's own has to do */
	if (OidIsValid(collation) && type_is_collatable(type))
		TupleDescInitEntryCollation(tupdesc, column + 1, collation);
}

TupleDesc
rowser_rowtype_select(RowserReader *reader)
{
	uint32		ncolumns = rowser_reader_header(reader)->ncolumns;
	TupleDesc	tupdesc = CreateTemplateTupleDesc(ncolumns);

	for (uint32 i = 0; i < ncolumns; i++)
	{
		(void) rowser_reader_select(reader, i, InvalidOid, -1);
		init_attribute(tupdesc, reader, i);
	}
	return tupdesc;
}
