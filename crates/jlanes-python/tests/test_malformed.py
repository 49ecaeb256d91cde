"""Malformed Arrow arrays: digests of the rows, or an error, and never a crash.

Structures say how long an array is, but not how long its buffers are: that is the producer's promise,
which all arrays here keep. Everything else may be wrong. JLANES_FUZZ_ROUNDS says how many arrays are
made up.
"""

import ctypes
import hashlib
import os
import random
import threading

import numpy
import polars
import pyarrow
import pytest

import jlanes
import jlanes.polars
from jlanes import column

ROUNDS = int(os.environ.get("JLANES_FUZZ_ROUNDS", 1500))
BYTES = bytes(range(1, 101))


def digests(rows):
    return [None if row is None else hashlib.sha256(row).digest() for row in rows]


def check(array, rows):
    """`rows` are the expected rows of the array; None if it is malformed."""
    calls = [
        lambda: column.sha256(array),
        lambda: column.hmac(b"key", array, "sha256"),
        lambda: column.verify("sha256", array, array),
        lambda: column.row_digest("sha256", pyarrow.RecordBatch.from_arrays([array], ["x"])),
    ]
    if rows is not None:
        assert calls[0]().to_pylist() == digests(rows)
        for call in calls[1:]:
            assert len(call()) == len(rows)
        return
    for call in calls:
        with pytest.raises(ValueError):
            call()


def bits(valid):
    numbers = [sum(1 << i for i in range(8) if valid[at + i : at + i + 1] == [True])
               for at in range(0, len(valid), 8)]
    return pyarrow.py_buffer(bytes(numbers))


def some_offsets(random, count):
    """Offsets that rise, or not; the last one is within the bytes."""
    offsets = sorted(random.randrange(len(BYTES) + 1) for _ in range(count + 1))
    for _ in range(random.choice([0, 0, 0, 1, 2])):
        offsets[random.randrange(count + 1)] = random.choice([-1, -(2**31), 2**31 - 1, 5, 101, 99])
    offsets[-1] = random.randrange(len(BYTES) + 1) if not 0 <= offsets[-1] <= 100 else offsets[-1]
    return offsets


def test_offsets():
    made = random.Random(1)
    outcomes = set()
    for _ in range(ROUNDS):
        count = made.randrange(1, 20)
        offsets = some_offsets(made, count)
        first = made.randrange(count)
        valid = [made.random() < 0.8 for _ in range(count)]
        kind, code = made.choice([(pyarrow.string(), "<i4"), (pyarrow.large_binary(), "<i8")])
        buffers = [bits(valid), pyarrow.py_buffer(numpy.array(offsets, code)), pyarrow.py_buffer(BYTES)]
        try:
            array = pyarrow.Array.from_buffers(kind, count - first, buffers, offset=first)
        except pyarrow.ArrowInvalid:
            continue  # pyarrow looks at the first and the last offset
        # the offsets of null rows lead nowhere
        used = [(offsets[i], offsets[i + 1]) for i in range(first, count) if valid[i]]
        good = all(0 <= start <= end <= offsets[-1] for start, end in used)
        rows = [BYTES[offsets[i] : offsets[i + 1]] if valid[i] else None for i in range(first, count)]
        check(array, rows if good else None)
        outcomes.add(good)
    assert outcomes == {True, False}


def test_views():
    made = random.Random(2)
    outcomes = set()
    for _ in range(ROUNDS):
        count = made.randrange(1, 20)
        views, rows, good = b"", [], True
        for _ in range(count):
            size = made.choice([0, 5, 12, 13, 40, 101, -1, 2**31 - 1])
            if 0 <= size <= 12:
                row = BYTES[:size]
                views += size.to_bytes(4, "little") + row.ljust(12, b"\0")
            else:
                buffer = made.choice([0, 0, 0, 1, 1, -1, 7])
                offset = made.choice([0, 0, 20, 60, 61, -1, 2**31 - 1])
                row = BYTES[offset : offset + size]
                fits = 0 <= size and 0 <= offset and offset + size <= 100 and buffer in (0, 1)
                good = good and fits
                for number in (size, int.from_bytes(row[:4].ljust(4, b"\0"), "little", signed=True),
                               buffer, offset):
                    views += number.to_bytes(4, "little", signed=True)
            rows.append(row)
        buffers = [None, pyarrow.py_buffer(views), pyarrow.py_buffer(BYTES), pyarrow.py_buffer(BYTES)]
        array = pyarrow.Array.from_buffers(pyarrow.binary_view(), count, buffers)
        check(array, rows if good else None)
        outcomes.add(good)
    assert outcomes == {True, False}


