"""What run-speed measures: each way to get the table lineitem, the best of
five times."""

import time

import psycopg

import rowser

RUNS = 5


def measure(name, size, run):
    best = None
    for _ in range(RUNS):
        wall, cpu = time.perf_counter(), time.process_time()
        run()
        spent = time.perf_counter() - wall, time.process_time() - cpu
        best = min(best or spent, spent)
    print(f'| {name} | {size} | {best[0]:.2f} | {best[1]:.2f} |', flush=True)


def main():
    conn = psycopg.connect(autocommit=True)

    def rowset():
        return conn.execute("SELECT table_to_rowset('lineitem')",
                            binary=True).fetchone()[0]

    rows = conn.execute('SELECT count(*) FROM lineitem').fetchone()[0]
    want = conn.execute('SELECT * FROM lineitem', binary=True).fetchall()
    assert list(rowser.loads(rowset())) == want
    del want
    print(f'| {rows} rows | bytes | s | s of the client\'s processor |')
    print('|---|---|---|---|')
    for method in ('none', 'lz4', 'zstd'):
        conn.execute(f"SET rowser.compression = '{method}'")
        data = rowset()
        measure(f'rowset ({method}) fetched, read by rows', len(data),
                lambda: list(rowser.loads(rowset())))
        measure(f'rowset ({method}) read by rows', len(data),
                lambda: list(rowser.loads(data)))
        measure(f'rowset ({method}) read by columns', len(data),
                lambda: rowser.loads(data).to_dict())
        measure(f'rowset ({method}), one column of 16', len(data),
                lambda: rowser.loads(data).column('l_partkey'))
    kind = 'C' if psycopg.pq.__impl__ != 'python' else 'Python'
    for binary, form in ((True, 'binary'), (False, 'text')):
        measure(f'psycopg {psycopg.__version__} ({kind}), {form}', '',
                lambda: conn.execute('SELECT * FROM lineitem',
                                     binary=binary).fetchall())
    try:
        import psycopg2
    except ImportError:
        return
    with psycopg2.connect('') as other, other.cursor() as cursor:
        def fetch():
            cursor.execute('SELECT * FROM lineitem')
            return cursor.fetchall()
        measure(f'psycopg2 {psycopg2.__version__.split()[0]} (C), text', '',
                fetch)


if __name__ == '__main__':
    main()
