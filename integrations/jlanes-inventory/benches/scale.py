"""The jobs of docs/SCALE.md: seconds, CPU seconds and peak memory of each process.

    cargo build --release --package jlanes-inventory --features cluster --bins --examples
    python3 jlanes-inventory/benches/scale.py FOLDER [JOB...]

run in `integrations`. FOLDER gets 20,000 files (583 MB) and the manifests. Manifests with SHA-256 are
compared with sha256sum's list. Needs coreutils.
"""

import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "release"
PROGRAM = str((TARGET / "jlanes-inventory").resolve())
SERVER = str((TARGET / "examples/s3_server").resolve())
SCHEDULER = "127.0.0.1:50050"


def files(folder):
    """20,000 files of log-normal sizes, 200 of them empty and 200 with odd names."""
    sizes = [0] * 200 + [int(random.lognormvariate(math.log(9000), 1.5)) for _ in range(19_800)]
    scale = 583e6 / sum(sizes)
    random.shuffle(sizes)
    odd = ["a b", "ü", "%41", "c+d", "(x)", "q?", "#1", "it's", "e=f&g", "~t"]
    for i, size in enumerate(sizes):
        directory = folder / f"{i % 100:02}"
        directory.mkdir(parents=True, exist_ok=True)
        name = f"{odd[i % 10]}-{i}" if i < 200 else f"{i:05}"
        (directory / name).write_bytes(random.randbytes(int(size * scale)))


def sparse(path, size):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        file.truncate(size)


class Process:
    """A program in the background. Its CPU time and memory are known when it has ended."""

    def __init__(self, *command, env=None, output=subprocess.DEVNULL):
        self.child = subprocess.Popen(
            command, env={**os.environ, **(env or {})}, stdout=output, stderr=subprocess.DEVNULL
        )
        self.start = time.monotonic()

    def end(self, number=None):
        if number:
            self.child.send_signal(number)
        _, status, usage = os.wait4(self.child.pid, 0)
        self.child.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - self.start
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024
        return self

    def __str__(self):
        return f"{self.seconds:.2f} s, {self.cpu:.2f} s of CPU time, {self.memory:.0f} MB"


def run(*command, env=None):
    process = Process(*command, env=env).end()
    if process.child.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.child.returncode}")
    return process


def create(location, out, *options, env=None):
    subprocess.run(["rm", "-rf", out], check=True)
    return run(PROGRAM, "create", location, "--out", out, *options, env=env)


def listed(out, status=0):
    export = [PROGRAM, "export", out, "--format", "sha256sum", "--algorithm", "sha256"]
    done = subprocess.run(export, capture_output=True)
    if done.returncode != status:
        sys.exit(f"{' '.join(export)}: exit status {done.returncode}")
    return done.stdout


def names(folder):
    return sorted(str(path) for path in folder.rglob("*") if path.is_file())


def digests(text):
    """The digests of a list, in their order."""
    return sorted(line.removeprefix(b"\\").split(b" ", 1)[0] for line in text.splitlines())


def check(out, folder):
    """What the manifest says of the files in `folder` is what sha256sum says."""
    command = ["sha256sum", "--", *names(folder)]
    ours = digests(listed(out))
    theirs = digests(subprocess.run(command, check=True, capture_output=True).stdout)
    if ours != theirs:
        sys.exit(f"{out}: {len(ours)} digests, {len(theirs)} expected, or others")


class Cluster:
    """A scheduler and `count` executors, each with `in_flight` reads."""

    def __init__(self, folder, count, in_flight=64, env=None):
        self.daemons = [Process(PROGRAM, "scheduler", "--bind", SCHEDULER, env=env)]
        time.sleep(1)
        for i in range(count):
            work = folder / f"work{i}"
            work.mkdir(exist_ok=True)
            bind = f"127.0.0.1:{50060 + 10 * i}"
            flags = ["--scheduler", SCHEDULER, "--bind", bind, "--work", str(work)]
            more = ["--in-flight", str(in_flight)]
            self.daemons.append(Process(PROGRAM, "executor", *flags, *more, env=env))
        time.sleep(2)

    def end(self):
        """CPU time of all, and the memory of each."""
        ended = [daemon.end(signal.SIGTERM) for daemon in reversed(self.daemons)][::-1]
        return sum(daemon.cpu for daemon in ended), [f"{daemon.memory:.0f}" for daemon in ended]


