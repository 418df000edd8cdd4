-- What happens to the table: three statements that stay, one that is undone.
BEGIN;
INSERT INTO lineitem SELECT l_orderkey + 1000000000, l_partkey, l_suppkey, l_linenumber, l_quantity, l_extendedprice, l_discount,
	l_tax, l_returnflag, l_linestatus, l_shipdate, l_commitdate, l_receiptdate, l_shipinstruct, l_shipmode, 'ordered again'
FROM lineitem WHERE l_orderkey % 3 = 0;
UPDATE lineitem SET l_comment = 'größer', l_discount = l_discount + 0.01 WHERE l_orderkey % 5 = 0;
COMMIT;
DELETE FROM lineitem WHERE l_orderkey % 7 = 0;
BEGIN;
DELETE FROM lineitem;
ROLLBACK;
