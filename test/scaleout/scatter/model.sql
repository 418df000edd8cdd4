-- What n shards would cost, from what a few have cost here.
--
-- With N rows at each shard, B bytes a row in a reply, and n shards, all at
-- work at the same time on processors of their own:
--
--   all rows    shard: N * pack
--               coordinator: base + n * shard + n * N * (B * (take + join) + read)
--   groups      shard: N * group
--               coordinator: base + n * shard
--   tree        of two levels of sqrt(n) each: the coordinator's part twice, for sqrt(n)
--
-- The coordinator's time is its processor's, and counts whole after the shards',
-- though it begins with the first reply.  The network is in none of it: every
-- database is on this machine.

CREATE TABLE shard_summary AS
SELECT * FROM dblink('service=shard0', 'SELECT op, form, rows, median_ms, median_cpu_ms FROM bench.summary')
	AS d(op text, form text, rows bigint, median_ms float8, median_cpu_ms float8);

CREATE TABLE cost_parameter AS
WITH measured AS
(
	SELECT op, form, rows, median_ms AS ms, median_cpu_ms AS cpu FROM bench.summary
	UNION ALL
	SELECT * FROM shard_summary
),
gathered AS
(
	SELECT sum(length(r)) AS bytes, sum(rowset_count(r)) AS rows FROM lineitem_rowset() AS r
),
stage AS
(
	SELECT (SELECT cpu FROM measured WHERE op = 'rowsets taken' AND form = 'PL/Proxy') AS taken,
		(SELECT cpu FROM measured WHERE op = 'rowsets taken and put together') AS joined,
		(SELECT cpu FROM measured WHERE op = 'table on 4 shards, all rows' AND form = 'PL/Proxy, rowset') AS read
),
line AS
(
	SELECT regr_slope(cpu, rows) AS slope, regr_intercept(cpu, rows) AS base FROM measured
	WHERE op = 'kept groups of n shards added up' AND form = 'one coordinator' AND rows <= 64
)
SELECT p.*
FROM gathered AS g, stage, line, LATERAL (VALUES
	(1, 'pack', 'a shard packs a row', (SELECT cpu * 1e6 / m.rows FROM measured AS m WHERE op = 'all rows packed'), 'ns a row'),
	(2, 'group', 'a shard reads a row and groups it', (SELECT cpu * 1e6 / m.rows FROM measured AS m WHERE op = 'groups made and packed'), 'ns a row'),
	(3, 'B', 'a row in a rowset', g.bytes::float8 / g.rows, 'bytes'),
	(4, 'take', 'a reply is taken, by PL/Proxy', taken * 1e6 / g.bytes, 'ns a byte'),
	(5, 'join', 'replies are put together', (joined - taken) * 1e6 / g.bytes, 'ns a byte'),
	(6, 'read', 'a row is read, 16 columns', (read - joined) * 1e6 / g.rows, 'ns a row'),
	(7, 'shard', 'a shard more costs the coordinator', slope * 1000, 'µs'),
	(8, 'base', 'a query costs the coordinator in any case', base * 1000, 'µs'),
	(9, 'connect', 'a connection is opened, once in a session', (SELECT ms * 1000 FROM measured AS m WHERE op = 'a connection opened and closed'), 'µs')
	) AS p(ordinal, name, meaning, value, unit)
ORDER BY ordinal;

CREATE FUNCTION parameter(wanted text) RETURNS float8 LANGUAGE sql STABLE AS
$$ SELECT value FROM cost_parameter WHERE name = wanted $$;

-- Milliseconds for n shards of so many rows.
CREATE FUNCTION shard_ms(what text, shard_rows float8) RETURNS float8 LANGUAGE sql STABLE AS
$$ SELECT shard_rows * parameter(CASE what WHEN 'groups' THEN 'group' ELSE 'pack' END) / 1e6 $$;
CREATE FUNCTION coordinator_ms(what text, n float8, shard_rows float8) RETURNS float8 LANGUAGE sql STABLE AS
$$
	SELECT (parameter('base') + n * parameter('shard')) / 1000 + CASE what WHEN 'groups' THEN 0 ELSE
		n * shard_rows * (parameter('B') * (parameter('take') + parameter('join')) + parameter('read')) / 1e6 END
$$;
CREATE FUNCTION tree_ms(n float8) RETURNS float8 LANGUAGE sql STABLE AS
$$ SELECT 2 * coordinator_ms('groups', sqrt(n), 0) $$;
