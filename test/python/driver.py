#!/usr/bin/python3
"""Rowsets fetched by psycopg, against what psycopg gives for the same query.

For each query the rowset, read by clients/python/rowser.py, must have

* as text, the same bytes as the server's text for each value;
* the same values as psycopg's loaders make of the server's text and binary
  form, floats compared by their bits, Decimals with their exponents;

and where psycopg has no value, because Python's type has no place for it, the
reader must not have one either.

The server is that of PGHOST and PGPORT.  Makes databases rowser_python* and
drops them.
"""

import datetime
import decimal
import json
import pathlib
import struct
import sys
import traceback

import psycopg
from psycopg import pq
from psycopg.adapt import Transformer
from psycopg.types import TypeInfo
from psycopg.types.composite import CompositeInfo
from psycopg.types.multirange import Multirange, MultirangeInfo
from psycopg.types.range import Range, RangeInfo

from tally import Tally
import pgtext
import rowser

TEST = pathlib.Path(__file__).parent.parent
TEXT, BINARY = 0, 1
METHODS = ('none', 'lz4', 'zstd')
JSON = {114, 3802}
RECORD = 2249
REG = {24, 2202, 2203, 2204, 2205, 2206, 3734, 3769, 4089, 4096, 4191}


# ----------------------------------------------------------------------------
# Comparing a value with the driver's
# ----------------------------------------------------------------------------

def has_text(value):
    """Is text in this value where it has no Python value?"""
    if isinstance(value, rowser.Interval):
        try:
            value.to_timedelta()
        except rowser.CannotRepresent:
            return True
        return False
    if isinstance(value, (list, tuple)):
        return any(map(has_text, value))
    if isinstance(value, rowser.Range):
        return has_text(value.lower) or has_text(value.upper)
    return isinstance(value, str)


def oids_in(type_):
    """The OIDs of a type and of those inside it."""
    if type_ is None:
        return set()
    return {type_.oid}.union(oids_in(type_.inner), *(
        oids_in(field.type) for field in type_.fields))


def same(ours, theirs, type_):
    """Are they the same?  None: the driver has not made a value of it."""
    if ours is None or theirs is None:
        return ours is theirs
    base = type_.base if type_ else None
    if isinstance(theirs, str) and not isinstance(ours, str):
        if not JSON.isdisjoint(oids_in(type_)):
            return None         # ours has been parsed
        text = pgtext.of(ours, type_) if type_ else pgtext.untyped(ours)
        if not REG.isdisjoint(oids_in(type_)):
            text = text.replace('public.', '')
        return theirs == text
    if isinstance(theirs, (bytes, memoryview)) and not isinstance(
            ours, bytes):
        return None
    if isinstance(theirs, Multirange):
        return all_same(ours, tuple(theirs), lambda _: base.inner)
    if isinstance(theirs, Range):
        return same_range(ours, theirs, base.inner)
    if isinstance(theirs, tuple) and isinstance(ours, tuple) and not (
            isinstance(ours, rowser.Interval)):
        fields = base.fields if base and base.fields else None
        return all_same(ours, theirs,
                        lambda i: fields[i].type if fields else None)
    if isinstance(ours, list) and base is not None and base.shape == 'ARRAY':
        return all_same(ours, theirs, lambda _: (
            type_ if ours and isinstance(ours[0], list)
            and base.inner.base.shape != 'ARRAY'
            and base.inner.oid not in JSON
            else base.inner))
    if isinstance(ours, float) and isinstance(theirs, float):
        form = '<f' if base is not None and base.oid == 700 else '<d'
        return struct.pack(form, ours) == struct.pack(form, theirs)
    if isinstance(ours, decimal.Decimal):
        return (isinstance(theirs, decimal.Decimal)
                and ours.as_tuple() == theirs.as_tuple())
    if isinstance(ours, rowser.Interval):
        # The driver reads text by way of a float.
        return (ours.to_timedelta() == theirs
                or (None if abs(ours.microseconds) > 1 << 53 else False))
    if isinstance(ours, datetime.datetime) and ours.tzinfo:
        return (theirs.astimezone(datetime.timezone.utc).isoformat()
                == ours.isoformat())
    if isinstance(ours, datetime.time):
        return ours.isoformat() == theirs.isoformat()
    if base is not None and base.oid in JSON:
        return json.dumps(ours) == json.dumps(theirs)
    if base is not None and base.oid == 18 and theirs == '\0':
        return ours == ''
    if isinstance(ours, bytes):
        return bytes(ours) == bytes(theirs)
    if base is not None and base.oid in REG:
        ours = ours.replace('public.', '')
    if base is not None and base.oid == pgtext.PG_LSN:
        ours = pgtext.of(ours, base)
    return type(ours) is type(theirs) and ours == theirs


