-- What is timed: requests that are there already are served, all replies are
-- taken, and every column of every row of theirs is counted.  A request names a
-- range of orders; the reply is a rowset, JSON, or its rows one by one.  COUNTS
-- stands for count() of each column.
INSERT INTO service.request VALUES
	('orders_between', 'SELECT l.* FROM rowset_to_recordset($1) AS p(first bigint, last bigint)
		JOIN lineitem AS l ON l.l_orderkey BETWEEN p.first AND p.last');

CREATE TABLE timing (carrier text, form text, load text, replies int, rows bigint, pass int, serve_ms float8,
	read_ms float8, bytes bigint, counts text);
CREATE TABLE timed_task (LIKE task INCLUDING ALL, first bigint, last bigint);
CREATE TABLE timed_answer (LIKE answer INCLUDING ALL);
CREATE TABLE timed_answer_json (id bigint PRIMARY KEY, rows text NOT NULL);
CREATE TABLE timed_answer_rows (id bigint, LIKE lineitem);

-- So many ranges of about as many rows.
CREATE FUNCTION ranges(replies int, every bigint) RETURNS TABLE (first bigint, last bigint) LANGUAGE sql AS
$$
	SELECT min(l_orderkey), max(l_orderkey)
	FROM (SELECT l_orderkey, (row_number() OVER (ORDER BY l_orderkey) - 1) / every AS n FROM (SELECT DISTINCT l_orderkey FROM lineitem) AS o) AS s
	WHERE n < replies GROUP BY n
$$;

-- A table with FOR UPDATE SKIP LOCKED.
CREATE PROCEDURE serve_timed(form text) LANGUAGE plpgsql AS
$$
DECLARE
	t timed_task;
BEGIN
	LOOP
		SELECT * INTO t FROM timed_task WHERE error IS NULL AND not_before <= clock_timestamp()
		ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
		EXIT WHEN NOT FOUND;
		BEGIN
			IF form = 'rowset' THEN
				INSERT INTO timed_answer VALUES (t.id, service.answer(t.request, t.params));
			ELSIF form = 'JSON' THEN
				INSERT INTO timed_answer_json SELECT t.id, json_agg(l) FROM lineitem AS l WHERE l_orderkey BETWEEN t.first AND t.last;
			ELSE
				INSERT INTO timed_answer_rows SELECT t.id, l.* FROM lineitem AS l WHERE l_orderkey BETWEEN t.first AND t.last;
			END IF;
			DELETE FROM timed_task WHERE id = t.id;
		END;
		COMMIT;
	END LOOP;
END
$$;

CREATE PROCEDURE time_table(load text, form text, replies int, every bigint, pass int) LANGUAGE plpgsql AS
$$
DECLARE
	started timestamptz;
	served timestamptz;
	counted text;
	size bigint;
BEGIN
	TRUNCATE timed_task, timed_answer, timed_answer_json, timed_answer_rows;
	INSERT INTO timed_task (request, params, first, last)
	SELECT 'orders_between', record_to_rowset(r), r.first, r.last FROM ranges(replies, every) AS r;
	COMMIT;
	started := clock_timestamp();
	CALL serve_timed(form);
	served := clock_timestamp();
	IF form = 'rowset' THEN
		SELECT concat_ws(' ', COUNTS) INTO counted FROM timed_answer AS a, rowset_populate_recordset(NULL::lineitem, a.rows);
	ELSIF form = 'JSON' THEN
		SELECT concat_ws(' ', COUNTS) INTO counted FROM timed_answer_json AS a, json_populate_recordset(NULL::lineitem, a.rows::json);
	ELSE
		SELECT concat_ws(' ', COUNTS) INTO counted FROM timed_answer_rows;
	END IF;
	INSERT INTO timing SELECT 'table', form, load, replies, split_part(counted, ' ', 1)::bigint, pass,
		extract(epoch FROM served - started) * 1000, extract(epoch FROM clock_timestamp() - served) * 1000,
		CASE form WHEN 'rowset' THEN pg_total_relation_size('timed_answer')
			WHEN 'JSON' THEN pg_total_relation_size('timed_answer_json') ELSE pg_total_relation_size('timed_answer_rows') END,
		counted;
	COMMIT;
END
$$;

-- PgQ; ticks are made at once, so that what is timed is work and no waiting.
SELECT pgq.create_queue(q), pgq.set_queue_config(q, 'ticker_max_lag', '0 seconds')
FROM unnest('{timed_requests,timed_replies}'::text[]) AS q;
SELECT pgq.register_consumer('timed_requests', 'service'), pgq.register_consumer('timed_replies', 'desk');

CREATE FUNCTION pgq_serve_timed(form text) RETURNS boolean LANGUAGE plpgsql AS
$$
DECLARE
	batch bigint := pgq.next_batch('timed_requests', 'service');
	event record;
BEGIN
	IF batch IS NULL THEN
		RETURN false;
	END IF;
	FOR event IN SELECT * FROM pgq.get_batch_events(batch) LOOP
		BEGIN
			IF form = 'rowset' THEN
				PERFORM pgq.insert_event('timed_replies', form, encode(packet, 'base64'), event.ev_extra1, seq::text, NULL, NULL)
				FROM rowset_packets(service.answer(event.ev_type, decode(event.ev_data, 'base64')), 48000);
			ELSIF form = 'JSON' THEN
				PERFORM pgq.insert_event('timed_replies', form, json_agg(l)::text, event.ev_extra1, NULL, NULL, NULL)
				FROM lineitem AS l WHERE l_orderkey BETWEEN event.ev_extra2::bigint AND event.ev_extra3::bigint;
			ELSE
				PERFORM pgq.insert_event('timed_replies', form, l::text, event.ev_extra1, NULL, NULL, NULL)
				FROM lineitem AS l WHERE l_orderkey BETWEEN event.ev_extra2::bigint AND event.ev_extra3::bigint;
			END IF;
		END;
	END LOOP;
	PERFORM pgq.finish_batch(batch);
	RETURN true;
END
$$;

CREATE PROCEDURE time_pgq(load text, form text, replies int, every bigint, pass int) LANGUAGE plpgsql AS
$$
DECLARE
	started timestamptz;
	served timestamptz;
	batch bigint;
	counted text;
	sum_counted text;
	size bigint := 0;
	more bigint;
BEGIN
	PERFORM pgq.insert_event('timed_requests', 'orders_between', encode(record_to_rowset(r), 'base64'),
		row_number() OVER ()::text, r.first::text, r.last::text, NULL)
	FROM ranges(replies, every) AS r;
	COMMIT;
	PERFORM pgq.ticker('timed_requests');
	COMMIT;
	started := clock_timestamp();
	WHILE pgq_serve_timed(form) LOOP
		COMMIT;
	END LOOP;
	served := clock_timestamp();
	PERFORM pgq.ticker('timed_replies');
	COMMIT;
	LOOP
		batch := pgq.next_batch('timed_replies', 'desk');
		EXIT WHEN batch IS NULL;
		IF form = 'rowset' THEN
			SELECT concat_ws(' ', COUNTS) INTO counted
			FROM (SELECT rowset_from_packets(decode(ev_data, 'base64')) AS rows FROM pgq.get_batch_events(batch) GROUP BY ev_extra1) AS a,
				rowset_populate_recordset(NULL::lineitem, a.rows);
		ELSIF form = 'JSON' THEN
			SELECT concat_ws(' ', COUNTS) INTO counted
			FROM pgq.get_batch_events(batch), json_populate_recordset(NULL::lineitem, ev_data::json);
		ELSE
			SELECT concat_ws(' ', COUNTS) INTO counted
			FROM (SELECT (l).* FROM (SELECT ev_data::lineitem AS l FROM pgq.get_batch_events(batch) OFFSET 0) AS s) AS e;
		END IF;
		IF counted NOT LIKE '0 %' THEN
			sum_counted := concat(sum_counted, counted);
		END IF;
		SELECT sum(length(ev_data)) INTO more FROM pgq.get_batch_events(batch);
		size := size + coalesce(more, 0);
		PERFORM pgq.finish_batch(batch);
		COMMIT;
	END LOOP;
	INSERT INTO timing SELECT 'PgQ', form, load, replies, split_part(sum_counted, ' ', 1)::bigint, pass,
		extract(epoch FROM served - started) * 1000, extract(epoch FROM clock_timestamp() - served) * 1000, size, sum_counted;
	COMMIT;
END
$$;

-- All forms in turn, every second pass backwards; pass 0 is to warm up.
CREATE PROCEDURE time_all(passes int, every bigint) LANGUAGE plpgsql AS
$$
DECLARE
	c record;
BEGIN
	FOR c IN
		SELECT load, carrier, form, replies, orders, pass
		FROM generate_series(0, passes) AS pass,
			(VALUES ('many small', 200, 25), ('one large', 1, every)) AS l(load, replies, orders),
			unnest('{table,PgQ}'::text[]) WITH ORDINALITY AS a(carrier, i), unnest('{rowset,rows,JSON}'::text[]) WITH ORDINALITY AS f(form, j)
		ORDER BY pass, load, CASE WHEN pass % 2 = 1 THEN i * 3 + j ELSE - i * 3 - j END
	LOOP
		IF c.carrier = 'table' THEN
			CALL time_table(c.load, c.form, c.replies, c.orders, c.pass);
		ELSE
			CALL time_pgq(c.load, c.form, c.replies, c.orders, c.pass);
		END IF;
	END LOOP;
	DELETE FROM timing WHERE pass = 0;
END
$$;
