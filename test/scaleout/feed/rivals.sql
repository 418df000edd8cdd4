-- What is timed: the rows of a table go into the log in one transaction, and are
-- taken from it by a slot.  As a rowset or JSON in a message they are then
-- counted, column by column; as rows of a table that is published they are taken
-- and no more, since nothing in SQL makes rows of pgoutput's or wal2json's.  COUNTS
-- stands for count() of each column.
CREATE TABLE published (LIKE lineitem);
CREATE PUBLICATION rows_feed FOR TABLE published;
CREATE TABLE timing (form text, rows bigint, pass int, write_ms float8, read_ms float8, wal_bytes bigint, taken_bytes bigint,
	counts text);

CREATE FUNCTION message_content(data bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS
$$ SELECT substr(data, 11 + position('\x00'::bytea IN substr(data, 11, 64)) + 4) $$;

CREATE PROCEDURE time_feed(form text, pass int) LANGUAGE plpgsql AS
$$
DECLARE
	started timestamptz;
	written timestamptz;
	before pg_lsn;
	after pg_lsn;
	counted text;
	size bigint;
	ended timestamptz;
BEGIN
	TRUNCATE published;
	COMMIT;
	PERFORM pg_create_logical_replication_slot('timed', CASE form WHEN 'rows, wal2json' THEN 'wal2json' ELSE 'pgoutput' END);
	COMMIT;
	before := pg_current_wal_insert_lsn();
	started := clock_timestamp();
	IF form = 'rowset' THEN
		PERFORM pg_logical_emit_message(true, 'rowset', query_to_rowset('SELECT * FROM lineitem'));
	ELSIF form = 'JSON' THEN
		PERFORM pg_logical_emit_message(true, 'json', json_agg(l)::text) FROM lineitem AS l;
	ELSE
		INSERT INTO published SELECT * FROM lineitem;
	END IF;
	COMMIT;
	written := clock_timestamp();
	after := pg_current_wal_insert_lsn();
	IF form = 'rowset' THEN
		SELECT concat_ws(' ', COUNTS), max(length(data)) INTO counted, size
		FROM pg_logical_slot_get_binary_changes('timed', NULL, NULL, 'proto_version', '1', 'publication_names', 'feed', 'messages', 'true') AS c,
			rowset_populate_recordset(NULL::lineitem, message_content(data))
		WHERE get_byte(data, 0) = ascii('M');
	ELSIF form = 'JSON' THEN
		SELECT concat_ws(' ', COUNTS), max(length(data)) INTO counted, size
		FROM pg_logical_slot_get_binary_changes('timed', NULL, NULL, 'proto_version', '1', 'publication_names', 'feed', 'messages', 'true') AS c,
			json_populate_recordset(NULL::lineitem, convert_from(message_content(data), 'UTF8')::json)
		WHERE get_byte(data, 0) = ascii('M');
	ELSIF form = 'rows, pgoutput' THEN
		SELECT count(*), sum(length(data)) INTO counted, size
		FROM pg_logical_slot_get_binary_changes('timed', NULL, NULL, 'proto_version', '1', 'publication_names', 'rows_feed') AS c
		WHERE get_byte(data, 0) = ascii('I');
	ELSE
		SELECT count(*), sum(length(data)) INTO counted, size
		FROM pg_logical_slot_get_changes('timed', NULL, NULL, 'format-version', '2', 'add-tables', 'public.published') AS c
		WHERE data LIKE '{"action":"I"%';
	END IF;
	ended := clock_timestamp();
	COMMIT;
	PERFORM pg_drop_replication_slot('timed');
	COMMIT;
	INSERT INTO timing VALUES (form, split_part(counted, ' ', 1)::bigint, pass, extract(epoch FROM written - started) * 1000,
		extract(epoch FROM ended - written) * 1000, after - before, size, counted);
	COMMIT;
END
$$;

-- All in turn, every second pass backwards; pass 0 is to warm up.
CREATE PROCEDURE time_all(passes int) LANGUAGE plpgsql AS
$$
DECLARE
	c record;
BEGIN
	FOR c IN
		SELECT form, pass
		FROM generate_series(0, passes) AS pass,
			unnest('{rowset,JSON,"rows, pgoutput","rows, wal2json"}'::text[]) WITH ORDINALITY AS f(form, i)
		ORDER BY pass, CASE WHEN pass % 2 = 1 THEN i ELSE -i END
	LOOP
		CALL time_feed(c.form, c.pass);
	END LOOP;
	DELETE FROM timing WHERE pass = 0;
END
$$;
