"""Every type that the installed engines know is in the table of values, or refused with the way out.

A type that a new version adds has no sample here, or is not in the README's table: both fail.
"""

import pathlib
import re

import duckdb
import jlanes
import jlanes.duckdb
import jlanes.polars
import numpy
import pandas
import polars
import pyarrow
import pytest
from jlanes import column

README = pathlib.Path(__file__).parent.parent / "README.md"


def table():
    """For each library, the types whose columns have digests, and those whose columns may be a part of a row."""
    lines = README.read_text().split("| types of |", 1)[1].splitlines()[2:]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in lines if line.startswith("| ")]
    split = {name: (set(one.split(", ")), set(more.split(", "))) for name, one, more in rows[:4]}
    return {name: (one, one | more) for name, (one, more) in split.items()}


TABLE = table()


def subclasses(kind):
    return {s for c in kind.__subclasses__() for s in {c} | subclasses(c)}


def leaves(kind):
    return {c.__name__ for c in subclasses(kind) if not c.__subclasses__()}


class Own(pyarrow.ExtensionType):
    def __init__(self):
        super().__init__(pyarrow.binary(), "jlanes.own")

    def __arrow_ext_serialize__(self):
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        return cls()


def of_pyarrow():
    """A column of nulls of each type, by the type's name."""
    small = pyarrow.int8()
    types = [
        *(getattr(pyarrow, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)),
        pyarrow.null(), pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.binary(),
        pyarrow.large_binary(), pyarrow.binary_view(), pyarrow.bool_(), pyarrow.float16(), pyarrow.float32(), pyarrow.float64(), pyarrow.date32(),
        pyarrow.date64(), pyarrow.time32("s"), pyarrow.time64("ns"), pyarrow.timestamp("us"),
        pyarrow.timestamp("ns", "UTC"), pyarrow.duration("ms"), pyarrow.decimal32(5, 2),
        pyarrow.decimal64(9, 2), pyarrow.decimal128(20, 2), pyarrow.decimal256(50, 2), pyarrow.binary(7),
        pyarrow.dictionary(small, pyarrow.string()), pyarrow.list_(small), pyarrow.large_list(small),
        pyarrow.list_(small, 2), pyarrow.list_view(small), pyarrow.large_list_view(small),
        pyarrow.map_(small, small), pyarrow.struct([("a", small)]), pyarrow.month_day_nano_interval(),
        pyarrow.run_end_encoded(pyarrow.int32(), small), pyarrow.dense_union([pyarrow.field("a", small)]),
        pyarrow.sparse_union([pyarrow.field("a", small)]), pyarrow.uuid(), pyarrow.bool8(), pyarrow.json_(),
        pyarrow.opaque(pyarrow.binary(), "bit", "DuckDB"), pyarrow.fixed_shape_tensor(small, (2,)), Own(),
    ]
    known = {name for name in dir(pyarrow.lib) if name.startswith("Type_")}
    ids = {getattr(pyarrow.lib, name): name for name in known}
    # pyarrow has no Python types for two of the intervals
    missing = {name for id, name in ids.items() if id not in {t.id for t in types}}
    assert missing == {"Type_INTERVAL_DAY_TIME", "Type_INTERVAL_MONTHS"}
    # other packages, of which Ray is one, add types of their own, which are like `Own`
    extensions = subclasses(pyarrow.lib.BaseExtensionType) - {pyarrow.ExtensionType}
    extensions = {c for c in extensions if c.__module__.startswith("pyarrow.")}
    unseen = {c.__name__ for c in extensions} - {type(t).__name__ for t in types}
    assert unseen <= {"UnknownExtensionType"}

    def name(data_type):
        if isinstance(data_type, pyarrow.lib.BaseExtensionType):
            return data_type.extension_name.removeprefix("arrow.")
        return ids[data_type.id].removeprefix("Type_").lower()

    names = {"na": "null", "half_float": "halffloat"}
    columns = [(names.get(name(t), name(t)), pyarrow.nulls(1, t)) for t in types]
    # rows that are null as a whole are refused whatever their type
    return [(n, pyarrow.array([{"a": None}], c.type) if n == "struct" else c) for n, c in columns]


def of_polars():
    small = polars.Int8
    samples = {
        "Decimal": polars.Decimal(9, 2), "List": polars.List(small), "Array": polars.Array(small, 2),
        "Map": polars.Map(polars.String, small),
        "Enum": polars.Enum(["a"]), "Extension": polars.Extension("n", polars.Binary),
    }
    names = leaves(polars.DataType) - {"Unknown"}  # its columns have the type Null
    columns = [(n, polars.Series([None], dtype=samples.get(n) or getattr(polars, n))) for n in names - {"Struct"}]
    return [*columns, ("Struct", polars.Series([{"a": None}]))]


