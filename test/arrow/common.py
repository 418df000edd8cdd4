"""
What the readers in Python share: the texts of values as pyarrow has them, in
the form of truth() (setup.sql), what its fields say, and how a case is judged.
"""

import base64
import io
import json
import struct
import traceback

import pyarrow as pa
from pyarrow import ipc


class Results:
    """How many passed, and which did not."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def judge(self, name, find):
        """Judge what a function finds: a fault, or None; an exception is a fault too."""
        try:
            fault = find()
        except Exception:               # pylint: disable=broad-except
            fault = ' | '.join(line.strip() for line in traceback.format_exc().splitlines()[-4:])
        if fault is None:
            self.passed += 1
        else:
            self.failed += 1
            print(f'FAILED: {name}: {fault}')

    def summary(self):
        """Say how it ended, as the last line; the exit status."""
        print(f'{self.passed} passed, {self.failed} failed')
        return 0 if self.failed == 0 and self.passed > 0 else 1


class Written:
    """A file of streams for arrow_to_rowset, as written_fault() reads them."""

    def __init__(self, path):
        self.file = open(path, 'w', encoding='utf-8')   # pylint: disable=consider-using-with

    def add(self, name, stream, types, rows):
        """A stream, and what PostgreSQL must say of it."""
        self.file.write(json.dumps({'name': name, 'stream': base64.b64encode(stream).decode(),
                                    'types': types, 'rows': rows}) + '\n')


def read_cases(path):
    """The cases of the file that told() has written."""
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            case = json.loads(line)
            case['stream'] = base64.b64decode(case['stream'])
            yield case


def written(new_writer, batches, schema, options):
    """The bytes of batches by one of pyarrow's writers."""
    sink = io.BytesIO()
    with new_writer(sink, schema, options=ipc.IpcWriteOptions(**options)) as writer:
        for batch in batches:
            writer.write(batch)
    return sink.getvalue()


def as_stream(batches, schema, **options):
    """The bytes of batches as a stream."""
    return written(ipc.new_stream, batches, schema, options)


def as_file(batches, schema, **options):
    """The bytes of batches as a file."""
    return written(ipc.new_file, batches, schema, options)


def whole(value, divisor):
    """A division that comes out even, or ValueError."""
    if value % divisor != 0:
        raise ValueError(f'{value} is no multiple of {divisor}')
    return value // divisor


def microseconds(value, unit):
    """The microseconds in a number of another unit."""
    if unit == 'ns':
        return whole(value, 1000)
    return value * {'s': 1000000, 'ms': 1000, 'us': 1}[unit]


def value_text(scalar):
    """A value's text, or list of texts."""
    kind = scalar.type
    if isinstance(scalar, pa.ExtensionScalar):
        return None if scalar.value is None else value_text(scalar.value)
    if not scalar.is_valid:
        return None
    if pa.types.is_dictionary(kind):
        return value_text(scalar.value)
    if pa.types.is_boolean(kind):
        return 'true' if scalar.as_py() else 'false'
    if pa.types.is_float32(kind) or pa.types.is_float16(kind):
        return struct.pack('>f', scalar.as_py()).hex()
    if pa.types.is_float64(kind):
        return struct.pack('>d', scalar.as_py()).hex()
    if pa.types.is_decimal(kind):
        return format(scalar.as_py(), 'f')
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind) \
            or pa.types.is_fixed_size_binary(kind):
        return scalar.as_py().hex()
    if pa.types.is_date32(kind):
        return str(scalar.value)
    if pa.types.is_date64(kind):
        return str(whole(scalar.value, 86400000))
    if pa.types.is_time(kind) or pa.types.is_timestamp(kind):
        return str(microseconds(scalar.value, kind.unit))
    if pa.types.is_duration(kind):
        return f'0 0 {microseconds(scalar.value, kind.unit)}'
    if pa.types.is_interval(kind):
        months, days, nanoseconds = scalar.as_py()
        return f'{months} {days} {microseconds(nanoseconds, "ns")}'
    if pa.types.is_map(kind):
        return [[value_text(v) for v in entry.values()] for entry in scalar.values]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return [value_text(item) for item in scalar.values]
    if pa.types.is_struct(kind):
        return [value_text(scalar[i]) for i in range(kind.num_fields)]
    if pa.types.is_null(kind):
        return None
    if pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind) \
            or pa.types.is_string_view(kind):
        return str(scalar.as_py())
    raise TypeError(f'no text of {kind}')


