/*-------------------------------------------------------------------------
 *
 * copy_format.h
 *	  The binary format of COPY, as PostgreSQL's documentation of COPY has it.
 *
 * Integers are in network byte order.  A header is the signature, flags and
 * the size of an extension area; a row is its number of fields, and for each
 * of them a size and as many bytes; the end is marked in place of a row.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_COPY_FORMAT_H
#define ROWSER_API_COPY_FORMAT_H

#define ROWSER_COPY_SIGNATURE		"PGCOPY\n\377\r\n\0"
#define ROWSER_COPY_SIGNATURE_SIZE	11

/* Flags: the upper half must be known to a reader, which knows but one. */
#define ROWSER_COPY_CRITICAL_FLAGS	0xFFFF0000
#define ROWSER_COPY_HAS_OIDS		(1 << 16)	/* before PostgreSQL 12 */

/* In place of a size: the field is NULL; of a number of fields: the end */
#define ROWSER_COPY_NULL			(-1)
#define ROWSER_COPY_END				(-1)

#endif							/* ROWSER_API_COPY_FORMAT_H */
