/*-------------------------------------------------------------------------
 *
 * collation.h
 *	  Which collations sort text by its bytes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_SCAN_COLLATION_H
#define ROWSER_SCAN_COLLATION_H

/*
 * Whether text compares under a collation as memcmp() does its bytes.  False
 * for a collation that exists no more.
 */
extern bool rowser_collation_sorts_bytes(Oid collation);

#endif							/* ROWSER_SCAN_COLLATION_H */
