"""Small calls and long runs: nanoseconds a call next to hashlib, and what 100,000 calls leave behind.

    python benches/calls.py
"""

import hashlib
import hmac
import os
import sys
import time

import jlanes
import pyarrow

MESSAGE = bytes(range(32))
KEY = b"a key of a usual length, 32 B.."
NAMES = ("sha256", "sha512", "md5", "sha1", "sha3_256", "blake2b", "blake2s")


def pairs():
    """A name, the call of hashlib, the call of jlanes."""
    for count in (1, 2, 4, 8):
        messages = [bytes([i]) * 32 for i in range(count)]
        yield (
            f"digest_many, {count}",
            lambda messages=messages: [hashlib.sha256(m).digest() for m in messages],
            lambda messages=messages: jlanes.digest_many("sha256", messages),
        )
    rows = memoryview(MESSAGE).cast("B", (1, 32))
    yield (
        "digest_many, 1 row",
        lambda: [hashlib.sha256(MESSAGE).digest()],
        lambda: jlanes.digest_many("sha256", rows),
    )
    for name in NAMES:
        theirs, ours = getattr(hashlib, name), getattr(jlanes, name)
        yield (
            f"{name}(x).digest()",
            lambda new=theirs: new(MESSAGE).digest(),
            lambda new=ours: new(MESSAGE).digest(),
        )
    piece = bytes(64)

    def pieces(new):
        hasher = new()
        update = hasher.update
        for _ in range(50):
            update(piece)

    for name in NAMES:
        theirs, ours = getattr(hashlib, name), getattr(jlanes, name)
        yield (
            f"50 updates, {name}",
            lambda new=theirs: pieces(new),
            lambda new=ours: pieces(new),
        )
    yield (
        'new("SHA256")',
        lambda: hashlib.new("SHA256", MESSAGE).digest(),
        lambda: jlanes.new("SHA256", MESSAGE).digest(),
    )
    theirs, ours = hashlib.sha256(bytes(2000)), jlanes.sha256(bytes(2000))
    yield "hexdigest() again", theirs.hexdigest, ours.hexdigest
    for count in (1, 2, 4, 8):
        column = pyarrow.array([bytes([i]) * 32 for i in range(count)])
        yield (
            f"column, {count}",
            lambda column=column: pyarrow.array(
                [hashlib.sha256(m).digest() for m in column.to_pylist()], pyarrow.binary()
            ),
            lambda column=column: jlanes.column.sha256(column),
        )
    yield (
        "hmac_many, 1",
        lambda: hmac.digest(KEY, MESSAGE, "sha256"),
        lambda: jlanes.hmac_many(KEY, [MESSAGE], "sha256"),
    )
    yield (
        "hmac.new",
        lambda: hmac.new(KEY, MESSAGE, "sha256").digest(),
        lambda: hmac.new(KEY, MESSAGE, jlanes.sha256).digest(),
    )


def times(*calls, repeats=500):
    """The least of the thread's times for each call, in turns: other processes only add to them."""
    rounds = [[] for _ in calls]
    for _ in range(31):
        for call, taken in zip(calls, rounds):
            start = time.thread_time_ns()
            for _ in range(repeats):
                call()
            taken.append((time.thread_time_ns() - start) / repeats)
    return [min(taken) for taken in rounds]


def state():
    """Resident memory in KiB, and the number of threads."""
    with open("/proc/self/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    return int(lines["VmRSS"].split()[0]), int(lines["Threads"])


def many_calls():
    messages = [bytes([i]) * 32 for i in range(200)]
    for _ in range(20_000):
        jlanes.digest_many("sha256", messages)
        jlanes.digest_many("sha256", messages, threads=2)
        jlanes.hmac_many(KEY, messages[:20], "sha512")
        jlanes.sha3_256(MESSAGE).hexdigest()
        jlanes.blake2b(MESSAGE, key=KEY).digest()


def main():
    for name, theirs, ours in pairs():
        hashlib_time, jlanes_time = times(theirs, ours)
        ratio = hashlib_time / jlanes_time
        print(f"{name:22} {hashlib_time:7.0f} {jlanes_time:7.0f} {ratio:5.2f}")
    for count in (10_000, 1_000_000):
        messages = [i.to_bytes(32) for i in range(count)]
        taken = times(
            lambda: [hashlib.sha256(m).digest() for m in messages],
            lambda: jlanes.digest_many("sha256", messages),
            repeats=1,
        )
        hashlib_time, jlanes_time = (time / count for time in taken)
        ratio = hashlib_time / jlanes_time
        print(f"a message of {count:9} {hashlib_time:5.0f} {jlanes_time:7.0f} {ratio:5.2f}")
    if sys.platform == "linux":
        many_calls()  # memory and threads that are allocated once
        before = state()
        many_calls()
        print("KiB and threads before and after 100,000 calls:", before, state(), os.cpu_count(), "CPUs")


if __name__ == "__main__":
    main()
