"""Prints the tests that do more in a larger profile; the others do the same in each of them.

CI runs the README's tests first, and then only these again, in its own profile.

A test does more if it uses ``profiles`` or Hypothesis: itself, through names of its module and of other
modules of the tests, or through fixtures. I1: in doubt a test is listed. A name counts wherever it is
mentioned, and a statement that is no assignment may change all that it mentions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parent
_SOURCES = {"profiles", "hypothesis"}
_FOR_ALL = "pytestmark"


@dataclass
class Module:
    """The names of a module: those that each of them mentions, and where imported ones come from."""

    uses: dict[str, set[str]] = field(default_factory=dict)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)  # the module, and the name there
    tests: list[str] = field(default_factory=list)
    for_all: set[str] = field(default_factory=set)  # names that every test of the module uses


def read(text: str) -> Module:
    """What the text of a module says about its names."""
    module = Module()
    for node in ast.parse(text).body:
        _take(node, module)
    return module


def _take(node: ast.stmt, module: Module) -> None:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        module.uses.setdefault(node.name, set()).update(_mentioned(node))
        if node.name.startswith(("test_", "Test")):
            module.tests.append(node.name)
        if any("autouse" in ast.unparse(decorator) for decorator in node.decorator_list):
            module.for_all.add(node.name)
    elif not isinstance(node, ast.Import | ast.ImportFrom):
        names = _mentioned(node)
        for name in _changed(node):
            module.uses.setdefault(name, set()).update(names)
        module.for_all |= names & {_FOR_ALL}
    for inner in ast.walk(node):  # also inside of functions
        if isinstance(inner, ast.Import):
            for alias in inner.names:
                module.imported[alias.asname or alias.name.partition(".")[0]] = (_last(alias.name), "*")
        elif isinstance(inner, ast.ImportFrom):
            for alias in inner.names:
                module.imported[alias.asname or alias.name] = (_last(inner.module or ""), alias.name)


def _changed(node: ast.stmt) -> set[str]:
    """The names that a statement gives a value; all that it mentions if it is more than an assignment."""
    match node:
        case ast.Assign(targets):
            return {name for target in targets for name in _mentioned(target)}
        case ast.AnnAssign(target) | ast.AugAssign(target):
            return _mentioned(target)
        case _:
            return _mentioned(node)


def _last(name: str) -> str:
    return "hypothesis" if name.startswith("hypothesis.") else name.rpartition(".")[2]


def _mentioned(node: ast.AST) -> set[str]:
    """All names in some code; arguments too, since they may be fixtures."""
    found = set()
    for inner in ast.walk(node):
        match inner:
            case ast.Name(name) | ast.arg(name) | ast.FunctionDef(name) | ast.alias(_, str(name)):
                found.add(name)
            case ast.alias(name):
                found.add(name.partition(".")[0])
            case ast.Constant(str(name)) if name.isidentifier():  # usefixtures, getfixturevalue, getattr
                found.add(name)
    return found


def grows(modules: dict[str, Module], module: str, name: str, seen: set[tuple[str, str]]) -> bool:
    """Whether a name stands for something that differs between profiles."""
    if module in _SOURCES:
        return True
    if module not in modules or (module, name) in seen:
        return False
    seen.add((module, name))
    names = modules[module]
    if name == "*":  # the module itself, any of whose names may be meant
        return any(grows(modules, module, each, seen) for each in {*names.uses, *names.imported})
    if name in names.imported and grows(modules, *names.imported[name], seen):
        return True
    return any(grows(modules, module, used, seen) for used in names.uses.get(name, ()))


def larger(paths: dict[str, Path], modules: dict[str, Module]) -> Iterator[str]:
    """The tests that do more in a larger profile."""
    for stem, path in sorted(paths.items(), key=lambda item: item[1]):
        module = modules[stem]
        for test in module.tests if stem.startswith("test_") else ():
            if any(grows(modules, stem, name, set()) for name in (test, *module.for_all)):
                yield f"{path}::{test}"


if __name__ == "__main__":
    PATHS = {path.stem: path for path in TESTS.rglob("*.py") if path.name != "conftest.py"}
    MODULES = {stem: read(path.read_text(encoding="utf-8")) for stem, path in PATHS.items()}
    print(*larger(PATHS, MODULES), sep="\n")
