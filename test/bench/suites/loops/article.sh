# shellcheck shell=bash
#
# What the report says of the loops.  Every sentence that has a figure, or
# draws a conclusion, is made of this run's figures.  Sourced by suite.sh.

suite_article()
{
	PROFILER=$(cat "$SCRATCH/profiler")
	cat <<-END
		## Loops: PL/pgSQL against C, and many sessions

		The same five loops in each language end with the same check value, the last with the same bytes of a rowset. C is a
		function called from SQL, and runs SQL through SPI by a plan that it prepares once, as PL/pgSQL does. In the chart C
		is yellow, and rowser's own call for the last loop blue.

	END
	show_chart loops "Iterations per millisecond of five loops by language"
	sql_markdown "SELECT description AS loop, form AS by, bench.nice(rate) AS \"iterations a ms, median\", bench.nice(best_rate) AS fastest,
			bench.nice(1000000 / rate) AS \"ns an iteration\",
			bench.nice(rate / max(rate) FILTER (WHERE form = 'PL/pgSQL') OVER (PARTITION BY loop)) AS \"of PL/pgSQL's\"
		FROM loops.rate ORDER BY number, rate DESC"
	say_sentences loops_sentences

	printf '### Check values\n\n'
	sql_markdown "SELECT DISTINCT description AS loop, to_char(iterations, 'FM999,999,999') AS iterations,
			result AS \"check value, the same by all\" FROM loops.rate ORDER BY loop"

	cat <<-END

		### Many sessions

		T(N) is the mean time of a call when N sessions run the loop, by pgbench, over that of one session; each session's first
		call is left out, and the figure is the median of $ROUNDS rounds. At best it is 1 up to as many sessions as cores, $(nproc) here, and N / $(nproc) beyond.

	END
	show_chart loops_sessions "T(N) of five loops by three languages, beside the ideal"
	sql_markdown "SELECT l.description AS loop, s.form AS by, bench.nice(max(s.ms) FILTER (WHERE sessions = 1)) AS \"ms, one session\"$(session_columns t)
		FROM loops.scaling s JOIN loops.loop l USING (loop) WHERE variant = ''
		GROUP BY s.number, l.description, form_number, s.form
		UNION ALL
		(SELECT DISTINCT ON (1) 'ideal', '', NULL$(session_columns ideal) FROM loops.scaling WHERE variant = '' AND form LIKE 'C%' GROUP BY loop)"
	say_sentences sessions_sentences
	shared_counter_article
	hottest_article
}

# Select items: T at each number of sessions, by the column $1 of loops.scaling.
session_columns()
{
	local n

	for n in $SESSIONS; do
		[ "$n" = 1 ] || printf ', to_char(max(%s) FILTER (WHERE sessions = %s), '\''FM990.00'\'') AS "T(%s)"' "$1" "$n" "$n"
	done
}

