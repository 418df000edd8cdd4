/*-------------------------------------------------------------------------
 *
 * large_memory.h
 *	  Pieces of memory of many megabytes, which the system has to map first.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_LARGE_MEMORY_H
#define ROWSER_LARGE_MEMORY_H

/* What counts as large, in bytes: some of the large pages that systems have */
#define ROWSER_LARGE_MEMORY_SIZE	((Size) 4 * 1024 * 1024)

/*
 * Allocate memory of any size, even a huge one, in a context; pfree() frees it.
 * For a large piece, which should be going to be filled, the system is asked
 * for large pages; whether it has any changes nothing but the time.
 */
extern void *rowser_large_memory_alloc(MemoryContext context, Size size);

#endif							/* ROWSER_LARGE_MEMORY_H */
