"""The page about the threads library: each function is supported or refused, and each row has a program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mazurka import check
from mazurka.checking.refused.functions import REFUSED
from mazurka.errors import SourceError
from mazurka.frontend.c.compiler import zig_directory
from mazurka.frontend.library.functions import LIBRARY
from profiles import heavy
from tree import ROOT

PAGE = (ROOT / "docs" / "reference" / "threads.md").read_text(encoding="utf-8")
SUPPORTED, REFUSALS = PAGE.split("## Supported")[1].split("## Refused")
ROWS = [line.split("|")[1:-1] for line in SUPPORTED.splitlines() if line.startswith("| `")]
HEADERS = [f"{name}.h" for name in ("pthread", "semaphore", "threads", "sched", "bits/sched")]
# One function for each reason; all of them in larger profiles.
REASONS = {reason: name for name, reason in REFUSED.items()}
MACROS = "pthread_cleanup_"
_FUNCTION = re.compile(r"\b((?:pthread|sem|thrd|mtx|cnd|tss|sched)_\w+|call_once) *\(")


def names(cell: str) -> set[str]:
    """The functions that a cell of a table names."""
    return {name for name in re.findall(r"`(\w+)`", cell) if _FUNCTION.match(f"{name}(")}


def test_every_function_of_the_headers_has_a_row() -> None:
    folder = Path(zig_directory()) / "lib" / "libc" / "include" / "generic-glibc"
    lines = [line for name in HEADERS for line in (folder / name).read_text().splitlines()]
    declared = {name for line in lines if line.startswith("extern") for name in _FUNCTION.findall(line)}
    assert len(declared) > 100
    listed = {name for row in ROWS for name in names(row[0])} | names(REFUSALS)
    assert declared - listed == set()


def test_the_page_refuses_what_the_program_refuses() -> None:
    assert names(REFUSALS) == REFUSED.keys()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].split("`")[1])
def test_each_row_has_a_program_that_uses_it(row: list[str]) -> None:
    functions, _, program = row
    source = (ROOT / "tests" / "programs" / program.strip().strip("`")).read_text(encoding="utf-8")
    called = set(_FUNCTION.findall(source))
    assert names(functions) - called == set()
    assert {name for name in names(functions) if not name.startswith(MACROS)} - LIBRARY.keys() == set()


@pytest.mark.parametrize(
    "function",
    [name if name in REASONS.values() else pytest.param(name, marks=heavy) for name in sorted(REFUSED)],
)
def test_each_refused_function_is_refused_by_name(function: str, tmp_path: Path) -> None:
    path = tmp_path / "refused.c"
    path.write_text(f"int {function}(int, int);\nint main(void) {{ return {function}(1, 1); }}\n")
    with pytest.raises(SourceError) as refused:
        check(path, model="sc", cflags=["-fno-builtin"])
    assert f"'{function}'" in str(refused.value)
    assert refused.value.hint == REFUSED[function][1]
