"""Columns and manifests on Ray, with two workers; left out where Ray is not."""

import hashlib
import hmac
import os
import sys

import pyarrow
import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")

import jlanes.ray  # noqa: E402

ROWS = [None if i % 7 == 3 else "é" * (i % 5) + "x" * (i * 3 % 200) for i in range(3000)]
KEY = b"a key that is in no plan"


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory):
    keys = tmp_path_factory.mktemp("keys")
    (keys / "pepper").write_bytes(KEY)
    variables = {"PYTHONPATH": os.pathsep.join(sys.path), "JLANES_KEYS": str(keys)}
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        configure_logging=False,
        object_store_memory=200 << 20,
        runtime_env={"env_vars": variables},
    )
    yield
    ray.shutdown()


def dataset():
    data = [None if row is None else row.encode() for row in ROWS]
    table = pyarrow.table({"i": range(len(ROWS)), "text": ROWS, "data": data})
    return ray.data.from_arrow(table).repartition(4)


def column(made, name):
    rows = {row["i"]: row[name] for row in made.take_all()}
    assert len(rows) == len(ROWS)
    return [rows[i] for i in range(len(ROWS))]


def digests(name):
    return [None if row is None else hashlib.new(name, row.encode()).digest() for row in ROWS]


def hexed(found):
    return [None if digest is None else digest.hex() for digest in found]


def test_digests():
    made = jlanes.ray.with_digest(dataset(), "sha512", "text")
    made = jlanes.ray.with_digest(made, "sha256", "data", hex=True)
    made = jlanes.ray.with_digest(made, "md5", "data", to="md5", batch_size=100)
    assert column(made, "text_sha512") == digests("sha512")
    assert column(made, "data_sha256_hex") == hexed(digests("sha256"))
    assert column(made, "md5") == digests("md5")


def test_keys_are_of_the_workers():
    assert "JLANES_KEYS" not in os.environ
    made = jlanes.ray.with_hmac(dataset(), "pepper", "text", "sha256", to="tag")
    assert column(made, "tag") == [
        None if row is None else hmac.digest(KEY, row.encode(), "sha256") for row in ROWS
    ]
    with pytest.raises(TypeError):
        jlanes.ray.with_hmac(dataset(), KEY, "text", "sha256")


def test_unknown_algorithms():
    with pytest.raises(ValueError):
        jlanes.ray.with_digest(dataset(), "no such hash", "text")


def test_a_manifest(tmp_path):
    paths = []
    for i, name in enumerate(["empty", "a b", "ü", *map(str, range(300))]):
        path = tmp_path / name
        path.write_bytes(bytes([i % 256]) * (i * 100))
        paths.append(path)
    (tmp_path / "far" / "inner").mkdir(parents=True)
    (tmp_path / "far" / "f?#%").write_bytes(b"far")
    (tmp_path / "link").symlink_to(tmp_path / "far" / "inner")
    paths.append(tmp_path / "far" / "f?#%")
    given = [*map(str, paths[:-1]), f"{tmp_path}/link/../f?#%", str(tmp_path / "missing"), "s3://bucket/key"]
    made = ray.data.from_arrow(pyarrow.table({"path": given})).repartition(4)
    rows = jlanes.ray.manifest(made, ["sha256", "md5"]).take_all()
    found = {(row["url"], row["algorithm"]): row for row in rows}
    assert len(rows) == len(found) == 2 * len(given)
    for path in paths:
        for name in ["sha256", "md5"]:
            row = found[path.as_uri(), name]
            assert row["digest"] == hashlib.new(name, path.read_bytes()).digest()
            assert row["size"] == path.stat().st_size and row["error"] is None
    assert "missing" in found[(tmp_path / "missing").as_uri(), "md5"]["error"]
    assert found["s3://bucket/key", "sha256"]["error"] == "not a path on this machine"
