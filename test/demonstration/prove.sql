-- What the demonstrations prove their claims with: an error, and with it the
-- end, when a claim doesn't hold.

CREATE FUNCTION prove(claim text, holds boolean)
RETURNS text
LANGUAGE plpgsql
AS $$
BEGIN
	IF holds IS NOT TRUE THEN
		RAISE EXCEPTION 'proof failed: %', claim;
	END IF;
	RETURN 'proved: ' || claim;
END;
$$;

-- The same rows in the same number, compared as text, whatever their order.
CREATE FUNCTION same_rows(a regclass, b regclass)
RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
	same boolean;
BEGIN
	EXECUTE format(
		'SELECT NOT EXISTS (SELECT t::text FROM %1$s t EXCEPT ALL SELECT t::text FROM %2$s t)'
		' AND NOT EXISTS (SELECT t::text FROM %2$s t EXCEPT ALL SELECT t::text FROM %1$s t)',
		a, b) INTO same;
	RETURN same;
END;
$$;

-- Every byte of every value, as the types' own send functions give them.
CREATE FUNCTION same_bytes(a regclass, b regclass, key name)
RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
	same boolean;
BEGIN
	EXECUTE format(
		'SELECT (SELECT string_agg(record_send(t), '''' ORDER BY %3$I) FROM %1$s t)'
		' = (SELECT string_agg(record_send(t), '''' ORDER BY %3$I) FROM %2$s t)',
		a, b, key) INTO same;
	RETURN same;
END;
$$;
