#!/usr/bin/python3
"""Broken bytes: clients/python/rowser.py says so, and says nothing else.

Golden rowsets and packets, cut off everywhere, and with bits turned, bytes
replaced and pieces exchanged, with the checksums believed, so that what they
protect is reached.  Nothing but the module's own errors may come of them, in
little memory.

    hostile.py            a few seconds, the same inputs each time
    hostile.py SECONDS    as long as that, others each time
"""

import itertools
import pathlib
import random
import resource
import struct
import sys
import time

from tally import Tally
import rowser

VALID = pathlib.Path(__file__).parent.parent / 'golden/version_1/valid'
ROUNDS = 6000
MEMORY = 1 << 30
ROWS = 20_000


def read(data):
    """Read some rows, in one of the ways."""
    rowset = rowser.loads(data, unrepresentable='text')
    for _ in itertools.islice(rowset, ROWS):
        pass
    for i in range(min(len(rowset.columns), 3)):
        for group in itertools.islice(rowset.groups(), 2):
            group.bounds(i)
            if len(group) < ROWS:
                group.column(i)


def stream(data):
    for _ in itertools.islice(rowser.load([data], unrepresentable='text'),
                              ROWS):
        pass


def refuses(how, data):
    """None, or what went wrong when reading these bytes."""
    try:
        how(data)
    except rowser.Error:
        return True
    except Exception as error:
        return f'{how.__name__}: {error!r} of {data.hex()[:400]}'
    return False


def mutate(rng, data, other):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(data))
        kind = rng.randrange(6)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at] = rng.choice((0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF))
        elif kind == 2:
            data[at:at + 2] = rng.randbytes(2)
        elif kind == 3:
            del data[at:at + rng.randrange(1, 9)]
        elif kind == 4:
            data[at:at] = b'\xff\xff\xff\xff\x0f'[:rng.randrange(1, 6)]
        else:
            start = rng.randrange(len(other))
            size = rng.randrange(1, 20)
            data[at:at + size] = other[start:start + size]
        if not data:
            return b''
    return bytes(data)


def check_truncations(tally, files):
    """Each beginning of each small file is refused."""
    for name, data in files.items():
        wrong = None
        for size in range(min(len(data), 300)):
            for how in (read, stream):
                found = refuses(how, data[:size])
                if found is not True:
                    wrong = wrong or f'{size} bytes: {found}'
        tally.check(f'{name} cut off', wrong, None)


