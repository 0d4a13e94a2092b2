"""Locals that are moved to registers, and may have no value when they are read."""

from __future__ import annotations

from itertools import product

import pytest
from mazurka.frontend import compile_text
from mazurka.frontend.c.dialect import Dialect
from mazurka.frontend.cleaning.overruns import Overruns
from mazurka.frontend.cleaning.unset import UnsetValues, functions_with_unset, without_unset
from mazurka.program import Check, Op, Program

SET = """
struct pair { int a, b; char c; };
static int set(int n) {
    int x, y = n, z[2];
    struct pair p, q;
    p.a = n;
    q = p;
    if (n) x = 1; else x = 2;
    for (int i = 0; i < n; i++) { int w; w = i; y += w; }
    z[0] = 1;
    return x + y + q.a + z[0];
}
"""
UNSET = "static int unset(int n) { int x; if (n) x = 1; return x + n; }\n"
MAIN = "int main(int n, char **arguments) { return %s; }\n"


def checks(program: Program, function: str) -> list[Check]:
    code = next(f.code for f in program.functions if f.name == function)
    return [Check(i.x) for i in code if i.op is Op.CHECK]


def test_variables_that_are_set_on_every_way_are_not_checked() -> None:
    program = compile_text(SET + MAIN % "set(n)")
    assert checks(program, "set") == checks(program, "main") == []


def test_only_the_read_that_may_see_nothing_is_checked() -> None:
    program = compile_text(SET + UNSET + MAIN % "set(n) + unset(n)")
    assert checks(program, "unset") == [Check.WRITTEN]
    assert checks(program, "set") == []


def test_a_variable_begins_anew_in_each_round() -> None:
    loop = (
        "static int unset(int n) { for (int i = 0; i < n; i++) { int x; if (i) n += x; x = i; } return n; }\n"
    )
    assert checks(compile_text(loop + MAIN % "unset(n)"), "unset") == [Check.WRITTEN]
    outside = loop.replace("{ for", "{ int x; for").replace("{ int x; if", "{ if")
    assert checks(compile_text(outside + MAIN % "unset(n)"), "unset") == [Check.WRITTEN]


@pytest.mark.parametrize(
    ("line", "is_used"),
    [
        ("  %s = add i32 %mazurka.unset.3.0.1.0, 1\n  ret i32 %s", True),
        ("  %s = trunc i32 %mazurka.unset.3.0.1.0 to i8\n  ret i32 0", False),
        ("  %s = call i32 @g(i32 %mazurka.unset.3.0.1.0)\n  ret i32 0", True),
        ("  %s = atomicrmw add ptr @g, i32 %mazurka.unset.3.0.1.0 seq_cst\n  ret i32 0", True),
        ("  store i32 %mazurka.unset.3.0.1.0, ptr %p\n  ret i32 0", False),
        ("  store i32 %mazurka.unset.3.0.1.0, ptr %p, !dbg !1\n  ret i32 0", True),
        ("  store volatile i32 %mazurka.unset.3.0.1.0, ptr @g\n  ret i32 0", True),
        ("  store atomic i32 %mazurka.unset.3.0.1.0, ptr @g seq_cst, align 4\n  ret i32 0", True),
        ("    #dbg_value(i32 %mazurka.unset.3.0.1.0, !1)\n  ret i32 0", False),
    ],
)
def test_dead_values_are_not_uses(line: str, is_used: bool) -> None:
    text = f"define i32 @f() {{\n  %mazurka.unset.3.0.1.0 = call i32 @mazurka.unset.i32()\n{line}\n}}\n"
    assert functions_with_unset(text) == (frozenset({3}) if is_used else frozenset())
    if not is_used:
        assert "mazurka.unset" not in without_unset(text, used=False)


@pytest.mark.parametrize(
    ("source", "start", "scalar"), [*product((1, 2, 3, 4, 8), (0, 1, 4), (8, 16, 32, 64))]
)
def test_unset_values_stay_in_their_locals(source: int, start: int, scalar: int) -> None:
    """A local is copied into a part of a wider one, of which a scalar is read at each offset."""
    lines = [
        f"  %source = alloca [{source} x i8], align 1",
        "  %target = alloca [16 x i8], align 8",
        f"  %part = getelementptr i8, ptr %target, i64 {start}",
        f"  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %part, ptr align 1 %source, i64 {source}, i1 false)",
    ]
    offsets = range(0, 16 - scalar // 8 + 1, scalar // 8)
    for at in offsets:
        lines += [
            f"  %at{at} = getelementptr i8, ptr %target, i64 {at}",
            f"  %read{at} = load i{scalar}, ptr %at{at}, align 1, !tbaa !1",
        ]
    overruns = Overruns("")
    assert overruns.find(lines) == set()
    private = {"%source", "%target", "%part", *(f"%at{at}" for at in offsets)}
    kept = UnsetValues().insert(lines, private, overruns.places)
    assert len(kept) > len(lines)
    assert overruns.find(kept) == set()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("n + 1", [Check.ADD]),
        ("n - 1", [Check.SUB]),
        ("-n", [Check.SUB]),
        ("n * n", [Check.MUL]),
        ("n / m", [Check.DIV]),
        ("n % m", [Check.DIV]),
        ("n / 2", []),
        # The compiler's test of what leaves a signed number computes n >> (31 - m) itself.
        ("n << m", [Check.SUB, Check.SHIFT, Check.SHIFT, Check.SHL]),
        ("n >> m", [Check.SHIFT]),
        ("n << 31", [Check.SHL]),
        ("(int)((unsigned)n + 1u)", []),
        ("n & m", []),
    ],
)
def test_what_undefined_checks(expression: str, expected: list[Check]) -> None:
    source = f"static int f(int n, int m) {{ return {expression}; }}\n" + MAIN % "f(n, n)"
    assert checks(compile_text(source, dialect=Dialect(undefined=True)), "f") == expected
    assert checks(compile_text(source), "f") == []