loops_sentences()
{
	sql_rows "WITH r AS (
			SELECT loop, max(rate) FILTER (WHERE form LIKE 'C%') AS c, max(rate) FILTER (WHERE form = 'PL/pgSQL') AS p,
				max(rate) FILTER (WHERE form = 'PL/pgSQL, assignment') AS assignment,
				max(rate) FILTER (WHERE form LIKE 'SQL%') AS sql,
				(array_agg(form ORDER BY rate DESC) FILTER (WHERE form LIKE 'SQL%'))[1] AS sql_form,
				max(rate) FILTER (WHERE form = 'query_to_rowset') AS direct
			FROM loops.rate GROUP BY loop),
		f AS (SELECT
			max(c / p) FILTER (WHERE loop = 'counter') AS counter, max(c / p) FILTER (WHERE loop = 'branch') AS branch,
			max(c / p) FILTER (WHERE loop = 'expression') AS expression, max(c / p) FILTER (WHERE loop = 'look-up') AS look_up,
			max(c / p) FILTER (WHERE loop = 'rows') AS rows,
			max(1000 / c) FILTER (WHERE loop = 'expression') AS statement_us,
			max(assignment / p) FILTER (WHERE loop = 'expression') AS assignment,
			max(sql / p) FILTER (WHERE loop = 'look-up') AS sql_look_up,
			max(sql_form) FILTER (WHERE loop = 'look-up') AS sql_form,
			max(direct / p) FILTER (WHERE loop = 'rows') AS direct FROM r)
		SELECT format('Where a loop runs no SQL, C makes %s iterations (counter) and %s (arithmetic and a branch) for each of '
			|| 'PL/pgSQL''s. Where each iteration is a statement of SQL, it makes %s (expression) and %s (look-up)%s; over the rows of a query, %s. ',
			bench.nice(counter), bench.nice(branch), bench.nice(expression), bench.nice(look_up),
			CASE WHEN greatest(expression, look_up) < 1.5 AND least(expression, look_up) > 0.67
				THEN format(': both start and end the executor each time, which takes C %s µs, and the language around it hardly matters', bench.nice(statement_us))
				ELSE format(', at %s µs an expression', bench.nice(statement_us)) END, bench.nice(rows))
		|| format('An assignment runs %s times as many of the same expressions as a SELECT in PL/pgSQL does, and one query in place of '
			|| 'the loop does %s times as many look-ups (%s). ', bench.nice(assignment), bench.nice(sql_look_up), sql_form)
		|| format('For a rowset of the rows, %s.', CASE WHEN direct > 1
			THEN format('one query_to_rowset is %s times as fast as the PL/pgSQL loop with rowset_agg over it', bench.nice(direct))
			ELSE format('one query_to_rowset has %s of the speed of the PL/pgSQL loop with rowset_agg over it', bench.nice(direct)) END)
		FROM f"
}

sessions_sentences()
{
	sql_rows "WITH s AS (SELECT * FROM loops.scaling WHERE variant = ''),
		at_cores AS (SELECT * FROM s WHERE sessions = $(core_sessions) ORDER BY t DESC LIMIT 1),
		at_most AS (SELECT * FROM s WHERE sessions = $MOST_SESSIONS ORDER BY of_ideal DESC LIMIT 1),
		noise AS (SELECT max(spread) AS spread FROM (SELECT max(ms) / min(ms) - 1 AS spread FROM loops.run
			WHERE variant = '' GROUP BY loop, form, sessions) x)
		SELECT format('The furthest from the ideal with a core for each session is %s in %s: T(%s) is %s. With %s sessions it is %s in %s: '
			|| 'T(%s) is %s, where %s is ideal%s. ', c.loop, c.form, c.sessions, to_char(c.t, 'FM990.00'),
			m.sessions, m.loop, m.form, m.sessions, to_char(m.t, 'FM990.00'), bench.nice(m.ideal),
			CASE WHEN noise.spread > 0 THEN format('; the rounds of one figure differ by up to %s %%', to_char(100 * noise.spread, 'FM990.0')) ELSE '' END)
		|| CASE WHEN greatest(c.t, m.of_ideal) <= 1.1 THEN 'So the loops scale to the cores that there are, and more sessions share these fairly.'
			WHEN m.of_ideal <= 1.1 THEN 'So more sessions than cores share these fairly; what those with a core each lose is looked at below.'
			ELSE 'So something is lost when sessions run side by side, more than a tenth at worst; whether it is a counter that they share is looked at below.' END
		FROM at_cores c, at_most m, noise"
}

