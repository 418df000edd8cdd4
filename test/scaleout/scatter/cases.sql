-- What is timed.  "rows" is the number of rows of the table; whatever reads rows
-- counts every column, so all values are made.
SELECT bench.each_column('lineitem', 'count(t.%1$s)') AS counts,
	bench.each_column('lineitem', '%1$s %2$s') AS list,
	(SELECT count(*) FROM whole) AS rows,
	(SELECT count(*) FROM whole WHERE l_orderkey % 4 = 0) AS rows1,
	(SELECT count(*) FROM whole WHERE l_orderkey % 4 IN (0, 1)) AS rows2 \gset

SELECT format('concat_ws('' '', %s)', :'counts') AS counts \gset

-- The same table on 1, 2 and 4 shards, then 1 and 2 of the 4 shards.
INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'scatter', 'lineitem', rows, label || ', all rows', 'PL/Proxy, ' || form, kind, replace(replace(statement, '@', cluster), '#', :'counts')
FROM (VALUES ('spread1', 'table on 1 shard', :rows), ('spread2', 'table on 2 shards', :rows), ('spread4', 'table on 4 shards', :rows),
		('part1', '1 of the 4 shards', :rows1), ('part2', '2 of the 4 shards', :rows2)) AS c(cluster, label, rows),
	(VALUES ('rowset', 'rowser', 'SELECT # FROM (SELECT rowset_concat_agg(r) AS g FROM @_rowset() AS r) AS s, rowset_populate_recordset(NULL::lineitem, g) AS t'),
		('rows', 'rival', 'SELECT # FROM @_rows() AS t'),
		('JSON', 'rival', 'SELECT # FROM @_json() AS j, json_populate_recordset(NULL::lineitem, j::json) AS t')) AS f(form, kind, statement);

-- The other carriers, on four shards.
INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'scatter', 'lineitem', :rows, 'table on 4 shards, all rows', form, kind, replace(statement, '#', :'counts')
FROM (VALUES
	('PL/Proxy, rowsets read one by one', 'rowser', 'SELECT # FROM spread4_rowset() AS r, rowset_populate_recordset(NULL::lineitem, r) AS t'),
	('dblink, rowset', 'rowser', 'SELECT # FROM dblink_lineitem AS t'),
	('dblink, rows', 'rival', 'SELECT # FROM dblink_gather_rows(''TABLE lineitem'') AS t'),
	('dblink, JSON', 'rival', 'SELECT # FROM dblink_gather_text(''SELECT lineitem_json()'') AS j, json_populate_recordset(NULL::lineitem, j::json) AS t'),
	('postgres_fdw, rowset', 'rowser', 'SELECT # FROM fdw_lineitem AS t'),
	('postgres_fdw, rows', 'rival', 'SELECT # FROM fdw_rows AS t'),
	('postgres_fdw, JSON', 'rival', 'SELECT # FROM fdw_json AS j, json_populate_recordset(NULL::lineitem, j.t::json) AS t')
	) AS f(form, kind, statement);

-- Groups: partial sums from the shards, or all rows and the sums made here.
INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'scatter', 'lineitem', :rows, 'table on 4 shards, groups', form, kind,
	'SELECT string_agg(g::text, '' '' ORDER BY g::text) FROM (' || statement || ' GROUP BY 1, 2) AS g'
FROM (VALUES
	('grouped at the shards, rowset', 'rowser', 'SELECT l_returnflag, l_linestatus, sum(quantity) AS quantity, sum(price) AS price, sum(lines)::bigint AS lines
		FROM plproxy_groups(''1998-09-02'')'),
	('grouped at the shards, rows', 'rival', 'SELECT l_returnflag, l_linestatus, sum(quantity), sum(price), sum(lines)::bigint FROM spread4_groups_rows(''1998-09-02'')'),
	('grouped at the shards, JSON', 'rival', 'SELECT l_returnflag, l_linestatus, sum(quantity), sum(price), sum(lines)::bigint
		FROM spread4_groups_json(''1998-09-02'') AS j, json_populate_recordset(NULL::lineitem_group, j::json)'),
	('all rows as rowsets, grouped here', 'rowser', 'SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), count(*)
		FROM plproxy_lineitem WHERE l_shipdate <= ''1998-09-02'''),
	('all rows as rows, grouped here', 'rival', 'SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), count(*)
		FROM spread4_rows() WHERE l_shipdate <= ''1998-09-02''')
	) AS f(form, kind, statement);

-- The parts of the coordinator's cost: replies taken, put together (and, above, read).
INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'cost', 'lineitem', rows, op, form, 'rowser', statement
FROM (VALUES
	(:rows, 'rowsets taken', 'PL/Proxy', 'SELECT sum(length(r)) FROM spread4_rowset() AS r'),
	(:rows, 'rowsets taken', 'dblink', 'SELECT sum(length(r)) FROM dblink_gather(''SELECT lineitem_rowset()'') AS r'),
	(:rows, 'rowsets taken', 'postgres_fdw', 'SELECT sum(length(rows)) FROM lineitem_packed'),
	(:rows, 'rowsets taken and put together', 'PL/Proxy', 'SELECT length(rowset_concat_agg(r)) FROM spread4_rowset() AS r'),
	(1, 'a connection opened and closed', 'dblink', 'SELECT dblink_connect(''extra'', ''service=shard0'') || dblink_disconnect(''extra'')')
	) AS f(rows, op, form, statement);

-- What a shard costs, when its reply is at hand; the last one through a tree of
-- 4 times 16.
INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'cost', 'lineitem', n, 'kept groups of n shards added up', form, 'rowser',
	format('SELECT string_agg(g::text, '' '' ORDER BY g::text)
		FROM (SELECT t.l_returnflag, t.l_linestatus, sum(t.quantity), sum(t.price), sum(t.lines)
			FROM (SELECT rowset_concat_agg(r) AS gathered FROM %s() AS r) AS g,
				rowset_to_recordset(gathered) AS t(l_returnflag char(1), l_linestatus char(1), quantity numeric, price numeric, lines bigint)
			GROUP BY t.l_returnflag, t.l_linestatus) AS g', function)
FROM (VALUES (4, 'one coordinator', 'many4_kept'), (16, 'one coordinator', 'many16_kept'), (64, 'one coordinator', 'many64_kept'),
	(128, 'one coordinator', 'many128_kept'), (64, 'tree of 4 times 16', 'tree_groups')) AS m(n, form, function);
