"""
Streams that pyarrow writes, of every type and shape that it has, for
arrow_to_rowset: each with the types and the values that PostgreSQL must say.

    pyarrow_write.py OUT.jsonl [FOLDER]

One line each: {"name", "stream" in base64, "types", "rows"}, or "sqlstate" in
place of the last two; a folder gets them as files, too.  The values are those
that the arrays were made from, as texts in the form of truth() (setup.sql), and
never come from what pyarrow has written.
"""

import base64
import json
import os
import struct
import sys
from decimal import Decimal

import numpy as np
import pyarrow as pa
from pyarrow import ipc

from common import as_file, as_stream

US_A_DAY = 86400 * 1000 * 1000


def each(function):
    """The texts of a column, whose NULLs stay what they are."""
    return lambda values: [None if v is None else function(v) for v in values]


as_text = each(str)
as_bool = each(lambda v: 'true' if v else 'false')
as_single = each(lambda v: struct.pack('>f', v).hex())
as_double = each(lambda v: struct.pack('>d', v).hex())
as_hex = each(bytes.hex)


def times(factor):
    """The texts of integers of another unit."""
    return each(lambda v: str(v * factor))


def over(divisor):
    """The same of a finer unit, which must come out even."""
    return each(lambda v: str(v // divisor))


class Column:
    """An array, its type in PostgreSQL, and its values as texts."""

    def __init__(self, name, array, pg_type, texts):
        assert len(array) == len(texts)
        self.name = name
        self.array = array
        self.pg_type = pg_type
        self.texts = texts


def stored(type_, storage, values):
    """An array of a type by the integers that it stores."""
    return pa.array(values, storage).view(type_)


def table(columns):
    """Columns put together."""
    return pa.Table.from_arrays([c.array for c in columns], schema=pa.schema(
        [pa.field(c.name, c.array.type) for c in columns]))


def rows(columns, start=0, stop=None):
    """What PostgreSQL must say of them."""
    return [list(row) for row in zip(*(c.texts[start:stop] for c in columns))]


def integers():
    """Every width, with its extremes."""
    result = []
    for bits, pg_type in ((8, 'smallint'), (16, 'smallint'), (32, 'integer'), (64, 'bigint')):
        values = [0, 1, -1, None, 2 ** (bits - 1) - 1, -2 ** (bits - 1), 7, None, 9]
        result.append(Column(f'i{bits}', pa.array(values, getattr(pa, f'int{bits}')()),
                             pg_type, as_text(values)))
    for bits, pg_type in ((8, 'smallint'), (16, 'integer'), (32, 'bigint'), (64, 'numeric(20,0)')):
        values = [0, 1, None, 2 ** bits - 1, 2 ** (bits - 1), 5, 6, None, 2 ** (bits - 1) - 1]
        result.append(Column(f'u{bits}', pa.array(values, getattr(pa, f'uint{bits}')()),
                             pg_type, as_text(values)))
    return result


def floats():
    """Halves, singles and doubles; every kind of number that there is."""
    half = [0.0, -0.0, 1.5, None, 65504.0, 2.0 ** -24, float('inf'), float('-inf'), 2.0 ** -14 - 2.0 ** -24]
    single = [0.0, -0.0, 0.5, None, 3.4028234663852886e38, 2.0 ** -149, float('inf'), float('-inf'), 2.0 ** -126]
    double = [0.0, -0.0, 0.1, None, sys.float_info.max, 5e-324, float('inf'), float('-inf'), -123456.789]
    nan = [float('nan')] * 4 + [None] * 5
    return [
        Column('half', pa.array([None if v is None else np.float16(v) for v in half], pa.float16()),
               'real', as_single(half)),
        Column('single', pa.array(single, pa.float32()), 'real', as_single(single)),
        Column('double', pa.array(double, pa.float64()), 'double precision', as_double(double)),
        Column('half nan', pa.array([None if v is None else np.float16(v) for v in nan], pa.float16()),
               'real', as_single(nan)),
        Column('single nan', pa.array(nan, pa.float32()), 'real', as_single(nan)),
        Column('nan', pa.array(nan, pa.float64()), 'double precision', as_double(nan))]


def booleans():
    """Bits, with a validity of their own and without."""
    some = [True, False, None, True, True, False, None, False, True]
    full = [False, True, True, False, True, False, True, True, False]
    return [Column('some', pa.array(some), 'boolean', as_bool(some)),
            Column('full', pa.array(full), 'boolean', as_bool(full)),
            Column('none', pa.array([None] * 9, pa.bool_()), 'boolean', [None] * 9)]


def texts():
    """Empty, long, not ASCII, absent."""
    values = ['', 'a', None, 'tab\tquote"\\', 'äöü€', '𝄞 日本', 'x' * 1000, 'NULL', '{}']
    return [Column('utf8', pa.array(values, pa.utf8()), 'text', values),
            Column('large', pa.array(values, pa.large_utf8()), 'text', values),
            Column('none', pa.array([None] * 9, pa.utf8()), 'text', [None] * 9),
            Column('empty', pa.array([''] * 9, pa.utf8()), 'text', [''] * 9)]


def binaries():
    """Zeroes too; and those of one width, 0 included."""
    values = [b'', b'\0', None, b'\0\xff', bytes(range(256)), b'abc', b'\\x', None, b'\xc3']
    three = [b'abc', None, b'\0\0\0', b'\xff\xfe\xfd'] + [b'xyz'] * 5
    sixteen = [bytes(range(16)), None] + [bytes([v] * 16) for v in range(7)]
    none = [b''] * 8 + [None]
    return [Column('binary', pa.array(values, pa.binary()), 'bytea', as_hex(values)),
            Column('large', pa.array(values, pa.large_binary()), 'bytea', as_hex(values)),
            Column('fixed 3', pa.array(three, pa.binary(3)), 'bytea', as_hex(three)),
            Column('fixed 16', pa.array(sixteen, pa.binary(16)), 'bytea', as_hex(sixteen)),
            Column('fixed 0', pa.array(none, pa.binary(0)), 'bytea', as_hex(none))]


def decimals():
    """Of 128 and 256 bits, with the scales that PostgreSQL writes as they are."""
    def decimal(name, type_, pg_type, values):
        # by way of integers: Python's decimals round at 28 digits
        scale = type_.scale
        width = type_.bit_width // 8
        data = b''.join((v or 0).to_bytes(width, 'little', signed=True) for v in values)
        valid = pa.array([v is not None for v in values]).buffers()[1]
        array = pa.Array.from_buffers(type_, len(values), [valid, pa.py_buffer(data)])

        def text(value):
            if scale <= 0:
                return str(value * 10 ** -scale)
            digits = str(abs(value)).rjust(scale + 1, '0')
            return ('-' if value < 0 else '') + digits[:-scale] + '.' + digits[-scale:]
        return Column(name, array, pg_type, each(text)(values))
    nines = 10 ** 38 - 1
    return [
        decimal('money', pa.decimal128(10, 2), 'numeric(10,2)',
                [0, 1, -1, None, 9999999999, -9999999999, 100, 12345, -5]),
        decimal('whole', pa.decimal128(38, 0), 'numeric(38,0)',
                [0, 1, -1, None, nines, -nines, 10 ** 37, 2 ** 64, -2 ** 64]),
        decimal('scaled', pa.decimal128(38, 10), 'numeric(38,10)',
                [0, 1, -1, None, nines, -nines, 10 ** 10, 2 ** 63, -2 ** 63]),
        decimal('fraction', pa.decimal128(38, 38), 'numeric(38,38)',
                [0, 1, -1, None, nines, -nines, 10 ** 37, 5, 10 ** 4]),
        decimal('hundreds', pa.decimal128(5, -2), 'numeric(5,-2)',
                [0, 1, -1, None, 99999, -99999, 100, 7, 8]),
        decimal('wide', pa.decimal256(76, 5), 'numeric(76,5)',
                [0, 1, -1, None, 10 ** 76 - 1, 1 - 10 ** 76, 2 ** 128, -2 ** 128, 2 ** 192 + 1])]


def narrow_decimals():
    """Of 32 and 64 bits, which the format has had since version 1.5."""
    values = [0, 1, -1, None, 999, -999]
    return [Column('d32', pa.array([None if v is None else Decimal(v).scaleb(-2) for v in values],
                                   pa.decimal32(9, 2)), 'numeric(9,2)',
                   each(lambda v: f'{Decimal(v).scaleb(-2):.2f}')(values)),
            Column('d64', pa.array([None if v is None else Decimal(v).scaleb(-2) for v in values],
                                   pa.decimal64(18, 2)), 'numeric(18,2)',
                   each(lambda v: f'{Decimal(v).scaleb(-2):.2f}')(values))]


def dates():
    """Days, to the ends of PostgreSQL's calendar."""
    days = [0, 1, -1, None, 10957, -2440588, 2145042905, -719162, 47482]
    return [Column('day', stored(pa.date32(), pa.int32(), days), 'date', as_text(days)),
            Column('ms', stored(pa.date64(), pa.int64(),
                                [None if d is None else d * 86400000 for d in days]), 'date', as_text(days))]


def clock_times():
    """Every unit; nanoseconds that are whole microseconds."""
    s = [0, 1, None, 86399]
    ms = [0, 1, None, 86399999]
    us = [0, 1, None, US_A_DAY - 1]
    ns = [0, 1000, None, (US_A_DAY - 1) * 1000]
    return [Column('s', stored(pa.time32('s'), pa.int32(), s), 'time without time zone', times(1000000)(s)),
            Column('ms', stored(pa.time32('ms'), pa.int32(), ms), 'time without time zone', times(1000)(ms)),
            Column('us', stored(pa.time64('us'), pa.int64(), us), 'time without time zone', as_text(us)),
            Column('ns', stored(pa.time64('ns'), pa.int64(), ns), 'time without time zone', over(1000)(ns))]


def timestamps():
    """Every unit, without a zone and with several."""
    s = [0, 1, -1, None, 946684800, -210866803200, 9224318015999, 1700000000]
    us = [0, 1, -1, None, 946684800000000, -210866803200000000, 2 ** 63 - 1, 1700000000123456]
    ns = [0, 1000, -1000, None, 946684800000000000, -9223372036854775000, 9223372036854775000, 1700000000123456000]
    result = []
    for zone in (None, 'UTC', 'Europe/Berlin', '+02:00'):
        pg_type = 'timestamp ' + ('with' if zone else 'without') + ' time zone'
        for unit, values, texts_ in (('s', s, times(1000000)), ('us', us, as_text), ('ns', ns, over(1000))):
            result.append(Column(f'{unit} {zone}', stored(pa.timestamp(unit, zone), pa.int64(), values),
                                 pg_type, texts_(values)))
        ms = [None if v is None else v * 1000 + 1 for v in s]
        result.append(Column(f'ms {zone}', stored(pa.timestamp('ms', zone), pa.int64(), ms),
                             pg_type, times(1000)(ms)))
    return result


def intervals():
    """Durations of every unit, and months, days and nanoseconds."""
    s = [0, 1, -1, None, 86400, 9223372036854]
    ms = [0, 1, -1, None, 86400000, 9223372036854775]
    us = [0, 1, -1, None, 86400000000, 2 ** 63 - 1]
    ns = [0, 1000, -1000, None, 9223372036854775000, -9223372036854775000]
    parts = [(0, 0, 0), (1, -2, 3000), (-14, 40, -86400000000000), None,
             (2 ** 31 - 1, 2 ** 31 - 1, 9223372036854775000), (1 - 2 ** 31, 1 - 2 ** 31, -9223372036854775000)]
    text = each(lambda v: f'0 0 {v}')
    return [Column('s', stored(pa.duration('s'), pa.int64(), s), 'interval',
                   text([None if v is None else v * 1000000 for v in s])),
            Column('ms', stored(pa.duration('ms'), pa.int64(), ms), 'interval',
                   text([None if v is None else v * 1000 for v in ms])),
            Column('us', stored(pa.duration('us'), pa.int64(), us), 'interval', text(us)),
            Column('ns', stored(pa.duration('ns'), pa.int64(), ns), 'interval',
                   text([None if v is None else v // 1000 for v in ns])),
            Column('parts', pa.array(parts, pa.month_day_nano_interval()), 'interval',
                   each(lambda v: f'{v[0]} {v[1]} {v[2] // 1000}')(parts))]


def lists():
    """Lists of all three kinds."""
    whole = [[1, None, 3], [], None, [4], [None], [5, 6], [7] * 20]
    words = [['a', ''], [], None, ['ä', None], [None], ['x'], ['y', 'z']]
    pairs = [[1, 2], None, [None, 4], [5, 6], [7, 8], [None, None], [9, 10]]
    nested = each(lambda v: [None if e is None else str(e) for e in v])
    return [Column('list', pa.array(whole, pa.list_(pa.int32())), 'integer[]', nested(whole)),
            Column('large', pa.array(words, pa.large_list(pa.utf8())), 'text[]', nested(words)),
            Column('fixed', pa.array(pairs, pa.list_(pa.int64(), 2)), 'bigint[]', nested(pairs)),
            Column('bools', pa.array([[True, None, False]] * 6 + [None], pa.list_(pa.bool_())), 'boolean[]',
                   [['true', None, 'false']] * 6 + [None])]


def structs():
    """Structs, in lists and with lists; values below a NULL are not seen."""
    pairs = [(1, 'a'), (None, ''), None, (3, None), (None, None), (6, 'ü')]
    type_ = pa.struct([('n', pa.int32()), ('t', pa.utf8())])
    dicts = each(lambda v: {'n': v[0], 't': v[1]})
    text = each(lambda v: [None if e is None else str(e) for e in v])
    lists_ = [[(1, 'a'), None], [], None, [(2, None)], [(None, None)], [(3, 'x'), (4, 'y')]]
    deep = [([1, 2], (5,)), ([], (None,)), None, (None, None), ([None], (6,)), ([3], None)]
    hidden = pa.StructArray.from_arrays(
        [pa.array([1, 2, 3, 4, 5, 6], pa.int16())], ['n'], mask=pa.array([False, True] * 3))
    return [
        Column('struct', pa.array(dicts(pairs), type_), 'record', text(pairs)),
        Column('list', pa.array([None if v is None else dicts(v) for v in lists_], pa.list_(type_)), 'record[]',
               [None if v is None else text(v) for v in lists_]),
        Column('deep', pa.array(
            [None if v is None else {'l': v[0], 's': None if v[1] is None else {'i': v[1][0]}} for v in deep],
            pa.struct([('l', pa.list_(pa.int32())), ('s', pa.struct([('i', pa.int8())]))])), 'record',
            [None if v is None else [None if v[0] is None else as_text(v[0]),
                                     None if v[1] is None else as_text(v[1])] for v in deep]),
        Column('hidden', hidden, 'record', [['1'], None, ['3'], None, ['5'], None])]


def dictionaries():
    """Indexes of every width; NULL as an index and as a value; of other types."""
    result = []
    words = ['red', None, 'green', 'red', '', 'blaü', 'green', None, 'red']
    for index in ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32'):
        array = pa.array(words).dictionary_encode().cast(pa.dictionary(getattr(pa, index)(), pa.utf8()))
        result.append(Column(index, array, 'text', words))
    inside = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, None, 1, 0, 2, 2, 1], pa.int8()), pa.array(['a', None, 'c']))
    result.append(Column('null inside', inside, 'text', ['a', None, 'c', None, None, 'a', 'c', 'c', None]))
    numbers = [10, None, 20, 10, 30, 20, 20, None, 10]
    result.append(Column('numbers', pa.array(numbers, pa.int64()).dictionary_encode(), 'bigint', as_text(numbers)))
    result.append(Column('days', stored(pa.date32(), pa.int32(), numbers).dictionary_encode(), 'date',
                         as_text(numbers)))
    ordered = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1, 0, 1, 0, 1, 0, 1], pa.int8()),
                                             pa.array(['low', 'high']), ordered=True)
    result.append(Column('ordered', ordered, 'text', ['high', 'low'] * 4 + ['high']))
    listed = pa.ListArray.from_arrays(pa.array([0, 2, 2, 3, 4, 5, 6, 7, 8, 9], pa.int32()),
                                      pa.array(words).dictionary_encode())
    result.append(Column('listed', listed, 'text[]', [words[0:2], []] + [[w] for w in words[2:]]))
    return result


