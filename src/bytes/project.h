/*-------------------------------------------------------------------------
 *
 * project.h
 *	  A row group of some of another one's columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_PROJECT_H
#define ROWSER_BYTES_PROJECT_H

#include "bytes/buffer.h"
#include "bytes/group.h"

/*
 * Append a group of the columns whose numbers (0-based) are in `columns`, in
 * that order and as often as they stand there.  Their nodes and
 * blocks are copied as they are; these blocks must be at hand, and should have
 * been checked, since they get new checksums.  Returns the size of the part
 * before the body.
 */
extern size_t rowser_project_group(RowserBuffer *buffer,
								   const RowserGroup *group,
								   const uint32 *columns, uint32 ncolumns);

#endif							/* ROWSER_BYTES_PROJECT_H */
