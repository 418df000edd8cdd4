/*-------------------------------------------------------------------------
 *
 * memory_limit.h
 *	  How much memory values may take at a time while they are read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_MEMORY_LIMIT_H
#define ROWSER_COLUMNS_MEMORY_LIMIT_H

#define ROWSER_MEMORY_BASE	((uint64) 64 * 1024 * 1024)
#define ROWSER_MEMORY_RATIO 1024

/* The most, in bytes, for a rowset or a stream of `size` bytes */
static inline uint64
rowser_memory_limit(uint64 size)
{
	return ROWSER_MEMORY_BASE + ROWSER_MEMORY_RATIO * size;
}

#endif							/* ROWSER_COLUMNS_MEMORY_LIMIT_H */
