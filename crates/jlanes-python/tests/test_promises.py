"""Ctrl-C, references, and names and messages of errors, for each kind of call."""

import copy
import gc
import hashlib
import inspect
import io
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import weakref

import jlanes
import jlanes.polars
import pandas
import polars
import pyarrow
import pytest
from jlanes import column, merkle

# calls that take long
LONG = {
    "pbkdf2_hmac": "jlanes.pbkdf2_hmac('sha256', b'p', b's', 2**31 - 1)",
    "pbkdf2_many": "jlanes.pbkdf2_many('sha512', [b'p'] * 3, b's', 2**31 - 1, threads=2)",
    "pbkdf2 of many": "jlanes.pbkdf2_many('sha256', [b'p'] * 10**6, b's', 2000)",
    "digest_many": "jlanes.digest_many('sha256', [bytes(10**6)] * 10**5)",
    "hmac_many": "jlanes.hmac_many(b'k', [bytes(10**6)] * 10**5, 'sha256')",
    "xof_many": "jlanes.xof_many('shake_128', [bytes(10**6)] * 10**5, 16)",
    "log": "merkle.Log([bytes(10**6)] * 10**5)",
    "log.extend": "merkle.Log().extend(iter([bytes(10**6)] * 10**5))",
    "column": "column.sha256(pyarrow.chunked_array([pyarrow.array([bytes(10**5)] * 100)] * 1000), hex=True)",
    "row_digest": "column.row_digest('sha256', pyarrow.table({'a': pyarrow.chunked_array([pyarrow.array(range(10**5))] * 400)}))",
    "row_digest of long rows": "column.row_digest('sha256', LONG_ROW)",
    "pbkdf2 of a column": "column.pbkdf2('sha256', pyarrow.array(['p', 'q']), b's', 2**31 - 1)",
    "one row": "column.digest('sha3_512', ROW)",
    "a constructor": "jlanes.sha3_512(bytes(2**31 - 1))",
    "blake2s": "jlanes.blake2s(bytes(2**31 - 1))",
    "shake_128": "jlanes.shake_128(bytes(2**31 - 1))",
    "merkle": "merkle.rfc6962(bytes(2**28), 1, threads=2)",
    "merkle of one leaf": "merkle.fsverity(bytes(2**31 - 1), 'sha512', block=2**16)",
    "list(sum)": "list(jlanes.sum([FILE] * 10**6))",
    "list(verify)": "list(jlanes.verify(io.BytesIO((b'0a' * 32 + b'  ' + FILE.encode() + b'\\n') * 10**6)))",
    "file_digests": "jlanes.file_digests([FILE] * 10**6, 'sha256')",
}

# what such a call needs, made before the signal
BEFORE = {
    "row_digest of long rows": "items = pyarrow.nulls(2**29, 'int8').fill_null(1); LONG_ROW = "
    "pyarrow.table({'a': pyarrow.FixedSizeListArray.from_arrays(items, 2**29)})",
    "one row": "ROW = pyarrow.array([bytes(2**30)], 'large_binary')",
}


@pytest.mark.parametrize("call", LONG)
def test_ctrl_c(call, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(bytes(100))
    program = f"""if True:
        import io, os, signal, jlanes, pyarrow
        from jlanes import column, merkle
        FILE = {str(file)!r}
        signal.signal(signal.SIGINT, signal.default_int_handler)
        column.sha256(pyarrow.array(["what is imported late"]))
        {BEFORE.get(call, "")}
        print("ready", flush=True)
        try:
            {LONG[call]}
            print("done", flush=True)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        os._exit(0)  # without the time to free what was made
    """
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)  # the shortest call takes most of a second on a fast machine
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    line = process.stdout.readline()
    took = time.monotonic() - before
    process.wait()
    assert line == "stopped\n", "the call is too short for the test"
    # 0.3 s is promised; others may use the processors, too
    assert took < 3 * max(1, os.getloadavg()[0] / os.cpu_count())


def test_a_stopped_call_of_a_thread_leaves_no_work_behind():
    def later():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=later).start()
    with pytest.raises(KeyboardInterrupt):
        jlanes.pbkdf2_many("sha256", [b"p"] * 40, b"s", 2_000_000)
    many = jlanes.pbkdf2_many("sha256", [b"p", b"q"], b"s", 200_000, 40)
    assert many == [hashlib.pbkdf2_hmac("sha256", p, b"s", 200_000, 40) for p in (b"p", b"q")]


def test_the_collector_sees_paths():
    class Path(str):
        pass

    def cycle():
        path = Path("/nowhere")
        path.result = jlanes.file_digests([path], "sha256", errors="return")
        path.files = jlanes.sum([path])
        return path

    gc.collect()
    cycle()
    gone = weakref.ref(cycle())
    gc.collect()
    assert gone() is None
    assert gc.is_tracked(jlanes.file_digests([__file__], "sha256")[0])


