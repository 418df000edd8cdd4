/*-------------------------------------------------------------------------
 *
 * libpq.c
 *	  Rowsets as libpq gives them: rowset_send by PQexec, PQexecParams and
 *	  PQexecPrepared, row by row and in a pipeline; and that the connection is
 *	  in order afterwards, or, when the client has gone, that the server ends
 *	  its session.
 *
 * The server and the database are those of PGHOST, PGPORT, PGUSER and
 * PGDATABASE.  The last line is "N passed, N failed".
 *
 *-------------------------------------------------------------------------
 */
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BYTEAOID	17
#define INT4OID		23

static int	passed = 0;
static int	failed = 0;

/* ----------------------------------------------------------------
 *		Checking
 * ----------------------------------------------------------------
 */

static void
check(const char *name, const char *what, bool ok, const char *got)
{
	if (ok)
		passed++;
	else
	{
		failed++;
		printf("FAILED: %s: %s; got %s\n", name, what, got);
	}
}

static void
check_text(const char *name, const char *what, const char *expected,
		   const char *got)
{
	check(name, what, strcmp(expected, got) == 0, got);
}

static void
check_number(const char *name, const char *what, long expected, long got)
{
	char		text[32];

	snprintf(text, sizeof(text), "%ld", got);
	check(name, what, expected == got, text);
}

static void
check_status(const char *name, const PGresult *result, ExecStatusType status)
{
	check(name, PQresStatus(status), PQresultStatus(result) == status,
		  PQresultStatus(result) == PGRES_FATAL_ERROR ?
		  PQresultErrorMessage(result) :
		  PQresStatus(PQresultStatus(result)));
}

/* Rows as some_rows() has them, which came as text. */
static void
check_rows(const char *name, const PGresult *result, int nrows)
{
	char		expected[32];

	check_status(name, result, PGRES_TUPLES_OK);
	check_number(name, "rows", nrows, PQntuples(result));
	check_number(name, "columns", 7, PQnfields(result));
	if (PQnfields(result) != 7 || PQntuples(result) != nrows || nrows < 2)
		return;
	check_text(name, "name of column 1", "id", PQfname(result, 0));
	check_text(name, "name of column 2", "Name", PQfname(result, 1));
	check_number(name, "type of column 1", INT4OID, PQftype(result, 0));
	for (int i = 0; i < 7; i++)
		check_number(name, "format", 0, PQfformat(result, i));
	snprintf(expected, sizeof(expected), "name %d", nrows);
	check_text(name, "value in the last row", expected,
			   PQgetvalue(result, nrows - 1, 1));
	check_number(name, "a NULL", 1, PQgetisnull(result, 1, 4));
	check_text(name, "an array", "{2,NULL}", PQgetvalue(result, 1, 5));
	check_text(name, "an enum", "ok", PQgetvalue(result, 1, 6));
}

/* An error, by SQLSTATE */
static void
check_error(const char *name, const PGresult *result, const char *sqlstate)
{
	const char *got = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	check_status(name, result, PGRES_FATAL_ERROR);
	check_text(name, "SQLSTATE", sqlstate, got ? got : "none");
}

/* The connection does what it should, in both protocols. */
static void
check_connection(PGconn *conn, const char *name)
{
	const char *values[1] = {"42"};
	PGresult   *result = PQexec(conn, "SELECT 41 AS a");

	check_status(name, result, PGRES_TUPLES_OK);
	check_text(name, "a query afterwards", "41",
			   PQntuples(result) == 1 ? PQgetvalue(result, 0, 0) : "no row");
	PQclear(result);
	result = PQexecParams(conn, "SELECT $1::int AS a", 1, NULL, values, NULL,
						  NULL, 0);
	check_text(name, "a query with a parameter afterwards", "42",
			   PQntuples(result) == 1 ? PQgetvalue(result, 0, 0) : "no row");
	PQclear(result);
	check_number(name, "no transaction", PQTRANS_IDLE,
				 PQtransactionStatus(conn));
}

