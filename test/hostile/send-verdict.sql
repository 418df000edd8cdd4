--
-- send-verdict.sql
--	  Whether what rowset_send raised is meant for damaged rowsets: standard input is
--	  the errors of send.sql, "SQLSTATE: message" each.
--
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;

CREATE TABLE hostile.send_error (line text);
\copy hostile.send_error FROM pstdin WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')

-- Messages are whole here, not formats, so only those of internal errors are compared;
-- some receive functions have one more (allowed.sql).
SELECT hostile.test(count(*) FILTER (WHERE bad) = 0, 'rowset_send sends each, or tells', string_agg(DISTINCT line, E'\n    ') FILTER (WHERE bad))
FROM hostile.send_error AS e,
	LATERAL (SELECT NOT EXISTS (SELECT FROM hostile.allowed AS a
								WHERE a.sqlstate = split_part(line, ': ', 1) AND (a.sqlstate <> 'XX000' OR regexp_replace(line, '^XX000: ', '') ~ a.message))
				AND line !~ '^XX000: invalid memory alloc request size \d+$') AS b(bad);
SELECT hostile.test(count(*) > 0 AND count(*) < (SELECT count(*) FROM hostile.sent), 'some of them are sent, others are not', format('%s errors', count(*)))
FROM hostile.send_error;
