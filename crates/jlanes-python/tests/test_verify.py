"""Files compared with lists of digests."""

import hashlib
import io
import os
import signal
import threading
import time

import pytest

import jlanes

DATA = {"a": b"abc", "b c": b"", "d/e": bytes(100_000)}


@pytest.fixture
def folder(tmp_path):
    for name, data in DATA.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return tmp_path


def listed(algorithm="sha256", names=DATA):
    return "".join(f"{hashlib.new(algorithm, DATA[name]).hexdigest()}  {name}\n" for name in names)


def verify(text, folder, **options):
    """The iterator, and its lines."""
    text = text if isinstance(text, bytes) else text.encode()
    lines = jlanes.verify(io.BytesIO(text), base=folder, **options)
    return lines, list(lines)


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256", "sha512"])
def test_a_list_of_files(folder, algorithm):
    lines, found = verify(listed(algorithm), folder, algorithm=algorithm)
    assert [(line.line, line.name, line.verdict) for line in found] == [
        (i + 1, name, "match") for i, name in enumerate(DATA)
    ]
    for line, data in zip(found, DATA.values()):
        expected = hashlib.new(algorithm, data).hexdigest()
        assert (line.algorithm, line.expected, line.found) == (algorithm, expected, expected)
        assert line.error is None
    assert lines.ok and lines.account["entries"] == len(DATA)
    assert lines.bytes == sum(map(len, DATA.values()))


def test_each_line_has_a_verdict_and_is_counted(folder):
    text = f"# a comment\n\n{listed()}{'0a' * 32}  a\nno digest\n{'0a' * 32}  missing\n{'0a' * 32}  d\n"
    lines = jlanes.verify(io.BytesIO(text.encode()), base=folder)
    assert not lines.ok and lines.account is None
    found = list(lines)
    verdicts = ["match"] * 3 + ["mismatch", "malformed", "unreadable", "unreadable"]
    assert [line.verdict for line in found] == verdicts
    wrong, malformed, missing, directory = found[3:]
    assert wrong.expected == "0a" * 32 and wrong.found == hashlib.sha256(b"abc").hexdigest()
    assert malformed.name is None and malformed.expected is None
    assert isinstance(malformed.error, ValueError)
    assert isinstance(missing.error, FileNotFoundError) and missing.error.filename == "missing"
    assert missing.found is None and missing.expected == "0a" * 32
    assert isinstance(directory.error, OSError)
    assert not lines.ok
    kinds = {"entries": 6, "structure": 1, "comments": 1, "malformed": 1, "refused": 0}
    assert lines.account == kinds
    assert sum(kinds.values()) == text.count("\n")


@pytest.mark.parametrize("text", ["", "# nothing\n", "no digest\n"])
def test_a_list_without_a_match_is_not_ok(folder, text):
    assert not verify(text, folder)[0].ok


def test_untrusted_lists_lead_nowhere_and_forge_nothing(folder):
    base = folder / "d"
    os.symlink("../a", base / "link")
    data, sha256 = DATA["d/e"], hashlib.sha256
    text = "".join(
        f"{line}\n"
        for line in [
            f"{sha256(data).hexdigest()}  e",
            f"{sha256(b'abc').hexdigest()}  ../a",
            f"{sha256(b'abc').hexdigest()}  {folder / 'a'}",
            f"{sha256(b'abc').hexdigest()}  link",
            f"{hashlib.md5(data).hexdigest()}  e",
            f"SHA1 (e) = {hashlib.sha1(data).hexdigest()}",
            f"SHA1DC (e) = {hashlib.sha1(data).hexdigest()}",
            f"SHA512 (e) = {hashlib.sha512(data).hexdigest()}",
        ]
    )
    lines, found = verify(text, base, untrusted=True)
    verdicts = ["match", *["unreadable"] * 3, *["refused"] * 3, "match"]
    assert [line.verdict for line in found] == verdicts
    assert "broken" in str(found[4].error) and found[4].expected is None
    assert lines.account["refused"] == 3 and not lines.ok
    trusted = [line.verdict for line in verify(text, base)[1]]
    assert trusted == ["match"] * len(found)


def test_short_digests_are_refused(folder):
    _, [line] = verify("SHAKE128-64 (a) = 5881092dd818bf5c\n", folder)
    assert line.verdict == "refused" and "64 bits" in str(line.error)


