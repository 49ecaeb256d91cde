from collections.abc import Iterable

import duckdb

def register(
    connection: duckdb.DuckDBPyConnection, algorithms: Iterable[str] | None = None
) -> None: ...
