"""Digests of files: `sum`, `file_digests` and `verify`."""

import os

from ._jlanes import file_digests as _digests
from ._jlanes import files as _iterator
from ._jlanes import verify as _verify


def sum(paths, algorithm="sha256", *, recursive=False, threads=0, progress=None):
    """Iterate over the digests of files, in order; the files are hashed while you iterate.

    With *recursive*, a folder in *paths* stands for the files below it, sorted by name, without symbolic
    links. *algorithm* is a name or a list of names. A file that cannot be read is a result with an
    *error*. *threads* is the number of threads that hash, by default one for each processor. *progress* is
    called at intervals with the number of finished files and of bytes read.
    """
    return _iterator(_files(paths, recursive), algorithm, threads=threads, progress=progress)


def file_digests(
    paths, algorithms, *, recursive=False, threads=0, progress=None, errors="raise"
):
    """The digests of many files with one or more algorithms, as a list. Each file is read once.

    *recursive*, *threads* and *progress* are those of `sum`. A file that cannot be read raises an OSError, and a
    path with a null byte a ValueError; with *errors* "return" the exception is the *error* of its result.
    """
    files = _files(paths, recursive)
    return _digests(files, algorithms, threads=threads, progress=progress, errors=errors)


def verify(
    list, /, *, base=None, untrusted=False, algorithm=None, threads=0, progress=None
):
    """Compare files with a list of digests, of any tool that the documentation names; iterate over its lines.

    *list* is a path, or a binary file object, which is read to its end. Relative names in it begin in the folder
    *base*, by default the working directory. Each line is a `Verified`; blank lines, headings and comments are
    only counted. After the last one, *ok* of the iterator says whether everything is as the list says, and
    *account* has the number of lines of each kind.

    A list chooses which files are read. With *untrusted*, its author may be an attacker: only regular files below
    *base* are read, and lines are refused that have no digest but those of broken hashes (MD5, SHA-1, and trees of
    them), more than 4096 bits, or only a size. Digests with less than 128 bits are refused in any case.

    *algorithm* is that of digests without a tag, by default the one that the list's name or their length tells.
    *threads* and *progress* are those of `sum`.
    """
    if hasattr(list, "read"):
        text, name = list.read(), getattr(list, "name", b"")
    else:
        with open(list, "rb") as file:
            text, name = file.read(), list
    if not isinstance(text, bytes):
        raise TypeError("a list is read as bytes: open it in binary mode")
    # a file object may have a descriptor for a name, or None
    is_path = isinstance(name, (str, bytes, os.PathLike))
    name = os.path.basename(os.fsencode(name)) if is_path else b""
    base = os.fsdecode(os.curdir if base is None else base)
    return _verify(text, name, base, untrusted, algorithm, threads, progress)


def _files(paths, recursive):
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError("a list of paths is required: write [path]")
    return [file for path in paths for file in _walk(path)] if recursive else paths


def _walk(path):
    if not os.path.isdir(path):
        return [path]
    found = []
    waiting = [path]
    while waiting:
        top = waiting.pop()
        try:
            entries = list(os.scandir(top))
        except OSError:
            found.append(top)  # hashing it fails with the same error
            continue
        folders = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif entry.is_file(follow_symlinks=False):
                found.append(entry.path)
        waiting += sorted(folders, reverse=True)
    return sorted(found)
