"""Objects as one message, many, a key or a column: the README's table, kind by kind."""

import array
import hashlib
import hmac
import pathlib

import numpy
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as hypothesis_numpy

import jlanes.polars
from jlanes import column
from kinds import KINDS, TWO, mapped

README = pathlib.Path(__file__).parent.parent / "README.md"


ONE = {"bytes-like", "scalars", "numbers", "matrices", "more dimensions"}
MANY = {
    "numbers", "matrices", "with gaps", "strings of numpy", "objects of numpy", "lists", "columns",
}
CASES = [(row, case) for row, cases in KINDS.items() for case in cases]


def sha256(message):
    return hashlib.sha256(message).digest()


def label(value):
    return repr(value)[:50].replace("\n", " ") if not isinstance(value, str) else value


# every function that takes one message, key or salt
TAKE_ONE = {
    "sha256": lambda x: (jlanes.sha256(x).digest(), sha256),
    "new": lambda x: (jlanes.new("sha1", x).digest(), lambda b: hashlib.sha1(b).digest()),
    "shake": lambda x: (jlanes.shake_128(x).digest(9), lambda b: hashlib.shake_128(b).digest(9)),
    "blake2b": lambda x: (jlanes.blake2b(x).digest(), lambda b: hashlib.blake2b(b).digest()),
    "pbkdf2": lambda x: (
        jlanes.pbkdf2_hmac("sha256", x, b"salt", 1),
        lambda b: hashlib.pbkdf2_hmac("sha256", b, b"salt", 1),
    ),
    "salt": lambda x: (
        jlanes.pbkdf2_hmac("sha256", b"password", x, 1),
        lambda b: hashlib.pbkdf2_hmac("sha256", b"password", b, 1),
    ),
    "prefix": lambda x: (
        jlanes.digest_many("sha256", [b"m"], prefix=x)[0],
        lambda b: sha256(b + b"m"),
    ),
    "tree": lambda x: (jlanes.merkle.dropbox(x), lambda b: sha256(sha256(b) if b else b"")),
    "update": lambda x: (updated(x), sha256),
    "item": lambda x: (jlanes.digest_many("sha256", [x])[0], sha256),
}
# every function that takes many: the results as a list, and one of them as hashlib has it
TAKE_MANY = {
    "digest_many": lambda x: (jlanes.digest_many("sha256", x), sha256),
    "hexdigest_many": lambda x: (jlanes.hexdigest_many("sha256", x), lambda b: sha256(b).hex()),
    "hmac_many": lambda x: (
        jlanes.hmac_many(b"key", x, "sha256"),
        lambda b: hmac.digest(b"key", b, "sha256"),
    ),
    "pbkdf2_many": lambda x: (
        jlanes.pbkdf2_many("sha256", x, b"salt", 1),
        lambda b: hashlib.pbkdf2_hmac("sha256", b, b"salt", 1),
    ),
    "xof_many": lambda x: (
        jlanes.xof_many("shake_128", x, 9),
        lambda b: hashlib.shake_128(b).digest(9),
    ),
}


def updated(message):
    hasher = jlanes.sha256()
    hasher.update(message)
    return hasher.digest()


def listed(results):
    """Results of any shape as a list of bytes or text."""
    if isinstance(results, list):
        return results
    if hasattr(results, "to_pylist"):
        return results.to_pylist()
    if isinstance(results, (polars.Series, pandas.Series)):
        return results.to_list()
    if len(results) == 0:
        return []
    view = memoryview(results)
    return [view.tobytes()[i * view.shape[1] :][: view.shape[1]] for i in range(view.shape[0])]


def test_the_table_of_the_readme_has_these_rows():
    table = README.read_text().split("| an object |", 1)[1].split("\n\n", 1)[0]
    rows = [line.split("|") for line in table.splitlines()[2:]]
    said = {row[1].split(":")[0].strip(): [cell.strip() for cell in row[2:4]] for row in rows}
    assert list(said) == list(KINDS)
    for name, (one, many) in said.items():
        assert ("Error" not in one) == (name in ONE), name
        assert ("Error" not in many) == (name in MANY), name
    assert len(CASES) > 200


@pytest.mark.parametrize("function", TAKE_ONE)
@pytest.mark.parametrize("row, case", CASES, ids=label)
def test_one_message(row, case, function):
    value = case[0] if row in MANY else case
    if row in ONE:
        found, expected = TAKE_ONE[function](value)
        assert found == expected(bytes(memoryview(value)))
    elif function != "prefix" or value is not None:
        with pytest.raises(BufferError if row == "with gaps" else TypeError):
            TAKE_ONE[function](value)


def fresh(value):
    """Iterators are used up by the first function."""
    return TWO if type(value).__name__ in ("list_iterator", "generator", "map") else value


@pytest.mark.parametrize("function", TAKE_MANY)
@pytest.mark.parametrize("row, case", CASES, ids=label)
def test_many_messages(row, case, function):
    if row in MANY:
        value, messages = case
        found, expected = TAKE_MANY[function](fresh(value))
        assert listed(found) == [expected(message) for message in messages]
        if isinstance(value, numpy.ndarray) and not isinstance(found, list):
            assert isinstance(found, numpy.ndarray) and found.shape[0] == len(messages)
    else:
        with pytest.raises(REFUSED):
            TAKE_MANY[function](case)


