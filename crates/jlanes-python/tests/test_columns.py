"""Columns, against hashlib and hmac row by row."""

import hashlib
import hmac

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest

import jlanes.duckdb
import jlanes.polars
from jlanes import column

ROWS = [None if i % 7 == 3 else "é" * (i % 5) + "x" * (i * 3 % 200) for i in range(1000)]
NAMES = [name for name in ["sha256", "sha512", "md5", "sha1"] if name in jlanes.algorithms_available]


def raw(name, rows=ROWS):
    digest = lambda row: hashlib.new(name, row.encode() if isinstance(row, str) else row).digest()  # noqa: E731
    return [None if row is None else digest(row) for row in rows]


def hexed(digests):
    return [None if digest is None else digest.hex() for digest in digests]


def tags(key, name, rows=ROWS):
    return [None if row is None else hmac.digest(key, row.encode(), name) for row in rows]


LAYOUTS = {
    "utf8": pyarrow.string(),
    "large_utf8": pyarrow.large_string(),
    "utf8_view": pyarrow.string_view(),
    "binary": pyarrow.binary(),
    "large_binary": pyarrow.large_binary(),
    "binary_view": pyarrow.binary_view(),
    "dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
}


def encoded(kind):
    if "binary" in str(kind):
        return pyarrow.array([None if row is None else row.encode() for row in ROWS], kind)
    return pyarrow.array(ROWS).cast(kind)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_pyarrow(name, layout):
    array = encoded(LAYOUTS[layout])
    digest = getattr(column, name)
    assert digest(array).to_pylist() == raw(name)
    assert pyarrow.types.is_binary(digest(array).type) or pyarrow.types.is_large_binary(
        digest(array).type
    )
    assert digest(array, hex=True).to_pylist() == hexed(raw(name))
    assert getattr(column, f"{name}_hex")(array).to_pylist() == hexed(raw(name))
    assert digest(array.slice(3, 500)).to_pylist() == raw(name)[3:503]
    chunked = pyarrow.chunked_array([array.slice(0, 10), array.slice(10, 0), array.slice(10)])
    assert digest(chunked, threads=2).to_pylist() == raw(name)
    assert isinstance(digest(chunked), pyarrow.ChunkedArray)
    digest(chunked).validate(full=True)
    assert digest(array[:0]).to_pylist() == []
    assert digest(pyarrow.chunked_array([], type=array.type)).to_pylist() == []


def test_fixed_width():
    rows = [None, b"abcd", b"efgh"]
    array = pyarrow.array(rows, pyarrow.binary(4))
    assert column.sha512(array).to_pylist() == raw("sha512", rows)


def test_keys_and_salts():
    array = pyarrow.array(ROWS)
    assert column.hmac(b"key", array, "sha256").to_pylist() == tags(b"key", "sha256")
    assert column.hmac_hex(b"key", array, "sha256").to_pylist() == hexed(tags(b"key", "sha256"))
    keys = [f"key {i}".encode() for i in range(len(ROWS))]
    keyed = [
        None if row is None else hmac.digest(key, row.encode(), "sha512")
        for key, row in zip(keys, ROWS)
    ]
    assert column.hmac(pyarrow.array(keys), array, "sha512").to_pylist() == keyed
    few = ROWS[:20]
    derived = [
        None if row is None else hashlib.pbkdf2_hmac("sha1", row.encode(), b"salt", 3, 24)
        for row in few
    ]
    assert column.pbkdf2("sha1", pyarrow.array(few), b"salt", 3, 24).to_pylist() == derived
    salts = pyarrow.array([b"salt"] * 20)
    assert column.pbkdf2_hex("sha1", pyarrow.array(few), salts, 3, 24).to_pylist() == hexed(derived)


def test_algorithms_with_a_length_or_a_key():
    array = pyarrow.array(ROWS)
    rows = [None if row is None else row.encode() for row in ROWS]

    def each(digest):
        return [None if row is None else digest(row) for row in rows]

    expected = each(lambda row: hashlib.shake_128(row).digest(100))
    assert column.digest("shake128-800", array).to_pylist() == expected
    expected = each(lambda row: hashlib.blake2b(row, digest_size=20).hexdigest())
    assert column.digest_hex("blake2b-160", array, threads=2).to_pylist() == expected
    expected = each(lambda row: hashlib.blake2s(row, key=b"key").digest())
    assert column.digest("blake2s", array, key=b"key").to_pylist() == expected
    expected = each(lambda row: jlanes.new("kt128", row).digest())
    assert column.digest("kt128", array).to_pylist() == expected
    for name, key in [("sha256", b"key"), ("blake2s", bytes(33)), ("blake2b", b"")]:
        with pytest.raises(ValueError):
            column.digest(name, array, key=key)


