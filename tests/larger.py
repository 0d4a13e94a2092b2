"""Prints the files of tests that do more in a larger profile; the others do the same in each of them.

CI runs the README's tests first, and then only these again, in its own profile.
"""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parent
_SOURCES = {"profiles", "hypothesis"}


def imported(path: Path) -> set[str]:
    """The modules that a file imports, each by the last part of its name."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(alias.name for alias in node.names)}
    return {name.rpartition(".")[2] for name in names}


def larger() -> list[Path]:
    """The test files that import a source of size, directly or through other files of the tests."""
    imports = {path: imported(path) for path in TESTS.rglob("*.py") if path.name != "conftest.py"}
    grown, known = set(_SOURCES), 0
    while len(grown) > known:
        known = len(grown)
        grown |= {path.stem for path, names in imports.items() if names & grown}
    return sorted(path for path in imports if path.name.startswith("test_") and imports[path] & grown)


if __name__ == "__main__":
    print(*larger(), sep="\n")
