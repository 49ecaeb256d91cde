"""Hashers and digests of one message, against hashlib."""

import array
import hashlib
import hmac
import inspect
import io
import pickle
import random
import threading

import pytest

import jlanes

NAMES = sorted(jlanes.algorithms_guaranteed)
FIXED = [name for name in NAMES if not name.startswith("shake")]
# around the edges of blocks, and of 2 KiB, above which the lock is free
LENGTHS = [*range(0, 260), 2046, 2047, 2048, 2049, 100_003]
DATA = bytes(i * 7 % 251 for i in range(max(LENGTHS)))


@pytest.mark.parametrize("name", FIXED)
def test_digests_are_hashlibs(name):
    for length in LENGTHS:
        data = DATA[:length]
        theirs, ours = hashlib.new(name, data), jlanes.new(name, data)
        assert ours.digest() == theirs.digest(), length
        assert ours.hexdigest() == theirs.hexdigest()
        pieces = getattr(jlanes, name)()
        for start in range(0, length, 77):
            pieces.update(data[start : start + 77])
        assert pieces.digest() == theirs.digest(), length


@pytest.mark.parametrize("name", FIXED)
def test_attributes_are_hashlibs(name):
    theirs, ours = hashlib.new(name), jlanes.new(name.upper())
    assert (ours.name, ours.digest_size, ours.block_size) == (
        theirs.name,
        theirs.digest_size,
        theirs.block_size,
    )
    assert name in repr(ours)


@pytest.mark.parametrize("length", [0, 1, 95, 96, 97, 300, 2047, 2048])
def test_copies_go_their_own_way(length):
    data = DATA[:length]
    for kind in [bytes, bytearray, type("Bytes", (bytes,), {})]:
        one = jlanes.sha512(kind(data))
        other = one.copy()
        other.update(b"b")
        another = one.copy()
        one.update(DATA[:3000])
        assert one.digest() == hashlib.sha512(data + DATA[:3000]).digest()
        assert other.digest() == hashlib.sha512(data + b"b").digest()
        assert another.digest() == another.digest() == hashlib.sha512(data).digest()


def test_anything_with_bytes_is_taken():
    expected = hashlib.sha256(bytes(range(64))).digest()
    for data in [
        bytearray(range(64)),
        memoryview(bytes(range(64))),
        memoryview(bytes(range(64))).cast("B", (8, 8)),
        array.array("b", range(64)),
        array.array("Q", [int.from_bytes(bytes(range(i, i + 8)), "little") for i in range(0, 64, 8)]),
    ]:
        assert jlanes.sha256(data).digest() == expected
    assert jlanes.sha256(string=b"x").digest() == jlanes.sha256(data=b"x").digest()
    assert jlanes.new("sha256", b"x", usedforsecurity=False).digest() == hashlib.sha256(b"x").digest()


def test_errors_are_hashlibs():
    for call in [
        lambda: jlanes.sha256("text"),
        lambda: jlanes.sha256(1),
        lambda: jlanes.sha256(b"", b""),
        lambda: jlanes.sha256(b"", string=b""),
        lambda: jlanes.new(1),
        lambda: jlanes.new("sha256", b"", unknown=1),
        lambda: jlanes.sha256().digest(16),
        lambda: pickle.dumps(jlanes.sha256()),
    ]:
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError, match="unsupported hash type"):
        jlanes.new("sha255")
    with pytest.raises(ValueError):
        jlanes.new("btv2")  # no digest of every message
    with pytest.raises(BufferError):
        jlanes.sha256(memoryview(b"abcd")[::2])
    with pytest.raises(AttributeError):
        jlanes.nothing


def test_names():
    assert jlanes.algorithms_guaranteed <= hashlib.algorithms_guaranteed
    assert jlanes.algorithms_guaranteed <= jlanes.algorithms_available
    for name in jlanes.algorithms_available:
        assert jlanes.new(name).name == name
    assert jlanes.new("sha512-256").name == "sha512_256"
    assert jlanes.new("jlanes8-sha256", b"abc").digest_size == 32


@pytest.mark.parametrize("name", FIXED)
def test_hmac_takes_it(name):
    constructor = getattr(jlanes, name)
    for key in [b"", b"key", b"k" * 300]:
        theirs = hmac.new(key, DATA[:999], name).digest()
        assert hmac.new(key, DATA[:999], constructor).digest() == theirs
        assert hmac.HMAC(key, DATA[:999], lambda data=b"": jlanes.new(name, data)).digest() == theirs


