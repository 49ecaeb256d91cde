"""Expressions for polars: `import jlanes.polars` adds the namespace `jlanes` to them.

    >>> import polars, jlanes.polars
    >>> frame = polars.DataFrame({"x": ["abc", None]})
    >>> frame.select(polars.col("x").jlanes.sha256_hex())["x"][0][:8]
    'ba7816bf'

The name of a method says what it returns: `sha256` gives Binary, `sha256_hex` String. The expressions are
elementwise, so they stream, and run on the threads of polars. Null stays null.
"""

import operator
from pathlib import Path

import polars
from polars.plugins import register_plugin_function

from . import _jlanes

__all__ = ["Jlanes", "row_digest", "row_digest_hex"]

_LIBRARY = Path(_jlanes.__file__)


def _call(args, name, *, all_columns=False, **kwargs):
    return register_plugin_function(
        plugin_path=_LIBRARY,
        function_name="jlanes",
        args=args,
        kwargs={"name": _jlanes.algorithm_name(name), **kwargs},
        is_elementwise=True,
        # otherwise polars makes a call for each column of an expression with several
        input_wildcard_expansion=all_columns,
        use_abs_path=False,  # a path within the environment, so that plans work on other machines
    )


def _keyed(args, key, name, **kwargs):
    """A call with a key or salt: a name, bytes, or a column."""
    if isinstance(key, (polars.Expr, polars.Series)):
        return _call([*args, key], name, **kwargs)
    if isinstance(key, str):
        return _call(args, name, key_name=key, **kwargs)
    return _call(args, name, key=_jlanes.to_bytes(key), **kwargs)


def row_digest(name, *columns, hex=False):
    """One digest for each row, over all these columns, with the algorithm of this name.

    Each column is a name, an expression, or a list of them. An expression or selector of several columns
    stands for them in order: `row_digest("sha256", polars.all())` is over all columns. The result has the
    name of the first. Equal rows have equal digests, also in other programs; the crate jlanes-columns
    documents the encoding of a row.
    """
    columns = [c for given in columns for c in (given if isinstance(given, (list, tuple)) else [given])]
    if not columns:
        raise TypeError("the columns are missing: row_digest(name, polars.all()) has all of them")
    return _call(columns, name, all_columns=True, what="rows", hex=hex)


def row_digest_hex(name, *columns):
    """One digest for each row, over all these columns, in hexadecimal."""
    return row_digest(name, *columns, hex=True)


@polars.api.register_expr_namespace("jlanes")
class Jlanes:
    """Digests of the rows of an expression of text or bytes."""

    def __init__(self, expr):
        self._expr = expr

    def digest(self, name, *, hex=False):
        """The digest of each row with the algorithm of this name."""
        return _call([self._expr], name, what="digest", hex=hex)

    def digest_hex(self, name):
        """The digest of each row with the algorithm of this name, in hexadecimal."""
        return self.digest(name, hex=True)

    def hmac(self, key, name, *, hex=False):
        """The HMAC tag of each row. *key* is bytes, an expression, or the name of a key.

        Bytes are a part of the plan, and `serialize` shows them. A name keeps them out of it: the process
        that computes reads the key from the file of that name in the folder of the environment variable
        JLANES_KEYS, or else from the variable JLANES_KEY_NAME, in hexadecimal.
        """
        return _keyed([self._expr], key, name, what="hmac", hex=hex)

    def hmac_hex(self, key, name):
        """The HMAC tag of each row, in hexadecimal."""
        return self.hmac(key, name, hex=True)

    def pbkdf2(self, name, salt, iterations, dklen=None, *, hex=False):
        """A key derived from each row with PBKDF2 and HMAC. *salt* is given as *key* of `hmac`."""
        if not 1 <= iterations < 2**31:
            raise ValueError("iterations must be 1 to 2^31 - 1")
        if dklen is not None and not 1 <= dklen < 2**31:
            raise ValueError("dklen must be 1 to 2^31 - 1")
        # the plugin reads Python's own integers only
        iterations, dklen = (n if n is None else int(operator.index(n)) for n in (iterations, dklen))
        return _keyed(
            [self._expr], salt, name, what="pbkdf2", hex=hex, iterations=iterations, dklen=dklen
        )

    def pbkdf2_hex(self, name, salt, iterations, dklen=None):
        """A key derived from each row with PBKDF2 and HMAC, in hexadecimal."""
        return self.pbkdf2(name, salt, iterations, dklen, hex=True)

    def verify(self, name, expected):
        """Whether each row has the expected digest: bytes, or hexadecimal text."""
        return _call([self._expr, expected], name, what="verify")

    def verify_hmac(self, key, name, expected):
        """Whether each row has the expected HMAC tag. *key* is given as in `hmac`."""
        return _keyed([self._expr, expected], key, name, what="verify")


def _add_methods():
    def methods(name):
        def raw(self):
            return self.digest(name)

        def text(self):
            return self.digest(name, hex=True)

        raw.__name__, text.__name__ = name, f"{name}_hex"
        raw.__doc__ = f"The {name} digest of each row."
        text.__doc__ = f"The {name} digest of each row, in hexadecimal."
        return raw, text

    for name in _jlanes.available:
        if name.isidentifier() and not name.startswith("shake"):
            for method in methods(name):
                setattr(Jlanes, method.__name__, method)


_add_methods()
