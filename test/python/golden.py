#!/usr/bin/python3
"""The golden files, read by clients/python/rowser.py without a server.

The valid ones give the rows that the files beside them have; the broken ones
are refused, those of a wrong checksum or an unknown version as such.
"""

import pathlib
import re
import sys

from tally import Tally
import pgtext
import rowser

GOLDEN = pathlib.Path(__file__).parent.parent / 'golden'

# What takes a server, which has the types, to be refused.
NEEDS_TYPES = {'a_label_that_the_enum_has_not',
               'a_table_that_does_not_exist',
               'a_value_that_the_domain_has_not',
               'null_in_a_domain_that_has_none'}

COPY_ESCAPES = {'\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n',
                '\r': '\\r', '\t': '\\t', '\v': '\\v'}


def copy_text(text):
    """A field as COPY prints it."""
    if text is None:
        return '\\N'
    return re.sub(r'[\\\b\f\n\r\t\v]', lambda m: COPY_ESCAPES[m[0]], text)


def lines_of(rowset):
    types = [column.type for column in rowset.columns]
    lines = ['\t'.join(copy_text(pgtext.of(value, type_))
                       for value, type_ in zip(row, types)) for row in rowset]
    if rowset.encoding == 'SQL_ASCII':
        lines = [line.encode('ascii', 'surrogateescape').decode('utf-8')
                 for line in lines]
    return lines


def read(path):
    return rowser.loads(path.read_bytes(), unrepresentable='text',
                        converters=pgtext.CONVERTERS, json_loads=str)


def check_valid(tally, path):
    want = path.with_suffix('.rows').read_text('utf-8').split('\n')
    if path.stem == 'output_reg_qualified':
        # The server that printed these had "public" in its search_path.
        want[1] = re.sub('(^|\t)', r'\1public.', want[1])
    try:
        rowset = read(path)
        lines = lines_of(rowset)
    except Exception as error:
        tally.failed(f'{path.stem}: {error!r}')
        return
    tally.check(path.stem, lines, want[1:-1])
    tally.check(f'{path.stem}, count', len(rowset), len(lines))
    columns = [rowset.column(i) for i in range(len(rowset.columns))]
    tally.check(f'{path.stem}, columns', repr(list(zip(*columns))),
                repr(list(rowset) if columns else []))
    stream = rowser.load([path.read_bytes()], unrepresentable='text',
                         converters=pgtext.CONVERTERS, json_loads=str)
    tally.check(f'{path.stem}, as a stream', lines_of(stream), want[1:-1])


def check_broken(tally, name, state):
    path = GOLDEN / 'version_1' / 'broken' / f'{name}.rowset'
    wanted = {'XX001': rowser.ChecksumMismatch, '0A000': rowser.Unsupported
              }.get(state, rowser.InvalidRowset)
    try:
        rowser.loads(path.read_bytes(), unrepresentable='text').check()
    except Exception as error:
        tally.check(name, type(error), wanted)
    else:
        tally.check(name, 'read', 'read' if name in NEEDS_TYPES else wanted)
    for size in (1, 7):
        data = path.read_bytes()
        pieces = [data[i:i + size] for i in range(0, len(data), size)]
        try:
            for _ in rowser.load(pieces, unrepresentable='text'):
                pass
        except rowser.Error:
            tally.check(f'{name}, as a stream', name in NEEDS_TYPES, False)
        else:
            tally.check(f'{name}, as a stream', name in NEEDS_TYPES, True)


def check_packages(tally):
    """A package that is missing is named, and only if it is needed."""
    modules = {'lz4': 'lz4.block', 'zstd': 'zstandard'}
    for method, module in modules.items():
        path = GOLDEN / 'version_1' / 'valid' / f'{method}_text.rowset'
        there = sys.modules.pop(module, None)
        sys.modules[module] = None
        try:
            read(path).check()
        except rowser.MissingPackage as error:
            tally.check(f'{method} is missing',
                        f'"{module.split(".")[0]}"' in str(error), True)
        else:
            tally.failed(f'{method} is missing: read')
        read(path.parent / 'text.rowset').check()
        del sys.modules[module]
        if there is not None:
            sys.modules[module] = there


def main():
    tally = Tally()
    valid = sorted((GOLDEN / 'version_1' / 'valid').glob('*.rowset'))
    for path in valid:
        check_valid(tally, path)
    table = (GOLDEN / 'version_1' / 'broken.tsv').read_text().split('\n')
    for line in filter(None, table[1:]):
        fields = line.split('\t')
        check_broken(tally, fields[0], fields[3])
    check_packages(tally)
    tally.check('there are files', len(valid) > 100 and len(table) > 100,
                True)
    return tally.end()


if __name__ == '__main__':
    sys.exit(main())
