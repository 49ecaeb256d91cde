"""Columns in Spark next to its own functions: nanoseconds a row, the least of several runs.

    python benches/spark.py [ROWS] [REPEATS]

on `local[2]`, from a cached column of text, written to `noop`. Rows of 1000 bytes are a tenth as many.
Needs Java and PySpark. A tag of jlanes is compared with hmac.digest's before anything is timed.
"""

import hmac
import os
import sys
import tempfile
import time
from pathlib import Path

KEY = b"a key of a usual length, 32 B..."
WIDTHS = [32, 100, 1000]


def by_row(text):
    return hmac.digest(KEY, text.encode(), "sha256")


def columns():
    """The measured columns, each with its name."""
    import pyspark.sql.functions as f

    from jlanes import spark as ours

    key = f.lit(KEY.decode())
    yield "no hash", f.col("x")
    yield "sha2(x, 256)", f.sha2("x", 256)
    yield "jlanes.spark.sha256_hex", ours.digest_hex("sha256", "x")
    yield "sha2(x, 512)", f.sha2("x", 512)
    yield "jlanes.spark.sha512_hex", ours.digest_hex("sha512", "x")
    yield "md5(x)", f.md5("x")
    yield "jlanes.spark.md5_hex", ours.digest_hex("md5", "x")
    if hasattr(f, "hmac"):
        yield "hmac(key, x), SHA-256", f.hmac(key, f.col("x"), f.lit("SHA256"))
    yield "a Python UDF, row by row", f.udf(by_row, "binary")("x")
    yield "jlanes.spark.hmac", ours.hmac("pepper", "x", "sha256")


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    keys = tempfile.mkdtemp()
    Path(keys, "pepper").write_bytes(KEY)
    os.environ["JLANES_KEYS"] = keys
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

    import pyspark.sql.functions as f
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = session.config("spark.driver.memory", "6g").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    table = {}
    for width in WIDTHS:
        count = rows // 10 if width == 1000 else rows
        text = f.rpad(f.col("id").cast("string"), width, "x")
        frame = session.range(count, numPartitions=4).select(text.alias("x")).cache()
        frame.count()
        for name, column in columns():
            if name == "jlanes.spark.hmac":
                row = frame.select("x", column.alias("tag")).first()
                assert row.tag == by_row(row.x)
            times = []
            for _ in range(repeats):
                start = time.monotonic()
                frame.select(column.alias("y")).write.format("noop").mode("overwrite").save()
                times.append(time.monotonic() - start)
            table.setdefault(name, []).append(round(min(times) * 1e9 / count))
        frame.unpersist()
    print("| ns a row | " + " | ".join(f"{width} B" for width in WIDTHS) + " |")
    print("|---|" + "---:|" * len(WIDTHS))
    for name, figures in table.items():
        print(f"| {name} | " + " | ".join(map(str, figures)) + " |")


main()
