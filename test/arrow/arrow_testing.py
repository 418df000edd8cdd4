"""
Arrow's own test data (Debian's package apache-arrow-testing) for
arrow_to_rowset: streams and files that other implementations have written, read
by pyarrow too, and hostile ones, which fuzzers have found.

    arrow_testing.py OUT

Lines as pyarrow_write.py's; a hostile one says so, and anything is right for it
that leaves the server alive and is no internal error.
"""

import base64
import glob
import json
import os
import sys

import pyarrow as pa
from pyarrow import ipc

from common import table_texts

FOLDER = '/usr/share/apache/arrow-testing'

# Months, or days and milliseconds, are in no version of pyarrow
NOT_IN_PYARROW = {'generated_interval'}

SIMPLE = {
    pa.null(): 'text', pa.bool_(): 'boolean', pa.int8(): 'smallint', pa.uint8(): 'smallint', pa.int16(): 'smallint',
    pa.uint16(): 'integer', pa.int32(): 'integer', pa.uint32(): 'bigint', pa.int64(): 'bigint',
    pa.uint64(): 'numeric(20,0)', pa.float16(): 'real', pa.float32(): 'real', pa.float64(): 'double precision',
    pa.utf8(): 'text', pa.large_utf8(): 'text', pa.string_view(): 'text', pa.binary(): 'bytea',
    pa.large_binary(): 'bytea', pa.binary_view(): 'bytea', pa.date32(): 'date', pa.date64(): 'date',
    pa.month_day_nano_interval(): 'interval'}


def pg_type(kind):
    """The type that PostgreSQL makes of a type of Arrow's; TypeError where none is."""
    if isinstance(kind, pa.BaseExtensionType):
        return {'arrow.uuid': 'uuid', 'arrow.json': 'json'}.get(kind.extension_name) or pg_type(kind.storage_type)
    if kind in SIMPLE:
        return SIMPLE[kind]
    if pa.types.is_decimal(kind):
        return f'numeric({kind.precision},{kind.scale})'
    if pa.types.is_fixed_size_binary(kind):
        return 'bytea'
    if pa.types.is_time(kind):
        return 'time without time zone'
    if pa.types.is_timestamp(kind):
        return f'timestamp {"with" if kind.tz else "without"} time zone'
    if pa.types.is_duration(kind):
        return 'interval'
    if pa.types.is_dictionary(kind):
        return pg_type(kind.value_type)
    if pa.types.is_struct(kind):
        return 'record' if all(pg_type(kind.field(i).type) for i in range(kind.num_fields)) else None
    if pa.types.is_map(kind):
        return 'record[]' if pg_type(kind.key_type) and pg_type(kind.item_type) else None
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        item = pg_type(kind.value_type)
        if item.endswith('[]'):
            raise TypeError('an array of arrays')
        return item + '[]'
    raise TypeError(f'no type for {kind}')


def expected(path):
    """What has to come of a stream or a file."""
    if '1.0.0-bigendian' in path:
        return {'sqlstate': '0A000'}
    if '0.14.1' in path and not path.endswith('no_batches.arrow_file'):
        return {'sqlstate': '22P03'}    # messages began without a marker then
    with (ipc.open_file(path) if path.endswith('file') else ipc.open_stream(path)) as reader:
        table = reader.read_all()
    try:
        types = [[field.name, pg_type(field.type)] for field in table.schema]
    except TypeError:
        return {'sqlstate': '0A000'}
    try:
        texts = table_texts(table)
        table.validate(full=True)
        return {'types': types, 'rows': texts}
    except pa.ArrowInvalid:
        return {'sqlstate': '22003'}    # decimals of more digits than their type has
    except ValueError:
        return {'sqlstate': '22008'}    # not in whole microseconds or days


def main(out):
    """All that the package has."""
    with open(out, 'w', encoding='utf-8') as file:
        def add(path, what):
            with open(path, 'rb') as stream:
                bytes_ = stream.read()
            file.write(json.dumps({'name': os.path.relpath(path, FOLDER),
                                   'stream': base64.b64encode(bytes_).decode()} | what) + '\n')
        for path in sorted(glob.glob(f'{FOLDER}/arrow-ipc-stream/integration/*/*')):
            stem, extension = os.path.splitext(os.path.basename(path))
            if extension in ('.stream', '.arrow_file') and stem not in NOT_IN_PYARROW:
                add(path, expected(path))
        for path in sorted(glob.glob(f'{FOLDER}/arrow-ipc-*/*')):
            if os.path.isfile(path) and not path.endswith('.md'):
                add(path, {'hostile': True})


if __name__ == '__main__':
    main(*sys.argv[1:])
