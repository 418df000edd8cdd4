/*-------------------------------------------------------------------------
 *
 * arrow_message.h
 *	  What the files that write an Arrow IPC stream's messages share; nobody
 *	  else includes it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_ARROW_MESSAGE_H
#define ROWSER_BYTES_ARROW_MESSAGE_H

#include "bytes/arrow_write.h"
#include "bytes/flatbuffer_write.h"

/* A message that is being written */
typedef struct RowserArrowMessage
{
	RowserArrowStream *stream;
	RowserFlatbuffer metadata;
	size_t		start;			/* of the prefix; a position in the buffer */
	size_t		header;			/* the reference to what the message is */
	size_t		body_length;	/* where that goes */
} RowserArrowMessage;

/* Begin a message, whose table of its kind is to be written next. */
extern void rowser_arrow_message_begin(RowserArrowMessage *message,
									   RowserArrowStream *stream,
									   RowserArrowMessageKind kind);

/* The metadata is written: say how large it is.  The body comes next. */
extern void rowser_arrow_message_finish_metadata(RowserArrowMessage *message);

#endif							/* ROWSER_BYTES_ARROW_MESSAGE_H */