def of_pandas():
    samples = {
        "ArrowDtype": pandas.ArrowDtype(pyarrow.binary()), "CategoricalDtype": pandas.CategoricalDtype(["a"]),
        "DatetimeTZDtype": pandas.DatetimeTZDtype(tz="UTC"), "PeriodDtype": pandas.PeriodDtype("D"),
        "IntervalDtype": pandas.IntervalDtype("int64"), "SparseDtype": pandas.SparseDtype("float64"),
    }
    own = {c for c in subclasses(pandas.api.extensions.ExtensionDtype) if not c.__subclasses__()}
    own = {c.__name__: samples.get(c.__name__) for c in own if c.__module__.split(".")[0] == "pandas"}
    own.pop("NumpyEADtype")  # a column of it is one of numpy
    for name in own:
        own[name] = own[name] or getattr(pandas, name)()
    own |= {name: name for name in ("bool", "int8", "float16", "datetime64[ns]", "timedelta64[s]", "complex128")}
    return [(name, pandas.Series([], dtype=t)) for name, t in own.items()]


COMPOSITE = {
    "LIST": "INTEGER[]", "ARRAY": "INTEGER[2]", "STRUCT": "STRUCT(a INTEGER)", "MAP": "MAP(INTEGER, INTEGER)",
    "UNION": "UNION(a INTEGER)", "ENUM": "ENUM('a')", "NULL": '"NULL"', "DECIMAL": "DECIMAL(30, 2)",
}


def of_duckdb():
    """The types with a literal of each. A tuple has no syntax, and is a struct as a value."""
    names = [name for (name,) in duckdb.sql("select distinct logical_type from duckdb_types()").fetchall()]
    names = {name: COMPOSITE.get(name, name) for name in names if name != "TUPLE"}
    names |= {"nested BIT": "BIT[]", "deep HUGEINT": "STRUCT(a HUGEINT[2])", "JSON": "JSON"}
    return [(name, f"NULL::{data_type}") for name, data_type in names.items()]


WAY_OUT = re.compile(r"cast|hash |encode|decode|convert|choose|use |write ", re.IGNORECASE)
REFUSED = (TypeError, ValueError, pyarrow.ArrowException, duckdb.Error, polars.exceptions.PolarsError)


def accepted(samples, function):
    """The names of the samples that `function` takes; every other one is refused with the way out."""
    taken = set()
    for name, sample in samples:
        try:
            function(sample)
            taken.add(name)
        except REFUSED as error:
            assert WAY_OUT.search(str(error)), f"{name}: {error}"
    return taken


def report(library, samples, *taken):
    counts = ", ".join(f"{what} {len(names)}" for what, names in zip(("digest", "row_digest"), taken))
    print(f"{library.__name__} {library.__version__}: {len(samples)} types, accepted by {counts}")


def digest(rows):
    return column.digest("sha256", rows)


def row_digest(rows):
    return column.row_digest("sha256", rows)


def test_pyarrow():
    samples = of_pyarrow()
    taken = accepted(samples, digest), accepted(samples, row_digest)
    assert taken == TABLE["pyarrow"]
    tables = [(name, pyarrow.table({"a": sample, "b": sample})) for name, sample in samples]
    assert accepted(tables, row_digest) == TABLE["pyarrow"][1]
    lists = [(n, pyarrow.nulls(1, pyarrow.list_(s.type))) for n, s in samples if n != "dictionary"]
    assert accepted(lists, row_digest) == TABLE["pyarrow"][1] - {"dictionary"}
    report(pyarrow, samples, *taken)


def test_polars():
    samples = of_polars()
    taken = accepted(samples, digest), accepted(samples, row_digest)
    assert taken == TABLE["polars"]

    def expression(sample):
        sample.to_frame("x").select(polars.col("x").jlanes.sha256())

    def expression_of_rows(sample):
        sample.to_frame("x").select(jlanes.polars.row_digest("sha256", polars.all()))

    assert accepted(samples, expression) == TABLE["polars"][0]
    assert accepted(samples, expression_of_rows) == TABLE["polars"][1]
    report(polars, samples, *taken)


def test_pandas():
    samples = of_pandas()
    taken = accepted(samples, digest), accepted(samples, row_digest)
    assert taken == TABLE["pandas"]
    report(pandas, samples, *taken)


