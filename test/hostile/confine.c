/*-------------------------------------------------------------------------
 *
 * confine.c
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

#include "compat.h"
#include "confine.h"

static rlim_t saved_limit;

/* Whether one more page fits under a limit of address space. */
static bool
page_fits(rlim_t limit, rlim_t hard_limit)
{
	size_t		page = sysconf(_SC_PAGESIZE);
	struct rlimit limits = {limit, hard_limit};
	void	   *memory;

	if (setrlimit(RLIMIT_AS, &limits) != 0)
		elog(ERROR, "could not limit memory: %m");
	memory = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	munmap(memory, page);
	return true;
}

/*
 * Bytes of address space that this process has: the smallest limit that lets
 * it have another page, less that.  /proc would tell, but isn't everywhere.
 */
static size_t
address_space(void)
{
	size_t		page = sysconf(_SC_PAGESIZE);
	struct rlimit limits;
	rlim_t		low = 0;		/* in pages; too low */
	rlim_t		high = (rlim_t) 1 << 35;	/* not too low */

	if (getrlimit(RLIMIT_AS, &limits) != 0)
		elog(ERROR, "could not get the limit of memory: %m");
	while (high - low > 1)
	{
		rlim_t		middle = low + (high - low) / 2;

		if (page_fits(middle * page, limits.rlim_max))
			high = middle;
		else
			low = middle;
	}
	if (setrlimit(RLIMIT_AS, &limits) != 0)
		elog(ERROR, "could not lift the limit of memory: %m");
	return (high - 1) * page;
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
