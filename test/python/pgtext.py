"""What PostgreSQL prints for the values that clients/python/rowser.py gives.

Under DateStyle ISO, IntervalStyle postgres, TimeZone UTC, lc_monetary C, and
of rowsets that were read with unrepresentable='text' and json_loads=str.  No
value loses anything on its way into Python if this gives what the server
prints.
"""

import datetime
import decimal
import re
import struct
import uuid

import rowser

# 19 and later print the lower half of a pg_lsn with its leading zeros.
PG_LSN = 3220
wide_pg_lsn = False


def of(value, type_):
    """The text of one value, or None."""
    if value is None:
        return None
    base = type_.base
    if base.shape in NESTED:
        return NESTED[base.shape](value, base)
    if base.shape == 'FLOAT4':
        return float4(value)
    if base.oid == 790 and isinstance(value, int):
        return ('-' if value < 0 else '') + '${:,}.{:02d}'.format(
            abs(value) // 100, abs(value) % 100)
    if base.oid == PG_LSN and wide_pg_lsn:
        return re.sub('[^/]+$', lambda low: low[0].zfill(8), value)
    return scalar(value)


def scalar(value):
    """The text of a value of which the type doesn't matter."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return 't' if value else 'f'
    if isinstance(value, (int, uuid.UUID, rowser.Interval)):
        return str(value)
    if isinstance(value, float):
        return rowser._float_text(value)
    if isinstance(value, decimal.Decimal):
        return format(value, 'f')
    if isinstance(value, bytes):
        return '\\x' + value.hex()
    if isinstance(value, datetime.datetime):
        return f'{value.date()} {clock(value)}'
    if isinstance(value, datetime.time):
        return clock(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    return address(value)


def clock(value):
    text = value.strftime('%H:%M:%S.%f').rstrip('0').rstrip('.')
    offset = value.utcoffset()
    if offset is None:
        return text
    seconds = int(abs(offset).total_seconds())
    zone = '{:02d}:{:02d}:{:02d}'.format(
        seconds // 3600, seconds // 60 % 60, seconds % 60)
    zone = re.sub('(:00){1,2}$', '', zone)
    return text + ('-' if offset < datetime.timedelta(0) else '+') + zone


def address(value):
    text = str(value)
    six = getattr(value, 'network_address', getattr(value, 'ip', value))
    if six.version == 6 and six.ipv4_mapped:
        text = re.sub('^[^/]*', f'::ffff:{six.ipv4_mapped}', text)
    return text


def float4(value):
    if value != value or abs(value) == float('inf'):
        return rowser._float_text(value)
    for places in range(9):
        text = f'{value:.{places}e}'
        try:
            if struct.pack('<f', float(text)) == struct.pack('<f', value):
                break
        except OverflowError:
            pass
    return rowser._point(text, 6)


def array(value, type_):
    delimiter = ';' if type_.inner.oid == 603 else ','

    def one(item):
        if isinstance(item, list) and type_.inner.base.shape != 'ARRAY':
            return '{' + delimiter.join(map(one, item)) + '}'
        text = of(item, type_.inner)
        if text is None:
            return 'NULL'
        if text == '' or text.upper() == 'NULL' or re.search(
                r'[{}"\\\s' + delimiter + ']', text, re.ASCII):
            return '"' + re.sub(r'(["\\])', r'\\\1', text) + '"'
        return text

    text = '{' + delimiter.join(map(one, value)) + '}'
    if isinstance(value, rowser.Array):
        lengths = []
        inside = value
        for low in value.lower_bounds:
            lengths.append(f'[{low}:{low + len(inside) - 1}]')
            inside = inside[0]
        text = ''.join(lengths) + '=' + text
    return text


def row(texts):
    def one(text):
        if text is None:
            return ''
        if text == '' or re.search(r'[(),"\\\s]', text, re.ASCII):
            return '"' + re.sub(r'(["\\])', r'\1\1', text) + '"'
        return text
    return '(' + ','.join(map(one, texts)) + ')'


def composite(value, type_):
    return row(of(item, field.type)
               for item, field in zip(value, type_.fields))


def untyped(value):
    """The text of a value without a type, of the few that are in the tests."""
    if isinstance(value, tuple) and not isinstance(value, rowser.Interval):
        return row(map(untyped, value))
    if isinstance(value, list):
        return '{' + ','.join(map(untyped, value)) + '}'
    return None if value is None else scalar(value)


def record(value, _):
    return untyped(value)


def range_(value, type_):
    if value.empty:
        return 'empty'

    def one(bound):
        text = of(bound, type_.inner)
        if text is None:
            return ''
        if text == '' or re.search(r'[][(),"\\\s]', text, re.ASCII):
            return '"' + re.sub(r'(["\\])', r'\1\1', text) + '"'
        return text
    return (value.bounds[0] + one(value.lower) + ',' + one(value.upper)
            + value.bounds[1])


def multirange(value, type_):
    return '{' + ','.join(range_(item, type_.inner) for item in value) + '}'


NESTED = {'ARRAY': array, 'COMPOSITE': composite, 'RECORD': record,
          'RANGE': range_, 'MULTIRANGE': multirange}


def hstore(data):
    """The text of an hstore in its binary form."""
    count, = struct.unpack_from('>i', data)
    pos = 4
    texts = []

    def one():
        nonlocal pos
        size, = struct.unpack_from('>i', data, pos)
        pos += 4
        if size < 0:
            return 'NULL'
        pos += size
        text = data[pos - size:pos].decode(data.codec)
        return '"' + re.sub(r'(["\\])', r'\\\1', text) + '"'

    for _ in range(count):
        texts.append(f'{one()}=>{one()}')
    return ', '.join(texts)


# For the extensions' types that the tests meet: hstore's own form, and after a
# version the text.
CONVERTERS = {('public', 'hstore'): hstore}
for name in ('ltree', 'lquery', 'ltxtquery'):
    CONVERTERS['public', name] = lambda data: data[1:].decode(data.codec)
CONVERTERS['public', 'citext'] = lambda data: data.decode(data.codec)
