"""Batches, against hashlib and hmac one by one."""

import hashlib
import hmac
import multiprocessing
import os
import signal
import threading

import numpy
import pyarrow
import pytest

import jlanes

FIXED = sorted(name for name in jlanes.algorithms_guaranteed if not name.startswith("shake"))
MESSAGES = [bytes((i + j) % 251 for j in range(i * 3 % 300)) for i in range(500)]


def digests(name, messages):
    return [hashlib.new(name, message).digest() for message in messages]


@pytest.mark.parametrize("threads", [0, 1, 2])
@pytest.mark.parametrize("name", FIXED)
def test_lists(name, threads):
    expected = digests(name, MESSAGES)
    assert jlanes.digest_many(name, MESSAGES, threads=threads) == expected
    assert jlanes.digest_many(name, tuple(MESSAGES), threads=threads) == expected
    assert jlanes.digest_many(name, iter(MESSAGES), threads=threads) == expected
    mixed = [(bytes, bytearray, memoryview)[i % 3](m) for i, m in enumerate(MESSAGES)]
    assert jlanes.digest_many(name, mixed, threads=threads) == expected
    assert jlanes.hexdigest_many(name, MESSAGES, threads=threads) == [d.hex() for d in expected]
    prefixed = digests(name, [b"prefix" * 30 + message for message in MESSAGES])
    assert jlanes.digest_many(name, MESSAGES, prefix=b"prefix" * 30, threads=threads) == prefixed
    assert jlanes.digest_many(name, []) == []


LONG = [i.to_bytes(4, "little") * (i % 9) for i in range(70_000)]


@pytest.mark.parametrize("threads", [1, 2])
def test_lists_of_many_blocks(threads):
    expected = digests("sha256", LONG)
    for messages in [LONG, tuple(LONG), iter(LONG), [*LONG[:-1], bytearray(LONG[-1])]]:
        assert jlanes.digest_many("sha256", messages, threads=threads) == expected
    assert jlanes.hexdigest_many("sha256", LONG, threads=threads)[-1] == expected[-1].hex()
    for count in [1 << 14, (1 << 14) + 1, 1 << 15]:
        assert jlanes.digest_many("sha256", LONG[:count]) == expected[:count]
    keys = [bytes([i % 251]) for i in range(len(LONG))]
    tags = [hmac.digest(key, message, "sha256") for key, message in zip(keys, LONG)]
    assert jlanes.hmac_many(keys, LONG, "sha256", threads=threads) == tags
    for uneven in [keys[:-1], [*keys, b""]]:
        with pytest.raises(ValueError, match="as many keys"):
            jlanes.hmac_many(uneven, LONG, "sha256")
    derived = jlanes.pbkdf2_many("sha256", LONG[:20_000], keys[:20_000], 1, 16)
    assert derived[-1] == hashlib.pbkdf2_hmac("sha256", LONG[19_999], keys[19_999], 1, 16)
    with pytest.raises(TypeError, match="message 69999: .* not int"):
        jlanes.digest_many("sha256", [*LONG[:-1], 1])


def test_trees_and_family_names():
    for name in ["jlanes8-sha256", "skein512-128", "glacier", "SHA512-256"]:
        expected = [jlanes.new(name, message).digest() for message in MESSAGES[:50]]
        assert jlanes.digest_many(name, MESSAGES[:50]) == expected


@pytest.mark.parametrize("name", FIXED)
def test_arrays(name):
    rows = numpy.frombuffer(bytes(i * 11 % 256 for i in range(1000 * 37)), "u1").reshape(1000, 37)
    expected = b"".join(digests(name, [bytes(row) for row in rows]))
    for messages in [rows, rows.view("V37").ravel()]:
        out = jlanes.digest_many(name, messages)
        assert isinstance(out, numpy.ndarray)
        assert out.shape == (1000, hashlib.new(name).digest_size) and out.dtype == "uint8"
        assert out.tobytes() == expected
    view = jlanes.digest_many(name, memoryview(rows.tobytes()).cast("B", (1000, 37)))
    assert isinstance(view, memoryview) and view.tobytes() == expected
    numbers = numpy.arange(100, dtype="<u8")
    assert jlanes.digest_many(name, numbers).tobytes() == b"".join(
        digests(name, [int(n).to_bytes(8, "little") for n in numbers])
    )
    assert len(jlanes.hexdigest_many(name, rows)) == 1000
    assert jlanes.digest_many(name, rows[:0]).shape[0] == 0


@pytest.mark.parametrize("name", FIXED)
def test_hmac(name):
    for key in [b"", b"key", b"k" * 300]:
        expected = [hmac.digest(key, message, name) for message in MESSAGES]
        assert jlanes.hmac_many(key, MESSAGES, name) == expected
    keys = [message[::-1] for message in MESSAGES]
    expected = [hmac.digest(key, message, name) for key, message in zip(keys, MESSAGES)]
    assert jlanes.hmac_many(keys, MESSAGES, name, threads=2) == expected
    rows = numpy.zeros((10, 5), "u1")
    assert jlanes.hmac_many(b"key", rows, name)[9].tobytes() == hmac.digest(b"key", bytes(5), name)


