# shellcheck shell=bash
#
# Between databases of different encodings, by dblink, postgres_fdw and PL/Proxy.
# Sourced by test/scaleout/run.  Between versions: test/scaleout/versions.

# shellcheck source=test/scaleout/crossing/cross.sh
. "$SCALEOUT/crossing/cross.sh"

crossing_prepare()
{
	database_make utf8 one --encoding=UTF8
	database_make latin1 two --encoding=LATIN1
	sql utf8 -f "$SCALEOUT/crossing/kinds.sql"
	sql latin1 -f "$SCALEOUT/crossing/kinds.sql"
	cross_prepare utf8 latin1
	cross_prepare latin1 utf8
	if has_extension plproxy; then
		sql utf8 -f "$SCALEOUT/crossing/plproxy.sql"
	fi
}

crossing_check()
{
	check "a database in LATIN1" LATIN1 "$(sql latin1 -c 'SHOW server_encoding')"
	check "ö is one byte there" f6 "$(sql latin1 -c "SELECT encode('ö'::text::bytea, 'hex')")"
	cross utf8 latin1
	cross latin1 utf8
	check "rowsets in two encodings are not put together" 'ERROR:  42804' "$(sql utf8 -v VERBOSITY=sqlstate -c "SELECT length(rowset_concat_agg(r))
		FROM (SELECT kinds_rowset() UNION ALL SELECT r FROM dblink('service=latin1', 'SELECT kinds_rowset()') AS d(r bytea)) AS s(r)" 2>&1)"
	check_rows "but read one by one" utf8 "SELECT k::text FROM kinds AS k UNION ALL SELECT k::text FROM kinds AS k" \
		"SELECT t::text FROM (SELECT kinds_rowset() UNION ALL SELECT r FROM dblink('service=latin1', 'SELECT kinds_rowset()') AS d(r bytea)) AS s(r),
			rowset_populate_recordset(NULL::kinds, r) AS t"
	if has_extension plproxy; then
		check_rows "PL/Proxy asks both, read one by one" utf8 "SELECT k::text FROM kinds AS k UNION ALL SELECT k::text FROM kinds AS k" \
			"SELECT t::text FROM both_kinds() AS r, rowset_populate_recordset(NULL::kinds, r) AS t"
	fi
}