def all_same(ours, theirs, type_of):
    if len(ours) != len(theirs):
        return False
    each = [same(a, b, type_of(i)) for i, (a, b) in enumerate(zip(
        ours, theirs))]
    return False if False in each else None if None in each else True


def same_range(ours, theirs, bound):
    if theirs.isempty or ours.empty:
        return theirs.isempty is ours.empty
    if theirs.bounds != ours.bounds:
        return False
    return all_same((ours.lower, ours.upper), (theirs.lower, theirs.upper),
                    lambda _: bound)


# ----------------------------------------------------------------------------
# Comparing a query's rowset with its result
# ----------------------------------------------------------------------------

class Comparison:
    """What is compared on one connection."""

    def __init__(self, conn, tally):
        self.conn = conn
        self.tally = tally
        self.number = 0
        self.compared = {TEXT: 0, BINARY: 0}
        self.refused = 0

    def fetch(self, query, group_rows, method):
        self.conn.execute(f"SET rowser.compression = '{method}'; "
                          f'SET rowser.row_group_rows = {group_rows}')
        return self.conn.execute('SELECT query_to_rowset(%s)', [query],
                                 binary=True).fetchone()[0]

    def run(self, name, query, group_rows=65536, method=None, against=None):
        """Count a check: all of it, or the first difference."""
        self.number += 1
        method = method or METHODS[self.number % 3]
        name = f'{name} ({method}, {group_rows})'
        data = self.fetch(query, group_rows, method)
        try:
            printed = rowser.loads(data, unrepresentable='text',
                                   converters=pgtext.CONVERTERS,
                                   json_loads=str)
            found = list(printed)
            parsed = list(rowser.loads(data, unrepresentable='text',
                                       converters=pgtext.CONVERTERS))
        except rowser.Error as error:
            self.tally.failed(f'{name}: {error!r}')
            return
        types = [column.type for column in printed.columns]
        against = against or query
        wrong = self.differ_as_text(against, found, types)
        for form in (TEXT, BINARY):
            wrong = wrong or self.differ_from_driver(against, form, parsed,
                                                     types)
        self.tally.check(name, wrong, None)

    def result(self, query, form):
        """The server's result, or None where it has no binary form."""
        result = self.conn.pgconn.exec_params(query.encode(), None,
                                              result_format=form)
        if result.status != pq.ExecStatus.TUPLES_OK:
            message = result.error_message.decode()
            if form == BINARY and 'no binary output function' in message:
                return None
            raise RuntimeError(message)
        return result

    def differ_as_text(self, query, rows, types):
        result = self.result(query, TEXT)
        if (len(rows), len(types)) != (result.ntuples, result.nfields):
            return f'{len(rows)} rows, not {result.ntuples}'
        for r, row in enumerate(rows):
            for c, value in enumerate(row):
                want = result.get_value(r, c)
                text = pgtext.of(value, types[c])
                if text and not REG.isdisjoint(oids_in(types[c])):
                    text = text.replace('public.', '')
                got = None if text is None else text.encode()
                if got != (None if want is None else bytes(want)):
                    return f'row {r}, column {c}: {got} is not {want}'
        return None

    def differ_from_driver(self, query, form, rows, types):
        result = self.result(query, form)
        if result is None:
            return None
        transformer = Transformer(self.conn)
        loaders = [transformer.get_loader(result.ftype(c), form)
                   for c in range(result.nfields)]
        for r, row in enumerate(rows):
            for c, value in enumerate(row):
                theirs = result.get_value(r, c)
                try:
                    if theirs is not None:
                        # A record's loader keeps the first one's types.
                        theirs = (Transformer(self.conn).get_loader(
                            result.ftype(c), form)
                            if RECORD in oids_in(types[c])
                            else loaders[c]).load(theirs)
                except (psycopg.ProgrammingError, struct.error):
                    if RECORD not in oids_in(types[c]):
                        raise
                    continue    # an array of records of several types
                except (psycopg.DataError, OverflowError):
                    if not has_text(value):
                        return (f'row {r}, column {c}: {value!r}, which '
                                'the driver refuses')
                    self.refused += 1
                    continue
                try:
                    equal = same(value, theirs, types[c])
                except rowser.CannotRepresent:
                    equal = False
                if equal is False:
                    return (f'row {r}, column {c}, format {form}: '
                            f'{value!r} is not {theirs!r}')
                self.compared[form] += bool(equal)
        return None


