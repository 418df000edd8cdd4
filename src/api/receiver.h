/*-------------------------------------------------------------------------
 *
 * receiver.h
 *	  A DestReceiver that makes a rowset of the rows that it is given.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_API_RECEIVER_H
#define ROWSER_API_RECEIVER_H

#include "tcop/dest.h"

#include "rowset/writer.h"

typedef struct RowserReceiver
{
	DestReceiver pub;
	MemoryContext context;		/* where the rowset is to be */
	RowserWriterOptions options;	/* the session's, or changed by then */
	RowserWriter *writer;		/* made when the rows' shape is known */
	RowserProgress *progress;	/* to be set, or left NULL */
} RowserReceiver;

/* Prepare a receiver, whose rowset will be in the current context. */
extern void rowser_receiver_init(RowserReceiver *receiver);

/*
 * Begin the rowset for rows of a shape, as the executor does when it starts.
 * Raises what rowser_writer_create() raises.
 */
extern void rowser_receiver_begin(RowserReceiver *receiver,
								  TupleDesc tupdesc);

#endif							/* ROWSER_API_RECEIVER_H */
