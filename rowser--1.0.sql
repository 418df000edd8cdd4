/* rowser--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION rowser" to load this file. \quit

--
-- Write: rows to a bytea
--

CREATE FUNCTION query_to_rowset(query pg_catalog.text)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'query_to_rowset'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000;

COMMENT ON FUNCTION query_to_rowset(pg_catalog.text) IS
'runs one statement and gives the rows that it returns as a rowset, a bytea that describes itself';

CREATE FUNCTION query_to_rowset(query pg_catalog.text, VARIADIC params pg_catalog."any")
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'query_to_rowset_params'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;

COMMENT ON FUNCTION query_to_rowset(pg_catalog.text, pg_catalog."any") IS
'runs one statement with $1, $2, ... bound to the further arguments and gives the rows that it returns as a rowset';

CREATE FUNCTION table_to_rowset(tbl pg_catalog.regclass)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'table_to_rowset'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000;

COMMENT ON FUNCTION table_to_rowset(pg_catalog.regclass) IS
'gives all rows of a table or view as a rowset';

CREATE FUNCTION cursor_to_rowset(cursor pg_catalog.refcursor,
								 count pg_catalog.int8 DEFAULT NULL)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'cursor_to_rowset'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;

COMMENT ON FUNCTION cursor_to_rowset(pg_catalog.refcursor, pg_catalog.int8) IS
'fetches the next rows of an open cursor, by default all that are left, as a rowset';

CREATE FUNCTION query_to_rowset_chunks(query pg_catalog.text,
									   chunk_size pg_catalog.int4,
									   OUT seq pg_catalog.int8,
									   OUT chunk pg_catalog.bytea)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'query_to_rowset_chunks'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION query_to_rowset_chunks(pg_catalog.text, pg_catalog.int4) IS
'runs one statement that returns rows and gives its result as rowsets of at most chunk_size bytes, each as soon as it is full';

CREATE FUNCTION query_to_rowset_chunks(query pg_catalog.text,
									   chunk_size pg_catalog.int4,
									   VARIADIC params pg_catalog."any",
									   OUT seq pg_catalog.int8,
									   OUT chunk pg_catalog.bytea)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'query_to_rowset_chunks_params'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION query_to_rowset_chunks(pg_catalog.text, pg_catalog.int4, pg_catalog."any") IS
'runs one statement with its parameters $1, $2, ... bound to the further arguments and gives its result as rowsets of at most chunk_size bytes';

CREATE FUNCTION record_to_rowset(rec pg_catalog.record)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'record_to_rowset'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION record_to_rowset(pg_catalog.record) IS
'gives one row, such as NEW or OLD in a trigger, as a rowset';

CREATE FUNCTION rowset_agg_transfn(state pg_catalog.internal, rec pg_catalog.record)
RETURNS pg_catalog.internal
AS 'MODULE_PATHNAME', 'rowset_agg_transfn'
LANGUAGE C STABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_agg_transfn(pg_catalog.internal, pg_catalog.record) IS
'transition function of the aggregate rowset_agg';

CREATE FUNCTION rowset_agg_combinefn(state1 pg_catalog.internal, state2 pg_catalog.internal)
RETURNS pg_catalog.internal
AS 'MODULE_PATHNAME', 'rowset_agg_combinefn'
LANGUAGE C STABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_agg_combinefn(pg_catalog.internal, pg_catalog.internal) IS
'combine function of the aggregate rowset_agg';

CREATE FUNCTION rowset_agg_serialfn(state pg_catalog.internal)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_agg_serialfn'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_agg_serialfn(pg_catalog.internal) IS
'serialization function of the aggregate rowset_agg';

CREATE FUNCTION rowset_agg_deserialfn(rowset pg_catalog.bytea, unused pg_catalog.internal)
RETURNS pg_catalog.internal
AS 'MODULE_PATHNAME', 'rowset_agg_deserialfn'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_agg_deserialfn(pg_catalog.bytea, pg_catalog.internal) IS
'deserialization function of the aggregate rowset_agg';

CREATE FUNCTION rowset_agg_finalfn(state pg_catalog.internal)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_agg_finalfn'
LANGUAGE C STABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_agg_finalfn(pg_catalog.internal) IS
'final function of the aggregate rowset_agg';

CREATE AGGREGATE rowset_agg(rec pg_catalog.record)
(
	SFUNC = rowset_agg_transfn,
	STYPE = pg_catalog.internal,
	FINALFUNC = rowset_agg_finalfn,
	FINALFUNC_MODIFY = READ_WRITE,
	COMBINEFUNC = rowset_agg_combinefn,
	SERIALFUNC = rowset_agg_serialfn,
	DESERIALFUNC = rowset_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE rowset_agg(pg_catalog.record) IS
'aggregates rows of one shape into a rowset; NULL when there is no row';

--
-- Read: a bytea to rows
--

CREATE FUNCTION rowset_recordset_support(request pg_catalog.internal)
RETURNS pg_catalog.internal
AS 'MODULE_PATHNAME', 'rowset_recordset_support'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION rowset_recordset_support(pg_catalog.internal) IS
'planner support for rowset_to_recordset and rowset_populate_recordset';

CREATE FUNCTION rowset_to_recordset(rowset pg_catalog.bytea,
									match pg_catalog.text DEFAULT 'name')
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'rowset_to_recordset'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000 ROWS 1000
SUPPORT rowset_recordset_support;

COMMENT ON FUNCTION rowset_to_recordset(pg_catalog.bytea, pg_catalog.text) IS
'gives the rows of a rowset in the shape of the list AS t(name type, ...), its columns matched by name or by position';

CREATE FUNCTION rowset_populate_recordset(base pg_catalog.anyelement, rowset pg_catalog.bytea)
RETURNS SETOF pg_catalog.anyelement
AS 'MODULE_PATHNAME', 'rowset_populate_recordset'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000 ROWS 1000
SUPPORT rowset_recordset_support;

COMMENT ON FUNCTION rowset_populate_recordset(pg_catalog.anyelement, pg_catalog.bytea) IS
'gives the rows of a rowset as values of the row type of base, such as NULL::my_table; a column that the rowset lacks takes the value of base';

CREATE FUNCTION rowset_populate_record(base pg_catalog.anyelement, rowset pg_catalog.bytea)
RETURNS pg_catalog.anyelement
AS 'MODULE_PATHNAME', 'rowset_populate_record'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION rowset_populate_record(pg_catalog.anyelement, pg_catalog.bytea) IS
'gives the first row of a rowset as a value of the row type of base, or base itself when there is no row';

CREATE FUNCTION rowset_open(rowset pg_catalog.bytea,
							cursor pg_catalog.refcursor DEFAULT NULL,
							hold pg_catalog.bool DEFAULT false)
RETURNS pg_catalog.refcursor
AS 'MODULE_PATHNAME', 'rowset_open'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION rowset_open(pg_catalog.bytea, pg_catalog.refcursor, pg_catalog.bool) IS
'opens a cursor over the rows of a rowset, whose shape comes from the rowset alone';

CREATE PROCEDURE rowset_send(rowset pg_catalog.bytea)
AS 'MODULE_PATHNAME', 'rowset_send'
LANGUAGE C;

COMMENT ON PROCEDURE rowset_send(pg_catalog.bytea) IS
'sends the rows of a rowset straight to the client, in whatever shape';

CREATE FUNCTION rowset_column_list(rowset pg_catalog.bytea)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'rowset_column_list'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION rowset_column_list(pg_catalog.bytea) IS
'gives the column definition list of a rowset, ready for AS t(...)';

--
-- Inspect
--

CREATE FUNCTION rowset_columns(rowset pg_catalog.bytea,
							   OUT ordinality pg_catalog.int4,
							   OUT name pg_catalog.text,
							   OUT type pg_catalog.text,
							   OUT type_schema pg_catalog.text,
							   OUT type_name pg_catalog.text,
							   OUT typmod pg_catalog.int4,
							   OUT collation pg_catalog.text,
							   OUT type_oid pg_catalog.oid)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'rowset_columns'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 10;

COMMENT ON FUNCTION rowset_columns(pg_catalog.bytea) IS
'describes the columns of a rowset, a row each: place, name, type and collation';

CREATE FUNCTION rowset_info(rowset pg_catalog.bytea,
							OUT format_version pg_catalog.text,
							OUT encoding pg_catalog.text,
							OUT columns pg_catalog.int4,
							OUT rows pg_catalog.int8,
							OUT row_groups pg_catalog.int4,
							OUT compression pg_catalog.text,
							OUT raw_bytes pg_catalog.int8,
							OUT stored_bytes pg_catalog.int8,
							OUT checksum pg_catalog.text)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME', 'rowset_info'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_info(pg_catalog.bytea) IS
'tells format, encoding, shape, compression and size of a rowset, in one row';

CREATE FUNCTION rowset_count(rowset pg_catalog.bytea)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'rowset_count'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

COMMENT ON FUNCTION rowset_count(pg_catalog.bytea) IS
'gives the number of rows in a rowset';

CREATE FUNCTION rowset_is_valid(rowset pg_catalog.bytea)
RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'rowset_is_valid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION rowset_is_valid(pg_catalog.bytea) IS
'tells whether a bytea is a whole and undamaged rowset; never raises an error';

CREATE FUNCTION rowset_check(rowset pg_catalog.bytea)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME', 'rowset_check'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION rowset_check(pg_catalog.bytea) IS
'decodes every value of a rowset and raises an error that says where something is wrong';

--
-- Tables: a rowset into a table
--

CREATE FUNCTION rowset_create_table(rowset pg_catalog.bytea,
									name pg_catalog.text,
									temporary pg_catalog.bool DEFAULT true)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'rowset_create_table'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000;

COMMENT ON FUNCTION rowset_create_table(pg_catalog.bytea, pg_catalog.text, pg_catalog.bool) IS
'creates a table with the columns and the rows of a rowset, and gives the number of rows';

CREATE FUNCTION rowset_insert(target pg_catalog.regclass, rowset pg_catalog.bytea)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'rowset_insert'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000;

COMMENT ON FUNCTION rowset_insert(pg_catalog.regclass, pg_catalog.bytea) IS
'inserts the rows of a rowset into a table, matched by name, and gives the number of rows';

--
-- Reshape: rowsets from rowsets, without decoding what need not be
--

CREATE FUNCTION rowset_slice(rowset pg_catalog.bytea,
							 "offset" pg_catalog.int8,
							 "limit" pg_catalog.int8 DEFAULT NULL)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_slice'
LANGUAGE C STABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION rowset_slice(pg_catalog.bytea, pg_catalog.int8, pg_catalog.int8) IS
'gives some of the rows of a rowset, as OFFSET and LIMIT would, as a rowset';

CREATE FUNCTION rowset_project(rowset pg_catalog.bytea, VARIADIC names pg_catalog.text[])
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_project'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION rowset_project(pg_catalog.bytea, pg_catalog.text[]) IS
'gives some of the columns of a rowset, by name and in that order, as a rowset';

CREATE FUNCTION rowset_rename(rowset pg_catalog.bytea,
							  name pg_catalog.text,
							  new_name pg_catalog.text)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_rename'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_rename(pg_catalog.bytea, pg_catalog.text, pg_catalog.text) IS
'gives a rowset with another name for one of its columns';

CREATE FUNCTION rowset_rename(rowset pg_catalog.bytea, new_names pg_catalog.text[])
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_rename_all'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_rename(pg_catalog.bytea, pg_catalog.text[]) IS
'gives a rowset with other names for its columns, from the first one on';

CREATE FUNCTION rowset_concat(VARIADIC rowsets pg_catalog.bytea[])
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_concat'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION rowset_concat(pg_catalog.bytea[]) IS
'gives the rows of rowsets with the same columns, one rowset after the other, as one rowset';

CREATE FUNCTION rowset_concat_agg_transfn(state pg_catalog.internal, rowset pg_catalog.bytea)
RETURNS pg_catalog.internal
AS 'MODULE_PATHNAME', 'rowset_concat_agg_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_concat_agg_transfn(pg_catalog.internal, pg_catalog.bytea) IS
'aggregate transition function';

CREATE FUNCTION rowset_concat_agg_finalfn(state pg_catalog.internal)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_concat_agg_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_concat_agg_finalfn(pg_catalog.internal) IS
'aggregate final function';

CREATE AGGREGATE rowset_concat_agg(rowset pg_catalog.bytea)
(
	SFUNC = rowset_concat_agg_transfn,
	STYPE = pg_catalog.internal,
	FINALFUNC = rowset_concat_agg_finalfn,
	FINALFUNC_MODIFY = READ_WRITE,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE rowset_concat_agg(pg_catalog.bytea) IS
'gathers the rows of rowsets with the same columns into one rowset; NULL when there is no rowset';

CREATE FUNCTION rowset_schema_hash(rowset pg_catalog.bytea)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'rowset_schema_hash'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_schema_hash(pg_catalog.bytea) IS
'gives a hash of a rowset''s columns, the same for all rowsets that can be put together';

--
-- Convert: other formats
--

CREATE FUNCTION rowset_to_json(rowset pg_catalog.bytea)
RETURNS pg_catalog.json
AS 'MODULE_PATHNAME', 'rowset_to_json'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION rowset_to_json(pg_catalog.bytea) IS
'gives the rows of a rowset as json_agg gives those of the query; NULL when there is no row';

CREATE FUNCTION rowset_to_jsonb(rowset pg_catalog.bytea)
RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'rowset_to_jsonb'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION rowset_to_jsonb(pg_catalog.bytea) IS
'gives the rows of a rowset as jsonb_agg gives those of the query; NULL when there is no row';

CREATE FUNCTION rowset_to_xml(rowset pg_catalog.bytea,
							  nulls pg_catalog.bool DEFAULT false,
							  tableforest pg_catalog.bool DEFAULT false,
							  targetns pg_catalog.text DEFAULT '')
RETURNS pg_catalog.xml
AS 'MODULE_PATHNAME', 'rowset_to_xml'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION rowset_to_xml(pg_catalog.bytea, pg_catalog.bool, pg_catalog.bool, pg_catalog.text) IS
'gives the rows of a rowset as query_to_xml gives those of the query';

CREATE FUNCTION rowset_to_copy(rowset pg_catalog.bytea)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_to_copy'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION rowset_to_copy(pg_catalog.bytea) IS
'gives the rows of a rowset in the binary format of COPY, text in client_encoding';

CREATE FUNCTION copy_to_rowset(base pg_catalog.anyelement, data pg_catalog.bytea)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'copy_to_rowset'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION copy_to_rowset(pg_catalog.anyelement, pg_catalog.bytea) IS
'makes a rowset of rows in the binary format of COPY, whose columns are those of the row type of base';

CREATE FUNCTION rowset_to_arrow(rowset pg_catalog.bytea)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_to_arrow'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION rowset_to_arrow(pg_catalog.bytea) IS
'gives the rows of a rowset as an Arrow IPC stream, with a record batch for each row group';

CREATE FUNCTION query_to_arrow(query pg_catalog.text)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'query_to_arrow'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000;

COMMENT ON FUNCTION query_to_arrow(pg_catalog.text) IS
'runs one statement and gives the rows that it returns as an Arrow IPC stream';

CREATE FUNCTION query_to_arrow(query pg_catalog.text, VARIADIC params pg_catalog."any")
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'query_to_arrow_params'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;

COMMENT ON FUNCTION query_to_arrow(pg_catalog.text, pg_catalog."any") IS
'runs one statement with $1, $2, ... bound to the further arguments and gives the rows that it returns as an Arrow IPC stream';

CREATE FUNCTION arrow_to_rowset(arrow pg_catalog.bytea)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'arrow_to_rowset'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION arrow_to_rowset(pg_catalog.bytea) IS
'makes a rowset of the rows of an Arrow IPC stream';

--
-- Packets: a rowset in pieces, and a reader that keeps its place
--

CREATE FUNCTION rowset_packets(rowset pg_catalog.bytea,
							   packet_size pg_catalog.int4,
							   OUT seq pg_catalog.int8,
							   OUT packet pg_catalog.bytea)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'rowset_packets'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100 ROWS 100;

COMMENT ON FUNCTION rowset_packets(pg_catalog.bytea, pg_catalog.int4) IS
'cuts a rowset into packets of at most packet_size bytes';

CREATE FUNCTION query_to_rowset_packets(query pg_catalog.text,
										packet_size pg_catalog.int4,
										OUT seq pg_catalog.int8,
										OUT packet pg_catalog.bytea)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'query_to_rowset_packets'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION query_to_rowset_packets(pg_catalog.text, pg_catalog.int4) IS
'runs one statement that returns rows and gives its result as a rowset in packets of at most packet_size bytes, each as soon as it is full';

CREATE FUNCTION query_to_rowset_packets(query pg_catalog.text,
										packet_size pg_catalog.int4,
										VARIADIC params pg_catalog."any",
										OUT seq pg_catalog.int8,
										OUT packet pg_catalog.bytea)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'query_to_rowset_packets_params'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION query_to_rowset_packets(pg_catalog.text, pg_catalog.int4, pg_catalog."any") IS
'runs one statement with its parameters $1, $2, ... bound to the further arguments and gives its result as a rowset in packets of at most packet_size bytes';

CREATE FUNCTION rowset_from_packets_transfn(state pg_catalog.internal, packet pg_catalog.bytea)
RETURNS pg_catalog.internal
AS 'MODULE_PATHNAME', 'rowset_from_packets_transfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION rowset_from_packets_transfn(pg_catalog.internal, pg_catalog.bytea) IS
'aggregate transition function';

CREATE FUNCTION rowset_from_packets_finalfn(state pg_catalog.internal)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'rowset_from_packets_finalfn'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

COMMENT ON FUNCTION rowset_from_packets_finalfn(pg_catalog.internal) IS
'aggregate final function';

CREATE AGGREGATE rowset_from_packets(packet pg_catalog.bytea) (
	SFUNC = rowset_from_packets_transfn,
	STYPE = pg_catalog.internal,
	FINALFUNC = rowset_from_packets_finalfn,
	FINALFUNC_MODIFY = READ_ONLY,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE rowset_from_packets(pg_catalog.bytea) IS
'puts a rowset together from its packets, which may come in any order and more than once';

CREATE FUNCTION rowset_reader_open(name pg_catalog.text,
								   hold pg_catalog.bool DEFAULT false)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME', 'rowset_reader_open'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10;

COMMENT ON FUNCTION rowset_reader_open(pg_catalog.text, pg_catalog.bool) IS
'opens a reader of packets, which ends with the transaction or, with hold, with the session';

CREATE FUNCTION rowset_reader_feed(name pg_catalog.text,
								   packet pg_catalog.bytea,
								   match pg_catalog.text DEFAULT 'name')
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'rowset_reader_feed'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100 ROWS 1000;

COMMENT ON FUNCTION rowset_reader_feed(pg_catalog.text, pg_catalog.bytea, pg_catalog.text) IS
'gives the reader the next packet, and the rows that became complete with it';

CREATE FUNCTION rowset_reader_feed(name pg_catalog.text,
								   packet pg_catalog.text,
								   match pg_catalog.text DEFAULT 'name')
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'rowset_reader_feed_text'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100 ROWS 1000;

COMMENT ON FUNCTION rowset_reader_feed(pg_catalog.text, pg_catalog.text, pg_catalog.text) IS
'gives the reader the next packet, in base64, and the rows that became complete with it';

CREATE FUNCTION rowset_reader_state(name pg_catalog.text,
									OUT hold pg_catalog.bool,
									OUT packets pg_catalog.int8,
									OUT bytes_fed pg_catalog.int8,
									OUT bytes_parsed pg_catalog.int8,
									OUT row_groups pg_catalog.int8,
									OUT rows pg_catalog.int8,
									OUT next_seq pg_catalog.int8,
									OUT at_end pg_catalog.bool)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME', 'rowset_reader_state'
LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 10;

COMMENT ON FUNCTION rowset_reader_state(pg_catalog.text) IS
'tells how far a reader of packets has come';

CREATE FUNCTION rowset_reader_close(name pg_catalog.text)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME', 'rowset_reader_close'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10;

COMMENT ON FUNCTION rowset_reader_close(pg_catalog.text) IS
'closes a reader of packets';

--
-- Progress
--

CREATE FUNCTION rowset_progress_info(OUT pid pg_catalog.int4,
									 OUT datid pg_catalog.oid,
									 OUT command pg_catalog.text,
									 OUT rows_processed pg_catalog.int8,
									 OUT rows_total pg_catalog.int8,
									 OUT bytes_processed pg_catalog.int8,
									 OUT bytes_total pg_catalog.int8)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME', 'rowset_progress_info'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 100;

COMMENT ON FUNCTION rowset_progress_info() IS
'gives what the view rowset_progress shows, without names of databases';

CREATE VIEW rowset_progress AS
SELECT p.pid, p.datid, d.datname, p.command, p.rows_processed, p.rows_total, p.bytes_processed, p.bytes_total
FROM rowset_progress_info() AS p
LEFT JOIN pg_catalog.pg_database AS d ON d.oid OPERATOR(pg_catalog.=) p.datid;

COMMENT ON VIEW rowset_progress IS
'shows how far the sessions of this server have come with the rowsets that they pack, read or check';

COMMENT ON COLUMN rowset_progress.pid IS
'process ID of the session';

COMMENT ON COLUMN rowset_progress.datid IS
'OID of the database that the session is in';

COMMENT ON COLUMN rowset_progress.datname IS
'name of the database that the session is in';

COMMENT ON COLUMN rowset_progress.command IS
'what is being done: pack, read or check';

COMMENT ON COLUMN rowset_progress.rows_processed IS
'rows packed, read or checked so far, counted about once in a thousand';

COMMENT ON COLUMN rowset_progress.rows_total IS
'rows of the rowset that is read or checked; NULL while packing';

COMMENT ON COLUMN rowset_progress.bytes_processed IS
'bytes of the row groups packed, or gone into, so far';

COMMENT ON COLUMN rowset_progress.bytes_total IS
'bytes of the rowset that is read or checked, but for its trailer; NULL while packing';

GRANT SELECT ON rowset_progress TO PUBLIC;
