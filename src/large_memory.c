/*-------------------------------------------------------------------------
 *
 * large_memory.c
 *	  Pieces of memory of many megabytes, which the system has to map first.
 *
 * malloc keeps what is freed for whoever asks next, but only so much of it; a
 * piece of more than 32 MiB it always gets from the system, and gives back at
 * once.  Then each page is mapped and cleared when it is first written to.  By
 * pages of 4 kB that takes longer than all else that is done with the bytes of
 * a large value, and it makes the time grow faster than the value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#ifndef WIN32
#include <sys/mman.h>
#endif

#include "utils/memutils.h"

#include "large_memory.h"

/*
 * Where large pages begin, on most systems; a multiple of the size of all other
 * pages, which is what madvise() wants.
 */
#define PAGE_ALIGNMENT		((uintptr_t) 2 * 1024 * 1024)

/* Ask for large pages. */
static void
advise(void *piece, Size size)
{
#ifdef MADV_HUGEPAGE
	uintptr_t	from = TYPEALIGN(PAGE_ALIGNMENT, piece);
	uintptr_t	to = TYPEALIGN_DOWN(PAGE_ALIGNMENT, (uintptr_t) piece + size);

	/* a system that has none says so, and that is all right */
	(void) madvise((void *) from, to - from, MADV_HUGEPAGE);
#endif
}

void *
rowser_large_memory_alloc(MemoryContext context, Size size)
{
	void	   *piece = MemoryContextAllocHuge(context, size);

	if (size >= ROWSER_LARGE_MEMORY_SIZE)
		advise(piece, size);
	return piece;
}