def views():
    """Texts and bytes that lie anywhere, short ones in their own view."""
    words = ['', 'a', None, 'twelve bytes', 'thirteen byte', 'äöü and some more of it', 'x' * 100]
    bytes_ = [b'', b'\0', None, b'\xff' * 12, b'\0' * 13, b'abc', bytes(range(256))]
    return [Column('text', pa.array(words, pa.string_view()), 'text', words),
            Column('bytes', pa.array(bytes_, pa.binary_view()), 'bytea', as_hex(bytes_))]


def maps():
    """Maps are lists of keys and values."""
    values = [[('a', 1), ('b', None)], [], None, [('', 2)], [('ä', 3)], [('c', 4), ('c', 5)]]
    return [Column('map', pa.array(values, pa.map_(pa.utf8(), pa.int32())), 'record[]', [
        None if v is None else [[key, None if value is None else str(value)] for key, value in v] for v in values])]


def nulls():
    """A column of nothing."""
    return [Column('null', pa.nulls(5), 'text', [None] * 5),
            Column('one', pa.array([1] * 5, pa.int32()), 'integer', ['1'] * 5)]


KINDS = [integers, floats, booleans, texts, binaries, decimals, narrow_decimals, dates, clock_times, timestamps,
         intervals, lists, structs, dictionaries, views, maps, nulls]


