/*-------------------------------------------------------------------------
 *
 * json_category.c
 *	  Categories: the ways in which values become JSON, as core has them.
 *
 * Users can make casts to json for scalar types of their own.  One from a type
 * that a rowset names may have been made for the rowset's reader to run it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "columns/cast.h"
#include "columns/json_category.h"
#include "compat.h"

/* The category of a type whose output is not simply a string */
static RowserJsonCategory
built_in_category(Oid type)
{
	switch (type)
	{
		case BOOLOID:
			return ROWSER_JSON_BOOL;
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
			return ROWSER_JSON_NUMBER;
		case DATEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return ROWSER_JSON_DATETIME;
		case JSONOID:
		case JSONBOID:
			return ROWSER_JSON_JSON;
		case RECORDOID:
			return ROWSER_JSON_RECORD;
		default:
			if (type == RECORDARRAYOID || OidIsValid(get_element_type(type)))
				return ROWSER_JSON_ARRAY;
			if (type_is_rowtype(type))
				return ROWSER_JSON_COMPOSITE;
			return ROWSER_JSON_OTHER;
	}
}

/* The function that casts a user-defined scalar type to json, or InvalidOid */
static Oid
find_cast(Oid type)
{
	Oid			function;
	AclResult	acl;

	if (type < FirstNormalObjectId ||
		find_coercion_pathway(JSONOID, type, COERCION_EXPLICIT,
							  &function) != COERCION_PATH_FUNC ||
		!OidIsValid(function))
		return InvalidOid;
	if (!rowser_cast_is_trusted(function))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to cast type %s to json",
						format_type_be(type)),
				 errdetail("The cast's function belongs to neither a superuser nor the current user."),
				 errhint("Read the rowset with a column list, and convert its rows with json_agg.")));
	acl = rowser_function_execute(function, GetUserId());
	if (acl != ACLCHECK_OK)
		aclcheck_error(acl, OBJECT_FUNCTION, get_func_name(function));
	return function;
}

RowserJsonCategory
rowser_json_category(Oid type, Oid *function)
{
	RowserJsonCategory category = built_in_category(type);
	bool		is_varlena;

	*function = InvalidOid;
	switch (category)
	{
		case ROWSER_JSON_ARRAY:
		case ROWSER_JSON_COMPOSITE:
		case ROWSER_JSON_RECORD:
			return category;
		case ROWSER_JSON_OTHER:
			*function = find_cast(type);
			if (OidIsValid(*function))
				return ROWSER_JSON_CAST;
			break;
		default:
			break;
	}
	getTypeOutputInfo(type, function, &is_varlena);
	return category;
}
