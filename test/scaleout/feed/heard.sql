-- What the listener does with each payload, here for all that it has heard: it
-- goes to a reader, in base64 as it is, which gives the rows that became complete.
DO $$
DECLARE
	message record;
BEGIN
	PERFORM rowset_reader_open('lines');
	FOR message IN SELECT payload FROM inbox ORDER BY n LOOP
		INSERT INTO heard
		SELECT * FROM rowset_reader_feed('lines', message.payload) AS t(l_orderkey bigint, l_partkey int, l_suppkey int,
			l_linenumber int, l_quantity numeric(15,2), l_extendedprice numeric(15,2), l_discount numeric(15,2),
			l_tax numeric(15,2), l_returnflag char(1), l_linestatus char(1), l_shipdate date, l_commitdate date,
			l_receiptdate date, l_shipinstruct char(25), l_shipmode char(10), l_comment varchar(44));
	END LOOP;
END
$$;