class Samples:
    """What goes out."""

    def __init__(self):
        self.lines = []

    def good(self, name, stream, types, rows_):
        self.lines.append({'name': name, 'stream': stream, 'types': types, 'rows': rows_})

    def bad(self, name, stream, sqlstate):
        self.lines.append({'name': name, 'stream': stream, 'sqlstate': sqlstate})

    def columns(self, name, columns, stream=None, start=0, stop=None):
        """Columns, as one batch unless there are bytes already."""
        if stream is None:
            whole = table(columns)
            stream = as_stream(whole.to_batches(), whole.schema)
        self.good(name, stream, [[c.name, c.pg_type] for c in columns], rows(columns, start, stop))


def add_shapes(samples, kind):
    """One kind of columns in all the ways in which it can be written."""
    columns = kind()
    name = kind.__name__
    whole = table(columns)
    batches = whole.to_batches()
    size = len(whole)

    samples.columns(name, columns)
    for codec in ('lz4', 'zstd'):
        samples.columns(f'{name} {codec}', columns, as_stream(batches, whole.schema, compression=codec))
    samples.columns(f'{name} file', columns, as_file(batches, whole.schema))
    samples.columns(f'{name} sliced', columns,
                    as_stream(whole.slice(3, size - 4).to_batches(), whole.schema), 3, size - 1)
    samples.columns(f'{name} chunked', columns,
                    as_stream(whole.to_batches(max_chunksize=2), whole.schema, unify_dictionaries=False))
    samples.columns(f'{name} empty', columns,
                    as_stream([batches[0].slice(0, 0)], whole.schema), 0, 0)
    samples.columns(f'{name} no batch', columns, as_stream([], whole.schema), 0, 0)
    samples.columns(f'{name} V4', columns, as_stream(
        batches, whole.schema, metadata_version=ipc.MetadataVersion.V4))
    # without the marker that messages begin with since version 0.15
    samples.bad(f'{name} legacy', as_stream(
        batches, whole.schema, metadata_version=ipc.MetadataVersion.V4, use_legacy_format=True), '22P03')
    samples.bad(f'{name} no end', as_stream(batches, whole.schema)[:-8], '22P03')


