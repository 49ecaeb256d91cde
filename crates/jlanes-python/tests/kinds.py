"""Objects for every row of the README's table of inputs."""

import array
import ctypes
import mmap

import duckdb
import numpy
import pandas
import polars
import pyarrow

class Aligned(ctypes.Structure):
    _fields_ = [("a", ctypes.c_byte), ("b", ctypes.c_int)]


class Packed(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("a", ctypes.c_byte), ("b", ctypes.c_int)]


# CPython before 3.12 does not report the members of a packed structure, which is refused then
PACKED = [Packed(1, 2)] if memoryview(Packed()).format.startswith("T") else []


class Bits(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int, 3), ("b", ctypes.c_int, 5)]


class Either(ctypes.Union):
    _fields_ = [("a", ctypes.c_byte), ("b", ctypes.c_int)]


def mapped(content):
    map = mmap.mmap(-1, len(content))
    map.write(content)
    return map


def objects(*items):
    made = numpy.empty(len(items), object)
    made[:] = items
    return made


TWO = [b"bob", b"alice"]
ROWS = numpy.arange(12, dtype="u1").reshape(3, 4)
NUMBERS = ["i1", "u1", "?", "<i2", ">i2", "<u4", "<i8", ">u8", "<f2", "<f4", ">f8", "c8", "c16"]
WIDE = [kind for kind in NUMBERS if numpy.dtype(kind).itemsize > 1]
STRUCT = [("a", "i1"), ("b", "<i4")]