shared_counter_article()
{
	cat <<-END
		### Is there a shared counter?

		What stopped T-SQL's loops from scaling was one counter that all sessions shared. By PostgreSQL's source, a step of the
		counter and of the branch touches no shared memory at all. A statement of SQL takes a snapshot: under ProcArrayLock, held
		shared, so that the word of that lock is written by all, it compares a count of completed transactions, and mostly
		reuses the last snapshot. A look-up pins and locks buffers of the index and the table, whose state words are written by all
		sessions that look there. Cached plans and, by the fast path, locks of relations belong to the session. What shows
		whether that costs anything:

		**What sessions wait for.** Samples of \`pg_stat_activity\`, with $MOST_SESSIONS sessions. The word of a lock that is
		free is not waited for, so this shows queues only.

	END
	sql_markdown "SELECT loop, form AS by, sum(samples) AS samples, to_char(100.0 * sum(samples) FILTER (WHERE event IS NULL) / sum(samples), 'FM990.00') AS \"% not waiting\",
			coalesce(string_agg(event || ' ' || samples, ', ' ORDER BY samples DESC) FILTER (WHERE event IS NOT NULL), 'none') AS \"waits\"
		FROM loops.wait JOIN loops.loop l USING (loop) WHERE sessions = $MOST_SESSIONS GROUP BY l.number, loop, form ORDER BY l.number, form"

	if [ "$PROFILER" = perf ]; then
		cat <<-END

			**Where their time goes.** Percent of the profile's samples in functions that have to do with what is shared, by one
			session, by as many as cores, and by many. A word that is fought for makes the functions that write it slower, so
			their part grows.

		END
		sql_markdown "SELECT s.what$(share_columns)
			FROM loops.share s GROUP BY s.number, s.what ORDER BY s.number"
	fi

	cat <<-END

		**The same with less to share.** Under REPEATABLE READ the transaction's one snapshot serves all its statements; with
		a table of its own a session's look-ups meet nobody. T(N) as it is, and so:

	END
	sql_markdown "SELECT s.loop, s.form AS by, CASE s.variant WHEN '' THEN 'as it is' ELSE s.variant END AS \"what is shared\",
			bench.nice(max(s.ms) FILTER (WHERE s.sessions = 1)) AS \"ms, one session\"$(
			for n in $(few_sessions); do
				[ "$n" = 1 ] || printf ', to_char(max(s.t) FILTER (WHERE s.sessions = %s), '\''FM990.00'\'') AS "T(%s)"' "$n" "$n"
			done)
		FROM loops.scaling s WHERE (s.loop, s.form) IN (SELECT loop, form FROM loops.scaling WHERE variant <> '')
		GROUP BY s.number, s.form_number, s.loop, s.form, s.variant ORDER BY s.number, s.form_number, s.variant"
	say_sentences shared_counter_sentences
}

# Select items: the share of each loop in C and PL/pgSQL that runs SQL, as "1 / 2 / 16".
share_columns()
{
	sql_rows "SELECT format(', string_agg(to_char(percent, ''FM990.0''), '' / '' ORDER BY sessions) FILTER (WHERE (loop, form) = (%L, %L)) AS %I',
			loop, form, loop || ', ' || split_part(form, ',', 1))
		FROM (SELECT DISTINCT l.number, f.number AS form_number, p.loop, p.form FROM loops.profile p
			JOIN loops.loop l USING (loop) JOIN loops.form f USING (loop, form)
			WHERE l.number >= 3) x ORDER BY number, form_number" | tr '\n' ' '
}

shared_counter_sentences()
{
	local cores

	cores=$(core_sessions)
	sql_rows "WITH w AS (SELECT sum(samples) AS samples, coalesce(sum(samples) FILTER (WHERE event LIKE ANY ('{LWLock:%,Lock:%,BufferPin:%}')), 0) AS locked
			FROM loops.wait WHERE sessions = $MOST_SESSIONS),
		v AS (SELECT s.loop, s.form, s.variant, s.t AS without, a.t AS with
			FROM loops.scaling s JOIN loops.scaling a USING (loop, form, sessions)
			WHERE sessions = $cores AND s.variant <> '' AND a.variant = ''),
		g AS (SELECT sum(after) - sum(before) AS grown FROM (
			SELECT loop, form, what, max(percent) FILTER (WHERE sessions = 1) AS before, max(percent) FILTER (WHERE sessions = $cores) AS after
			FROM loops.share WHERE number IN (1, 2, 3, 6) GROUP BY loop, form, what) x
			GROUP BY loop, form ORDER BY 1 DESC NULLS LAST LIMIT 1),
		noise AS (SELECT CASE WHEN $ROUNDS > 1 THEN max(spread) END AS spread FROM (
			SELECT max(ms) / min(ms) - 1 AS spread FROM loops.run
			WHERE sessions IN (1, $cores) AND (loop, form) IN (SELECT loop, form FROM v) GROUP BY loop, form, variant, sessions) x),
		worst AS (SELECT *, \"with\" / without - 1 AS fall FROM v ORDER BY \"with\" / without DESC LIMIT 1)
		SELECT format('Of %s samples, %s waited for a lock of any kind. ', to_char(w.samples, 'FM999,999,999'), to_char(w.locked, 'FM999,999,990'))
		|| CASE WHEN g.grown IS NULL OR $cores = 1 THEN '' ELSE format('From one session to %s, snapshots, lightweight locks, spinlocks and shared buffers together gain %s of the profile. ',
			$cores, CASE WHEN g.grown > 0 THEN format('at most %s points', to_char(g.grown, 'FM990.0')) ELSE 'nothing' END) END
		|| CASE WHEN worst.fall <= 0 THEN format('With less to share, T(%s) falls nowhere. ', $cores)
			ELSE format('With less to share, the most that T(%s) falls is from %s to %s (%s, %s, %s)%s. ', $cores,
				to_char(worst.\"with\", 'FM990.00'), to_char(worst.without, 'FM990.00'), worst.loop, worst.form, worst.variant,
				CASE WHEN noise.spread IS NULL THEN ''
					ELSE format(', %s than the %s %% by which the rounds of one figure differ at most',
						CASE WHEN worst.fall > noise.spread THEN 'more' ELSE 'less' END, to_char(100 * noise.spread, 'FM990.0')) END) END
		|| CASE WHEN w.locked >= w.samples / 100.0
			THEN 'So sessions do queue here. '
			WHEN noise.spread > 0.2
			THEN 'The rounds differ too much to conclude more than that nobody queues: repeat this on a quiet machine. '
			WHEN worst.fall > greatest(0.05, noise.spread)
			THEN format('So what comes nearest to a shared counter is what %s in common. ',
				CASE worst.variant WHEN 'own table' THEN 'look-ups in one table have' ELSE 'statements have, the lock around their snapshots,' END)
			WHEN g.grown >= 3
			THEN 'So shared words take more of the time of more sessions, though nobody queues for them. '
			ELSE format('So on the %s cores here PostgreSQL has shared words, but none that keeps these loops from scaling. ', $(nproc)) END
		|| CASE WHEN $(nproc) < 8 THEN 'With tens of cores this may differ: words written by all cost more the more cores write them.' ELSE '' END
		FROM w, g, noise, worst"
}

hottest_article()
{
	if [ "$PROFILER" = perf ]; then
		cat <<-END
			### The hottest functions

			By one session, in percent of perf's samples by the processor's clock. Functions without a name are static ones in a
			stripped file, of which perf knows only the library; by PostgreSQL's source, the interpreters of PL/pgSQL's
			statements and of the executor's expressions are among them. With Debian's packages of debug symbols they have names.

		END
	else
		cat <<-END
			### The hottest functions

			One call of each, in percent of the instructions that callgrind counted, since perf doesn't work here; less those of a
			server that runs nothing. Functions without a name are static ones in a stripped file; by PostgreSQL's source, the
			interpreters of PL/pgSQL's statements and of the executor's expressions are among them.

		END
	fi
	sql_markdown "WITH p AS (
			SELECT loop, form, library, function, 100.0 * samples / sum(samples) OVER (PARTITION BY loop, form) AS percent
			FROM loops.profile WHERE sessions = 1),
		ranked AS (SELECT *, row_number() OVER (PARTITION BY loop, form, function = '' ORDER BY percent DESC, function) AS place FROM p)
		SELECT loop, form AS by,
			string_agg(function || ' ' || to_char(percent, 'FM990.0'), ', ' ORDER BY percent DESC) FILTER (WHERE function <> '' AND place <= 6 AND percent >= 0.5) AS \"hottest with a name, %\",
			string_agg(library || ' ' || to_char(percent, 'FM990.0'), ', ' ORDER BY percent DESC) FILTER (WHERE function = '' AND percent >= 0.5) AS \"without, %\"
		FROM ranked JOIN loops.loop l USING (loop) JOIN loops.form f USING (loop, form) GROUP BY l.number, f.number, loop, form ORDER BY l.number, f.number"
	echo
}
