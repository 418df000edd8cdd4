/*-------------------------------------------------------------------------
 *
 * arrow_import.c
 *	  The values of Arrow arrays as Datums of a type of this database.
 *
 * Here is how a field is matched with the type that it is read as, and what
 * all types share: NULLs, dictionaries and typmods.  Numbers and times are
 * in arrow_import_numbers.c, text and bytes in arrow_import_texts.c, lists and
 * structs in arrow_import_nested.c; how many values are imported at once is in
 * arrow_import_step.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "columns/arrow_import.h"
#include "columns/domain.h"
#include "columns/row_type.h"
#include "errors.h"

/* Most values of a dictionary that are imported at once */
#define LOAD_STEP	8192

void *
rowser_import_alloc(uint64 count, Size size)
{
	return palloc_extended(Max(count, 1) * size, MCXT_ALLOC_HUGE);
}

void
rowser_import_fail(const RowserArrowArray *array, const char *what)
{
	RowserFault fault = {
		.kind = ROWSER_FAULT_INVALID,
		.what = what,
		.offset = array->place
	};

	rowser_fault_report_arrow(&fault);
}

void
rowser_import_out_of_range(const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("%s out of range", what)));
}

/* ----------------------------------------------------------------
 *		Making
 * ----------------------------------------------------------------
 */

void
rowser_imports_init(RowserImports *imports, RowserArrowReader *reader)
{
	imports->reader = reader;
	imports->context = CurrentMemoryContext;
	imports->loading = NULL;
	imports->memory = 0;
	imports->dictionaries = palloc0(Max(reader->ndictionaries, 1) *
									sizeof(RowserImportDictionary));
}

/*
 * Refuse a range whose input function would check a domain's constraints, and so
 * run what the bytes have named.
 */
static void
check_range(Oid type, const char *column)
{
	Oid			domain = rowser_domain_untrusted(type);

	if (OidIsValid(domain))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot read column \"%s\" as type %s", column,
						format_type_be(type)),
				 errdetail("Its bounds have the domain %s, which belongs to neither a superuser nor the current user.",
						   format_type_be(domain))));
}

/* Find the function that reads text as the import's type. */
static void
init_input(RowserImport *import, const char *column)
{
	Oid			function;

	switch (import->kind)
	{
		case ROWSER_KIND_TEXT:
		case ROWSER_KIND_NAME:
		case ROWSER_KIND_NODE_TREE:
		case ROWSER_KIND_BYTES:
		case ROWSER_KIND_ENUM:
			return;
		case ROWSER_KIND_RANGE:
		case ROWSER_KIND_MULTIRANGE:
			check_range(import->typid, column);
			break;
		default:
			break;
	}
	getTypeInputInfo(rowser_reg_text_type(import->typid), &function,
					 &import->typioparam);
	fmgr_info(function, &import->input);
}

static void
init_array(RowserImport *import, const RowserArrowField *field, int32 typmod,
		   const char *column)
{
	import->element = import->typid == RECORDARRAYOID ? RECORDOID :
		get_element_type(import->typid);
	get_typlenbyvalalign(import->element, &import->element_typlen,
						 &import->element_typbyval,
						 &import->element_typalign);
	import->nchildren = 1;
	import->children = palloc0(sizeof(RowserImport));
	rowser_import_init(&import->children[0], import->imports,
					   &field->children[0], import->element, typmod, column);
	import->function = rowser_import_lists;
}

/* A named row type's attributes are the struct's fields, one after the other. */
static void
init_composite(RowserImport *import, const RowserArrowField *field,
			   const char *column)
{
	uint32		child = 0;

	import->tupdesc = rowser_row_type_copy(import->typid);
	for (int i = 0; i < import->tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(import->tupdesc, i);

		if (att->attisdropped)
			continue;
		/* the type has been looked at, and locked since */
		Assert(child < field->nchildren);
		import->attributes[child] = i;
		rowser_import_init(&import->children[child], import->imports,
						   &field->children[child], att->atttypid,
						   att->atttypmod, column);
		child++;
	}
}