def add_dictionary_changes(samples):
    """Dictionaries that are replaced and that grow, batch by batch."""
    words = [['a', 'b', 'a'], ['c', None, 'c'], ['a', 'c', 'd']]
    schema = pa.schema([pa.field('d', pa.dictionary(pa.int32(), pa.utf8()))])
    replaced = [pa.record_batch([pa.array(w).dictionary_encode()], schema=schema) for w in words]
    flat = [[w] for part in words for w in part]
    samples.good('dictionary replaced', as_stream(replaced, schema), [['d', 'text']], flat)

    values = ['a', 'b', 'c', 'd', 'e']
    grown = [pa.record_batch([pa.DictionaryArray.from_arrays(pa.array(i, pa.int32()), pa.array(values[:n]))],
                             schema=schema)
             for i, n in (([0, 1, 1], 2), ([2, 0, None], 3), ([4, 3, 0], 5))]
    flat = [[w] for w in ('a', 'b', 'b', 'c', 'a', None, 'e', 'd', 'a')]
    for codec in (None, 'lz4', 'zstd'):
        samples.good(f'dictionary deltas {codec}',
                     as_stream(grown, schema, emit_dictionary_deltas=True, compression=codec),
                     [['d', 'text']], flat)
    samples.good('dictionary deltas file', as_file(grown, schema, emit_dictionary_deltas=True),
                 [['d', 'text']], flat)


