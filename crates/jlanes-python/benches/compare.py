"""Columns and batches next to other packages: nanoseconds of CPU time a row, the least of several.

    python benches/compare.py [ROWS] [REPEATS] [NAME...]

hashlib in a loop, pandas' apply, polars-hash and duckdb's own functions are measured where they are
installed; pyarrow.compute has no such function. Everything runs on one thread. Rows of 1000 bytes are
a tenth as many. Results of the columns are compared with hashlib's before they are timed.
"""

import hashlib
import hmac
import os
import platform
import sys
import time

os.environ["POLARS_MAX_THREADS"] = "1"  # before polars is imported

import jlanes
from jlanes import column

KEY = b"a key of a usual length, 32 B.."
TEXT = KEY.decode()
NAMES = ["sha256", "sha512", "hmac-sha256", "md5"]
WIDTHS = [8, 32, 100, 1000]


def lists(name, texts):
    messages = [text.encode() for text in texts]
    if name == "hmac-sha256":
        yield "hmac.digest, loop", lambda: [hmac.digest(KEY, m, "sha256") for m in messages]
        yield "jlanes.hmac_many, list", lambda: jlanes.hmac_many(KEY, messages, "sha256")
    else:
        constructor = getattr(hashlib, name)
        yield "hashlib, loop", lambda: [constructor(m).digest() for m in messages]
        yield "jlanes.digest_many, list", lambda: jlanes.digest_many(name, messages)


def arrays(name, texts):
    import numpy

    joined = "".join(texts).encode()
    array = numpy.frombuffer(joined, "uint8").reshape(len(texts), -1)
    if name == "hmac-sha256":
        yield "jlanes.hmac_many, numpy", lambda: jlanes.hmac_many(KEY, array, "sha256")
    else:
        yield "jlanes.digest_many, numpy", lambda: jlanes.digest_many(name, array)


def arrow(name, texts):
    import pyarrow

    rows = pyarrow.array(texts)
    if name == "hmac-sha256":
        yield "jlanes.column, pyarrow", lambda: column.hmac(KEY, rows, "sha256")
        yield "jlanes.column, pyarrow, hex", lambda: column.hmac_hex(KEY, rows, "sha256")
    else:
        yield "jlanes.column, pyarrow", lambda: column.digest(name, rows)
        yield "jlanes.column, pyarrow, hex", lambda: column.digest_hex(name, rows)


def pandas_apply(name, texts):
    import pandas

    series = pandas.Series(texts)
    if name == "hmac-sha256":
        yield "pandas, apply", lambda: series.apply(lambda t: hmac.digest(KEY, t.encode(), "sha256"))
    else:
        constructor = getattr(hashlib, name)
        yield "pandas, apply", lambda: series.apply(lambda t: constructor(t.encode()).digest())


def polars_expressions(name, texts):
    import polars

    import jlanes.polars

    frame = polars.DataFrame({"x": texts})
    x = polars.col("x")
    ours = x.jlanes.hmac_hex(KEY, "sha256") if name[0] == "h" else x.jlanes.digest_hex(name)
    yield "jlanes.polars, hex", lambda: frame.select(ours)
    import polars_hash

    col = polars_hash.col("x")
    theirs = {
        "sha256": lambda: col.chash.sha2_256(),
        "sha512": lambda: col.chash.sha2_512(),
        "hmac-sha256": lambda: col.chash.hmac_sha256(key=TEXT),
        "md5": lambda: col.nchash.md5(),
    }[name]()
    yield "polars-hash, hex", lambda: frame.select(theirs)


def duckdb_functions(name, texts):
    import duckdb
    import pyarrow

    import jlanes.duckdb

    connection = duckdb.connect(config={"threads": 1})
    connection.register("frame", pyarrow.table({"x": texts}))
    connection.execute("create table rows as select x from frame")
    jlanes.duckdb.register(connection, [name.removeprefix("hmac-")])

    def query(call):
        return lambda: connection.execute(f"select max({call}) from rows").fetchall()

    if name in ("sha256", "md5"):
        yield "duckdb, hex, and max()", query(f"{name}(x)")
    ours = f"jlanes_hmac_sha256_hex('{TEXT}', x)" if name[0] == "h" else f"jlanes_{name}_hex(x)"
    yield "jlanes.duckdb, hex, and max()", query(ours)


def cpu():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def check(name, texts):
    import pyarrow

    rows, few = pyarrow.array(texts[:100]), [text.encode() for text in texts[:100]]
    if name == "hmac-sha256":
        assert column.hmac(KEY, rows, "sha256").to_pylist() == [
            hmac.digest(KEY, m, "sha256") for m in few
        ]
    else:
        assert column.digest(name, rows).to_pylist() == [hashlib.new(name, m).digest() for m in few]


def measure(run, repeats):
    times = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)  # other processes only add to it


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    names = sys.argv[3:] or NAMES
    print(f"{rows} rows, the least of {repeats}, Python {platform.python_version()}, {cpu()}")
    for name in names:
        table = {}
        for width in WIDTHS:
            count = rows if width < 1000 else rows // 10
            texts = [f"{i:0{width}}"[-width:] for i in range(count)]
            check(name, texts)
            for contest in [
                lists, arrays, arrow, pandas_apply, polars_expressions, duckdb_functions
            ]:  # fmt: skip
                try:
                    for title, run in contest(name, texts):
                        table.setdefault(title, {})[width] = measure(run, repeats) / count * 1e9
                except ImportError as error:
                    print(f"not measured: {error}", file=sys.stderr)
        print(f"\n| {name}, ns a row | " + " | ".join(f"{width} B" for width in WIDTHS) + " |")
        print("|---|" + "---:|" * len(WIDTHS))
        for title, row in table.items():
            print(f"| {title} | " + " | ".join(f"{row[width]:.0f}" for width in WIDTHS) + " |")


if __name__ == "__main__":
    main()
