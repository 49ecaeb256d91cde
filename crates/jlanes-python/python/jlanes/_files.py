"""Digests of files: `sum` and `file_digests`."""

import os

from ._jlanes import file_digests as _digests
from ._jlanes import files as _iterator


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

    *recursive*, *threads* and *progress* are those of `sum`. A file that cannot be read raises an OSError; with
    *errors* "return" the OSError is the *error* of its result.
    """
    files = _files(paths, recursive)
    return _digests(files, algorithms, threads=threads, progress=progress, errors=errors)


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
