"""Trees, against models that follow their definitions with hashlib."""

import base64
import hashlib

import pytest

import jlanes
from jlanes import merkle

DATA = bytes(i * i % 251 for i in range(9_000_000))


def sha256(data):
    return hashlib.sha256(data).digest()


def chunks(data, size):
    return [data[i : i + size] for i in range(0, len(data), size)] or [b""]


def halves(level):
    """Glacier's tree: an odd hash goes up as it is."""
    while len(level) > 1:
        level = [sha256(b"".join(level[i : i + 2])) if i + 1 < len(level) else level[i]
                 for i in range(0, len(level), 2)]
    return level[0]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("length", [0, 1, 16384, 16385, 1 << 20, 5_000_001, 9_000_000])
def test_trees_are_their_definitions(length, threads):
    data = DATA[:length]
    megabytes = [sha256(chunk) for chunk in chunks(data, 1 << 20)]
    assert merkle.glacier(data, threads=threads) == halves(megabytes)
    dropbox = [sha256(chunk) for chunk in chunks(data, 4 << 20)] if data else []
    assert merkle.dropbox(data, threads=threads) == sha256(b"".join(dropbox))
    parts = [sha256(chunk) for chunk in chunks(data, 777_777)]
    assert merkle.s3_composite(data, 777_777, threads=threads) == (sha256(b"".join(parts)), len(parts))
    for name in ["sha1", "sha512", "md5"]:
        parts = [hashlib.new(name, chunk).digest() for chunk in chunks(data, 777_777)]
        whole = hashlib.new(name, b"".join(parts)).digest()
        assert merkle.s3_composite(data, 777_777, name, threads=threads) == (whole, len(parts))
    sha1 = [hashlib.sha1(chunk).digest() for chunk in chunks(data, 300_000)] if data else []
    assert merkle.btv1_pieces(data, 300_000, threads=threads) == sha1
    if data:
        blocks = [sha256(chunk) for chunk in chunks(data, 16384)]
        blocks += [bytes(32)] * ((1 << (len(blocks) - 1).bit_length()) - len(blocks))
        assert merkle.btv2(data, threads=threads) == halves(blocks)
        root, layer = merkle.btv2_pieces(data, 1 << 20, threads=threads)
        assert root == merkle.btv2(data)
        assert len(layer) == (0 if length <= 1 << 20 else -(-length // (1 << 20)))


# remote-apis' test vectors, of bytes that count to 250 and start over
SHA256TREE = {
    1025: "36c0998b21839ef74300b9de47d96d1f62323dc81f2b4231e98ce70cd6ffe750",
    3073: "517d20c0e5835f060a1bd6388ed68574f63424bdac2a2c3a35a5c2ef859d8fe2",
    102400: "0668d69e5331840d2f1823d717b7b3f5d1fdc8a09504cddb692b87ff83d50e5f",
}


@pytest.mark.parametrize("threads", [1, 2])
def test_sha256tree(threads):
    for length, digest in SHA256TREE.items():
        data = bytes(i % 251 for i in range(length))
        assert merkle.sha256tree(data, threads=threads).hex() == digest
        assert jlanes.new("sha256tree", data).hexdigest() == digest
    assert merkle.sha256tree(b"short", threads=threads) == sha256(b"short")


def test_verity():
    salt = b"salt"
    page = bytes(4096)
    padded = salt + bytes(64 - len(salt))
    root = sha256(padded + page)
    descriptor = (
        bytes([1, 1, 12, len(salt)]) + bytes(4) + (4096).to_bytes(8, "little") + root + bytes(32)
        + salt + bytes(32 - len(salt)) + bytes(144)
    )
    assert len(descriptor) == 256
    assert merkle.fsverity(page, salt=salt) == sha256(descriptor)
    assert merkle.dmverity(page, salt=salt) == sha256(salt + page)
    assert merkle.dmverity(page, "sha1") == hashlib.sha1(page).digest()
    assert len(merkle.fsverity(page, "sha512")) == 64
    for call in [
        lambda: merkle.fsverity(page, "sha1"),
        lambda: merkle.fsverity(page, block=1000),
        lambda: merkle.fsverity(page, salt=bytes(33)),
        lambda: merkle.dmverity(b"part of a block"),
        lambda: merkle.btv2(b""),
        lambda: merkle.btv1_pieces(b"", 0),
        lambda: merkle.s3_composite(b"", 0),
        lambda: merkle.s3_composite(b"", 1, "sha384"),
        lambda: merkle.bitcoin(bytes(31)),
    ]:
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        merkle.glacier("text")


def test_nodes_of_64_bytes():
    ids = DATA[:96]
    double = lambda data: sha256(sha256(data))  # noqa: E731
    left, right = double(ids[:64]), double(ids[64:] * 2)
    assert merkle.bitcoin(ids) == double(left + right)
    zero = bytes(32)
    assert merkle.ssz(ids) == sha256(sha256(ids[:64]) + sha256(ids[64:] + zero))
    assert merkle.ssz(ids[:32], 2) == sha256(ids[:32] + zero)


def test_go():
    lines = f"{sha256(b'two').hex()}  a\n{sha256(b'one').hex()}  b\n"
    expected = "h1:" + base64.b64encode(sha256(lines.encode())).decode()
    assert merkle.go_h1([("b", b"one"), ("a", b"two")]) == expected


def model(entries):
    if len(entries) == 1:
        return sha256(b"\0" + entries[0])
    half = 1 << (len(entries) - 1).bit_length() - 1
    return sha256(b"\1" + model(entries[:half]) + model(entries[half:]))


def test_log():
    entries = [bytes([i]) * i for i in range(50)]
    log = merkle.Log()
    assert log.root() == sha256(b"") and len(log) == 0
    roots = [None]
    for i, entry in enumerate(entries):
        log.append(entry)
        roots.append(log.root())
        assert log.root() == model(entries[: i + 1])
    assert merkle.Log(entries).root() == log.root()
    for i, entry in enumerate(entries):
        proof = log.inclusion(i)
        assert merkle.verify_inclusion(entry, i, 50, proof, log.root())
        assert not merkle.verify_inclusion(b"other", i, 50, proof, log.root())
        assert not merkle.verify_inclusion(entry, i, 50, proof[1:], log.root())
    for old in range(1, 51):
        proof = log.consistency(old)
        assert merkle.verify_consistency(old, roots[old], 50, log.root(), proof)
        if old < 50:
            assert not merkle.verify_consistency(old, log.root(), 50, log.root(), proof)
    chunked = [b"abc" for _ in range(9)]
    assert merkle.rfc6962(b"abc" * 9, 3) == model(chunked)
    with pytest.raises(IndexError):
        log.inclusion(50)
    with pytest.raises(IndexError):
        log.consistency(0)
    with pytest.raises(ValueError):
        merkle.verify_inclusion(b"", 0, 1, [], b"short")


def test_subtrees_of_a_log():
    entries = [bytes([i]) * i for i in range(50)]
    log = merkle.Log(entries)
    assert merkle.cover(20, 30) == [(20, 24), (24, 30)]
    assert merkle.leaf_hash(b"abc") == model([b"abc"])
    for start, end in [(16, 24), (24, 30), (0, 50), (7, 8), (48, 50)]:
        node = log.subtree(start, end)
        assert node == model(entries[start:end])
        for index in range(start, end):
            proof = log.inclusion_in(start, end, index)
            leaf = merkle.leaf_hash(entries[index])
            assert merkle.verify_leaf_inclusion(leaf, index, start, end, proof, node)
            assert not merkle.verify_leaf_inclusion(node[::-1], index, start, end, proof, node)
        for size in range(end, 51):
            root, proof = model(entries[:size]), log.subtree_consistency(start, end, size)
            assert merkle.verify_subtree_consistency(start, end, node, size, root, proof)
            assert not merkle.verify_subtree_consistency(start, end, node, size, node[::-1], proof)
    with pytest.raises(ValueError):
        log.subtree(2, 5)
    with pytest.raises(ValueError):
        merkle.cover(2, 1)
    with pytest.raises(IndexError):
        log.subtree(48, 52)
    with pytest.raises(IndexError):
        log.inclusion_in(16, 24, 24)


def test_trees_by_name_are_the_same():
    assert jlanes.new("glacier", DATA).digest() == merkle.glacier(DATA)
    assert jlanes.new("fsverity-sha512-1024", DATA).digest() == merkle.fsverity(
        DATA, "sha512", block=1024
    )