def test_indices_of_dictionaries():
    made = random.Random(3)
    values = pyarrow.array([b"one", b"two", None, b"four"])
    outcomes = set()
    for _ in range(ROUNDS):
        count = made.randrange(1, 20)
        indices = [made.choice([0, 1, 2, 3, 0, 1, 3, None]) for _ in range(count)]
        if made.random() < 0.3:
            indices[made.randrange(count)] = made.choice([-1, 4, 127, -128])
        array = pyarrow.DictionaryArray.from_arrays(
            pyarrow.array(indices, pyarrow.int8()), values, safe=False
        )
        good = all(i is None or 0 <= i < 4 for i in indices)
        rows = [None if i is None else values[i].as_py() for i in indices] if good else None
        check(array, rows)
        outcomes.add(good)
    assert outcomes == {True, False}


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


ReleaseSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ReleaseSchema),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ReleaseArray),
    ("private_data", ctypes.c_void_p),
]

capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype = ctypes.py_object
capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Producer:
    """Hands a schema and an array over, and counts how often they are released."""

    def __init__(self, format=b"u", length=2, null_count=0, offset=0, buffers=None, **other):
        self.released = []
        self.text = ctypes.create_string_buffer(BYTES)
        self.offsets = (ctypes.c_int32 * 3)(0, 3, 7)
        if buffers is None:
            buffers = [None, ctypes.addressof(self.offsets), ctypes.addressof(self.text)]
        self.buffers = (ctypes.c_void_p * max(1, len(buffers)))(*buffers)
        self.schema = Schema(
            format=format, n_children=other.get("schema_children", 0),
            release=ReleaseSchema(self.release_schema),
        )  # fmt: skip
        self.array = Array(
            length=length, null_count=null_count, offset=offset,
            n_buffers=other.get("n_buffers", len(buffers)),
            n_children=other.get("array_children", 0), buffers=self.buffers,
            release=ReleaseArray(self.release_array),
        )  # fmt: skip
        if other.get("moved"):
            self.array.release = ReleaseArray()
        self.names = other.get("names", (b"arrow_schema", b"arrow_array"))

    def release_schema(self, schema):
        self.released.append("schema")
        schema.contents.release = ReleaseSchema()

    def release_array(self, array):
        self.released.append("array")
        array.contents.release = ReleaseArray()

    def __arrow_c_array__(self, requested_schema=None):
        return (
            capsule(ctypes.addressof(self.schema), self.names[0], None),
            capsule(ctypes.addressof(self.array), self.names[1], None),
        )


def test_structures():
    right = Producer()
    made = pyarrow.array(column.sha256(right))
    assert made.to_pylist() == digests([BYTES[:3], BYTES[3:7]])
    assert sorted(right.released) == ["array", "schema"]

    longest = 2**63 - 1
    for wrong in [
        {"length": -1},
        {"length": longest},
        {"offset": -1},
        {"offset": longest},
        {"length": longest, "offset": longest},
        {"n_buffers": 0},
        {"n_buffers": 1},
        {"n_buffers": 2},
        {"n_buffers": -1},
        {"n_buffers": longest},
        {"buffers": [None, None, None]},
        {"null_count": 1},  # and no bits that say which
        {"format": None},
        {"format": b""},
        {"format": b"w:-1"},
        {"format": b"w:99999999999999999999"},
        {"format": b"\xff\xfe"},
        {"format": b"d:"},
        {"format": b"u" * 2000},
        {"format": b"+s", "schema_children": -1},
        {"format": b"+s", "schema_children": 1},
        {"format": b"z", "length": 2, "offset": 2**62},
        {"moved": True},
    ]:
        producer = Producer(**wrong)
        with pytest.raises((ValueError, TypeError)):
            column.sha256(producer)
        # the consumer of an array releases it once, and does not touch one that was moved away
        assert producer.released.count("array") == (0 if wrong.get("moved") else 1), wrong
        assert producer.released.count("schema") == 1, wrong