def test_batches_take_columns():
    array = pyarrow.array(ROWS)
    chunked = pyarrow.chunked_array([array[:10], array[10:]])
    series = polars.Series("x", ROWS)
    assert jlanes.digest_many("sha256", array).to_pylist() == raw("sha256")
    assert jlanes.digest_many("sha256", chunked, threads=2).to_pylist() == raw("sha256")
    assert jlanes.hexdigest_many("sha512", series).to_list() == hexed(raw("sha512"))
    assert jlanes.hmac_many(b"key", array, "sha256").to_pylist() == tags(b"key", "sha256")
    keys = pyarrow.array(["key"] * len(ROWS))
    assert jlanes.hmac_many(keys, array, "sha256").to_pylist() == tags(b"key", "sha256")
    few = array[:20]
    derived = jlanes.pbkdf2_many("sha1", few, b"salt", 3, 24)
    assert derived == column.pbkdf2("sha1", few, b"salt", 3, 24)
    outputs = [None if r is None else hashlib.shake_128(r.encode()).digest(9) for r in ROWS]
    assert jlanes.xof_many("shake_128", array, 9).to_pylist() == outputs
    assert jlanes.digest_many("blake2s", array, key=b"k")[0].as_py() == hashlib.blake2s(key=b"k").digest()
    prefixed = [None if r is None else hashlib.sha256(b"prefix" + r.encode()).digest() for r in ROWS]
    assert jlanes.digest_many("sha256", array, prefix=b"prefix", threads=2).to_pylist() == prefixed
    assert column.digest_hex("sha256", chunked, prefix=b"prefix")[0].as_py() == prefixed[0].hex()
    with pytest.raises(TypeError):
        jlanes.xof_many("shake_128", array, [9] * len(ROWS))


def test_verification():
    rows = ["a", "b", None, "d"]
    array = pyarrow.array(rows)
    expected = raw("sha256", ["a", "x", "c"]) + [None]
    for right in [pyarrow.array(expected), pyarrow.array(hexed(expected))]:
        assert column.verify("sha256", array, right).to_pylist() == [True, False, None, None]
    right = pyarrow.array(tags(b"key", "sha256", ["a", "b", "c", "x"]))
    assert column.verify_hmac(b"key", array, "sha256", right).to_pylist() == [
        True, True, None, False
    ]


def test_rows_of_tables_are_the_same_everywhere():
    table = pyarrow.table({"name": ["a", None], "age": pyarrow.array([7, 9], pyarrow.uint8())})
    second = b"JLR1\x02\0\0\0\xa0\x06\x09"
    digests = column.row_digest("sha256", table).to_pylist()
    assert digests[1] == hashlib.sha256(second).digest()
    frame = polars.from_arrow(table)
    assert column.row_digest("sha256", frame).to_list() == digests
    expression = jlanes.polars.row_digest("sha256", "name", "age")
    assert frame.select(expression).to_series().to_list() == digests
    assert column.row_digest_hex("sha256", table).to_pylist() == hexed(digests)


def test_series_of_pandas():
    for kind in [None, "string[pyarrow]", pandas.ArrowDtype(pyarrow.large_string())]:
        series = pandas.Series(ROWS, dtype=kind, name="x", index=range(5, 1005))
        out = column.sha256(series)
        assert isinstance(out, pandas.Series) and out.name == "x"
        assert out.index.equals(series.index)
        assert [None if pandas.isna(row) else row for row in out] == raw("sha256")


def test_series_of_polars():
    series = polars.Series("x", ROWS)
    out = column.sha512_hex(series)
    assert isinstance(out, polars.Series) and out.name == "x"
    assert out.to_list() == hexed(raw("sha512"))
    categories = series.cast(polars.Categorical)
    assert column.sha512_hex(categories).to_list() == hexed(raw("sha512"))


def test_own_columns_hand_themselves_over():
    class Foreign:
        def __init__(self, array):
            self.array = array

        def __arrow_c_array__(self, requested_schema=None):
            return self.array.__arrow_c_array__(requested_schema)

    made = column.sha256(Foreign(pyarrow.array(ROWS)))
    assert isinstance(made, column.ArrowColumn) and len(made) == len(ROWS)
    for _ in range(2):
        assert pyarrow.array(made).to_pylist() == raw("sha256")
        assert pyarrow.chunked_array(made).to_pylist() == raw("sha256")
        assert polars.Series(made).to_list() == raw("sha256")
    assert pyarrow.field(made).type == pyarrow.binary()


