"""Arrays of characters that end in many zeros are shortened, and mean the same."""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from mazurka.frontend.cleaning.zeros import shorten_zeros

MANY = 1 << 16
ZEROS = "\\00" * MANY


def test_zeros_at_the_end_become_a_part_of_their_own() -> None:
    text = f'x\n@a = dso_local global [{MANY + 4} x i8] c"a\\22\\300{ZEROS}", align 16, !dbg !0\ny\n'
    value = f'<{{ [4 x i8] c"a\\22\\300", [{MANY} x i8] zeroinitializer }}>'
    short = f"x\n@a = dso_local global <{{ [4 x i8], [{MANY} x i8] }}> {value}, align 16, !dbg !0\ny\n"
    assert shorten_zeros(text) == short


@pytest.mark.parametrize(
    "line",
    [
        f'@a = global [{MANY + 2} x i8] c"{ZEROS}ab"',
        f'@a = global %struct.s {{ i32 1, [{MANY} x i8] c"{ZEROS}" }}',
        f'@a = global <{{ [{MANY} x i8] }}> <{{ [{MANY} x i8] c"{ZEROS}" }}>',
        f'@a = global [2 x [{MANY} x i8]] [[{MANY} x i8] c"{ZEROS}", [{MANY} x i8] c"{ZEROS}"]',
        '@a = global [2 x i8] c"a\\00"',
    ],
)
def test_everything_else_stays(line: str) -> None:
    assert shorten_zeros(line) == line


def test_a_long_array_has_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        """\
#include <assert.h>
#include <stdatomic.h>
#include <string.h>
char a[1000000] = "ab\\3000";
static const char b[1000000] = "cd";
int main(void)
{
    assert(sizeof a == 1000000 && a[0] == 'a' && a[2] == '\\300' && a[3] == '0' && !a[4] && !a[999999]);
    assert(strlen(a) == 4 && b[1] == 'd' && !b[2] && !b[999999]);
    a[999999] = 1;
    return !a[999999];
}
""",
        encoding="utf-8",
    )
    assert mazurka.check(path).verdict == "verified"
    path.write_text(
        path.read_text(encoding="utf-8").replace("a[999999] = 1", "a[1000000] = 1"), encoding="utf-8"
    )
    violation = mazurka.check(path).violation
    assert violation is not None
    assert violation.kind == "unallocated"
