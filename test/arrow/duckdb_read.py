"""
Streams of rowset_to_arrow read by DuckDB, which tells each value by its own
functions, and written by it as its own types:

    duckdb_read.py CASES OUT
"""

import sys

from pyarrow import ipc

from common import Results, Written, as_stream, read_cases, rows_fault, table_texts
from duckdb import DuckDB

# It has no tables without columns
NOT_READ = {'no column'}

# Without its name the struct becomes an anonymous record, whose date truth() tells in another way
NOT_WRITTEN = {'nested'}


def select(case, expressions):
    """A query of the case's columns, which may have any names."""
    names = ', '.join(f'c{i + 1}' for i in range(len(case['fields'])))
    return f'SELECT {", ".join(expressions)} FROM stream AS t({names})'


def query(case, expressions):
    """What DuckDB says to such a query."""
    database = DuckDB()
    try:
        database.query("SET TimeZone = 'UTC'")
        kept = database.scan('stream', ipc.open_stream(case['stream']))
        table = database.query(select(case, expressions))
        del kept
        return table
    finally:
        database.close()


def write_again(case, written):
    """The columns as DuckDB's types; it keeps no field's metadata."""
    names = [f'c{i + 1}' for i in range(len(case['fields']))]
    table = query(case, names)
    types = [[name, type_] for name, (_, type_) in zip(names, case['foreign'])]
    for codec in (None, 'lz4', 'zstd'):
        stream = as_stream(table.to_batches(), table.schema, compression=codec)
        written.add(f'{case["name"]} by DuckDB with {codec}', stream, types, case['foreign_rows'])


def main(cases, out):
    """All cases."""
    results = Results()
    written = Written(out)
    for case in read_cases(cases):
        if case['name'] in NOT_READ:
            continue
        results.judge(f'{case["name"]} {case["compression"]}: read', lambda case=case: rows_fault(
            case['rows'], table_texts(query(case, case['duckdb']))))
        if case['compression'] == 'none' and case['name'] not in NOT_WRITTEN:
            results.judge(f'{case["name"]}: write', lambda case=case: write_again(case, written))
    return results.summary()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
