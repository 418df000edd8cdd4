/*-------------------------------------------------------------------------
 *
 * allocator.c
 *	  The byte layer's memory where there is no server.
 *
 * Each piece is one of malloc's, so that a sanitizer sees its very end; what
 * is left behind is found and given back all at once, as a memory context
 * would.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "bytes/memory.h"

/* Most memory that reading may take: beside, and times, the rowset's bytes */
#define BASE_MEMORY		(8 * 1024 * 1024)
#define MEMORY_RATIO	600

typedef struct Allocation
{
	void	   *pointer;
	size_t		size;
} Allocation;

/* What is allocated now */
static Allocation *allocations;
static size_t nallocations;
static size_t allocations_capacity;
static size_t memory_used;
static size_t memory_peak;

bool		(*hostile_is_cancelled) (void);
jmp_buf		hostile_exit;

void
rowser_memory_exhausted(void)
{
	fprintf(stderr, "out of memory\n");
	exit(2);
}

static void
note_allocation(void *pointer, size_t size)
{
	if (pointer == NULL)
		rowser_memory_exhausted();
	if (nallocations == allocations_capacity)
	{
		allocations_capacity = Max(allocations_capacity * 2, 1024);
		allocations = realloc(allocations,
							  allocations_capacity * sizeof(Allocation));
	}
	allocations[nallocations].pointer = pointer;
	allocations[nallocations].size = size;
	nallocations++;
	memory_used += size;
	memory_peak = Max(memory_peak, memory_used);
}

static void
forget_allocation(void *pointer)
{
	for (size_t i = nallocations; i > 0; i--)
	{
		if (allocations[i - 1].pointer != pointer)
			continue;
		memory_used -= allocations[i - 1].size;
		allocations[i - 1] = allocations[--nallocations];
		return;
	}
	fprintf(stderr, "memory is freed that was not allocated\n");
	abort();
}

void *
rowser_memory_alloc(size_t size)
{
	void	   *pointer = malloc(size);

	note_allocation(pointer, size);
	return pointer;
}

void *
rowser_memory_realloc(void *pointer, size_t size)
{
	forget_allocation(pointer);
	pointer = realloc(pointer, size);
	note_allocation(pointer, size);
	return pointer;
}

void *
rowser_memory_alloc_array(size_t count, size_t size)
{
	void	   *pointer = calloc(Max(count, 1), size);

	note_allocation(pointer, Max(count, 1) * size);
	return pointer;
}

void
rowser_memory_interrupt(void)
{
	if (hostile_is_cancelled != NULL && hostile_is_cancelled())
		longjmp(hostile_exit, 1);
}

void
rowser_memory_interrupt_after(void (*clean_up) (void *), void *arg)
{
	if (hostile_is_cancelled != NULL && hostile_is_cancelled())
	{
		clean_up(arg);
		longjmp(hostile_exit, 1);
	}
}

void
rowser_memory_free(void *pointer)
{
	forget_allocation(pointer);
	free(pointer);
}

size_t
hostile_memory_mark(void)
{
	return nallocations;
}

void
hostile_memory_release(size_t mark)
{
	while (nallocations > mark)
	{
		nallocations--;
		memory_used -= allocations[nallocations].size;
		free(allocations[nallocations].pointer);
	}
}

void
hostile_memory_reset(void)
{
	hostile_memory_release(0);
	memory_peak = 0;
}

size_t
hostile_memory_peak(void)
{
	return memory_peak;
}

size_t
hostile_memory_bound(size_t size)
{
	return BASE_MEMORY + MEMORY_RATIO * size;
}
