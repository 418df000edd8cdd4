-- The coordinator's side of rows as rows and rows as JSON, by the three carriers;
-- and clusters of one and two shards for PL/Proxy: "spread" has the whole table
-- on one or two databases, "part" is one or two of the four.
CREATE TYPE lineitem_group AS (l_returnflag char(1), l_linestatus char(1), quantity numeric, price numeric,
	lines bigint);

SELECT format('CREATE SERVER %s FOREIGN DATA WRAPPER plproxy OPTIONS (%s)', cluster,
		(SELECT string_agg(format('p%s %L', i - 1, 'service=' || s), ', ' ORDER BY i)
		 FROM unnest(databases) WITH ORDINALITY AS d(s, i))),
	format('CREATE USER MAPPING FOR CURRENT_USER SERVER %s', cluster),
	format('CREATE FUNCTION %s_rowset() RETURNS SETOF bytea LANGUAGE plproxy AS $$ CLUSTER %L; RUN ON ALL; TARGET lineitem_rowset; $$', cluster, cluster),
	format('CREATE FUNCTION %s_rows() RETURNS SETOF lineitem LANGUAGE plproxy AS $$ CLUSTER %L; RUN ON ALL; TARGET lineitem_rows; $$', cluster, cluster),
	format('CREATE FUNCTION %s_json() RETURNS SETOF text LANGUAGE plproxy AS $$ CLUSTER %L; RUN ON ALL; TARGET lineitem_json; $$', cluster, cluster),
	format('CREATE FUNCTION %s_groups(up_to date) RETURNS SETOF bytea LANGUAGE plproxy AS $$ CLUSTER %L; RUN ON ALL; TARGET lineitem_groups; $$', cluster, cluster),
	format('CREATE FUNCTION %s_groups_rows(up_to date) RETURNS SETOF lineitem_group LANGUAGE plproxy AS $$ CLUSTER %L; RUN ON ALL; TARGET groups_rows; $$', cluster, cluster),
	format('CREATE FUNCTION %s_groups_json(up_to date) RETURNS SETOF text LANGUAGE plproxy AS $$ CLUSTER %L; RUN ON ALL; TARGET groups_json; $$', cluster, cluster)
FROM (VALUES ('spread1', '{single}'::text[]), ('spread2', '{half0,half1}'), ('spread4', '{shard0,shard1,shard2,shard3}'),
	('part1', '{shard0}'), ('part2', '{shard0,shard1}')) AS c(cluster, databases) \gexec

-- The coordinator of a tree: those below are asked as shards are.
CREATE FUNCTION tree_groups() RETURNS SETOF bytea LANGUAGE plproxy AS
$$ CLUSTER 'shards'; RUN ON ALL; TARGET subtree_groups; $$;

CREATE FUNCTION dblink_gather_rows(query text) RETURNS SETOF lineitem LANGUAGE plpgsql AS
$$
DECLARE
	shard text;
BEGIN
	FOREACH shard IN ARRAY dblink_get_connections() LOOP
		PERFORM dblink_send_query(shard, query);
	END LOOP;
	FOREACH shard IN ARRAY dblink_get_connections() LOOP
		RETURN QUERY SELECT * FROM dblink_get_result(shard) AS d(l_orderkey bigint, l_partkey int, l_suppkey int,
			l_linenumber int, l_quantity numeric(15,2), l_extendedprice numeric(15,2), l_discount numeric(15,2),
			l_tax numeric(15,2), l_returnflag char(1), l_linestatus char(1), l_shipdate date, l_commitdate date,
			l_receiptdate date, l_shipinstruct char(25), l_shipmode char(10), l_comment varchar(44));
		PERFORM * FROM dblink_get_result(shard) AS d(nothing text);
	END LOOP;
END
$$;

CREATE FUNCTION dblink_gather_text(query text) RETURNS SETOF text LANGUAGE plpgsql AS
$$
DECLARE
	shard text;
BEGIN
	FOREACH shard IN ARRAY dblink_get_connections() LOOP
		PERFORM dblink_send_query(shard, query);
	END LOOP;
	FOREACH shard IN ARRAY dblink_get_connections() LOOP
		RETURN QUERY SELECT * FROM dblink_get_result(shard) AS d(t text);
		PERFORM * FROM dblink_get_result(shard) AS d(t text);
	END LOOP;
END
$$;

CREATE TABLE fdw_rows (LIKE lineitem);
CREATE TABLE fdw_json (t text);
SELECT format('CREATE FOREIGN TABLE rows_%1$s () INHERITS (fdw_rows) SERVER %1$s OPTIONS (table_name %2$L, fetch_size %3$L)', s, 'lineitem', 10000),
	format('CREATE FOREIGN TABLE json_%1$s () INHERITS (fdw_json) SERVER %1$s OPTIONS (table_name %2$L)', s, 'lineitem_json_view')
FROM unnest('{shard0,shard1,shard2,shard3}'::text[]) AS s \gexec