static PGconn *
connect_or_exit(void)
{
	PGconn	   *conn = PQconnectdb("");

	if (PQstatus(conn) != CONNECTION_OK)
	{
		printf("%s0 passed, 1 failed\n", PQerrorMessage(conn));
		exit(1);
	}
	return conn;
}

static double
now_in_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/* ----------------------------------------------------------------
 *		Tests
 * ----------------------------------------------------------------
 */

/* One CALL in every way that waits for its result */
static void
test_ways(PGconn *conn)
{
	PGresult   *rowset = PQexecParams(conn, "SELECT some_rows(3)", 0, NULL,
									  NULL, NULL, NULL, 1);
	Oid			types[1] = {BYTEAOID};
	const char *values[1] = {PQgetvalue(rowset, 0, 0)};
	int			lengths[1] = {PQgetlength(rowset, 0, 0)};
	int			formats[1] = {1};
	PGresult   *result;

	result = PQexec(conn, "CALL rowset_send(some_rows(3))");
	check_rows("PQexec", result, 3);
	check_text("PQexec", "command", "CALL", PQcmdStatus(result));
	PQclear(result);
	check_connection(conn, "PQexec");

	for (int format = 0; format <= 1; format++)
	{
		const char *name = format == 0 ? "PQexecParams, text" :
			"PQexecParams, binary";

		result = PQexecParams(conn, "CALL rowset_send($1)", 1, types, values,
							  lengths, formats, format);
		check_rows(name, result, 3);
		check_text(name, "command", "CALL", PQcmdStatus(result));
		PQclear(result);
		check_connection(conn, name);
	}

	result = PQprepare(conn, "send", "CALL rowset_send($1)", 1, types);
	check_status("PQprepare", result, PGRES_COMMAND_OK);
	PQclear(result);
	result = PQdescribePrepared(conn, "send");
	check_status("PQdescribePrepared", result, PGRES_COMMAND_OK);
	check_number("PQdescribePrepared", "columns", 0, PQnfields(result));
	PQclear(result);
	for (int format = 0; format <= 1; format++)
	{
		const char *name = format == 0 ? "PQexecPrepared, text" :
			"PQexecPrepared, binary";

		result = PQexecPrepared(conn, "send", 1, values, lengths, formats,
								format);
		check_rows(name, result, 3);
		PQclear(result);
		check_connection(conn, name);
	}
	PQclear(rowset);
}

/* Several results of one statement: each comes by PQgetResult */
static void
test_several(PGconn *conn)
{
	const char *name = "several results";
	PGresult   *result;

	check_number(name, "sent", 1,
				 PQsendQuery(conn, "CALL two_results(some_rows(4))"));
	result = PQgetResult(conn);
	check_rows("the first of several results", result, 4);
	PQclear(result);
	result = PQgetResult(conn);
	check_status(name, result, PGRES_TUPLES_OK);
	check_text(name, "the second", "second",
			   PQntuples(result) == 1 ? PQgetvalue(result, 0, 0) : "no row");
	PQclear(result);
	result = PQgetResult(conn);
	check(name, "no third", result == NULL, "another");
	PQclear(result);
	check_connection(conn, name);

	result = PQexec(conn, "CALL two_results(some_rows(4))");
	check_text("several results by PQexec", "the last", "which",
			   PQnfields(result) == 1 ? PQfname(result, 0) : "other columns");
	PQclear(result);
	check_connection(conn, "several results by PQexec");

	/* in the extended protocol there can be one only */
	for (int i = 0; i < 2; i++)
	{
		result = PQexecParams(conn, "CALL two_results(some_rows(4))", 0, NULL,
							  NULL, NULL, NULL, 0);
		check_error("several results by PQexecParams", result, "0A000");
		PQclear(result);
		check_connection(conn, "several results by PQexecParams");
		result = PQexecParams(conn, "CALL rowset_send(some_rows(4))", 0, NULL,
							  NULL, NULL, NULL, 0);
		check_rows("one result after that", result, 4);
		PQclear(result);
	}
}