def add_odd_shapes(samples):
    """No columns, odd names, thousands of rows, batches of no rows between others."""
    empty = pa.schema([])
    samples.good('no column', as_stream([pa.RecordBatch.from_struct_array(
        pa.array([{}] * 5, pa.struct([])))], empty), [], [[]] * 5)
    samples.good('neither', as_stream([], empty), [], [])

    names = ['a', 'a', '', 'Straße "5"', '日本', 'select']
    schema = pa.schema([pa.field(n, pa.int32()) for n in names])
    batch = pa.record_batch([pa.array([i], pa.int32()) for i in range(len(names))], schema=schema)
    samples.good('names', as_stream([batch], schema), [[n or '?column?', 'integer'] for n in names],
                 [[str(i) for i in range(len(names))]])

    schema = pa.schema([pa.field('x' * 64, pa.int32())])
    samples.good('long name', as_stream([pa.record_batch([pa.array([1], pa.int32())], schema=schema)], schema),
                 [['x' * 63, 'integer']], [['1']])

    schema = pa.schema([pa.field('n', pa.int64()), pa.field('t', pa.utf8())])

    def part(start, stop):
        return pa.record_batch([pa.array(range(start, stop), pa.int64()),
                                pa.array([f'row {i % 97}' for i in range(start, stop)])], schema=schema)
    parts = [part(0, 0), part(0, 1), part(1, 1), part(1, 70000), part(70000, 70000), part(70000, 100000)]
    for codec in (None, 'lz4', 'zstd'):
        samples.good(f'many {codec}', as_stream(parts, schema, compression=codec),
                     [['n', 'bigint'], ['t', 'text']], [[str(i), f'row {i % 97}'] for i in range(100000)])

    schema = pa.schema([pa.field('n', pa.int32(), False, {'key': 'value', '': ''})], {'pandas': '{}', 'ä': '\0'})
    batch = pa.record_batch([pa.array([1, 2], pa.int32())], schema=schema)
    samples.good('metadata', as_stream([batch], schema), [['n', 'integer']], [['1'], ['2']])


