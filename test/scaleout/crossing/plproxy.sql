CREATE EXTENSION plproxy;
CREATE SERVER encodings FOREIGN DATA WRAPPER plproxy OPTIONS (p0 'service=utf8', p1 'service=latin1');
CREATE USER MAPPING FOR CURRENT_USER SERVER encodings;
CREATE FUNCTION both_kinds() RETURNS SETOF bytea LANGUAGE plproxy AS
$$ CLUSTER 'encodings'; RUN ON ALL; TARGET kinds_rowset; $$;