/* Row by row */
static void
test_single_rows(PGconn *conn)
{
	const char *name = "row by row";
	int			nrows = 0;
	PGresult   *result;

	PQsendQueryParams(conn, "CALL rowset_send(some_rows(2500))", 0, NULL,
					  NULL, NULL, NULL, 0);
	check_number(name, "mode is set", 1, PQsetSingleRowMode(conn));
	while ((result = PQgetResult(conn)) != NULL)
	{
		if (PQresultStatus(result) == PGRES_SINGLE_TUPLE)
			nrows++;
		else
			check_status(name, result, PGRES_TUPLES_OK);
		PQclear(result);
	}
	check_number(name, "rows", 2500, nrows);
	check_connection(conn, name);
}

/*
 * In a pipeline libpq expects rows from no CALL, and drops these; what goes
 * before and after them comes through.
 */
static void
test_pipeline(PGconn *conn)
{
	const char *name = "pipeline";
	const char *queries[] = {"SELECT 1 AS a", "CALL rowset_send(some_rows(3))",
	"SELECT 2 AS a"};
	PGresult   *result;

	check_number(name, "entered", 1, PQenterPipelineMode(conn));
	for (int i = 0; i < 3; i++)
		PQsendQueryParams(conn, queries[i], 0, NULL, NULL, NULL, NULL, 0);
	PQpipelineSync(conn);
	for (int i = 0; i < 3; i++)
	{
		int			nresults = 0;

		while ((result = PQgetResult(conn)) != NULL)
		{
			nresults++;
			if (i == 1)
				check(name, "no error",
					  PQresultStatus(result) != PGRES_FATAL_ERROR,
					  PQresultErrorMessage(result));
			else
				check_status(queries[i], result, PGRES_TUPLES_OK);
			PQclear(result);
		}
		check(queries[i], "results", nresults > 0, "none");
	}
	result = PQgetResult(conn);
	check_status(name, result, PGRES_PIPELINE_SYNC);
	PQclear(result);
	check_number(name, "left", 1, PQexitPipelineMode(conn));
	check_connection(conn, name);
}

