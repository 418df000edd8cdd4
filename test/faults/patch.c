/*-------------------------------------------------------------------------
 *
 * patch.c
 *	  Sees every allocation of this session in an AllocSet.
 *
 * All AllocSets share a table of methods, which is constant.  The page that
 * holds it is made writable, which copies it for this process, and two of its
 * entries are replaced.  Allocations in the other kinds of contexts, which only
 * core makes, are not seen.
 *
 * What fails does so as when malloc() has no more: up to 16 by giving NULL,
 * upon which mcxt.c raises the error, later by MemoryContextAllocationFailure().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/mman.h>
#include <unistd.h>

#include "nodes/memnodes.h"
#include "utils/memutils.h"
#if PG_VERSION_NUM >= 170000
#include "utils/memutils_internal.h"
#endif

#include "patch.h"

static FaultsAllocHook alloc_hook = NULL;
static MemoryContextMethods original;

/*
 * Before the error mcxt.c writes the sizes of all contexts to the server's log,
 * which would be long after some thousand errors.
 */
static bool quiet = false;

static void
stats(MemoryContext context, MemoryStatsPrintFunc printfunc, void *passthru,
	  MemoryContextCounters *totals, bool print_to_stderr)
{
	if (!quiet)
		original.stats(context, printfunc, passthru, totals,
					   print_to_stderr);
}

static bool
shall_fail(MemoryContext context)
{
	quiet = alloc_hook(context);
	return quiet;
}

#if PG_VERSION_NUM >= 170000

static void *
alloc(MemoryContext context, Size size, int flags)
{
	if (shall_fail(context))
		return MemoryContextAllocationFailure(context, size, flags);
	return original.alloc(context, size, flags);
}

static void *
grow(void *pointer, Size size, int flags)
{
	MemoryContext context = GetMemoryChunkContext(pointer);

	if (shall_fail(context))
		return MemoryContextAllocationFailure(context, size, flags);
	return original.realloc(pointer, size, flags);
}

#else

static void *
alloc(MemoryContext context, Size size)
{
	return shall_fail(context) ? NULL : original.alloc(context, size);
}

#if PG_VERSION_NUM >= 160000

static void *
grow(void *pointer, Size size)
{
	if (shall_fail(GetMemoryChunkContext(pointer)))
		return NULL;
	return original.realloc(pointer, size);
}

#else

static void *
grow(MemoryContext context, void *pointer, Size size)
{
	if (shall_fail(context))
		return NULL;
	return original.realloc(context, pointer, size);
}

#endif
#endif

void
faults_patch_memory(FaultsAllocHook hook)
{
	MemoryContextMethods *methods =
		(MemoryContextMethods *) TopMemoryContext->methods;
	uintptr_t	page_size = (uintptr_t) sysconf(_SC_PAGESIZE);
	uintptr_t	first = (uintptr_t) methods & ~(page_size - 1);
	uintptr_t	end = (uintptr_t) (methods + 1);

	if (alloc_hook != NULL)
		return;
	if (mprotect((void *) first, end - first, PROT_READ | PROT_WRITE) != 0)
		elog(ERROR, "could not make the methods of AllocSet writable: %m");
	alloc_hook = hook;
	original = *methods;
	methods->alloc = alloc;
	methods->realloc = grow;
	methods->stats = stats;
}
