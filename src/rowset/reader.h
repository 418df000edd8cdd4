/*-------------------------------------------------------------------------
 *
 * reader.h
 *	  Reading a rowset: its description, and its rows in batches.
 *
 * A reader is opened on the bytes, told which columns to read as which
 * types, and then gives batches of rows, one array of Datums a column.
 * Columns that nobody selected are neither decoded nor checked.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_READER_H
#define ROWSER_ROWSET_READER_H

#include "bytes/group.h"
#include "bytes/header.h"
#include "bytes/trailer.h"
#include "rowset/progress.h"

typedef struct RowserReader RowserReader;

/* A batch has this many rows at most, and this many at first if asked for. */
#define ROWSER_BATCH_ROWS		1024
#define ROWSER_SMALL_BATCH_ROWS	64
#define ROWSER_SMALL_ROWSET_ROWS 512

/* When the values of a selected column are decoded */
typedef enum RowserRead
{
	ROWSER_READ_EAGER = 0,		/* with each batch, if nothing else is said */
	ROWSER_READ_LATE,			/* when rowser_reader_fetch_late() asks */
	ROWSER_READ_NEVER
} RowserRead;

/* What a row group's header says of a column */
typedef struct RowserBounds
{
	uint32		nrows;
	uint32		nnulls;
	bool		may_become_null;	/* other values, by a cast */
	bool		are_known;		/* whether there are the two below */
	Datum		least;			/* of the values that are not NULL */
	Datum		greatest;
} RowserBounds;

/* Whether to read the row group that the reader is at; else it is skipped */
typedef bool (*RowserGroupFilter) (RowserReader *reader, void *arg);

/* The number of the next row group to read, for readers that share them */
typedef uint32 (*RowserGroupClaim) (void *arg);

/* What reading took */
typedef struct RowserReaderCounts
{
	uint64		groups_read;
	uint64		groups_skipped;
	uint64		fetched;		/* bytes from TOAST storage */
	uint64		decompressed;	/* bytes that compressed blocks gave */
} RowserReaderCounts;

/*
 * Open a reader on the payload of a detoasted bytea, which must outlive it.  The
 * header and the trailer are read and checked.  All of the reader's memory is
 * in a child of the current context.
 */
extern RowserReader *rowser_reader_open(const bytea *rowset);

/*
 * The same for a bytea in any form; see source.h.  Reading counts in *counts,
 * unless that is NULL.
 */
extern RowserReader *rowser_reader_open_datum(Datum rowset,
											  RowserReaderCounts *counts);
extern void rowser_reader_close(RowserReader *reader);

/*
 * The TOAST table that the reader goes on fetching bytes from, or InvalidOid;
 * and fetch all of them now, for when that table may be gone later.
 */
extern Oid	rowser_reader_storage(const RowserReader *reader);
extern void rowser_reader_fetch_whole(RowserReader *reader);

/*
 * Open a reader for row groups that come one by one, below a header that must
 * outlive it.  There are no rows until rowser_reader_set_group() has been called
 * with the bytes of a whole group, which is the one that is read next, by
 * rowser_reader_next() alone; `entry` is what rowser_group_extent() gave, with
 * the group's offset in the rowset, and `number` counts the groups from 0.
 */
extern RowserReader *rowser_reader_open_groups(const RowserHeader *header);
extern void rowser_reader_set_group(RowserReader *reader, const uint8 *bytes,
									const RowserDirectoryEntry *entry,
									uint32 number);

/* What header and trailer say; the reader's memory. */
extern const RowserHeader *rowser_reader_header(const RowserReader *reader);
extern const RowserTrailer *rowser_reader_trailer(const RowserReader *reader);
extern int	rowser_reader_encoding(const RowserReader *reader);

/* A column's name in this database's encoding; the reader's memory. */
extern const char *rowser_reader_column_name(RowserReader *reader,
											 uint32 column);

