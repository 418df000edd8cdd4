-- What is timed: some rows go out as notifications; each payload that psql has
-- heard is a line of the table heard_payload.
CREATE TABLE few AS SELECT * FROM lineitem ORDER BY l_orderkey, l_linenumber LIMIT :rows;
CREATE TABLE payload (n bigint GENERATED ALWAYS AS IDENTITY, payload text);
CREATE TABLE timing (form text, rows bigint, pass int, send_ms float8, hear_ms float8, read_ms float8, notifications bigint,
	bytes bigint);

CREATE PROCEDURE send_timed(form text, INOUT ms float8) LANGUAGE plpgsql AS
$$
DECLARE
	started timestamptz := clock_timestamp();
BEGIN
	IF form = 'rowset' THEN
		PERFORM pg_notify('timed', encode(packet, 'base64'))
		FROM query_to_rowset('SELECT * FROM few') AS r, rowset_packets(r, 5922) AS p;
	ELSE
		PERFORM pg_notify('timed', row_to_json(f)::text) FROM few AS f;
	END IF;
	COMMIT;
	ms := extract(epoch FROM clock_timestamp() - started) * 1000;
END
$$;

CREATE PROCEDURE read_timed(form text, INOUT ms float8, INOUT counted bigint) LANGUAGE plpgsql AS
$$
DECLARE
	started timestamptz := clock_timestamp();
	message record;
	came bigint;
BEGIN
	IF form = 'rowset' THEN
		PERFORM rowset_reader_open('timed');
		counted := 0;
		FOR message IN SELECT payload FROM payload ORDER BY n LOOP
			SELECT count(*) INTO came
			FROM rowset_reader_feed('timed', message.payload) AS t(l_orderkey bigint, l_partkey int, l_suppkey int,
				l_linenumber int, l_quantity numeric(15,2), l_extendedprice numeric(15,2), l_discount numeric(15,2),
				l_tax numeric(15,2), l_returnflag char(1), l_linestatus char(1), l_shipdate date, l_commitdate date,
				l_receiptdate date, l_shipinstruct char(25), l_shipmode char(10), l_comment varchar(44));
			counted := counted + came;
		END LOOP;
	ELSE
		SELECT count(r.l_comment) INTO counted FROM payload AS p, json_populate_record(NULL::lineitem, p.payload::json) AS r;
	END IF;
	ms := extract(epoch FROM clock_timestamp() - started) * 1000;
END
$$;
