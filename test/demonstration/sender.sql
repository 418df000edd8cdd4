-- Second half of the demonstration, the sending side: types of the user's own
-- and 290 rows of them.

CREATE SCHEMA hr;
\set ECHO all

CREATE TYPE hr.shift AS ENUM ('day', 'evening', 'night');
CREATE TYPE hr.address AS (street text, zip varchar(5), place numeric(9, 6)[]);

CREATE TABLE hr.duty AS
SELECT n AS employee,
	   (enum_range(NULL::hr.shift))[1 + n % 3] AS shift,
	   CASE WHEN n % 7 > 0 THEN
			ROW('Rue ' || chr(192 + n % 23) || ' ' || n, lpad(n::text, 5, '0'),
				ARRAY[47 + n / 1000.0, NULL, -122.25])::hr.address END AS home,
	   (enum_range(NULL::hr.shift))[1:n % 4] AS may_work,
	   daterange('2026-01-01', '2026-01-01'::date + n) AS valid
FROM generate_series(1, 290) AS n;

SELECT * FROM hr.duty LIMIT 4;
