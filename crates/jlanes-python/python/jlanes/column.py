"""Columns: the digest, HMAC tag or derived key of every row.

A column is anything that hands itself over by Arrow's PyCapsule protocol: arrays and chunked arrays
of pyarrow, Series of polars and pandas, results of duckdb. It is read where it lies. Text and bytes
of all of Arrow's layouts are taken, and dictionaries of them, of which each value is hashed once.
Null stays null. The result is a column of the same package, or an ArrowColumn that hands itself over.

Functions are named after what they return: `sha256` gives bytes, `sha256_hex` text.

    >>> import pyarrow
    >>> from jlanes import column
    >>> column.sha256_hex(pyarrow.array(["abc", None]))[0].as_py()[:8]
    'ba7816bf'
"""

import sys

from . import _jlanes
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


def digest(name, column, *, key=None, hex=False, threads=1):
    """The digest of every row under the algorithm with this name, as bytes.

    *key* is the algorithm's own key, which BLAKE2 and BLAKE3 have; for HMAC there is `hmac`.
    """
    return _like(column, _jlanes.column_digest(name, column, key, hex, threads))


def digest_hex(name, column, *, key=None, threads=1):
    """The digest of every row under the algorithm with this name, in hexadecimal."""
    return digest(name, column, key=key, hex=True, threads=threads)


def hmac(key, column, name, *, hex=False, threads=1):
    """The HMAC tag of every row. *key* is bytes, or a column with a key for each row."""
    return _like(column, _jlanes.column_hmac(key, column, name, hex, threads))


def hmac_hex(key, column, name, *, threads=1):
    """The HMAC tag of every row, in hexadecimal."""
    return hmac(key, column, name, hex=True, threads=threads)


def pbkdf2(name, passwords, salt, iterations, dklen=None, *, hex=False, threads=1):
    """A key derived from every row with PBKDF2 and HMAC. *salt* is bytes, or a column of them."""
    made = _jlanes.column_pbkdf2(name, passwords, salt, iterations, dklen, hex, threads)
    return _like(passwords, made)


def pbkdf2_hex(name, passwords, salt, iterations, dklen=None, *, threads=1):
    """A key derived from every row with PBKDF2 and HMAC, in hexadecimal."""
    return pbkdf2(name, passwords, salt, iterations, dklen, hex=True, threads=threads)


def verify(name, column, expected, *, threads=1):
    """Whether the digest of every row is the one in *expected*: bytes, or hexadecimal if it is text.

    The time that it takes tells nothing about the digests.
    """
    return _like(column, _jlanes.column_verify(name, column, expected, None, threads))


def verify_hmac(key, column, name, expected, *, threads=1):
    """Whether the HMAC tag of every row is the one in *expected*."""
    return _like(column, _jlanes.column_verify(name, column, expected, key, threads))


def row_digest(name, table, *, hex=False, threads=1):
    """One digest of every row of a table, of all its columns together.

    Text of any layout counts as the same, and so do bytes, so that two tables from different
    programs have equal digests where they have equal rows. Numbers of different types differ. How a
    row is encoded is documented by the crate jlanes-columns.
    """
    return _like(table, _jlanes.column_rows(name, table, hex, threads))


def row_digest_hex(name, table, *, threads=1):
    """One digest of every row of a table, in hexadecimal."""
    return row_digest(name, table, hex=True, threads=threads)


class _Once:
    """Hands a column over without a copy, to one reader."""

    def __init__(self, column):
        self._column = column

    def __arrow_c_stream__(self, requested_schema=None):
        return self._column._stream()


def _like(given, made):
    """The column *made* as one of the package that *given* comes from."""
    package = type(given).__module__.partition(".")[0]
    module = sys.modules.get(package)
    if package == "pyarrow":
        chunked = module.chunked_array(_Once(made))
        one = isinstance(given, (module.Array, module.RecordBatch))
        return chunked.combine_chunks() if one else chunked
    if package == "polars":
        name = given.name if isinstance(given, module.Series) else ""
        return module.Series(_Once(made)).alias(name)
    if package == "pandas":
        import pyarrow

        array = pyarrow.chunked_array(_Once(made))
        values = module.arrays.ArrowExtensionArray(array)
        return module.Series(values, index=given.index, name=getattr(given, "name", None))
    return made


def _functions(name):
    """A function for an algorithm, and one for its hexadecimal digests."""

    def raw(column, *, hex=False, threads=1):
        return digest(name, column, hex=hex, threads=threads)

    def text(column, *, threads=1):
        return digest(name, column, hex=True, threads=threads)

    raw.__name__ = raw.__qualname__ = name
    raw.__doc__ = f"The {name} digest of every row, as bytes, or as text if *hex* is true."
    text.__name__ = text.__qualname__ = f"{name}_hex"
    text.__doc__ = f"The {name} digest of every row, in hexadecimal."
    return raw, text


for _name in _jlanes.available:
    if _name.isidentifier() and not _name.startswith("shake"):
        globals()[_name], globals()[f"{_name}_hex"] = _functions(_name)
        __all__ += [_name, f"{_name}_hex"]
del _name
