"""Columns: the digest, HMAC tag or derived key of each row.

A column is an object with Arrow's PyCapsule protocol: an array or chunked array of pyarrow, a Series of
polars or pandas, a result of duckdb. It is read without a copy. Columns of text and bytes in all layouts
of Arrow are accepted, and dictionaries of them; each value of a dictionary is hashed once. Null stays
null. The result is a column of the same package, or an ArrowColumn, which has the protocol too.

The name of a function says what it returns: `sha256` gives bytes, `sha256_hex` text.

    >>> import pyarrow
    >>> from jlanes import column
    >>> column.sha256_hex(pyarrow.array(["abc", None]))[0].as_py()[:8]
    'ba7816bf'
"""

import sys

from . import _functions, _jlanes
from ._jlanes import ArrowColumn

__all__ = [
    "ArrowColumn",
    "digest",
    "digest_hex",
    "hmac",
    "hmac_hex",
    "pbkdf2",
    "pbkdf2_hex",
    "row_digest",
    "row_digest_hex",
    "verify",
    "verify_hmac",
]


def digest(name, column, *, prefix=None, key=None, hex=False, threads=1):
    """The digest of each row with the algorithm of this name, as bytes.

    Every message begins with *prefix*, which is hashed once. *key* is the key of BLAKE2, BLAKE3 or Skein. For HMAC
    use `hmac`.
    """
    return _like(column, _jlanes.column_digest(name, column, prefix, key, hex, threads))


def digest_hex(name, column, *, prefix=None, key=None, threads=1):
    """The digest of each row with the algorithm of this name, in hexadecimal."""
    return digest(name, column, prefix=prefix, key=key, hex=True, threads=threads)


def hmac(key, column, name, *, hex=False, threads=1):
    """The HMAC tag of each row. *key* is bytes, or a column with a key for each row."""
    return _like(column, _jlanes.column_hmac(key, column, name, hex, threads))


def hmac_hex(key, column, name, *, threads=1):
    """The HMAC tag of each row, in hexadecimal."""
    return hmac(key, column, name, hex=True, threads=threads)


def pbkdf2(name, passwords, salt, iterations, dklen=None, *, hex=False, threads=1):
    """A key derived from each row with PBKDF2 and HMAC. *salt* is bytes, or a column of salts."""
    made = _jlanes.column_pbkdf2(name, passwords, salt, iterations, dklen, hex, threads)
    return _like(passwords, made)


def pbkdf2_hex(name, passwords, salt, iterations, dklen=None, *, threads=1):
    """A key derived from each row with PBKDF2 and HMAC, in hexadecimal."""
    return pbkdf2(name, passwords, salt, iterations, dklen, hex=True, threads=threads)


def verify(name, column, expected, *, threads=1):
    """Whether each row has the digest in the same row of *expected*, a column of bytes or hexadecimal text.

    The comparison takes the same time for all digests.
    """
    return _like(column, _jlanes.column_verify(name, column, expected, None, threads))


def verify_hmac(key, column, name, expected, *, threads=1):
    """Whether each row has the HMAC tag in the same row of *expected*."""
    return _like(column, _jlanes.column_verify(name, column, expected, key, threads))


def row_digest(name, table, *, hex=False, threads=1):
    """One digest for each row of a table, over all its columns.

    Equal rows have equal digests, also in tables of different programs: the layout of text and bytes does
    not matter. Numbers of different types differ. The crate jlanes-columns documents the encoding of a
    row.
    """
    return _like(table, _jlanes.column_rows(name, table, hex, threads))


def row_digest_hex(name, table, *, threads=1):
    """One digest for each row of a table, in hexadecimal."""
    return row_digest(name, table, hex=True, threads=threads)


class _Once:
    """Exports a column once, without a copy."""

    def __init__(self, column):
        self._column = column

    def __arrow_c_stream__(self, requested_schema=None):
        return self._column._stream()


# the functions of `_like` for types that were seen: to tell the package takes longer than hashing a short column
_MADE = {}


def _like(given, made):
    """The column *made* as a column of the package of *given*."""
    kind = type(given)
    if (make := _MADE.get(kind)) is None:
        make = _MADE[kind] = _maker(kind)
    return make(given, made)


def _maker(kind):
    package = kind.__module__.partition(".")[0]
    module = sys.modules.get(package)
    if package == "pyarrow":
        if issubclass(kind, (module.Array, module.RecordBatch)):
            return _arrow_array
        return lambda _, made: module.chunked_array(_Once(made))
    if package == "polars":
        return _polars_series
    if package == "pandas":
        return _pandas_series
    return lambda _, made: made


def _arrow_array(given, made):
    import pyarrow

    if (one := made._array()) is not None:  # an array takes half of the time of a stream
        return pyarrow.array(one)
    return pyarrow.chunked_array(_Once(made)).combine_chunks()


def _polars_series(given, made):
    import polars

    name = given.name if isinstance(given, polars.Series) else ""
    return polars.Series(_Once(made)).alias(name)


def _pandas_series(given, made):
    import pandas
    import pyarrow

    values = pandas.arrays.ArrowExtensionArray(pyarrow.chunked_array(_Once(made)))
    # a column of a frame is an attribute of it, too
    name = given.name if isinstance(given, pandas.Series) else None
    return pandas.Series(values, index=given.index, name=name)


def _both(name):
    def raw(column, *, hex=False, threads=1):
        return digest(name, column, hex=hex, threads=threads)

    def text(column, *, threads=1):
        return digest(name, column, hex=True, threads=threads)

    return raw, text


_functions.add(globals(), _both)
