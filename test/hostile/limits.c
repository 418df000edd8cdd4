/*-------------------------------------------------------------------------
 *
 * limits.c
 *	  What a read may not do: take memory without bounds, keep it, or look past
 *	  the bytes that it was given.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "utils/memutils.h"

#include "limits.h"

static rlim_t saved_limit;

/* Bytes of address space that this process has. */
static size_t
address_space(void)
{
	FILE	   *file = fopen("/proc/self/statm", "r");
	unsigned long npages;

	if (file == NULL)
		elog(ERROR, "could not open /proc/self/statm: %m");
	if (fscanf(file, "%lu", &npages) != 1)
		elog(ERROR, "could not read /proc/self/statm");
	fclose(file);
	return npages * (size_t) sysconf(_SC_PAGESIZE);
}

static void
set_limit(rlim_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) != 0)
		elog(ERROR, "could not get the limit of memory: %m");
	saved_limit = limit.rlim_cur;
	limit.rlim_cur = size;
	if (setrlimit(RLIMIT_AS, &limit) != 0)
		elog(ERROR, "could not limit memory: %m");
}

void
hostile_memory_limit(size_t size)
{
	/* what was freed before doesn't count */
	malloc_trim(0);
	set_limit(address_space() + size);
}

void
hostile_memory_unlimit(void)
{
	set_limit(saved_limit);
}

void
hostile_memory_used(Size *own, Size *caches)
{
	*caches = MemoryContextMemAllocated(CacheMemoryContext, true);
	*own = MemoryContextMemAllocated(TopMemoryContext, true) - *caches;
}

void
hostile_fence_open(Fence *fence, size_t capacity)
{
	size_t		page = sysconf(_SC_PAGESIZE);

	fence->size = TYPEALIGN(page, capacity + VARHDRSZ);
	fence->start = mmap(NULL, fence->size + page, PROT_READ | PROT_WRITE,
						MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fence->start == MAP_FAILED)
		elog(ERROR, "could not map memory: %m");
	if (mprotect(fence->start + fence->size, page, PROT_NONE) != 0)
		elog(ERROR, "could not protect memory: %m");
}

void
hostile_fence_close(Fence *fence)
{
	munmap(fence->start, fence->size + sysconf(_SC_PAGESIZE));
}

bytea *
hostile_fence_bytea(Fence *fence, size_t size)
{
	bytea	   *result;

	Assert(size + VARHDRSZ <= fence->size);
	result = (bytea *) (fence->start + fence->size - size - VARHDRSZ);
	SET_VARSIZE(result, size + VARHDRSZ);
	return result;
}
