# shellcheck shell=bash
#
# Rowsets from one database to another that differs in encoding or version, each
# with the table of kinds.sql.  Sourced after clusters.sh and check.sh.

# cross_prepare SERVICE OTHER ...: let a database ask the others.
cross_prepare()
{
	local service=$1
	local other

	shift
	for other; do
		sql "$service" <<-END
			CREATE SERVER $other FOREIGN DATA WRAPPER postgres_fdw OPTIONS (service '$other');
			CREATE USER MAPPING FOR CURRENT_USER SERVER $other;
			CREATE FOREIGN TABLE packed_$other (rows bytea) SERVER $other OPTIONS (table_name 'kinds_packed');
		END
	done
}

# cross HERE THERE: pulled from there by dblink and by postgres_fdw, pushed there
# by dblink; every row, in its text, against the table's own.
cross()
{
	local kinds="SELECT k::text FROM kinds AS k"

	check_rows "$1 asks $2 by dblink" "$1" "$kinds" "SELECT t::text FROM dblink('service=$2', 'SELECT kinds_rowset()') AS d(r bytea),
		rowset_populate_recordset(NULL::kinds, r) AS t"
	check_rows "$1 asks $2 by postgres_fdw" "$1" "$kinds" "SELECT t::text FROM packed_$2 AS p, rowset_populate_recordset(NULL::kinds, p.rows) AS t"
	sql "$2" -c 'TRUNCATE received'
	check "$1 sends to $2 by dblink" 2002 "$(sql "$1" -c "SELECT n FROM kinds_rowset() AS r, dblink('service=$2', format('SELECT receive_kinds(%L)', r)) AS d(n bigint)" 2>&1)"
	check_rows "$2 has what $1 sent" "$2" "$kinds" "SELECT r::text FROM received AS r"
}

# cross_bytes HERE THERE: of the same encoding, and so the same bytes.
cross_bytes()
{
	check "$1 and $2 write the same bytes" t "$(sql "$1" -c "SELECT here = there FROM kinds_rowset() AS here, dblink('service=$2', 'SELECT kinds_rowset()') AS d(there bytea)" 2>&1)"
}
