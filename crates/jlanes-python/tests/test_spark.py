"""Columns and manifests on Spark, with two worker processes; left out where Spark or Java is not."""

import hashlib
import hmac
import os
import shutil
import sys

import pytest

pytest.importorskip("pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java", allow_module_level=True)

import pyspark  # noqa: E402
from pyspark.sql import SparkSession, functions  # noqa: E402

import jlanes.spark  # noqa: E402

ROWS = [None if i % 7 == 3 else "é" * (i % 5) + "x" * (i * 3 % 200) for i in range(3000)]
KEY = b"a key that is in no plan"


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    keys = tmp_path_factory.mktemp("keys")
    (keys / "pepper").write_bytes(KEY)
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("jlanes")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(sys.path),
        "spark.executorEnv.JLANES_KEYS": str(keys),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
        "spark.sql.warehouse.dir": str(keys / "warehouse"),
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame(spark):
    rows = [(i, row, None if row is None else row.encode()) for i, row in enumerate(ROWS)]
    return spark.createDataFrame(rows, "i int, text string, data binary").repartition(4).cache()


def column(frame, made):
    found = {row[0]: row[1] for row in frame.select("i", made).collect()}
    assert len(found) == len(ROWS)
    return [found[i] for i in range(len(ROWS))]


def digests(name):
    return [None if row is None else hashlib.new(name, row.encode()).digest() for row in ROWS]


def hexed(found):
    return [None if digest is None else bytes(digest).hex() for digest in found]


@pytest.mark.parametrize("name", ["sha256", "sha512", "md5"])
def test_digests(frame, name):
    expected = digests(name)
    raw, text = getattr(jlanes.spark, name), getattr(jlanes.spark, f"{name}_hex")
    assert hexed(column(frame, raw("text"))) == hexed(expected)
    assert hexed(column(frame, raw(functions.col("data")))) == hexed(expected)
    assert column(frame, text("text")) == hexed(expected)
    assert column(frame, jlanes.spark.digest_hex(name, "data")) == hexed(expected)


def test_the_same_as_the_built_in_function(frame):
    same = frame.where(~jlanes.spark.sha256_hex("data").eqNullSafe(functions.sha2("data", 256)))
    assert same.count() == 0


def test_keys_are_of_the_workers(frame):
    assert "JLANES_KEYS" not in os.environ
    made = jlanes.spark.hmac("pepper", "text", "sha256")
    found = column(frame, made)
    assert hexed(found) == [
        None if row is None else hmac.digest(KEY, row.encode(), "sha256").hex() for row in ROWS
    ]
    plan = frame.select(made)._jdf.queryExecution().toString()
    assert KEY.decode() not in plan and KEY.hex() not in plan
    with pytest.raises(TypeError):
        jlanes.spark.hmac(KEY, "text", "sha256")
    with pytest.raises(Exception, match="no key 'salt'"):
        column(frame, jlanes.spark.hmac("salt", "text", "sha256"))


def test_columns_are_called_after_their_functions(frame):
    digests = ["sha256", "sha512_hex"]
    made = [getattr(jlanes.spark, name)("text") for name in digests]
    made += [jlanes.spark.digest("blake2b-160", "text"), jlanes.spark.hmac_hex("pepper", "text", "md5")]
    names = frame.select(*made).columns
    assert names == ["sha256(text)", "sha512_hex(text)", "blake2b-160(text)", "hmac_pepper_md5_hex(text)"]
    # a frame with two columns of one name cannot be written
    assert frame.select(*made).groupBy("sha256(text)").count().count() == len(set(ROWS))


def test_unknown_algorithms(spark):
    with pytest.raises(ValueError):
        jlanes.spark.digest("no such hash", "text")


def test_a_manifest(spark, tmp_path):
    paths = []
    for i, name in enumerate(["empty", "a b", "ü", "100%", *map(str, range(300))]):
        path = tmp_path / name
        path.write_bytes(bytes([i % 256]) * (i * 100))
        paths.append(path)
    missing = tmp_path / "missing"
    given = [str(path) if i % 2 else path.as_uri() for i, path in enumerate(paths)]
    given += [str(missing), "s3://bucket/key"]
    frame = spark.createDataFrame([(path,) for path in given], "path string").repartition(4)
    rows = jlanes.spark.manifest(frame, ["sha256", "md5"]).collect()
    found = {(row.url, row.algorithm): row for row in rows}
    assert len(rows) == len(found) == 2 * len(given)
    for path in paths:
        for name in ["sha256", "md5"]:
            row = found[path.as_uri(), name]
            assert bytes(row.digest) == hashlib.new(name, path.read_bytes()).digest()
            assert row.size == path.stat().st_size and row.error is None
    assert found[missing.as_uri(), "md5"].digest is None
    assert "missing" in found[missing.as_uri(), "md5"].error
    assert found["s3://bucket/key", "sha256"].error == "not a path on this machine"
