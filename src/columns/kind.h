/*-------------------------------------------------------------------------
 *
 * kind.h
 *	  Kinds: the ways in which values go between Datums and bytes.
 *
 * A type's shape says how its values lie in the bytes; its kind says in
 * addition what they are in memory.  Types of one kind share all code.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_KIND_H
#define ROWSER_COLUMNS_KIND_H

#include "bytes/header.h"

typedef enum RowserKind
{
	/* fixed width, by value */
	ROWSER_KIND_BOOL,
	ROWSER_KIND_INT1,			/* "char" */
	ROWSER_KIND_INT2,
	ROWSER_KIND_INT4,
	ROWSER_KIND_INT8,
	ROWSER_KIND_FLOAT4,
	ROWSER_KIND_FLOAT8,
	ROWSER_KIND_DATE,
	ROWSER_KIND_TIME,
	ROWSER_KIND_TIMESTAMP,

	/* fixed width, by reference */
	ROWSER_KIND_FIXED,			/* uuid, macaddr, macaddr8: as in memory */
	ROWSER_KIND_TIMETZ,
	ROWSER_KIND_INTERVAL,
	ROWSER_KIND_TID,

	/* images */
	ROWSER_KIND_NUMERIC,
	ROWSER_KIND_TEXT,			/* text, varchar, bpchar */
	ROWSER_KIND_NAME,
	ROWSER_KIND_JSON,
	ROWSER_KIND_XML,
	ROWSER_KIND_NODE_TREE,		/* pg_node_tree */
	ROWSER_KIND_BYTES,
	ROWSER_KIND_BINARY,			/* send and receive functions */
	ROWSER_KIND_OUTPUT,			/* output and input functions */
	ROWSER_KIND_VECTOR,			/* int2vector, oidvector: their text */
	ROWSER_KIND_REG,			/* reg*: by name */
	ROWSER_KIND_PRINTED,		/* output function only; described as text */
	ROWSER_KIND_ENUM,

	/* nested */
	ROWSER_KIND_ARRAY,
	ROWSER_KIND_COMPOSITE,
	ROWSER_KIND_RECORD,
	ROWSER_KIND_RANGE,
	ROWSER_KIND_MULTIRANGE,
	ROWSER_KIND_DOMAIN,

	ROWSER_KIND_NONE			/* can't be carried */
} RowserKind;

/*
 * The kind of a type; ROWSER_KIND_NONE for one whose values can't be read or
 * printed, shell types among them.
 */
extern RowserKind rowser_kind_of(Oid type);

/*
 * The kind of a built-in type that has a way of its own, else
 * ROWSER_KIND_NONE; no catalogue is looked at.
 */
extern RowserKind rowser_kind_of_builtin(Oid type);

/* The shape of a kind's values, and the width of the shape FIXED. */
extern RowserShape rowser_kind_shape(RowserKind kind);
extern uint8 rowser_kind_width(RowserKind kind, Oid type);

/*
 * The type whose output and input functions stand for a reg* type's: those
 * that name a function or an operator with its argument types.
 */
extern Oid	rowser_reg_text_type(Oid type);

#endif							/* ROWSER_COLUMNS_KIND_H */
