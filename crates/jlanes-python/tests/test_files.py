"""Digests of files, against hashlib."""

import hashlib
import os
import pathlib
import signal
import threading

import pytest

import jlanes

SIZES = [0, 1, 63, 64, 65, 1000, 70_000, 1 << 20, (1 << 20) + 1, 3_000_000, 5_000_001]


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    paths = []
    for i in range(150):
        size = SIZES[i % len(SIZES)] if i < 33 else i * 7
        path = folder / f"{i:03}"
        path.write_bytes(bytes((i + j * j) % 256 for j in range(999)) * (size // 999 + 1))
        os.truncate(path, size)
        paths.append(path)
    return paths


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("names", [["sha256"], ["sha1", "sha512"], ["jlanes8-sha256"]])
def test_digests(paths, names, threads):
    results = jlanes.file_digests(paths, names, threads=threads)
    assert [result.path for result in results] == paths
    for path, result in zip(paths, results):
        data = path.read_bytes()
        assert result.size == len(data) and result.error is None
        assert result.digests == {name: jlanes.new(name, data).digest() for name in names}
        for name in names:
            assert result.hexdigest(name) == jlanes.new(name, data).hexdigest()
    assert results[0].digest(names[0]) == jlanes.new(names[0], b"").digest()


def test_one_name_and_paths_of_any_kind(paths):
    expected = hashlib.sha512(paths[9].read_bytes()).digest()
    for path in [paths[9], str(paths[9]), os.fsencode(paths[9])]:
        [result] = jlanes.file_digests([path], "sha512")
        assert result.digest() == expected and result.path == path
    assert jlanes.file_digests([], "sha512") == []
    assert jlanes.file_digests(iter(paths[:3]), ("sha1",))[2].size == 63


def test_progress_ends_with_everything(paths):
    seen = []
    jlanes.file_digests(paths, "sha1", progress=lambda files, bytes: seen.append((files, bytes)))
    assert seen == sorted(seen)
    assert seen[-1] == (len(paths), sum(path.stat().st_size for path in paths))

    def fail(files, bytes):
        raise LookupError

    with pytest.raises(LookupError):
        jlanes.file_digests(paths, "sha1", progress=fail)


def test_errors(paths, tmp_path):
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as raised:
        jlanes.file_digests([paths[1], missing], "sha256")
    assert raised.value.filename == missing
    good, bad, folder, null = jlanes.file_digests(
        [paths[1], missing, tmp_path, "a\0b"], ["sha256", "sha1"], errors="return"
    )
    assert good.error is None
    assert isinstance(bad.error, FileNotFoundError) and bad.digests == {}
    assert isinstance(folder.error, IsADirectoryError) and isinstance(null.error, ValueError)
    with pytest.raises(FileNotFoundError):
        bad.digest("sha256")
    with pytest.raises(KeyError):
        good.digest("md4")
    with pytest.raises(TypeError):
        good.digest()
    for call in [
        lambda: jlanes.file_digests(paths, []),
        lambda: jlanes.file_digests(paths, "sha255"),
        lambda: jlanes.file_digests(paths, "btv2"),
        lambda: jlanes.file_digests(paths, "sha1", errors="ignore"),
        lambda: jlanes.file_digests(["a\0b"], "sha1"),
    ]:
        with pytest.raises(ValueError):
            call()
    for call in [
        lambda: jlanes.file_digests("path", "sha1"),
        lambda: jlanes.file_digests([1], "sha1"),
        lambda: jlanes.file_digests(paths, [1]),
    ]:
        with pytest.raises(TypeError):
            call()


def test_sum_walks_and_iterates(tmp_path):
    for name in ["b/2", "b/1", "a", "c/d/3"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    os.symlink("a", tmp_path / "link")
    results = list(jlanes.sum([tmp_path], "sha1", recursive=True))
    found = [os.path.relpath(result.path, tmp_path) for result in results]
    assert found == ["a", "b/1", "b/2", "c/d/3"]
    assert [result.digest() for result in results] == [
        hashlib.sha1(name.encode()).digest() for name in found
    ]
    one, folder = jlanes.sum([tmp_path / "link", tmp_path])
    assert one.digest() == hashlib.sha256(b"a").digest()
    assert isinstance(folder.error, IsADirectoryError)


def test_an_iteration_can_be_left(paths):
    for result in jlanes.sum(paths * 20):
        assert isinstance(result.path, pathlib.Path)
        break


def test_ctrl_c_is_heard(tmp_path, interruptible):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = os.open(fifo, os.O_RDWR)  # so that opening it does not wait
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

    try:
        with pytest.raises(KeyboardInterrupt):
            jlanes.file_digests([fifo], "sha1")
    finally:
        os.close(writer)
