/*-------------------------------------------------------------------------
 *
 * reader_registry.c
 *	  The session's readers of packets, by name.
 *
 * Readers take part in transactions: what was fed to one in a transaction or a
 * subtransaction that is rolled back has not been fed, so that rows and place
 * stay together.  A reader that was opened in one is gone with it.  Closing is
 * final, as it is for cursors.
 *
 * Memory: each reader has a context, which holds its stream, too; all of these
 * are below one in TopMemoryContext.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/memutils.h"

#include "api/reader_registry.h"

/* So that a session that forgets to close them notices */
#define MAX_READERS 64

static MemoryContext registry_context = NULL;
static dlist_head readers = DLIST_STATIC_INIT(readers);
static int	nreaders = 0;

/* ----------------------------------------------------------------
 *		The ends of transactions
 * ----------------------------------------------------------------
 */

static void
free_reader(RowserSessionReader *reader)
{
	dlist_delete(&reader->node);
	nreaders--;
	MemoryContextDelete(reader->context);
}

/* What was fed stays fed. */
static void
commit_reader(RowserSessionReader *reader)
{
	if (!reader->hold)
	{
		free_reader(reader);
		return;
	}
	reader->created_in = InvalidSubTransactionId;
	rowser_stream_forget_marks(reader->stream);
}

/* What was fed since the beginning of the subtransaction was not. */
static void
abort_reader(RowserSessionReader *reader, SubTransactionId id)
{
	if (reader->created_in != InvalidSubTransactionId &&
		reader->created_in >= id)
		free_reader(reader);
	else
		rowser_stream_go_back(reader->stream, id);
}

/* Refuse to prepare a transaction that the reader may not agree with later. */
static void
check_prepare(const RowserSessionReader *reader)
{
	if (reader->hold &&
		(reader->created_in != InvalidSubTransactionId ||
		 rowser_stream_is_marked(reader->stream)))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot PREPARE a transaction that has opened or fed a reader that is held"),
				 errdetail("Reader \"%s\" would stay as it is, even if the transaction were rolled back.",
						   reader->name)));
}

static void
end_transaction(XactEvent event, void *arg)
{
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &readers)
	{
		RowserSessionReader *reader =
		dlist_container(RowserSessionReader, node, iter.cur);

		switch (event)
		{
			case XACT_EVENT_PRE_PREPARE:
				check_prepare(reader);
				break;
			case XACT_EVENT_COMMIT:
			case XACT_EVENT_PREPARE:
				commit_reader(reader);
				break;
			case XACT_EVENT_ABORT:
				abort_reader(reader, TopSubTransactionId);
				break;
			default:
				break;
		}
	}
}

static void
end_subtransaction(SubXactEvent event, SubTransactionId id,
				   SubTransactionId parent, void *arg)
{
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &readers)
	{
		RowserSessionReader *reader =
		dlist_container(RowserSessionReader, node, iter.cur);

		if (event == SUBXACT_EVENT_ABORT_SUB)
			abort_reader(reader, id);
		else if (event != SUBXACT_EVENT_COMMIT_SUB)
			continue;
		else if (reader->created_in == id)
			reader->created_in = parent;
		else if (reader->created_in == parent)
			rowser_stream_forget_marks(reader->stream);
		else
			rowser_stream_pass(reader->stream, id, parent);
	}
}

/* ----------------------------------------------------------------
 *		Readers
 * ----------------------------------------------------------------
 */

static RowserSessionReader *
lookup(const char *name)
{
	dlist_iter	iter;

	dlist_foreach(iter, &readers)
	{
		RowserSessionReader *reader =
		dlist_container(RowserSessionReader, node, iter.cur);

		if (strcmp(reader->name, name) == 0)
			return reader;
	}
	return NULL;
}

static void
init_registry(void)
{
	static bool has_callback = false;
	static bool has_sub_callback = false;

	if (registry_context == NULL)
		registry_context = AllocSetContextCreate(TopMemoryContext,
												 "rowser readers",
												 ALLOCSET_SMALL_SIZES);
	/* each once, should one of these have failed before */
	if (!has_callback)
		RegisterXactCallback(end_transaction, NULL);
	has_callback = true;
	if (!has_sub_callback)
		RegisterSubXactCallback(end_subtransaction, NULL);
	has_sub_callback = true;
}

/* Refuse a name that can't be given to a new reader. */
static void
check_name(const char *name)
{
	if (name[0] == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_NAME),
				 errmsg("reader name must not be empty")));
	if (strlen(name) >= NAMEDATALEN)
		ereport(ERROR,
				(errcode(ERRCODE_NAME_TOO_LONG),
				 errmsg("reader name is too long"),
				 errdetail("It has %zu bytes; at most %d are allowed.",
						   strlen(name), NAMEDATALEN - 1)));
	if (lookup(name) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("reader \"%s\" already exists", name)));
}

void
rowser_registry_open(const char *name, bool hold)
{
	RowserSessionReader *reader;
	MemoryContext context;
	MemoryContext old_context;

	check_name(name);
	if (nreaders >= MAX_READERS)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("too many readers"),
				 errdetail("A session can have %d.", MAX_READERS),
				 errhint("Close readers with rowset_reader_close.")));
	init_registry();
	context = AllocSetContextCreate(CurrentMemoryContext,
									"rowser session reader",
									ALLOCSET_SMALL_SIZES);
	old_context = MemoryContextSwitchTo(context);
	reader = palloc0(sizeof(RowserSessionReader));
	reader->context = context;
	strlcpy(reader->name, name, NAMEDATALEN);
	reader->hold = hold;
	reader->created_in = GetCurrentSubTransactionId();
	reader->stream = rowser_stream_create();
	MemoryContextSwitchTo(old_context);
	/* nothing can fail any more */
	MemoryContextSetParent(context, registry_context);
	dlist_push_tail(&readers, &reader->node);
	nreaders++;
}

RowserSessionReader *
rowser_registry_find(const char *name)
{
	RowserSessionReader *reader = lookup(name);

	if (reader == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("reader \"%s\" does not exist", name),
				 errhint("Open it with rowset_reader_open. A reader ends with its transaction, unless it is opened to be held.")));
	return reader;
}

/* A cast that reading runs may call us, too. */
static void
check_idle(const RowserSessionReader *reader)
{
	if (reader->is_busy)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("reader \"%s\" is busy", reader->name),
				 errdetail("It is reading a packet.")));
}

void
rowser_registry_close(RowserSessionReader *reader)
{
	check_idle(reader);
	free_reader(reader);
}

void
rowser_registry_claim(RowserSessionReader *reader)
{
	SubTransactionId id = GetCurrentSubTransactionId();

	check_idle(reader);
	/* a reader as old as the subtransaction would be gone with it */
	if (reader->created_in != id)
		rowser_stream_mark(reader->stream, id);
	reader->is_busy = true;
}

void
rowser_registry_release(RowserSessionReader *reader)
{
	reader->is_busy = false;
}
