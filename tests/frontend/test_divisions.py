"""Constants that are divided by the constant 0 are found, though the compiler computes them itself."""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from mazurka.frontend import compile_text
from profiles import some

BEFORE = "enum { ZERO }; static int a[3], x, zero;\nstatic int same(int i) { return i; }\n"
DIVIDES = [
    "x = 1 / 0;",
    "x = 1 % ZERO;",
    "x = (int)(5ul / (ZERO * 3ul));",
    "int y = 1 / 0;",
    "1 / 0;",
    "a[1 / 0] = 4;",
    "double d = 1 / 0; x = d > 0;",
    "if (1 / 0) x = 1;",
    "return 7 % 0;",
    "same(3 / ZERO);",
    "x = x == 0 ? 1 / 0 : 2;",
    "x += 1 / 0 + 3;",
    "__int128 y = (__int128)1 / 0;",
    'printf("%d", 1 / 0);',  # which is not declared, so the program is compiled more than once
]
DOES_NOT = [
    "if (0) x = 1 / 0;",
    "if (x) x = 1 / 0;",
    "return 0 && 1 / 0;",
    "return x == 0 ? 0 : 1 / 0;",
    "return sizeof(1 / 0) != sizeof(int);",
    "double d = 1.0 / ZERO; return d < 0;",
    "x = 1 << 40;",
    "if (x) x = 1 / 0; return 6 / (zero + 2) != 3;",
    "typedef int v __attribute__((vector_size(8))); v y = {1, 2}; y += __builtin_shufflevector(y, y, 1, 0);",
]


def kind(path: Path, statement: str, *cflags: str) -> str | None:
    path.write_text(f"{BEFORE}int main(void) {{\n{statement}\n}}\n", encoding="utf-8")
    found = mazurka.check(path, cflags=cflags).violation
    assert found is None or (found.location is not None and found.location.line == 4)
    return found.kind if found is not None else None


@pytest.mark.parametrize("statement", some(DIVIDES, every=3))
def test_found_where_it_is_computed(statement: str, tmp_path: Path) -> None:
    assert kind(tmp_path / "program.c", statement) == "division-by-zero"


@pytest.mark.parametrize("statement", some(DOES_NOT, every=3))
def test_not_found_where_it_is_not_computed(statement: str, tmp_path: Path) -> None:
    assert kind(tmp_path / "program.c", statement) is None


def test_found_without_warnings_and_in_templates(tmp_path: Path) -> None:
    assert kind(tmp_path / "program.c", "x = 1 / 0;", "-w") == "division-by-zero"
    source = "return []<int N>() { return 7 / N; }.operator()<0>();"
    assert kind(tmp_path / "program.cpp", source) == "division-by-zero"


def test_divisions_of_other_programs_have_no_branch() -> None:
    """A branch would order what follows a division that depends on a read, under models of machines."""
    source = "static int f(int n) { return x | 7 / n; }\nint main(void) { x = %s; return f(1) != 7; }\n"
    with_poison, without = (compile_text(BEFORE + source % value) for value in ("1 << 40", "0"))
    assert [function.code for function in with_poison.functions] == [f.code for f in without.functions]