def test_errors_name_the_mistake():
    array = pyarrow.array(ROWS)
    for call in [
        lambda: column.sha256(pyarrow.array([1, 2])),
        lambda: column.sha256(["a"]),
        lambda: column.sha256(numpy.zeros(3)),
        lambda: column.hmac("key", array, "sha256"),
    ]:
        with pytest.raises(TypeError):
            call()
    for call in [
        lambda: column.digest("sha255", array),
        lambda: column.digest("btv2", array),
        lambda: column.hmac(b"", array, "glacier"),
        lambda: column.hmac(pyarrow.array(ROWS[1:]), array, "sha256"),
        lambda: column.pbkdf2("sha256", array, b"", 0),
    ]:
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize("name", NAMES)
def test_expressions_of_polars(name):
    frame = polars.DataFrame({"x": ROWS, "b": [None if r is None else r.encode() for r in ROWS]})
    x, b = polars.col("x"), polars.col("b")
    out = frame.select(
        getattr(x.jlanes, name)(),
        getattr(b.jlanes, f"{name}_hex")(),
        tag=x.jlanes.hmac(b"key", name),
        keyed=x.jlanes.hmac(b.fill_null(b""), name),
        right=x.jlanes.verify(name, x.jlanes.digest_hex(name)),
        wrong=x.jlanes.verify_hmac(b"key", name, x.jlanes.digest(name)),
        key=x.jlanes.pbkdf2(name, b"salt", numpy.int64(2), 5),
    )
    assert out.schema == {
        "x": polars.Binary, "b": polars.String, "tag": polars.Binary, "keyed": polars.Binary,
        "right": polars.Boolean, "wrong": polars.Boolean, "key": polars.Binary,
    }  # fmt: skip
    assert out["x"].to_list() == raw(name)
    assert out["b"].to_list() == hexed(raw(name))
    assert out["tag"].to_list() == tags(b"key", name)
    assert out["keyed"][2] == hmac.digest(ROWS[2].encode(), ROWS[2].encode(), name)
    assert out["right"].drop_nulls().all() and not out["wrong"].drop_nulls().any()
    assert out["key"][0] == hashlib.pbkdf2_hmac(name, b"", b"salt", 2, 5)


def test_expressions_stream_and_group():
    big = polars.concat([polars.DataFrame({"x": ROWS, "g": [i % 3 for i in range(1000)]})] * 50)
    lazy = big.lazy().select(polars.col("x").jlanes.sha256(), "g").filter(polars.col("g") == 1)
    expected = [digest for i, digest in enumerate(raw("sha256") * 50) if i % 1000 % 3 == 1]
    for engine in ["streaming", "in-memory"]:
        assert lazy.collect(engine=engine)["x"].to_list() == expected
    chunked = polars.concat(
        [polars.DataFrame({"x": ROWS[:10]}), polars.DataFrame({"x": ROWS[10:]})], rechunk=False
    ).with_columns(y=polars.Series(ROWS))
    out = chunked.select(jlanes.polars.row_digest_hex("sha256", "x", "y"))
    assert out.to_series().to_list() == column.row_digest_hex("sha256", chunked).to_list()
    assert big[:0].select(polars.col("x").jlanes.sha1_hex())["x"].dtype == polars.String
    grouped = big.group_by("g").agg(polars.col("x").jlanes.sha1().n_unique())
    assert len(grouped) == 3


def test_errors_of_expressions_name_the_mistake():
    frame = polars.DataFrame({"x": ["a"], "n": [1]})
    for expression in [
        polars.col("n").jlanes.sha256(),
        polars.col("x").jlanes.digest("sha255"),
        polars.col("x").jlanes.hmac(b"", "glacier"),
        polars.col("x").jlanes.hmac("text", "sha256"),  # the name of no key
    ]:
        with pytest.raises(polars.exceptions.ComputeError):
            frame.select(expression)
    with pytest.raises(ValueError):
        polars.col("x").jlanes.pbkdf2("sha1", b"", 0)
    with pytest.raises(TypeError):
        polars.col("x").jlanes.hmac(5, "sha256")


def test_functions_of_duckdb():
    connection = duckdb.connect()
    jlanes.duckdb.register(connection)
    frame = pyarrow.table({"x": ROWS, "b": [None if r is None else r.encode() for r in ROWS]})
    for name in NAMES:
        result = connection.sql(
            f"select jlanes_{name}(x), jlanes_{name}_hex(b), jlanes_hmac_{name}('key', x),"
            f" jlanes_hmac_{name}_hex(b, x) from frame"
        ).fetchall()
        assert [row[0] for row in result] == raw(name)
        assert [row[1] for row in result] == hexed(raw(name))
        assert [row[2] for row in result] == tags(b"key", name)
        assert result[2][3] == hmac.digest(ROWS[2].encode(), ROWS[2].encode(), name).hex()
    with pytest.raises(duckdb.Error):
        connection.sql("select jlanes_sha256(1)").fetchall()
    with pytest.raises(ValueError):
        jlanes.duckdb.register(connection, ["sha255"])
    assert frame.num_rows == len(ROWS)
    relation = connection.sql("select jlanes_sha256(x) as d from frame")
    assert column.row_digest("sha256", relation.arrow()) is not None
