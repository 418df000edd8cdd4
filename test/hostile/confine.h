/*-------------------------------------------------------------------------
 *
 * confine.h
 *	  What a read may not do: take memory without bounds, keep it, or look past
 *	  the bytes that it was given.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_CONFINE_H
#define HOSTILE_CONFINE_H

/*
 * Let this process have only so many more bytes of address space than it has
 * now; to be lifted whatever happens.  An allocation past it is error 53200.
 */
extern void hostile_memory_limit(size_t size);
extern void hostile_memory_unlimit(void);

/* Bytes in use below TopMemoryContext without caches, and in caches. */
extern void hostile_memory_used(Size *own, Size *caches);

/* Memory whose last byte is followed by a page that can't be read */
typedef struct Fence
{
	char	   *start;
	size_t		size;			/* up to the page */
} Fence;

extern void hostile_fence_open(Fence *fence, size_t capacity);
extern void hostile_fence_close(Fence *fence);

/* A bytea of `size` bytes that ends at the fence; its payload to be filled. */
extern bytea *hostile_fence_bytea(Fence *fence, size_t size);

#endif							/* HOSTILE_CONFINE_H */
