/*-------------------------------------------------------------------------
 *
 * arrow_export.h
 *	  A rowset's columns as Arrow arrays.
 *
 * An export is made for each column and for each part of nested ones, as
 * Arrow's fields are.  First every row group's node is shown to it, since some
 * of what the schema says depends on them; then it is prepared; then it takes
 * the values of one row group after the other.
 *
 * Memory: an export and its buffers belong to the context that was current
 * when it was made; values on their way are in a context of their own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_ARROW_EXPORT_H
#define ROWSER_COLUMNS_ARROW_EXPORT_H

#include "bytes/arrow_write.h"
#include "columns/arrow_type.h"
#include "columns/decoder.h"
#include "columns/distinct.h"

/* How many values are on their way at the same time */
#define ROWSER_ARROW_BATCH 1024
#define ROWSER_ARROW_NESTED_BATCH 256

typedef struct RowserArrowExport RowserArrowExport;

/* How an array's values lie in its buffers; Arrow Columnar Format, Layouts */
typedef enum RowserArrowLayout
{
	ROWSER_ARROW_LAYOUT_BITS,
	ROWSER_ARROW_LAYOUT_FIXED,
	ROWSER_ARROW_LAYOUT_VARIABLE,
	ROWSER_ARROW_LAYOUT_LIST,
	ROWSER_ARROW_LAYOUT_STRUCT
} RowserArrowLayout;

/* What the exports of a rowset share */
typedef struct RowserArrowShared
{
	MemoryContext context;		/* of the exports */
	MemoryContext scratch;		/* of values on their way */
	int			encoding;		/* of the rowset's text */
	bool		null_unrepresentable;	/* NULL rather than an error */
	uint64		size;			/* bytes in the buffers of all */
	uint64		first_row;		/* of the row group at hand; 0-based */
	Datum	   *values;			/* ROWSER_ARROW_BATCH of each */
	bool	   *nulls;
} RowserArrowShared;

struct RowserArrowExport
{
	RowserArrowShared *shared;
	RowserArrowExport *parent;	/* NULL for a column */
	RowserString name;
	const RowserType *described;
	const RowserType *base;		/* without domains */
	RowserArrowForm form;
	RowserArrowLayout layout;
	uint32		width;			/* FIXED: bytes a value */
	int32		scale;			/* DECIMAL */
	RowserArrowField *field;	/* of the schema; borrowed */

	RowserDecoder *decoder;
	FmgrInfo	output;			/* PRINTED */

	/* Parts: a list's items, a struct's fields */
	uint32		nchildren;
	RowserArrowExport *children;

	/* Records: their row type, if all row groups have the same one */
	bool		is_record;
	bool		has_row_type;
	bool		is_mixed;
	RowserDecoder *record_fields;

	/*
	 * Text: what row groups have, and the dictionary that is for all of them
	 */
	bool		saw_dictionary;
	bool		lacks_dictionary;
	bool		has_dictionary;
	RowserDistinct *distinct;
	int32	   *numbers;		/* in it, of a row group's own entries */
	uint32		numbers_capacity;
	bool		is_mapped;		/* numbers are those of this row group */

	/* The array: values of the row group so far */
	uint64		length;
	uint64		null_count;
	RowserBuffer validity;		/* empty while there are no NULLs */
	RowserBuffer offsets;		/* VARIABLE, LIST */
	RowserBuffer data;			/* all but LIST and STRUCT */
};

/* Begin exports of a rowset whose text is in an encoding. */
extern RowserArrowShared *
rowser_arrow_shared_create(int encoding, bool null_unrepresentable);

/* Begin a row group, whose first row in the rowset is known (0-based). */
extern void rowser_arrow_shared_start(RowserArrowShared *shared,
									  uint64 first_row);

/* Make the export of a column. */
extern void rowser_arrow_export_init(RowserArrowExport *export,
									 RowserArrowShared *shared,
									 RowserArrowExport *parent,
									 RowserString name,
									 const RowserType *described);

/* Look at a row group's node, without its body. */
extern void rowser_arrow_export_survey(RowserArrowExport *export,
									   const RowserNode *node);

/*
 * Every node has been seen: find what is needed to read the values, and
 * describe the field.  Raises what rowser_decoder_init() raises.
 */
