-- The coordinator's side with dblink alone: first each connection is sent the
-- query, then the replies are taken, so that the shards work at the same time.
CREATE EXTENSION dblink;
CREATE FUNCTION dblink_connect_shards() RETURNS void LANGUAGE sql AS
$$ SELECT dblink_connect(s, 'service=' || s) FROM unnest('{shard0,shard1,shard2,shard3}'::text[]) AS s $$;

CREATE FUNCTION dblink_gather(query text) RETURNS SETOF bytea LANGUAGE plpgsql AS
$$
DECLARE
	shard text;
BEGIN
	FOREACH shard IN ARRAY dblink_get_connections() LOOP
		IF dblink_send_query(shard, query) <> 1 THEN
			RAISE EXCEPTION 'could not send the query to %: %', shard, dblink_error_message(shard);
		END IF;
	END LOOP;
	FOREACH shard IN ARRAY dblink_get_connections() LOOP
		RETURN QUERY SELECT * FROM dblink_get_result(shard) AS d(rows bytea);
		-- once more, or the connection stays busy
		PERFORM * FROM dblink_get_result(shard) AS d(rows bytea);
	END LOOP;
END
$$;

CREATE VIEW dblink_lineitem AS
SELECT t.*
FROM (SELECT rowset_concat_agg(r) AS gathered FROM dblink_gather('SELECT lineitem_rowset()') AS r) AS g,
	rowset_populate_recordset(NULL::lineitem, gathered) AS t;