def register_types(conn):
    """Tell psycopg of the types that are not PostgreSQL's own."""
    kinds = {'r': RangeInfo, 'm': MultirangeInfo, 'c': CompositeInfo}
    rows = conn.execute(
        "SELECT t.typtype, format('%I.%I', n.nspname, t.typname) "
        'FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace '
        "WHERE t.oid >= 16384 AND t.typtype IN ('r', 'm', 'c', 'e') "
        'ORDER BY t.oid').fetchall()
    for kind, name in rows:
        info = kinds.get(kind, TypeInfo).fetch(conn, name)
        if info is not None:
            info.register(conn)


def open_database(name, encoding='UTF8'):
    """Make the database and connect to it, as both sides print alike."""
    with psycopg.connect(dbname='postgres', autocommit=True) as conn:
        conn.execute(f'DROP DATABASE IF EXISTS {name} WITH (FORCE)')
        conn.execute(f"CREATE DATABASE {name} TEMPLATE template0 "
                     f"ENCODING '{encoding}' LOCALE 'C'")
    conn = psycopg.connect(dbname=name, autocommit=True,
                           client_encoding='UTF8')
    pgtext.wide_pg_lsn = conn.info.server_version >= 190000
    conn.execute("SET timezone = 'UTC'; SET datestyle = 'ISO'; "
                 "SET intervalstyle = 'postgres'; SET bytea_output = 'hex'; "
                 "SET lc_monetary = 'C'; SET extra_float_digits = 1; "
                 'SET client_min_messages = warning; CREATE EXTENSION rowser')
    return conn


def drop_database(conn):
    name = conn.info.dbname
    conn.close()
    with psycopg.connect(dbname='postgres', autocommit=True) as other:
        other.execute(f'DROP DATABASE IF EXISTS {name} WITH (FORCE)')


# ----------------------------------------------------------------------------
# The queries
# ----------------------------------------------------------------------------

