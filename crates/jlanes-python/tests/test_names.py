"""Names of algorithms and of keys, and literals of polars."""

import hashlib
import hmac
import io
import subprocess
import sys

import polars
import pytest

import jlanes.polars
from jlanes import _engines

FRAME = polars.DataFrame({"x": ["Ada", "Grace", None], "k": [b"1", b"2", b"3"]})
X, K = polars.col("x"), polars.col("k")


def tag(key, row):
    return None if row is None else hmac.digest(key, row.encode(), "sha256")


@pytest.mark.parametrize(
    "spelling, name",
    [
        ("SHA-256", "sha256"), ("sha-256", "sha256"), ("SHA2-256", "sha256"), ("Sha256", "sha256"),
        ("SHA-512/256", "sha512_256"), ("sha2-512-256", "sha512_256"), ("SHA-1", "sha1"),
        ("sha3/256", "sha3_256"), ("SHA3_512", "sha3_512"), ("blake2b512", "blake2b-512"),
        ("BLAKE2s256", "blake2s-256"), ("blake2b-160", "blake2b-160"),
    ],
)
def test_other_spellings(spelling, name):
    expected = jlanes.new(name, b"message").digest()
    assert jlanes.new(spelling, b"message").digest() == expected
    assert jlanes.digest_many(spelling, [b"message"]) == [expected]
    frame = FRAME.select(polars.lit(b"message").jlanes.digest(spelling))
    assert frame.item(0, 0) == expected


@pytest.mark.parametrize(
    "wrong, near", [("sha257", "sha2"), ("sha3-25", "sha3_2"), ("skien512", "skein512"), ("sha3256", "sha3_256"), ("mdd5", "md5")]
)
def test_unknown_names_are_told_the_nearest(wrong, near):
    with pytest.raises(ValueError, match=f"did you mean '{near}"):
        jlanes.new(wrong)


def test_far_names_are_told_none():
    for name in ["whirlpool", "", "x", "md6"]:
        with pytest.raises(ValueError, match="unsupported hash type") as error:
            jlanes.new(name)
        assert "did you mean" not in str(error.value)


def test_literals_broadcast():
    ada = hashlib.sha256(b"Ada").hexdigest()
    rows = FRAME["x"].to_list()
    out = FRAME.select(
        right=X.jlanes.verify("sha256", polars.lit(ada)),
        raw=X.jlanes.verify("sha256", polars.lit(bytes.fromhex(ada))),
        tag=X.jlanes.hmac(polars.lit(b"k"), "sha256"),
        text=X.jlanes.hmac(polars.lit("k"), "sha256"),
        none=X.jlanes.hmac(polars.lit(None, polars.Binary), "sha256"),
        each=polars.lit("Ada").jlanes.hmac(K, "sha256"),
        key=X.jlanes.pbkdf2("sha256", polars.lit(b"salt"), 2),
        proof=X.jlanes.verify_hmac(polars.lit(b"k"), "sha256", polars.lit(tag(b"k", "Ada"))),
        keys=X.jlanes.verify_hmac(K, "sha256", polars.lit(tag(b"1", "Ada"))),
        row=jlanes.polars.row_digest("sha256", X, polars.lit("same")),
    )
    assert out["right"].to_list() == out["raw"].to_list() == [True, False, None]
    assert out["proof"].to_list() == out["keys"].to_list() == [True, False, None]
    assert out["tag"].to_list() == out["text"].to_list() == [tag(b"k", row) for row in rows]
    assert out["none"].to_list() == [None] * 3
    assert out["each"].to_list() == [tag(key, "Ada") for key in [b"1", b"2", b"3"]]
    assert out["key"][0] == hashlib.pbkdf2_hmac("sha256", b"Ada", b"salt", 2)
    same = FRAME.select(X, y=polars.lit("same")).select(jlanes.polars.row_digest("sha256", "x", "y"))
    assert out["row"].to_list() == same.to_series().to_list()
    empty = FRAME.head(0).select(X.jlanes.verify("sha256", polars.lit(ada)))
    assert empty.shape == (0, 1)
    assert FRAME.head(1).select(X.jlanes.hmac(polars.lit(b"k"), "sha256")).item() == tag(b"k", "Ada")
    lazy = FRAME.lazy().select(X.jlanes.hmac(polars.lit(b"k"), "sha256"))
    assert lazy.collect(engine="streaming").to_series().to_list() == out["tag"].to_list()


def test_plans_have_names_of_keys_and_not_keys(tmp_path, monkeypatch):
    (tmp_path / "pepper").write_bytes(b"secret pepper")
    named = X.jlanes.hmac("pepper", "sha256")
    plan = FRAME.lazy().select(named, right=X.jlanes.verify_hmac("pepper", "sha256", named))
    with pytest.raises(polars.exceptions.ComputeError, match="no key 'pepper'"):
        plan.collect()
    monkeypatch.setenv("JLANES_KEYS", str(tmp_path))
    assert b"secret" not in plan.serialize()
    out = polars.LazyFrame.deserialize(io.BytesIO(plan.serialize())).collect()
    assert out["x"].to_list() == [tag(b"secret pepper", row) for row in FRAME["x"]]
    assert out["right"].to_list() == [True, True, None]
    salted = FRAME.select(X.jlanes.pbkdf2("sha256", "pepper", 1))
    assert salted.item(0, 0) == hashlib.pbkdf2_hmac("sha256", b"Ada", b"secret pepper", 1)


def test_keys_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("JLANES_KEYS", str(tmp_path))
    monkeypatch.setenv("JLANES_KEY_A_B", "00fF")
    monkeypatch.setenv("JLANES_KEY_ODD", "0")
    monkeypatch.setenv("JLANES_KEY_WORD", "+1")
    (tmp_path / "file").write_bytes(b"\xffbinary\n")
    (tmp_path / "text").write_bytes(b"text")
    (tmp_path / "line").write_bytes(b"dGV4dA==\n")
    (tmp_path / "dos").write_bytes(b"text\r\n")
    (tmp_path / "none").write_bytes(b"")
    assert _engines.key("a-b") == b"\0\xff"
    assert _engines.key("file") == b"\xffbinary\n"
    assert _engines.key("text") == b"text"
    for name, words in [
        ("line", "ends with a newline"), ("dos", "ends with a newline"), ("none", "is empty"),
        ("odd", "not hexadecimal"), ("word", "not hexadecimal"), ("../x", "not a name of a key"), ("", "not a name"),
    ]:
        with pytest.raises(ValueError, match=words):
            _engines.key(name)
    with pytest.raises(LookupError, match="no key 'other'"):
        _engines.key("other")


def test_columns_need_no_import_of_their_own():
    program = "import jlanes; print(jlanes.column.digest, 'pyarrow' in __import__('sys').modules)"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "False" in out.stdout
