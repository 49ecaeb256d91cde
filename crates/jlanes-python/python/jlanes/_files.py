"""What jlanes-sum does."""

import os

from ._jlanes import files


def sum(paths, algorithm="sha256", *, recursive=False, threads=0):
    """Iterate over the digests of files, in order, while they are hashed.

    *paths* may name folders with *recursive*: then the files below them follow, sorted by name, and
    symbolic links in them are passed over. *algorithm* is a name or a list of them. Files that
    cannot be read are results with an *error*. Threads of its own do the work, as many as *threads*
    says, or as there are processors.
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
            found.append(top)  # hashing it fails in the same way, and says so
            continue
        folders = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif entry.is_file(follow_symlinks=False):
                found.append(entry.path)
        waiting += sorted(folders, reverse=True)
    return sorted(found)