# what pandas says about columns that Arrow has no type for
REFUSED = (TypeError, pyarrow.ArrowException)


@pytest.mark.parametrize("row, case", CASES, ids=label)
def test_keys(row, case):
    def tags(keys, count):
        return jlanes.hmac_many(keys, [b"m"] * count, "sha256")

    def salted(salts, count):
        return jlanes.pbkdf2_many("sha256", [b"m"] * count, salts, 1)

    if row in ("bytes-like", "scalars"):
        key = bytes(memoryview(case))
        assert tags(case, 2) == [hmac.digest(key, b"m", "sha256")] * 2
        assert salted(case, 2) == [hashlib.pbkdf2_hmac("sha256", b"m", key, 1)] * 2
    elif row in MANY - {"numbers", "columns"} and memoryview_dimensions(case[0]) != 1:
        keys = case[1]
        assert tags(fresh(case[0]), len(keys)) == [hmac.digest(k, b"m", "sha256") for k in keys]
        expected = [hashlib.pbkdf2_hmac("sha256", b"m", key, 1) for key in keys]
        assert salted(fresh(case[0]), len(keys)) == expected
    else:
        with pytest.raises(REFUSED):
            tags(case[0] if row in MANY else case, 1)
        with pytest.raises(REFUSED):
            salted(case[0] if row in MANY else case, 1)


def memoryview_dimensions(value):
    """1 for numbers side by side, which may be one key or many."""
    try:
        view = memoryview(value)
    except (TypeError, ValueError):
        return None
    return view.ndim if view.format[-1] not in "sO" else None


# what a data engineer would type, and an hour later wonder about


def test_objects_are_hashed_as_the_list_would_be():
    for messages in [
        numpy.array([b"x", b"x"], dtype=object),
        pandas.Series(TWO, dtype=object).to_numpy(),
        polars.Series(TWO, dtype=polars.Object).to_numpy(),
    ]:
        assert listed(jlanes.digest_many("sha256", messages)) == [sha256(b) for b in messages]


@pytest.mark.parametrize("hash", ["digest", "hmac", "rows", "verify"])
def test_expressions_refuse_the_addresses_of_objects(hash):
    frame = polars.DataFrame({"a": polars.Series([b"x", object()], dtype=polars.Object)})
    a = polars.col("a")
    expression = {
        "digest": lambda: a.jlanes.sha256(),
        "hmac": lambda: a.jlanes.hmac(b"key", "sha256"),
        "rows": lambda: jlanes.polars.row_digest("sha256", "a"),
        "verify": lambda: a.jlanes.verify("sha256", a),
    }[hash]()
    with pytest.raises(polars.exceptions.PolarsError, match="Object"):
        frame.select(expression)
    with pytest.raises(TypeError, match="Object"):
        column.row_digest("sha256", frame)


def test_a_digest_does_not_depend_on_its_neighbours():
    alone, among = numpy.array([b"bob"]), numpy.array([b"bob", b"alice"])
    first = [listed(jlanes.digest_many("sha256", x))[0] for x in (alone, among, [b"bob"])]
    assert first == [sha256(b"bob")] * 3


def test_any_bytes_like_is_one_key():
    for key in [mapped(b"key"), array.array("B", b"key"), numpy.frombuffer(b"key", "u1")]:
        assert jlanes.hmac_many(key, TWO, "sha256") == [hmac.digest(b"key", m, "sha256") for m in TWO]
        names = pyarrow.array(TWO)
        assert column.hmac(key, names, "sha256").to_pylist() == jlanes.hmac_many(key, TWO, "sha256")
        assert column.pbkdf2("sha256", names, key, 1).to_pylist() == jlanes.pbkdf2_many(
            "sha256", TWO, key, 1
        )


def filled(x, byte):
    """The same values, over memory whose padding has other bytes."""
    memory = numpy.full(x.nbytes, byte, "u1")
    other = numpy.frombuffer(memory, x.dtype).reshape(x.shape)
    other[...] = x
    return other


@settings(deadline=None, max_examples=300)
@given(
    hypothesis_numpy.arrays(
        hypothesis_numpy.nested_dtypes()
        | hypothesis_numpy.scalar_dtypes()
        | hypothesis_numpy.byte_string_dtypes(),
        hypothesis_numpy.array_shapes(max_dims=2, max_side=4, min_side=0),
    )
)
def test_equal_arrays_have_equal_digests(x):
    """Or none: whatever hypothesis makes up, only values are hashed."""
    try:
        found = jlanes.digest_many("sha256", x)
    except TypeError:
        return
    assert found.shape == (len(x), 32)
    for byte in (0x00, 0xFF):
        assert numpy.array_equal(jlanes.digest_many("sha256", filled(x, byte)), found)


@settings(deadline=None, max_examples=300)
@given(hypothesis_numpy.arrays(hypothesis_numpy.nested_dtypes(), hypothesis_numpy.array_shapes()))
def test_one_array_is_its_bytes_or_refused(x):
    try:
        found = jlanes.sha256(x).digest()
    except TypeError:
        return
    assert found == sha256(x.tobytes())
    for byte in (0x00, 0xFF):
        assert jlanes.sha256(filled(x, byte)).digest() == found