/* A record's fields are of the types that the struct's name by themselves. */
static void
init_record(RowserImport *import, const RowserArrowField *field,
			const char *column)
{
	TupleDesc	tupdesc;

	if (field->nchildren > MaxTupleAttributeNumber)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_COLUMNS),
				 errmsg("cannot read column \"%s\" of Arrow type %s", column,
						rowser_arrow_type_name(field->type)),
				 errdetail("A record can have at most %d fields.",
						   MaxTupleAttributeNumber)));
	tupdesc = CreateTemplateTupleDesc(field->nchildren);
	for (uint32 i = 0; i < field->nchildren; i++)
	{
		const RowserArrowField *child = &field->children[i];
		RowserArrowType type = rowser_arrow_type_read(child, column);

		TupleDescInitEntry(tupdesc, i + 1, rowser_arrow_field_name(child),
						   type.type, type.typmod, 0);
		TupleDescInitEntryCollation(tupdesc, i + 1, type.collation);
		import->attributes[i] = i;
		rowser_import_init(&import->children[i], import->imports, child,
						   type.type, type.typmod, column);
	}
	import->tupdesc = BlessTupleDesc(tupdesc);
}

static void
init_struct(RowserImport *import, const RowserArrowField *field,
			const char *column)
{
	import->nchildren = field->nchildren;
	import->children = palloc0(Max(field->nchildren, 1) *
							   sizeof(RowserImport));
	import->attributes = palloc(Max(field->nchildren, 1) * sizeof(int));
	if (import->kind == ROWSER_KIND_COMPOSITE)
		init_composite(import, field, column);
	else
		init_record(import, field, column);
	import->function = rowser_import_structs;
}

/* Make an import of the values themselves, whether from a dictionary or not. */
static void
init_values(RowserImport *import, const RowserArrowField *field,
			int32 typmod, const char *column)
{
	switch (import->kind)
	{
		case ROWSER_KIND_ARRAY:
			init_array(import, field, typmod, column);
			return;
		case ROWSER_KIND_COMPOSITE:
		case ROWSER_KIND_RECORD:
			init_struct(import, field, column);
			return;
		default:
			break;
	}
	import->function = rowser_import_numbers(field);
	if (import->function == NULL)
	{
		import->function = rowser_import_texts(field, import->kind);
		init_input(import, column);
	}
	if (typmod != -1)
		import->cast = rowser_cast_create(import->typid, import->typid,
										  typmod, true, column);
}

/* Find or make a dictionary's form for a type. */
static RowserImportForm *
find_form(RowserImport *import, const RowserArrowField *field, int32 typmod,
		  const char *column)
{
	RowserImports *imports = import->imports;
	uint32		number = rowser_arrow_dictionary_of(imports->reader, field);
	RowserImportDictionary *dictionary = &imports->dictionaries[number];
	RowserImportForm *form;

	for (uint32 i = 0; i < dictionary->nforms; i++)
	{
		form = dictionary->forms[i];
		if (form->type == import->typid && form->typmod == typmod &&
			form->type != RECORDOID && form->type != RECORDARRAYOID)
			return form;
	}
	if (dictionary->nforms == ROWSER_IMPORT_MAX_FORMS)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot read column \"%s\" of Arrow type %s", column,
						rowser_arrow_type_name(field->type)),
				 errdetail("Its dictionary is shared by fields of more than %d types.",
						   ROWSER_IMPORT_MAX_FORMS)));
	form = palloc0(sizeof(RowserImportForm));
	dictionary->forms[dictionary->nforms++] = form;
	form->type = import->typid;
	form->typmod = typmod;
	form->column = column;
	form->typlen = get_typlen(import->typid);
	form->context = AllocSetContextCreate(imports->context,
										  "rowser arrow dictionary",
										  ALLOCSET_DEFAULT_SIZES);
	form->import.imports = imports;
	form->import.kind = import->kind;
	form->import.typid = import->typid;
	init_values(&form->import, field, typmod, column);
	return form;
}

void
rowser_import_init(RowserImport *import, RowserImports *imports,
				   const RowserArrowField *field, Oid type, int32 typmod,
				   const char *column)
{
	check_stack_depth();
	memset(import, 0, sizeof(*import));
	import->imports = imports;
	import->typid = getBaseTypeAndTypmod(type, &typmod);
	import->kind = rowser_kind_of(import->typid);
	if (field->has_dictionary)
		import->form = find_form(import, field, typmod, column);
	else
		init_values(import, field, typmod, column);
}

/* ----------------------------------------------------------------
 *		Values
 * ----------------------------------------------------------------
 */

/* Which of some values are NULL; returns whether all are. */
static bool
import_nulls(const RowserArrowArray *array, uint32 start, uint32 nvalues,
			 const bool *skip, bool *nulls)
{
	uint32		nnulls = 0;

	if (array->nnulls == array->length)
	{
		memset(nulls, true, nvalues);
		return true;
	}
	if (array->validity == NULL)
	{
		if (skip == NULL)
			memset(nulls, false, nvalues);
		else
			memcpy(nulls, skip, nvalues);
		return false;
	}
	for (uint32 i = 0; i < nvalues; i++)
	{
		nulls[i] = rowser_arrow_is_null(array, start + i) ||
			(skip != NULL && skip[i]);
		nnulls += nulls[i];
	}
	return nnulls == nvalues;
}

