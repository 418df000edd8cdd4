/*-------------------------------------------------------------------------
 *
 * progress.h
 *	  How far the session's work on a rowset has come, for others to see.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_PROGRESS_H
#define ROWSER_ROWSET_PROGRESS_H

#include "utils/backend_status.h"

/* What is being done; rowser_progress_command_name() has the words */
typedef enum RowserProgressCommand
{
	ROWSER_PROGRESS_PACK,
	ROWSER_PROGRESS_READ,
	ROWSER_PROGRESS_CHECK
} RowserProgressCommand;

/* A total that is not known */
#define ROWSER_PROGRESS_UNKNOWN (-1)

/*
 * One piece of work.  Whoever does it adds to `rows` and `bytes` and then calls
 * rowser_progress_report().
 */
typedef struct RowserProgress
{
	RowserProgressCommand command;
	bool		yields;			/* to work that begins while this is reported */
	int64		id;				/* of this piece of work in the session */
	int64		rows;
	int64		rows_total;
	int64		bytes;
	int64		bytes_total;
} RowserProgress;

/*
 * Describe a piece of work, not to be reported before the first
 * rowser_progress_report().
 */
extern void rowser_progress_init(RowserProgress *progress,
								 RowserProgressCommand command,
								 int64 rows_total, int64 bytes_total);

/*
 * Begin to report, unless the session reports something else already that does
 * not yield.
 */
extern void rowser_progress_begin(RowserProgress *progress);

/*
 * Report the counts of the moment; nothing happens while the session reports
 * something else.  Costs some dozen nanoseconds: call it for batches, not rows.
 */
extern void rowser_progress_report(RowserProgress *progress);

/* Stop reporting this.  Where an error ends the work, core has done so. */
extern void rowser_progress_end(RowserProgress *progress);

/*
 * What a session reports, from a copy of its status; false when it reports
 * nothing of rowser's.
 */
extern bool rowser_progress_read(const PgBackendStatus *status,
								 RowserProgress *progress);

extern const char *rowser_progress_command_name(RowserProgressCommand command);

#endif							/* ROWSER_ROWSET_PROGRESS_H */
