/*-------------------------------------------------------------------------
 *
 * memory.c
 *	  The byte layer's memory, inside the server: the current context's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/memory.h"

void *
rowser_memory_alloc(size_t size)
{
	return palloc(size);
}

void *
rowser_memory_realloc(void *pointer, size_t size)
{
	return repalloc(pointer, size);
}

void
rowser_memory_free(void *pointer)
{
	pfree(pointer);
}