def test_duckdb():
    samples = of_duckdb()
    connection = duckdb.connect()
    jlanes.duckdb.register(connection, ["sha256"])

    def call(function):
        return lambda literal: connection.sql(f"select {function.format(literal)}").fetchall()

    for function in ("sha256({})", "sha256_hex({})", "hmac_sha256('key', {})", "hmac_sha256_hex({}, 'x')"):
        taken = accepted(samples, call(f"jlanes_{function}"))
        assert taken == {"VARCHAR", "BLOB", "NULL"}, function

    def of_relation(function):
        return lambda literal: function(connection.sql(f"select {literal} as x"))

    text, rows = TABLE["duckdb"]
    for lossless in (False, True):
        connection.execute(f"set arrow_lossless_conversion = {lossless}")
        taken = accepted(samples, of_relation(digest)), accepted(samples, of_relation(row_digest))
        # without loss, a Boolean has the extension type arrow.bool8
        assert taken == (text, rows - {"BOOLEAN"} if lossless else rows)
    report(duckdb, samples, *taken)


def test_numpy():
    classes = [getattr(numpy.dtypes, name) for name in dir(numpy.dtypes) if name.endswith("DType")]
    samples = [(code, numpy.dtype(code)) for code in numpy.typecodes["All"] + "T"]
    samples = [(c, "M8[s]" if c == "M" else "m8[s]" if c == "m" else t) for c, t in samples]
    samples = [(c, numpy.zeros(2, f"{c}3" if c in "SUV" else t)) for c, t in samples]
    assert {type(array.dtype) for _, array in samples} == set(classes)
    taken = accepted(samples, lambda array: jlanes.digest_many("sha256", array))
    assert taken == set("hilqnpHILQNPefdFDSV")  # a row of items of one byte is one message
    scalars = [(code, array[0]) for code, array in samples if code not in "OU"]
    assert accepted(scalars, jlanes.sha256) == set("?bBhilqnpHILQNPefdFDSV")
    report(numpy, samples, taken)


def test_nested_values_have_one_encoding_in_all_engines():
    rows = [{"a": [["x"], [], None], "b": {"c": 1, "d": [True]}}, {"a": None, "b": None}]
    schema = {
        "a": polars.List(polars.List(polars.String)),
        "b": polars.Struct({"c": polars.Int64, "d": polars.List(polars.Boolean)}),
    }
    frame = polars.DataFrame(rows, schema=schema)
    expected = column.row_digest_hex("sha256", frame).to_list()
    assert expected[0] != expected[1]
    assert column.row_digest_hex("sha256", pyarrow.Table.from_pylist(rows)).to_pylist() == expected
    connection = duckdb.connect()
    relation = connection.sql("select * from frame")
    assert pyarrow.chunked_array(column.row_digest_hex("sha256", relation)).to_pylist() == expected
    lazy = frame.lazy().select(jlanes.polars.row_digest_hex("sha256", polars.all()))
    assert lazy.collect().to_series().to_list() == expected
    assert column.row_digest_hex("sha256", frame.slice(1)).to_list() == expected[1:]


WILDCARDS = [
    polars.all(), "*", polars.col("a", "b"), polars.col("^[ab]$"), "^[ab]$", ["a", "b"], polars.exclude("none"),
    polars.selectors.all(), polars.selectors.string(), polars.col(polars.String), polars.nth(0, 1),
    [polars.first(), polars.last()], polars.selectors.by_name("a", "b") | polars.selectors.by_index(0),
    polars.col("a", "b").str.strip_chars(),
]


@pytest.mark.parametrize("columns", WILDCARDS, ids=str)
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_a_row_has_one_digest_over_all_columns_that_polars_expands(columns, engine):
    frame = polars.DataFrame({"a": ["x", "y"], "b": ["z", None]})
    expected = column.row_digest("sha256", frame).to_list()
    digests = jlanes.polars.row_digest("sha256", columns)
    out = frame.lazy().with_columns(digests.alias("digest")).collect(engine=engine)
    assert out["digest"].to_list() == expected
    assert out.columns == ["a", "b", "digest"] and out["b"].to_list() == ["z", None]
    assert frame.select(digests).width == 1


def test_expansion_of_sql_is_a_digest_of_each_column():
    connection = duckdb.connect()
    jlanes.duckdb.register(connection, ["sha256"])
    found = connection.sql("select jlanes_sha256(COLUMNS(*)) from (select 'x' as a, 'y'::BLOB as b)")
    assert found.columns == ["a", "b"]
    assert found.fetchall() == [(jlanes.sha256(b"x").digest(), jlanes.sha256(b"y").digest())]
    jlanes.duckdb.register(connection.cursor(), ["sha256"])
    jlanes.duckdb.register(connection, ["sha256"])
    escaped = connection.sql(r"select jlanes_sha256('\x41')").fetchall()
    assert escaped == [(jlanes.sha256(rb"\x41").digest(),)]
