/*-------------------------------------------------------------------------
 *
 * text.c
 *	  Text from bytes: what rowsets and other formats have in common.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/lsyscache.h"

#include "columns/kind.h"
#include "columns/text.h"

void
rowser_text_check_unnamed(Oid type, const char *text, Datum value)
{
	Oid			output;
	bool		is_varlena;

	if (strspn(text, "0123456789") != strlen(text))
		return;
	getTypeOutputInfo(rowser_reg_text_type(type), &output, &is_varlena);
	if (strcmp(OidOutputFunctionCall(output, value), text) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("object %s has no name in the rowset", text),
				 errdetail("Here another object has this number."),
				 errhint("Read the column as text.")));
}