/*
 * Read a column (0-based) as a type, or with InvalidOid as the type that the
 * rowset names.  Returns the number of its array in a batch.  Raises what
 * rowser_decoder_init() raises, with the column in the context.
 */
extern int	rowser_reader_select(RowserReader *reader, uint32 column,
								 Oid type, int32 typmod);

/*
 * Likewise, as a type that resolve.h has found for what the rowset names, which
 * has not been looked up twice then.  Constraints of domains are not checked.
 */
extern int	rowser_reader_select_resolved(RowserReader *reader,
										  uint32 column, Oid type,
										  int32 typmod);

/* Before the first batch: when to decode a selected column */
extern void rowser_reader_set_read(RowserReader *reader, int selected,
								   RowserRead read);

/* Let a function choose the row groups; it is called in the group's memory. */
extern void rowser_reader_set_filter(RowserReader *reader,
									 RowserGroupFilter filter, void *arg);

/* Let a function hand out the row groups, ascending, instead of one by one. */
extern void rowser_reader_set_claim(RowserReader *reader,
									RowserGroupClaim claim, void *arg);

/* For a filter: what is known of a selected column in the group */
extern void rowser_reader_bounds(RowserReader *reader, int selected,
								 RowserBounds *bounds);

/*
 * Describe the reading of the rows in *progress, which must outlive the reader,
 * and have each batch reported, until rowser_reader_next() is at the end.
 */
extern void rowser_reader_set_progress(RowserReader *reader,
									   RowserProgress *progress,
									   RowserProgressCommand command);

/* Begin with small batches, which grow, since reading may end early. */
extern void rowser_reader_start_small(RowserReader *reader);

/*
 * Read the next batch; returns its number of rows, 0 at the end.  Values are
 * good until the next call, and so are the arrays for columns that are not
 * decoded yet.  Raises an error that says where, for bytes that are damaged.
 */
extern uint32 rowser_reader_next(RowserReader *reader);

/*
 * Decode the late columns for a row of the batch (0-based), and perhaps for some
 * that follow it; returns the first row behind those.  Rows must be asked for in
 * ascending order.
 */
extern uint32 rowser_reader_fetch_late(RowserReader *reader, uint32 row);

/*
 * Read the batch before the last one that was read, late columns too; returns
 * its number of rows, 0 if there is none, and then the reader is rewound.  Or
 * read that last one again, late columns too.
 */
extern uint32 rowser_reader_previous(RowserReader *reader);
extern void rowser_reader_reload(RowserReader *reader);

/* A column's arrays; NULL when none of its values has been decoded yet */
extern Datum *rowser_reader_values(const RowserReader *reader, int selected);
extern bool *rowser_reader_nulls(const RowserReader *reader, int selected);

/* Whether a column that is being decoded may have NULLs in the group */
extern bool rowser_reader_may_have_nulls(const RowserReader *reader,
										 int selected);

/*
 * How many bytes the values of the group that is being read take, or so the
 * group says; nothing to rely on.
 */
extern uint64 rowser_reader_group_size(const RowserReader *reader);

/*
 * Instead of reading rows: the next row group, its header checked against the
 * trailer, or NULL at the end; good until the next call.
 */
extern const RowserGroup *rowser_reader_next_group(RowserReader *reader);

/* The same for the row group with a number, 0-based. */
extern const RowserGroup *rowser_reader_group(RowserReader *reader,
											  uint32 number);

/* Make sure of a group's body; or of a column's, and check its checksum. */
extern void rowser_reader_need_group(RowserReader *reader,
									 const RowserGroup *group);
extern void rowser_reader_need_column(RowserReader *reader,
									  const RowserGroup *group,
									  uint32 column);

/* Check a group's body to its last byte, or raise an error. */
extern void rowser_reader_check_group(RowserReader *reader,
									  const RowserGroup *group);

/* Go back to before the first row. */
extern void rowser_reader_rewind(RowserReader *reader);

#endif							/* ROWSER_ROWSET_READER_H */
