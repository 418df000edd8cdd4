/*-------------------------------------------------------------------------
 *
 * memory.c
 *	  The byte layer's memory, inside the server: the current context's.
 *
 * How much it asks for is in proportion to the bytes that it reads, which may be
 * 1 GB, so requests may be huge.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bytes/memory.h"
#include "large_memory.h"

void *
rowser_memory_alloc(size_t size)
{
	return rowser_large_memory_alloc(CurrentMemoryContext, size);
}

void *
rowser_memory_alloc_array(size_t count, size_t size)
{
	if (count > MaxAllocHugeSize / size)
		rowser_memory_exhausted();
	return palloc_extended(Max(count, 1) * size,
						   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

void
rowser_memory_exhausted(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OUT_OF_MEMORY),
			 errmsg("out of memory")));
}

void
rowser_memory_interrupt(void)
{
	CHECK_FOR_INTERRUPTS();
}

void
rowser_memory_interrupt_after(void (*clean_up) (void *), void *arg)
{
	if (!INTERRUPTS_PENDING_CONDITION())
		return;
	PG_TRY();
	{
		CHECK_FOR_INTERRUPTS();
	}
	PG_CATCH();
	{
		clean_up(arg);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

void *
rowser_memory_realloc(void *pointer, size_t size)
{
	return repalloc_huge(pointer, size);
}

void
rowser_memory_free(void *pointer)
{
	pfree(pointer);
}
