"""Read rowsets: a query's result as one run of bytes, made by the PostgreSQL
extension rowser.

    >>> import rowser
    >>> rowset = rowser.loads(data)
    >>> [column.name for column in rowset.columns]
    ['id', 'fruit']
    >>> list(rowset)
    [(1, 'strawberry'), (2, 'strawberry'), (3, None)]
    >>> rowset.column('fruit')
    ['strawberry', 'strawberry', None]

Written from doc/rowset_format.md and doc/packet_format.md; the sections named
below (§) are theirs.  It needs the standard library only, and for compressed
blocks the package lz4 or zstandard.

Bytes are trusted in nothing.  Whatever breaks a statement of the format raises
InvalidRowset, when it is reached: the header and the trailer in loads(), a row
group when it is read, a value with the rows around it.  Rowset.check() reads
everything.
"""

from __future__ import annotations

import datetime
import decimal
import functools
import importlib
import ipaddress
import itertools
import json
import re
import struct
import sys
import uuid
from collections import Counter, namedtuple
from dataclasses import dataclass
from fractions import Fraction
from typing import (Any, BinaryIO, Callable, Dict, Iterable, Iterator, List,
                    Mapping, NamedTuple, Optional, Sequence, Tuple, Union)

__all__ = [
    'Array', 'Binary', 'CannotRepresent', 'ChecksumMismatch', 'Column',
    'Error', 'Interval', 'InvalidRowset', 'MissingPackage', 'Range',
    'RowGroup', 'Rowset', 'RowsetStream', 'Type', 'Unsupported',
    'join_packets', 'load', 'loads', 'order_packets']

Bytes = Union[bytes, bytearray, memoryview]
Key = Union[int, str]
# A pass over a node's values: gives the next k of them.
Read = Callable[[int], Sequence]
Open = Callable[[], Read]
Convert = Callable[[Sequence], list]


class Error(Exception):
    """What everything that this module raises about a rowset is."""


class InvalidRowset(Error, ValueError):
    """The bytes are no rowset, or not a whole one."""


class ChecksumMismatch(InvalidRowset):
    """The bytes were a rowset once, and have changed since."""


class Unsupported(Error):
    """A rowset of a version, or with something, that can't be read here."""


class MissingPackage(Unsupported, ImportError):
    """A block is compressed, and the package that undoes it isn't there."""


class CannotRepresent(Error, ValueError):
    """A value that is valid, and has no place in the Python type.

    ``text`` is the value as PostgreSQL prints it, if that is known.
    """

    def __init__(self, message: str, text: Optional[str] = None):
        super().__init__(message)
        self.text = text


# ----------------------------------------------------------------------------
# Values that Python has no type for
# ----------------------------------------------------------------------------


class Interval(NamedTuple):
    """An interval's three numbers, which don't convert into each other."""

    months: int = 0
    days: int = 0
    microseconds: int = 0

    def to_timedelta(self) -> datetime.timedelta:
        """Count a year as 365 days and a month as 30, as psycopg does."""
        years = abs(self.months) // 12
        months = abs(self.months) % 12
        days = years * 365 + months * 30
        try:
            return datetime.timedelta(
                self.days + (days if self.months >= 0 else -days),
                microseconds=self.microseconds)
        except OverflowError:
            raise CannotRepresent(
                f'interval "{self}" does not fit datetime.timedelta',
                str(self)) from None

    def __str__(self) -> str:
        """What PostgreSQL prints with IntervalStyle postgres."""
        if self in _INFINITE:
            return 'infinity' if self.days > 0 else '-infinity'
        out: List[str] = []
        years = abs(self.months) // 12
        months = abs(self.months) % 12
        if self.months < 0:
            years, months = -years, -months
        negative = False
        for value, unit in ((years, 'year'), (months, 'mon'),
                            (self.days, 'day')):
            if value:
                sign = '+' if negative and value > 0 else ''
                plural = '' if value == 1 else 's'
                out.append(f'{sign}{value} {unit}{plural}')
                negative = value < 0
        if self.microseconds or not out:
            sign = ('-' if self.microseconds < 0
                    else '+' if negative else '')
            out.append(sign + _clock(abs(self.microseconds)))
        return ' '.join(out)


# Since PostgreSQL 17, and in the bytes of earlier ones the last that there are
_INFINITE = (Interval((1 << 31) - 1, (1 << 31) - 1, (1 << 63) - 1),
             Interval(-1 << 31, -1 << 31, -1 << 63))


@dataclass(frozen=True)
class Range:
    """A range; a side without a bound is None and not inclusive."""

    lower: Any = None
    upper: Any = None
    lower_inclusive: bool = False
    upper_inclusive: bool = False
    empty: bool = False

    @property
    def bounds(self) -> str:
        """The brackets, such as ``[)``."""
        return (('[' if self.lower_inclusive else '(')
                + (']' if self.upper_inclusive else ')'))


class Binary(bytes):
    """A value in the format of its type's binary send function."""

    codec: str = 'utf-8'
    """Python's name of the encoding that text inside it is in."""


class Array(list):
    """The list of an array that doesn't begin at 1 in each dimension."""

    lower_bounds: Tuple[int, ...] = ()


# ----------------------------------------------------------------------------
# Checksums and codecs
# ----------------------------------------------------------------------------

# CRC-32C's polynomial divides 1 + x^100 + x^484 + x^6777, hence also, since
# f(x)^2 = f(x^2) over GF(2), the same with all exponents doubled, as often as
# one likes.  So the bits at the front of a long message can be replaced by
# three copies of themselves that stand further back: on Python's long
# integers, that is a few shifts, and almost twenty times as fast as a table.
_CRC_FAR = 6777
_CRC_SHIFTS = (6777 - 484, 6777 - 100, 6777)


