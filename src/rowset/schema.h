/*-------------------------------------------------------------------------
 *
 * schema.h
 *	  A rowset's schema: what its header says of its columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_SCHEMA_H
#define ROWSER_ROWSET_SCHEMA_H

#include "bytes/header.h"

/*
 * Raise 42804, with what differs, unless the columns of two rowsets have the
 * same names, types, typmods and collations, and their text one encoding.
 */
extern void rowser_schema_check_same(const RowserHeader *first,
									 const RowserHeader *other);

/*
 * The SHA-256 of just that, in hexadecimal digits; palloc'd.  Two rowsets have
 * the same one if they pass the check.
 */
extern char *rowser_schema_hash(const RowserHeader *header);

#endif							/* ROWSER_ROWSET_SCHEMA_H */
