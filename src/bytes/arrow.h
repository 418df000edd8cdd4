/*-------------------------------------------------------------------------
 *
 * arrow.h
 *	  What an Arrow IPC stream is made of, for its writer and its reader.
 *
 * Numbers of enums are those of the format's Schema.fbs and Message.fbs, as of
 * metadata version V5.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_ARROW_H
#define ROWSER_BYTES_ARROW_H

#include "bytes/cursor.h"

/* Schema.fbs, enum MetadataVersion: V4 differs for unions only */
#define ROWSER_ARROW_VERSION_V4			3
#define ROWSER_ARROW_VERSION_V5			4

/* Arrow Columnar Format, section Encapsulated message format */
#define ROWSER_ARROW_CONTINUATION		0xFFFFFFFF
#define ROWSER_ARROW_PREFIX_SIZE		8	/* continuation, metadata's size */
#define ROWSER_ARROW_METADATA_ALIGNMENT 8
#define ROWSER_ARROW_BUFFER_ALIGNMENT	64	/* as recommended; 8 is required */

/* Message.fbs, a compressed buffer: its raw size, or that it is not one */
#define ROWSER_ARROW_RAW_SIZE_SIZE		8
#define ROWSER_ARROW_NOT_COMPRESSED		(-1)

/* Message.fbs, union MessageHeader */
typedef enum RowserArrowMessageKind
{
	ROWSER_ARROW_MESSAGE_NONE = 0,
	ROWSER_ARROW_MESSAGE_SCHEMA = 1,
	ROWSER_ARROW_MESSAGE_DICTIONARY_BATCH = 2,
	ROWSER_ARROW_MESSAGE_RECORD_BATCH = 3,
	ROWSER_ARROW_MESSAGE_TENSOR = 4,
	ROWSER_ARROW_MESSAGE_SPARSE_TENSOR = 5
} RowserArrowMessageKind;

/* Schema.fbs, union Type */
typedef enum RowserArrowTypeId
{
	ROWSER_ARROW_NONE = 0,
	ROWSER_ARROW_NULL = 1,
	ROWSER_ARROW_INT = 2,
	ROWSER_ARROW_FLOATING_POINT = 3,
	ROWSER_ARROW_BINARY = 4,
	ROWSER_ARROW_UTF8 = 5,
	ROWSER_ARROW_BOOL = 6,
	ROWSER_ARROW_DECIMAL = 7,
	ROWSER_ARROW_DATE = 8,
	ROWSER_ARROW_TIME = 9,
	ROWSER_ARROW_TIMESTAMP = 10,
	ROWSER_ARROW_INTERVAL = 11,
	ROWSER_ARROW_LIST = 12,
	ROWSER_ARROW_STRUCT = 13,
	ROWSER_ARROW_UNION = 14,
	ROWSER_ARROW_FIXED_SIZE_BINARY = 15,
	ROWSER_ARROW_FIXED_SIZE_LIST = 16,
	ROWSER_ARROW_MAP = 17,
	ROWSER_ARROW_DURATION = 18,
	ROWSER_ARROW_LARGE_BINARY = 19,
	ROWSER_ARROW_LARGE_UTF8 = 20,
	ROWSER_ARROW_LARGE_LIST = 21,
	ROWSER_ARROW_RUN_END_ENCODED = 22,
	ROWSER_ARROW_BINARY_VIEW = 23,
	ROWSER_ARROW_UTF8_VIEW = 24,
	ROWSER_ARROW_LIST_VIEW = 25,
	ROWSER_ARROW_LARGE_LIST_VIEW = 26
} RowserArrowTypeId;

#define ROWSER_ARROW_TYPE_LAST	ROWSER_ARROW_LARGE_LIST_VIEW

/* Schema.fbs, enums Precision, DateUnit, TimeUnit and IntervalUnit */
#define ROWSER_ARROW_PRECISION_HALF		0
#define ROWSER_ARROW_PRECISION_SINGLE	1
#define ROWSER_ARROW_PRECISION_DOUBLE	2

