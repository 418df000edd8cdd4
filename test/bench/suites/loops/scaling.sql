-- The loops run by many sessions at a time: what pgbench, the samples of
-- pg_stat_activity and the profiler found.

CREATE TABLE loops.run
(
	loop text,
	form text,
	variant text,			-- '' as it is, else how it shares less
	sessions int,
	round int,
	ms float8 NOT NULL,		-- mean time of a call
	PRIMARY KEY (loop, form, variant, sessions, round),
	FOREIGN KEY (loop, form) REFERENCES loops.form
);

CREATE TABLE loops.wait
(
	loop text,
	form text,
	sessions int,
	event text,				-- what an active session waited for, NULL for nothing
	samples bigint NOT NULL,
	FOREIGN KEY (loop, form) REFERENCES loops.form
);

CREATE TABLE loops.profile
(
	loop text,
	form text,
	sessions int,
	library text,
	function text,			-- '' where it has no name
	samples bigint NOT NULL,
	FOREIGN KEY (loop, form) REFERENCES loops.form
);

-- What could be shared by the sessions, by the functions that have to do
-- with it and are exported, so that a stripped server names them too.
CREATE TABLE loops.shared (number int PRIMARY KEY, what text, functions text);

INSERT INTO loops.shared VALUES
	(1, 'snapshots', '^(Get(Snapshot|Transaction|Latest|Active)\w*Snapshot\w*|GetSnapshotData|Push\w*Snapshot\w*|Pop\w*Snapshot|\w*registerSnapshot\w*|\w*RegisterSnapshot\w*|SnapshotResetXmin|XidInMVCCSnapshot)$'),
	(2, 'lightweight locks', '^LWLock'),
	(3, 'waiting for spinlocks', '^(s_lock|perform_spin_delay|finish_spin_delay)$'),
	(4, 'locks of relations', '^(Lock(Acquire|Release|Relation|Held|Tag|Check)\w*|UnlockRelation\w*|ResourceOwner\w*Lock)$'),
	(5, 'plan cache', '^(GetCachedPlan|ReleaseCachedPlan|CachedPlan\w*|ResourceOwner\w*PlanCache\w*)$'),
	(6, 'shared buffers', '^(ReadBuffer\w*|ReleaseBuffer|ReleaseAndReadBuffer|UnlockReleaseBuffer|LockBuffer|BufTable\w*|IncrBufferRefCount|ResourceOwner\w*Buffer\w*|_bt_getbuf|_bt_relandgetbuf|_bt_lockbuf|_bt_unlockbuf|_bt_relbuf)$');

-- Mean time at so many sessions, and T, that over the mean time of one.
CREATE VIEW loops.scaling AS
WITH median AS
(
	SELECT loop, form, variant, sessions, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS ms
	FROM loops.run GROUP BY loop, form, variant, sessions
)
SELECT l.number, f.number AS form_number, m.loop, m.form, m.variant, m.sessions, m.ms, m.ms / one.ms AS t,
	greatest(1, m.sessions::float8 / :cores) AS ideal,
	m.ms / one.ms / greatest(1, m.sessions::float8 / :cores) AS of_ideal
FROM median m
	JOIN median one ON (one.loop, one.form, one.variant) = (m.loop, m.form, m.variant) AND one.sessions = 1
	JOIN loops.loop l ON l.loop = m.loop
	JOIN loops.form f ON (f.loop, f.form) = (m.loop, m.form);

-- Samples of the profile by what is shared, in percent of all.
CREATE VIEW loops.share AS
SELECT p.loop, p.form, p.sessions, s.number, s.what,
	100.0 * coalesce(sum(p.samples) FILTER (WHERE p.function ~ s.functions), 0) / sum(p.samples) AS percent
FROM loops.profile p CROSS JOIN loops.shared s
GROUP BY p.loop, p.form, p.sessions, s.number, s.what;
