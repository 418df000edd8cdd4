/*-------------------------------------------------------------------------
 *
 * reader_registry.h
 *	  The session's readers of packets, by name.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_READER_REGISTRY_H
#define ROWSER_API_READER_REGISTRY_H

#include "lib/ilist.h"

#include "rowset/stream.h"

typedef struct RowserSessionReader
{
	dlist_node	node;
	MemoryContext context;		/* which the reader is in */
	char		name[NAMEDATALEN];
	bool		hold;			/* outlives the transaction */
	bool		is_busy;		/* a packet is being read */
	SubTransactionId created_in;	/* invalid once that has been committed */
	RowserStream *stream;
} RowserSessionReader;

/*
 * Open a reader.  It ends with the transaction, unless it is to be held, and
 * with a subtransaction that is rolled back in any case.  Raises 42602 for an
 * empty name, 42622 for one that is too long, 42710 for one that is in use and
 * 53400 when there are too many readers.
 */
extern void rowser_registry_open(const char *name, bool hold);

/* Find a reader; raises 42704 if there is none. */
extern RowserSessionReader *rowser_registry_find(const char *name);

/* Close a reader; raises 55006 while it is busy. */
extern void rowser_registry_close(RowserSessionReader *reader);

/*
 * Claim a reader to feed it a packet, which is undone when the subtransaction is
 * rolled back; and let go of it again, also after an error.  Raises 55006 while
 * it is busy.
 */
extern void rowser_registry_claim(RowserSessionReader *reader);
extern void rowser_registry_release(RowserSessionReader *reader);

#endif							/* ROWSER_API_READER_REGISTRY_H */
