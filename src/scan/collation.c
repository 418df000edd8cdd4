/*-------------------------------------------------------------------------
 *
 * collation.c
 *	  Which collations sort text by its bytes.
 *
 * The server knows, and tells by a function up to version 17 and in a struct
 * from 18 on.  Both are declared in a header that needs ICU's, which packages
 * of the server don't always bring; so this reads the catalogues instead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_database.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "scan/collation.h"

/* pg_collation.h names this provider from version 17 on */
#define PROVIDER_BUILTIN 'b'

/*
 * Does this locale sort bytes?  The system's does where it is called "C" or
 * "POSIX", those of the server itself all do.
 */
static bool
locale_sorts_bytes(char provider, Datum name, bool no_name)
{
	char	   *locale;

	if (provider == PROVIDER_BUILTIN)
		return true;
	if (provider != COLLPROVIDER_LIBC || no_name)
		return false;
	locale = TextDatumGetCString(name);
	return strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
}

/* The database's own, which the default collation stands for. */
static bool
database_sorts_bytes(void)
{
	HeapTuple	tuple = SearchSysCache1(DATABASEOID,
										ObjectIdGetDatum(MyDatabaseId));
	Datum		name;
	bool		no_name;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	name = SysCacheGetAttr(DATABASEOID, tuple, Anum_pg_database_datcollate,
						   &no_name);
	result = locale_sorts_bytes(((Form_pg_database) GETSTRUCT(tuple))->datlocprovider,
								name, no_name);
	ReleaseSysCache(tuple);
	return result;
}

bool
rowser_collation_sorts_bytes(Oid collation)
{
	HeapTuple	tuple;
	Datum		name;
	bool		no_name;
	bool		result;

	if (collation == C_COLLATION_OID)
		return true;
	if (collation == DEFAULT_COLLATION_OID)
		return database_sorts_bytes();
	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	if (!HeapTupleIsValid(tuple))
		return false;
	name = SysCacheGetAttr(COLLOID, tuple, Anum_pg_collation_collcollate,
						   &no_name);
	result = locale_sorts_bytes(((Form_pg_collation) GETSTRUCT(tuple))->collprovider,
								name, no_name);
	ReleaseSysCache(tuple);
	return result;
}
