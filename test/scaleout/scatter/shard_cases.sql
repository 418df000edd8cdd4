-- What a reply costs a shard; timed there.
INSERT INTO bench.subject VALUES ('lineitem');
INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'shard', 'lineitem', (SELECT count(*) FROM lineitem), op, 'at one shard', kind, statement
FROM (VALUES
	('all rows packed', 'rowser', 'SELECT sum(length(r)) FROM lineitem_rowset() AS r'),
	('all rows as JSON', 'rival', 'SELECT sum(length(r)) FROM lineitem_json() AS r'),
	('groups made and packed', 'rowser', 'SELECT sum(length(r)) FROM lineitem_groups(''1998-09-02'') AS r')
	) AS f(op, kind, statement);