def test_errors_do_not_keep_the_callers_alive():
    (result,) = jlanes.file_digests(["/nowhere"], "sha256", errors="return")
    for _ in range(3):
        with pytest.raises(FileNotFoundError) as error:
            result.digest()
        assert error.value is not result.error
        assert error.value.filename == "/nowhere" and error.value.errno == result.error.errno
    assert result.error.__traceback__ is None


@pytest.mark.parametrize("name", ["name", "index", "dtype", "dtypes", "columns", "T", "types"])
def test_frames_with_columns_of_any_name(name):
    expected = column.row_digest("sha256", pyarrow.table({name: ["x"]})).to_pylist()
    frame = pandas.DataFrame({name: ["x"]}, index=pandas.RangeIndex(7, 8))
    digests = column.row_digest("sha256", frame)
    assert digests.to_list() == expected
    assert digests.index.tolist() == [7] and digests.name is None
    assert column.row_digest("sha256", polars.DataFrame({name: ["x"]})).to_list() == expected


def test_file_digest_is_of_the_rest():
    file = io.BytesIO(b"headbody")
    file.seek(4)
    assert jlanes.file_digest(file, "sha256").digest() == jlanes.sha256(b"body").digest()
    assert file.tell() == 8
    assert jlanes.file_digest(io.BytesIO(b"x"), jlanes.sha1).digest() == jlanes.sha1(b"x").digest()


SEPARATORS = ["", "-", "_", "/", " ", ".", "--", "\0", "²", "\n", "ſ"]


def test_names_are_exact():
    """Between the parts of each name only the listed separators, and nothing before or behind."""
    known = {}
    for name in sorted(jlanes.algorithms_available):
        parts = [part for part in re.split(r"(?<=[a-z])(?=\d)|[-_]", name) if part]
        for separator in SEPARATORS:
            known.setdefault(separator.join(parts), name)
        for wrong in (name + "\0", name + "²", name + " ", " " + name, name + "-", name + "_", "-" + name):
            for call in (jlanes.new, lambda n: jlanes.digest_many(n, []), lambda n: jlanes.xof_many(n, [], 9)):
                with pytest.raises(ValueError):
                    call(wrong)
    plain = {re.sub(r"[-_/]", "", name) for name in jlanes.algorithms_available}
    for spelling, name in known.items():
        try:
            found = jlanes.new(spelling.upper(), b"m")
        except ValueError:
            continue
        assert re.sub(r"[-_/]", "", spelling) in plain, spelling
        assert found.name == jlanes.new(name).name


@pytest.mark.parametrize("wrong", ["sha256\0", "sha256²", "sha2-1", "blake2b--8", "sha 256", "sha256.", "sha-ke128"])
def test_near_names_are_refused(wrong):
    with pytest.raises(ValueError, match="unsupported hash type"):
        jlanes.new(wrong)
    with pytest.raises(ValueError):
        column.digest(wrong, pyarrow.array(["x"]))
    with pytest.raises(polars.exceptions.ComputeError, match="unsupported hash type"):
        polars.DataFrame({"x": ["a"]}).select(polars.col("x").jlanes.digest(wrong))


CONSTRUCTORS = [getattr(module, n) for module in (jlanes, hashlib) for n in hashlib.algorithms_guaranteed]


@pytest.mark.parametrize("constructor", [c for c in CONSTRUCTORS if "shake" not in c.__name__], ids=str)
def test_constructors_are_names(constructor):
    name = constructor.__name__.removeprefix("openssl_")
    assert jlanes.digest_many(constructor, [b"x"]) == jlanes.digest_many(name, [b"x"])
    assert jlanes.hmac_many(b"k", [b"x"], constructor) == jlanes.hmac_many(b"k", [b"x"], name)
    rows = pyarrow.array(["x"])
    assert column.digest(constructor, rows) == column.digest(name, rows)
    (file,) = jlanes.file_digests([__file__], constructor)
    assert file.digests == {name: file.digest()}
    frame = polars.DataFrame({"x": ["x"]})
    assert frame.select(polars.col("x").jlanes.digest(constructor)).item() == column.digest(name, rows)[0].as_py()


