"""Stands in for `hashlib` while CPython's own tests run: it is `jlanes`."""

import jlanes as _jlanes
from jlanes import *
from jlanes import __getattr__  # scrypt

# CPython's tests also look up constructors by this private function.
__builtin_constructor_cache = {}


def __get_builtin_constructor(name):
    if not isinstance(name, str):
        raise TypeError(name)
    if name.lower() not in algorithms_guaranteed:
        raise ValueError("unsupported hash type " + name)
    return getattr(_jlanes, name.lower())
