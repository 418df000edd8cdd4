/*-------------------------------------------------------------------------
 *
 * memory.h
 *	  The memory and the time that the byte layer asks its host for.
 *
 * Whoever links the byte layer defines these.  In the server they are palloc
 * and friends (memory.c), so that memory belongs to the current context and
 * a failure is an error; none of them returns NULL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_MEMORY_H
#define ROWSER_BYTES_MEMORY_H

#include "c.h"

extern void *rowser_memory_alloc(size_t size);
extern void *rowser_memory_realloc(void *pointer, size_t size);
extern void rowser_memory_free(void *pointer);

/* Zeroed memory for `count` things; a product that overflows is a failure. */
extern void *rowser_memory_alloc_array(size_t count, size_t size);

/* A library has got no memory: fail as the above do, without returning. */
extern void rowser_memory_exhausted(void);

/*
 * Called now and then in loops that may be long; need not return.  The second
 * one calls a function to clean up before it does not.
 */
extern void rowser_memory_interrupt(void);
extern void rowser_memory_interrupt_after(void (*clean_up) (void *),
										  void *arg);

#endif							/* ROWSER_BYTES_MEMORY_H */
