-- The loops: five kinds, in each language, one function or query for each.
-- Whatever the language, a loop of n iterations ends with the same value.
-- Wants "module", the path of the benchmarks' own library, "sessions", how
-- many tables of their own sessions may look up in, and "scale", by which the
-- numbers of iterations are divided.

CREATE SCHEMA loops;
CREATE EXTENSION IF NOT EXISTS plperl;

-- What is looked up in: number 0 by all, the others by one session each.
SELECT format('CREATE TABLE loops.lookup_%s (id int PRIMARY KEY, v int NOT NULL)', number),
	format('INSERT INTO loops.lookup_%s SELECT id, bench.draw(id, 1, 1000) FROM generate_series(1, 10000) AS id', number)
FROM generate_series(0, :sessions) AS number
\gexec

-- What is looped over, and the rows made of it.
CREATE TABLE loops.source (id int PRIMARY KEY, v int NOT NULL);
INSERT INTO loops.source SELECT id, bench.draw(id, 2, 1000) FROM generate_series(1, 500000) AS id;
CREATE TYPE loops.made AS (id int, v int);

VACUUM (FREEZE, ANALYZE);

-- C ------------------------------------------------------------------------

CREATE FUNCTION loops.counter_c(n bigint) RETURNS bigint
AS :'module', 'bench_loop_counter' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION loops.branch_c(n bigint) RETURNS bigint
AS :'module', 'bench_loop_branch' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION loops.expression_c(n bigint) RETURNS bigint
AS :'module', 'bench_loop_expression' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION loops.lookup_c(n bigint, table_number int DEFAULT 0) RETURNS bigint
AS :'module', 'bench_loop_lookup' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION loops.rows_c(n bigint) RETURNS SETOF loops.made
AS :'module', 'bench_loop_rows' LANGUAGE C VOLATILE STRICT;

-- PL/pgSQL -------------------------------------------------------------------

CREATE FUNCTION loops.counter_plpgsql(n bigint) RETURNS bigint
LANGUAGE plpgsql AS
$$
DECLARE
	counter bigint := 0;
BEGIN
	WHILE counter < n LOOP
		counter := counter + 1;
	END LOOP;
	RETURN counter;
END
$$;

CREATE FUNCTION loops.branch_plpgsql(n bigint) RETURNS bigint
LANGUAGE plpgsql AS
$$
DECLARE
	i bigint := 1;
	sum bigint := 0;
	x bigint;
BEGIN
	WHILE i <= n LOOP
		x := (i * 1103515245 + 12345) % 2147483648;
		IF x % 3 = 0 THEN
			sum := sum + x % 1000;
		ELSE
			sum := sum - 1;
		END IF;
		i := i + 1;
	END LOOP;
	RETURN sum;
END
$$;

-- A statement of SQL, as it has to be where the expression is a query.
CREATE FUNCTION loops.expression_plpgsql(n bigint) RETURNS bigint
LANGUAGE plpgsql AS
$$
DECLARE
	sum bigint := 0;
	value int;
BEGIN
	FOR i IN 1 .. n LOOP
		SELECT hashint8(i) & 127 INTO STRICT value;
		sum := sum + value;
	END LOOP;
	RETURN sum;
END
$$;

-- The same as an assignment, which PL/pgSQL evaluates without the executor.
CREATE FUNCTION loops.assignment_plpgsql(n bigint) RETURNS bigint
LANGUAGE plpgsql AS
$$
DECLARE
	sum bigint := 0;
	value int;
BEGIN
	FOR i IN 1 .. n LOOP
		value := hashint8(i) & 127;
		sum := sum + value;
	END LOOP;
	RETURN sum;
END
$$;

CREATE FUNCTION loops.lookup_plpgsql(n bigint) RETURNS bigint
LANGUAGE plpgsql AS
$$
DECLARE
	sum bigint := 0;
	value int;
BEGIN
	FOR i IN 1 .. n LOOP
		SELECT v INTO STRICT value FROM loops.lookup_0 WHERE id = i::bigint * 7919 % 10000 + 1;
		sum := sum + value;
	END LOOP;
	RETURN sum;
END
$$;

CREATE FUNCTION loops.rows_plpgsql(n bigint) RETURNS SETOF loops.made
LANGUAGE plpgsql AS
$$
DECLARE
	made loops.made;
BEGIN
	FOR made IN SELECT id, v FROM loops.source WHERE id <= n ORDER BY id LOOP
		made.v := (made.v * 7 + made.id) % 1000;
		RETURN NEXT made;
	END LOOP;
END
$$;

-- PL/Perl ----------------------------------------------------------------------

