"""Keys by name and manifests, for the modules `spark` and `ray`."""

import os
import pathlib
import urllib.parse

from . import _jlanes


def key(name):
    """The key of this name, looked up in the process that computes, so that no plan or log has its bytes.

    The key is the file *name* in the folder of the environment variable JLANES_KEYS, or else the
    hexadecimal digits in the variable JLANES_KEY_NAME.
    """
    return bytes(_jlanes.named_key(name))


def algorithms(names):
    """The names as a list. A name that does not work is an error here."""
    from . import column

    names = [names] if isinstance(names, str) else list(names)
    if not names:
        raise ValueError("an algorithm is required")
    if len(set(names)) < len(names):
        raise ValueError("an algorithm is named twice")
    import pyarrow

    for name in names:
        column.digest(name, pyarrow.array([b""]))
    return names


def manifest(paths, names, large):
    """A batch with a row for each path and algorithm. A file that cannot be read has an error."""
    import pyarrow

    from . import file_digests

    local = [_path(path) for path in paths]
    files = file_digests([path for path in local if path is not None], names, errors="return")
    files = iter(files)
    rows = []
    for path, where in zip(paths, local, strict=True):
        file = next(files) if where is not None else None
        error = "not a path on this machine" if file is None else file.error and str(file.error)
        url = path if where is None else _url(where)
        for name in names:
            digest = None if error else file.digest(name)
            rows.append((url, None if error else file.size, name, digest, error))
    columns = zip(*rows, strict=True) if rows else [[]] * 5
    schema = manifest_schema(large)
    arrays = [pyarrow.array(list(c), f.type) for c, f in zip(columns, schema, strict=True)]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


def manifest_schema(large):
    """The columns of a manifest: those of jlanes-inventory that apply to files."""
    import pyarrow

    text = pyarrow.large_string() if large else pyarrow.string()
    data = pyarrow.large_binary() if large else pyarrow.binary()
    return pyarrow.schema(
        [
            pyarrow.field("url", text),
            pyarrow.field("size", pyarrow.int64()),
            pyarrow.field("algorithm", text),
            pyarrow.field("digest", data),
            pyarrow.field("error", text),
        ]
    )


def _path(text):
    """The path of a file:// URL, or a text that is not a URL. `?` and `#` are in names, too."""
    if text is None:
        return None
    scheme, is_url, rest = text.partition("://")
    if not is_url:
        return text
    host, slash, path = rest.partition("/")
    if scheme.lower() != "file" or host not in ("", "localhost") or not slash:
        return None
    return os.fsdecode(urllib.parse.unquote_to_bytes(slash + path))


def _url(path):
    """The URL of a path. The directory before `..` is resolved, because it may be a link."""
    parts = pathlib.PurePath(path).parts
    up = max((i + 1 for i, part in enumerate(parts) if part == ".."), default=0)
    above = os.path.realpath(os.path.join(*parts[:up])) if up else ""
    return pathlib.Path(os.path.abspath(os.path.join(above, *parts[up:]))).as_uri()
