/*-------------------------------------------------------------------------
 *
 * progress.c
 *	  How far the session's work on a rowset has come, for others to see.
 *
 * A session has one place in shared memory for the progress of one command,
 * which VACUUM, COPY and others use; so does this, under a command number that
 * core has no view for.  Where another command is in that place, nothing is
 * reported.
 *
 * The end of a transaction or subtransaction that fails empties the place, and
 * an inner command that has come and gone leaves it empty.  So whether a piece
 * of work is being reported is never remembered here, but read from the place:
 * it holds the number of the work.  Work that finds the place empty takes it
 * again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/backend_progress.h"

#include "rowset/progress.h"

/* Far from the numbers that core gives to its commands */
#define COMMAND ((ProgressCommandType) 0x726F7773)

/* The place's parameters */
enum
{
	PARAM_ID,
	PARAM_COMMAND,
	PARAM_YIELDS,
	PARAM_ROWS,
	PARAM_ROWS_TOTAL,
	PARAM_BYTES,
	PARAM_BYTES_TOTAL,
	NPARAMS
};

static int64 last_id = 0;

static const char *const command_names[] = {
	[ROWSER_PROGRESS_PACK] = "pack",
	[ROWSER_PROGRESS_READ] = "read",
	[ROWSER_PROGRESS_CHECK] = "check",
};

const char *
rowser_progress_command_name(RowserProgressCommand command)
{
	return command_names[command];
}

void
rowser_progress_init(RowserProgress *progress, RowserProgressCommand command,
					 int64 rows_total, int64 bytes_total)
{
	progress->command = command;
	progress->yields = false;
	progress->id = ++last_id;
	progress->rows = 0;
	progress->rows_total = rows_total;
	progress->bytes = 0;
	progress->bytes_total = bytes_total;
}

/* Take the place and put everything there. */
static void
start(const RowserProgress *progress)
{
	static const int params[NPARAMS] = {
		PARAM_ID, PARAM_COMMAND, PARAM_YIELDS, PARAM_ROWS, PARAM_ROWS_TOTAL,
		PARAM_BYTES, PARAM_BYTES_TOTAL
	};
	int64		values[NPARAMS] = {
		progress->id, progress->command, progress->yields, progress->rows,
		progress->rows_total, progress->bytes, progress->bytes_total
	};

	pgstat_progress_start_command(COMMAND, InvalidOid);
	pgstat_progress_update_multi_param(NPARAMS, params, values);
}

static inline bool
place_is_empty(void)
{
	return MyBEEntry->st_progress_command == PROGRESS_COMMAND_INVALID;
}

static inline bool
place_is_of(const RowserProgress *progress)
{
	return MyBEEntry->st_progress_command == COMMAND &&
		MyBEEntry->st_progress_param[PARAM_ID] == progress->id;
}

void
rowser_progress_begin(RowserProgress *progress)
{
	if (MyBEEntry == NULL || !pgstat_track_activities)
		return;
	if (place_is_empty() ||
		(MyBEEntry->st_progress_command == COMMAND &&
		 MyBEEntry->st_progress_param[PARAM_YIELDS] != 0))
		start(progress);
}

void
rowser_progress_report(RowserProgress *progress)
{
	static const int params[] = {PARAM_ROWS, PARAM_BYTES};
	int64		values[] = {progress->rows, progress->bytes};

	if (MyBEEntry == NULL || !pgstat_track_activities)
		return;
	if (place_is_of(progress))
		pgstat_progress_update_multi_param(lengthof(params), params, values);
	else if (place_is_empty())
		start(progress);
}

void
rowser_progress_end(RowserProgress *progress)
{
	if (MyBEEntry != NULL && place_is_of(progress))
		pgstat_progress_end_command();
}

bool
rowser_progress_read(const PgBackendStatus *status, RowserProgress *progress)
{
	const int64 *params = status->st_progress_param;

	if (status->st_progress_command != COMMAND ||
		params[PARAM_COMMAND] < 0 ||
		params[PARAM_COMMAND] >= lengthof(command_names))
		return false;
	progress->command = (RowserProgressCommand) params[PARAM_COMMAND];
	progress->yields = params[PARAM_YIELDS] != 0;
	progress->id = params[PARAM_ID];
	progress->rows = params[PARAM_ROWS];
	progress->rows_total = params[PARAM_ROWS_TOTAL];
	progress->bytes = params[PARAM_BYTES];
	progress->bytes_total = params[PARAM_BYTES_TOTAL];
	return true;
}