/* Look values up in a dictionary, whose indexes have been checked. */
static void
import_indexes(const RowserImportForm *form, const RowserArrowArray *array,
			   uint32 start, uint32 nvalues, Datum *values, bool *nulls)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		uint32		index;

		if (nulls[i])
			continue;
		index = rowser_arrow_index(array, start + i);
		if (unlikely(index >= form->nvalues))
			rowser_import_fail(array, "An index is outside of its dictionary");
		values[i] = form->values[index];
		nulls[i] = form->nulls[index];
	}
}

/*
 * Have values be of the typmod that the field names.  A few bytes could ask for
 * megabytes of blanks, in each row, so char(n) must have its length.
 */
static void
check_typmod(const RowserImport *import, const RowserArrowArray *array,
			 uint32 nvalues, Datum *values, bool *nulls)
{
	for (uint32 i = 0; i < nvalues; i++)
	{
		if (nulls[i])
			continue;
		CHECK_FOR_INTERRUPTS();
		if (import->typid == BPCHAROID &&
			!rowser_cast_is_needless(import->cast, values[i]))
			rowser_import_fail(array,
							   "A text is not as long as its type says");
		values[i] = rowser_cast_value(import->cast, values[i], &nulls[i]);
	}
}

void
rowser_import_values(RowserImport *import, const RowserArrowArray *array,
					 uint32 start, uint32 nvalues, const bool *skip,
					 Datum *values, bool *nulls)
{
	check_stack_depth();
	if (import_nulls(array, start, nvalues, skip, nulls))
		return;
	if (array->is_indexes)
	{
		import_indexes(import->form, array, start, nvalues, values, nulls);
		return;
	}
	import->function(import, array, start, nvalues, nulls, values);
	if (import->cast != NULL)
		check_typmod(import, array, nvalues, values, nulls);
}

/* ----------------------------------------------------------------
 *		Dictionaries
 * ----------------------------------------------------------------
 */

/* Make room for more values of a dictionary. */
static void
enlarge_form(RowserImportForm *form, uint64 nvalues)
{
	uint64		capacity = Max(nvalues, (uint64) form->capacity * 2);

	if (nvalues <= form->capacity)
		return;
	if (form->capacity == 0)
	{
		form->values = rowser_import_alloc(capacity, sizeof(Datum));
		form->nulls = rowser_import_alloc(capacity, sizeof(bool));
	}
	else
	{
		form->values = repalloc_huge(form->values, capacity * sizeof(Datum));
		form->nulls = repalloc_huge(form->nulls, capacity * sizeof(bool));
	}
	form->capacity = (uint32) Min(capacity, PG_UINT32_MAX);
}

static void
load_form(RowserImportForm *form, const RowserArrowReadBatch *batch)
{
	RowserImports *imports = form->import.imports;
	MemoryContext old_context;

	imports->memory -= form->memory;
	if (!batch->is_delta)
	{
		MemoryContextReset(form->context);
		form->nvalues = form->capacity = 0;
	}
	old_context = MemoryContextSwitchTo(form->context);
	rowser_imports_check_memory(imports, (uint64) batch->length *
								(sizeof(Datum) + sizeof(bool)));
	enlarge_form(form, (uint64) form->nvalues + batch->length);
	for (uint32 start = 0; start < batch->length;)
	{
		uint32		n = rowser_import_step(&form->import, &batch->arrays[0],
										   1, start,
										   Min(batch->length - start,
											   LOAD_STEP));

		CHECK_FOR_INTERRUPTS();
		rowser_imports_check_memory(imports, 0);
		rowser_import_values(&form->import, &batch->arrays[0], start, n, NULL,
							 form->values + form->nvalues,
							 form->nulls + form->nvalues);
		start += n;
		form->nvalues += n;
	}
	rowser_imports_check_memory(imports, 0);
	form->memory = MemoryContextMemAllocated(form->context, false);
	imports->memory += form->memory;
	MemoryContextSwitchTo(old_context);
}

void
rowser_imports_dictionary(RowserImports *imports,
						  const RowserArrowReadBatch *batch)
{
	RowserImportDictionary *dictionary =
	&imports->dictionaries[batch->dictionary];

	for (uint32 i = 0; i < dictionary->nforms; i++)
	{
		imports->loading = dictionary->forms[i]->column;
		load_form(dictionary->forms[i], batch);
	}
	imports->loading = NULL;
}
