CREATE FUNCTION near_filler(n int) RETURNS bytea LANGUAGE sql
RETURN convert_to(repeat('x', n), 'UTF8');
CREATE TABLE held (b bytea);
ALTER TABLE held ALTER b SET STORAGE EXTERNAL;

CREATE EXTENSION dblink;
CREATE EXTENSION postgres_fdw;
CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (service 'far');
CREATE USER MAPPING FOR CURRENT_USER SERVER far;
CREATE FOREIGN TABLE far_filler (b bytea) SERVER far OPTIONS (table_name 'filler_view');
CREATE FOREIGN TABLE far_held (b bytea) SERVER far OPTIONS (table_name 'held');

CREATE EXTENSION plproxy;
CREATE SERVER far_proxy FOREIGN DATA WRAPPER plproxy OPTIONS (p0 'service=far');
CREATE USER MAPPING FOR CURRENT_USER SERVER far_proxy;
CREATE FUNCTION filler(n int) RETURNS bytea LANGUAGE plproxy AS $$ CLUSTER 'far_proxy'; RUN ON 0; $$;
CREATE FUNCTION take(b bytea) RETURNS int LANGUAGE plproxy AS $$ CLUSTER 'far_proxy'; RUN ON 0; $$;

CREATE EXTENSION pgq;
SELECT pgq.create_queue('limits'), pgq.set_queue_config('limits', 'ticker_max_lag', '0 seconds'),
	pgq.register_consumer('limits', 'near');
CREATE PUBLICATION feed;