# For each row of the table: objects. An object of many messages comes with a list of them.
KINDS = {
    "bytes-like": [
        b"bytes", b"", bytearray(b"bytearray"), memoryview(b"view"), memoryview(b"abcdef")[1:3],
        memoryview(b"signed").cast("b"), memoryview(b"chars").cast("c"), mapped(b"mapped"),
        array.array("B", b"array"), array.array("b", [1, -1]), array.array("B"),
        numpy.bytes_(b"text"), numpy.frombuffer(b"numpy", "u1"), numpy.array([True, False]),
        numpy.array([-1, 1], "i1"), numpy.zeros(0, "u1"), (ctypes.c_char * 3)(b"a", b"b", b"c"),
        ctypes.create_string_buffer(b"abc", 8), (ctypes.c_ubyte * 2)(1, 2),
        (ctypes.c_bool * 2)(True, False), pyarrow.py_buffer(b"buffer"), pyarrow.scalar(b"scalar"), pyarrow.scalar("text"),
        pyarrow.array(["text"]).buffers()[2],
    ],
    "scalars": [
        numpy.array(5), numpy.array(5.5), numpy.int64(5), numpy.float32(1.5), numpy.bool_(True),
        numpy.complex64(1j), numpy.void(b"raw"), numpy.zeros((), STRUCT), numpy.zeros(1, STRUCT)[0],
        ctypes.c_int(5), ctypes.c_double(1.5), ctypes.c_char(b"x"), ctypes.c_longlong(-1), *PACKED,
    ],
    "numbers": [
        *[(x, [x[i : i + 1].tobytes() for i in range(5)]) for x in (numpy.arange(5).astype(t) for t in WIDE)],
        *[(x, [x[i : i + 1].tobytes() for i in range(2)]) for x in (array.array(c, [1, 2]) for c in "hHiIlLqQfd")],
        ((ctypes.c_int * 2)(1, 2), [b"\1\0\0\0", b"\2\0\0\0"]),
        *[((Packed * 2)(Packed(1, 2), Packed(3, 4)), [b"\1\2\0\0\0", b"\3\4\0\0\0"]) for _ in PACKED],
        (numpy.array([(1, 2), (3, 4)], STRUCT), [b"\1\2\0\0\0", b"\3\4\0\0\0"]),
        (numpy.array([([1, 2],)], [("a", "u1", 2)]), [b"\1\2"]),
        (numpy.array([(1, (2, 3))], [("a", "u1"), ("b", [("c", ">u2"), ("d", "u1")])]), [b"\1\0\2\3"]),
        (numpy.array([b"abcd", b"efg\0"], "V4"), [b"abcd", b"efg\0"]),
        (numpy.rec.array([(1, 2)], dtype=STRUCT), [b"\1\2\0\0\0"]),
        (memoryview(bytes(8)).cast("I"), [bytes(4), bytes(4)]),
    ],
    "matrices": [
        (ROWS, [bytes(row) for row in ROWS]),
        (ROWS.astype("<f8"), [row.tobytes() for row in ROWS.astype("<f8")]),
        (numpy.asmatrix(ROWS), [bytes(row) for row in ROWS]),
        (memoryview(bytes(range(6))).cast("B", (2, 3)), [b"\0\1\2", b"\3\4\5"]),
        (((ctypes.c_ubyte * 2) * 2)((1, 2), (3, 4)), [b"\1\2", b"\3\4"]),
        (pyarrow.Tensor.from_numpy(ROWS), [bytes(row) for row in ROWS]),
        (numpy.zeros((5, 0), "u1"), [b""] * 5),
        (numpy.zeros((0, 5), "u1"), []),
    ],
    "more dimensions": [
        numpy.zeros((2, 2, 2)), memoryview(bytes(8)).cast("B", (2, 2, 2)),
        (((ctypes.c_ubyte * 2) * 2) * 2)(),
    ],
    "with gaps": [
        (ROWS[::2], [bytes(row) for row in ROWS[::2]]),
        (ROWS[:, ::2], [bytes(row) for row in ROWS[:, ::2]]),
        (ROWS.T, [bytes(row) for row in ROWS.T]),
        (ROWS[::-1], [bytes(row) for row in ROWS[::-1]]),
        (numpy.asfortranarray(ROWS), [bytes(row) for row in ROWS]),
        (numpy.arange(6)[::2], [n.tobytes() for n in numpy.arange(6)[::2]]),
        (memoryview(bytes(range(16))).cast("I")[::2], [b"\0\1\2\3", bytes(range(8, 12))]),
        (numpy.broadcast_to(ROWS[0], (3, 4)), [bytes(ROWS[0])] * 3),
    ],
    "strings of numpy": [
        (numpy.array(TWO), TWO),
        (numpy.array([b"bob"]), [b"bob"]),
        (numpy.array(TWO)[::-1], TWO[::-1]),
        (numpy.array([b"a", b"", b"b\0"]), [b"a", b"", b"b"]),
        (numpy.array([b"a\0c"]), [b"a\0c"]),
        (numpy.char.array([b"x y", b"z"]), [b"x y", b"z"]),
        (numpy.zeros(2, [("a", "S3"), ("b", "i4")])["a"], [b"", b""]),
        (numpy.array([], "S4"), []),
    ],
    "objects of numpy": [
        (objects(b"x", b"x"), [b"x", b"x"]),
        (objects(*TWO)[::-1], TWO[::-1]),
        (pandas.Series(TWO, dtype=object).to_numpy(), TWO),
        (objects(bytearray(b"a"), memoryview(b"b"), numpy.arange(2, dtype="u1")), [b"a", b"b", b"\0\1"]),
        (polars.Series(TWO, dtype=polars.Object).to_numpy(), TWO),
        (objects(), []),
    ],
    "lists": [
        (TWO, TWO), (tuple(TWO), TWO), (iter(TWO), TWO), ((x for x in TWO), TWO), ([], []),
        ({b"bob": 1, b"alice": 2}, TWO), ({b"bob": 1, b"alice": 2}.keys(), TWO),
        ([bytearray(b"a"), memoryview(b"b")], [b"a", b"b"]),
        ([numpy.zeros(2, "u1"), numpy.int16(1)], [b"\0\0", b"\1\0"]),
        (pandas.Index(TWO), TWO), ([pyarrow.scalar(b"a")], [b"a"]),
        (polars.Series(TWO).to_list(), TWO), (map(bytes, TWO), TWO),
    ],
    "columns": [
        (pyarrow.array(TWO), TWO), (pyarrow.chunked_array([TWO, TWO]), TWO * 2),
        (pyarrow.array(["é"]), ["é".encode()]), (pyarrow.array(TWO, pyarrow.binary_view()), TWO),
        (pyarrow.array([b"ab"], pyarrow.binary(2)), [b"ab"]),
        (pyarrow.array(TWO).dictionary_encode(), TWO),
        (polars.Series(TWO), TWO), (polars.Series(["bob", "alice"]), TWO),
        (polars.Series(["bob", "alice"], dtype=polars.Categorical), TWO),
        (pandas.Series(TWO), TWO), (pandas.Series(["bob", "alice"]), TWO),
        (pandas.Series(["bob"], dtype="category"), [b"bob"]),
    ],
    "text": [
        "text", numpy.str_("text"), numpy.array(["a", "bc"]), numpy.array("0-d"), ctypes.c_wchar("x"),
        numpy.array(["a"], numpy.dtypes.StringDType()), (ctypes.c_wchar * 2)("a", "b"),
        ["text"], [b"bytes", "text"], objects("text"), pandas.Index(["text"]), pandas.array(["text"]),
        pandas.Series(["x"]).to_numpy(), numpy.array([("a", 1)], [("a", "U1"), ("b", "i4")]),
    ],
    "padding": [
        numpy.zeros(2, numpy.dtype(STRUCT, align=True)), numpy.zeros(2, "g"), numpy.longdouble(1),
        numpy.zeros(2, "G"), (Aligned * 2)(), Aligned(), Bits(), (Bits * 2)(), Either(), (Either * 2)(),
        numpy.zeros(2, {"names": ["a"], "formats": ["i1"], "itemsize": 8}), ctypes.c_longdouble(1),
        numpy.zeros(2, {"names": ["a", "b"], "formats": ["i4", "i1"], "offsets": [0, 0]}),
        numpy.zeros(2, STRUCT + [("c", "S3")]), numpy.zeros(2, [("a", numpy.dtype(STRUCT, align=True))]),
    ],
    "addresses": [
        numpy.zeros(2, [("a", "i1"), ("b", object)]), objects(b"x").reshape(1, 1), objects(None),
        memoryview(objects(b"x")), objects(1, 2), ctypes.c_void_p(1), ctypes.c_char_p(b"x"),
        (ctypes.c_char_p * 1)(b"x"), ctypes.pointer(ctypes.c_int(1)), ctypes.py_object(b"x"),
        polars.Series([object()], dtype=polars.Object), ctypes.CFUNCTYPE(None)(lambda: None),
        polars.DataFrame({"a": polars.Series([object()], dtype=polars.Object)}),
        (ctypes.c_void_p * 2)(),
    ],
    "masks and times": [
        numpy.ma.array([1, 2], mask=[0, 1]), numpy.ma.array([1, 2]), numpy.ma.masked,
        memoryview(numpy.ma.array([1, 2], mask=[0, 1])), [numpy.ma.array([1, 2], mask=[0, 1])],
        numpy.ma.array(ROWS, mask=ROWS > 3), numpy.array(["2026-11-24"], "M8[ns]"),
        numpy.array([5], "m8[s]"), numpy.ma.array(TWO, mask=[0, 1]),
        numpy.datetime64("2026-11-24"), numpy.timedelta64(1, "s"),
    ],
    "other objects": [
        None, 5, True, 1.5, object(), [None], [5], {1: 2}, {5}, range(3), ..., bytes, numpy,
        pyarrow.array([1]), pyarrow.scalar(5), pyarrow.table({"a": TWO}),
        pyarrow.array([TWO]), polars.Series([1]), polars.DataFrame({"a": TWO, "b": TWO}),
        polars.LazyFrame({"a": TWO}), polars.col("a"), pandas.Series([1]), pandas.DataFrame({"a": [1]}),
        pandas.array([1, None], "Int64"), pandas.Timestamp(0), duckdb.sql("select 1 as a"),
        pandas.Series([object()]), [TWO], [pyarrow.array(TWO)],
    ],
}
