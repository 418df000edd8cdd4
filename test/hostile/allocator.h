/*-------------------------------------------------------------------------
 *
 * allocator.h
 *	  The byte layer's memory where there is no server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_ALLOCATOR_H
#define HOSTILE_ALLOCATOR_H

#include "c.h"

#include <setjmp.h>

/*
 * Whether work is cancelled, which rowser_memory_interrupt() asks if this is
 * set; if so, it goes to hostile_exit.
 */
extern bool (*hostile_is_cancelled) (void);
extern jmp_buf hostile_exit;

/* Give back all that is allocated, and forget the peak. */
extern void hostile_memory_reset(void);

/* Give back what has been allocated since the mark was taken. */
extern size_t hostile_memory_mark(void);
extern void hostile_memory_release(size_t mark);

/* The most bytes that were allocated at one time since the last reset. */
extern size_t hostile_memory_peak(void);

/* The most that may be when a rowset of `size` bytes is read. */
extern size_t hostile_memory_bound(size_t size);

#endif							/* HOSTILE_ALLOCATOR_H */
