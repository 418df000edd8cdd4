-- A change feed: each statement that changes the table leaves a rowset of what it
-- changed in the write-ahead log.  The message belongs to the transaction: what is
-- rolled back is not sent.  An update is the old rows going and the new ones
-- coming.
CREATE FUNCTION emit_changes() RETURNS trigger LANGUAGE plpgsql AS
$$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		PERFORM pg_logical_emit_message(true, 'delete ' || TG_TABLE_NAME, rowset_agg(o)) FROM old_rows AS o;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		PERFORM pg_logical_emit_message(true, 'insert ' || TG_TABLE_NAME, rowset_agg(n)) FROM new_rows AS n;
	END IF;
	RETURN NULL;
END
$$;
CREATE TRIGGER emit_insert AFTER INSERT ON lineitem REFERENCING NEW TABLE AS new_rows
	FOR EACH STATEMENT EXECUTE FUNCTION emit_changes();
CREATE TRIGGER emit_update AFTER UPDATE ON lineitem REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
	FOR EACH STATEMENT EXECUTE FUNCTION emit_changes();
CREATE TRIGGER emit_delete AFTER DELETE ON lineitem REFERENCING OLD TABLE AS old_rows
	FOR EACH STATEMENT EXECUTE FUNCTION emit_changes();

-- A slot keeps the log for the reader.  Messages belong to no table, so the
-- publication has none.
CREATE PUBLICATION feed;
SELECT pg_create_logical_replication_slot('feed', 'pgoutput');

-- What pgoutput sends: a message is M, a byte of flags, its position in 8 bytes, the
-- prefix up to a zero byte, a length in 4 bytes, the content; a commit is C, a
-- byte, the position of the commit and that of its end.  The end of the commit is
-- what tells how far a reader has come, since transactions come in the order in
-- which they were committed.
CREATE FUNCTION lsn_at(data bytea, place int) RETURNS pg_lsn LANGUAGE sql IMMUTABLE AS
$$ SELECT '0/0'::pg_lsn + ('x' || encode(substr(data, place, 8), 'hex'))::bit(64)::bigint $$;

CREATE FUNCTION feed_messages(after pg_lsn) RETURNS TABLE (end_lsn pg_lsn, prefix text, content bytea) LANGUAGE sql AS
$$
	WITH change AS MATERIALIZED
	(
		SELECT row_number() OVER () AS n, xid, data, chr(get_byte(data, 0)) AS kind
		FROM pg_logical_slot_peek_binary_changes('feed', NULL, NULL, 'proto_version', '1', 'publication_names', 'feed',
			'messages', 'true')
	)
	SELECT lsn_at(c.data, 11), convert_from(substr(m.data, 11, zero - 1), 'UTF8'), substr(m.data, 11 + zero + 4)
	FROM change AS m JOIN change AS c ON c.xid = m.xid AND c.kind = 'C',
		LATERAL (SELECT position('\x00'::bytea IN substr(m.data, 11)) AS zero) AS p
	WHERE m.kind = 'M' AND lsn_at(c.data, 11) > after
	ORDER BY m.n
$$;
