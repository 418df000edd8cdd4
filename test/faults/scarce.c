/*-------------------------------------------------------------------------
 *
 * scarce.c
 *	  malloc() and its like, of which one call can be made to fail.
 *
 * To be loaded before all other libraries, by LD_PRELOAD.  It knows nothing of
 * PostgreSQL: whoever finds scarce_left sets it to n, and the n-th call fails.
 *
 * The functions behind are the C library's, by the names under which it has
 * them besides; dlsym() would allocate.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);

/* How many calls are left up to the one that fails; negative for no end */
volatile long scarce_left = -1;

static int
shall_fail(void)
{
	if (scarce_left <= 0 || --scarce_left > 0)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *
malloc(size_t size)
{
	return shall_fail() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return shall_fail() ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *pointer, size_t size)
{
	return shall_fail() ? NULL : __libc_realloc(pointer, size);
}