def add_extensions(samples):
    """The canonical extension types that stand for one of PostgreSQL's."""
    ids = [bytes(range(16)), None, b'\xff' * 16]
    uuid = pa.ExtensionArray.from_storage(pa.uuid(), pa.array(ids, pa.binary(16)))
    documents = ['{"a" : 1}', None, '[]']
    json_ = pa.ExtensionArray.from_storage(pa.json_(), pa.array(documents))
    samples.columns('extensions', [
        Column('uuid', uuid, 'uuid', as_hex(ids)), Column('json', json_, 'json', documents)])


def add_unrepresentable(samples):
    """Values and types that PostgreSQL has no place for."""
    def bad(name, array, sqlstate):
        schema = pa.schema([pa.field('x', array.type)])
        samples.bad(name, as_stream([pa.record_batch([array], schema=schema)], schema), sqlstate)

    bad('timestamp ns', stored(pa.timestamp('ns'), pa.int64(), [0, 1001]), '22008')
    bad('timestamptz ns', stored(pa.timestamp('ns', 'UTC'), pa.int64(), [-1]), '22008')
    bad('time ns', stored(pa.time64('ns'), pa.int64(), [1]), '22008')
    bad('duration ns', stored(pa.duration('ns'), pa.int64(), [1]), '22008')
    bad('interval ns', pa.array([(0, 0, 1)], pa.month_day_nano_interval()), '22008')
    bad('timestamp early', stored(pa.timestamp('us'), pa.int64(), [-210866803200000001]), '22008')
    bad('timestamp s late', stored(pa.timestamp('s'), pa.int64(), [9224318016000]), '22008')
    bad('timestamp ms late', stored(pa.timestamp('ms'), pa.int64(), [9224318016000000]), '22008')
    bad('timestamp s last', stored(pa.timestamp('s'), pa.int64(), [2 ** 63 - 1]), '22008')
    bad('timestamp ms early', stored(pa.timestamp('ms', 'UTC'), pa.int64(), [-2 ** 63]), '22008')
    bad('date early', stored(pa.date32(), pa.int32(), [-2440589]), '22008')
    bad('date late', stored(pa.date32(), pa.int32(), [2145042906]), '22008')
    bad('date64 late', stored(pa.date64(), pa.int64(), [2 ** 63 - 1 - (2 ** 63 - 1) % 86400000]), '22008')
    bad('date64 no day', stored(pa.date64(), pa.int64(), [1]), '22008')
    bad('time past day', stored(pa.time64('us'), pa.int64(), [US_A_DAY + 1]), '22008')
    bad('time negative', stored(pa.time32('s'), pa.int32(), [-1]), '22008')
    bad('duration s', stored(pa.duration('s'), pa.int64(), [2 ** 63 - 1]), '22008')
    bad('text zero', pa.array(['a\0b']), '22P03')
    bad('text not UTF-8', pa.Array.from_buffers(pa.utf8(), 1, [
        None, pa.array([0, 2], pa.int32()).buffers()[1], pa.py_buffer(b'\xff\xfe')]), '22021')
    bad('dense union', pa.UnionArray.from_dense(
        pa.array([0, 1], pa.int8()), pa.array([0, 0], pa.int32()), [pa.array([1]), pa.array(['a'])]), '0A000')
    bad('sparse union', pa.UnionArray.from_sparse(
        pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(['a', 'b'])]), '0A000')
    bad('run ends', pa.RunEndEncodedArray.from_arrays([2, 3], ['a', 'b']), '0A000')
    bad('lists of lists', pa.array([[[1, 2], [3, 4]], [[5], [6]]], pa.list_(pa.list_(pa.int32()))), '0A000')
    bad('list view', pa.array([[1]], pa.list_view(pa.int32())), '0A000')


def all_samples():
    """Everything above."""
    samples = Samples()
    for kind in KINDS:
        add_shapes(samples, kind)
    add_dictionary_changes(samples)
    add_odd_shapes(samples)
    add_extensions(samples)
    add_unrepresentable(samples)
    return samples.lines


def main():
    """Write the lines, and the files if asked to."""
    lines = all_samples()
    with open(sys.argv[1], 'w', encoding='utf-8') as out:
        for line in lines:
            out.write(json.dumps(line | {'stream': base64.b64encode(line['stream']).decode()}) + '\n')
    if len(sys.argv) > 2:
        os.makedirs(sys.argv[2], exist_ok=True)
        for line in lines:
            stem = os.path.join(sys.argv[2], line['name'].replace(' ', '_'))
            with open(stem + '.arrow', 'wb') as out:
                out.write(line['stream'])
            with open(stem + '.json', 'w', encoding='utf-8') as out:
                rest = {k: v for k, v in line.items() if k != 'stream'}
                if len(rest.get('rows', [])) > 100:
                    rest['rows'] = rest['rows'][:3]
                json.dump(rest, out, ensure_ascii=False, indent=1)


if __name__ == '__main__':
    main()