def test_files(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(DATA * 9)
    expected = hashlib.sha1(DATA * 9).digest()
    for digest in ["sha1", jlanes.sha1, lambda: jlanes.new("sha1")]:
        with path.open("rb") as file:
            assert jlanes.file_digest(file, digest).digest() == expected
        assert jlanes.file_digest(io.BytesIO(DATA * 9), digest).digest() == expected
    with path.open("rb") as file:
        assert hashlib.file_digest(file, jlanes.sha1).digest() == expected
    for file in [None, io.StringIO("text")]:
        with pytest.raises(ValueError):
            jlanes.file_digest(file, "sha1")


def test_threads_share_an_object():
    whole, pieces = jlanes.sha256(), 50
    start = threading.Barrier(4)

    def work():
        start.wait()
        for _ in range(pieces):
            whole.update(b"x" * 100_000)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert whole.digest() == hashlib.sha256(b"x" * (4 * pieces * 100_000)).digest()


def test_other_threads_run_meanwhile():
    data, done, counted = b"x" * (200 << 20), threading.Event(), 0

    def work():
        jlanes.sha512(data)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        counted += 1
    worker.join()
    assert counted > 0


@pytest.mark.parametrize("name", ["blake2b", "blake2s"])
def test_blake2_has_hashlibs_parameters(name):
    theirs, ours = getattr(hashlib, name), getattr(jlanes, name)
    for limit in ["MAX_DIGEST_SIZE", "MAX_KEY_SIZE", "SALT_SIZE", "PERSON_SIZE"]:
        assert getattr(theirs, limit) == getattr(ours, limit)
    for parameters in [
        {},
        {"digest_size": 20},
        {"key": b"key"},
        {"key": b"", "salt": b"salt", "person": b"person"},
        {"key": b"k" * 32, "digest_size": 1, "usedforsecurity": False},
        {"fanout": 2, "depth": 2, "leaf_size": 4096, "inner_size": 32, "key": b"key"},
        {"fanout": 0, "depth": 255, "node_offset": 5, "node_depth": 1, "last_node": True},
    ]:
        for length in LENGTHS:
            a, b = theirs(DATA[:length], **parameters), ours(DATA[:length], **parameters)
            assert a.digest() == b.digest(), (length, parameters)
        b.update(b"more")
        copy = b.copy()
        copy.update(b"than that")
        a.update(b"more")
        assert (a.hexdigest(), a.digest_size) == (b.hexdigest(), b.digest_size)
        assert jlanes.new(name, b"x", **parameters).digest() == theirs(b"x", **parameters).digest()
        assert copy.digest() != b.digest()
    with pytest.raises(TypeError):
        ours(b"", unknown=1)
    with pytest.raises(ValueError):
        ours(digest_size=65)


@pytest.mark.parametrize("name", ["shake_128", "shake_256"])
def test_digests_of_any_length_are_hashlibs(name):
    for length in LENGTHS:
        theirs, ours = hashlib.new(name, DATA[:length]), jlanes.new(name)
        for start in range(0, length, 77):
            ours.update(DATA[start : min(start + 77, length)])
        for size in [0, 1, 16, 167, 168, 169, 5000]:
            assert ours.digest(size) == theirs.digest(size), (length, size)
            assert ours.hexdigest(size) == theirs.hexdigest(size)
    copy = ours.copy()
    copy.update(b"more")
    assert ours.digest(32) == theirs.digest(32) != copy.digest(32)
    assert (ours.name, ours.digest_size, ours.block_size) == (
        theirs.name,
        theirs.digest_size,
        theirs.block_size,
    )
    constructor = getattr(jlanes, name)
    assert constructor(b"x").digest(9) == hashlib.new(name, b"x").digest(9)
    with pytest.raises(TypeError):
        ours.digest()
    for length in [-1, 1 << 29]:
        with pytest.raises(ValueError):
            ours.digest(length)


class Bytes(bytes):
    pass


@pytest.mark.parametrize("name", ["sha256", "sha1", "sha3_512", "md5", "blake2b", "blake2s", "blake2b key"])
def test_pieces_of_every_length_and_kind(name):
    """Around what is kept, what waits, and what releases the GIL; with a copy and digests in between."""
    name, *key = name.split()
    key = {"key": b"key"} if key else {}
    lengths = [0, 1, 16, 64, 94, 95, 96, 97, 200, 1023, 1024, 1025, 2047, 2048, 5000]
    kinds = [bytes, bytearray, memoryview, Bytes]
    source = random.Random(7)
    for _ in range(150):
        ours, theirs = getattr(jlanes, name)(**key), getattr(hashlib, name)(**key)
        for _ in range(source.randrange(8)):
            piece = source.randbytes(source.choice(lengths))
            ours.update(source.choice(kinds)(piece))
            theirs.update(piece)
            if source.random() < 0.3:
                assert ours.digest() == theirs.digest()
            if source.random() < 0.2:
                before, ours = ours, ours.copy()
                before.update(b"not in the copy")
        assert ours.digest() == theirs.digest() and ours.hexdigest() == theirs.hexdigest()


@pytest.mark.parametrize("name", ["sha256", "blake2b", "blake2s"])
def test_update_and_digest_are_methods_as_others_are(name):
    hasher = getattr(jlanes, name)()
    for wrong in ((), (b"a", b"b"), ("text",), (5,), (None,)):
        with pytest.raises(TypeError):
            hasher.update(*wrong)
    with pytest.raises(TypeError):
        hasher.update(data=b"x")
    with pytest.raises(TypeError):
        hasher.digest(1)
    with pytest.raises(TypeError):
        type(hasher).update(hashlib.sha256(), b"x")
    assert hasher.digest() == getattr(hashlib, name)().digest()
    assert str(inspect.signature(hasher.update)) == "(data, /)"
    assert str(inspect.signature(hasher.digest)) == "()"
    assert "bytes-like object" in hasher.update.__doc__ and "so far" in hasher.digest.__doc__
