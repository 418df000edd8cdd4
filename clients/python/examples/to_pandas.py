#!/usr/bin/env python3
"""Print a query's result as a pandas DataFrame, which came by Arrow.

    to_pandas.py QUERY

The server is the one that PGHOST, PGPORT, PGUSER and PGDATABASE name.  Needs
psycopg, pyarrow and pandas.
"""

import sys

import psycopg
import pyarrow.ipc


def fetch_frame(conn, query):
    """The query's result as a DataFrame."""
    data = conn.execute('SELECT query_to_arrow(%s)', [query],
                        binary=True).fetchone()[0]
    reader = pyarrow.ipc.open_stream(data)
    return reader.read_pandas()


if __name__ == '__main__':
    with psycopg.connect() as connection:
        print(fetch_frame(connection, sys.argv[1]).to_string())