#define ROWSER_ARROW_DATE_DAY			0
#define ROWSER_ARROW_DATE_MILLISECOND	1

#define ROWSER_ARROW_SECOND				0
#define ROWSER_ARROW_MILLISECOND		1
#define ROWSER_ARROW_MICROSECOND		2
#define ROWSER_ARROW_NANOSECOND			3

#define ROWSER_ARROW_YEAR_MONTH			0
#define ROWSER_ARROW_DAY_TIME			1
#define ROWSER_ARROW_MONTH_DAY_NANO		2

/* Schema.fbs, enum Endianness */
#define ROWSER_ARROW_LITTLE_ENDIAN		0

/* Schema.fbs, enum Feature, and Message.fbs, enum CompressionType */
#define ROWSER_ARROW_FEATURE_DICTIONARY_REPLACEMENT	1
#define ROWSER_ARROW_FEATURE_COMPRESSED_BODY		2

typedef enum RowserArrowCodec
{
	ROWSER_ARROW_CODEC_NONE = -1,	/* a batch without BodyCompression */
	ROWSER_ARROW_CODEC_LZ4_FRAME = 0,
	ROWSER_ARROW_CODEC_ZSTD = 1
} RowserArrowCodec;

/* Largest precision of a decimal of 128 bits */
#define ROWSER_ARROW_DECIMAL128_DIGITS	38

typedef struct RowserArrowField RowserArrowField;

/* Schema.fbs, table KeyValue */
typedef struct RowserArrowKeyValue
{
	RowserString key;
	RowserString value;
} RowserArrowKeyValue;

/* A field's metadata that says what a column of this database it was */
#define ROWSER_ARROW_KEY_TYPE_SCHEMA	"postgresql:type_schema"
#define ROWSER_ARROW_KEY_TYPE_NAME		"postgresql:type_name"
#define ROWSER_ARROW_KEY_TYPMOD			"postgresql:typmod"
#define ROWSER_ARROW_KEY_COLLATION		"postgresql:collation"
/* The collation's schema, where that has one beside its name */
#define ROWSER_ARROW_KEY_COLLATION_SCHEMA "postgresql:collation_schema"

/* Arrow Columnar Format, section Extension Types */
#define ROWSER_ARROW_KEY_EXTENSION		"ARROW:extension:name"
#define ROWSER_ARROW_KEY_EXTENSION_METADATA "ARROW:extension:metadata"
#define ROWSER_ARROW_EXTENSION_UUID		"arrow.uuid"
#define ROWSER_ARROW_EXTENSION_JSON		"arrow.json"

/*
 * Schema.fbs, table Field, with its type's parameters and its dictionary's
 * encoding.  `type` is that of the values, also where there is a dictionary.
 * What a type has no use for is 0.  Strings are UTF-8 and borrowed: from the
 * stream, or from whoever made the field.
 */
struct RowserArrowField
{
	RowserString name;
	bool		is_nullable;
	RowserArrowTypeId type;

	/*
	 * Int, Decimal, Time: bits.  FixedSizeBinary: bytes.  FixedSizeList:
	 * values.
	 */
	int32		width;
	bool		is_signed;		/* Int */
	int32		precision;		/* Decimal: digits */
	int32		scale;			/* Decimal: digits behind the point */

	/*
	 * FloatingPoint: its Precision.  Date: DateUnit.  Time, Timestamp,
	 * Duration: TimeUnit.  Interval: IntervalUnit.  Union: UnionMode.
	 */
	int16		unit;
	RowserString timezone;		/* Timestamp; empty without one */

	/* DictionaryEncoding: columns have indexes into a dictionary of values */
	bool		has_dictionary;
	bool		is_ordered;
	bool		index_is_signed;
	int32		index_width;	/* bits */
	int64		dictionary_id;

	uint32		nchildren;
	RowserArrowField *children;
	uint32		nmetadata;
	RowserArrowKeyValue *metadata;
};

#endif							/* ROWSER_BYTES_ARROW_H */
