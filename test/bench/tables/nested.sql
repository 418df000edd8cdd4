-- nested: arrays, composites, arrays of composites, ranges, jsonb, an enum and
-- a domain.  "nested_rows" is how many rows.

CREATE TYPE mood AS ENUM ('calm', 'glad', 'cross');
CREATE DOMAIN percentage AS smallint CHECK (value BETWEEN 0 AND 100);
CREATE TYPE place AS (street text, number int, town text);
CREATE TYPE item AS (article int, price numeric(10,2), note text);

CREATE TABLE nested AS
SELECT id::int,
	(ARRAY['calm', 'glad', 'cross'])[1 + bench.draw(id, 1, 3)]::mood AS mood,
	bench.draw(id, 2, 101)::smallint::percentage AS done,
	(SELECT array_agg(bench.draw(id * 100 + i, 3, 1000)) FROM generate_series(1, bench.draw(id, 4, 8)) AS i) AS numbers,
	(SELECT array_agg('tag' || bench.draw(id * 100 + i, 5, 50)) FROM generate_series(1, bench.draw(id, 6, 5)) AS i) AS tags,
	ROW('Street ' || bench.draw(id, 7, 500), bench.draw(id, 8, 200), 'Town ' || bench.draw(id, 9, 40))::place AS address,
	(SELECT array_agg(ROW(bench.draw(id * 100 + i, 10, 9000), bench.draw(id * 100 + i, 11, 100000) / 100.0, NULL)::item)
		FROM generate_series(1, 1 + bench.draw(id, 12, 4)) AS i) AS items,
	int4range(bench.draw(id, 13, 1000), 1000 + bench.draw(id, 14, 1000)) AS span,
	tstzrange(timestamptz '2024-01-01 00:00:00Z' + id * interval '1 minute',
		timestamptz '2024-01-01 00:00:00Z' + (id + bench.draw(id, 15, 600)) * interval '1 minute') AS during,
	jsonb_build_object('id', id, 'kind', 'k' || bench.draw(id, 16, 20), 'size', bench.draw(id, 17, 1000) / 10.0,
		'flags', jsonb_build_array(bench.draw(id, 18, 2) = 0, NULL, bench.draw(id, 19, 9))) AS document
FROM generate_series(1::bigint, :nested_rows) AS id;

CALL bench.add_subject('nested', 'id', 'sum(done)', :json_values, :xml_values);
