"""``_engine.pyi`` describes the built module."""

from __future__ import annotations

import ast
import inspect
import re

import mazurka
from mazurka import _engine
from tree import PACKAGE, ROOT

STUB = ast.parse((PACKAGE / "_engine.pyi").read_text(encoding="utf-8"))


def test_every_name_of_the_stub_exists() -> None:
    names = [node.name for node in STUB.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert names
    assert [name for name in names if not hasattr(_engine, name)] == []


def test_nothing_public_is_missing_from_the_stub() -> None:
    stubbed = {node.name for node in STUB.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    public = {name for name in dir(_engine) if not name.startswith("_")}
    assert public <= stubbed


def test_functions_take_what_the_stub_says() -> None:
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            stubbed = [arg.arg for arg in (*node.args.args, *node.args.kwonlyargs)]
            assert list(inspect.signature(getattr(_engine, node.name)).parameters) == stubbed


def test_the_version_is_stated_once_in_effect() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    stated = re.search(r'^version = "(.*)"$', project, re.MULTILINE)
    assert stated is not None
    assert mazurka.__version__ == stated[1]
