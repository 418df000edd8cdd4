-- More shards than there are databases: connections of their own to the four,
-- told apart by application_name.  All they do is hand out a kept reply.
SELECT format('CREATE SERVER many%s FOREIGN DATA WRAPPER plproxy OPTIONS (%s)', n,
		(SELECT string_agg(format('p%s %L', i, format('service=shard%s application_name=p%s_%s', i % 4, i, n)), ', ' ORDER BY i)
		 FROM generate_series(0, n - 1) AS i)),
	format('CREATE USER MAPPING FOR CURRENT_USER SERVER many%s', n),
	format('CREATE FUNCTION many%s_kept() RETURNS SETOF bytea LANGUAGE plproxy AS $$ CLUSTER %L; RUN ON ALL; TARGET kept_groups; $$', n, 'many' || n)
FROM unnest('{4,16,64,128}'::int[]) AS n \gexec
