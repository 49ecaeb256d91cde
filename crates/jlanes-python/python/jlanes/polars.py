"""Expressions for polars: `import jlanes.polars` adds the namespace `jlanes` to them.

    >>> import polars, jlanes.polars
    >>> frame = polars.DataFrame({"x": ["abc", None]})
    >>> frame.select(polars.col("x").jlanes.sha256_hex())["x"][0][:8]
    'ba7816bf'

Methods are named after what they return: `sha256` gives Binary, `sha256_hex` String. They work row by
row, so that they stream, and on the threads of polars. Null stays null.
"""

from pathlib import Path

import polars
from polars.plugins import register_plugin_function

from . import _jlanes

__all__ = ["Jlanes", "row_digest", "row_digest_hex"]

_LIBRARY = Path(_jlanes.__file__)


def _call(args, **kwargs):
    return register_plugin_function(
        plugin_path=_LIBRARY,
        function_name="jlanes",
        args=args,
        kwargs=kwargs,
        is_elementwise=True,
        use_abs_path=False,  # from the environment's folder on, if it is in there: plans travel
    )


def _keyed(args, key, **kwargs):
    """A call with a key, or salt: a name or bytes for all rows, or a column."""
    if isinstance(key, (polars.Expr, polars.Series)):
        return _call([*args, key], **kwargs)
    if isinstance(key, str):
        return _call(args, key_name=key, **kwargs)
    return _call(args, key=_jlanes.to_bytes(key), **kwargs)


def row_digest(name, *columns, hex=False):
    """One digest of every row of these columns together, under the algorithm with this name.

    Each is the name of a column or an expression. Rows of other programs have the same digests, if
    they have the same values; the crate jlanes-columns documents how they are encoded.
    """
    return _call(list(columns), what="rows", name=name, hex=hex)


def row_digest_hex(name, *columns):
    """One digest of every row of these columns together, in hexadecimal."""
    return row_digest(name, *columns, hex=True)


@polars.api.register_expr_namespace("jlanes")
class Jlanes:
    """Digests of the rows of an expression of text or bytes."""

    def __init__(self, expr):
        self._expr = expr

    def digest(self, name, *, hex=False):
        """The digest of every row under the algorithm with this name."""
        return _call([self._expr], what="digest", name=name, hex=hex)

    def digest_hex(self, name):
        """The digest of every row under the algorithm with this name, in hexadecimal."""
        return self.digest(name, hex=True)

    def hmac(self, key, name, *, hex=False):
        """The HMAC tag of every row. *key* is bytes, an expression, or the name of a key.

        Bytes become a part of the plan, where `serialize` shows them. A name does not: the process that
        computes takes the key from the file of that name in the folder that the environment variable
        JLANES_KEYS names, or else from JLANES_KEY_NAME, in hexadecimal.
        """
        return _keyed([self._expr], key, what="hmac", name=name, hex=hex)

    def hmac_hex(self, key, name):
        """The HMAC tag of every row, in hexadecimal."""
        return self.hmac(key, name, hex=True)

    def pbkdf2(self, name, salt, iterations, dklen=None, *, hex=False):
        """A key derived from every row with PBKDF2 and HMAC. *salt* is as the key of `hmac`."""
        if not 1 <= iterations < 2**31:
            raise ValueError("iterations are 1 to 2^31 - 1")
        if dklen is not None and not 1 <= dklen < 2**31:
            raise ValueError("a derived key has 1 to 2^31 - 1 bytes")
        return _keyed(
            [self._expr], salt, what="pbkdf2", name=name, hex=hex, iterations=iterations, dklen=dklen
        )

    def pbkdf2_hex(self, name, salt, iterations, dklen=None):
        """A key derived from every row with PBKDF2 and HMAC, in hexadecimal."""
        return self.pbkdf2(name, salt, iterations, dklen, hex=True)

    def verify(self, name, expected):
        """Whether the digest of every row is the expected one, raw or, if it is text, hexadecimal."""
        return _call([self._expr, expected], what="verify", name=name)

    def verify_hmac(self, key, name, expected):
        """Whether the HMAC tag of every row under a key, as that of `hmac`, is the expected one."""
        return _keyed([self._expr, expected], key, what="verify", name=name)


def _add_methods():
    def methods(name):
        def raw(self):
            return self.digest(name)

        def text(self):
            return self.digest(name, hex=True)

        raw.__name__, text.__name__ = name, f"{name}_hex"
        raw.__doc__ = f"The {name} digest of every row."
        text.__doc__ = f"The {name} digest of every row, in hexadecimal."
        return raw, text

    for name in _jlanes.available:
        if name.isidentifier() and not name.startswith("shake"):
            for method in methods(name):
                setattr(Jlanes, method.__name__, method)


_add_methods()
