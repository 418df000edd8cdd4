/*-------------------------------------------------------------------------
 *
 * progress.c
 *	  rowset_progress_info(): what the sessions of this server report of their
 *	  work on rowsets, for the view rowset_progress.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "rowset/progress.h"

PG_FUNCTION_INFO_V1(rowset_progress_info);

/* Of the function's columns, those that everyone sees */
#define NPUBLIC_COLUMNS 2

#define NCOLUMNS 7

/* Whether the user may see what a session is doing; as core has it. */
static bool
is_visible(const PgBackendStatus *status)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), status->st_userid);
}

static void
put_session(ReturnSetInfo *rsinfo, const PgBackendStatus *status,
			const RowserProgress *progress)
{
	Datum		values[NCOLUMNS] = {
		Int32GetDatum(status->st_procpid),
		ObjectIdGetDatum(status->st_databaseid)
	};
	bool		nulls[NCOLUMNS] = {false};

	if (is_visible(status))
	{
		values[2] = CStringGetTextDatum(rowser_progress_command_name(progress->command));
		values[3] = Int64GetDatum(progress->rows);
		values[4] = Int64GetDatum(progress->rows_total);
		nulls[4] = progress->rows_total == ROWSER_PROGRESS_UNKNOWN;
		values[5] = Int64GetDatum(progress->bytes);
		values[6] = Int64GetDatum(progress->bytes_total);
		nulls[6] = progress->bytes_total == ROWSER_PROGRESS_UNKNOWN;
	}
	else
		memset(nulls + NPUBLIC_COLUMNS, true,
			   (NCOLUMNS - NPUBLIC_COLUMNS) * sizeof(bool));
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/*
 * rowset_progress_info() returns setof (pid, datid, command, rows_processed,
 * rows_total, bytes_processed, bytes_total)
 */
Datum
rowset_progress_info(PG_FUNCTION_ARGS)
{
	int			nsessions;

	InitMaterializedSRF(fcinfo, 0);
	nsessions = pgstat_fetch_stat_numbackends();
	for (int i = 1; i <= nsessions; i++)
	{
		LocalPgBackendStatus *session = rowser_local_status(i);
		RowserProgress progress;

		if (session != NULL &&
			rowser_progress_read(&session->backendStatus, &progress))
			put_session((ReturnSetInfo *) fcinfo->resultinfo,
						&session->backendStatus, &progress);
	}
	PG_RETURN_NULL();
}
