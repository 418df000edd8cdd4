#!/usr/bin/python3
"""What clients/python/rowser.py offers beside rows: names, types, bounds,
wishes for values, streams."""

import datetime
import decimal
import io
import pathlib
import sys

from tally import Tally
import rowser

VALID = pathlib.Path(__file__).parent.parent / 'golden/version_1/valid'


def data_of(name):
    return (VALID / f'{name}.rowset').read_bytes()


def error_of(run, *arguments, **settings):
    """The name of what is raised, and what it says."""
    try:
        run(*arguments, **settings)
    except Exception as error:
        return f'{type(error).__name__}: {error}'
    return None


def check_columns(tally):
    rowset = rowser.loads(data_of('names'))
    tally.check('names', [column.name for column in rowset.columns][:3],
                ['a', 'a', '?column?'])
    tally.check('a name that comes twice', error_of(rowset.column, 'a'),
                "KeyError: 'there are 2 columns \"a\"'")
    tally.check('no name', error_of(rowset.column, 'b'),
                "KeyError: 'there is no column \"b\"'")
    tally.check('no index', error_of(rowset.column, 99),
                "KeyError: 'there is no column 99'")
    tally.check('an index', rowset.column(1), [2])
    tally.check('an index from the end', len(rowset.column(-1)), 1)
    tally.check('a dictionary of names that come twice',
                error_of(rowset.to_dict), error_of(rowset.column, 'a'))

    rowset = rowser.loads(data_of('typmods'))
    tally.check('types', [str(column.type) for column in rowset.columns],
                ['varchar', 'char', 'numeric', 'bit', 'varbit', 'time',
                 'timestamp', 'interval', 'numeric[]', '"char"'])
    tally.check('typmods', [column.typmod for column in rowset.columns][:3],
                [9, 8, 393222])
    rowset = rowser.loads(data_of('collations'))
    tally.check('collations', rowset.columns[1].collation,
                ('pg_catalog', 'POSIX'))
    rowset = rowser.loads(data_of('composite_nested'))
    type_ = rowset.columns[0].type
    tally.check('a composite', str(type_), 'public.tree')
    tally.check('its fields', [f'{field.name} {field.type}'
                               for field in type_.fields],
                ['name varchar', 'moods public.mood[]',
                 'pairs public.pair[]', 'span int4range'])
    row = list(rowset)[0][0]
    tally.check('a named tuple', (row.name, row.pairs[0].b, row.span.bounds),
                ('t', 'a', '[)'))
    rowset = rowser.loads(data_of('label'))
    tally.check('an odd name', str(rowset.columns[1].type),
                'public."Odd ""schema"""."Odd type"'.partition('.')[2])


def check_values(tally):
    rowset = rowser.loads(data_of('array_dimensions'))
    arrays = rowset.column('a')
    tally.check('an array from 0', (arrays[1], arrays[1].lower_bounds),
                ([5, 6], (0,)))
    tally.check('an array from 1', type(arrays[0]), list)
    bounds = rowser.loads(data_of('bounds')).group(0)
    tally.check('bounds', (bounds.bounds('a'), bounds.bounds('g')),
                ((1, 130), (decimal.Decimal('0.01'),
                            decimal.Decimal('1.30'))))
    oids = rowser.loads(data_of('minmax_of_oids_which_are_unsigned'))
    tally.check('bounds of oids', oids.group(0).bounds(0),
                (min(oids.column(0)), max(oids.column(0))))
    tally.check('no bounds', rowser.loads(data_of('array')).group(0)
                .bounds('a'), None)
    nulls = rowser.loads(data_of('null_some'))
    tally.check('NULLs', [nulls.null_count(i) for i in range(4)],
                [column.count(None) for column in nulls.to_dict().values()])
    tally.check('an interval', rowser.Interval(14, -3, 5).to_timedelta(),
                datetime.timedelta(365 + 60 - 3, microseconds=5))
    tally.check('a long interval',
                error_of(rowser.Interval(12 * 178000000).to_timedelta),
                'CannotRepresent: interval "178000000 years" does not fit '
                'datetime.timedelta')


def check_sharing(tally):
    """What one row has, another one can change as it likes."""
    for name, column in (('lz4_nested', 'd'), ('zstd_nested', 'b')):
        values = rowser.loads(data_of(name)).column(column)
        tally.check(f'{name}: rows of their own',
                    len(set(map(id, values))), len(values))
    values = rowser.loads(data_of('constant')).column('n')
    tally.check('constant: rows of their own', len(set(map(id, values))), 3)


def check_settings(tally):
    data = data_of('date')
    dates = rowser.loads(data, unrepresentable='text').column(0)
    tally.check('as text', dates[5:10],
                ['0044-03-15 BC', '4713-01-01 BC', '5874897-12-31',
                 'infinity', '-infinity'])
    dates = rowser.loads(data, unrepresentable='none').column(0)
    tally.check('as None', dates[4:], [datetime.date(1, 1, 1)] + [None] * 6)
    tally.check('an error', error_of(rowser.loads(data).column, 0),
                'CannotRepresent: column "a": date "0044-03-15 BC" does not '
                'fit datetime.date')
    tally.check('no such setting',
                error_of(rowser.loads, data, unrepresentable='x'),
                'ValueError: unrepresentable is "raise", "text" or "none"')
    tally.check('days', rowser.loads(data, converters={1082: int}).column(0)
                [:2], [0, -1])
    tally.check('unsigned numbers', rowser.loads(
        data_of('integers_unsigned'), converters={26: str}).column(0),
        ['0', '1', '4294967295', None])
    for name in ('scaled', 'numeric'):
        plain = rowser.loads(data_of(name)).column('a')
        wish = rowser.loads(data_of(name), converters={1700: str})
        tally.check(f'{name}, str', wish.column('a'),
                    [None if value is None else str(value)
                     for value in plain])
    tally.check('bytes of a type that is not known',
                [type(value) for value in
                 rowser.loads(data_of('binary_named')).column('a')],
                [rowser.Binary])
    hstore = rowser.loads(data_of('encoding_latin1'),
                          converters={('public', 'hstore'):
                                      lambda value: value.codec})
    tally.check('their encoding', hstore.column('c'), ['iso8859-1'])
    limited = rowser.loads(data_of('groups_10'))
    tally.check('a limit', error_of(limited.column, 'a', max_values=99),
                'Unsupported: the rowset has 100 rows in '
                f'{len(data_of("groups_10"))} bytes: take them row by row or '
                'group by group, or set max_values')
    tally.check('no limit', len(limited.column('a', max_values=100)), 100)


def check_streams(tally):
    data = data_of('groups_10')
    want = list(rowser.loads(data))
    tally.check('rows', len(want), 100)
    for name, source in (('a file', io.BytesIO(data)), ('bytes', data),
                         ('a view', memoryview(data)),
                         ('pieces', (data[i:i + 3]
                                     for i in range(0, len(data), 3)))):
        tally.check(name, list(rowser.load(source)), want)
    tally.check('a view at once', list(rowser.loads(memoryview(data))), want)
    tally.check('a bytearray', list(rowser.loads(bytearray(data))), want)
    stream = rowser.load(io.BytesIO(data))
    first = next(stream.groups())
    tally.check('a group', (len(first), first.column('a')),
                (10, list(range(1, 11))))
    tally.check('the rest', list(stream), want[10:])
    tally.check('no more', list(stream), [])


def main():
    tally = Tally()
    check_columns(tally)
    check_values(tally)
    check_sharing(tally)
    check_settings(tally)
    check_streams(tally)
    return tally.end()


if __name__ == '__main__':
    sys.exit(main())
