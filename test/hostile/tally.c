/*-------------------------------------------------------------------------
 *
 * tally.c
 *	  Counting what calls make of mutants, by kind of outcome.
 *
 * An error's kind is its SQLSTATE and the format of its message, which stays
 * the same when a mutant's own bytes go into the message.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tupdesc.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "tally.h"

typedef struct Entry
{
	Outcome		outcome;
	char	   *sample;
	char	   *mutant;
	int64		noutcomes;
	double		slowest;
} Entry;

struct Tally
{
	MemoryContext context;
	Entry	   *entries;
	int			nentries;
	int			capacity;
};

Tally *
hostile_tally_create(void)
{
	Tally	   *tally = palloc(sizeof(Tally));

	tally->context = CurrentMemoryContext;
	tally->nentries = 0;
	tally->capacity = 64;
	tally->entries = palloc(tally->capacity * sizeof(Entry));
	return tally;
}

static bool
is_same(const Outcome *a, const Outcome *b)
{
	return a->sqlstate == b->sqlstate && a->elevel == b->elevel &&
		a->is_located == b->is_located && a->call == b->call &&
		strcmp(a->message, b->message) == 0;
}

static Entry *
find_entry(Tally *tally, const Outcome *outcome)
{
	for (int i = 0; i < tally->nentries; i++)
	{
		if (is_same(&tally->entries[i].outcome, outcome))
			return &tally->entries[i];
	}
	return NULL;
}

static Entry *
add_entry(Tally *tally, const Outcome *outcome, const char *sample,
		  const char *mutant)
{
	MemoryContext old_context = MemoryContextSwitchTo(tally->context);
	Entry	   *entry;

	if (tally->nentries == tally->capacity)
	{
		tally->capacity *= 2;
		tally->entries = repalloc(tally->entries,
								  tally->capacity * sizeof(Entry));
	}
	entry = &tally->entries[tally->nentries++];
	entry->outcome = *outcome;
	entry->outcome.message = pstrdup(outcome->message);
	entry->sample = pstrdup(sample);
	entry->mutant = pstrdup(mutant);
	entry->noutcomes = 0;
	entry->slowest = 0;
	MemoryContextSwitchTo(old_context);
	return entry;
}

void
hostile_tally_add(Tally *tally, const Outcome *outcome, const char *sample,
				  const char *mutant, double milliseconds)
{
	Entry	   *entry = find_entry(tally, outcome);

	if (entry == NULL)
		entry = add_entry(tally, outcome, sample, mutant);
	entry->noutcomes++;
	entry->slowest = Max(entry->slowest, milliseconds);
}

void
hostile_tally_put(const Tally *tally, Tuplestorestate *store,
				  TupleDesc tupdesc)
{
	for (int i = 0; i < tally->nentries; i++)
	{
		const Entry *entry = &tally->entries[i];
		const Outcome *outcome = &entry->outcome;
		Datum		values[8];
		bool		nulls[8] = {false};

		values[0] = CStringGetTextDatum(outcome->call);
		values[1] = CStringGetTextDatum(outcome->elevel == WARNING ?
										"warning" :
										unpack_sql_state(outcome->sqlstate));
		values[2] = CStringGetTextDatum(outcome->message);
		values[3] = CStringGetTextDatum(entry->sample);
		values[4] = BoolGetDatum(outcome->is_located);
		values[5] = Int64GetDatum(entry->noutcomes);
		values[6] = Float8GetDatum(entry->slowest);
		values[7] = CStringGetTextDatum(entry->mutant);
		tuplestore_putvalues(store, tupdesc, values, nulls);
	}
}

/*
 * Whether a line of the context is rowser's own, which tells the column, the
 * row group, or the row of COPY data.  Other lines quote SQL, and so may hold
 * any word.
 */
static bool
is_located(const char *context)
{
	for (const char *line = context; line != NULL;
		 line = strchr(line, '\n'))
	{
		if (*line == '\n')
			line++;
		if (strncmp(line, "column ", 7) == 0 ||
			strncmp(line, "row ", 4) == 0 ||
			strncmp(line, "row group ", 10) == 0 ||
			strncmp(line, "rowset column ", 14) == 0 ||
			strncmp(line, "rowset row group ", 17) == 0)
			return true;
	}
	return false;
}

/* The format of a message, and what is wrong where the byte layer tells it. */
static const char *
error_message(const ErrorData *error)
{
	const char *message = error->message_id != NULL ? error->message_id :
	error->message != NULL ? error->message : "";
	const char *place = error->detail != NULL ?
	strstr(error->detail, ", at byte ") : NULL;

	if (place == NULL)
		return message;
	return psprintf("%s: %.*s", message, (int) (place - error->detail),
					error->detail);
}

Outcome
hostile_error_outcome(const char *call, const ErrorData *error)
{
	Outcome		outcome;

	outcome.call = call;
	outcome.sqlstate = error->sqlerrcode;
	outcome.elevel = error->elevel;
	outcome.message = error_message(error);
	outcome.is_located = is_located(error->context);
	return outcome;
}
