"""
Streams of rowset_to_arrow read by pyarrow, and written by it again in the ways
that it has:

    pyarrow_read.py CASES OUT
"""

import sys

import pyarrow as pa
from pyarrow import ipc

from common import (Results, Written, as_file, as_stream, fields_fault, read_cases, rows_fault, table_texts)


def buffers_of(array):
    """All buffers of an array, its children's and its dictionary's too."""
    return [buffer for buffer in array.buffers() if buffer is not None and buffer.size > 0]


def alignment_fault(stream):
    """A buffer that lies at no multiple of 64 bytes from the stream's beginning, or None."""
    start = pa.py_buffer(stream)
    source = pa.BufferReader(start)
    schema = ipc.read_schema(ipc.read_message(source))
    if 'dictionary<' in str(schema):
        return None                     # they would have to be read first
    while True:
        try:
            message = ipc.read_message(source)
        except EOFError:
            return None
        batch = ipc.read_record_batch(message, schema)
        for name, column in zip(schema.names, batch.columns):
            for buffer in buffers_of(column):
                if (buffer.address - start.address) % 64 != 0:
                    return f'a buffer of {name} is at {buffer.address - start.address}'


def with_dictionaries(table):
    """The same with all its columns of texts as dictionaries."""
    columns = []
    fields = []
    for field, column in zip(table.schema, table.columns):
        if field.type == pa.utf8():
            column = column.dictionary_encode()
            field = field.with_type(column.type)
        columns.append(column)
        fields.append(field)
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def write_again(case, table, written):
    """The table as pyarrow writes it, in every way."""
    name, types, rows = case['name'], case['types'], case['rows']

    def add(how, stream, start=0, stop=None):
        written.add(f'{name} by pyarrow {how}', stream, types, rows[start:stop])
    batches = table.to_batches()
    add('as a stream', as_stream(batches, table.schema))
    add('as a file', as_file(batches, table.schema))
    add('with lz4', as_stream(batches, table.schema, compression='lz4'))
    add('with zstd', as_stream(batches, table.schema, compression='zstd'))
    add('as a file with zstd', as_file(batches, table.schema, compression='zstd'))
    if table.num_columns == 0:
        return                          # pyarrow loses their number in what follows
    size = table.num_rows
    few = max(size // 7, 2)
    add('sliced', as_stream(table.slice(1, max(size - 2, 0)).to_batches(), table.schema), 1, max(size - 1, 1))
    add('in small batches', as_stream(table.to_batches(few), table.schema))
    coded = with_dictionaries(table)
    add('with dictionaries', as_stream(coded.to_batches(), coded.schema))
    add('with dictionaries in small batches',
        as_stream(coded.to_batches(few), coded.schema, emit_dictionary_deltas=True))


def main(cases, out):
    """All cases."""
    results = Results()
    written = Written(out)
    for case in read_cases(cases):
        name = f'{case["name"]} {case["compression"]}'
        tables = []

        def read(case=case, tables=tables):
            table = ipc.open_stream(case['stream']).read_all()
            table.validate(full=True)
            tables.append(table)
            return fields_fault(case['fields'], table.schema) or rows_fault(case['rows'], table_texts(table))
        results.judge(f'{name}: read', read)
        results.judge(f'{name}: batches', lambda case=case: None if len(
            [b for b in ipc.open_stream(case['stream']) if b.num_rows]) == case['groups'] else 'wrong number')
        if case['compression'] == 'none':
            results.judge(f'{name}: alignment', lambda case=case: alignment_fault(case['stream']))
            results.judge(f'{name}: write', lambda case=case, tables=tables: write_again(case, tables[0], written))
    return results.summary()


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
