-- A reply that takes a second and says from when to when.
CREATE FUNCTION when_asked() RETURNS SETOF bytea LANGUAGE sql
BEGIN ATOMIC
	SELECT query_to_rowset('SELECT clock_timestamp() AS started, pg_sleep(1)::text AS slept, clock_timestamp() AS ended');
END;
CREATE VIEW when_asked_view AS SELECT rows FROM when_asked() AS rows;
