"""Functions for DuckDB: `jlanes.duckdb.register(connection)`.

    >>> import duckdb, jlanes.duckdb
    >>> connection = duckdb.connect()
    >>> jlanes.duckdb.register(connection, ["sha512"])
    >>> connection.sql("select jlanes_sha512_hex('abc')").fetchall()[0][0][:8]
    'ddaf35a1'

Each algorithm has four functions. Those of sha512 are `jlanes_sha512(x)`, which returns a BLOB,
`jlanes_sha512_hex(x)`, which returns a VARCHAR, and `jlanes_hmac_sha512(key, x)` and
`jlanes_hmac_sha512_hex(key, x)`, which return tags. They accept VARCHAR and BLOB; NULL stays NULL. They
need pyarrow.
"""

from . import _jlanes, column

__all__ = ["register"]


def register(connection, algorithms=None):
    """Add the functions of these algorithms, by default of all, to a connection."""
    names = _jlanes.available if algorithms is None else algorithms
    for name in names:
        if algorithms is None and (not name.isidentifier() or name.startswith("shake")):
            continue
        _register(connection, name)


def _register(connection, name):
    word = name.replace("-", "_").replace(":", "_").replace(".", "_")
    column.digest(name, _nothing())  # raises an error for an unknown name

    def add(suffix, function, result):
        connection.create_function(
            f"jlanes_{suffix}", function, None, result, type="arrow", null_handling="special"
        )

    def digest(rows):
        return column.digest(name, rows)

    def digest_hex(rows):
        return column.digest_hex(name, rows)

    def hmac(key, rows):
        return column.hmac(_constant(key), rows, name)

    def hmac_hex(key, rows):
        return column.hmac_hex(_constant(key), rows, name)

    add(word, digest, "BLOB")
    add(f"{word}_hex", digest_hex, "VARCHAR")
    try:
        column.hmac(b"", _nothing(), name)
    except ValueError:
        return  # trees have no HMAC
    add(f"hmac_{word}", hmac, "BLOB")
    add(f"hmac_{word}_hex", hmac_hex, "VARCHAR")


def _nothing():
    import pyarrow

    return pyarrow.array([b""])


def _constant(keys):
    """The key, if all rows have the same, or else the column of keys."""
    from pyarrow import compute

    if len(keys) == 0 or keys.null_count:
        return keys
    key = keys[0]
    if compute.all(compute.equal(keys, key)).as_py():
        value = key.as_py()
        return value.encode() if isinstance(value, str) else value
    return keys
