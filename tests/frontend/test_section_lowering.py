"""Atomic sections in C: calls that begin and end one, functions that are one, and atomic structs."""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from mazurka.frontend import compile_text
from mazurka.program import Function, Op, Program

HEAD = """\
#include <mazurka.h>
#include <stdatomic.h>
struct triple { long a, b, c; };
int x, y;
atomic_int flag;
_Atomic struct triple t;
void *shared;
"""


def compiled(body: str, before: str = "") -> Program:
    return compile_text(f"{HEAD}{before}\nint f(int n) {{ {body} }}\nint main(void) {{ return f(1); }}\n")


def function(program: Program, name: str = "f") -> Function:
    return next(function for function in program.functions if function.name == name)


def shape(body: str, before: str = "", name: str = "f") -> str:
    """The instructions that matter, one letter each: { } for marks, R W X for accesses, S for SPIN."""
    letters = {Op.BEGIN: "{", Op.END: "}", Op.LOAD: "R", Op.STORE: "W", Op.RMW: "X", Op.SPIN: "S"}
    letters |= {Op.LOOP: "L", Op.RET: ";", Op.ALLOC: "+", Op.FREE: "-", Op.CALL: "c"}
    return "".join(letters.get(i.op, "") for i in function(compiled(body, before), name).code)


def test_calls_begin_and_end_a_section() -> None:
    body = "__VERIFIER_atomic_begin(); x = y; __VERIFIER_atomic_end(); y = x; return 0;"
    assert shape(body) == "{RW}RW;"


SECTION = "int __VERIFIER_atomic_add(int n) { if (x > 9) return x; x += n; return 0; }"


def test_a_function_is_a_section_by_its_name() -> None:
    assert shape("return __VERIFIER_atomic_add(n);", SECTION) == "c;"
    assert shape("return 0;", SECTION, "__VERIFIER_atomic_add") == "{RRRW};"


def test_locals_live_around_a_section() -> None:
    before = "void __VERIFIER_atomic_show(void) { int local = 1; shared = &local; }"
    assert shape("return 0;", before, "__VERIFIER_atomic_show") == "+{WW}-;"


def test_a_program_may_define_the_marks_itself() -> None:
    before = "void __VERIFIER_atomic_begin(void) { x = 1; } void __VERIFIER_atomic_end(void) { x = 0; }"
    assert shape("return 0;", before, "__VERIFIER_atomic_begin") == "W;"
    assert shape("__VERIFIER_atomic_begin(); y = 1; __VERIFIER_atomic_end(); return 0;", before) == "cWc;"


def test_marks_through_a_pointer() -> None:
    body = "void (*volatile p)(void) = __VERIFIER_atomic_begin; p(); return 0;"
    assert Op.BEGIN in [i.op for i in function(compiled(body), "__VERIFIER_atomic_begin").code]


CALLED = """\
int __VERIFIER_atomic_both(void) { return x && y; }
int __VERIFIER_atomic_exchange(int n) { return atomic_exchange(&flag, n); }
"""


@pytest.mark.parametrize(
    ("body", "stops"),
    [
        ("int r; do { __VERIFIER_atomic_begin(); r = x; __VERIFIER_atomic_end(); } while (!r);", True),
        ("for (;;) { __VERIFIER_atomic_begin(); if (x && y) break; __VERIFIER_atomic_end(); } x = 0;", True),
        ("while (!__VERIFIER_atomic_both()) ;", True),
        ("__VERIFIER_atomic_begin(); while (!flag) ; __VERIFIER_atomic_end();", True),
        ("do { __VERIFIER_atomic_begin(); n = x; y = n; __VERIFIER_atomic_end(); } while (!n);", False),
        # The section that a round ends may have begun, and written something, before.
        (
            "__VERIFIER_atomic_begin(); y = 1; while (!x) { __VERIFIER_atomic_end();"
            " __VERIFIER_atomic_begin(); } __VERIFIER_atomic_end();",
            False,
        ),
        # Each round is in one more section.
        ("do { __VERIFIER_atomic_begin(); } while (!x);", False),
        # What was read is written back when the section ends, not before.
        ("do { __VERIFIER_atomic_begin(); n = x; flag = n; __VERIFIER_atomic_end(); } while (n);", False),
        ("do { n = __VERIFIER_atomic_exchange(1); } while (n);", False),
    ],
)  # fmt: skip
def test_loops_that_wait(body: str, stops: bool) -> None:
    code = function(compiled(f"{body} return 0;", CALLED)).code
    assert (Op.SPIN in [i.op for i in code]) is stops
    assert Op.ROUND not in [i.op for i in code] or stops


def test_atomic_structs_are_sections_of_words() -> None:
    assert shape("t = (struct triple){1, 2, 3}; return 0;").count("{WWW}") == 1
    assert "{RRR}" in shape("struct triple s = t; return (int)s.b;")
    assert "{RRRWWW}" in shape("struct triple s = {0}; s = atomic_exchange(&t, s); return (int)s.a;")


def test_a_compare_exchange_of_a_struct_writes_if_all_words_are_equal() -> None:
    body = "struct triple e = {0}, s = {1}; return atomic_compare_exchange_strong(&t, &e, s);"
    code = [i.op for i in function(compiled(body)).code]
    begin = code.index(Op.BEGIN)
    assert code[begin : begin + 4] == [Op.BEGIN, *[Op.LOAD] * 3]
    assert code.count(Op.BEGIN) == 1
    assert code.count(Op.END) == 2  # after the writes, and without any


def test_locals_that_atomic_functions_copy_stay_private() -> None:
    assert "+" not in shape("struct triple s = t; s.a++; t = s; return 0;")


def test_a_struct_with_the_address_of_a_local_shares_it() -> None:
    before = "struct two { int *p; long n[2]; }; _Atomic struct two g;"
    assert "+" in shape("int local = 0; struct two s = {&local}; g = s; return local;", before)


def test_sections_before_the_first_thread(tmp_path: Path) -> None:
    source = f"{HEAD}int main(void) {{ __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }}"
    path = tmp_path / "alone.c"
    path.write_text(source)
    assert mazurka.check(path).verdict == "verified"
