-- A data service: what may be asked are these queries and no others.  Whoever asks
-- gives a name and parameters; the parameters come as a rowset, so they have
-- types, may be many rows, and are bound to $1.
CREATE SCHEMA service;
CREATE TABLE service.request (name text PRIMARY KEY, query text NOT NULL);
INSERT INTO service.request VALUES
	('lines_of_orders', 'SELECT l.* FROM rowset_to_recordset($1) AS p(orderkey bigint)
		JOIN lineitem AS l ON l.l_orderkey = p.orderkey'),
	('shipped_between', 'SELECT l.* FROM rowset_to_recordset($1) AS p(first date, last date)
		JOIN lineitem AS l ON l.l_shipdate BETWEEN p.first AND p.last');

-- It runs with the rights of a role that can read what it needs and no more.
CREATE ROLE service_reader NOLOGIN;
GRANT USAGE ON SCHEMA service TO service_reader;
GRANT SELECT ON service.request, lineitem TO service_reader;

CREATE FUNCTION service.answer(asked text, params bytea) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS
$$
DECLARE
	found_query text;
BEGIN
	SELECT query INTO found_query FROM service.request WHERE name = asked;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'there is no request "%"', asked USING ERRCODE = 'undefined_object';
	END IF;
	RETURN query_to_rowset(found_query, params);
END
$$;
GRANT CREATE ON SCHEMA service TO service_reader;
ALTER FUNCTION service.answer OWNER TO service_reader;
REVOKE CREATE ON SCHEMA service FROM service_reader;
REVOKE EXECUTE ON FUNCTION service.answer FROM PUBLIC;