def test_several_digests_of_a_file_are_all_compared(folder):
    good, bad = hashlib.sha256(b"abc").hexdigest(), "0b" * 20
    lines, [line] = verify(f"#mtree\na size=3 sha1={bad} sha256digest={good}\n", folder)
    assert (line.verdict, line.algorithm, line.expected) == ("mismatch", "sha1", bad)
    lines, [line] = verify(f"#mtree\na size=4 sha256digest={good}\n", folder)
    assert line.verdict == "mismatch" and line.expected == line.found
    lines, [line] = verify("#mtree\na size=3\n", folder)
    assert (line.verdict, line.algorithm) == ("match", None) and lines.ok


def test_the_algorithm_of_digests_without_a_tag(folder):
    _, [line] = verify(listed("sha512", ["a"]), folder)  # BLAKE2b has the same length
    assert line.verdict == "malformed" and "algorithm=" in str(line.error)
    sha3 = jlanes.new("sha3_256", b"abc").hexdigest()
    text = f"{sha3}  a\n"
    assert not verify(text, folder)[0].ok
    for algorithm in ["sha3_256", jlanes.sha3_256]:
        assert verify(text, folder, algorithm=algorithm)[0].ok
    path = folder / "a.sha3-256"
    path.write_text(text)
    for source in [path, str(path), os.fsencode(path)]:
        lines = jlanes.verify(source, base=os.fsencode(folder))
        assert [line.algorithm for line in lines] == ["sha3_256"] and lines.ok
    with open(path, "rb") as opened:
        lines = jlanes.verify(opened, base=folder)
        assert [line.verdict for line in lines] == ["match"]
    with pytest.raises(ValueError):
        jlanes.verify(path, algorithm="sha255")


def test_names_begin_in_the_working_directory(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for untrusted in [False, True]:
        lines = jlanes.verify(io.BytesIO(listed().encode()), untrusted=untrusted)
        assert all(line.verdict == "match" for line in lines) and lines.ok


def test_names_are_those_of_the_system(folder):
    name = b"caf\xe9"
    try:
        (folder / os.fsdecode(name)).write_bytes(b"abc")
    except OSError:
        pytest.skip("the file system takes UTF-8 alone")
    text = hashlib.sha256(b"abc").hexdigest().encode() + b"  " + name + b"\n"
    lines, [line] = verify(text, folder)
    assert os.fsencode(line.name) == name and lines.ok


def test_errors_of_calls(folder):
    with pytest.raises(FileNotFoundError):
        jlanes.verify(folder / "missing")
    with pytest.raises(TypeError):
        jlanes.verify(io.StringIO(listed()))
    with pytest.raises(FileNotFoundError):
        jlanes.verify(io.BytesIO(b""), base=folder / "missing", untrusted=True)
    with pytest.raises(ValueError):
        jlanes.verify(io.BytesIO(b""), threads=-1)


def test_progress_ends_with_everything(folder):
    seen = []
    lines, _ = verify(listed(), folder, progress=lambda files, bytes: seen.append((files, bytes)))
    assert seen[-1] == (len(DATA), lines.bytes)


def test_many_lines_and_an_iteration_that_is_left(folder):
    text = listed() * 5000
    lines, found = verify(text, folder, threads=3)
    assert len(found) == 15_000 and lines.ok
    lines = jlanes.verify(io.BytesIO(listed().encode()), base=folder)
    for line in lines:
        time.sleep(0.05)  # everything is hashed by then
        assert lines.account is None and not lines.ok
        if line.line == 2:
            break


def test_ctrl_c_is_heard(tmp_path, interruptible):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = os.open(fifo, os.O_RDWR)  # so that opening it does not wait
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    text = f"{'0a' * 32}  {fifo}\n".encode()
    try:
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            list(jlanes.verify(io.BytesIO(text)))
        assert time.monotonic() - start < 2
    finally:
        os.close(writer)


def test_a_list_may_be_in_any_form(folder):
    sha256 = hashlib.sha256(b"abc").hexdigest()
    for text in [
        f"SHA256 (a) = {sha256}\n",
        f"SHA2-256(a)= {sha256}\n",
        f"{sha256} *a\r\n",
        f"Algorithm : SHA256\nHash : {sha256.upper()}\nPath : a\n",
    ]:
        for encoding in ["utf-8", "utf-8-sig", "utf-16"]:
            lines, found = verify(text.encode(encoding), folder)
            assert [line.verdict for line in found] == ["match"] and lines.ok, text