extern void rowser_arrow_export_prepare(RowserArrowExport *export,
										RowserArrowField *field);

/*
 * Start on a row group's node, whose body is at hand, with empty buffers; take
 * all of its values.  What this allocates in the current context is not needed
 * afterwards.  Raises 22003, 22008, 22015 or 2202E for a value that Arrow
 * can't hold, and 54000 once there are more bytes than a value can have.
 */
extern void rowser_arrow_export_node(RowserArrowExport *export,
									 const RowserNode *node,
									 const uint8 *body, RowserCursor *at);

/*
 * Whether a column has, at any depth, a dictionary to be made.  If so, all row
 * groups have to be gathered from before the schema is written; values that
 * are taken then are not kept.  Then it is settled everywhere which
 * dictionaries there are.
 */
extern bool
rowser_arrow_export_wants_dictionary(const RowserArrowExport *export);
extern void rowser_arrow_export_gather(RowserArrowExport *export,
									   const RowserNode *node,
									   const uint8 *body, RowserCursor *at);
extern void rowser_arrow_export_settle(RowserArrowExport *export,
									   int64 *next_id);

/* What the export's arrays are made of, for a batch; both may grow. */
typedef struct RowserArrowArrays
{
	RowserArrowNode *nodes;
	uint32		nnodes;
	uint32		nodes_capacity;
	RowserArrowBytes *buffers;
	uint32		nbuffers;
	uint32		buffers_capacity;
} RowserArrowArrays;

extern void rowser_arrow_export_collect(RowserArrowExport *export,
										RowserArrowArrays *arrays);

/* Write the dictionaries of a column, at any depth. */
extern void rowser_arrow_export_write_dictionaries(RowserArrowExport *export,
												   RowserArrowStream *stream);

/* What the files that make up exports share */

/* Decide whether a field that isn't nested is to have a dictionary. */
extern void rowser_arrow_dictionary_prepare(RowserArrowExport *export);

/*
 * Put the values of a node that has been started on into the dictionary; false
 * where it takes a look at each of them to do that.
 */
extern bool rowser_arrow_dictionary_gather(RowserArrowExport *export);

/*
 * Append the indexes of the next values, of which some are NULL; false, and
 * nothing taken, where values have to be decoded for that, and then appended.
 */
extern bool rowser_arrow_dictionary_next(RowserArrowExport *export,
										 uint32 nvalues, bool *nulls);
extern void rowser_arrow_dictionary_append(RowserArrowExport *export,
										   uint32 nvalues,
										   const Datum *values,
										   const bool *nulls);

/* Take the next values of a node; append NULLs. */
extern void rowser_arrow_export_next(RowserArrowExport *export,
									 uint32 nvalues);
extern void rowser_arrow_export_append_nulls(RowserArrowExport *export,
											 uint32 nvalues);

/*
 * Append values of a field that isn't nested, of which some may become NULL.
 */
extern void rowser_arrow_values_append(RowserArrowExport *export,
									   uint32 nvalues, const Datum *values,
									   bool *nulls);

/* Note which of the next values are NULL, once the values are appended. */
extern void rowser_arrow_export_append_validity(RowserArrowExport *export,
												uint32 nvalues,
												const bool *nulls);

/* Append bits to those that a buffer has: those of `bits`, or not those. */
extern void rowser_arrow_append_bits(RowserBuffer *buffer, uint64 nbits,
									 uint32 nvalues, const bool *bits,
									 bool invert);

/*
 * Raise the error for value `i` of those being appended, which Arrow can't
 * hold and which may not be NULL in its place.
 */
rowser_noreturn extern void
rowser_arrow_export_unrepresentable(const RowserArrowExport *export, uint32 i,
									int sqlstate, const char *value);

/*
 * Count what an export has got since its offsets and data had `size` bytes,
 * and raise 54000 when all have too many.
 */
extern void rowser_arrow_array_count(RowserArrowExport *export, size_t size);
rowser_noreturn extern void rowser_arrow_report_too_large(void);

/* Append offsets of some values, none of which has bytes or items. */
extern void rowser_arrow_array_repeat_offset(RowserArrowExport *export,
											 uint32 nvalues);

#endif							/* ROWSER_COLUMNS_ARROW_EXPORT_H */
