/*-------------------------------------------------------------------------
 *
 * receiver.c
 *	  A DestReceiver that makes a rowset of the rows that it is given.
 *
 * Slots go straight into a writer, so no row is kept twice.
 *
 * Memory: the writer and its result are in the context that was current when
 * the receiver was prepared; the executor calls in contexts of its own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "api/receiver.h"
#include "settings.h"

void
rowser_receiver_begin(RowserReceiver *receiver, TupleDesc tupdesc)
{
	MemoryContext old_context = MemoryContextSwitchTo(receiver->context);

	receiver->writer = rowser_writer_create(tupdesc, receiver->options);
	if (receiver->progress != NULL)
		rowser_writer_set_progress(receiver->writer, receiver->progress);
	MemoryContextSwitchTo(old_context);
}

/* A query that is run in steps starts up for each of them. */
static void
receiver_startup(DestReceiver *self, int operation, TupleDesc tupdesc)
{
	RowserReceiver *receiver = (RowserReceiver *) self;

	if (receiver->writer == NULL)
		rowser_receiver_begin(receiver, tupdesc);
}

static bool
receiver_receive(TupleTableSlot *slot, DestReceiver *self)
{
	slot_getallattrs(slot);
	rowser_writer_append(((RowserReceiver *) self)->writer, slot->tts_values,
						 slot->tts_isnull);
	return true;
}

static void
receiver_nothing(DestReceiver *self)
{
}

/*
 * The destination is none of core's.  It must not be DestNone, which FETCH
 * takes for MOVE; core does nothing with DestTuplestore but hand it on.
 */
void
rowser_receiver_init(RowserReceiver *receiver)
{
	receiver->pub.receiveSlot = receiver_receive;
	receiver->pub.rStartup = receiver_startup;
	receiver->pub.rShutdown = receiver_nothing;
	receiver->pub.rDestroy = receiver_nothing;
	receiver->pub.mydest = DestTuplestore;
	receiver->context = CurrentMemoryContext;
	receiver->options = rowser_settings_writer_options();
	receiver->writer = NULL;
	receiver->progress = NULL;
}