@pytest.mark.parametrize("name, size, longest", [("blake2b", 64, 64), ("blake2s", 32, 32)])
def test_blake2_has_keys_and_lengths_of_its_own(name, size, longest):
    new = getattr(hashlib, name)
    for length in [1, 20, size]:
        for key in [None, b"k", bytes(range(longest))]:
            spec = f"{name}-{8 * length}"
            expected = [new(m, digest_size=length, key=key or b"").digest() for m in MESSAGES]
            assert jlanes.digest_many(spec, MESSAGES, key=key, threads=2) == expected
            assert jlanes.hexdigest_many(spec, MESSAGES[:9], key=key)[3] == expected[3].hex()
            prefixed = [
                new(b"pre" + m, digest_size=length, key=key or b"").digest() for m in MESSAGES
            ]
            assert jlanes.digest_many(spec, MESSAGES, prefix=b"pre", key=key) == prefixed
        tags = [hmac.digest(b"key", m, lambda: new(digest_size=length)) for m in MESSAGES[:50]]
        assert jlanes.hmac_many(b"key", MESSAGES[:50], spec) == tags
    for wrong, key in [(name, bytes(longest + 1)), (name, b""), ("sha256", b"key")]:
        with pytest.raises(ValueError):
            jlanes.digest_many(wrong, MESSAGES, key=key)
    with pytest.raises(TypeError):
        jlanes.digest_many(name, MESSAGES, key="text")


@pytest.mark.parametrize("name", FIXED)
def test_pbkdf2(name):
    passwords, salts = [b"one", b"another", b""], [b"salt", b"", b"pepper"]
    for dklen in [None, 1, 20, 100]:
        expected = [
            hashlib.pbkdf2_hmac(name, password, salt, 7, dklen)
            for password, salt in zip(passwords, salts)
        ]
        assert jlanes.pbkdf2_many(name, passwords, salts, 7, dklen) == expected
        assert jlanes.pbkdf2_many(name, passwords, b"salt", 7, dklen)[0] == expected[0]
        assert jlanes.pbkdf2_hmac(name, b"another", b"", 7, dklen) == expected[1]


@pytest.mark.parametrize("name", ["shake_128", "shake_256"])
def test_outputs_of_any_length(name):
    lengths = [i * 7 % 400 for i in range(len(MESSAGES))]
    for length in [0, 1, 200, lengths]:
        each = length if isinstance(length, list) else [length] * len(MESSAGES)
        expected = [hashlib.new(name, message).digest(n) for message, n in zip(MESSAGES, each)]
        assert jlanes.xof_many(name, MESSAGES, length) == expected
    assert jlanes.xof_many(name, [], 9) == []
    rows = numpy.arange(60, dtype="u1").reshape(20, 3)
    for length in [0, 1, 200]:
        expected = [hashlib.new(name, bytes(row)).digest(length) for row in rows]
        outputs = jlanes.xof_many(name, rows, length)
        assert outputs.shape == (20, length) and outputs.tobytes() == b"".join(expected)
        assert jlanes.xof_many(name, [bytes(row) for row in rows], length) == expected
        assert jlanes.xof_many(name, rows, [length] * 20) == expected
    view = jlanes.xof_many(name, memoryview(rows), 200)
    assert isinstance(view, memoryview) and view.tobytes() == b"".join(expected)
    column = jlanes.xof_many(name, pyarrow.array([bytes(row) for row in rows]), 200)
    assert column.to_pylist() == expected
    for wrong in [[1], -1, 1 << 30]:
        with pytest.raises(ValueError):
            jlanes.xof_many(name, MESSAGES, wrong)
    with pytest.raises(ValueError):
        jlanes.xof_many("sha256", MESSAGES, 9)
    with pytest.raises(TypeError):
        jlanes.xof_many(name, b"one message", 9)
    # a length that is a part of the name has lanes, too
    spec = f"{name.replace('_', '')}-{8 * 200}"
    expected = [hashlib.new(name, message).digest(200) for message in MESSAGES]
    assert jlanes.digest_many(spec, MESSAGES, threads=2) == expected


def test_kangaroo_twelve():
    # RFC 9861, section 5: no message and no customization, and 17 bytes of ptn
    [empty, ptn] = jlanes.xof_many("kt128", [b"", bytes(range(17))], 64)
    assert empty.hex().startswith("1ac2d450fc3b4205d19da7bfca1b3751")
    assert ptn[:32].hex().startswith("6bf75fa2239198db4772e36478f8e19b")
    assert jlanes.xof_many("KT256", [b""], 64)[0] == jlanes.new("kt256").digest()
    assert jlanes.digest_many("kt128", MESSAGES) == jlanes.xof_many("kt128", MESSAGES, 32)