CREATE FUNCTION loops.counter_plperl(n bigint) RETURNS bigint
LANGUAGE plperl AS
$$
	my ($n) = @_;
	my $counter = 0;
	while ($counter < $n) {
		$counter = $counter + 1;
	}
	return $counter;
$$;

CREATE FUNCTION loops.branch_plperl(n bigint) RETURNS bigint
LANGUAGE plperl AS
$$
	my ($n) = @_;
	my $sum = 0;
	for (my $i = 1; $i <= $n; $i++) {
		my $x = ($i * 1103515245 + 12345) % 2147483648;
		if ($x % 3 == 0) {
			$sum += $x % 1000;
		} else {
			$sum -= 1;
		}
	}
	return $sum;
$$;

CREATE FUNCTION loops.expression_plperl(n bigint) RETURNS bigint
LANGUAGE plperl AS
$$
	my ($n) = @_;
	my $sum = 0;
	my $plan = spi_prepare('SELECT hashint8($1) & 127 AS value', 'bigint');
	for (my $i = 1; $i <= $n; $i++) {
		$sum += spi_exec_prepared($plan, $i)->{rows}->[0]->{value};
	}
	spi_freeplan($plan);
	return $sum;
$$;

CREATE FUNCTION loops.lookup_plperl(n bigint) RETURNS bigint
LANGUAGE plperl AS
$$
	my ($n) = @_;
	my $sum = 0;
	my $plan = spi_prepare('SELECT v FROM loops.lookup_0 WHERE id = $1', 'bigint');
	for (my $i = 1; $i <= $n; $i++) {
		$sum += spi_exec_prepared($plan, $i * 7919 % 10000 + 1)->{rows}->[0]->{v};
	}
	spi_freeplan($plan);
	return $sum;
$$;

CREATE FUNCTION loops.rows_plperl(n bigint) RETURNS SETOF loops.made
LANGUAGE plperl AS
$$
	my ($n) = @_;
	my $plan = spi_prepare('SELECT id, v FROM loops.source WHERE id <= $1 ORDER BY id', 'bigint');
	my $cursor = spi_query_prepared($plan, $n);
	while (defined(my $row = spi_fetchrow($cursor))) {
		return_next({id => $row->{id}, v => ($row->{v} * 7 + $row->{id}) % 1000});
	}
	spi_freeplan($plan);
	return;
$$;

-- What to run: {} stands for the number of iterations ------------------------------

CREATE TABLE loops.loop
(
	loop text PRIMARY KEY,
	number int NOT NULL,
	iterations int NOT NULL,		-- of a run that is timed
	description text NOT NULL
);

INSERT INTO loops.loop VALUES
	('counter', 1, 1000000 / :scale, 'a counter'),
	('branch', 2, 1000000 / :scale, 'arithmetic and a branch'),
	('expression', 3, 100000 / :scale, 'one SQL expression an iteration'),
	('look-up', 4, 100000 / :scale, 'one look-up by primary key an iteration'),
	('rows', 5, 200000 / :scale, 'over the rows of a query, building a rowset');

CREATE TABLE loops.form
(
	loop text REFERENCES loops.loop,
	form text,
	kind text NOT NULL,
	scaled boolean NOT NULL,		-- also run by many sessions?
	statement text NOT NULL,
	number int GENERATED ALWAYS AS IDENTITY,
	PRIMARY KEY (loop, form)
);

