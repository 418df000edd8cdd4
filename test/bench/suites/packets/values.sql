-- Large values, each as the one row of a rowset, whole and in packets; and the
-- ways of reading them.  Wants "packets_mib", the size of a value.

SET rowser.compression = none;	-- so that all forms have the same bytes to carry

-- Large values by kind and size: the last of the sizes is for our reader alone.
CREATE TABLE bench.large (tbl text, mib int, value text);
INSERT INTO bench.large
SELECT tbl, mib, CASE WHEN tbl = 'xml' THEN '<r>' || substring(v, 1, mib * 1048576 - 7) || '</r>' ELSE substring(v, 1, mib * 1048576) END
FROM (VALUES ('text', 1), ('bytea', 1), ('xml', 1), ('text', 2), ('text', 4)) AS s(tbl, times),
	LATERAL (SELECT :packets_mib * times AS mib) AS m,
	LATERAL (SELECT string_agg('row ' || i || ' ' || md5(i::text), ' ') AS v FROM generate_series(1, mib * 1048576 / 38 + 1) AS i) AS d;

CREATE TABLE bench.whole (tbl text, mib int, rowset bytea, PRIMARY KEY (tbl, mib));
ALTER TABLE bench.whole ALTER rowset SET STORAGE EXTERNAL;
INSERT INTO bench.whole
SELECT tbl, mib, query_to_rowset(format('SELECT CASE WHEN %L = ''bytea'' THEN convert_to(value, ''UTF8'')::text ELSE value END::%s AS v FROM bench.large WHERE (tbl, mib) = (%L, %s)', tbl, tbl, tbl, mib))
FROM bench.large;

-- As a queue has them.
CREATE TABLE bench.packets (tbl text, mib int, seq bigint, packet bytea, PRIMARY KEY (tbl, mib, seq));
ALTER TABLE bench.packets ALTER packet SET STORAGE EXTERNAL;
INSERT INTO bench.packets SELECT tbl, mib, p.* FROM bench.whole, rowset_packets(rowset, 8000) AS p;

-- A value stored compressed, as columns are by default, and as it is.
CREATE TABLE bench.sliced_compressed (mib int, v bytea);
CREATE TABLE bench.sliced_external (mib int, v bytea);
ALTER TABLE bench.sliced_external ALTER v SET STORAGE EXTERNAL;
INSERT INTO bench.sliced_external
SELECT mib, convert_to(substring(v, 1, mib * 1048576), 'UTF8')
FROM (SELECT mib FROM bench.large WHERE tbl = 'text') AS m,
	LATERAL (SELECT string_agg('row ' || i || ' of a text whose rows are much alike, so that it can be compressed', E'\n') AS v
		FROM generate_series(1, mib * 1048576 / 60) AS i) AS d;
INSERT INTO bench.sliced_compressed SELECT mib, v FROM bench.sliced_external WHERE mib = :packets_mib;
VACUUM (FREEZE, ANALYZE) bench.whole, bench.packets, bench.sliced_compressed, bench.sliced_external;

-- How a value of a type is measured.
CREATE FUNCTION bench.length_of(p_tbl text) RETURNS text LANGUAGE sql AS
$$ SELECT CASE p_tbl WHEN 'xml' THEN 'octet_length(v::text)' ELSE 'octet_length(v)' END $$;

-- Packet by packet, as one would without a reader: put each behind what has
-- come, and see whether that is a rowset by now.
CREATE FUNCTION bench.read_naively(p_tbl text, p_mib int) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	p bytea;
	arrived bytea := '';
	result text;
BEGIN
	FOR p IN SELECT packet FROM bench.packets WHERE (tbl, mib) = (p_tbl, p_mib) ORDER BY seq LOOP
		arrived := arrived || substring(p, 19, octet_length(p) - 22);
		BEGIN
			EXECUTE format('SELECT %s FROM rowset_to_recordset($1) AS t(v %s)', bench.length_of(p_tbl), p_tbl) INTO result USING arrived;
		EXCEPTION WHEN invalid_binary_representation THEN
			CONTINUE;		-- not yet
		END;
	END LOOP;
	RETURN result;
END
$$;

-- The same with a reader that keeps its place.
CREATE FUNCTION bench.read_packets(p_tbl text, p_mib int) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	p bytea;
	r text;
	result text;
BEGIN
	PERFORM rowset_reader_open('bench');
	FOR p IN SELECT packet FROM bench.packets WHERE (tbl, mib) = (p_tbl, p_mib) ORDER BY seq LOOP
		EXECUTE format('SELECT %s FROM rowset_reader_feed(''bench'', $1) AS t(v %s)', bench.length_of(p_tbl), p_tbl) INTO r USING p;
		result := coalesce(r, result);
	END LOOP;
	IF NOT at_end OR bytes_parsed <> bytes_fed FROM rowset_reader_state('bench') THEN
		RAISE EXCEPTION 'the reader has not read each byte once';
	END IF;
	PERFORM rowset_reader_close('bench');
	RETURN result;
END
$$;

-- The same loop, in which nothing is read.
CREATE FUNCTION bench.count_packets(p_tbl text, p_mib int) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	p bytea;
	n int;
	result bigint := 0;
BEGIN
	FOR p IN SELECT packet FROM bench.packets WHERE (tbl, mib) = (p_tbl, p_mib) ORDER BY seq LOOP
		EXECUTE 'SELECT octet_length($1)' INTO n USING p;
		result := result + n;
	END LOOP;
	RETURN result;
END
$$;

-- A stored value by slices.  Not of text, which is cut by characters: in UTF8 each
-- slice is looked for from the beginning.
CREATE FUNCTION bench.read_slices(p_table text, p_mib int) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	slice bytea;
	n bigint := 0;
BEGIN
	LOOP
		EXECUTE format('SELECT substr(v, $1, 8000) FROM bench.%I WHERE mib = $2', p_table) INTO slice USING (n + 1)::int, p_mib;
		EXIT WHEN slice = '';
		n := n + octet_length(slice);
	END LOOP;
	RETURN n;
END
$$;
