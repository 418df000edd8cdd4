-- Request and reply by two tables, which carry bytea as it is.
CREATE TABLE task
(
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	request text NOT NULL,
	params bytea,
	tries int NOT NULL DEFAULT 0,
	not_before timestamptz NOT NULL DEFAULT now(),
	error text
);
CREATE TABLE answer (id bigint PRIMARY KEY, rows bytea NOT NULL);
ALTER TABLE answer ALTER rows SET STORAGE EXTERNAL;

-- Serve tasks until there is none to be had; as many sessions as you like may do
-- that.  Each task is a transaction: if the session dies, the task is still there.
-- One that fails is tried again a second later, then two, and then put aside.
CREATE PROCEDURE serve_tasks() LANGUAGE plpgsql AS
$$
DECLARE
	t task;
BEGIN
	LOOP
		SELECT * INTO t FROM task
		WHERE error IS NULL AND not_before <= clock_timestamp()
		ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
		EXIT WHEN NOT FOUND;
		BEGIN
			INSERT INTO answer VALUES (t.id, service.answer(t.request, t.params));
			DELETE FROM task WHERE id = t.id;
		EXCEPTION WHEN OTHERS THEN
			UPDATE task SET tries = t.tries + 1, not_before = clock_timestamp() + (t.tries + 1) * interval '1 second',
				error = CASE WHEN t.tries >= 2 THEN SQLERRM END
			WHERE id = t.id;
		END;
		COMMIT;
	END LOOP;
END
$$;