INSERT INTO loops.form (loop, form, kind, scaled, statement) VALUES
	('counter', 'C', 'floor', true, 'SELECT loops.counter_c({})'),
	('counter', 'PL/pgSQL', 'rival', true, 'SELECT loops.counter_plpgsql({})'),
	('counter', 'PL/Perl', 'rival', false, 'SELECT loops.counter_plperl({})'),
	('counter', 'SQL, generate_series', 'rival', false, 'SELECT count(*) FROM generate_series(1::bigint, {}) AS i'),
	('counter', 'SQL, recursive', 'rival', false,
		'WITH RECURSIVE r(i) AS (SELECT 1::bigint UNION ALL SELECT i + 1 FROM r WHERE i < {}) SELECT max(i) FROM r'),

	('branch', 'C', 'floor', true, 'SELECT loops.branch_c({})'),
	('branch', 'PL/pgSQL', 'rival', true, 'SELECT loops.branch_plpgsql({})'),
	('branch', 'PL/Perl', 'rival', false, 'SELECT loops.branch_plperl({})'),
	('branch', 'SQL, generate_series', 'rival', false,
		'SELECT sum(CASE WHEN x % 3 = 0 THEN x % 1000 ELSE -1 END)
		FROM (SELECT (i * 1103515245 + 12345) % 2147483648 AS x FROM generate_series(1::bigint, {}) AS i) AS t'),
	('branch', 'SQL, recursive', 'rival', false,
		'WITH RECURSIVE r(i, sum) AS (SELECT 0::bigint, 0::bigint UNION ALL
			SELECT i + 1, sum + CASE WHEN ((i + 1) * 1103515245 + 12345) % 2147483648 % 3 = 0
				THEN ((i + 1) * 1103515245 + 12345) % 2147483648 % 1000 ELSE -1 END
			FROM r WHERE i < {}) SELECT sum FROM r ORDER BY i DESC LIMIT 1'),

	('expression', 'C, SPI', 'floor', true, 'SELECT loops.expression_c({})'),
	('expression', 'PL/pgSQL', 'rival', true, 'SELECT loops.expression_plpgsql({})'),
	('expression', 'PL/pgSQL, assignment', 'rival', false, 'SELECT loops.assignment_plpgsql({})'),
	('expression', 'PL/Perl', 'rival', false, 'SELECT loops.expression_plperl({})'),
	('expression', 'SQL, generate_series', 'rival', false,
		'SELECT sum(hashint8(i) & 127) FROM generate_series(1::bigint, {}) AS i'),
	('expression', 'SQL, recursive', 'rival', false,
		'WITH RECURSIVE r(i, sum) AS (SELECT 0::bigint, 0::bigint UNION ALL
			SELECT i + 1, sum + (hashint8(i + 1) & 127) FROM r WHERE i < {}) SELECT sum FROM r ORDER BY i DESC LIMIT 1'),

	('look-up', 'C, SPI', 'floor', true, 'SELECT loops.lookup_c({})'),
	('look-up', 'PL/pgSQL', 'rival', true, 'SELECT loops.lookup_plpgsql({})'),
	('look-up', 'PL/Perl', 'rival', false, 'SELECT loops.lookup_plperl({})'),
	('look-up', 'SQL, generate_series', 'rival', true,
		'SELECT sum((SELECT v FROM loops.lookup_0 WHERE id = i * 7919 % 10000 + 1)) FROM generate_series(1::bigint, {}) AS i'),
	('look-up', 'SQL, recursive', 'rival', false,
		'WITH RECURSIVE r(i, sum) AS (SELECT 0::bigint, 0::bigint UNION ALL
			SELECT i + 1, sum + (SELECT v FROM loops.lookup_0 WHERE id = (i + 1) * 7919 % 10000 + 1)
			FROM r WHERE i < {}) SELECT sum FROM r ORDER BY i DESC LIMIT 1'),

	('rows', 'C, SPI', 'floor', true, 'SELECT md5(rowset_agg(t)) FROM loops.rows_c({}) AS t'),
	('rows', 'PL/pgSQL', 'rival', true, 'SELECT md5(rowset_agg(t)) FROM loops.rows_plpgsql({}) AS t'),
	('rows', 'PL/Perl', 'rival', false, 'SELECT md5(rowset_agg(t)) FROM loops.rows_plperl({}) AS t'),
	('rows', 'SQL, one query', 'rival', true,
		'SELECT md5(rowset_agg(t)) FROM
			(SELECT id, (v * 7 + id) % 1000 AS v FROM loops.source WHERE id <= {} ORDER BY id) AS t'),
	('rows', 'SQL, recursive', 'rival', false,
		'WITH RECURSIVE r(id, v, made) AS (SELECT 0, 0, 0 UNION ALL
			SELECT s.id, s.v, (s.v * 7 + s.id) % 1000 FROM r JOIN loops.source AS s ON s.id = r.id + 1 WHERE r.id < {})
		SELECT md5(rowset_agg(t)) FROM (SELECT id, made AS v FROM r WHERE id > 0) AS t'),
	('rows', 'query_to_rowset', 'rowser', false,
		'SELECT md5(query_to_rowset(''SELECT id, (v * 7 + id) % 1000 AS v FROM loops.source WHERE id <= {} ORDER BY id''))');

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'loops', loop, iterations, 'loop', form, kind, replace(statement, '{}', iterations::text)
FROM loops.form JOIN loops.loop AS l USING (loop)
ORDER BY l.number, form.number;

-- Iterations per millisecond, by the fastest and by the median measurement.
CREATE VIEW loops.rate AS
SELECT l.number, l.loop, l.description, f.number AS form_number, f.form, f.kind, l.iterations, s.id AS case_id,
	l.iterations / median_ms AS rate, l.iterations / min_ms AS best_rate, median_ms, c.result
FROM loops.form f
	JOIN loops.loop l USING (loop)
	JOIN bench.summary s ON (s.suite, s.tbl, s.form) = ('loops', l.loop, f.form)
	JOIN bench.cases c ON c.id = s.id;
