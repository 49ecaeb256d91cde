"""Columns and manifests for Ray Data: datasets with digests, computed by its workers, block by block::

    jlanes.ray.with_digest(dataset, "sha512", "name", hex=True)  # a column name_sha512_hex
    jlanes.ray.manifest(ray.data.read_text("paths.txt")).write_parquet("manifest")

Blocks stay Arrow's; results have large types, which pieces of any size can be put together of. jlanes
must be installed where the workers are.

Keys of HMAC are given by name. Each worker takes the bytes from the file of that name in the folder
that its environment variable JLANES_KEYS names, or else from JLANES_KEY_NAME, in hexadecimal.
"""

from . import _engines, column

__all__ = ["manifest", "with_digest", "with_hmac"]


def with_digest(dataset, name, rows, *, hex=False, to=None, **options):
    """The dataset with a column of digests of the column *rows*, under the algorithm *name*.

    The new column is called *to*, or else after both and the encoding, `name_sha512` or
    `name_sha512_hex`. Options are those of `Dataset.map_batches`.
    """
    _engines.algorithms(name)

    def digests(array):
        return column.digest(name, array, hex=hex)

    return _with(dataset, digests, name, rows, hex, to, options)


def with_hmac(dataset, key, rows, name, *, hex=False, to=None, **options):
    """The dataset with a column of HMAC tags; *key* is the name of a key that the workers have."""
    _engines.algorithms(name)
    if not isinstance(key, str):
        raise TypeError("the name of a key is required; its bytes would be in the plan")

    def tags(array):
        return column.hmac(_engines.key(key), array, name, hex=hex)

    return _with(dataset, tags, f"hmac_{name}", rows, hex, to, options)


def manifest(paths, algorithms="sha256", *, column=None, **options):
    """A manifest of files, from a dataset with a column of their paths or file:// URLs.

    The column is called *column*, or is the only one. There is a row for each file and algorithm, with
    `url`, `size`, `algorithm`, `digest` and `error`; a file that cannot be read has an error. Each file
    is read once, by the worker that has its row: all workers must see the same files.
    """
    import pyarrow

    names = _engines.algorithms(algorithms)

    def rows(table):
        if column is None and table.num_columns != 1:
            raise ValueError("the name of the column of paths is required")
        found = table.column(0 if column is None else column).to_pylist()
        return pyarrow.Table.from_batches([_engines.manifest(found, names, True)])

    return _map(paths, rows, options)


def _with(dataset, function, what, rows, hex, to, options):
    import pyarrow

    to = to or f"{rows}_{what}" + ("_hex" if hex else "")
    made = pyarrow.large_string() if hex else pyarrow.large_binary()

    def work(table):
        return table.append_column(to, function(table.column(rows)).cast(made))

    return _map(dataset, work, options)


def _map(dataset, function, options):
    options = {"batch_format": "pyarrow", "zero_copy_batch": True, **options}
    return dataset.map_batches(function, **options)
