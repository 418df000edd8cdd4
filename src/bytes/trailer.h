/*-------------------------------------------------------------------------
 *
 * trailer.h
 *	  The trailer with the directory of row groups (rowset_format.md,
 *	  section 5).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_TRAILER_H
#define ROWSER_BYTES_TRAILER_H

#include "bytes/buffer.h"
#include "bytes/cursor.h"

#define ROWSER_TRAILER_TAG		0x54	/* "T" */

typedef struct RowserDirectoryEntry
{
	uint64		offset;			/* of the group in the rowset */
	uint64		size;			/* of the whole group */
	uint64		header_size;	/* of its part before the body */
	uint64		row;			/* of the rowset, the group's first; 0-based */
	uint32		nrows;
} RowserDirectoryEntry;

typedef struct RowserTrailer
{
	uint32		ngroups;
	uint64		nrows;			/* of the whole rowset */
	RowserDirectoryEntry *groups;	/* owned */
} RowserTrailer;

/* Write the trailer; offset and row of the entries are not used. */
extern void rowser_trailer_write(RowserBuffer *buffer,
								 const RowserDirectoryEntry *groups,
								 uint32 ngroups);

/* How many bytes that takes: a group's entry, and all but the entries */
extern size_t rowser_trailer_entry_size(const RowserDirectoryEntry *entry);
extern size_t rowser_trailer_frame_size(uint32 ngroups);

/*
 * Read the trailer at the end of the rowset `cursor` was started on, whose
 * groups begin at the cursor's place.  The cursor is left at the first group
 * and its end moved to the trailer's begin.
 */
extern bool rowser_trailer_read(RowserCursor *cursor, RowserTrailer *trailer);

/*
 * How many bytes the trailer has at the cursor's end, of which the last four
 * need be there; false if there is none.
 */
extern bool rowser_trailer_extent(RowserCursor cursor, uint64 *size);

#endif							/* ROWSER_BYTES_TRAILER_H */
