"""The page about the C library: each function is supported or refused, and each row has a program."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from mazurka import check
from mazurka.checking.refused.libc import REFUSED_OF_LIBC, UNSUPPORTED_CALLS
from mazurka.errors import SourceError
from mazurka.frontend.c.compiler import zig_directory
from mazurka.frontend.libc.library import members
from mazurka.frontend.library.functions import LIBRARY
from mazurka.frontend.library.intrinsics import INTRINSICS
from profiles import heavy
from tree import ROOT

PAGE = (ROOT / "docs" / "reference" / "libc.md").read_text(encoding="utf-8")
SUPPORTED, REFUSALS = PAGE.split("## Supported")[1].split("## Refused")
ROWS = [line.split("|")[1:-1] for line in SUPPORTED.splitlines() if line.startswith("| `")]
FOLDERS = {"native": ROOT / "tests" / "frontend" / "native", "programs": ROOT / "tests" / "programs"}
MACROS = {"isfinite", "signbit", "fpclassify"}
HEADERS = ("string", "strings", "ctype", "stdlib", "malloc", "stdio", "inttypes")
# Values that come from outside, which the user decides about, and functions of other pages.
OUTSIDE = re.compile(
    r"f?getc\w*|fgets\w*|getchar\w*|getline|getdelim|\w*[^s]scanf|scanf|s?rand\w*|\w+rand48\w*|\w*seed48\w*"
    r"|lcong48\w*|(init|set)state\w*|(secure_)?getenv|call_once|alloca"
)
# Types that C does not have here, and names that the headers turn into others.
OTHER_TYPES = re.compile(r"strto[qu]*q|str(to|from)f\d\w*|v?dprintf|\w+_unlocked|setbuf\w*|setlinebuf")
_NAME = re.compile(r"\b(\w+) ?\(")
_WORDS = ("void", "int", "char", "long", "unsigned", "double", "struct")
REASONS = {reason: name for name, reason in REFUSED_OF_LIBC.items()}


def names(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def declared() -> set[str]:
    """The functions that the headers declare."""
    compiler = Path(zig_directory()) / "zig"
    text = "".join(f"#include <{header}.h>\n" for header in HEADERS)
    flags = ["-target", "x86_64-linux-gnu", "-D_GNU_SOURCE", "-D__NO_INLINE__", "-E", "-P", "-xc", "-"]
    output = subprocess.run([str(compiler), "cc", *flags], input=text, capture_output=True, text=True).stdout
    found = {name for part in re.findall(r"extern ([^;]*);", output) for name in _NAME.findall(part)}
    return {name for name in found if not name.startswith("__") and name not in _WORDS}


def test_every_function_of_the_headers_has_a_row() -> None:
    known = {name for row in ROWS for name in names(row[0])} | names(REFUSALS)
    missing = {name for name in declared() - known if not OUTSIDE.fullmatch(name)}
    assert {name for name in missing if not OTHER_TYPES.fullmatch(name)} == set()
    assert len(declared()) > 300


def test_the_page_refuses_what_the_program_refuses() -> None:
    assert names(REFUSALS) == REFUSED_OF_LIBC.keys()
    assert not REFUSED_OF_LIBC.keys() & ({*LIBRARY} | {*INTRINSICS} | {*members()})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].split("`")[1])
def test_each_row_has_a_program_that_uses_it(row: list[str]) -> None:
    functions, _, program = row
    folder, _, file = program.strip().strip("`").partition("/")
    used = set(re.findall(r"\w+", (FOLDERS[folder] / file).read_text(encoding="utf-8")))
    assert names(functions) - used == set()
    assert names(functions) - MACROS - {*LIBRARY} - {*INTRINSICS} - {*members()} == set()


@pytest.mark.parametrize(
    "function",
    [
        name if name in REASONS.values() else pytest.param(name, marks=heavy)
        for name in sorted(REFUSED_OF_LIBC)
    ],
)
def test_each_refused_function_is_refused_by_name(function: str, tmp_path: Path) -> None:
    path = tmp_path / "refused.c"
    path.write_text(f"int {function}(int, int);\nint main(void) {{ return {function}(1, 1); }}\n")
    with pytest.raises(SourceError) as refused:
        check(path, model="sc", cflags=["-fno-builtin"])
    assert f"'{function}'" in str(refused.value)
    assert refused.value.hint == REFUSED_OF_LIBC[function][1]


CALLS = {
    "__mazurka_printf_directive": 'char t[9]; int n; sprintf(t, "%n", &n)',
    "__mazurka_scanf_directive": 'void *p; sscanf("0", "%p", &p)',
    "__mazurka_other_file": 'dprintf(3, "x")',
    "__mazurka_pow_exponent": "pow(2, 0.3)",
    "__mazurka_getopt_arguments": 'char *own[] = {"a", "-b", 0}; int getopt(int, char *const *, char *); '
    'return getopt(2, own, "b")',
    "__mazurka_too_many_endings": "for (int i = 0; i < 257; i++) atexit(f)",
}


@pytest.mark.parametrize("reached", UNSUPPORTED_CALLS)
def test_what_a_function_cannot_do_is_refused(reached: str, tmp_path: Path) -> None:
    path = tmp_path / "refused.c"
    headers = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\nstatic void f(void) {}\n"
    path.write_text(f"{headers}int main(void) {{ {CALLS[reached]}; }}\n")
    with pytest.raises(SourceError) as refused:
        check(path, model="sc")
    assert UNSUPPORTED_CALLS[reached][0] in str(refused.value)
    assert refused.value.place is not None
    assert refused.value.place.line == 5


def test_an_aba_through_malloc_needs_memory_that_is_reused() -> None:
    path = FOLDERS["programs"] / "reuse_treiber_stack.c"
    assert check(path, model="sc").verdict == "verified"
    assert check(path, model="sc", reuse_memory=True).verdict == "violation"