/* Errors before rows, after rows, and where rows can't be sent */
static void
test_errors(PGconn *conn)
{
	static const struct
	{
		const char *query;
		const char *sqlstate;
	}			cases[] = {
		{"CALL rowset_send('\\x00')", "22P03"},
		{"CALL rowset_send(NULL)", "22004"},
		{"CALL rowset_send(damaged())", "XX001"},
		{"SELECT sends()", "0A000"},
		{"SELECT i, sends() FROM generate_series(1, 2) AS i", "0A000"},
		{"CALL outputs(some_rows(1), NULL)", "0A000"},
		{"EXPLAIN ANALYZE SELECT sends()", "0A000"},
		{"COPY (SELECT sends()) TO STDOUT", "0A000"},
		{"DO 'BEGIN CALL rowset_send(some_rows(5)); PERFORM 1 / 0; END'",
		"22012"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		const char *query = cases[i].query;
		PGresult   *result;

		/* COPY begins before its query runs */
		result = PQexec(conn, query);
		if (PQresultStatus(result) == PGRES_COPY_OUT)
		{
			char	   *buffer;

			while (PQgetCopyData(conn, &buffer, 0) > 0)
				PQfreemem(buffer);
			PQclear(result);
			result = PQgetResult(conn);
		}
		check_error(query, result, cases[i].sqlstate);
		PQclear(result);
		while ((result = PQgetResult(conn)) != NULL)
			PQclear(result);
		check_connection(conn, query);

		if (strncmp(query, "COPY", 4) == 0)
			continue;
		result = PQexecParams(conn, query, 0, NULL, NULL, NULL, NULL, 1);
		check_error(query, result, cases[i].sqlstate);
		PQclear(result);
		check_connection(conn, query);
	}
}

/* A transaction block with an error in it */
static void
test_transaction(PGconn *conn)
{
	const char *name = "transaction";

	PQclear(PQexec(conn, "BEGIN"));
	PQclear(PQexec(conn, "CALL rowset_send(some_rows(3))"));
	check_number(name, "open", PQTRANS_INTRANS, PQtransactionStatus(conn));
	PQclear(PQexec(conn, "CALL rowset_send(NULL)"));
	check_number(name, "failed", PQTRANS_INERROR, PQtransactionStatus(conn));
	PQclear(PQexec(conn, "ROLLBACK"));
	check_connection(conn, name);
}

/* Text in the client's encoding */
static void
test_encoding(PGconn *conn)
{
	const char *name = "LATIN1";
	PGresult   *result;

	PQsetClientEncoding(conn, "LATIN1");
	result = PQexec(conn,
					"CALL rowset_send(query_to_rowset('SELECT chr(233) AS \"' || chr(252) || '\"'))");
	check_status(name, result, PGRES_TUPLES_OK);
	check_text(name, "a name", "\xfc", PQfname(result, 0));
	check_text(name, "a value", "\xe9", PQgetvalue(result, 0, 0));
	PQclear(result);
	result = PQexec(conn,
					"CALL rowset_send(query_to_rowset('SELECT chr(1024)'))");
	check_error("a character that LATIN1 lacks", result, "22P05");
	PQclear(result);
	PQsetClientEncoding(conn, "UTF8");
	check_connection(conn, name);
}

/* Cancelling rows without end, once the client has seen some */
static void
test_cancel(PGconn *conn)
{
	const char *name = "cancel";
	PGcancel   *cancel = PQgetCancel(conn);
	char		message[256];
	char		sqlstate[6] = "none";
	int			nresults = 0;
	double		start = 0;
	PGresult   *result;

	PQsendQuery(conn, "CALL no_end()");
	PQsetSingleRowMode(conn);
	while ((result = PQgetResult(conn)) != NULL)
	{
		if (PQresultStatus(result) == PGRES_FATAL_ERROR)
			snprintf(sqlstate, sizeof(sqlstate), "%s",
					 PQresultErrorField(result, PG_DIAG_SQLSTATE));
		PQclear(result);
		if (++nresults == 5)
		{
			check_number(name, "sent", 1,
						 PQcancel(cancel, message, sizeof(message)));
			start = now_in_ms();
		}
	}
	check_text(name, "SQLSTATE", "57014", sqlstate);
	/* what is on its way has to be read as well */
	check(name, "in time", now_in_ms() - start < 1000, "more than a second");
	PQfreeCancel(cancel);
	check_connection(conn, name);
}

/* A client that goes away while rows without end are sent */
static void
test_leave(PGconn *conn)
{
	const char *name = "a client that leaves";
	PGconn	   *leaver = connect_or_exit();
	char		query[100];
	bool		is_gone = false;
	double		start;

	snprintf(query, sizeof(query),
			 "SELECT 1 FROM pg_stat_activity WHERE pid = %d",
			 PQbackendPID(leaver));
	PQsendQuery(leaver, "CALL no_end()");
	PQsetSingleRowMode(leaver);
	PQclear(PQgetResult(leaver));
	PQfinish(leaver);
	start = now_in_ms();
	while (!is_gone && now_in_ms() - start < 10000)
	{
		PGresult   *result = PQexec(conn, query);

		is_gone = PQntuples(result) == 0;
		PQclear(result);
	}
	check(name, "the server ends its session", is_gone, "that it is there");
	check_connection(conn, name);
}

int
main(void)
{
	PGconn	   *conn = connect_or_exit();

	test_ways(conn);
	test_several(conn);
	test_single_rows(conn);
	test_pipeline(conn);
	test_errors(conn);
	test_transaction(conn);
	test_encoding(conn);
	test_cancel(conn);
	test_leave(conn);
	PQfinish(conn);
	printf("%d passed, %d failed\n", passed, failed);
	return failed == 0 ? 0 : 1;
}
