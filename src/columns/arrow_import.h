/*-------------------------------------------------------------------------
 *
 * arrow_import.h
 *	  The values of Arrow arrays as Datums of a type of this database.
 *
 * An import is made once for a field and the type that it is read as; it then
 * gives values of the field's arrays.  Nothing in an array is trusted but what
 * arrow_array.h says has been checked.
 *
 * Memory: imports, and the values of dictionaries, belong to the context
 * that was current when they were made.  Other values come from the context that
 * is current when they are imported, or point to a dictionary's.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_ARROW_IMPORT_H
#define ROWSER_COLUMNS_ARROW_IMPORT_H

#include "access/tupdesc.h"
#include "fmgr.h"

#include "bytes/arrow_read.h"
#include "columns/arrow_type_read.h"
#include "columns/cast.h"
#include "columns/kind.h"
#include "compat.h"

typedef struct RowserImport RowserImport;
typedef struct RowserImportForm RowserImportForm;
typedef struct RowserImports RowserImports;

/*
 * Import some values of an array, beginning with `start`.  Which of them are NULL
 * is known, and what these are set to doesn't matter.
 */
typedef void (*RowserImportFunction) (RowserImport *import,
									  const RowserArrowArray *array,
									  uint32 start, uint32 nvalues,
									  const bool *nulls, Datum *values);

struct RowserImport
{
	RowserImports *imports;		/* borrowed */
	RowserKind	kind;
	Oid			typid;			/* not a domain */
	RowserImportFunction function;
	FmgrInfo	input;			/* for kinds that have text read */
	Oid			typioparam;
	RowserCast *cast;			/* to the typmod, or NULL */
	RowserImportForm *form;		/* of the field's dictionary, or NULL */

	/* nested kinds */
	uint32		nchildren;
	RowserImport *children;		/* owned */
	int		   *attributes;		/* COMPOSITE, RECORD: a child's, in tupdesc */
	TupleDesc	tupdesc;
	Oid			element;		/* ARRAY; may be a domain */
	int16		element_typlen;
	bool		element_typbyval;
	char		element_typalign;
};

/* A dictionary's values as one type */
struct RowserImportForm
{
	Oid			type;
	int32		typmod;
	const char *column;			/* the first that it was made for; borrowed */
	RowserImport import;
	MemoryContext context;		/* of the values */
	int16		typlen;
	Size		memory;			/* that it takes; see imports */
	Datum	   *values;
	bool	   *nulls;
	uint32		nvalues;
	uint32		capacity;
};

/* Columns of different types may share a dictionary, but not any number. */
#define ROWSER_IMPORT_MAX_FORMS	8

typedef struct RowserImportDictionary
{
	uint32		nforms;
	RowserImportForm *forms[ROWSER_IMPORT_MAX_FORMS];
} RowserImportDictionary;

/* What the imports of one stream share */
struct RowserImports
{
	RowserArrowReader *reader;	/* borrowed */
	MemoryContext context;
	RowserImportDictionary *dictionaries;	/* one for each of the reader's */
	const char *loading;		/* whose dictionary is loaded, or NULL */
	Size		memory;			/* of all dictionaries but the one loaded */
};

/* Begin imports from a stream, in the current context. */
extern void rowser_imports_init(RowserImports *imports,
								RowserArrowReader *reader);

/*
 * Make an import of a field as a type, which fits (arrow_type_read.h).
 * `column` is the whole column's name, for errors; it must stay.
 */
extern void rowser_import_init(RowserImport *import, RowserImports *imports,
							   const RowserArrowField *field, Oid type,
							   int32 typmod, const char *column);

/*
 * Import some values.  Those of `skip`, which may be NULL, are NULL whatever the
 * array says.  Raises 22P03 for bytes that are no such values, and the
 * types' own errors for values that are out of their range.
 */
extern void rowser_import_values(RowserImport *import,
								 const RowserArrowArray *array, uint32 start,
								 uint32 nvalues, const bool *skip,
								 Datum *values, bool *nulls);

/*
 * How many values of some arrays, which `imports` are for, to import at once,
 * `most` at most, so that memory stays in bounds whatever is below them.  Raises
 * 54000 where that is too much for one.
 */
extern uint32 rowser_import_step(const RowserImport *imports,
								 const RowserArrowArray *arrays,
								 uint32 narrays, uint32 start, uint32 most);

/*
 * Take a dictionary's values, in place of those that it has or behind them.
 * Raises 54000 where all dictionaries take far more memory than the stream's
 * size explains.
 */
extern void rowser_imports_dictionary(RowserImports *imports,
									  const RowserArrowReadBatch *batch);

/* ----------------------------------------------------------------
 *		What the files that make up imports share
 * ----------------------------------------------------------------
 */

/* How a scalar field becomes values of a kind: from numbers, and from bytes */
extern RowserImportFunction rowser_import_numbers(const RowserArrowField *field);
extern RowserImportFunction rowser_import_texts(const RowserArrowField *field,
												RowserKind kind);

extern void rowser_import_decimals(RowserImport *import,
								   const RowserArrowArray *array,
								   uint32 start, uint32 nvalues,
								   const bool *nulls, Datum *values);
extern void rowser_import_lists(RowserImport *import,
								const RowserArrowArray *array, uint32 start,
								uint32 nvalues, const bool *nulls,
								Datum *values);
extern void rowser_import_structs(RowserImport *import,
								  const RowserArrowArray *array, uint32 start,
								  uint32 nvalues, const bool *nulls,
								  Datum *values);

/*
 * Raise 54000 when dictionaries, what else is in the current context and `more`
 * bytes take far more memory than the stream's size explains: few bytes of indexes,
 * or of what is compressed, may stand for very many.
 */
extern void rowser_imports_check_memory(const RowserImports *imports,
										uint64 more);

/* Memory for parts of values, of which there may be many */
extern void *rowser_import_alloc(uint64 count, Size size);

/* Raise 22P03 "invalid Arrow stream" for what an array's values say. */
rowser_noreturn extern void rowser_import_fail(const RowserArrowArray *array,
											   const char *what);

/* Raise 22008 for a value that a type of this database cannot be. */
rowser_noreturn extern void rowser_import_out_of_range(const char *what);

#endif							/* ROWSER_COLUMNS_ARROW_IMPORT_H */
