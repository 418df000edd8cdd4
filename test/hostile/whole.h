/*-------------------------------------------------------------------------
 *
 * whole.h
 *	  Reading a rowset whole, without a server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HOSTILE_WHOLE_H
#define HOSTILE_WHOLE_H

#include "c.h"

/*
 * Read a rowset as rowset_is_valid() does, from memory of just its size;
 * returns whether it is valid.  Of each row group that can be read, columns
 * are chosen as rowset_project() does.  A fault without text or place, or a
 * group that became another one, aborts.  Memory is left behind.
 */
extern bool hostile_read_whole(const uint8 *bytes, size_t size);

/* Row groups that columns have been chosen of */
extern uint64 hostile_nprojected;

#endif							/* HOSTILE_WHOLE_H */
