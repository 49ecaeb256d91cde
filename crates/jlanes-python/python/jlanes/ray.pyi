from collections.abc import Iterable
from typing import Any

from ray.data import Dataset

def with_digest(
    dataset: Dataset, name: str, rows: str, *, hex: bool = False, to: str | None = None, **options: Any
) -> Dataset: ...
def with_hmac(
    dataset: Dataset,
    key: str,
    rows: str,
    name: str,
    *,
    hex: bool = False,
    to: str | None = None,
    **options: Any,
) -> Dataset: ...
def manifest(
    paths: Dataset,
    algorithms: str | Iterable[str] = "sha256",
    *,
    column: str | None = None,
    **options: Any,
) -> Dataset: ...
