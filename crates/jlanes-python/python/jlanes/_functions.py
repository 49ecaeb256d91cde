"""The functions that `column` and `spark` have for each algorithm: `sha256` and `sha256_hex`."""

from . import _jlanes


def add(module, functions):
    """Adds them to the names of *module*. *functions* makes the two of an algorithm."""
    for name in _jlanes.available:
        if name.isidentifier() and not name.startswith("shake"):
            raw, text = functions(name)
            raw.__doc__ = f"The {name} digest of each row, as bytes, or as text if *hex* is true."
            text.__doc__ = f"The {name} digest of each row, in hexadecimal."
            for function, full in ((raw, name), (text, f"{name}_hex")):
                function.__name__ = function.__qualname__ = full
                module[full] = function
                module["__all__"].append(full)
