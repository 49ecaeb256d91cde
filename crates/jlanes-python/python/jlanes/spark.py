"""Columns and manifests for Spark 4. Its Python workers compute the digests, batch by batch::

    frame.select("id", jlanes.spark.sha512_hex("name"))
    jlanes.spark.manifest(spark.read.text("paths.txt")).write.parquet("manifest")

The name of a function says what it returns: `sha512` gives BINARY, `sha512_hex` STRING. They accept columns
of text and bytes, or names of columns; NULL stays NULL. Columns of digests are called `sha512_hex(name)`. Batches stay
in Arrow's format: rows become neither Python objects nor pandas. jlanes must be installed on the workers.

Keys of HMAC are passed by name. Each worker reads the key from the file of that name in the folder of its
environment variable JLANES_KEYS, or else from the variable JLANES_KEY_NAME, in hexadecimal.
"""

from . import _engines, _functions, column

__all__ = ["digest", "digest_hex", "hmac", "hmac_hex", "manifest"]


def digest(name, rows, *, hex=False):
    """The digest of each row with the algorithm of this name: a Column."""
    _engines.algorithms(name)
    return _udf(name, lambda array: column.digest(name, array, hex=hex), hex)(rows)


def digest_hex(name, rows):
    """The digest of each row with the algorithm of this name, in hexadecimal."""
    return digest(name, rows, hex=True)


def hmac(key, rows, name, *, hex=False):
    """The HMAC tag of each row: a Column. *key* is the name of a key on the workers."""
    _engines.algorithms(name)
    if not isinstance(key, str):
        raise TypeError("pass the name of a key: its bytes would be in the plan")
    return _udf(
        f"hmac_{key}_{name}",
        lambda array: column.hmac(_engines.key(key), array, name, hex=hex),
        hex,
    )(rows)


def hmac_hex(key, rows, name):
    """The HMAC tag of each row, in hexadecimal."""
    return hmac(key, rows, name, hex=True)


def manifest(paths, algorithms="sha256"):
    """A manifest of files, from a DataFrame with one column of paths or file:// URLs.

    The manifest has a row for each file and algorithm, with `url`, `size`, `algorithm`, `digest` and `error`.
    A file that cannot be read has an error. Each file is read once, by the worker that has its row, so all
    workers must see the same files. A batch has spark.sql.execution.arrow.maxRecordsPerBatch rows.
    """
    if len(paths.columns) != 1:
        raise ValueError("a DataFrame with one column, of paths, is required")
    names = _engines.algorithms(algorithms)

    def rows(batches):
        for batch in batches:
            yield _engines.manifest(batch.column(0).to_pylist(), names, False)

    schema = "url string, size bigint, algorithm string, digest binary, error string"
    return paths.mapInArrow(rows, schema)


def _udf(name, function, hex):
    import pyarrow
    from pyspark.sql.functions import arrow_udf

    made = pyarrow.string() if hex else pyarrow.binary()

    def work(array: pyarrow.Array) -> pyarrow.Array:
        return function(array).cast(made)

    # the column's name begins with it: two digests of one column have different names
    work.__name__ = f"{name}_hex" if hex else name
    return arrow_udf(work, "string" if hex else "binary")


def _both(name):
    def raw(rows, *, hex=False):
        return digest(name, rows, hex=hex)

    def text(rows):
        return digest(name, rows, hex=True)

    return raw, text


_functions.add(globals(), _both)