def check_flips(tally, files):
    """Each bit of a file is under a checksum, or its change is seen."""
    for name, data in files.items():
        wrong = None
        for at in range(0, len(data), max(1, len(data) // 60)):
            broken = bytearray(data)
            broken[at] ^= 1 << at % 8
            found = refuses(rowser_check, bytes(broken))
            # The minor version may be any, and is under the checksum.
            if found is not True:
                wrong = wrong or f'byte {at}: {found}'
        tally.check(f'{name} with bits turned', wrong, None)


def rowser_check(data):
    rowser.loads(data, unrepresentable='text').check()


def check_mutations(tally, files, seconds):
    """With checksums believed, whatever comes is an error of the module's."""
    rng = random.Random(None if seconds else 1)
    inputs = list(files.values())
    until = time.monotonic() + (seconds or 3600)
    believed = rowser._check_crc
    rowser._check_crc = lambda *_: None
    rounds = refused = 0
    slowest = 0.0
    wrong = []
    while rounds < ROUNDS or seconds:
        if time.monotonic() > until or len(wrong) > 5:
            break
        data = mutate(rng, rng.choice(inputs), rng.choice(inputs))
        begun = time.process_time()
        found = refuses(rng.choice((read, stream)), data)
        slowest = max(slowest, time.process_time() - begun)
        rounds += 1
        if isinstance(found, str):
            wrong.append(found)
        refused += found is True
    rowser._check_crc = believed
    print(f'{rounds} mutations, {refused} of them refused, the slowest in '
          f'{slowest:.2f} s')
    for message in wrong:
        tally.failed(message)
    tally.check('mutations do no harm', len(wrong), 0)
    tally.check('most mutations are refused', refused * 10 > rounds * 6, True)
    tally.check('no mutation takes long', slowest < 10, True)


def claims():
    """Few bytes that stand for much: a billion rows, long runs, and images."""
    def varuint(value):
        out = b''
        while value > 0x7F:
            out += bytes([value & 0x7F | 0x80])
            value >>= 7
        return out + bytes([value])

    def crc(data):
        return data + struct.pack('<I', rowser._crc32c(data))

    def rowset(types, node, rows, groups):
        body = b'\x04UTF8' + varuint(len(types)) + b''.join(
            b'\x01c' + type_ for type_ in types)
        header = crc(b'\xffRS\r\n\0\1\0' + varuint(len(body) + 4) + body)
        rest = varuint(0) + varuint(rows) + varuint(0) + node
        group = crc(b'\x47' + varuint(len(rest) + 4) + rest)
        entry = varuint(len(group)) * 2 + varuint(rows)
        trailer = crc(b'\x54' + varuint(groups) + entry * groups)
        return (header + group * groups + trailer
                + struct.pack('<I', len(trailer) + 4))

    million = 1 << 20
    delta2 = b'\x05\x02\x02\x00\x00\x00'
    return {
        'a billion rows': rowset([], b'', million, 1000),
        'a constant': rowset([b'\x05\x14'], b'\x01\x02', million, 1000),
        'many columns': rowset([b'\x05\x14'] * 1600, delta2 * 1600, million,
                               30)}


def check_claims(tally):
    """They can be read row by row, and are refused as a whole."""
    for name, data in claims().items():
        rowset = rowser.loads(data)
        rows = sum(1 for _ in itertools.islice(rowset, 3000))
        tally.check(f'{name}, first rows', rows, 3000)
        if rowset.columns:
            try:
                rowset.column(0)
            except rowser.Unsupported:
                tally.check(f'{name}, a column', True, True)
            else:
                tally.check(f'{name}, a column', 'read', 'refused')
    huge = b'\xffRS\r\n\0\1\0' + b'\xff' * 9 + b'\x01'
    for how in (read, stream):
        tally.check(f'a size of 2^64, {how.__name__}', refuses(how, huge),
                    True)


def cut(data, size, stream_id=7):
    """Packets of a rowset, as doc/packet_format.md says."""
    out = []
    for number, at in enumerate(range(0, len(data), size), 1):
        packet = struct.pack('<4sBBQI', b'\xffRSP', 1,
                             int(at + size >= len(data)), stream_id, number)
        packet += data[at:at + size]
        out.append(packet + struct.pack('<I', rowser._crc32c(packet)))
    return out


def check_packets(tally, data):
    packets = cut(data, 64)
    rng = random.Random(2)
    shuffled = packets + packets[:3]
    rng.shuffle(shuffled)
    tally.check('packets', rowser.join_packets(packets), data)
    tally.check('packets in any order and twice',
                rowser.join_packets(shuffled), data)
    tally.check('rows out of packets',
                list(rowser.load(rowser.order_packets(shuffled))),
                list(rowser.loads(data)))
    others = cut(data[::-1], 64)
    bad = {'one missing': packets[:3] + packets[4:],
           'the last missing': packets[:-1],
           'none': [],
           'one of another stream': packets[:2] + cut(data, 64, 8)[2:],
           'another one of the same number': packets + others[:1],
           'two that are the last': packets + cut(data + b'x' * 64, 64)[-1:],
           'of another size': packets[:3] + cut(data, 80)[3:],
           'too small': cut(data, 41),
           'cut off': [packet[:-1] for packet in packets],
           'of no bytes': [b''],
           'number 0': [b'\xffRSP\1\0' + bytes(20)],
           'one with a bit turned': packets[:1] + [
               packets[1][:30] + b'!' + packets[1][31:]] + packets[2:]}
    for name, some in bad.items():
        try:
            rowser.join_packets(some)
        except rowser.InvalidRowset:
            tally.check(f'packets, {name}', True, True)
        except Exception as error:
            tally.failed(f'packets, {name}: {error!r}')
        else:
            tally.failed(f'packets, {name}: joined')


def check_checksum(tally):
    """The fast way gives what a table gives, and what the standard says."""
    def by_table(data):
        crc = 0xFFFFFFFF
        for byte in data:
            crc = crc >> 8 ^ rowser._crc_table()[crc & 0xFF ^ byte]
        return crc ^ 0xFFFFFFFF

    rng = random.Random(3)
    tally.check('CRC-32C of 123456789', rowser._crc32c(b'123456789'),
                0xE3069283)
    for size in [*range(1690, 1700), 3389, 5000, 6778, 99_999, 300_001]:
        data = rng.randbytes(size)
        tally.check(f'CRC-32C of {size} bytes', rowser._crc32c(data),
                    by_table(data))


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    tally = Tally()
    files = {path.stem: path.read_bytes()
             for path in sorted(VALID.glob('*.rowset'))}
    check_checksum(tally)
    check_truncations(tally, dict(itertools.islice(files.items(), 0, None, 5)))
    check_flips(tally, files)
    check_claims(tally)
    check_packets(tally, files['zstd_groups'])
    check_mutations(tally, files, seconds)
    return tally.end()


if __name__ == '__main__':
    sys.exit(main())