def run_samples(tally):
    """Each type with values at the edges of its range, and in others."""
    conn = open_database('rowser_python')
    conn.execute('DROP ROLE IF EXISTS "rowser od d"; CREATE SCHEMA rt')
    conn.execute((TEST / 'pgtap/lib/samples.sql').read_text())
    samples = conn.execute('SELECT type, rt.sample_query(type, vals), '
                           'rt.sample_query(type, vals[:20]) FROM sample '
                           'ORDER BY ord').fetchall()
    # a long value is enough once
    compare = Comparison(conn, tally)
    conn.execute('CREATE SCHEMA composite')
    for i, (type_, query, _) in enumerate(samples):
        conn.execute(f'CREATE DOMAIN composite.d{i} AS {type_}; CREATE TYPE '
                     f'composite.t{i} AS (a {type_}, b {type_}[], '
                     f'"c d" composite.d{i})')
    register_types(conn)
    for i, (type_, query, few) in enumerate(samples):
        if type_ in ('regproc', 'regoper'):
            # A rowset says more of these than the types print.
            more = {'regproc': 'regprocedure', 'regoper': 'regoperator'}
            compare.run(type_, query, against='SELECT v::oid::'
                        f'{more[type_]} FROM ({query}) AS s')
            continue
        compare.run(type_, query)
        compare.run(f'{type_}, many',
                    f'SELECT v FROM ({few}) AS s, generate_series(1, 40) '
                    'AS i ORDER BY i % 7', 100)
        compare.run(f'arrays of {type_}',
                    f"SELECT ARRAY[v, NULL, v] AS a, ARRAY[[v, v], [v, NULL]] "
                    f"AS b, CASE WHEN v IS NOT NULL THEN '{{}}'::{type_}[] "
                    f'END AS c FROM ({few}) AS s', 5)
        compare.run(f'composites of {type_}',
                    f'SELECT ROW(v, ARRAY[v], v)::composite.t{i} AS a, '
                    f'ARRAY[ROW(v, NULL, v)::composite.t{i}, NULL] AS b, '
                    f'v::composite.d{i} AS c FROM ({few}) AS s')
    print('samples: {} values compared with the driver\'s from text, {} from '
          'binary; {} refused by both'.format(*compare.compared.values(),
                                              compare.refused))
    tally.check('enough was compared', compare.compared[TEXT] > 20000
                and compare.compared[BINARY] > 20000
                and compare.refused > 100, True)
    conn.execute('DROP ROLE "rowser od d"')
    drop_database(conn)


def run_golden_queries(tally):
    """The queries that golden files were made from, in their databases."""
    conn = open_database('rowser_python')
    conn.execute((TEST / 'golden/version_1/types.sql').read_text())
    conn.execute((TEST / 'golden/queries.sql').read_text())
    queries = conn.execute('SELECT name, query, group_rows, encoding '
                           'FROM golden_query').fetchall()
    register_types(conn)
    compare = Comparison(conn, tally)
    for name, query, group_rows, encoding in queries:
        if encoding == 'UTF8':
            for method in METHODS:
                compare.run(name, query, group_rows, method)
    drop_database(conn)
    for name, query, group_rows, encoding in queries:
        # psycopg gives bytes for text in SQL_ASCII; golden.py reads it.
        if encoding in ('UTF8', 'SQL_ASCII'):
            continue
        conn = open_database('rowser_python', encoding)
        conn.execute((TEST / 'golden/version_1/types.sql').read_text())
        register_types(conn)
        compare = Comparison(conn, tally)
        for method in METHODS:
            compare.run(name, query, group_rows, method)
        drop_database(conn)


# Columns that are written in each encoding, with NULLs and without
MANY = {
    'integers': 'i::int8 AS frame, i * 3 AS delta, (i * i)::int8 AS delta2, '
                '(i / 700)::int2 AS runs, hashint4(i) AS plain, '
                '7::int8 AS one, (hashint4(i) % 5) * 1000000007::int8 AS few',
    'bits': ', '.join(f'(hashint4(i) & {(1 << bits) - 1})::int8 AS b{bits}'
                      for bits in range(1, 32)),
    'wide': ', '.join('(hashint8extended(i, 5) & '
                      f'{(1 << bits) - 1}) - {1 << bits - 1} AS b{bits}'
                      for bits in (33, 40, 47, 55, 56, 57, 62, 63)),
    'numbers': 'i * 0.01 AS scaled, round(i * 0.37, i % 4) AS displays, '
               "CASE i % 97 WHEN 0 THEN 'NaN' ELSE i + 0.5 END::numeric AS "
               'exceptions, repeat(i::text, 9)::numeric / 7 AS large, '
               'i / 7.0::float8 AS f8, (i * 0.25)::float8 AS scaled8, '
               '(i * 0.1)::float4 AS scaled4, i % 3 = 0 AS bits, true AS yes',
    'texts': "'word ' || i AS short, repeat('größe ', i % 50) AS long, "
             "'n' || i % 9 AS few, 'x'::text AS one, md5(i::text)::uuid AS u, "
             "decode(md5(i::text), 'hex') AS bytes, (i % 128)::text::name "
             'AS name',
    'times': "'2024-01-01'::date + i % 500 AS d, '2024-01-01'::timestamptz "
             "+ i * '1 min'::interval AS t, i * '1 day 1 min'::interval AS "
             "v, '00:00'::time + i * '7 s'::interval AS o",
    'nested': "ARRAY[i, NULL, i % 7] AS a, ARRAY['t' || i % 3] AS t, "
              'int4range(i, i + i % 5) AS r, array_fill(i, ARRAY[i % 4]) '
              "AS l, ROW(i, 't')::pg_catalog.pg_class AS c"}