def on_clusters(folder, location, out, data, *options, counts=(1, 2), in_flight=64, env=None):
    """The same job in one process and on clusters, checked each time."""
    for _ in range(2):  # the first fills the page cache
        local = create(location, out, *options, "--in-flight", str(in_flight), env=env)
    print(f"  one process: {local}")
    check(out, data)
    for count in counts:
        cluster = Cluster(folder, count, in_flight, env)
        program = create(location, out, *options, "--cluster", SCHEDULER, env=env)
        cpu, memory = cluster.end()
        check(out, data)
        print(
            f"  executors: {count}; {program.seconds:.2f} s, {program.cpu + cpu:.2f} s of CPU time; "
            f"program {program.memory:.0f} MB, scheduler and executors {', '.join(memory)} MB"
        )


def local(folder, data):
    """20,000 files, and sha256sum"""
    out = str(folder / "local.inventory")

    def least(job):
        return min((job() for _ in range(3)), key=lambda process: process.seconds)

    for algorithms in ["sha256", "sha256,md5", "blake3", "crc64nvme", "sha256,blake3,crc64nvme"]:
        process = least(lambda: create(str(data), out, "--algorithms", algorithms))
        print(f"  {algorithms}: {process}")
        if "sha256" in algorithms:
            check(out, data)
    paths = names(data)
    print(f"  sha256sum: {least(lambda: run('sha256sum', '--', *paths))}")


def large(folder, data):
    """3 sparse files of 1 GiB, --memory 256M"""
    root, out = folder / "large", str(folder / "large.inventory")
    for i in range(3):
        sparse(root / str(i), 1 << 30)
    print(f"  {create(str(root), out, '--memory', '256M')}")
    check(out, root)


def cluster(folder, data):
    """20,000 files in one process and on clusters"""
    on_clusters(folder, str(data), str(folder / "cluster.inventory"), data)


class Server:
    """An S3 server over a directory, late by some milliseconds."""

    def __init__(self, root, late):
        self.child = subprocess.Popen([SERVER, str(root), str(late)], stdout=subprocess.PIPE, text=True)
        words = (self.child.stdout.readline() + self.child.stdout.readline()).split()
        self.env = dict(word.split("=", 1) for word in words if "=" in word)

    def end(self):
        self.child.kill()
        self.child.wait()


def slow(folder):
    """4,000 objects of 1 KiB behind a server that answers 100 ms late."""
    root = folder / "late"
    for i in range(4000):
        path = root / "bucket" / f"{i:04}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(random.randbytes(1024))
    return root, Server(root, 100)


def late(folder, data):
    """4,000 objects of 1 KiB, 100 ms late, --in-flight 16"""
    root, server = slow(folder)
    out, tasks = str(folder / "late.inventory"), ["--task-objects", "250"]
    on_clusters(folder, "s3://bucket/", out, root, *tasks, in_flight=16, env=server.env)
    server.end()


def killed(folder, data):
    """the same with SHA-256 and MD5, --checkpoint 1, killed after 5 s and resumed"""
    root, server = slow(folder)
    out = str(folder / "killed.inventory")
    subprocess.run(["rm", "-rf", out], check=True)
    options = ["--algorithms", "sha256,md5", "--in-flight", "16", "--checkpoint", "1"]
    command = [PROGRAM, "create", "s3://bucket/", "--out", out, *options]
    first = Process(*command, env=server.env)
    time.sleep(5)
    first.end(signal.SIGKILL)
    found = len(listed(out, status=4).splitlines())  # it says that objects may be missing
    second = run(*command, env=server.env)
    check(out, root)
    server.end()
    print(f"  {found} objects were on disk; then {second}")


def bucket(folder, data):
    """the 20,000 files as objects of a bucket"""
    server = Server(data.parent, 0)
    on_clusters(folder, f"s3://{data.name}/", str(folder / "s3.inventory"), data, counts=(2,), env=server.env)
    server.end()


def main():
    folder = Path(sys.argv[1]).resolve()
    data = folder / "data" / "bucket"
    random.seed(41)
    if not data.exists():
        files(data)
    jobs = [local, large, cluster, late, killed, bucket]
    wanted = sys.argv[2:] or [job.__name__ for job in jobs]
    for job in jobs:
        if job.__name__ in wanted:
            print(f"{job.__name__}: {job.__doc__}", flush=True)
            job(folder, data)


main()
