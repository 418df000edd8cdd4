/*-------------------------------------------------------------------------
 *
 * mutant.c
 *	  A random mutant of a rowset, alone or together with others.
 *
 * Some keep their frame whole, so that what reads values is reached; others
 * have bytes changed, or taken away, wherever they are.
 *
 * Like the byte layer, this includes nothing of PostgreSQL but c.h.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "mutant.h"
#include "mutate.h"
#include "reseal.h"

/* A few changes of bytes, wherever they are */
static void
change_anywhere(RowserBuffer *mutant, uint64 *seed)
{
	int			nchanges = 1 + hostile_draw(seed, 4);

	for (int i = 0; i < nchanges; i++)
		hostile_change_bytes(mutant, seed);
}

/* Take the end away, or a part in the middle. */
static void
cut(RowserBuffer *mutant, uint64 *seed)
{
	size_t		at;
	size_t		size;

	if (mutant->size == 0)
		return;
	at = hostile_draw(seed, mutant->size);
	size = mutant->size - at;
	if (hostile_draw(seed, 2) == 0)
		size = 1 + hostile_draw(seed, size);
	memmove(mutant->bytes + at, mutant->bytes + at + size,
			mutant->size - at - size);
	mutant->size -= size;
}

/* Change the parts of what is in the buffer; false if it has none. */
static bool
mutate_again(RowserBuffer *mutant, uint64 seed)
{
	RowserBuffer first = *mutant;

	rowser_buffer_init(mutant, first.size + 256, first.limit);
	if (hostile_mutate(first.bytes, first.size, seed, mutant))
		return true;
	*mutant = first;
	return false;
}

Making
hostile_mutant_make(Specimen own, const Specimen *others, int nothers,
					uint64 seed, RowserBuffer *mutant)
{
	Making		making = {.sealed = true};
	uint32		way = hostile_draw(&seed, 16);

	if (way >= 5 && nothers > 0)
		making.spliced =
			hostile_splice(own, others[hostile_draw(&seed, nothers)], &seed,
						   mutant);
	if (!making.spliced)
	{
		mutant->size = 0;
		mutant->overflowed = false;
		rowser_buffer_bytes(mutant, own.bytes, own.size);
	}

	/* up to 2, 5 to 7: header, nodes and bodies; 8, 9: only what is above */
	if (way <= 2 || (way >= 5 && way <= 7))
	{
		if (!mutate_again(mutant, seed))
			change_anywhere(mutant, &seed);
	}
	else if (way != 8 && way != 9)
	{
		if (way == 3 || way >= 12)
			change_anywhere(mutant, &seed);
		else
			cut(mutant, &seed);
		making.sealed = hostile_draw(&seed, 2) == 0;
		if (making.sealed)
			hostile_reseal(mutant->bytes, mutant->size);
	}
	return making;
}