def test_errors_name_the_mistake():
    for call in [
        lambda: jlanes.digest_many("sha256", b"one message"),
        lambda: jlanes.digest_many("sha256", bytearray(3)),
        lambda: jlanes.digest_many("sha256", memoryview(b"abc")),
        lambda: jlanes.digest_many("sha256", numpy.zeros(3, "u1")),
        lambda: jlanes.digest_many("sha256", numpy.zeros((3, 3, 3), "u1")),
        lambda: jlanes.digest_many("sha256", "text"),
        lambda: jlanes.digest_many("sha256", ["text"]),
        lambda: jlanes.digest_many("sha256", [b"", 1]),
        lambda: jlanes.digest_many("sha256", 1),
        lambda: jlanes.digest_many(hashlib.new, []),
        lambda: jlanes.hmac_many("key", [], "sha256"),
        lambda: jlanes.pbkdf2_many("sha256", b"one", b"", 1),
    ]:
        with pytest.raises(TypeError):
            call()
    for call in [
        lambda: jlanes.digest_many("sha255", []),
        lambda: jlanes.digest_many("jpointers-sha256", []),
        lambda: jlanes.digest_many("sha256", [], threads=100_000),
        lambda: jlanes.digest_many("sha256", [], threads=-1),
        lambda: jlanes.hmac_many([b"key"], [b"", b""], "sha256"),
        lambda: jlanes.hmac_many(b"key", [b""], "glacier"),
        lambda: jlanes.pbkdf2_many("sha256", [b""], [], 1),
        lambda: jlanes.pbkdf2_hmac("sha256", b"", b"", 0),
        lambda: jlanes.pbkdf2_hmac("sha256", b"", b"", 1, 0),
    ]:
        with pytest.raises(ValueError):
            call()
    for call in [
        lambda: jlanes.pbkdf2_hmac("sha256", b"", b"", 2**40),
        lambda: jlanes.pbkdf2_hmac("sha256", b"", b"", 1, 2**40),
    ]:
        with pytest.raises(OverflowError):
            call()
    with pytest.raises(BufferError):
        jlanes.digest_many("sha256", [memoryview(b"abcd")[::2]])


def test_lists_may_change_meanwhile():
    messages = [bytes([i]) * 20_000 for i in range(200)]
    expected = digests("sha256", messages)
    stop = threading.Event()

    def spoil():
        while not stop.is_set():
            messages.append(b"")
            messages.pop()

    worker = threading.Thread(target=spoil)
    worker.start()
    try:
        for _ in range(20):
            assert jlanes.digest_many("sha256", messages)[:200] == expected
    finally:
        stop.set()
        worker.join()


def test_a_list_that_shrinks_is_read_as_by_a_loop():
    messages = [bytes([i % 251]) * 3000 for i in range(40_000)]
    expected = digests("sha256", messages)
    worker = threading.Timer(0.01, lambda: messages.__delitem__(slice(20_000, None)))
    worker.start()
    found = jlanes.digest_many("sha256", messages)
    worker.join()
    assert len(found) >= 20_000 and found == expected[: len(found)]


def _in_a_fork(connection):
    connection.send(jlanes.digest_many("sha256", [b"x" * 10_000] * 100, threads=2)[99])


def test_threads_work_in_a_process_that_was_forked_off():
    expected = jlanes.digest_many("sha256", [b"x" * 10_000] * 100, threads=2)[99]
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_in_a_fork, args=(sender,))
    process.start()
    assert receiver.poll(60)
    assert receiver.recv() == expected
    process.join()


def test_ctrl_c_is_heard(interruptible):
    message = b"x" * (32 << 20)
    started = threading.Event()

    def interrupt():
        started.wait()
        os.kill(os.getpid(), signal.SIGINT)

    worker = threading.Thread(target=interrupt)
    worker.start()
    with pytest.raises(KeyboardInterrupt):
        started.set()
        for _ in range(1000):
            jlanes.digest_many("sha512", [message] * 100)
    worker.join()


# PySkein's answers
@pytest.mark.parametrize(
    "name, expected",
    [
        ("skein256-160", "668b18c09a53dad06413ea6971e506faa454d615"),
        ("skein512-160", "d7df9b5963f06ef4cfbddc8a049d9fe40f44a3c6"),
        ("skein1024-160", "68c59aa948f3e5a67b90430cf33ab139086195bb"),
    ],
)
def test_skein_has_keys(name, expected):
    message = bytes(range(200))
    assert jlanes.hexdigest_many(name, [message] * 20, key=b"key") == [expected] * 20
    assert jlanes.hexdigest_many(name, [message[50:]], prefix=message[:50], key=b"key") == [expected]
    assert jlanes.hexdigest_many(name, [message])[0] != expected


def test_blake3():
    digest = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
    assert jlanes.blake3(b"abc").hexdigest() == digest
    assert jlanes.hexdigest_many("blake3", [b"abc", b"abc" * 1000])[0] == digest
    assert jlanes.new("blake3-512", b"abc").hexdigest()[:64] == digest
    keyed = jlanes.digest_many("blake3", [b"abc"], key=bytes(32))
    assert keyed[0].hex() != digest
