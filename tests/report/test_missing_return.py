"""The message about the end of a function without a return, and about other points that are unreachable."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka import check

MUST_NOT = "control reached a point that must be unreachable"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("int f(int x) { if (x > 1) return 1; }", "the end of 'f' was reached without a return"),
        ("int f(int x) { while (x > 1) x--; }", "the end of 'f' was reached without a return"),
        ("int f(int x) { if (x > 1) return 1; __builtin_unreachable(); }", MUST_NOT),
        ("int f(int x) { switch (x) { case 5: return 1; default: __builtin_unreachable(); } }", MUST_NOT),
        ("#define NO __builtin_unreachable()\nint f(int x) { if (x > 1) return 1; NO; }", MUST_NOT),
        ("int g(int x) { return x; }\nint f(int x) { g(x); }", MUST_NOT),  # the position is that of the call
    ],
)
def test_the_end_of_a_function(tmp_path: Path, function: str, message: str) -> None:
    path = tmp_path / "p.cpp"
    path.write_text(f"{function}\nint main(int c, char **) {{ return f(c); }}\n", encoding="utf-8")
    violation = check(path).violation
    assert violation is not None
    assert (violation.kind, violation.message) == ("undefined", message)
