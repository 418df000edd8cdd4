/*-------------------------------------------------------------------------
 *
 * memory.h
 *	  The memory that the byte layer asks its host for.
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

#endif							/* ROWSER_BYTES_MEMORY_H */
