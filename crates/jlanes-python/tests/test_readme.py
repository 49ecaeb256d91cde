"""The examples in the README, in the book's recipes and in the docstrings."""

import doctest
import pathlib

import jlanes
import jlanes.column
import jlanes.duckdb
import jlanes.merkle
import jlanes.polars

FOLDER = pathlib.Path(__file__).parent.parent
BOOK = FOLDER.parent.parent / "docs/src"


def test_readme():
    failed, tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
    assert tried > 10 and failed == 0


def test_recipes():
    page = next(path for path in [FOLDER / "recipes.md", BOOK / "recipes.md"] if path.exists())
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 5 and failed == 0


def test_docstrings():
    for module in [jlanes, jlanes.merkle, jlanes.column, jlanes.polars, jlanes.duckdb]:
        failed, tried = doctest.testmod(module)
        assert tried > 2 and failed == 0


def test_everything_is_documented():
    for name in [*jlanes.__all__, "sum"]:
        assert name in ("algorithms_available", "algorithms_guaranteed") or getattr(
            jlanes, name
        ).__doc__, name
