-- A rowset as notifications: each packet is one, as base64, which makes 5,922 bytes
-- 7,999 characters with its line ends.  All are sent when the transaction
-- commits, in this order.
SELECT pg_notify('lines', encode(packet, 'base64'))
FROM query_to_rowset('SELECT * FROM lineitem') AS r, rowset_packets(r, 5922) AS p;
