/*-------------------------------------------------------------------------
 *
 * arrow_read.h
 *	  Reading an Arrow IPC stream: its schema, its dictionaries and its record
 *	  batches (Arrow Columnar Format, section Serialization and Interprocess
 *	  Communication).
 *
 * The file format is read, too; it has a stream's messages.  Functions
 * return false and fill the reader's fault for bytes that are no such stream,
 * and for what isn't supported.  A length that no bytes stand for is bounded, and
 * so is what is decompressed, before any memory is asked for.
 *
 * Memory comes from rowser_memory_alloc(): that of the reader and its fields
 * when it is opened, that of a batch when it is read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_ARROW_READ_H
#define ROWSER_BYTES_ARROW_READ_H

#include "bytes/arrow_array.h"
#include "bytes/flatbuffer_read.h"

/* Fields of a schema, those below others included, and how deep they may be */
#define ROWSER_ARROW_MAX_FIELDS		65536
#define ROWSER_ARROW_MAX_DEPTH		32

/* Bytes of a field's name that are checked, and more than are used */
#define ROWSER_ARROW_NAME_SIZE		256

/* Rows of a batch, and values of a list, for which there are no bytes at all */
#define ROWSER_ARROW_MAX_BARE_ROWS		1048576
#define ROWSER_ARROW_MAX_BARE_VALUES	65536

/* Bytes that the buffers of a message may have when they are decompressed */
#define ROWSER_ARROW_MAX_RAW_SIZE	((uint64) 1024 * 1024 * 1024 - 1)

/* A dictionary, which fields of one type may share */
typedef struct RowserArrowDictionary
{
	int64		id;
	const RowserArrowField *field;	/* the first with it; borrowed */
	uint32		length;			/* so far */
} RowserArrowDictionary;

typedef struct RowserArrowReader
{
	const uint8 *bytes;			/* borrowed */
	uint64		size;
	uint64		next;			/* where the next message begins */
	RowserFault *fault;			/* borrowed */

	/* a file: what is behind the messages, whose bytes `size` doesn't count */
	bool		is_file;
	RowserFlatBuffer footer;
	RowserFlatVector blocks[2]; /* where dictionaries are, and record batches */
	bool		dictionaries_done;	/* the former have all been read */
	uint32		next_block;

	uint32		nfields;
	RowserArrowField *fields;	/* owned */
	uint32		ndictionaries;
	RowserArrowDictionary *dictionaries;	/* owned; ordered by id */
} RowserArrowReader;

typedef enum RowserArrowBatchKind
{
	ROWSER_ARROW_BATCH_END,		/* of the stream; there is no batch */
	ROWSER_ARROW_BATCH_ROWS,
	ROWSER_ARROW_BATCH_DICTIONARY
} RowserArrowBatchKind;

typedef struct RowserArrowReadBatch
{
	RowserArrowBatchKind kind;
	uint32		length;			/* rows, or a dictionary's values */
	uint32		dictionary;		/* which of the reader's */
	bool		is_delta;		/* behind the values that it has already */
	RowserArrowArray *arrays;	/* one a field; one for a dictionary */
} RowserArrowReadBatch;

/* Open a stream of `size` bytes, up to its schema. */
extern bool rowser_arrow_open(RowserArrowReader *reader, const uint8 *bytes,
							  uint64 size, RowserFault *fault);

/* Read the next batch.  Behind the end there must be nothing. */
extern bool rowser_arrow_next(RowserArrowReader *reader,
							  RowserArrowReadBatch *batch);

/* The number of a field's dictionary among the reader's */
extern uint32 rowser_arrow_dictionary_of(const RowserArrowReader *reader,
										 const RowserArrowField *field);

/* Type names as Schema.fbs has them, to be shown */
extern const char *rowser_arrow_type_name(RowserArrowTypeId type);

/* ----------------------------------------------------------------
 *		What the files that make up the reader share
 * ----------------------------------------------------------------
 */

/* A message whose header is `header` */
typedef struct RowserArrowMessage
{
	RowserArrowMessageKind kind;
	RowserFlatBuffer buffer;
	RowserFlatTable header;
	uint64		body;			/* where the body is in the stream */
	uint64		body_size;
} RowserArrowMessage;

/* Read a schema's fields and list their dictionaries. */
extern bool rowser_arrow_schema_read(RowserArrowReader *reader,
									 const RowserFlatTable *table);

/* Read a type's parameters; and those of an integer, as indexes have them. */
extern bool rowser_arrow_parameters_read(const RowserFlatTable *table,
										 RowserArrowField *field);
extern bool rowser_arrow_integer_read(const RowserFlatTable *table,
									  int32 *width, bool *is_signed);

/*
 * Files: whether bytes are one, opening it up to its schema, and going to the
 * next message, whose kind the footer tells; NONE behind the last one.
 */
extern bool rowser_arrow_is_file(const uint8 *bytes, uint64 size);
extern bool rowser_arrow_file_open(RowserArrowReader *reader);
extern bool rowser_arrow_file_seek(RowserArrowReader *reader,
								   RowserArrowMessageKind *kind);

/*
 * Read the record batch that `table` is the header of: `nfields` arrays, of
 * their fields' values or, for a dictionary, of what the field's indexes lead to.
 */
extern bool rowser_arrow_arrays_read(RowserArrowReader *reader,
									 const RowserArrowMessage *message,
									 const RowserFlatTable *table,
									 const RowserArrowField *fields,
									 uint32 nfields, bool is_dictionary,
									 RowserArrowReadBatch *batch);

/* Note a fault at a place in the stream; always returns false. */
extern bool rowser_arrow_fail(const RowserArrowReader *reader, uint64 place,
							  RowserFaultKind kind, const char *what);

#endif							/* ROWSER_BYTES_ARROW_READ_H */
