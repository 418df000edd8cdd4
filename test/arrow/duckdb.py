"""
DuckDB's library, as far as Arrow goes in and out of it by the C data interface.
"""

import ctypes
import glob

import pyarrow as pa

# The sizes of the interface's two structures, by its specification
SCHEMA_SIZE = 72
ARRAY_SIZE = 80
STREAM_SIZE = 40


def load():
    """The library, by the name under which Debian has it."""
    library = ctypes.CDLL(sorted(glob.glob('/usr/lib/*/libduckdb.so.*'))[-1])
    library.duckdb_query_arrow_error.restype = ctypes.c_char_p
    library.duckdb_library_version.restype = ctypes.c_char_p
    return library


class DuckDB:
    """One database in memory, and a connection."""

    def __init__(self):
        self.library = load()
        self.database = ctypes.c_void_p()
        self.connection = ctypes.c_void_p()
        self.check(self.library.duckdb_open(None, ctypes.byref(self.database)), 'duckdb_open')
        self.check(self.library.duckdb_connect(self.database, ctypes.byref(self.connection)), 'duckdb_connect')

    @staticmethod
    def check(state, what):
        """Raise where a call has failed."""
        if state != 0:
            raise RuntimeError(f'{what} failed')

    def scan(self, name, reader):
        """Have a reader's batches as a view; it is read once."""
        stream = ctypes.create_string_buffer(STREAM_SIZE)
        reader._export_to_c(ctypes.addressof(stream))       # pylint: disable=protected-access
        self.check(self.library.duckdb_arrow_scan(self.connection, name.encode(), stream), 'duckdb_arrow_scan')
        return stream

    def query(self, text):
        """The result of a statement as a table of Arrow."""
        result = ctypes.c_void_p()
        state = self.library.duckdb_query_arrow(self.connection, text.encode(), ctypes.byref(result))
        try:
            if state != 0:
                raise RuntimeError(self.library.duckdb_query_arrow_error(result).decode())
            return self.fetch(result)
        finally:
            self.library.duckdb_destroy_arrow(ctypes.byref(result))

    def fetch(self, result):
        """All batches of a result."""
        schema_memory = ctypes.create_string_buffer(SCHEMA_SIZE)
        pointer = ctypes.c_void_p(ctypes.addressof(schema_memory))
        self.check(self.library.duckdb_query_arrow_schema(result, ctypes.byref(pointer)), 'duckdb_query_arrow_schema')
        schema = pa.Schema._import_from_c(ctypes.addressof(schema_memory))  # pylint: disable=protected-access
        batches = []
        while True:
            memory = ctypes.create_string_buffer(ARRAY_SIZE)
            pointer = ctypes.c_void_p(ctypes.addressof(memory))
            self.check(self.library.duckdb_query_arrow_array(result, ctypes.byref(pointer)),
                       'duckdb_query_arrow_array')
            if int.from_bytes(memory.raw[64:72], 'little') == 0:
                break                   # without a function that releases it: the end
            batches.append(pa.RecordBatch._import_from_c(       # pylint: disable=protected-access
                ctypes.addressof(memory), schema))
        return pa.Table.from_batches(batches, schema)

    def close(self):
        """Let go of everything."""
        self.library.duckdb_disconnect(ctypes.byref(self.connection))
        self.library.duckdb_close(ctypes.byref(self.database))
