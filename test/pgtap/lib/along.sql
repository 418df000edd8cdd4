--
-- along.sql
--	  sp.along(p_path, p_query): text of a query along a search_path, or its error.
--
CREATE FUNCTION sp.along(p_path text, p_query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	PERFORM pg_catalog.set_config('search_path', p_path, true);
	EXECUTE p_query INTO v_text;
	PERFORM pg_catalog.set_config('search_path', 'public', true);
	RETURN v_text;
EXCEPTION WHEN OTHERS THEN
	PERFORM pg_catalog.set_config('search_path', 'public', true);
	RETURN pg_catalog.concat_ws(' ', SQLSTATE, SQLERRM);
END $$;
