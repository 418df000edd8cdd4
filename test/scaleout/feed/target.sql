-- The other side: takes the messages that it doesn't have yet, and remembers in
-- the same transaction how far it is; so each is applied once, whatever fails.
CREATE TABLE feed_position (lsn pg_lsn NOT NULL);
INSERT INTO feed_position VALUES ('0/0');

CREATE FUNCTION apply_feed() RETURNS int LANGUAGE plpgsql AS
$$
DECLARE
	message record;
	applied int := 0;
BEGIN
	FOR message IN
		SELECT d.*
		FROM feed_position AS p, dblink('service=source', format('SELECT * FROM feed_messages(%L)', p.lsn))
			AS d(end_lsn pg_lsn, prefix text, content bytea)
	LOOP
		IF message.prefix = 'insert lineitem' THEN
			PERFORM rowset_insert('lineitem', message.content);
		ELSIF message.prefix = 'delete lineitem' THEN
			DELETE FROM lineitem AS l
			USING rowset_to_recordset(message.content) AS o(l_orderkey bigint, l_linenumber int)
			WHERE (l.l_orderkey, l.l_linenumber) = (o.l_orderkey, o.l_linenumber);
		END IF;
		UPDATE feed_position SET lsn = message.end_lsn;
		applied := applied + 1;
	END LOOP;
	RETURN applied;
END
$$;

-- Afterwards the source may forget what has been applied.
CREATE FUNCTION confirm_feed() RETURNS void LANGUAGE sql AS
$$
	SELECT 1 FROM feed_position AS p,
		dblink('service=source', format('SELECT end_lsn FROM pg_replication_slot_advance(''feed'', %L)', p.lsn)) AS d(lsn pg_lsn)
$$;
