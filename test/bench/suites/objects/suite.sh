# shellcheck shell=bash
#
# Objects: an array of objects built, serialised and deserialised, by all ways
# that PostgreSQL has for it.

if [ "$QUICK" = yes ]; then
	ELEMENTS=5000
	OBJECT_LOOPS=3
else
	ELEMENTS=95000
	OBJECT_LOOPS=30
fi

suite_measure()
{
	say "  objects: $ELEMENTS elements"
	bench_sql -v elements="$ELEMENTS" -f "$SUITE/objects.sql"
	bench_sql -c "CALL objects.run($OBJECT_LOOPS)"
	if [ "$(sql_rows "SELECT count(DISTINCT digest) FROM objects.measurement WHERE style LIKE 'rowset%'")" -ne 1 ]; then
		die "the same objects give different rowsets"
	fi
}

suite_report()
{
	sql_tsv objects.tsv "SELECT style, flat_type, round(build::numeric, 3) AS build_ms, round(serialise::numeric, 3) AS serialise_ms,
			round(deserialise::numeric, 3) AS deserialise_ms, length
		FROM objects.figure ORDER BY number"
	sql_tsv objects_measurements.tsv "SELECT style, loop, round(build_ms::numeric, 3) AS build_ms, round(serialise_ms::numeric, 3) AS serialise_ms,
			round(deserialise_ms::numeric, 3) AS deserialise_ms
		FROM objects.measurement JOIN objects.style USING (style) ORDER BY number, loop"

	sql_rows "SELECT label, value, kind, said FROM (
			SELECT stage AS label, 'heading' AS value, '' AS kind, '' AS said, stage, -1 AS ms
			FROM (VALUES ('build'), ('serialise'), ('deserialise')) AS s(stage)
			UNION ALL
			SELECT style, ms::text, kind, bench.nice(ms) || ' ms', stage, ms
			FROM objects.figure, LATERAL (VALUES ('build', build), ('serialise', serialise), ('deserialise', deserialise)) AS s(stage, ms)
			WHERE ms IS NOT NULL AND (stage = 'build' OR style <> 'NoOp')) x
		ORDER BY array_position('{build,serialise,deserialise}', stage), ms" |
		chart_bars "$RESULTS/objects_time.svg" "An array of objects: milliseconds, fastest of $OBJECT_LOOPS" \
			"milliseconds, logarithmic (less is better)" log
	sql_rows "SELECT style, length, kind, bench.nice(length) FROM objects.figure ORDER BY length" |
		chart_bars "$RESULTS/objects_bytes.svg" "An array of objects, serialised: bytes (less is better)" "bytes" linear
	show_report_link Objects
}

suite_article()
{
	cat <<-END
		## Serialising an array of objects

		$(sql_rows "SELECT to_char($ELEMENTS, 'FM999,999,999')") objects of a name, its length, and whether it is empty; an array of them is built, made one flat value, and taken apart into such
		an array again, which has to be equal to the first. Each figure is the fastest of $OBJECT_LOOPS loops. *NoOp* builds, and does
		nothing else. *Composite array* has an array of the object's type, *row array* one of anonymous rows; both go
		through text, which is all that PostgreSQL can read again. A *rowset of rows* is made of the array of the object's type, and a
		*rowset of columns* of one array for each member; the bytes of the two are the same. The XML is joined as text: xmlagg copies
		all that it has for each element, and its time grows with the square of their number.

	END
	show_chart objects_time "Time to build, serialise and deserialise an array of objects"
	show_chart objects_bytes "Bytes of a serialised array of objects"
	sql_markdown "SELECT style, flat_type AS \"serialised as\", bench.nice(build) AS \"build, ms\", bench.nice(serialise) AS \"serialise, ms\",
			coalesce(bench.nice(deserialise), 'none: ' || problem) AS \"deserialise, ms\", to_char(length, 'FM999,999,999') AS length
		FROM objects.figure ORDER BY number"
	say_sentences objects_sentences
}

objects_sentences()
{
	sql_rows "WITH f AS (SELECT *, serialise + deserialise AS both_ms FROM objects.figure),
		o AS (SELECT * FROM f WHERE style = 'rowset of rows'),
		c AS (SELECT * FROM f WHERE style = 'rowset of columns'),
		n AS (SELECT * FROM f WHERE style = 'NoOp'),
		b AS (SELECT * FROM f WHERE kind = 'rival' AND deserialise IS NOT NULL ORDER BY serialise + deserialise LIMIT 1),
		l AS (SELECT * FROM f WHERE kind = 'rival' AND deserialise IS NOT NULL ORDER BY length LIMIT 1)
		SELECT format('Serialised and deserialised, the rowset of rows takes %s ms, and the fastest of the others %s (%s): %s times as long. ',
			bench.nice(o.both_ms), bench.nice(b.both_ms), b.style, bench.nice(b.both_ms / o.both_ms))
		|| format('It has %s bytes, where the array in memory has %s, and the shortest of the others %s (%s). ', to_char(o.length, 'FM999,999,999'),
			to_char(n.length, 'FM999,999,999'), to_char(l.length, 'FM999,999,999'), l.style)
		|| format('From columns instead of rows the three stages take %s ms in place of %s, so %s.',
			bench.nice(c.build + c.both_ms), bench.nice(o.build + o.both_ms),
			CASE WHEN c.build + c.both_ms < 0.95 * (o.build + o.both_ms) THEN 'arrays by member are the better start'
				WHEN c.build + c.both_ms > 1.05 * (o.build + o.both_ms) THEN 'arrays by member are no gain'
				ELSE 'it hardly matters how the array is built' END)
		FROM o, c, n, b, l"
}
