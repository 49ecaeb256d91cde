"""Files below a folder: `file_digests`, jlanes-sum and hashlib, in turn; medians of seconds.

    python benches/files.py FOLDER JLANES_SUM [THREADS] [REPEATS]

The files are read once before, so that they are in the page cache. The time of `file_digests` is that
of the call and leaves out the start of Python and the walk, which takes the same files; jlanes-sum's is
that of the process, with its walk.
"""

import hashlib
import os
import statistics
import subprocess
import sys
import time

import jlanes


def walk(folder):
    for top, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            if os.path.isfile(path) and not os.path.islink(path):
                yield path


def main():
    folder, tool = sys.argv[1:3]
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    repeats = int(sys.argv[4]) if len(sys.argv) > 4 else 11
    paths = sorted(walk(folder))
    size = 0
    for path in paths:
        with open(path, "rb") as file:
            size += len(file.read())
    print(f"{len(paths)} files, {size / 1e6:.0f} MB, {threads} threads, medians of {repeats}")

    def ours():
        return [file.digest() for file in jlanes.file_digests(paths, "sha256", threads=threads)]

    def theirs():
        digests = []
        for path in paths:
            with open(path, "rb") as file:
                digests.append(hashlib.file_digest(file, "sha256").digest())
        return digests

    def sums():
        command = [tool, "-r", "--threads", str(threads), folder]
        lines = subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
        return [bytes.fromhex(line[:64].decode()) for line in lines if line[:1] != b"\\"]

    assert ours() == theirs() and sorted(ours()) == sorted(sums())
    runs = {"jlanes.file_digests": ours, "jlanes-sum": sums, "hashlib.file_digest, loop": theirs}
    times = {title: [] for title in runs}
    for _ in range(repeats):
        for title, run in runs.items():
            start = time.perf_counter()
            run()
            times[title].append(time.perf_counter() - start)
    for title, all in times.items():
        print(f"| {title} | {statistics.median(all):.3f} s | {min(all):.3f} to {max(all):.3f} |")


if __name__ == "__main__":
    main()
