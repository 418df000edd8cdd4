/*-------------------------------------------------------------------------
 *
 * arrow_type.h
 *	  A rowset's types as Arrow's (doc/arrow.md, section Types).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_ARROW_TYPE_H
#define ROWSER_COLUMNS_ARROW_TYPE_H

#include "bytes/arrow.h"
#include "bytes/header.h"

/* How values become an Arrow array */
typedef enum RowserArrowForm
{
	ROWSER_ARROW_FORM_BOOL,
	ROWSER_ARROW_FORM_INT16,
	ROWSER_ARROW_FORM_INT32,	/* float4's bits too */
	ROWSER_ARROW_FORM_INT64,
	ROWSER_ARROW_FORM_FLOAT8,
	ROWSER_ARROW_FORM_DATE,
	ROWSER_ARROW_FORM_TIME,
	ROWSER_ARROW_FORM_TIMESTAMP,
	ROWSER_ARROW_FORM_INTERVAL,
	ROWSER_ARROW_FORM_UUID,
	ROWSER_ARROW_FORM_DECIMAL,
	ROWSER_ARROW_FORM_TEXT,		/* a varlena of text, as it is */
	ROWSER_ARROW_FORM_NAME,
	ROWSER_ARROW_FORM_BYTES,
	ROWSER_ARROW_FORM_PRINTED,	/* what the type's output function gives */
	ROWSER_ARROW_FORM_LIST,
	ROWSER_ARROW_FORM_STRUCT
} RowserArrowForm;

/* A described type without the domains over it */
extern const RowserType *rowser_arrow_type_base(const RowserType *described);

/* How values of a described type become an Arrow array. */
extern RowserArrowForm rowser_arrow_type_form(const RowserType *described);

/*
 * Describe a field for Arrow: its name, its type with the parameters, and the
 * metadata that names the type; all but its dictionary and its children.
 * `form` is rowser_arrow_type_form()'s, or PRINTED for what is to be printed
 * nevertheless; that has no metadata then.  Text is in `encoding`, the
 * rowset's.  Memory is the current context's.
 */
extern void rowser_arrow_type_field(RowserArrowField *field,
									RowserString name,
									const RowserType *described,
									RowserArrowForm form, int encoding);

/* Text of this database as Arrow has it, in UTF-8; palloc'd if it differs. */
extern const char *rowser_arrow_utf8(const char *text, int size,
									 int *utf8_size);

#endif							/* ROWSER_COLUMNS_ARROW_TYPE_H */
