-- The same replies as rows and as JSON.
CREATE TYPE lineitem_group AS (l_returnflag char(1), l_linestatus char(1), quantity numeric, price numeric,
	lines bigint);

CREATE FUNCTION lineitem_rows() RETURNS SETOF public.lineitem LANGUAGE sql AS
$$ SELECT * FROM public.lineitem $$;

CREATE FUNCTION lineitem_json() RETURNS SETOF text LANGUAGE sql AS
$$ SELECT json_agg(t)::text FROM public.lineitem AS t $$;

CREATE FUNCTION groups_rows(up_to date) RETURNS SETOF lineitem_group LANGUAGE sql AS
$$
	SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), count(*)
	FROM public.lineitem WHERE l_shipdate <= up_to
	GROUP BY l_returnflag, l_linestatus
$$;

CREATE FUNCTION groups_json(up_to date) RETURNS SETOF text LANGUAGE sql AS
$$ SELECT json_agg(g)::text FROM public.groups_rows(up_to) AS g $$;

-- A reply that costs the shard nothing, to find what a shard costs the
-- coordinator.
CREATE TABLE kept (rows bytea);
INSERT INTO kept SELECT * FROM lineitem_groups('1998-09-02');
CREATE FUNCTION kept_groups() RETURNS SETOF bytea LANGUAGE sql AS
$$ SELECT rows FROM public.kept $$;
CREATE VIEW lineitem_json_view AS SELECT t FROM public.lineitem_json() AS t;
