"""Functions for DuckDB: `jlanes.duckdb.register(connection)`.

    >>> import duckdb, jlanes.duckdb
    >>> connection = duckdb.connect()
    >>> jlanes.duckdb.register(connection, ["sha512"])
    >>> connection.sql("select jlanes_sha512_hex('abc')").fetchall()[0][0][:8]
    'ddaf35a1'

Each algorithm has four functions. Those of sha512 are `jlanes_sha512(x)`, which returns a BLOB,
`jlanes_sha512_hex(x)`, which returns a VARCHAR, and `jlanes_hmac_sha512(key, x)` and
`jlanes_hmac_sha512_hex(key, x)`, which return tags. They accept VARCHAR, which is hashed as UTF-8, and BLOB,
and nothing else: cast other types. NULL stays NULL. They need pyarrow.

The functions are temporary macros, so a cursor of the connection needs a `register` of its own.
"""

import contextlib

import duckdb

from . import _jlanes, column

__all__ = ["register"]


def register(connection, algorithms=None):
    """Add the functions of these algorithms, by default of all, to a connection."""
    connection.execute(_BYTES)
    names = _jlanes.available if algorithms is None else algorithms
    for name in names:
        if algorithms is None and (not name.isidentifier() or name.startswith("shake")):
            continue
        _register(connection, name)


def _register(connection, name):
    word = name.replace("-", "_").replace(":", "_").replace(".", "_")
    column.digest(name, _nothing())  # raises an error for an unknown name

    def add(suffix, function, result, *arguments):
        # another cursor may have added it
        with contextlib.suppress(duckdb.NotImplementedException, duckdb.CatalogException):
            connection.create_function(
                f"_jlanes_{suffix}",
                function,
                ["BLOB"] * len(arguments),
                result,
                type="arrow",
                null_handling="special",
            )
        values = ", ".join(f"_jlanes_bytes({name})" for name in arguments)
        connection.execute(
            f"create or replace temp macro jlanes_{suffix}({', '.join(arguments)}) as "
            f"_jlanes_{suffix}({values})"
        )

    def digest(rows):
        return column.digest(name, rows)

    def digest_hex(rows):
        return column.digest_hex(name, rows)

    def hmac(key, rows):
        return column.hmac(_constant(key), rows, name)

    def hmac_hex(key, rows):
        return column.hmac_hex(_constant(key), rows, name)

    add(word, digest, "BLOB", "x")
    add(f"{word}_hex", digest_hex, "VARCHAR", "x")
    try:
        column.hmac(b"", _nothing(), name)
    except ValueError:
        return  # trees have no HMAC
    add(f"hmac_{word}", hmac, "BLOB", "key", "x")
    add(f"hmac_{word}_hex", hmac_hex, "VARCHAR", "key", "x")


# The bytes of a value. A function of Python without types would be given the inner form of every type, and
# one with the type BLOB whatever DuckDB casts to it.
_BYTES = """create or replace temp macro _jlanes_bytes(x) as case typeof(x)
    when 'VARCHAR' then encode(x::VARCHAR)
    when 'BLOB' then x::BLOB
    when '"NULL"' then NULL::BLOB
    else error('jlanes: cast the ' || typeof(x) || ' to VARCHAR or BLOB') end"""


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
        return key.as_py()
    return keys
