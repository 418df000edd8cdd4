--
-- send.sql
--	  Mutants of the specimens that rowset_send sends to the client, which only a
--	  statement of the client can have it do.  mutants.sql comes before.
--
-- Variables: seeds, how many mutants of each.  What fails says so on standard error.
--
\set QUIET on
\set ON_ERROR_STOP off
\set VERBOSITY verbose
\o /dev/null
SET client_min_messages = error;

-- Not those that claim so many rows that the result is rightly large.
CREATE FUNCTION hostile.has_few_rows(rowset bytea) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	RETURN rowset_count(rowset) <= 1000;
EXCEPTION WHEN OTHERS THEN
	RETURN true;
END $$;

CREATE TABLE hostile.sent AS
SELECT name, seed, hostile.mutant(rowset, hostile.others(), seed) AS rowset
FROM hostile.specimen, generate_series(1, :seeds) AS seed;
DELETE FROM hostile.sent WHERE rowset IS NULL OR NOT hostile.has_few_rows(rowset);

SELECT format('CALL rowset_send(%L)', rowset) FROM hostile.sent ORDER BY name, seed
\gexec
