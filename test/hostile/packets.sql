--
-- packets.sql
--	  Damaged packets with right checksums: each must be told, or what they carry
--	  must be what it was.
--
-- Gives one line "ok - ..." or "not ok - ..." for each kind of damage.
--
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
SET client_min_messages = error;
SET rowser.compression = none;
SET rowser.row_group_rows = 5;

-- Packets with headers of groups at their edges, and one that is alone
CREATE TABLE hostile.stream (name text, packets bytea[], rowset bytea, list text);
INSERT INTO hostile.stream
SELECT 'packets of ' || size, hostile.packets(r, size), r, 'a int, b text'
FROM query_to_rowset('SELECT i AS a, md5(i::text) AS b FROM generate_series(1, 12) AS i') AS r, unnest('{64,100,4000}'::int[]) AS size;

-- What comes of packets: "the same", or the error.
CREATE FUNCTION hostile.together(p_packets bytea[], p_stream hostile.stream) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea;
BEGIN
	SELECT rowset_from_packets(p) INTO v_rowset FROM unnest(p_packets) AS p;
	-- the values are the rowset's own to check
	RETURN CASE WHEN v_rowset = p_stream.rowset THEN 'the same' WHEN rowset_is_valid(v_rowset) THEN 'another rowset' ELSE 'no rowset' END;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE FUNCTION hostile.feed_to_reader(p_packets bytea[], p_stream hostile.stream) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	n := hostile.feed(p_packets, p_stream.list);
	RETURN CASE WHEN n IS NULL THEN 'no end' WHEN n = hostile.feed((p_stream).packets, p_stream.list) THEN 'the same' ELSE 'other rows' END;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- Every kind of damage to every packet of a stream
CREATE FUNCTION hostile.damage(p_packets bytea[]) RETURNS TABLE (kind text, damaged bytea[]) LANGUAGE sql AS $$
	SELECT 'a byte changed', p_packets[:n - 1] || hostile.reseal_packet(set_byte(p_packets[n], i, v)) || p_packets[n + 1:]
	FROM generate_subscripts(p_packets, 1) AS n, generate_series(0, octet_length(p_packets[n]) - 5) AS i,
		LATERAL (SELECT get_byte(p_packets[n], i) # (1 << bit) AS v FROM generate_series(0, 7) AS bit
				 UNION SELECT unnest('{0,127,128,255}'::int[])) AS c
	WHERE v <> get_byte(p_packets[n], i)
	UNION ALL
	SELECT 'cut off', p_packets[:n - 1] || hostile.reseal_packet(substring(p_packets[n], 1, i)) || p_packets[n + 1:]
	FROM generate_subscripts(p_packets, 1) AS n, generate_series(0, octet_length(p_packets[n]) - 1) AS i
	UNION ALL
	SELECT 'longer', p_packets[:n - 1] || hostile.reseal_packet(p_packets[n] || substring('\x4700000000000000000000'::bytea, 1, i)) || p_packets[n + 1:]
	FROM generate_subscripts(p_packets, 1) AS n, generate_series(1, 11) AS i
	UNION ALL
	SELECT 'left out', p_packets[:n - 1] || p_packets[n + 1:]
	FROM generate_subscripts(p_packets, 1) AS n WHERE cardinality(p_packets) > 1
$$;

CREATE TABLE hostile.packet_outcome AS
SELECT name, kind, call, regexp_replace(outcome, '\d+ is not supported', 'N is not supported') AS outcome, count(*)
FROM hostile.stream AS s, hostile.damage(packets), LATERAL (VALUES
	('rowset_from_packets', hostile.together(damaged, s)),
	('rowset_reader_feed', hostile.feed_to_reader(damaged, s))) AS o(call, outcome)
GROUP BY 1, 2, 3, 4;

-- A stream with another number is the same when it is the only packet's.  Putting
-- together looks at a rowset's frame, not at its values.
SELECT CASE WHEN count(*) FILTER (WHERE bad) = 0 AND sum(count) > 0 THEN 'ok - ' ELSE 'not ok - ' END
	|| format('%s, %s, %s%s', call, name, kind, string_agg(E'\n    ' || count || ' times ' || outcome, '') FILTER (WHERE bad))
FROM (SELECT *, outcome !~ '^(22P03 (invalid (packet|rowset)|packets of the rowset (are missing|do not fit together))|XX001 rowset checksum does not match|0A000 (packet|rowset) format version N is not supported|0A000 rowset is not supported|22023 packet belongs to another stream|55000 packet is out of order|54000 rowset is too large)$'
			AND NOT (outcome = 'the same' AND kind = 'a byte changed' AND name = 'packets of 4000')
			AND NOT (outcome = 'no rowset' AND kind = 'a byte changed' AND call = 'rowset_from_packets')
			AND NOT (outcome = 'no end' AND kind = 'left out')
			AND NOT (outcome ~ '^55000 reader is at its end' AND call = 'rowset_reader_feed') AS bad
	FROM hostile.packet_outcome) AS o
GROUP BY call, name, kind ORDER BY call, name, kind;

-- Packets whose sizes contradict each other, in the order that shows it
SELECT CASE WHEN outcome = '22P03 packets of the rowset do not fit together' THEN 'ok - ' ELSE 'not ok - ' END || name || ', ' || outcome
FROM (SELECT damage AS name, hostile.together(damaged, s) AS outcome
	  FROM hostile.stream AS s, LATERAL (SELECT packets AS p, cardinality(packets) AS n) AS of_stream, LATERAL (VALUES
		('the last packet is longer than the others', ARRAY[p[1], hostile.reseal_packet(p[n] || decode(repeat('00', 200), 'hex'))]),
		('the last packet comes first and is longer', ARRAY[hostile.reseal_packet(p[n] || decode(repeat('00', 60), 'hex')), hostile.reseal_packet(substring(p[1], 1, 64))]),
		('the last packet comes twice, and shorter', ARRAY[p[1], p[n], hostile.reseal_packet(substring(p[n], 1, length(p[n]) - 1))]),
		('the last packet comes first, and again shorter', ARRAY[p[n], hostile.reseal_packet(substring(p[n], 1, length(p[n]) - 1))])) AS d(damage, damaged)
	  WHERE s.name = 'packets of 100') AS o;

-- Row groups that say that they are larger than one can be, by more than 32 bits count
SELECT CASE WHEN outcome = '22P03 invalid rowset' THEN 'ok - ' ELSE 'not ok - ' END || group_name || ', ' || outcome
FROM hostile.stream AS s, hostile.header(hostile.fields(hostile.field('a', hostile.int4()))) AS h,
	 (VALUES ('a row group of 2 GB', '\x20'::bytea), ('a row group of 4 GB', hostile.varuint(2147483647))) AS g(group_name, header_size),
	 hostile.feed_to_reader(hostile.packets(substring(hostile.rowset(h), 1, length(h)) || '\x47'::bytea || header_size || hostile.varuint(2147483647) || '\x01'::bytea || decode(repeat('00', 100), 'hex'), 100), s) AS outcome
WHERE name = 'packets of 100';
