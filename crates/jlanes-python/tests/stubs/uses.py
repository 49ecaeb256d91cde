"""Everything that a program would use, for mypy and pyright; tests/test_stubs.py runs it."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import duckdb
import numpy
import polars
import pyarrow

import jlanes
import jlanes.duckdb
import jlanes.polars
from jlanes import column, merkle

if TYPE_CHECKING:
    import hashlib

    def takes_hashlib(_: hashlib._Hash) -> None: ...

    takes_hashlib(jlanes.sha256())

TWO: list[bytes] = [b"bob", b"alice"]

digest: bytes = jlanes.sha256(b"message").digest()
text: str = jlanes.new("sha512", b"message").hexdigest()
tag: bytes = hmac.new(b"key", b"message", jlanes.sha256).digest()
copied: jlanes.Hash = jlanes.md5(b"message").copy()
keyed: bytes = jlanes.blake2b(b"message", key=b"key", digest_size=20).digest()
long: bytes = jlanes.shake_128(b"message").digest(100)
names: set[str] = jlanes.algorithms_available | jlanes.algorithms_guaranteed
key: bytes = jlanes.pbkdf2_hmac("sha256", b"password", b"salt", 1)

digests: list[bytes] = jlanes.digest_many("sha256", TWO, prefix=b"prefix", threads=2)
hexed: list[str] = jlanes.hexdigest_many("sha256", TWO)
matrix: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.uint8]] = jlanes.digest_many(
    "sha256", numpy.zeros((2, 2), "u1")
)
view: memoryview = jlanes.digest_many("sha256", memoryview(bytes(4)).cast("B", (2, 2)))
tags: list[bytes] = jlanes.hmac_many(b"key", TWO, "sha256") + jlanes.hmac_many(TWO, TWO, "sha256")
outputs: list[bytes] = jlanes.xof_many("shake_128", TWO, [1, 2])
squeezed: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.uint8]] = jlanes.xof_many(
    "shake_128", numpy.zeros((2, 2), "u1"), 9
)
keys: list[bytes] = jlanes.pbkdf2_many("sha256", TWO, b"salt", 1)

array = pyarrow.array(["Ada", None])
jlanes.digest_many("sha256", array)
column.sha256(array)
column.hmac_hex(b"key", array, "sha256")
column.verify("sha256", array, column.sha256(array))
column.row_digest("sha256", pyarrow.table({"a": array}))
jlanes.column.pbkdf2("sha256", array, b"salt", 1)

frame = polars.DataFrame({"a": ["Ada"]})
frame.select(jlanes.polars.row_digest("sha256", "a"))
frame.select(jlanes.polars.Jlanes(polars.col("a")).hmac(b"key", "sha256"))
jlanes.duckdb.register(duckdb.connect(), ["sha256"])

log: merkle.Log = merkle.Log(TWO)
assert merkle.verify_inclusion(b"alice", 1, len(log), log.inclusion(1), log.root())
root: bytes = merkle.fsverity(b"data")
for file in jlanes.file_digests([__file__], ["sha256", "md5"], threads=1):
    size: int = file.size
for file in jlanes.sum([__file__], "sha256"):
    path_digest: bytes = file.digest()
with open(__file__, "rb") as opened:
    jlanes.file_digest(opened, "sha256").hexdigest()
with open(__file__, "rb") as opened:
    lines = jlanes.verify(opened, untrusted=True)
    verdicts: list[str] = [line.verdict for line in lines]
    everything: bool = lines.ok