def test_capsules():
    class Hands:
        def __init__(self, given):
            self.given = given

        def __arrow_c_array__(self, requested_schema=None):
            return self.given() if callable(self.given) else self.given

    def fail():
        raise LookupError("mine")

    whole = Producer()
    twice = whole.__arrow_c_array__()
    column.sha256(Hands(twice))
    with pytest.raises(ValueError):
        column.sha256(Hands(twice))
    with pytest.raises(LookupError, match="mine"):
        column.sha256(Hands(fail))
    named = Producer(names=(b"arrow_array", b"arrow_schema")).__arrow_c_array__()
    for wrong in [None, (), (1, 2), named[:1], named, (twice[0], twice[0]), "text"]:
        with pytest.raises((TypeError, ValueError)):
            column.sha256(Hands(wrong))

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return twice[1]

    with pytest.raises((TypeError, ValueError)):
        column.sha256(Stream())


def test_streams_that_fail():
    def batches():
        yield pyarrow.record_batch([pyarrow.array(["a"])], ["x"])
        raise LookupError("mine")

    schema = pyarrow.schema([("x", pyarrow.string())])
    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(ValueError, match="mine"):
        column.row_digest("sha256", reader)


def test_arrays_that_are_not_there():
    row = numpy.zeros(32, "u1")
    huge = numpy.lib.stride_tricks.as_strided(row, (2**40, 32), (0, 1))
    for call in [
        lambda: jlanes.digest_many("sha256", huge),
        lambda: jlanes.hmac_many(b"key", huge, "sha256"),
    ]:
        with pytest.raises((BufferError, MemoryError)):
            call()
    for lengths in [2**62, [2**28] * 3 + [2**62]]:
        with pytest.raises((ValueError, OverflowError)):
            jlanes.xof_many("shake_128", [b""] * 4, lengths)
    with pytest.raises((MemoryError, OverflowError)):
        jlanes.pbkdf2_many("sha256", [b""] * 2**20, b"", 1, 2**31 - 1)


def test_keyword_arguments_of_expressions():
    """The plugin reads pickles, of what polars writes only: others are errors, and run nothing."""
    made = random.Random(4)
    frame = polars.DataFrame({"x": ["a"]})
    texts = ["", "digest", "sha256", "x" * 1000, "\0", "é"]
    for _ in range(200):
        kwargs = {
            made.choice(["what", "name", "hex", "key", "iterations", "dklen", "other"]): made.choice(
                [None, True, 1, -1, 2**40, 2**80, 1.5, b"bytes", [1], {"a": (1,)}, *texts]
            )
            for _ in range(made.randrange(5))
        }
        expression = polars.plugins.register_plugin_function(
            plugin_path=jlanes.polars._LIBRARY, function_name="jlanes", args=[polars.col("x")],
            kwargs=kwargs, is_elementwise=True, use_abs_path=True,
        )  # fmt: skip
        try:
            out = frame.select(expression)
        except polars.exceptions.PolarsError:
            continue
        assert out.height == 1


def test_keyword_arguments_that_no_expression_has():
    """A plan of another version may have them: a digest without them would be of another meaning."""
    frame = polars.DataFrame({"x": ["a"]})
    known = {"what": "digest", "name": "sha256"}
    for kwargs in [
        {}, {"prefix": b"p"}, {"key": b"k"}, {"key": "k"}, {"key_name": 1}, {"hex": 1}, {"dklen": True},
        {"iterations": -1}, {"what": "rows", "key": b"k"},
        {"what": "pbkdf2", "key": b"", "iterations": "2"},
    ]:  # fmt: skip
        expression = polars.plugins.register_plugin_function(
            plugin_path=jlanes.polars._LIBRARY, function_name="jlanes", args=[polars.col("x")],
            kwargs={**known, **kwargs}, is_elementwise=True, use_abs_path=True,
        )  # fmt: skip
        if kwargs:
            with pytest.raises(polars.exceptions.ComputeError):
                frame.select(expression)
        else:
            assert frame.select(expression)["x"].to_list() == digests([b"a"])


def test_records_within_each_other():
    """Their number is a format's, and no stack has room for any."""
    record, found = ctypes.c_byte, []
    for depth in range(1, 1001):
        record = type("Record", (ctypes.Structure,), {"_fields_": [("a", record)]})
        if depth == 64:
            assert jlanes.sha256(record()).digest() == jlanes.sha256(b"\0").digest()
    deep = record()

    def refused():
        with pytest.raises(TypeError, match="unknown"):
            jlanes.sha256(deep)
        found.append(True)

    size = threading.stack_size(1 << 18)
    try:
        thread = threading.Thread(target=refused)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert found
