"""Edge cases that were bugs once: locks, threads, signals, chunks, memory."""

import hashlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy
import polars
import pyarrow
import pytest

import jlanes.polars
from jlanes import column, merkle


def on_four_threads(work):
    """Runs `work` on four threads at once, and returns what they raise."""
    errors = []

    def guarded():
        try:
            work()
        except BaseException as error:
            errors.append(error)

    workers = [threading.Thread(target=guarded) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return errors


def run(program, *, limit=None, timeout=60):
    """The output of a program in a process of its own."""
    set_limit = limit and (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=timeout,
        preexec_fn=set_limit,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes have no __buffer__ before 3.12")
@pytest.mark.parametrize("name", ["sha256", "sha3_256", "blake2b", "blake2s", "shake_128"])
def test_a_buffer_that_uses_the_hash_object_meanwhile(name):
    out = run(f"""
import jlanes
hasher = jlanes.new("{name}")
class Tricky:
    def __buffer__(self, flags):
        hasher.update(b"first")
        return memoryview(b"second")
hasher.update(Tricky())
print(hasher.hexdigest(*[9] * ("{name}" == "shake_128")))
""")
    expected = hashlib.new(name, b"firstsecond")
    assert out == [expected.hexdigest(9) if name == "shake_128" else expected.hexdigest()]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes have no __buffer__ before 3.12")
def test_a_buffer_that_uses_the_log_meanwhile():
    assert run("""
from jlanes import merkle
log = merkle.Log()
class Tricky:
    def __buffer__(self, flags):
        log.append(b"first")
        return memoryview(b"second")
log.append(Tricky())
log.extend([Tricky()])
print(len(log))
""") == ["4"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes have no __buffer__ before 3.12")
def test_bytes_that_have_another_buffer():
    assert run("""
import jlanes
class Other(bytes):
    def __buffer__(self, flags):
        return memoryview(b"other")
x = Other(b"x")
for count in (1, 100):
    print(*{*jlanes.digest_many("md5", [x] * count)} ^ {jlanes.md5(b"other").digest()})
print(*{*jlanes.hmac_many(x, [b""], "md5")} ^ {*jlanes.hmac_many(b"other", [b""], "md5")})
""") == []


def test_signal_handlers_and_finalizers_use_the_log():
    out = run("""
import gc, signal
from jlanes import merkle
log = merkle.Log()
signal.signal(signal.SIGALRM, lambda *_: log.append(b"alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.01)
while len(log) % 300 == 0:
    log.extend([bytes(100_000)] * 300)
class Cycle:
    def __init__(self):
        self.itself = self
    def __del__(self):
        len(log)
gc.set_threshold(1)
for _ in range(300):
    Cycle()
    log.inclusion(0), log.consistency(1)
print("done")
""")
    assert out == ["done"]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="calls of C collect no garbage")
@pytest.mark.parametrize(
    ("object", "calls"),
    [
        ("jlanes.blake2b(fanout=2, depth=2)", ['update(b"x")', "digest()", "copy()"]),
        ("column.sha256(Plain())", ["__arrow_c_array__()", "__arrow_c_stream__()"]),
    ],
)
def test_finalizers_use_the_object_of_a_call(object, calls):
    out = run(f"""
import gc, pyarrow, jlanes
from jlanes import column
class Plain:
    __arrow_c_array__ = pyarrow.array([b"x"]).__arrow_c_array__
used = {object}
calls = [{", ".join(f"lambda: used.{call}" for call in calls)}]
class Cycle:
    def __init__(self, use):
        self.itself, self.use = self, use
    def __del__(self):
        self.use()
def leave_garbage(use):
    Cycle(use)
gc.collect()
gc.set_threshold(1)
for _ in range(300):
    for call in calls:
        leave_garbage(calls[0])
        call()
print("done")
""", timeout=20)
    assert out == ["done"]


@pytest.mark.skipif(sys.platform != "linux", reason="this end of a process takes glibc")
def test_the_interpreter_ends_before_a_daemon_thread():
    assert run("""
import ctypes, threading, time
import jlanes
libc = ctypes.CDLL(None)
# the process sleeps for half a second after the interpreter's end
libc.__cxa_atexit(libc.usleep, ctypes.c_void_p(500_000), None)
def work():
    jlanes.digest_many("sha256", [bytes(3000)] * 1_000_000, threads=2)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
""") == []


MANY = 1 << 14
PASSWORDS = [str(i).encode() for i in range(MANY)]
SLOW = {
    "pbkdf2, column": lambda: column.pbkdf2("sha256", pyarrow.array(PASSWORDS), b"salt", 20_000),
    "pbkdf2, dictionary": lambda: column.pbkdf2(
        "sha256", pyarrow.array(PASSWORDS).dictionary_encode(), b"salt", 20_000
    ),
    "pbkdf2, threads": lambda: column.pbkdf2(
        "sha256", pyarrow.array(PASSWORDS), b"salt", 20_000, threads=2
    ),
    "pbkdf2_many, column": lambda: jlanes.pbkdf2_many("sha256", pyarrow.array(PASSWORDS), b"", 20_000),
    "pbkdf2_many, list": lambda: jlanes.pbkdf2_many("sha256", PASSWORDS, b"", 20_000),
    "pbkdf2_many, threads": lambda: jlanes.pbkdf2_many("sha256", PASSWORDS, b"", 20_000, threads=2),
    "xof_many, column": lambda: jlanes.xof_many("shake_256", pyarrow.array(PASSWORDS), 60_000),
    "xof_many, list": lambda: jlanes.xof_many("shake_256", PASSWORDS, 60_000),
}


@pytest.mark.parametrize("call", SLOW)
def test_ctrl_c_is_heard_in_the_middle(call, interruptible):
    heard = []

    def interrupt():
        time.sleep(0.3)
        heard.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    worker = threading.Thread(target=interrupt)
    worker.start()
    with pytest.raises(KeyboardInterrupt):
        SLOW[call]()
        time.sleep(60)  # on a machine that was done before
    print(f"{call}: {time.monotonic() - heard[0]:.3f} s after Ctrl-C")
    worker.join()


def test_null_columns():
    for nulls in [
        polars.Series("a", [None, None]),
        polars.Series("a", [None, None], dtype=polars.Null),
        pyarrow.nulls(2),
        pyarrow.chunked_array([pyarrow.nulls(1), pyarrow.nulls(1)]),
    ]:
        assert list(column.sha256(nulls)) in ([None, None], [pyarrow.scalar(None, pyarrow.binary())] * 2)
        assert len(column.row_digest("sha256", pyarrow.table({"a": pyarrow.nulls(2)}))) == 2
    frame = polars.DataFrame({"a": [None, None]})
    assert frame.select(polars.col("a").jlanes.sha256())["a"].to_list() == [None, None]


def test_equal_columns_in_other_chunks():
    rows = [str(i) for i in range(100)]
    keys = [f"k{i}".encode() for i in range(100)]
    whole = pyarrow.array(rows)
    expected = column.hmac(pyarrow.array(keys), whole, "sha256").to_pylist()
    digests = column.sha256(whole)

    def cut(values, *ends):
        starts = [0, *ends]
        array = pyarrow.array(values)
        return pyarrow.chunked_array(
            [array[start:end] for start, end in zip(starts, [*ends, len(array)])]
        )

    for a, b in [((50,), ()), ((50,), (20, 60)), ((), (1, 2, 3)), ((0, 10, 10), (99,))]:
        tags = column.hmac(cut(keys, *a), cut(rows, *b), "sha256")
        assert tags.to_pylist() == expected
        right = column.verify("sha256", cut(rows, *a), cut(digests.to_pylist(), *b))
        assert right.to_pylist() == [True] * 100
        derived = column.pbkdf2("sha256", cut(rows, *a), cut(keys, *b), 1).to_pylist()
        assert derived == column.pbkdf2("sha256", whole, pyarrow.array(keys), 1).to_pylist()
    with pytest.raises(ValueError, match="different numbers of rows"):
        column.verify("sha256", cut(rows, 50), cut(digests.to_pylist()[:99], 50))


@pytest.mark.skipif("JLANES_TEST_LARGE" not in os.environ, reason="it takes 6 GiB of memory")
def test_results_that_are_large_only_in_a_later_chunk():
    name = f"shake128-{8 << 20}"  # 1 MiB
    chunked = pyarrow.chunked_array([pyarrow.array(["a"]), pyarrow.array(["b"] * 2100)])
    digests = column.digest(name, chunked)
    assert len(digests) == 2101
    assert digests[2100].as_py() == hashlib.shake_128(b"b").digest(1 << 20)


def test_none_is_no_message():
    for call in [
        lambda: jlanes.sha256(None),
        lambda: jlanes.new("sha256", None),
        lambda: jlanes.sha256(string=None),
        lambda: jlanes.shake_128(None),
        lambda: jlanes.blake2b(None),
        lambda: jlanes.blake2s(b"", key=None),
        lambda: jlanes.sha256().update(None),
    ]:
        with pytest.raises(TypeError):
            call()


def test_threads_share_an_iterator_of_files(tmp_path):
    paths = []
    for i in range(200):
        paths.append(tmp_path / str(i))
        paths[-1].write_bytes(b"x" * i)
    for _ in range(30):
        files, found = jlanes.sum(paths, "sha256"), []

        def work():
            found.extend(file.path for file in files)

        assert on_four_threads(work) == []
        assert sorted(map(str, found)) == sorted(map(str, paths))


def test_an_iterator_of_files_in_a_process_that_was_forked_off(tmp_path):
    (tmp_path / "a").write_bytes(b"a")
    out = run(f"""
import os, jlanes
files = jlanes.sum([{str(tmp_path / "a")!r}] * 1000, "sha256")
child = os.fork()
if child == 0:
    try:
        list(files)
    except RuntimeError:
        os._exit(7)
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(list(files)))
""")
    assert out == ["7", "1000"]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize(
    "call",
    [
        "jlanes.shake_128(b'').digest(60 << 20)",
        "jlanes.shake_128(b'').hexdigest(40 << 20)",
        "jlanes.digest_many('skein1024-8388608', [b''] * 150)",
        "jlanes.hexdigest_many('skein1024-8388608', [b''] * 100)",
        "jlanes.xof_many('shake_128', [b''] * 2, 40 << 20)",
        "jlanes.pbkdf2_hmac('sha256', b'', b'', 1, 200 << 20)",
        "jlanes.pbkdf2_hmac('sha256', b'', b'', 1, 60 << 20)",
        "jlanes.hmac_many(bytes(60 << 20), [b''], 'sha256')",
        "jlanes.digest_many('sha256', EMPTY)",
        "jlanes.digest_many('sha1', EMPTY, collisions='raise')",
        "jlanes.hmac_many(EMPTY, [b''], 'sha256')",
        "jlanes.pbkdf2_many('sha256', EMPTY, b'', 1)",
        "jlanes.pbkdf2_many('sha256', [bytes(60 << 20)], b'', 300_000)",
        "jlanes.xof_many('shake_128', EMPTY, 1)",
        "jlanes.merkle.Log(EMPTY)",
    ],
)
def test_out_of_memory_is_memory_error(call):
    assert run(
        f"""
import ctypes, jlanes
EMPTY = ((ctypes.c_char * 0) * (1 << 40))()
try:
    {call}
except MemoryError:
    print("MemoryError")
""",
        limit=130 << 20,
    ) == ["MemoryError"]


def test_long_calls_where_no_thread_can_start():
    out = run("""
import hashlib, os
os.environ["RUST_MIN_STACK"] = str(1 << 50)
import jlanes, pyarrow
long = bytes(17 << 20)
(digest,) = jlanes.column.sha256(pyarrow.array([long])).to_pylist()
print(digest == hashlib.sha256(long).digest())
key = jlanes.pbkdf2_hmac("sha256", b"p", b"s", 200_000)
print(key == hashlib.pbkdf2_hmac("sha256", b"p", b"s", 200_000))
""")
    assert out == ["True", "True"]


def test_a_log_keeps_all_entries_of_all_threads():
    log = merkle.Log()

    def work():
        for _ in range(20):
            log.extend([bytes(50_000)] * 20)
            log.append(b"one")

    assert on_four_threads(work) == [] and len(log) == 4 * 20 * 21


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted by /proc")
def test_numbers_of_threads_do_not_add_up():
    assert int(*run("""
import os, time, jlanes
for threads in range(2, 34):
    jlanes.digest_many("sha256", [bytes(3000)] * 1000, threads=threads)
for _ in range(100):
    if len(os.listdir("/proc/self/task")) <= 35:
        break
    time.sleep(0.1)
print(len(os.listdir("/proc/self/task")))
""")) <= 35


def test_results_of_duckdb_are_columns():
    import duckdb

    relation = duckdb.sql("select * from (values ('a'), (null), ('b')) t(x)")
    found = pyarrow.chunked_array(column.sha256(relation)).to_pylist()
    assert found == [hashlib.sha256(b"a").digest(), None, hashlib.sha256(b"b").digest()]
    tags = jlanes.hmac_many(b"k", duckdb.sql("select 'a'"), "sha256")
    assert pyarrow.chunked_array(tags).to_pylist() == jlanes.hmac_many(b"k", [b"a"], "sha256")
    with pytest.raises(TypeError, match="several columns"):
        column.sha256(duckdb.sql("select 'a' as x, 'b' as y"))


@pytest.mark.parametrize(
    "type, words",
    [
        (pyarrow.list_(pyarrow.string()), "lists"),
        (pyarrow.int32(), "integers"),
        (pyarrow.timestamp("s"), "timestamps"),
        (pyarrow.struct({"a": pyarrow.int8()}), "structs"),
        (pyarrow.run_end_encoded(pyarrow.int32(), pyarrow.string()), "run-end"),
        (pyarrow.map_(pyarrow.string(), pyarrow.string()), "maps"),
    ],
)
def test_types_are_refused_in_words(type, words):
    with pytest.raises(TypeError, match=f"a column of {words}"):
        column.sha256(pyarrow.array([], type))


def test_gaps_and_empty_rows_do_not_change_what_is_given():
    rows = numpy.arange(40, dtype="u1").reshape(10, 4)
    for view in [rows[::2], rows[:, ::2], rows[::-1], rows[:, :0]]:
        found = jlanes.digest_many("sha256", view)
        assert isinstance(found, numpy.ndarray)
        assert [bytes(row) for row in found] == [hashlib.sha256(bytes(row)).digest() for row in view]


@pytest.mark.skipif(
    getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this build of Python has a GIL"
)
def test_free_threaded_builds_stay_so():
    out = run("import sys, jlanes; print(sys._is_gil_enabled())")
    assert out == ["False"]


def test_one_interpreter_can_import_it():
    """Classes are invalid after the end of their interpreter, and numpy's in another one are not the same."""
    out = run("""
import sys
if sys.version_info < (3, 13):
    import _xxsubinterpreters as interpreters
    legacy = interpreters.create(isolated=False)
else:
    import _interpreters as interpreters
    legacy = interpreters.create("legacy")
import jlanes  # the main interpreter has it
program = "try:\\n import jlanes\\nexcept ImportError:\\n print('ImportError', flush=True)"
for other in [interpreters.create(), legacy]:
    interpreters.run_string(other, program)
del sys.modules["jlanes"], sys.modules["jlanes._jlanes"]
import jlanes
print(jlanes.sha256(b"").hexdigest()[:4])
""")
    assert out == ["ImportError", "ImportError", "e3b0"]
