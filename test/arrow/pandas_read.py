"""
A query's result in pandas by way of Arrow, as clients/python shows it, against
what the driver gives for the same query.

    pandas_read.py
"""

import os
import runpy
import subprocess
import sys

import pandas
import psycopg

from common import Results

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../clients/python/examples/to_pandas.py')

QUERY = """SELECT i, i * 1000000007::bigint * i AS big, nullif(i, 3) / 4.0::float8 AS number,
    nullif('word ' || i, 'word 2') AS text, (i * 1.25)::numeric(10,2) AS price, i % 2 = 0 AS even, date '2024-02-27' + i AS day,
    timestamptz '2024-02-27 12:00+00' + i * interval '1.000001 s' AS moment, ARRAY[i, i + 1] AS list
FROM generate_series(1, 5) AS i"""


def plain(value):
    """A value of pandas' as the driver's."""
    if isinstance(value, pandas.Timestamp):
        return value.to_pydatetime()
    if hasattr(value, 'tolist'):
        return value.tolist()
    return None if value is None or value is pandas.NaT or value != value else value


def values_fault(connection, frame):
    """Where a frame differs from the driver's rows, or None."""
    cursor = connection.execute(QUERY)
    names = [column.name for column in cursor.description]
    if list(frame.columns) != names:
        return f'columns {list(frame.columns)} instead of {names}'
    got = [[plain(value) for value in row] for row in frame.itertuples(index=False, name=None)]
    for have, want in zip(got, cursor.fetchall(), strict=True):
        if have != list(want):
            return f'{have} instead of {list(want)}'
    return None


def printed_fault(frame):
    """How what the program prints differs from the frame, or None."""
    printed = subprocess.run([sys.executable, PROGRAM, QUERY], check=True, capture_output=True, text=True).stdout
    return None if printed == frame.to_string() + '\n' else f'printed: {printed}'


def main():
    """Both."""
    results = Results()
    with psycopg.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        frame = runpy.run_path(PROGRAM)['fetch_frame'](connection, QUERY)
        results.judge('values', lambda: values_fault(connection, frame))
        results.judge('program', lambda: printed_fault(frame))
    return results.summary()


if __name__ == '__main__':
    sys.exit(main())
