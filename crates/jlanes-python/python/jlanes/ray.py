"""Columns and manifests for Ray Data. Its workers compute the digests, block by block::

    jlanes.ray.with_digest(dataset, "sha512", "name", hex=True)  # a column name_sha512_hex
    jlanes.ray.manifest(ray.data.read_text("paths.txt")).write_parquet("manifest")

Blocks are not converted from Arrow. Results have Arrow's large types, so blocks of any size can be
concatenated. jlanes must be installed on the workers.

Keys of HMAC are passed by name. Each worker reads the key from the file of that name in the folder of its
environment variable JLANES_KEYS, or else from the variable JLANES_KEY_NAME, in hexadecimal.
"""

from . import _engines, column

__all__ = ["manifest", "with_digest", "with_hmac"]


def with_digest(dataset, name, rows, *, hex=False, to=None, **options):
    """The dataset with a column of digests of the column *rows*, with the algorithm *name*.

    The new column is called *to*, by default `ROWS_NAME` or `ROWS_NAME_hex`. Options are those of
    `Dataset.map_batches`.
    """
    _engines.algorithms(name)

    def digests(array):
        return column.digest(name, array, hex=hex)

    return _with(dataset, digests, name, rows, hex, to, options)


def with_hmac(dataset, key, rows, name, *, hex=False, to=None, **options):
    """The dataset with a column of HMAC tags. *key* is the name of a key on the workers."""
    _engines.algorithms(name)
    if not isinstance(key, str):
        raise TypeError("pass the name of a key: its bytes would be in the plan")

    def tags(array):
        return column.hmac(_engines.key(key), array, name, hex=hex)

    return _with(dataset, tags, f"hmac_{name}", rows, hex, to, options)


def manifest(paths, algorithms="sha256", *, column=None, **options):
    """A manifest of files, from a dataset with a column of paths or file:// URLs.

    *column* is the name of that column; without it the dataset must have only one. The manifest has a row
    for each file and algorithm, with `url`, `size`, `algorithm`, `digest` and `error`. A file that cannot
    be read has an error. Each file is read once, by the worker that has its row, so all workers must see
    the same files.
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