@functools.lru_cache(None)
def _crc_table() -> List[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


def _crc32c(data: Bytes) -> int:
    """The CRC-32C of the bytes (§1)."""
    crc = 0xFFFFFFFF
    bits = len(data) * 8
    if bits > 2 * _CRC_FAR:
        # Bit i stands for x^(bits - 1 - i): the message's front is at the low
        # end.  The initial value is an XOR onto the first 32 bits.
        message = int.from_bytes(data, 'little') ^ crc
        while bits > 2 * _CRC_FAR:
            j = (bits // (2 * _CRC_FAR)).bit_length() - 1
            count = min(_CRC_SHIFTS[0] << j, bits - (_CRC_FAR << j)) & ~7
            front = message & (1 << count) - 1
            message >>= count
            for shift in _CRC_SHIFTS:
                message ^= front << (shift << j) - count
            bits -= count
        data = message.to_bytes(bits // 8, 'little')
        crc = 0
    table = _crc_table()
    for byte in data:
        crc = crc >> 8 ^ table[crc & 0xFF ^ byte]
    return crc ^ 0xFFFFFFFF


def _check_crc(data: Bytes, crc: int, what: str) -> None:
    if _crc32c(data) != crc:
        raise ChecksumMismatch(f'the checksum of {what} is wrong')


def _import(name: str, package: str, method: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingPackage(
            f'the rowset is compressed by {method}: reading it needs the '
            f'Python package "{package}"') from None


def _decompress_lz4(data: Bytes, raw_size: int) -> bytes:
    block = _import('lz4.block', 'lz4', 'LZ4')
    try:
        raw = block.decompress(data, uncompressed_size=raw_size)
    except (block.LZ4BlockError, ValueError) as error:
        raise InvalidRowset('a block is not valid LZ4') from error
    return raw


def _check_zstd(data: Bytes, raw_size: int) -> None:
    """The bytes are one frame, whole, with its size and no dictionary.

    So no library has to be asked what it makes of anything else (RFC 8878,
    section 3.1.1).
    """
    try:
        if bytes(data[:4]) != b'\x28\xb5\x2f\xfd':
            raise InvalidRowset('a block is no zstd frame')
        flags = data[4]
        single = flags & 0x20
        if flags & 0x0B:
            raise InvalidRowset('a zstd frame has a dictionary')
        pos = 5 if single else 6
        width = (1 if single else 0, 2, 4, 8)[flags >> 6]
        size = int.from_bytes(data[pos:pos + width], 'little')
        if size + (256 if width == 2 else 0) != raw_size:
            raise InvalidRowset('a zstd frame is of another size')
        pos += width
        last = 0
        while not last:
            header = int.from_bytes(data[pos:pos + 3], 'little')
            last = header & 1
            kind = header >> 1 & 3
            pos += 3 + (1 if kind == 1 else header >> 3)
            if kind == 3 or pos > len(data):
                raise InvalidRowset('a zstd frame is cut off')
        pos += 4 if flags & 4 else 0
    except IndexError:
        raise InvalidRowset('a zstd frame is cut off') from None
    if pos != len(data):
        raise InvalidRowset('a block is not one zstd frame')


def _decompress_zstd(data: Bytes, raw_size: int) -> bytes:
    zstd = _import('zstandard', 'zstandard', 'zstd')
    _check_zstd(data, raw_size)
    try:
        return zstd.ZstdDecompressor().decompress(bytes(data),
                                                  max_output_size=raw_size)
    except zstd.ZstdError as error:
        raise InvalidRowset('a block is not valid zstd') from error


# ----------------------------------------------------------------------------
# Text
# ----------------------------------------------------------------------------

# Python's names for PostgreSQL's server encodings; two are not known to it.
_CODECS = {
    'UTF8': 'utf-8', 'SQL_ASCII': 'ascii',
    'LATIN1': 'iso8859-1', 'LATIN2': 'iso8859-2', 'LATIN3': 'iso8859-3',
    'LATIN4': 'iso8859-4', 'LATIN5': 'iso8859-9', 'LATIN6': 'iso8859-10',
    'LATIN7': 'iso8859-13', 'LATIN8': 'iso8859-14', 'LATIN9': 'iso8859-15',
    'LATIN10': 'iso8859-16', 'ISO_8859_5': 'iso8859-5',
    'ISO_8859_6': 'iso8859-6', 'ISO_8859_7': 'iso8859-7',
    'ISO_8859_8': 'iso8859-8', 'KOI8R': 'koi8-r', 'KOI8U': 'koi8-u',
    'WIN866': 'cp866', 'WIN874': 'cp874', 'WIN1250': 'cp1250',
    'WIN1251': 'cp1251', 'WIN1252': 'cp1252', 'WIN1253': 'cp1253',
    'WIN1254': 'cp1254', 'WIN1255': 'cp1255', 'WIN1256': 'cp1256',
    'WIN1257': 'cp1257', 'WIN1258': 'cp1258', 'EUC_CN': 'gb2312',
    'EUC_JP': 'euc_jp', 'EUC_JIS_2004': 'euc_jis_2004', 'EUC_KR': 'euc_kr',
    'EUC_TW': None, 'MULE_INTERNAL': None}


class _Decoder:
    """Text of one encoding, and the caller's wishes for values."""

    def __init__(self, encoding: str, *, unrepresentable: str,
                 converters: Mapping, json_loads: Callable[[str], Any]):
        self.encoding = encoding
        codec = _CODECS.get(encoding, '')
        if codec == '':
            raise InvalidRowset('the encoding is not one of a database')
        if codec is None:
            raise Unsupported(f'Python does not know encoding {encoding}')
        self.codec = codec
        # PostgreSQL takes any byte for a character where each is one; those
        # that Python knows no character for stay what they are.
        self.errors = ('strict' if encoding == 'UTF8'
                       or encoding.startswith('EUC') else 'surrogateescape')
        self.unrepresentable = unrepresentable
        self.converters = converters
        self.json_loads = json_loads

    def text(self, data: Bytes) -> str:
        try:
            text = str(data, self.codec, self.errors)
        except UnicodeDecodeError as error:
            if self.encoding == 'UTF8':
                raise InvalidRowset('text is not valid UTF8') from error
            raise CannotRepresent('Python does not know a character of '
                                  f'{self.encoding}') from error
        if '\0' in text:
            raise InvalidRowset('text holds a zero byte')
        return text

    def texts(self, slices: Sequence[str]) -> Sequence[str]:
        """Decode strings that hold a byte in each character."""
        together = ''.join(slices)
        if '\0' in together:
            raise InvalidRowset('text holds a zero byte')
        if together.isascii():
            return slices
        text = self.text
        return [s if s.isascii() else text(s.encode('latin-1'))
                for s in slices]

    def cannot(self, kind: str, text: str, python: str) -> Any:
        """Do what the caller wants for a value without a Python value."""
        if self.unrepresentable == 'text':
            return text
        if self.unrepresentable == 'none':
            return None
        short = text if len(text) <= 60 else text[:57] + '...'
        raise CannotRepresent(f'{kind} "{short}" does not fit {python}', text)


# ----------------------------------------------------------------------------
# Cursors
# ----------------------------------------------------------------------------

_I63 = 1 << 63


class _Cursor:
    """Reads the primitives of §1 from bytes."""

    def __init__(self, data: memoryview, start: int = 0):
        self.data = data
        self.pos = start
        self.end = len(data)

    def fail(self, message: str) -> InvalidRowset:
        return InvalidRowset(f'{message}, at byte {self.pos}')

    def take(self, size: int) -> memoryview:
        if size > self.end - self.pos:
            raise self.fail('the bytes end too early')
        self.pos += size
        return self.data[self.pos - size:self.pos]

    def u8(self) -> int:
        if self.pos >= self.end:
            raise self.fail('the bytes end too early')
        self.pos += 1
        return self.data[self.pos - 1]

    def u32(self) -> int:
        return int.from_bytes(self.take(4), 'little')

    def varuint(self) -> int:
        value = shift = 0
        while True:
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 63:
                raise self.fail('a number is too long')
        if (byte == 0 and shift) or value >= 1 << 64:
            raise self.fail('a number is not in its shortest form')
        return value

    def varint(self) -> int:
        value = self.varuint()
        return value >> 1 ^ -(value & 1)

    def string(self) -> memoryview:
        return self.take(self.varuint())

    def count(self, least: int, most: int, what: str) -> int:
        value = self.varuint()
        if not least <= value <= most:
            raise self.fail(f'{what} is out of range')
        return value


class _Source:
    """Reads bytes from the front of a file, or of a series of pieces."""

    def __init__(self, source: Union[BinaryIO, Iterable[Bytes]]):
        read: Any = getattr(source, 'read', None)
        self.pieces: Iterator[Bytes]
        if read is not None:
            self.pieces = iter(lambda: read(1 << 16), b'')
        elif isinstance(source, (bytes, bytearray, memoryview)):
            self.pieces = iter((source,))
        else:
            self.pieces = iter(source)  # type: ignore[arg-type]
        self.buffer = b''
        self.pos = 0

    def take(self, size: int) -> bytes:
        have = len(self.buffer) - self.pos
        if have < size:
            parts = [self.buffer[self.pos:]]
            while have < size:
                piece = next(self.pieces, None)
                if piece is None:
                    raise InvalidRowset('the bytes end too early')
                parts.append(bytes(piece))
                have += len(piece)
            self.buffer = b''.join(parts)
            self.pos = 0
        self.pos += size
        return self.buffer[self.pos - size:self.pos]

    def varuint(self) -> bytes:
        """The bytes of one."""
        out = b''
        while not out or (out[-1] >= 0x80 and len(out) < 10):
            out += self.take(1)
        return out

    def is_at_end(self) -> bool:
        while self.pos == len(self.buffer):
            piece = next(self.pieces, None)
            if piece is None:
                return True
            self.buffer, self.pos = bytes(piece), 0
        return False


# ----------------------------------------------------------------------------
# Types (§3.1, §3.2)
# ----------------------------------------------------------------------------

_SHAPES = (None, 'BOOL', 'INT1', 'INT2', 'INT4', 'INT8', 'FLOAT4', 'FLOAT8',
           'FIXED', 'NUMERIC', 'TEXT', 'BYTES', 'BINARY', 'OUTPUT', 'LABEL',
           'ARRAY', 'COMPOSITE', 'RECORD', 'RANGE', 'MULTIRANGE', 'DOMAIN')
_IMAGES = {'NUMERIC', 'TEXT', 'BYTES', 'BINARY', 'OUTPUT', 'LABEL'}
_TEXTS = {'TEXT', 'OUTPUT', 'LABEL'}
_WIDTHS = {'BOOL': 1, 'INT1': 1, 'INT2': 2, 'INT4': 4, 'INT8': 8,
           'FLOAT4': 4, 'FLOAT8': 8}
_MAX_NESTING = 32
_MAX_VALUES = (1 << 28) - 1
_MAX_COLUMNS = 1664


def _table(text: str) -> Dict[int, str]:
    words = text.split()
    return {int(oid): name.replace('_', ' ') if name.startswith('double')
            else name for oid, name in zip(words[::2], words[1::2])}


# Built-in types whose shape is known, by shape and width
_BUILT_IN = {
    ('BOOL', 0): _table('16 boolean'),
    ('INT1', 0): _table('18 "char"'),
    ('INT2', 0): _table('21 smallint'),
    ('INT4', 0): _table('23 integer 26 oid 28 xid 29 cid 1082 date'),
    ('INT8', 0): _table('20 bigint 790 money 1083 time 1114 timestamp '
                        '1184 timestamptz 3220 pg_lsn 5069 xid8'),
    ('FLOAT4', 0): _table('700 real'),
    ('FLOAT8', 0): _table('701 double_precision'),
    ('FIXED', 6): _table('27 tid 829 macaddr'),
    ('FIXED', 8): _table('774 macaddr8'),
    ('FIXED', 12): _table('1266 timetz'),
    ('FIXED', 16): _table('1186 interval 2950 uuid'),
    ('NUMERIC', 0): _table('1700 numeric'),
    ('TEXT', 0): _table('19 name 25 text 114 json 142 xml 194 pg_node_tree '
                        '1042 char 1043 varchar'),
    ('BYTES', 0): _table('17 bytea'),
    ('OUTPUT', 0): _table('22 int2vector 24 regproc 30 oidvector '
                          '1033 aclitem 2202 regprocedure 2203 regoper '
                          '2204 regoperator 2205 regclass 2206 regtype '
                          '3734 regconfig 3769 regdictionary '
                          '4089 regnamespace 4096 regrole '
                          '4191 regcollation')}
_SHAPE_OF = {oid: shape for shape, table in _BUILT_IN.items()
             for oid in table}
# Others that are worth a name
_NAMES = _table(
    '600 point 601 lseg 602 path 603 box 604 polygon 628 line 650 cidr '
    '718 circle 869 inet 1560 bit 1562 varbit 1790 refcursor 2249 record '
    '2970 txid_snapshot 3614 tsvector 3615 tsquery 3802 jsonb '
    '3904 int4range 3906 numrange 3908 tsrange 3910 tstzrange '
    '3912 daterange 3926 int8range 4072 jsonpath 4451 int4multirange '
    '4532 nummultirange 4533 tsmultirange 4534 tstzmultirange '
    '4535 datemultirange 4536 int8multirange 5038 pg_snapshot')
for _each in _BUILT_IN.values():
    _NAMES.update(_each)


@dataclass(frozen=True)
class Type:
    """A column's type, or one inside it."""

    shape: str
    """How values lie in the bytes: ``INT4``, ``TEXT``, ``ARRAY`` ..."""
    oid: Optional[int] = None
    """The OID of a type that is built into PostgreSQL."""
    schema: Optional[str] = None
    """The schema of a type that isn't."""
    name: str = ''
    """The type's name alone."""
    typmod: int = -1
    """PostgreSQL's atttypmod, or -1."""
    collation: Optional[Tuple[str, str]] = None
    """Schema and name, where it isn't the type's own."""
    inner: Optional['Type'] = None
    """An array's element, a range's bound, a multirange's range, a domain's
    base type."""
    fields: Tuple['Column', ...] = ()
    """A composite type's."""
    width: int = 0
    """The bytes of each value, where they are always as many."""

    @property
    def base(self) -> 'Type':
        """The type below all domains."""
        base = self
        while base.shape == 'DOMAIN':
            assert base.inner is not None
            base = base.inner
        return base

    def __str__(self) -> str:
        if self.shape == 'ARRAY':
            return f'{self.inner}[]'
        if self.schema is None:
            return self.name
        return f'{_quoted(self.schema)}.{_quoted(self.name)}'


@dataclass(frozen=True)
class Column:
    """A column of a rowset, or a field of a composite type."""

    name: str
    type: Type

    @property
    def typmod(self) -> int:
        return self.type.typmod

    @property
    def collation(self) -> Optional[Tuple[str, str]]:
        return self.type.collation


def _quoted(name: str) -> str:
    if re.fullmatch('[a-z_][a-z0-9_]*', name):
        return name
    return '"' + name.replace('"', '""') + '"'


def _parse_fields(cursor: _Cursor, decoder: _Decoder,
                  depth: int) -> Tuple[Column, ...]:
    fields = []
    for _ in range(cursor.count(0, _MAX_COLUMNS, 'the number of columns')):
        name = decoder.text(cursor.string())
        if not name:
            raise cursor.fail('a column has no name')
        fields.append(Column(name, _parse_type(cursor, decoder, depth)))
    return tuple(fields)


def _parse_names(cursor: _Cursor, decoder: _Decoder) -> Tuple[str, str]:
    """What a type or a collation is called: schema and name."""
    schema = decoder.text(cursor.string())
    name = decoder.text(cursor.string())
    if not schema or not name:
        raise cursor.fail('a type or a collation has no name')
    return schema, name


def _parse_type(cursor: _Cursor, decoder: _Decoder, depth: int) -> Type:
    if depth > _MAX_NESTING:
        raise cursor.fail('types are nested too deep')
    code = cursor.u8()
    if not 1 <= code & 0x1F < len(_SHAPES):
        raise cursor.fail('a shape is unknown')
    shape = _SHAPES[code & 0x1F]
    assert shape is not None
    oid, schema, name, typmod = None, None, '', -1
    collation = None
    if shape in ('ARRAY', 'RECORD'):
        if code & 0xA0:
            raise cursor.fail('a type has an identity or a typmod')
        if shape == 'RECORD':
            oid, name = 2249, 'record'
    elif code & 0x80:
        schema, name = _parse_names(cursor, decoder)
    else:
        oid = cursor.count(1, 9999, 'an OID')
        name = _NAMES.get(oid, str(oid))
    if code & 0x20:
        typmod = cursor.varint()
        if not -1 << 31 <= typmod < 1 << 31 or typmod == -1:
            raise cursor.fail('a typmod is out of range')
    if code & 0x40:
        collation = _parse_names(cursor, decoder)

    inner: Optional[Type] = None
    fields: Tuple[Column, ...] = ()
    width = _WIDTHS.get(shape, 0)
    if shape == 'FIXED':
        width = cursor.u8()
        if width == 0:
            raise cursor.fail('a width is 0')
    elif shape == 'COMPOSITE':
        fields = _parse_fields(cursor, decoder, depth + 1)
    elif shape in ('ARRAY', 'RANGE', 'MULTIRANGE', 'DOMAIN'):
        inner = _parse_type(cursor, decoder, depth + 1)
        if shape == 'ARRAY' and inner.shape == 'ARRAY':
            raise cursor.fail('an array has arrays as elements')
        if shape == 'MULTIRANGE' and inner.shape != 'RANGE':
            raise cursor.fail('a multirange has no ranges')
    if oid in _SHAPE_OF and _SHAPE_OF[oid] != (
            shape, width if shape == 'FIXED' else 0):
        raise cursor.fail('a type has another shape than its own')
    return Type(shape, oid, schema, name, typmod, collation, inner, fields,
                width)


# ----------------------------------------------------------------------------
# What the values of built-in types are (§3.2)
# ----------------------------------------------------------------------------

_EPOCH = datetime.datetime(2000, 1, 1)
_EPOCH_UTC = _EPOCH.replace(tzinfo=datetime.timezone.utc)
_EPOCH_DAY = datetime.date(2000, 1, 1).toordinal()
_US_DAY = 86_400_000_000
# PostgreSQL's calendar: 4713-11-24 BC to 5874897-12-31, and 294276-12-31
_DATES = range(-2451545, 2145031949)
_TIMESTAMPS = range(-2451545 * _US_DAY, 9223371331200000000)


def _clock(us: int) -> str:
    seconds, us = divmod(us, 1_000_000)
    fraction = f'.{us:06d}'.rstrip('0') if us else ''
    return (f'{seconds // 3600:02d}:{seconds // 60 % 60:02d}:'
            f'{seconds % 60:02d}{fraction}')


def _calendar(day: int) -> Tuple[str, str]:
    """The date of a day since 2000-01-01, of any year, and " BC" or ""."""
    # 400 years of the calendar have 146,097 days.
    cycles = (day - 1) // 146_097
    date = datetime.date.fromordinal(_EPOCH_DAY + day - cycles * 146_097)
    year = date.year + cycles * 400
    era = '' if year > 0 else ' BC'
    return (f'{year if year > 0 else 1 - year:04d}'
            f'-{date.month:02d}-{date.day:02d}', era)


def _date_text(day: int) -> str:
    return ''.join(_calendar(day))


def _timestamp_text(us: int, zone: str) -> str:
    date, era = _calendar(us // _US_DAY)
    return f'{date} {_clock(us % _US_DAY)}{zone}{era}'


def _memoised(convert: Convert) -> Convert:
    """Convert equal values once, where there are many of them."""
    def run(values: Sequence) -> list:
        distinct = set(values)
        if len(distinct) * 2 > len(values):
            return convert(values)
        known = list(distinct)
        table = dict(zip(known, convert(known)))
        return list(map(table.__getitem__, values))
    return run


def _each_with(one: Callable[[Any], Any]) -> Convert:
    return lambda values: list(map(one, values))


def _dates(decoder: _Decoder) -> Convert:
    def one(day: int) -> Any:
        if -_EPOCH_DAY < day <= datetime.date.max.toordinal() - _EPOCH_DAY:
            return datetime.date.fromordinal(day + _EPOCH_DAY)
        if day in (-1 << 31, (1 << 31) - 1):
            text = '-infinity' if day < 0 else 'infinity'
        elif day not in _DATES:
            raise InvalidRowset('a date is out of range')
        else:
            text = _date_text(day)
        return decoder.cannot('date', text, 'datetime.date')
    return _memoised(_each_with(one))


def _timestamps(decoder: _Decoder, epoch: datetime.datetime,
                kind: str) -> Convert:
    delta = datetime.timedelta

    def one(us: int) -> Any:
        try:
            return epoch + delta(0, 0, us)
        except OverflowError:
            pass
        if us in (-_I63, _I63 - 1):
            text = '-infinity' if us < 0 else 'infinity'
        elif us not in _TIMESTAMPS:
            raise InvalidRowset('a timestamp is out of range')
        else:
            text = _timestamp_text(us, '+00' if epoch.tzinfo else '')
        return decoder.cannot(kind, text, 'datetime.datetime')
    return _memoised(_each_with(one))


def _times(decoder: _Decoder) -> Convert:
    def one(us: int) -> Any:
        if 0 <= us < _US_DAY:
            return (_EPOCH + datetime.timedelta(0, 0, us)).time()
        if us != _US_DAY:
            raise InvalidRowset('a time is out of range')
        return decoder.cannot('time', '24:00:00', 'datetime.time')
    return _memoised(_each_with(one))


def _timetzs(decoder: _Decoder) -> Convert:
    @functools.lru_cache(64)
    def zone(west: int) -> datetime.timezone:
        return datetime.timezone(datetime.timedelta(seconds=-west))

    def one(data: bytes) -> Any:
        us, west = struct.unpack('<Qi', data)
        if us > _US_DAY or abs(west) >= 16 * 3600:
            raise InvalidRowset('a time is out of range')
        if us < _US_DAY:
            time = (_EPOCH + datetime.timedelta(0, 0, us)).time()
            return time.replace(tzinfo=zone(west))
        offset = _clock(abs(west) * 1_000_000)
        for _ in range(2):
            offset = offset[:-3] if offset.endswith(':00') else offset
        return decoder.cannot(
            'timetz', f'24:00:00{"+" if west <= 0 else "-"}{offset}',
            'datetime.time')
    return _memoised(_each_with(one))


def _interval(data: bytes) -> Interval:
    us, days, months = struct.unpack('<qii', data)
    return Interval(months, days, us)


def _numeric(payload: bytes) -> decimal.Decimal:
    """A value of §6.4."""
    count = len(payload) // 2 - 2
    if count < 0 or len(payload) % 2:
        raise InvalidRowset('a numeric has an impossible size')
    sign_scale, weight, *digits = struct.unpack(f'<Hh{count}H', payload)
    sign = sign_scale >> 14
    if sign == 3:
        name = {0xC000: 'NaN', 0xD000: 'Infinity',
                0xF000: '-Infinity'}.get(sign_scale)
        if name is None or weight or count:
            raise InvalidRowset('a numeric is impossible')
        return decimal.Decimal(name)
    scale = sign_scale & 0x3FFF
    if sign == 2:
        raise InvalidRowset('a numeric has an impossible sign')
    if not count:
        if weight or sign:
            raise InvalidRowset('a numeric of 0 has a sign or a weight')
        return decimal.Decimal((0, (0,), -scale))
    # the digits' places end at 4 * (weight - count + 1)
    spare = 4 * (weight - count + 1) + scale
    if (digits[0] == 0 or digits[-1] == 0 or max(digits) > 9999
            or spare <= -4):
        raise InvalidRowset('a numeric has impossible digits')
    text = '%04d' * count % tuple(digits)
    if spare >= 0:
        text += '0' * spare
    elif text[spare:].strip('0'):
        raise InvalidRowset('a numeric has digits behind its scale')
    else:
        text = text[:spare]
    return decimal.Decimal(f'{"-" if sign else ""}{text}E-{scale}')


def _float_text(value: float) -> str:
    """A double precision as PostgreSQL prints it."""
    if value != value:
        return 'NaN'
    if value in (float('inf'), float('-inf')):
        return 'Infinity' if value > 0 else '-Infinity'
    digits = repr(value)
    if value and abs(value) >= 2.0 ** 53:
        # Python takes the shortest number that is read as this one, though it
        # lie half-way to the next; PostgreSQL takes none that lies there.
        half = Fraction(_next_float(abs(value))) - Fraction(abs(value))
        low = Fraction(abs(value)) - Fraction(_next_float(abs(value), -1))
        for places in range(17):
            if places + 1 < len(decimal.Decimal(digits).as_tuple().digits):
                continue
            off = (Fraction(decimal.Decimal(digits).copy_abs())
                   - Fraction(abs(value))) * 2
            if -low < off < half:
                break
            digits = f'{value:.{places}e}'
    return _point(digits, 15)


def _point(digits: str, most: int) -> str:
    """A number as C's %g with a precision of `most` has it."""
    sign, coefficient, exponent = decimal.Decimal(digits).as_tuple()
    text = ''.join(map(str, coefficient)).rstrip('0')
    point = len(coefficient) + int(exponent)
    if not text:
        out = '0'
    elif -4 < point <= most:
        out = (f'0.{"0" * -point}{text}' if point <= 0
               else text + '0' * (point - len(text)) if point >= len(text)
               else f'{text[:point]}.{text[point:]}')
    else:
        out = (text[0] + ('.' + text[1:] if text[1:] else '')
               + f'e{"-" if point <= 0 else "+"}{abs(point - 1):02d}')
    return ('-' if sign else '') + out


def _next_float(value: float, step: int = 1) -> float:
    bits = struct.unpack('<q', struct.pack('<d', value))[0] + step
    result = struct.unpack('<d', struct.pack('<q', bits))[0]
    return value if result in (float('inf'), float('-inf')) else result


class _Binary:
    """Reads what a binary send function wrote (§3.4): big-endian."""

    def __init__(self, data: bytes):
        self.data = data
        self.pos = 0

    def get(self, form: str) -> Tuple:
        size = struct.calcsize('>' + form)
        if size > len(self.data) - self.pos:
            raise InvalidRowset('a value ends too early')
        self.pos += size
        return struct.unpack_from('>' + form, self.data, self.pos - size)

    def many(self, letter: str, count: int) -> Tuple:
        size = struct.calcsize('>' + letter)
        if count < 0 or count > (len(self.data) - self.pos) // size:
            raise InvalidRowset('a value ends too early')
        return self.get(f'{count}{letter}')

    def rest(self) -> bytes:
        start, self.pos = self.pos, len(self.data)
        return self.data[start:]

    def zero_ended(self) -> bytes:
        end = self.data.find(0, self.pos)
        if end < 0:
            raise InvalidRowset('a value ends too early')
        start, self.pos = self.pos, end + 1
        return self.data[start:end]


def _points(numbers: Sequence[float]) -> str:
    texts = [_float_text(number) for number in numbers]
    return ','.join(f'({x},{y})' for x, y in zip(texts[::2], texts[1::2]))


def _geometry(form: int, template: str) -> Callable[[_Decoder, _Binary], str]:
    return lambda _, data: template.format(_points(data.many('d', form)))


def _line(_: _Decoder, data: _Binary) -> str:
    return '{' + ','.join(map(_float_text, data.many('d', 3))) + '}'


def _path(_: _Decoder, data: _Binary) -> str:
    closed, count = data.get('Bi')
    if closed > 1:
        raise InvalidRowset('a path is neither open nor closed')
    points = _points(data.many('d', 2 * count))
    return f'({points})' if closed else f'[{points}]'


def _polygon(_: _Decoder, data: _Binary) -> str:
    return f'({_points(data.many("d", 2 * data.get("i")[0]))})'


def _circle(_: _Decoder, data: _Binary) -> str:
    x, y, radius = map(_float_text, data.get('3d'))
    return f'<({x},{y}),{radius}>'


def _bits(_: _Decoder, data: _Binary) -> str:
    count, = data.get('i')
    raw = data.rest()
    if count < 0 or len(raw) != (count + 7) // 8:
        raise InvalidRowset('a bit string has an impossible size')
    if not count:
        return ''
    return f'{int.from_bytes(raw, "big"):0{len(raw) * 8}b}'[:count]


def _inet(_: _Decoder, data: _Binary) -> Any:
    family, bits, is_cidr, size = data.get('4B')
    raw = data.rest()
    if (family, size, len(raw)) not in ((2, 4, 4), (3, 16, 16)):
        raise InvalidRowset('an inet has an impossible size')
    if bits > 8 * size or is_cidr > 1:
        raise InvalidRowset('an inet has an impossible netmask')
    address = ipaddress.ip_address(raw)
    if is_cidr:
        try:
            return ipaddress.ip_network((address, bits))
        except ValueError:
            raise InvalidRowset('a cidr has bits behind its mask') from None
    if bits == 8 * size:
        return address
    return ipaddress.ip_interface((address, bits))


def _snapshot(_: _Decoder, data: _Binary) -> str:
    count, low, high = data.get('iqq')
    numbers = ','.join(map(str, data.many('q', count)))
    return f'{low}:{high}:{numbers}'


def _lexeme(decoder: _Decoder, data: _Binary) -> str:
    text = decoder.text(data.zero_ended())
    return "'" + text.replace('\\', '\\\\').replace("'", "''") + "'"


def _tsvector(decoder: _Decoder, data: _Binary) -> str:
    count, = data.get('i')
    if count < 0 or count > len(data.data):
        raise InvalidRowset('a tsvector has an impossible size')
    words = []
    for _ in range(count):
        word = _lexeme(decoder, data)
        places = [f'{place & 0x3FFF}{("", "C", "B", "A")[place >> 14]}'
                  for place in data.many('H', data.get('H')[0])]
        words.append(word + (':' + ','.join(places) if places else ''))
    return ' '.join(words)


def _tsquery(decoder: _Decoder, data: _Binary) -> str:
    # Items stand in prefix notation, the right operand before the left one.
    count, = data.get('i')
    if count < 0 or count > len(data.data):
        raise InvalidRowset('a tsquery has an impossible size')
    items: List[Tuple[int, int, Any]] = []
    for _ in range(count):
        kind, = data.get('B')
        if kind == 1:
            weights, prefix = data.get('2B')
            flags = ('*' if prefix else '') + ''.join(
                letter for i, letter in enumerate('ABCD')
                if weights & 8 >> i)
            items.append((9, 0, _lexeme(decoder, data)
                          + (':' + flags if flags else '')))
            continue
        operator, = data.get('B')
        if kind != 2 or not 1 <= operator <= 4:
            raise InvalidRowset('a tsquery has an impossible operator')
        distance = data.get('H')[0] if operator == 4 else 0
        items.append(((4, 2, 1, 3)[operator - 1], operator, distance))
    stack: List[Tuple[int, int, Any]] = []
    try:
        for priority, operator, value in reversed(items):
            def inside(node: Tuple[int, int, Any], right: bool) -> Any:
                if node[0] < priority or (
                        right and operator == 4 and node[1] == 4):
                    return ('( ', node[2], ' )')
                return node[2]
            if operator == 1:
                value = ('!', inside(stack.pop(), False))
            elif operator:
                right = inside(stack.pop(), True)
                word = (' & ', ' | ', ' <-> ' if value == 1
                        else f' <{value}> ')[operator - 2]
                value = (inside(stack.pop(), False), word, right)
            stack.append((priority, operator, value))
    except IndexError:
        raise InvalidRowset('a tsquery lacks an operand') from None
    if len(stack) > 1:
        raise InvalidRowset('a tsquery has an operand too many')
    # Trees may be deeper than Python's stack.
    out: List[str] = []
    todo = [node[2] for node in stack]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            out.append(node)
        else:
            todo.extend(reversed(node))
    return ''.join(out)


def _versioned(_: _Decoder, data: _Binary) -> bytes:
    if data.get('B') != (1,):
        raise InvalidRowset('a value has an unknown version')
    return data.rest()


def _load_json(decoder: _Decoder, text: str) -> Any:
    try:
        return decoder.json_loads(text)
    except json.JSONDecodeError as error:
        raise InvalidRowset('json is not valid') from error
    except (RecursionError, ValueError):
        # nested too deep, or a number that is too long
        return decoder.cannot('json', text, 'json.loads')


# json, jsonb
_JSON = {114, 3802}

_BINARY: Dict[int, Callable[[_Decoder, _Binary], Any]] = {
    600: _geometry(2, '{}'), 601: _geometry(4, '[{}]'), 602: _path,
    603: _geometry(4, '{}'), 604: _polygon, 628: _line, 650: _inet,
    718: _circle, 869: _inet, 1560: _bits, 1562: _bits,
    1790: lambda decoder, data: decoder.text(data.rest()),
    2970: _snapshot, 3614: _tsvector, 3615: _tsquery,
    3802: lambda decoder, data: _load_json(
        decoder, decoder.text(_versioned(decoder, data))),
    4072: lambda decoder, data: decoder.text(_versioned(decoder, data)),
    5038: _snapshot}


def _binary(decoder: _Decoder, oid: int) -> Convert:
    read = _BINARY[oid]

    def one(payload: bytes) -> Any:
        data = _Binary(payload)
        value = read(decoder, data)
        if data.pos != len(payload):
            raise InvalidRowset('a value has bytes left over')
        return value
    return _each_with(one)


_XML_DECLARATION = re.compile(
    r"""<\?xml\s+version\s*=\s*(["'])(?P<version>[^"']*)\1"""
    r"""(?:\s+encoding\s*=\s*(["'])[^"']*\3)?"""
    r"""(?:\s+standalone\s*=\s*(["'])(?P<standalone>yes|no)\4)?\s*\?>""")


def _xml(text: str) -> str:
    """Without the encoding that an XML declaration names, as it is printed.

    A str has none, and the text in the rowset need not have that one.
    """
    found = text.startswith('<?xml') and _XML_DECLARATION.match(text)
    if not found:
        return text
    rest = text[found.end():]
    version, standalone = found['version'], found['standalone']
    if version == '1.0' and standalone is None:
        return rest[1:] if rest.startswith('\n') else rest
    if standalone is not None:
        version += f'" standalone="{standalone}'
    return f'<?xml version="{version}"?>{rest}'


def _as_binary(codec: str, data: bytes) -> Binary:
    value = Binary(data)
    value.codec = codec
    return value


def _chars(values: Sequence[int]) -> List[str]:
    return ['' if v == 0 else chr(v) if v > 0 else f'\\{v & 0xFF:o}'
            for v in values]


def _lsn(value: int) -> str:
    return f'{value >> 32 & 0xFFFFFFFF:X}/{value & 0xFFFFFFFF:X}'


# oid, xid, cid, xid8
_UNSIGNED = {26, 28, 29, 5069}


def _converter(decoder: _Decoder, type_: Type) -> Optional[Convert]:
    """What makes Python values of plain ones: int, float, bytes, str."""
    oid = type_.oid
    own = decoder.converters.get(
        (type_.schema, type_.name) if oid is None else oid)
    if type_.shape == 'BOOL':
        plain: Optional[Convert] = _each_with(bool)
    elif type_.shape == 'NUMERIC':
        plain = _each_with(_numeric)
    elif oid in _UNSIGNED:
        mask = (1 << 8 * type_.width) - 1
        plain = _each_with(lambda value: value & mask)
    elif type_.shape == 'BINARY' and (own or oid not in _BINARY):
        plain = _each_with(functools.partial(_as_binary, decoder.codec))
    else:
        plain = None
    if own is not None:
        wish: Callable[[Any], Any] = own
        return lambda values: list(map(wish, plain(values) if plain
                                       else values))
    if plain is not None or oid is None:
        return plain
    if oid in (829, 774):
        return _each_with(lambda value: value.hex(':'))
    if oid in _BINARY and type_.shape == 'BINARY':
        return _binary(decoder, oid)
    makers: Dict[int, Callable[[], Convert]] = {
        18: lambda: _chars,
        27: lambda: _each_with(
            lambda value: '({},{})'.format(*struct.unpack('<IH', value))),
        114: lambda: _each_with(functools.partial(_load_json, decoder)),
        142: lambda: _each_with(_xml),
        1082: lambda: _dates(decoder),
        1083: lambda: _times(decoder),
        1114: lambda: _timestamps(decoder, _EPOCH, 'timestamp'),
        1184: lambda: _timestamps(decoder, _EPOCH_UTC, 'timestamptz'),
        1186: lambda: _memoised(_each_with(_interval)),
        1266: lambda: _timetzs(decoder),
        2950: lambda: _each_with(lambda value: uuid.UUID(bytes=value)),
        3220: lambda: _each_with(_lsn)}
    return makers[oid]() if oid in makers else None


# ----------------------------------------------------------------------------
# Integers (§6.1)
# ----------------------------------------------------------------------------

class _Kind(NamedTuple):
    """A shape of integers."""

    width: int
    low: int
    high: int


_KINDS = {f'INT{width}': _Kind(width, -1 << 8 * width - 1,
                               (1 << 8 * width - 1) - 1)
          for width in (1, 2, 4, 8)}
_UINT = _Kind(0, 0, (1 << 64) - 1)
_LETTERS = {1: 'b', 2: 'h', 4: 'i', 8: 'q'}
_BATCH = 8192


def _fit(values: Sequence[int], low: int, high: int) -> None:
    if values and (min(values) < low or max(values) > high):
        raise InvalidRowset('an integer does not fit its type')


@functools.lru_cache(192)
def _mask(bits: int, width: int, half: int, slots: int) -> int:
    return int.from_bytes(
        ((1 << half * bits) - 1).to_bytes(half * width // 4, 'little')
        * slots, 'little')


def _unpack(data: Bytes, first: int, count: int, bits: int) -> Sequence[int]:
    """Packed numbers first to first + count - 1 of a block."""
    if count > _BATCH:
        return [number for at in range(first, first + count, _BATCH)
                for number in _unpack(data, at, min(_BATCH, first + count
                                                    - at), bits)]
    start = first * bits
    end = start + count * bits
    chunk = bytes(data[start >> 3:(end + 7) >> 3])
    if start & 7 or count < 16:
        packed = int.from_bytes(chunk, 'little') >> (start & 7)
        mask = (1 << bits) - 1
        if count < 16:
            return [packed >> shift & mask
                    for shift in range(0, count * bits, bits)]
        packed &= (1 << count * bits) - 1
        chunk = packed.to_bytes((count * bits + 7) // 8, 'little')
    if bits == 8:
        return list(chunk)
    width = 8 if bits < 8 else 16 if bits <= 16 else 32 if bits <= 32 else 64
    if bits < width:
        # Eight numbers lie in `bits` bytes: move each eight to `width` bytes,
        # and then the upper half of them up, the upper quarters, the eighths.
        slots = (count + 7) // 8
        spread = bytearray(slots * width)
        for i in range(bits):
            part = chunk[i::bits]
            spread[i:i + len(part) * width:width] = part
        number = int.from_bytes(spread, 'little')
        for half in (4, 2, 1):
            low = number & _mask(bits, width, half, slots * (4 // half))
            number = low | (number ^ low) << half * (width - bits)
        chunk = number.to_bytes(slots * width, 'little')
        if width == 8:
            return list(chunk[:count])
    letter = {16: 'H', 32: 'I', 64: 'Q'}[width]
    return struct.unpack_from(f'<{count}{letter}', chunk)


def _parse_packed(group: '_Parser', count: int,
                  least_bits: int) -> Tuple[Open, int]:
    """u8(b) block(packed): the numbers, and b."""
    bits = group.u8()
    if not least_bits <= bits <= 64:
        raise group.fail('an impossible number of bits')
    block = group.block((count * bits + 7) // 8)

    def begin() -> Read:
        if not bits:
            return lambda k: [0] * k
        data = block.data()
        spare = -count * bits % 8
        if spare and data[-1] >> 8 - spare:
            raise InvalidRowset('bits past the end are not 0')
        done = 0

        def read(k: int) -> Sequence[int]:
            nonlocal done
            done += k
            return _unpack(data, done - k, k, bits)
        return read
    return begin, bits


def _int_plain(group: '_Parser', count: int, kind: _Kind) -> Open:
    if kind.width:
        width, letter = kind.width, _LETTERS[kind.width]
    else:
        width = group.u8()
        if width not in _LETTERS:
            raise group.fail('an impossible width')
        letter = _LETTERS[width].upper()
    block = group.block(count * width)

    def begin() -> Read:
        data = block.data()
        done = 0

        def read(k: int) -> Sequence[int]:
            nonlocal done
            done += k
            return struct.unpack_from(f'<{k}{letter}', data,
                                      (done - k) * width)
        return read
    return begin


def _int_value(group: '_Parser', kind: _Kind) -> int:
    value = group.varint() if kind.width else group.varuint()
    if not kind.low <= value <= kind.high:
        raise group.fail('an integer does not fit its type')
    return value


def _int_constant(group: '_Parser', count: int, kind: _Kind) -> Open:
    value = _int_value(group, kind)
    return lambda: lambda k: [value] * k


def _int_frame(group: '_Parser', count: int, kind: _Kind) -> Open:
    base = _int_value(group, kind)
    packed, bits = _parse_packed(group, count, 1)
    high = min(kind.high, _I63 - 1)
    if base > high:
        raise group.fail('a base does not fit')
    is_safe = base + (1 << bits) - 1 <= high

    def begin() -> Read:
        more = packed()

        def read(k: int) -> Sequence[int]:
            values = more(k)
            if base:
                values = [base + value for value in values]
            if not is_safe:
                _fit(values, base, high)
            return values
        return read
    return begin


def _parse_differences(group: '_Parser', count: int, least: int) -> Open:
    """least + packed number, packed numbers below 2^63."""
    packed, bits = _parse_packed(group, count, 0)
    is_safe = least + (1 << bits) - 1 < _I63

    def begin() -> Read:
        more = packed()

        def read(k: int) -> Sequence[int]:
            values = more(k)
            if bits == 64:
                _fit(values, 0, _I63 - 1)
            if least:
                values = [least + value for value in values]
            if not is_safe:
                _fit(values, -_I63, _I63 - 1)
            return values
        return read
    return begin


def _sums(start: int, values: Sequence[int], low: int,
          high: int) -> List[int]:
    """The running sums of what is added to start, each in range."""
    sums = list(itertools.accumulate(values, initial=start))
    _fit(sums, low, high)
    return sums


def _int_delta(group: '_Parser', count: int, kind: _Kind) -> Open:
    first = group.varint()
    least = group.varint()
    low, high = kind.low, min(kind.high, _I63 - 1)
    changes = _parse_differences(group, count - 1, least)

    def begin() -> Read:
        more = changes()
        last: Optional[int] = None

        def read(k: int) -> Sequence[int]:
            nonlocal last
            if not k:
                return []
            if last is None:
                values = _sums(first, more(k - 1), low, high)
            else:
                values = _sums(last, more(k), low, high)[1:]
            last = values[-1]
            return values
        return read
    return begin


def _int_delta2(group: '_Parser', count: int, kind: _Kind) -> Open:
    if count < 2:
        raise group.fail('DELTA2 has fewer than two values')
    first = group.varint()
    first_step = group.varint()
    least = group.varint()
    low, high = kind.low, min(kind.high, _I63 - 1)
    changes = _parse_differences(group, count - 2, least)

    def begin() -> Read:
        more = changes()
        done, last, step = 0, first, first_step

        def read(k: int) -> List[int]:
            nonlocal done, last, step
            out: List[int] = []
            if k and done == 0:
                _fit([first], low, high)
                out.append(first)
            if len(out) < k and done + len(out) == 1:
                last += step
                _fit([last], low, high)
                out.append(last)
            if len(out) < k:
                steps = _sums(step, more(k - len(out)), -_I63, _I63 - 1)[1:]
                step = steps[-1]
                out += _sums(last, steps, low, high)[1:]
                last = out[-1]
            done += k
            return out
        return read
    return begin


def _int_runs(group: '_Parser', count: int, kind: _Kind) -> Open:
    runs = group.count(1, count, 'the number of runs')
    values = _parse_integers(group, runs, kind, without=(2, 6))
    lengths = _indexes(group, runs, without=(6,))

    def begin() -> Read:
        more_values, more_lengths = values(), lengths()
        done = begun = 0
        value: Any = None
        left = 0
        queue: Iterator[Tuple[Any, int]] = iter(())

        def read(k: int) -> list:
            nonlocal done, begun, value, left, queue
            out: list = []
            while len(out) < k:
                if not left:
                    pair = next(queue, None)
                    if pair is None:
                        size = min(runs - begun, _BATCH)
                        if not size:
                            raise InvalidRowset('runs are too short')
                        begun += size
                        queue = iter(list(zip(more_values(size),
                                              more_lengths(size))))
                        continue
                    value, left = pair
                    if not left:
                        raise InvalidRowset('a run has no value')
                size = min(left, k - len(out))
                out += [value] * size
                left -= size
            done += k
            if done == count and (left or begun < runs
                                  or next(queue, None) is not None):
                raise InvalidRowset('runs are too long')
            return out
        return read
    return begin


_INTEGERS = {0: _int_plain, 1: _int_constant, 3: _int_frame, 4: _int_delta,
             5: _int_delta2, 6: _int_runs}


def _parse_integers(group: '_Parser', count: int, kind: _Kind,
                    without: Tuple[int, ...] = ()) -> Open:
    """A node of integers with no flags, and its code."""
    code = group.u8()
    if not count:
        if code:
            raise group.fail('no integers have an encoding')
        return lambda: lambda k: []
    if code not in _INTEGERS or code in without:
        raise group.fail('integers have an impossible encoding')
    return _INTEGERS[code](group, count, kind)


def _indexes(group: '_Parser', count: int,
             without: Tuple[int, ...] = ()) -> Open:
    """integers(...) of §6.1, under the limit of §6.6."""
    before = group.stored
    integers = _parse_integers(group, count, _UINT, without)
    if group.is_in_array:
        group.limit(16 * count, group.stored - before)
    return integers


# ----------------------------------------------------------------------------
# Images (§6.3)
# ----------------------------------------------------------------------------

def _read_images(data: bytes, count: int, as_text: bool) -> Read:
    """A pass over count images: bytes, or strings of a byte a character."""
    source: Any = data.decode('latin-1') if as_text else data
    end = len(data)
    pos = done = 0

    def read(k: int) -> list:
        nonlocal pos, done
        out: list = []
        append = out.append
        start = pos
        try:
            for _ in itertools.repeat(None, k):
                head = data[start]
                if head & 1:
                    stop = start + (head >> 1)
                    append(source[start + 1:stop])
                else:
                    begin = start + 3 & ~3
                    if any(data[start:begin]):
                        raise InvalidRowset('padding is not 0')
                    begin += 4
                    size = int.from_bytes(data[begin - 4:begin], 'little')
                    stop = begin - 4 + (size >> 2)
                    if size & 3 or size >> 2 < 131 or stop > end:
                        raise InvalidRowset('an image has a wrong size')
                    append(source[begin:stop])
                start = stop
        except IndexError:
            raise InvalidRowset('there are too few images') from None
        done += k
        # An image of size 0 stands still.
        if start > end or (done == count and start < end) or (
                start < end and data[start] == 1):
            raise InvalidRowset('images do not fill their block')
        pos = start
        return out
    return read


def _numeric_size(value: int, scale: int) -> int:
    """The payload of integer / 10^scale as an image."""
    value = abs(value) * 10 ** (-scale % 4)
    while value and not value % 10000:
        value //= 10000
    return 4 + (2 * ((len(str(value)) + 3) // 4) if value else 0)


# ----------------------------------------------------------------------------
# Nodes (§6)
# ----------------------------------------------------------------------------

class _Block:
    """Bytes of a row group's body (§4.1)."""

    def __init__(self, group: '_Parser', offset: int, stored: int, raw: int,
                 method: int):
        self.body = group.body
        self.offset = offset
        self.stored = stored
        self.raw = raw
        self.method = method

    def data(self) -> bytes:
        stored = self.body()[self.offset:self.offset + self.stored]
        if self.method == 0:
            return bytes(stored)
        raw = (_decompress_lz4 if self.method == 1 else _decompress_zstd)(
            stored, self.raw)
        if len(raw) != self.raw:
            raise InvalidRowset('a block is of another size than it says')
        return raw


class _Parser(_Cursor):
    """Reads a row group's header: nodes, and where their blocks are."""

    def __init__(self, data: memoryview, start: int, body_size: int,
                 decoder: _Decoder):
        super().__init__(data, start)
        self.decoder = decoder
        self.body_size = body_size
        self.stored = 0
        self.is_in_array = False        # the node that is being read
        self.values = 0                 # of all nodes
        self.view: Optional[memoryview] = None

    def body(self) -> memoryview:
        assert self.view is not None
        return self.view

    def block(self, raw_size: Optional[int] = None) -> _Block:
        value = self.varuint()
        raw, method = value >> 2, value & 3
        if method == 3 or raw >= 1 << 30:
            raise self.fail('a block is impossible')
        stored = self.varuint() if method else raw
        if method and not 0 < raw <= 255 * stored:
            raise self.fail('a block\'s sizes do not fit each other')
        if raw_size is not None and raw != raw_size:
            raise self.fail('a block\'s size is not that of its values')
        if stored > self.body_size - self.stored:
            raise self.fail('blocks are larger than the body')
        self.stored += stored
        return _Block(self, self.stored - stored, stored, raw, method)

    def limit(self, size: int, stored: int) -> None:
        """§6.6"""
        if size > 1024 * (8 + stored):
            raise self.fail('a few bytes stand for too many values')


class _Bounds(NamedTuple):
    low: Any
    high: Any


class _Node:
    """Values of one type: what its header says, and passes over them."""

    def __init__(self, group: _Parser, type_: Type, count: int, depth: int,
                 is_in_array: bool):
        if depth > _MAX_NESTING:
            raise group.fail('nodes are nested too deep')
        group.is_in_array = is_in_array
        group.values += count
        self.type = type_
        self.count = count
        self.bitmap: Optional[_Block] = None
        self.minmax: Optional[_Bounds] = None
        self.nulls = 0
        base = type_.base
        code = group.u8()
        if code & 0xC0:
            raise group.fail('a node has unknown flags')
        if code & 0x10:
            self.nulls = group.count(1, count, 'the number of NULLs')
            if self.nulls < count or is_in_array:
                self.bitmap = group.block((count + 7) // 8)
                if is_in_array:
                    group.limit(16 * count, self.bitmap.stored)
        there = count - self.nulls
        encoding = code & 0x0F
        if not there:
            if code & 0x2F:
                raise group.fail('no value has an encoding')
            self.values: Open = lambda: lambda k: []
            return
        self.convert = (None if base.shape in _NESTED
                        else _converter(group.decoder, base))
        if code & 0x20:
            if base.shape not in _MINMAX:
                raise group.fail('a type without an order has bounds')
            self.minmax = _Bounds(_parse_inline(group, base),
                                  _parse_inline(group, base))
        if base.shape in _NESTED:
            if encoding:
                raise group.fail('nested values have an encoding')
            self.values = _NESTED[base.shape](
                group, base, there, depth, is_in_array)
        else:
            self.values = _parse_scalar(group, base, encoding, there,
                                        self.convert, is_in_array)

    def bounds(self) -> Optional[Tuple[Any, Any]]:
        if self.minmax is None or self.type.base.oid in _OTHER_ORDER:
            return None
        values = list(self.minmax)
        low, high = self.convert(values) if self.convert else values
        return low, high

    def open(self) -> Read:
        values = self.values()
        if not self.nulls:
            return values
        if self.bitmap is None:
            return lambda k: [None] * k
        bitmap = self.bitmap.data()
        as_number = int.from_bytes(bitmap, 'little')
        if (as_number >> self.count
                or bin(as_number).count('1') != self.nulls):
            raise InvalidRowset('a bitmap has another number of NULLs')
        done = 0

        def read(k: int) -> Sequence:
            nonlocal done
            nulls = _unpack(bitmap, done, k, 1)
            done += k
            count = sum(nulls)
            if count == k:
                return [None] * k
            there = values(k - count)
            if not count:
                return there
            following = iter(there)
            return [None if null else next(following) for null in nulls]
        return read


_MINMAX = {'FLOAT4', 'FLOAT8', 'FIXED', 'NUMERIC', 'TEXT', 'BYTES', *_KINDS}


# Types of these shapes whose order is not that of their numbers or bytes:
# "char", char(n)
_OTHER_ORDER = {18, 1042}


def _parse_inline(group: _Parser, type_: Type) -> Any:
    """A value in the header, before it is converted (§6.1)."""
    shape = type_.shape
    if shape == 'BOOL':
        value = group.u8()
        if value > 1:
            raise group.fail('a boolean is neither 0 nor 1')
        return value
    if shape in _KINDS:
        return _int_value(group, _KINDS[shape])
    if shape == 'FLOAT4':
        return struct.unpack('<f', group.take(4))[0]
    if shape == 'FLOAT8':
        return struct.unpack('<d', group.take(8))[0]
    if shape == 'FIXED':
        return bytes(group.take(type_.width))
    size = group.count(0, 255, 'the size of a value')
    data = bytes(group.take(size))
    return group.decoder.text(data) if shape in _TEXTS else data


def _open_plain(group: _Parser, type_: Type, count: int,
                block: _Block) -> Open:
    """Values in plain form (§6.2), before they are converted."""
    shape, width = type_.shape, type_.width
    decoder = group.decoder
    if shape in _IMAGES:
        def begin() -> Read:
            is_text = shape in _TEXTS
            images = _read_images(block.data(), count, is_text)
            if is_text:
                return lambda k: decoder.texts(images(k))
            return images
        return begin
    if block.raw != count * width:
        raise group.fail('a block\'s size is not that of its values')

    def begin_fixed() -> Read:
        data = block.data()
        done = 0
        letter = {'FLOAT4': 'f', 'FLOAT8': 'd', 'BOOL': 'B'}.get(
            shape, _LETTERS.get(width))

        def read(k: int) -> Sequence:
            nonlocal done
            start = done * width
            done += k
            if shape == 'FIXED':
                return [data[i:i + width]
                        for i in range(start, done * width, width)]
            values = struct.unpack_from(f'<{k}{letter}', data, start)
            if shape == 'BOOL' and k and max(values) > 1:
                raise InvalidRowset('a boolean is neither 0 nor 1')
            return values
        return read
    return begin_fixed


def _converted(values: Open, convert: Optional[Convert]) -> Open:
    if convert is None:
        return values
    run: Convert = convert

    def begin() -> Read:
        more = values()
        return lambda k: run(more(k))
    return begin


def _plain_sizes(type_: Type, values: Sequence, decoder: _Decoder) -> int:
    """The plain sizes of images (§6.2)."""
    if type_.shape in _TEXTS:
        return sum(4 + (len(value) if value.isascii() else len(value.encode(
            decoder.codec, decoder.errors))) for value in values)
    return sum(4 + len(value) for value in values)


def _limited(values: Open, size_of: Callable[[Sequence], int], count: int,
             stored: int) -> Open:
    """Values in an array whose sizes show when they are read (§6.6)."""
    def begin() -> Read:
        more = values()
        room = 1024 * (8 + stored) - 16 * count

        def read(k: int) -> Sequence:
            nonlocal room
            out = more(k)
            room -= size_of(out)
            if room < 0:
                raise InvalidRowset('a few bytes stand for too many values')
            return out
        return read
    return begin


def _split(type_: Type, convert: Optional[Convert]
           ) -> Tuple[Optional[Convert], Optional[Convert]]:
    """What to do to a value that stands for many, and to each of these.

    Rows must not share an object that can be changed.
    """
    return (None, convert) if type_.oid in _JSON else (convert, None)


def _parse_scalar(group: _Parser, type_: Type, encoding: int, count: int,
                  convert: Optional[Convert], is_in_array: bool) -> Open:
    shape = type_.shape
    before = group.stored
    is_image = shape in _IMAGES
    sizes = functools.partial(_plain_sizes, type_, decoder=group.decoder)

    def finish(values: Open) -> Open:
        """Convert, and keep to the limit for arrays."""
        stored = group.stored - before
        if is_in_array:
            group.limit(count * (16 + (4 if is_image else type_.width)),
                        stored)
            if is_image:
                values = _limited(values, sizes, count, stored)
        return _converted(values, convert)

    once, each = _split(type_, convert)
    if encoding == 1:
        constant = _parse_inline(group, type_)
        if is_in_array:
            size = sizes([constant]) if is_image else type_.width
            group.limit(count * (16 + size), 0)

        def begin_constant() -> Read:
            value = once([constant])[0] if once else constant
            return lambda k: [value] * k
        return _converted(begin_constant, each)
    if encoding == 2 and shape != 'BOOL':
        return _parse_dictionary(group, type_, count, convert, is_in_array)
    if encoding == 7 and shape in ('NUMERIC', 'FLOAT4', 'FLOAT8'):
        return _parse_scaled(group, type_, count, convert, is_in_array)
    if encoding == 8 and shape == 'BOOL':
        block = group.block((count + 7) // 8)

        def begin_bits() -> Read:
            data = block.data()
            if count % 8 and data[-1] >> count % 8:
                raise InvalidRowset('bits past the end are not 0')
            done = 0

            def read(k: int) -> Sequence[int]:
                nonlocal done
                done += k
                return _unpack(data, done - k, k, 1)
            return read
        return finish(begin_bits)
    if encoding == 0:
        return finish(_open_plain(group, type_, count, group.block()))
    if shape in _KINDS and encoding in _INTEGERS:
        return finish(_INTEGERS[encoding](group, count, _KINDS[shape]))
    raise group.fail('a node has an impossible encoding')


def _parse_dictionary(group: _Parser, type_: Type, count: int,
                      convert: Optional[Convert], is_in_array: bool) -> Open:
    before = group.stored
    size = group.count(1, count, 'the size of a dictionary')
    entries = _open_plain(group, type_, size, group.block())
    indexes = _indexes(group, count)
    stored = group.stored - before
    is_image = type_.shape in _IMAGES
    if is_in_array:
        group.limit(count * (16 + (4 if is_image else type_.width)), stored)
    decoder = group.decoder
    once, each = _split(type_, convert)

    def begin() -> Read:
        plain = entries()(size)
        values = once(plain) if once else plain
        more = indexes()
        sizes = ([_plain_sizes(type_, [value], decoder) for value in plain]
                 if is_in_array and is_image else None)
        room = 1024 * (8 + stored) - 16 * count

        def read(k: int) -> list:
            nonlocal room
            numbers = more(k)
            try:
                out = list(map(values.__getitem__, numbers))
            except IndexError:
                raise InvalidRowset('an index is beyond its dictionary'
                                    ) from None
            if sizes is not None:
                room -= sum(map(sizes.__getitem__, numbers))
                if room < 0:
                    raise InvalidRowset(
                        'a few bytes stand for too many values')
            return out
        return read
    return _converted(begin, each)


# Multiplies exactly: no coefficient here has as many digits.
_EXACT = decimal.Context(prec=100, Emin=-999, Emax=999)


def _decimals(scale: int, display: int) -> Convert:
    """integer / 10^scale, printed with `display` decimal places."""
    unit = decimal.Decimal((0, (1,), -display))
    multiply = functools.partial(_EXACT.multiply, unit)

    def run(values: Sequence[int]) -> list:
        if display > scale:
            factor = 10 ** (display - scale)
            values = [value * factor for value in values]
        elif display < scale:
            divisor = 10 ** (scale - display)
            if any(value % divisor for value in values):
                raise InvalidRowset('a scale hides a digit')
            values = [value // divisor for value in values]
        return list(map(multiply, values))
    return _memoised(run)


def _parse_scaled(group: _Parser, type_: Type, count: int,
                  convert: Optional[Convert], is_in_array: bool) -> Open:
    """§6.5"""
    is_numeric = type_.shape == 'NUMERIC'
    before = group.stored
    flags = group.u8()
    if flags & ~3 or (flags & 1 and not is_numeric):
        raise group.fail('scaled numbers have unknown flags')
    scale = group.count(0, 16, 'a scale')
    displays: Optional[Open] = None
    display = scale
    if flags & 1:
        displays = _indexes(group, count)
    elif is_numeric:
        display = group.count(0, 63, 'a display scale')
    number = 0
    positions = exceptions = None
    if flags & 2:
        number = group.count(1, count, 'the number of exceptions')
        positions = _indexes(group, number)
        exceptions = _open_plain(group, type_, number, group.block())
    inner = group.stored
    integers = _parse_integers(group, count, _KINDS['INT8'], without=(2,))
    stored = group.stored - before
    if is_in_array:
        group.limit(24 * count, group.stored - inner)
        group.limit((24 if is_numeric else 16 + type_.width) * count, stored)
    # no image of 64 bits has more than six digits
    is_near_limit = is_in_array and is_numeric and (
        36 * count > 1024 * (8 + stored) or number > 0)

    def begin() -> Read:
        more = integers()
        more_displays = displays() if displays else None
        where: List[int] = []
        plain: Sequence = []
        if positions and exceptions:
            where = list(positions()(number))
            if where[-1] >= count or any(
                    a >= b for a, b in zip(where, where[1:])):
                raise InvalidRowset('exceptions are out of order')
            plain = exceptions()(number)
        odd = list(map(_numeric, plain)) if is_numeric else plain
        done = at = 0
        room = 1024 * (8 + stored) - 16 * count

        def read(k: int) -> list:
            nonlocal done, at, room
            values = more(k)
            if not is_numeric:
                power = float(10 ** scale)
                out = [float(value) / power for value in values]
                if type_.shape == 'FLOAT4':
                    out = list(struct.unpack(f'<{k}f',
                                             struct.pack(f'<{k}f', *out)))
            elif more_displays is None:
                out = _decimals(scale, display)(values)
            else:
                out = _by_display(values, more_displays(k), scale)
            if is_near_limit:
                room -= sum(4 + _numeric_size(value, scale)
                            for value in values)
            done += k
            while at < number and where[at] < done:
                i = where[at] - (done - k)
                out[i] = odd[at]
                if is_near_limit:
                    room -= len(plain[at]) - _numeric_size(values[i], scale)
                at += 1
            if is_near_limit and room < 0:
                raise InvalidRowset('a few bytes stand for too many values')
            return out
        return read
    # The values are made already, unless the caller has a wish.
    own = group.decoder.converters.get(type_.oid)
    return _converted(begin, _each_with(own) if own else None)


def _by_display(values: Sequence[int], displays: Sequence[int],
                scale: int) -> list:
    _fit(displays, 0, 63)
    out: list = [None] * len(values)
    for display in set(displays):
        places = [i for i, d in enumerate(displays) if d == display]
        some = _decimals(scale, display)([values[i] for i in places])
        for i, value in zip(places, some):
            out[i] = value
    return out


# ----------------------------------------------------------------------------
# Nested values (§7)
# ----------------------------------------------------------------------------

def _adding_up(count: int, total: int,
               what: str) -> Callable[[int, Sequence[int]], int]:
    """Watches that count values have as many parts in all as they say.

    The function that comes back takes how many values are read and how many
    parts each of them has, and gives how many parts that are.
    """
    done = 0
    left = total

    def add(k: int, sizes: Sequence[int]) -> int:
        nonlocal done, left
        size = sum(sizes)
        done += k
        left -= size
        if left < 0 or (done == count and left):
            raise InvalidRowset(f'the numbers of {what} do not add up')
        return size
    return add


def _cut(values: Sequence, sizes: Sequence[int]) -> Iterator[Sequence]:
    """The values in runs of these sizes."""
    at = 0
    for size in sizes:
        yield values[at:at + size]
        at += size


def _parse_array(group: _Parser, type_: Type, count: int, depth: int,
                 is_in_array: bool) -> Open:
    form = group.u8()
    if form > 1:
        raise group.fail('arrays have an unknown form')
    lengths = _indexes(group, count)
    number = 0
    dimensions = bounds = None
    if form:
        number = group.count(0, 6 * count, 'the number of dimensions')
        dimensions = _indexes(group, number)
        bounds = _indexes(group, number)
    total = group.count(0, _MAX_VALUES, 'the number of elements')
    assert type_.inner is not None
    elements = _Node(group, type_.inner, total, depth + 1, True)

    def begin() -> Read:
        more_lengths, more_elements = lengths(), elements.open()
        more = _shapes(more_lengths, dimensions, bounds, number, count)
        add = _adding_up(count, total, 'elements')

        def read(k: int) -> list:
            if not form:
                sizes = more_lengths(k)
                values = more_elements(add(k, sizes))
                return list(map(list, _cut(values, sizes)))
            shapes = more(k)
            sizes = [shape[0] for shape in shapes]
            values = more_elements(add(k, sizes))
            return [_fold(list(flat), *shape[1:])
                    for flat, shape in zip(_cut(values, sizes), shapes)]
        return read
    return begin


def _shapes(numbers: Read, dimensions: Optional[Open], bounds: Optional[Open],
            total: int, count: int) -> Read:
    """Arrays of form 1: their sizes, lengths and lower bounds."""
    more_lengths = dimensions() if dimensions else None
    more_bounds = bounds() if bounds else None
    add = _adding_up(count, total, 'dimensions')

    def read(k: int) -> list:
        assert more_lengths and more_bounds
        each = numbers(k)
        _fit(each, 0, 6)
        needed = add(k, each)
        lengths = more_lengths(needed)
        _fit(lengths, 1, _MAX_VALUES)
        lows = [value >> 1 ^ -(value & 1) for value in more_bounds(needed)]
        _fit(lows, -1 << 31, (1 << 31) - 1)
        _fit([low + length - 1 for low, length in zip(lows, lengths)],
             -1 << 31, (1 << 31) - 1)
        out = []
        at = 0
        for number in each:
            mine = lengths[at:at + number]
            size = 1 if number else 0
            for length in mine:
                size *= length
                if size > _MAX_VALUES:
                    raise InvalidRowset('an array is too large')
            out.append((size, tuple(mine), tuple(lows[at:at + number])))
            at += number
        return out
    return read


def _fold(flat: list, lengths: Tuple[int, ...],
          lows: Tuple[int, ...]) -> list:
    """The elements of an array in lists of lists."""
    for length in reversed(lengths[1:]):
        flat = [flat[i:i + length] for i in range(0, len(flat), length)]
    if any(low != 1 for low in lows):
        flat = Array(flat)
        flat.lower_bounds = lows
    return flat


@functools.lru_cache(256)
def _tuple_class(name: str, fields: Tuple[str, ...]) -> Any:
    name = name if name.isidentifier() else 'composite'
    try:
        return namedtuple(name, fields, rename=True)
    except (ValueError, TypeError):
        return namedtuple('composite', fields, rename=True)


def _parse_composite(group: _Parser, type_: Type, count: int, depth: int,
                     is_in_array: bool) -> Open:
    if is_in_array and not type_.fields:
        raise group.fail('a composite in an array has no fields')
    nodes = [_Node(group, field.type, count, depth + 1, is_in_array)
             for field in type_.fields]

    def begin() -> Read:
        make = _tuple_class(
            type_.name, tuple(field.name for field in type_.fields))._make
        if not nodes:
            return lambda k: [make(())] * k
        reads = [node.open() for node in nodes]
        return lambda k: list(map(make, zip(*[read(k) for read in reads])))
    return begin


def _parse_record(group: _Parser, type_: Type, count: int, depth: int,
                  is_in_array: bool) -> Open:
    number = group.count(1, min(count, 1024), 'the number of shapes')
    shapes = []
    for _ in range(number):
        fields = _parse_fields(group, group.decoder, depth + 1)
        shapes.append((fields, group.count(1, count, 'a number of records')))
    if sum(times for _, times in shapes) != count:
        raise group.fail('shapes have another number of records')
    numbers = (_indexes(group, count)
               if number > 1 or is_in_array
               else lambda: lambda k: [0] * k)
    nodes = []
    for fields, times in shapes:
        nodes.append([_Node(group, field.type, times, depth + 1, is_in_array)
                      for field in fields])

    def begin() -> Read:
        more = numbers()
        reads = [[node.open() for node in each] for each in nodes]
        left = [times for _, times in shapes]

        def read(k: int) -> list:
            which = more(k)
            rows: Dict[int, Iterator[tuple]] = {}
            for shape, size in Counter(which).items():
                if shape >= number or size > left[shape]:
                    raise InvalidRowset('a record has no shape')
                left[shape] -= size
                rows[shape] = (zip(*[one(size) for one in reads[shape]])
                               if reads[shape]
                               else itertools.repeat((), size))
            return [next(rows[shape]) for shape in which]
        return read
    return begin


_EMPTY, _LOWER_INC, _UPPER_INC, _NO_LOWER, _NO_UPPER = 1, 2, 4, 8, 16


def _parse_range(group: _Parser, type_: Type, count: int, depth: int,
                 is_in_array: bool) -> Open:
    flags = _indexes(group, count)
    total = group.count(0, _MAX_VALUES, 'the number of bounds')
    assert type_.inner is not None
    bounds = _Node(group, type_.inner, total, depth + 1, is_in_array)
    if bounds.nulls:
        raise group.fail('a range\'s bounds are NULL')

    def begin() -> Read:
        more_flags, more_bounds = flags(), bounds.open()
        add = _adding_up(count, total, 'bounds')

        def read(k: int) -> list:
            each = more_flags(k)
            following = iter(more_bounds(add(k, _sides(each))))
            out = []
            for flag in each:
                if flag & _EMPTY:
                    out.append(Range(empty=True))
                    continue
                lower = None if flag & _NO_LOWER else next(following)
                upper = None if flag & _NO_UPPER else next(following)
                if not _in_order(lower, upper):
                    raise InvalidRowset('a range\'s lower bound is above its '
                                        'upper bound')
                out.append(Range(lower, upper, bool(flag & _LOWER_INC),
                                 bool(flag & _UPPER_INC)))
            return out
        return read
    return begin


def _sides(flags: Sequence[int]) -> List[int]:
    """How many bounds each range has."""
    out = []
    for flag in flags:
        if flag & ~31 or (flag & _EMPTY and flag != _EMPTY):
            raise InvalidRowset('a range has impossible flags')
        if (flag & _NO_LOWER and flag & _LOWER_INC
                or flag & _NO_UPPER and flag & _UPPER_INC):
            raise InvalidRowset('a range without a bound includes it')
        out.append(0 if flag & _EMPTY else 2 - bool(flag & _NO_LOWER)
                   - bool(flag & _NO_UPPER))
    return out


_ORDERED = (int, float, decimal.Decimal, datetime.date, datetime.time)


def _in_order(lower: Any, upper: Any) -> bool:
    """Is lower no more than upper, as far as Python can tell?"""
    if type(lower) is not type(upper) or not isinstance(lower, _ORDERED):
        return True
    if lower != lower or upper != upper:
        return upper != upper           # NaN is above all, and equal to NaN
    return lower <= upper


def _parse_multirange(group: _Parser, type_: Type, count: int, depth: int,
                      is_in_array: bool) -> Open:
    counts = _indexes(group, count)
    total = group.count(0, _MAX_VALUES, 'the number of ranges')
    assert type_.inner is not None
    ranges = _Node(group, type_.inner, total, depth + 1, True)
    if ranges.nulls:
        raise group.fail('a multirange\'s ranges are NULL')

    def begin() -> Read:
        more_counts, more_ranges = counts(), ranges.open()
        add = _adding_up(count, total, 'ranges')

        def read(k: int) -> list:
            sizes = more_counts(k)
            values = more_ranges(add(k, sizes))
            if any(value.empty for value in values):
                raise InvalidRowset('a multirange has an empty range')
            return list(map(tuple, _cut(values, sizes)))
        return read
    return begin


_NESTED: Dict[str, Callable[..., Open]] = {
    'ARRAY': _parse_array, 'COMPOSITE': _parse_composite,
    'RECORD': _parse_record, 'RANGE': _parse_range,
    'MULTIRANGE': _parse_multirange}


# ----------------------------------------------------------------------------
# Row groups (§4)
# ----------------------------------------------------------------------------

_UNIT = 512
# How many values are decoded at once for rows
_ROWS_VALUES = 1 << 18


class _Table:
    """What a rowset, a stream of one and a row group have in common."""

    columns: Tuple[Column, ...]
    """The columns, in order."""

    def index(self, key: Key) -> int:
        """The index of a column, by its name or by its index.

        Raises KeyError for a name that no column has, or more than one.
        """
        if isinstance(key, int):
            if not -len(self.columns) <= key < len(self.columns):
                raise KeyError(f'there is no column {key}')
            return key % len(self.columns)
        found = [i for i, column in enumerate(self.columns)
                 if column.name == key]
        if len(found) != 1:
            raise KeyError(f'there is no column "{key}"' if not found else
                           f'there are {len(found)} columns "{key}"')
        return found[0]


class RowGroup(_Table):
    """Some rows of a rowset, which are compressed together."""

    def __init__(self, columns: Tuple[Column, ...], decoder: _Decoder,
                 header: bytes, start: int, take: Callable[[int], Bytes]):
        self.columns = columns
        _check_crc(header[:-4], int.from_bytes(header[-4:], 'little'),
                   'a row group\'s header')
        cursor = _Cursor(memoryview(header)[:-4], start)
        body_size = cursor.count(0, (1 << 31) - 1, 'the size of a body')
        self._rows = cursor.count(1, 1 << 20, 'the number of rows')
        cursor.varuint()            # raw size: informs only
        parser = _Parser(cursor.data, cursor.pos, body_size, decoder)
        self._nodes: List[_Node] = []
        ends = [0]
        for column in columns:
            self._nodes.append(_Node(parser, column.type, self._rows, 1,
                                     False))
            ends.append(parser.stored)
        if parser.stored != body_size:
            raise parser.fail('blocks are smaller than the body')
        self._units = _units(ends)
        self._crcs = [parser.u32() for _ in self._units]
        if parser.pos != parser.end:
            raise parser.fail('a group\'s header has another size')
        self._ends = ends
        self._values = parser.values
        self._body = parser.view = memoryview(take(body_size))

    def __len__(self) -> int:
        """The number of rows."""
        return self._rows

    def _check_units(self, start: int, end: int) -> None:
        """Check the bytes of the body from start to end, and what is
        checked with them."""
        for i, (first, last) in enumerate(self._units):
            if first < end and start < last and self._crcs[i] >= 0:
                _check_crc(self._body[first:last], self._crcs[i],
                           'a row group\'s body')
                self._crcs[i] = -1

    def _named(self, i: int, run: Callable, *arguments: Any) -> Any:
        """Do something, and name the column that it can't be done for."""
        try:
            return run(*arguments)
        except CannotRepresent as error:
            raise CannotRepresent(
                f'column "{self.columns[i].name}": {error}',
                error.text) from error

    def _open(self, i: int) -> Read:
        # Some values are converted before the first one is read.
        read = self._named(i, self._nodes[i].open)
        return lambda k: self._named(i, read, k)

    def null_count(self, key: Key) -> int:
        """How many of a column's values are NULL; nothing is decoded."""
        return self._nodes[self.index(key)].nulls

    def bounds(self, key: Key) -> Optional[Tuple[Any, Any]]:
        """A column's smallest and largest value, where they are stored."""
        i = self.index(key)
        return self._named(i, self._nodes[i].bounds)

    def column(self, key: Key) -> list:
        """A column's values; the bytes of others are not looked at."""
        i = self.index(key)
        self._check_units(self._ends[i], self._ends[i + 1])
        read = self._open(i)
        out: list = []
        while len(out) < self._rows:
            out += read(min(_BATCH, self._rows - len(out)))
        return out

    def __iter__(self) -> Iterator[tuple]:
        """The rows, decoded a few thousand values at a time."""
        if not self.columns:
            yield from itertools.repeat((), self._rows)
            return
        self._check_units(0, self._ends[-1])
        reads = [self._open(i) for i in range(len(self.columns))]
        # some rows at a time, by how many values each has on average
        batch = max(1, min(4096, self._rows * _ROWS_VALUES // self._values))
        batch = batch & ~7 or batch
        done = 0
        while done < self._rows:
            size = min(batch, self._rows - done)
            done += size
            yield from zip(*[read(size) for read in reads])


def _units(ends: List[int]) -> List[Tuple[int, int]]:
    """The runs of columns' bytes that have a checksum each."""
    units: List[Tuple[int, int]] = []
    opened: Optional[int] = None
    for start, end in zip(ends, ends[1:]):
        if start == end:
            continue
        if end - start >= _UNIT:
            if opened is not None:
                units.append((opened, start))
            units.append((start, end))
            opened = None
            continue
        if opened is None:
            opened = start
        if end - opened >= _UNIT:
            units.append((opened, end))
            opened = None
    if opened is not None:
        units.append((opened, ends[-1]))
    return units


# ----------------------------------------------------------------------------
# Rowsets (§2, §3, §5)
# ----------------------------------------------------------------------------

_MAGIC = b'\xffRS\r\n\0'
_PREAMBLE = len(_MAGIC) + 2


def _parse_header(header: Bytes, options: dict
                  ) -> Tuple[Tuple[Column, ...], _Decoder]:
    """The columns, from a header of which the size is known to be right."""
    cursor = _Cursor(memoryview(header), _PREAMBLE)
    cursor.varuint()
    if cursor.end - cursor.pos < 4:
        raise cursor.fail('the header has no room for its checksum')
    cursor.end -= 4
    crc = int.from_bytes(cursor.data[cursor.end:], 'little')
    _check_crc(cursor.data[:cursor.end], crc, 'the header')
    name = bytes(cursor.string())
    if b'\0' in name or not name.isascii():
        raise cursor.fail('the name of an encoding is impossible')
    decoder = _Decoder(name.decode('ascii'), **options)
    columns = _parse_fields(cursor, decoder, 1)
    while cursor.pos < cursor.end:
        tag = cursor.varuint()
        cursor.string()
        if tag & 1:
            raise Unsupported(f'the rowset has an extension {tag} that a '
                              'reader must know')
    return columns, decoder


def _check_preamble(data: Bytes) -> None:
    if bytes(data[:6]) != _MAGIC:
        raise InvalidRowset('the bytes do not begin as a rowset does')
    if data[6] != 1:
        raise Unsupported(f'rowset format {data[6]}.{data[7]} is not '
                          'supported')


class _Entry(NamedTuple):
    size: int
    header_size: int
    rows: int


def _parse_trailer(trailer: Bytes) -> List[_Entry]:
    """The entries of a trailer without its size."""
    cursor = _Cursor(memoryview(trailer))
    if len(trailer) < 6 or cursor.u8() != 0x54:
        raise cursor.fail('the rowset has no trailer at its end')
    cursor.end -= 4
    crc = int.from_bytes(cursor.data[cursor.end:], 'little')
    _check_crc(cursor.data[:cursor.end], crc, 'the trailer')
    count = cursor.varuint()
    entries = []
    for _ in range(count):
        entries.append(_Entry(cursor.varuint(), cursor.varuint(),
                              cursor.varuint()))
    if cursor.pos != cursor.end:
        raise cursor.fail('the trailer has another number of groups')
    return entries


def _read_group(source: Any, columns: Tuple[Column, ...],
                decoder: _Decoder) -> Tuple[RowGroup, _Entry]:
    """A row group after its first byte, and what the trailer must say."""
    prefix = b'\x47' + source.varuint()
    size = _Cursor(memoryview(prefix), 1).varuint()
    header = prefix + source.take(size)
    if size < 4:
        raise InvalidRowset('a row group has no room for its checksum')
    group = RowGroup(columns, decoder, header, len(prefix), source.take)
    return group, _Entry(len(header) + len(group._body), len(header),
                         len(group))


class _Memory(_Cursor):
    """What _read_group needs, of bytes that are all there."""

    def take(self, size: int) -> Any:
        part = super().take(size)
        # bodies stay where they are
        return part if size > 1 << 10 else bytes(part)

    def varuint(self) -> Any:
        start = self.pos
        super().varuint()
        return bytes(self.data[start:self.pos])


class Rowset(_Table):
    """A rowset whose bytes are all there; loads() makes one."""

    encoding: str
    """PostgreSQL's name of the character set that its text is in."""

    def __init__(self, data: Bytes, **options: Any):
        view = memoryview(data).cast('B') if data else memoryview(b'')
        cursor = _Cursor(view)
        _check_preamble(cursor.take(_PREAMBLE))
        cursor.take(cursor.varuint())
        self._data = view
        start = cursor.pos
        self.columns, self._decoder = _parse_header(view[:start], options)
        self.encoding = self._decoder.encoding
        size = int.from_bytes(view[-4:], 'little')
        if not 10 <= size <= len(view) - start:
            raise InvalidRowset('the rowset has no trailer at its end')
        end = len(view) - size
        self._entries = _parse_trailer(view[end:-4])
        self._starts = []
        for entry in self._entries:
            self._starts.append(start)
            start += entry.size
            if entry.size == 0 or not 1 <= entry.rows <= 1 << 20:
                raise InvalidRowset('the trailer has an impossible group')
        if start != end:
            raise InvalidRowset('the groups do not end where the trailer '
                                'begins')
        self._rows = sum(entry.rows for entry in self._entries)

    def __len__(self) -> int:
        """The number of rows."""
        return self._rows

    def group(self, number: int) -> RowGroup:
        """One row group, counted from 0."""
        entry = self._entries[number]
        start = self._starts[number]
        source = _Memory(self._data[start:start + entry.size])
        if source.u8() != 0x47:
            raise InvalidRowset('a row group begins with another byte')
        group, found = _read_group(source, self.columns, self._decoder)
        if found != entry:
            raise InvalidRowset('the trailer does not agree with a group')
        return group

    def groups(self) -> Iterator[RowGroup]:
        """The row groups, each read when it is asked for."""
        return map(self.group, range(len(self._entries)))

    def __iter__(self) -> Iterator[tuple]:
        """The rows, as tuples, decoded as they are taken."""
        return itertools.chain.from_iterable(self.groups())

    def null_count(self, key: Key) -> int:
        """How many of a column's values are NULL; nothing is decoded."""
        return sum(group.null_count(key) for group in self.groups())

    def _check_size(self, columns: int, max_values: Optional[int]) -> None:
        if max_values is None:
            max_values = (1 << 22) + 32 * len(self._data)
        if self._rows * columns > max_values:
            raise Unsupported(
                f'the rowset has {self._rows} rows in {len(self._data)} '
                'bytes: take them row by row or group by group, or set '
                'max_values')

    def column(self, key: Key, max_values: Optional[int] = None) -> list:
        """A column's values; the bytes of others are not looked at.

        Few bytes can stand for many equal values.  More than max_values
        (2^22 and 32 for each byte of the rowset) raise Unsupported.
        """
        i = self.index(key)
        self._check_size(1, max_values)
        out: list = []
        for group in self.groups():
            out += group.column(i)
        return out

    def to_dict(self, max_values: Optional[int] = None) -> Dict[str, list]:
        """All columns' values by name, the names being different."""
        names = [column.name for column in self.columns]
        for name in names:
            self.index(name)
        self._check_size(len(names), max_values)
        out: Dict[str, list] = {name: [] for name in names}
        for group in self.groups():
            for i, name in enumerate(names):
                out[name] += group.column(i)
        return out

    def check(self) -> None:
        """Read every value, and raise what is wrong with the first bad
        one."""
        for _ in self:
            pass


class RowsetStream(_Table):
    """A rowset that is read from its front, once; load() makes one."""

    encoding: str
    """PostgreSQL's name of the character set that its text is in."""

    def __init__(self, source: Union[BinaryIO, Iterable[Bytes]],
                 **options: Any):
        self._source = _Source(source)
        start = self._source.take(_PREAMBLE)
        _check_preamble(start)
        start += self._source.varuint()
        size = _Cursor(memoryview(start), _PREAMBLE).varuint()
        header = start + self._source.take(size)
        self.columns, self._decoder = _parse_header(header, options)
        self.encoding = self._decoder.encoding
        self._groups = self._read()

    def _read(self) -> Iterator[RowGroup]:
        source = self._source
        entries: List[_Entry] = []
        while True:
            first = source.take(1)[0]
            if first != 0x47:
                break
            group, entry = _read_group(source, self.columns, self._decoder)
            entries.append(entry)
            yield group
            del group
        if first != 0x54:
            raise InvalidRowset('neither a group nor the trailer begins')
        trailer = b'\x54' + source.varuint()
        for _ in range(3 * len(entries)):
            trailer += source.varuint()
        trailer += source.take(4)
        if _parse_trailer(trailer) != entries:
            raise InvalidRowset('the trailer does not agree with the groups')
        if int.from_bytes(source.take(4), 'little') != len(trailer) + 4:
            raise InvalidRowset('the trailer has another size')
        if not source.is_at_end():
            raise InvalidRowset('bytes follow the rowset')

    def groups(self) -> Iterator[RowGroup]:
        """The row groups that weren't taken yet; one is in memory."""
        return self._groups

    def __iter__(self) -> Iterator[tuple]:
        """The rows of these groups."""
        return itertools.chain.from_iterable(self._groups)


def _options(unrepresentable: str, converters: Optional[Mapping],
             json_loads: Callable[[str], Any]) -> dict:
    if unrepresentable not in ('raise', 'text', 'none'):
        raise ValueError('unrepresentable is "raise", "text" or "none"')
    return {'unrepresentable': unrepresentable,
            'converters': converters or {}, 'json_loads': json_loads}


def loads(data: Bytes, *, unrepresentable: str = 'raise',
          converters: Optional[Mapping[Any, Callable[[Any], Any]]] = None,
          json_loads: Callable[[str], Any] = json.loads) -> Rowset:
    """Read a rowset from bytes.

    ``unrepresentable`` says what becomes of a value that is valid and has no
    place in Python's type, such as the date "infinity": "raise"
    CannotRepresent, its "text" as PostgreSQL prints it, or "none" for None.

    ``converters`` are functions for values of the types that are named, a
    built-in one by its OID, another by (schema, name).  They get the plain
    value: bool, int, float, Decimal, str, bytes or Binary.  Equal values may
    share what one call gave.

    ``json_loads`` makes values of json and jsonb; ``str`` leaves the text.

    Raises InvalidRowset, Unsupported.
    """
    return Rowset(data, **_options(unrepresentable, converters, json_loads))


def load(source: Union[BinaryIO, Iterable[Bytes]], *,
         unrepresentable: str = 'raise',
         converters: Optional[Mapping[Any, Callable[[Any], Any]]] = None,
         json_loads: Callable[[str], Any] = json.loads) -> RowsetStream:
    """Read a rowset from a binary file, or from an iterable of its pieces.

    One row group is in memory at a time.  The rest is as for loads().
    """
    return RowsetStream(source, **_options(unrepresentable, converters,
                                           json_loads))


# ----------------------------------------------------------------------------
# Packets (doc/packet_format.md)
# ----------------------------------------------------------------------------

class _Packet(NamedTuple):
    stream: int
    number: int
    is_last: bool
    payload: bytes


def _parse_packet(packet: Bytes) -> _Packet:
    if len(packet) < 23 or bytes(packet[:4]) != b'\xffRSP':
        raise InvalidRowset('the bytes are no packet')
    version, flags, stream, number = struct.unpack_from('<BBQI', packet, 4)
    if version != 1:
        raise Unsupported(f'packet format {version} is not supported')
    _check_crc(packet[:-4], int.from_bytes(packet[-4:], 'little'),
               'a packet')
    if flags > 1 or number == 0:
        raise InvalidRowset('a packet is impossible')
    return _Packet(stream, number, flags == 1, bytes(packet[18:-4]))


def order_packets(packets: Iterable[Bytes]) -> Iterator[bytes]:
    """The payloads of one stream's packets, in order, for load().

    The packets may come in any order and more than once; those that come too
    early wait in memory.  Raises InvalidRowset, also when some are missing.
    """
    waiting: Dict[int, _Packet] = {}
    seen: Dict[int, int] = {}
    stream = size = last = None
    following = 1
    for each in packets:
        packet = _parse_packet(each)
        number = packet.number
        stream = packet.stream if stream is None else stream
        if packet.stream != stream:
            raise InvalidRowset('packets are of different streams')
        crc = int.from_bytes(each[-4:], 'little')
        if number in seen:
            if seen[number] != crc:
                raise InvalidRowset('two packets have the same number')
            continue
        seen[number] = crc
        if packet.is_last:
            last = number if last is None else -1
        else:
            size = len(packet.payload) if size is None else size
            if size != len(packet.payload) or size < 42:
                raise InvalidRowset('packets are of different sizes')
        if last is not None and (last < 0 or max(seen) > last):
            raise InvalidRowset('a packet follows the last one')
        waiting[number] = packet
        while following in waiting:
            packet = waiting.pop(following)
            if packet.is_last and size and len(packet.payload) > size:
                raise InvalidRowset('the last packet is too large')
            following += 1
            yield packet.payload
    if last is None or following <= last:
        raise InvalidRowset('packets are missing')


def join_packets(packets: Iterable[Bytes]) -> bytes:
    """The rowset that was cut into these packets."""
    return b''.join(order_packets(packets))


if __name__ == '__main__':
    sys.exit('rowser is a module: import it')
