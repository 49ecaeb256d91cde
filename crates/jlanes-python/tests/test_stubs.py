"""The stubs and the modules name the same things."""

import ast
import importlib
import pathlib
import subprocess
import sys

import pytest

import jlanes

FOLDER = pathlib.Path(jlanes.__file__).parent
# stubs have a __getattr__ for the functions of algorithms that hashlib does not guarantee
OTHERS = jlanes.algorithms_available - jlanes.algorithms_guaranteed
OTHERS |= {f"{name}_hex" for name in OTHERS}


@pytest.mark.parametrize("stub", sorted(FOLDER.glob("*.pyi")), ids=lambda stub: stub.stem)
def test_stubs_name_what_there_is(stub):
    tree = ast.parse(stub.read_text())
    named = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    named |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    named |= {
        alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    name = "jlanes" if stub.stem == "__init__" else f"jlanes.{stub.stem}"
    module = importlib.import_module(name)
    assert set(module.__all__) - OTHERS <= named
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            methods = {method.name for method in node.body if isinstance(method, ast.FunctionDef)}
            methods |= {name.target.id for name in node.body if isinstance(name, ast.AnnAssign)}
            public = {
                method for method in vars(getattr(module, node.name)) if not method.startswith("_")
            }
            assert public - OTHERS <= methods, node.name


def test_the_package_says_that_it_is_typed():
    assert (FOLDER / "py.typed").exists()


def test_samples_for_type_checkers_run():
    uses = pathlib.Path(__file__).parent / "stubs" / "uses.py"
    subprocess.run([sys.executable, str(uses)], check=True)
