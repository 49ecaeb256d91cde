"""The function `sum`."""

import os

from ._jlanes import files


def sum(paths, algorithm="sha256", *, recursive=False, threads=0):
    """Iterate over the digests of files, in order; the files are hashed while you iterate.

    With *recursive*, a folder in *paths* stands for the files below it, sorted by name, without symbolic
    links. *algorithm* is a name or a list of names. A file that cannot be read is a result with an
    *error*. *threads* is the number of threads that hash, by default one for each processor.
    """
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError("a list of paths is required, not one path")
    if recursive:
        paths = [file for path in paths for file in _walk(path)]
    return files(paths, algorithm, threads=threads)


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
