/*-------------------------------------------------------------------------
 *
 * reader_state.h
 *	  What the files that make up a reader share, and slice.c, which takes
 *	  row groups apart itself; nobody else includes it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_READER_STATE_H
#define ROWSER_ROWSET_READER_STATE_H

#include "columns/decoder.h"
#include "rowset/reader.h"
#include "rowset/source.h"

typedef struct Selected
{
	uint32		column;			/* in the rowset */
	RowserDecoder decoder;
	RowserRead	read;
	bool		is_started;		/* on the group that is being read */
	bool		may_have_nulls; /* in the group */
	Datum	   *values;			/* of the batch; NULL before the first one */
	bool	   *nulls;
} Selected;

struct RowserReader
{
	MemoryContext context;
	MemoryContext group_context;
	MemoryContext batch_context;
	Size		kept_memory;	/* of batch_context, when it is emptied */
	RowserSource *source;
	RowserFault fault;
	RowserCursor start;			/* at the first group, ends at the trailer */
	RowserCursor cursor;		/* somewhere in the group that is being read */
	RowserHeader header;
	RowserTrailer trailer;
	int			encoding;
	char	  **names;			/* made when asked for */

	Selected  **selected;
	int			nselected;
	RowserGroupFilter filter;	/* or NULL */
	void	   *filter_arg;
	RowserGroupClaim claim;		/* or NULL */
	void	   *claim_arg;
	RowserReaderCounts own_counts;
	RowserReaderCounts *counts; /* the caller's, or own_counts */

	uint32		ngroups;		/* number of the group that is being read */
	uint32		groups_before;	/* that the directory doesn't name any more */
	bool		is_at_end;		/* behind the last group */
	RowserGroup group;			/* the one that is being read */
	uint32		rows_left;		/* in that group, behind the batch */
	uint32		batch_rows;		/* most rows of the next batch */
	uint32		batch_start;	/* row of the group that the batch begins with */
	uint32		late_next;		/* row of the group that late columns are at */
	uint32		late_rows;		/* how many of them to decode at once */
	uint32		column;			/* what an error's context names */
	RowserProgress *progress;	/* borrowed, or NULL */
};

/* No column is being read. */
#define ROWSER_NO_COLUMN PG_UINT32_MAX

/*
 * Have errors say where in the rowset they were met, until error_context_stack
 * is set back to callback->previous; and which column it is about.
 */
extern void rowser_reader_push_context(RowserReader *reader,
									   ErrorContextCallback *callback);
extern void rowser_reader_set_column(RowserReader *reader, uint32 column);

/* Go to the next group that the filter lets pass; false when there is none. */
extern bool rowser_reader_start_group(RowserReader *reader);

/*
 * Go back to the last group that the filter lets pass, before the one that is
 * being read or the end; false when there is none.
 */
extern bool rowser_reader_start_previous_group(RowserReader *reader);

#endif							/* ROWSER_ROWSET_READER_STATE_H */