def run_many(tally):
    conn = open_database('rowser_python')
    conn.execute("CREATE TYPE pair AS (a int, b text)")
    # Each row group is decoded in several pieces.
    rowser._ROWS_VALUES = 5000
    register_types(conn)
    compare = Comparison(conn, tally)
    MANY['nested'] = MANY['nested'].replace('pg_catalog.pg_class', 'pair')
    for name, columns in MANY.items():
        rows = 1500 if name in ('bits', 'nested') else 3000
        compare.run(name, f'SELECT {columns} FROM generate_series(1, {rows}) '
                          'AS i', 2000)
        compare.run(f'{name} and NULLs',
                    f'SELECT s.* FROM generate_series(1, {rows // 2}) AS n '
                    f'LEFT JOIN (SELECT i AS k, {columns} FROM '
                    f'generate_series(1, {rows}) AS i WHERE hashint4(i) % 3 '
                    f'<> 0) AS s ON k = n', 1000)
    compare.run('floats as text', 'SELECT point(x, -x / 3) AS a, '
                'point(power(2::float8, i % 1000), i) AS b FROM (SELECT i, '
                'hashint8extended(i, 3) * power(10::float8, i % 560 - 290) '
                'AS x FROM generate_series(1, 1500) AS i UNION ALL SELECT i, '
                "(i || 'e' || j)::float8 FROM generate_series(1, 9) AS i, "
                'generate_series(-30, 30) AS j) AS s')
    compare.run('more than a batch of each', 'SELECT i AS a, i * i::int8 AS '
                "b, i / 900 AS c, CASE WHEN i % 10 > 0 THEN i END AS d FROM "
                'generate_series(1, 10000) AS i')
    drop_database(conn)


def run_packets(tally):
    """Packets that the server cut, of a rowset and while the query runs."""
    conn = open_database('rowser_python')
    conn.execute('SET rowser.row_group_rows = 100')
    query = ("SELECT i AS a, md5(i::text) AS b, i * 0.5 AS c FROM "
             'generate_series(1, 1000) AS i')
    want = conn.execute(query, binary=True).fetchall()
    for call in (
            'query_to_rowset_packets(%s, %s)',
            'rowset_packets(query_to_rowset(%s), %s)'):
        for size in (64, 1000, 1 << 20):
            rows = conn.execute(f'SELECT packet FROM {call} ORDER BY seq',
                                [query, size], binary=True).fetchall()
            packets = [row[0] for row in rows]
            name = f'{call}, {size}'
            tally.check(name, list(rowser.load(
                rowser.order_packets(packets))), want)
            tally.check(f'{name}, from the last', list(rowser.loads(
                rowser.join_packets(reversed(packets)))), want)
            tally.check(f'{name}, how many', len(packets) > 1,
                        size < 1 << 20)
    drop_database(conn)


def main():
    tally = Tally()
    for run in (run_samples, run_golden_queries, run_many, run_packets):
        try:
            run(tally)
        except Exception as error:
            traceback.print_exc()
            tally.failed(f'{run.__name__}: {error!r}')
    return tally.end()


if __name__ == '__main__':
    sys.exit(main())
