"""Columns and manifests for Spark 4: digests are computed by its Python workers, batch by batch::

    frame.select("id", jlanes.spark.sha512_hex("name"))
    jlanes.spark.manifest(spark.read.text("paths.txt")).write.parquet("manifest")

Functions are named after what they return: `sha512` gives BINARY, `sha512_hex` STRING. They take
columns of text and bytes, or their names; NULL stays NULL. No row becomes an object of Python's, and
none goes through pandas. jlanes must be installed where the workers are.

Keys of HMAC are given by name. Each worker takes the bytes from the file of that name in the folder
that its environment variable JLANES_KEYS names, or else from JLANES_KEY_NAME, in hexadecimal.
"""

from . import _engines, _jlanes, column

__all__ = ["digest", "digest_hex", "hmac", "hmac_hex", "manifest"]


def digest(name, rows, *, hex=False):
    """The digest of every row under the algorithm with this name: a Column."""
    _engines.algorithms(name)
    return _udf(lambda array: column.digest(name, array, hex=hex), hex)(rows)


def digest_hex(name, rows):
    """The digest of every row under the algorithm with this name, in hexadecimal."""
    return digest(name, rows, hex=True)


def hmac(key, rows, name, *, hex=False):
    """The HMAC tag of every row: a Column. *key* is the name of a key that the workers have."""
    _engines.algorithms(name)
    if not isinstance(key, str):
        raise TypeError("the name of a key is required; its bytes would be in the plan")
    return _udf(lambda array: column.hmac(_engines.key(key), array, name, hex=hex), hex)(rows)


def hmac_hex(key, rows, name):
    """The HMAC tag of every row, in hexadecimal."""
    return hmac(key, rows, name, hex=True)


def manifest(paths, algorithms="sha256"):
    """A manifest of files, from a DataFrame with one column of their paths or file:// URLs.

    There is a row for each file and algorithm, with `url`, `size`, `algorithm`, `digest` and `error`; a
    file that cannot be read has an error. Each file is read once, by the worker that has its row: all
    workers must see the same files. Rows are batches of spark.sql.execution.arrow.maxRecordsPerBatch.
    """
    if len(paths.columns) != 1:
        raise ValueError("a DataFrame with one column, of paths, is required")
    names = _engines.algorithms(algorithms)

    def rows(batches):
        for batch in batches:
            yield _engines.manifest(batch.column(0).to_pylist(), names, False)

    schema = "url string, size bigint, algorithm string, digest binary, error string"
    return paths.mapInArrow(rows, schema)


def _udf(function, hex):
    import pyarrow
    from pyspark.sql.functions import arrow_udf

    made = pyarrow.string() if hex else pyarrow.binary()

    def work(array: pyarrow.Array) -> pyarrow.Array:
        return function(array).cast(made)

    return arrow_udf(work, "string" if hex else "binary")


def _functions(name):
    def raw(rows, *, hex=False):
        return digest(name, rows, hex=hex)

    def text(rows):
        return digest(name, rows, hex=True)

    raw.__name__ = raw.__qualname__ = name
    raw.__doc__ = f"The {name} digest of every row: a Column of bytes, or of text if *hex* is true."
    text.__name__ = text.__qualname__ = f"{name}_hex"
    text.__doc__ = f"The {name} digest of every row, in hexadecimal: a Column."
    return raw, text


for _name in _jlanes.available:
    if _name.isidentifier() and not _name.startswith("shake"):
        globals()[_name], globals()[f"{_name}_hex"] = _functions(_name)
        __all__ += [_name, f"{_name}_hex"]
del _name
