/*-------------------------------------------------------------------------
 *
 * pin.h
 *	  Type I/O functions under settings that don't depend on the session.
 *
 * Send and receive functions convert to and from client_encoding, and many
 * output and input functions obey DateStyle, search_path and the like.  A
 * rowset's bytes must not, so every such function is called through here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_PIN_H
#define ROWSER_COLUMNS_PIN_H

#include "fmgr.h"

/*
 * Pin the settings that output and input functions obey, until
 * rowser_pin_end() or an error.  Returns what rowser_pin_end() wants.
 */
extern int	rowser_pin_begin(void);
extern void rowser_pin_end(int nest_level);

/* Call a send function, text in the database's encoding. */
extern bytea *rowser_pin_send(FmgrInfo *send, Datum value);

/*
 * Call a receive function on bytes whose text is in `encoding`; they must be
 * used up.  They need not be terminated.
 */
extern Datum rowser_pin_receive(FmgrInfo *receive, const void *bytes,
								uint32 size, Oid typioparam, int32 typmod,
								int encoding);

#endif							/* ROWSER_COLUMNS_PIN_H */
