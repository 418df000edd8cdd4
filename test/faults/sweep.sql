--
-- sweep.sql
--	  One fault at each step of each call, one after the other, until there is no
--	  such step; and what is seen afterwards.
--
\set ON_ERROR_STOP on
\set QUIET on

CREATE TABLE faults.outcome (
	call text,
	fault text,
	state text,		-- SQLSTATE, or what the call gave
	message text,
	happened bool,	-- had the fault happened by the end of the call?
	times bigint,
	first bigint,	-- the first and the last step at which this was so
	last bigint
);

-- The most cursors and calls in progress that any of the faults has left.
CREATE TABLE faults.swept (call text, fault text, steps bigint, cursors bigint, progress bigint, rows bigint, still_right bool);

-- Rows that a call has left behind: none.
CREATE FUNCTION faults.rows_inserted() RETURNS bigint LANGUAGE sql AS $$
	SELECT (SELECT count(*) FROM faults.target) + (SELECT count(*) FROM faults.observed) + (SELECT count(*) FROM faults.parted)
		+ (SELECT count(*) FROM pg_catalog.pg_class WHERE relname = 'made')
$$;

-- The cursors that are open, but for those of the procedures that ask.
CREATE FUNCTION faults.cursors_open() RETURNS bigint LANGUAGE sql AS
	'SELECT count(*) FROM pg_catalog.pg_cursors WHERE statement !~ ''faults\.call''';

-- Run a query with a fault at its n-th step.  What it did is undone.
CREATE PROCEDURE faults.run(p_call faults.call, p_fault text, p_nth bigint, INOUT state text, INOUT message text, INOUT happened bool)
LANGUAGE plpgsql AS $$
BEGIN
	state := NULL;
	message := '';
	IF p_call.settings <> '' THEN
		EXECUTE p_call.settings;
	END IF;
	PERFORM faults.arm(p_fault, p_nth);
	EXECUTE p_call.query INTO state;
	happened := faults.disarm();
	RAISE EXCEPTION USING ERRCODE = 'FAULT';
EXCEPTION
	WHEN SQLSTATE 'FAULT' THEN
		NULL;
	WHEN OTHERS OR query_canceled THEN
		happened := faults.disarm();
		state := SQLSTATE;
		message := SQLERRM;
END $$;

-- What a call gives without a fault.
CREATE PROCEDURE faults.run_whole(p_call faults.call, INOUT state text) LANGUAGE plpgsql AS $$
DECLARE
	v_message text;
	v_happened bool;
BEGIN
	CALL faults.run(p_call, 'palloc', 1000000000, state, v_message, v_happened);
	IF v_message <> '' THEN
		RAISE EXCEPTION '% fails without a fault: %', p_call.name, v_message;
	END IF;
END $$;

/*
 * A fault at some step, p_stride steps later, and so on, until there is no such
 * step.
 *
 * Each has a transaction of its own: a lock that was not to be had for lack of
 * memory crashes the server when it is wanted again in the same one, since
 * LockAcquireExtended() keeps the entry without its owners (seen in 15).
 */
CREATE PROCEDURE faults.sweep(p_call faults.call, p_fault text, p_stride bigint) LANGUAGE plpgsql AS $$
DECLARE
	v_nth bigint := 1;
	v_state text;
	v_message text;
	v_happened bool;
	v_right text;
	v_cursors bigint := 0;
	v_progress bigint := 0;
BEGIN
	IF p_call.name LIKE 'rowset\_reader%, held' AND NOT coalesce(current_setting('faults.has_reader', true), '') = 'yes' THEN
		PERFORM rowset_reader_open('held', true), set_config('faults.has_reader', 'yes', false);
		COMMIT;
	END IF;
	-- the first call loads what later ones find
	CALL faults.run_whole(p_call, v_right);
	CALL faults.run_whole(p_call, v_right);
	LOOP
		COMMIT;
		CALL faults.run(p_call, p_fault, v_nth, v_state, v_message, v_happened);
		-- before COMMIT takes what is left away
		v_cursors := greatest(v_cursors, faults.cursors_open());
		v_progress := greatest(v_progress, (SELECT count(*) FROM rowset_progress_info()));
		IF v_state IS NOT DISTINCT FROM v_right THEN
			v_state := 'right';
		END IF;
		UPDATE faults.outcome AS o SET times = o.times + 1, last = v_nth
		WHERE (o.call, o.fault, o.state, o.message, o.happened) IS NOT DISTINCT FROM (p_call.name, p_fault, v_state, v_message, v_happened);
		IF NOT FOUND THEN
			INSERT INTO faults.outcome VALUES (p_call.name, p_fault, v_state, v_message, v_happened, 1, v_nth, v_nth);
		END IF;
		EXIT WHEN NOT v_happened;
		v_nth := v_nth + p_stride;
	END LOOP;
	COMMIT;
	CALL faults.run_whole(p_call, v_state);
	INSERT INTO faults.swept
	SELECT p_call.name, p_fault, v_nth, greatest(v_cursors, faults.cursors_open()), greatest(v_progress, (SELECT count(*) FROM rowset_progress_info())),
		faults.rows_inserted(), v_state IS NOT DISTINCT FROM v_right;
	COMMIT;
END $$;

CREATE PROCEDURE faults.sweep_all(p_fault text, p_stride bigint) LANGUAGE plpgsql AS $$
DECLARE
	c faults.call;
BEGIN
	FOR c IN SELECT * FROM faults.call ORDER BY ord LOOP
		CALL faults.sweep(c, p_fault, p_stride);
	END LOOP;
END $$;

/*
 * A fault in the first call of a session, which sets up what the session keeps;
 * then the same without one.
 */
CREATE TABLE faults.first (call text, nth bigint, state text, message text, happened bool, again text);
CREATE PROCEDURE faults.call_first(p_call text, p_nth bigint) LANGUAGE plpgsql AS $$
DECLARE
	c faults.call;
	v_state text;
	v_message text;
	v_happened bool;
	v_again text;
BEGIN
	-- the procedure itself comes first, with a fault and without
	c.settings := '';
	c.query := 'SELECT ''x''';
	FOR i IN 1 .. 500 BY 499 LOOP
		CALL faults.run(c, 'palloc', i, v_state, v_message, v_happened);
		COMMIT;
	END LOOP;
	SELECT * INTO c FROM faults.call WHERE name = p_call;
	CALL faults.run(c, 'palloc', p_nth, v_state, v_message, v_happened);
	COMMIT;
	CALL faults.run_whole(c, v_again);
	INSERT INTO faults.first VALUES (p_call, p_nth, v_state, v_message, v_happened, v_again);
END $$;
