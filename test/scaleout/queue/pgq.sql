-- Request and reply by PgQ.  The data of an event is text, so rowsets travel as
-- base64; a reply is cut into packets, so no event is larger than 65,000
-- characters, however large the reply is.
CREATE EXTENSION pgq;
SELECT pgq.create_queue('requests'), pgq.create_queue('replies');
SELECT pgq.register_consumer('requests', 'service'), pgq.register_consumer('replies', 'desk');

-- Ask: the event's type is the request, its first extra field tells which reply
-- belongs to it.
CREATE FUNCTION pgq_ask(id text, request text, params bytea) RETURNS bigint LANGUAGE sql AS
$$ SELECT pgq.insert_event('requests', request, encode(params, 'base64'), id, NULL, NULL, NULL) $$;

CREATE TABLE dead_letter (id text, request text, data text, error text);

-- Serve one batch of requests; NULL when there is none yet.  One that fails is
-- tried again later, twice, then it is put aside and its failure is the reply.
-- All of it is one transaction: either the batch is finished and its replies are
-- sent, or neither.
CREATE FUNCTION pgq_serve() RETURNS int LANGUAGE plpgsql AS
$$
DECLARE
	batch bigint := pgq.next_batch('requests', 'service');
	event record;
	served int := 0;
BEGIN
	IF batch IS NULL THEN
		RETURN NULL;
	END IF;
	FOR event IN SELECT * FROM pgq.get_batch_events(batch) LOOP
		BEGIN
			PERFORM pgq.insert_event('replies', 'rowset', encode(packet, 'base64'), event.ev_extra1, seq::text, NULL, NULL)
			FROM rowset_packets(service.answer(event.ev_type, decode(event.ev_data, 'base64')), 48000);
			served := served + 1;
		EXCEPTION WHEN OTHERS THEN
			IF coalesce(event.ev_retry, 0) < 2 THEN
				PERFORM pgq.event_retry(batch, event.ev_id, 1);
			ELSE
				INSERT INTO dead_letter VALUES (event.ev_extra1, event.ev_type, event.ev_data, SQLERRM);
				PERFORM pgq.insert_event('replies', 'error', SQLERRM, event.ev_extra1, NULL, NULL, NULL);
			END IF;
		END;
	END LOOP;
	PERFORM pgq.finish_batch(batch);
	RETURN served;
END
$$;

-- Take one batch of replies.  What one transaction has sent is in one batch, so a
-- reply that begins in it ends in it.
CREATE TABLE reply (id text PRIMARY KEY, rows bytea, error text);
ALTER TABLE reply ALTER rows SET STORAGE EXTERNAL;

CREATE FUNCTION pgq_receive() RETURNS int LANGUAGE plpgsql AS
$$
DECLARE
	batch bigint := pgq.next_batch('replies', 'desk');
	received int;
BEGIN
	IF batch IS NULL THEN
		RETURN NULL;
	END IF;
	INSERT INTO reply
	SELECT ev_extra1, rowset_from_packets(decode(ev_data, 'base64')) FILTER (WHERE ev_type = 'rowset'),
		max(ev_data) FILTER (WHERE ev_type = 'error')
	FROM pgq.get_batch_events(batch)
	GROUP BY ev_extra1;
	GET DIAGNOSTICS received = ROW_COUNT;
	PERFORM pgq.finish_batch(batch);
	RETURN received;
END
$$;