def table_texts(table):
    """The rows of a table as lists of texts."""
    columns = [[value_text(v) for v in column] for column in table.columns]
    return [[column[i] for column in columns] for i in range(table.num_rows)]


def type_text(kind):
    """What arrow_field() calls a type."""
    simple = {pa.binary(): 'binary', pa.utf8(): 'utf8', pa.date32(): 'date32', pa.bool_(): 'bool',
              pa.month_day_nano_interval(): 'month_day_nano'}
    if isinstance(kind, pa.BaseExtensionType):
        return type_text(kind.storage_type)
    if kind in simple:
        return simple[kind]
    if pa.types.is_decimal128(kind):
        return f'decimal({kind.precision}, {kind.scale})'
    if pa.types.is_timestamp(kind):
        return f'timestamp[{kind.unit}' + (f', {kind.tz}]' if kind.tz else ']')
    if pa.types.is_list(kind):
        return 'list'
    if pa.types.is_struct(kind):
        return 'struct'
    if pa.types.is_fixed_size_binary(kind):
        return f'fixed({kind.byte_width})'
    if pa.types.is_dictionary(kind):
        index = '' if kind.index_type == pa.int32() else f'{kind.index_type}, '
        return f'dictionary<{index}{type_text(kind.value_type)}>'
    return str(kind)


def describe(field):
    """A field as arrow_field() describes it."""
    kind = field.type
    metadata = {k.decode(): v.decode() for k, v in (field.metadata or {}).items()}
    extension = metadata.get('ARROW:extension:name')
    if isinstance(kind, pa.BaseExtensionType):
        extension = kind.extension_name
        kind = kind.storage_type
    children = []
    if pa.types.is_list(kind) or pa.types.is_struct(kind):
        children = [describe(kind.field(i)) for i in range(kind.num_fields)]
    return {'name': field.name, 'arrow': type_text(field.type), 'children': children, 'extension': extension,
            'schema': metadata.get('postgresql:type_schema'), 'type': metadata.get('postgresql:type_name'),
            'typmod': metadata.get('postgresql:typmod')}


def field_fault(expected, got):
    """Where a field differs from what it has to be, or None."""
    for key in ('name', 'arrow', 'extension', 'schema', 'type', 'typmod'):
        if expected[key] != got[key]:
            return f'{expected["name"]}: {key} is {got[key]} instead of {expected[key]}'
    if expected['children'] is None:
        return None
    if len(expected['children']) != len(got['children']):
        return f'{expected["name"]} has {len(got["children"])} children instead of {len(expected["children"])}'
    faults = [field_fault(e, g) for e, g in zip(expected['children'], got['children'])]
    return next((fault for fault in faults if fault), None)


def fields_fault(expected, schema):
    """Where the fields of a schema differ from what they have to be, or None."""
    if len(schema) != len(expected):
        return f'{len(schema)} columns instead of {len(expected)}'
    faults = [field_fault(e, describe(schema.field(i))) for i, e in enumerate(expected)]
    return next((fault for fault in faults if fault), None)


def rows_fault(expected, got):
    """Where rows differ from what they have to be, or None."""
    if len(expected) != len(got):
        return f'{len(got)} rows instead of {len(expected)}'
    for i, (want, have) in enumerate(zip(expected, got)):
        if want != have:
            return f'row {i + 1} is {str(have)[:300]} instead of {str(want)[:300]}'
    return None