# each call, and what its message says to write
MESSAGES = {
    "jlanes.digest_many(hashlib.blake2b(b'').copy, [b'x'])": "a name as 'sha256', or a constructor",
    "jlanes.digest_many(5, [b'x'])": "a name as 'sha256', or a constructor",
    "jlanes.digest_many('shake_128', [b'x'])": "xof_many",
    "jlanes.digest_many('SHAKE-256', [b'x'])": "'shake256-256'",
    "column.digest(jlanes.shake_128, pyarrow.array(['x']))": "xof_many",
    "jlanes.file_digests(['x'], 'shake_128')": "'shake128-256'",
    "jlanes.xof_many('sha256', [b'x'], 9)": "digest_many",
    "jlanes.digest_many('sha256', [b'x'], threads=-1)": "0 for one for each processor",
    "jlanes.digest_many('sha256', [b'x'], threads=9999)": "1 to 1024",
    "column.sha256(pyarrow.array(['x']), threads=-1)": "0 for one for each processor",
    "jlanes.file_digests(['x'], 'sha256', threads=-1)": "0 for one for each processor",
    "jlanes.merkle.dropbox(b'', threads=-5)": "0 for one for each processor",
    "jlanes.digest_many('sha265', [b'x'])": "did you mean",
    "jlanes.digest_many('whirlpool', [b'x'])": "algorithms_available",
    "jlanes.digest_many('sha256', b'x')": "a list of messages",
    "jlanes.sha256([b'x'])": "digest_many takes a list",
    "jlanes.sha256(5)": "to_bytes",
    "jlanes.sha256('x')": "x.encode",
    "jlanes.hmac_many([b'k'], [b'x', b'y'], 'sha256')": "one for each",
    "jlanes.pbkdf2_many('sha256', [b'x', b'y'], [b's'], 1)": "one for each",
    "jlanes.xof_many('shake_128', [b'x', b'y'], [9])": "one for each",
    "jlanes.file_digests('x', 'sha256')": "[path]",
    "jlanes.sum('x')": "[path]",
    "jlanes.file_digests(['x'], [])": "name one",
    "jlanes.file_digests([FILE], ['md5', 'sha1'])[0].digest()": "'md5', 'sha1'",
    "jlanes.file_digests([FILE], 'md5')[0].digest('sha1')": "md5",
    "jlanes.polars.row_digest('sha256')": "polars.all()",
    "column.sha256(pyarrow.array([1]))": "cast it",
    "column.sha256(pyarrow.table({'a': [1], 'b': [2]}))": "hash whole rows",
    "column.sha256([b'x'])": "Arrow column is required",
}


@pytest.mark.parametrize("call", MESSAGES)
def test_messages_say_what_to_write(call):
    names = globals() | {"FILE": __file__}
    with pytest.raises((TypeError, ValueError, KeyError)) as error:
        eval(call, names)
    assert MESSAGES[call] in str(error.value)


def test_recursion_has_progress_and_progress_recursion(tmp_path):
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    calls = []
    found = list(jlanes.sum([tmp_path], recursive=True, progress=lambda *now: calls.append(now)))
    assert [file.digest() for file in found] == [jlanes.sha256(n.encode()).digest() for n in "abc"]
    assert calls[-1] == (3, 3)
    calls.clear()
    listed = jlanes.file_digests(
        [tmp_path], "sha256", recursive=True, progress=lambda *now: calls.append(now)
    )
    assert [file.path for file in listed] == [file.path for file in found] and calls[-1] == (3, 3)

    def stop(*_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        list(jlanes.sum([tmp_path], recursive=True, progress=stop))


def test_logs_are_pickled():
    for count in (0, 1, 5, 600):
        log = merkle.Log([b"entry %d" % i for i in range(count)])
        for other in (pickle.loads(pickle.dumps(log)), copy.copy(log), copy.deepcopy(log)):
            assert len(other) == count and other.root() == log.root()
            other.append(b"one more")
            assert len(log) == count
            if count:
                proof = other.consistency(count)
                assert merkle.verify_consistency(count, log.root(), count + 1, other.root(), proof)


def test_entity_tags():
    parts = [bytes([i]) * 1000 for i in range(3)]
    whole = hashlib.md5(b"".join(hashlib.md5(part).digest() for part in parts)).hexdigest()
    assert merkle.etag(b"".join(parts), 1000) == f"{whole}-3"
    assert merkle.etag(b"abc", 1000, threads=2) == hashlib.md5(b"abc").hexdigest()
    with pytest.raises(ValueError):
        merkle.etag(b"abc", 0)


def test_signatures_have_no_ellipsis():
    for module in (jlanes, merkle, column):
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and not isinstance(value, type):
                assert "Ellipsis" not in str(inspect.signature(value)), name
    assert str(inspect.signature(jlanes.sha256)).startswith("(data=b'', *, usedforsecurity=True")
    assert "digest_size=64" in str(inspect.signature(jlanes.blake2b))


def test_a_digest_that_was_asked_for_is_that_of_the_message():
    for name in ("sha256", "sha512", "jlanes8-sha256", "skein1024-1024", "blake2b-256"):
        hasher = jlanes.new(name, b"a" * 100)
        first = hasher.digest()
        other = hasher.copy()
        hasher.update(b"b")
        assert other.digest() == first == jlanes.new(name, b"a" * 100).digest()
        assert hasher.hexdigest() == jlanes.new(name, b"a" * 100 + b"b").hexdigest() == hasher.hexdigest()
