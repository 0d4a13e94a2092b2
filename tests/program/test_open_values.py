"""Open values: assumptions that follow at once narrow them, and ``--nondet`` does."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from mazurka.errors import SourceError
from mazurka.frontend import compile_text
from mazurka.frontend.c.dialect import Dialect
from mazurka.program import CONST, SIGNED, Op, Program
from profiles import some

Value = Callable[[int], int]
HEAD = "#include <mazurka.h>\n#include <stdlib.h>\nvolatile int sink;\n"


def ranges(program: Program) -> dict[str, tuple[int, int]]:
    """The first and the last value of the CHOOSE in each function that has one."""
    found = {}
    for function in program.functions:
        for instr in function.code:
            if instr.op is Op.CHOOSE:
                size = 1 << instr.width
                first, last = (program.constants[one & ~CONST] for one in (instr.a, instr.b))
                start = first - size if instr.x & SIGNED and first >= size >> 1 else first
                found[function.name] = start, start + (last - first) % size
    return found


def range_of(body: str, helpers: str = "", **dialect: tuple[int, int]) -> tuple[int, int]:
    """The range of the one open value of a program."""
    source = f"{HEAD}{helpers}\nint main(void) {{ {body} return 0; }}\n"
    return ranges(compile_text(source, dialect=Dialect(**dialect)))["main"]  # type: ignore[arg-type]


INT = -(1 << 31), (1 << 31) - 1
BODIES = {
    "both ends": ("int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 4); sink = n;", (0, 3)),
    "two assumptions": (
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > -3); __VERIFIER_assume(n <= 5); sink = n;",
        (-2, 5),
    ),
    "several values": (
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 7 || n == 9); sink = n;",
        (7, 9),
    ),
    "one value": ("int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 7); sink = n;", (7, 7)),
    "one end": ("int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 3); sink = n;", (4, INT[1])),
    "unsigned": ("unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n - 5 < 3); sink = n;", (5, 7)),
    "a switch": (
        "int n = __VERIFIER_nondet_int();"
        "switch (n) { case 2: case 4: break; default: __VERIFIER_assume(0); } sink = n;",
        (2, 4),
    ),
    "a wider comparison": (
        "int n = __VERIFIER_nondet_int(); long m = n; __VERIFIER_assume(m > -2L && m < 2L); sink = n;",
        (-1, 1),
    ),
    "no value": (
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 0 && n > 0); sink = n;",
        (INT[0],) * 2,
    ),
    "a remainder": (
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 9 && n % 2 == 0); sink = n;",
        (0, 8),
    ),
    # What follows is noticed by others, or is no assumption.
    "a write before": (
        "int n = __VERIFIER_nondet_int(); sink = 1; __VERIFIER_assume(n == 3); sink = n;",
        INT,
    ),
    "a read before": ("int n = __VERIFIER_nondet_int(); int m = sink; __VERIFIER_assume(n == m);", INT),
    "an exit": ("int n = __VERIFIER_nondet_int(); if (n != 3) exit(0); sink = n;", INT),
    "a return": ("int n = __VERIFIER_nondet_int(); if (n < 0 || n > 3) return 1; sink = n;", INT),
    "a division": ("int n = __VERIFIER_nondet_int(); __VERIFIER_assume(7 / n == 1); sink = n;", INT),
    "an assertion": (
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assert(n > 0); __VERIFIER_assume(n < 3);",
        (INT[0], 2),
    ),
}


def test_an_assumption_narrows() -> None:
    functions = [
        f"int f{number}(void) {{ {body} return 0; }}" for number, (body, _) in enumerate(BODIES.values())
    ]
    calls = " ".join(f"f{number}();" for number in range(len(functions)))
    source = "\n".join((HEAD, *functions, f"int main(void) {{ {calls} return 0; }}"))
    found = ranges(compile_text(source))
    for number, (name, (_, expected)) in enumerate(BODIES.items()):
        assert found[f"f{number}"] == expected, name


def test_an_assumption_in_a_function_narrows() -> None:
    helper = "static int within(int n, int m) { return n >= -m && n <= m; }"
    body = "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(within(n, 4)); sink = n;"
    assert range_of(body, helper) == (-4, 4)


GLOBALS = {
    "alone": ("shared = __VERIFIER_nondet_int(); __VERIFIER_assume(shared == 3);", (3, 3)),
    "another variable between": (
        "shared = __VERIFIER_nondet_int(); other = 7; __VERIFIER_assume(shared < 0);",
        (INT[0], -1),
    ),
    "overwritten": (
        "shared = __VERIFIER_nondet_int(); shared = 4; __VERIFIER_assume(shared == 3);",
        (INT[0],) * 2,
    ),
    "a part overwritten": (
        "shared = __VERIFIER_nondet_int(); *(char *)&shared = 0; __VERIFIER_assume(shared == 3);",
        INT,
    ),
    "another place": ("table[n] = __VERIFIER_nondet_int(); __VERIFIER_assume(table[n] == 3);", INT),
    "behind a thread": (
        "pthread_create(&t, 0, run, 0); shared = __VERIFIER_nondet_int(); __VERIFIER_assume(shared == 3);",
        INT,
    ),
    "behind a call that starts one": (
        "start(); shared = __VERIFIER_nondet_int(); __VERIFIER_assume(shared == 3);",
        INT,
    ),
    "in a loop that starts one": (
        "for (int i = 0; i < 2; i++) {"
        " shared = __VERIFIER_nondet_int(); __VERIFIER_assume(shared == 3); start(); }",
        INT,
    ),
}


@pytest.mark.parametrize("name", some(list(GLOBALS), 3))
def test_a_global_variable_is_narrowed_while_main_is_alone(name: str) -> None:
    body, expected = GLOBALS[name]
    helpers = """#include <pthread.h>
int shared, other, n, table[2];
pthread_t t;
void *run(void *arg) { return arg; }
void start(void) { pthread_create(&t, 0, run, 0); }
"""
    assert range_of(f"{body} sink = shared;", helpers) == expected


def test_values_may_be_narrowed_after_others_are_chosen() -> None:
    source = """
void first(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_range(0, 1);
  __VERIFIER_assume(a > 3 && a < 6 && b > 0);
  sink = a + b;
}
int main(void) { first(); return 0; }
"""
    program = compile_text(HEAD + source)
    code = next(function.code for function in program.functions if function.name == "first")
    found = [
        tuple(program.constants[one & ~CONST] for one in (instr.a, instr.b))
        for instr in code
        if instr.op is Op.CHOOSE
    ]
    assert found == [(4, 5), (1, 1)]


def condition(draw: random.Random, depth: int) -> tuple[str, Value]:
    """A condition about a signed char v, as C writes it and as a function."""
    kind = draw.randrange(8 if depth else 4)
    c, d = draw.randrange(-140, 140), draw.randrange(-140, 140)
    sign, compare = draw.choice(COMPARES)
    if kind == 0:
        return f"v {sign} {c}", lambda v: compare(v, c)
    if kind == 1:
        return f"v + ({c}) {sign} {d}", lambda v: compare(v + c, d)
    if kind == 2:
        return f"(unsigned char)v {sign} {abs(c)}", lambda v: compare(v % 256, abs(c))
    if kind == 3:
        return f"(unsigned)v - {abs(c)}u {sign} {abs(d)}u", lambda v: compare(
            (v - abs(c)) % (1 << 32), abs(d)
        )
    (left, is_left), (right, is_right) = condition(draw, depth - 1), condition(draw, depth - 1)
    if kind == 4:
        return f"!({left})", lambda v: not is_left(v)
    if kind == 5:
        return f"(({left}) ? ({right}) : v < 0)", lambda v: is_right(v) if is_left(v) else v < 0
    word = draw.choice(("&&", "||", "&"))
    if word == "||":
        return f"({left}) || ({right})", lambda v: is_left(v) or is_right(v)
    return f"({left}) {word} ({right})", lambda v: is_left(v) and is_right(v)


COMPARES: list[tuple[str, Callable[[int, int], bool]]] = [
    ("<", lambda a, b: a < b),
    ("<=", lambda a, b: a <= b),
    (">", lambda a, b: a > b),
    (">=", lambda a, b: a >= b),
    ("==", lambda a, b: a == b),
    ("!=", lambda a, b: a != b),
]


def test_the_range_is_that_of_all_values_that_satisfy_the_assumption() -> None:
    draw = random.Random(7)
    drawn = [condition(draw, 3) for _ in range(150)]
    source = HEAD
    for number, (text, _) in enumerate(drawn):
        source += f"void f{number}(void) {{ signed char v = __VERIFIER_nondet_schar(); "
        source += f"__VERIFIER_assume({text}); sink = v; }}\n"
    calls = " ".join(f"f{number}();" for number in range(len(drawn)))
    found = ranges(compile_text(f"{source}int main(void) {{ {calls} return 0; }}\n"))
    for number, (text, holds) in enumerate(drawn):
        values = [v for v in range(-128, 128) if holds(v)] or [-128]
        assert found[f"f{number}"] == (values[0], values[-1]), text


def test_the_user_may_leave_values_out() -> None:
    body = "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > -5); sink = n;"
    assert range_of(body, nondet=(-10, 3)) == (-4, 3)
    program = compile_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n", dialect=Dialect(nondet=(-10, 3)))
    assert [(one.function, one.line, one.values) for one in program.limited] == [("main", 4, 8)]


@pytest.mark.parametrize(
    "body",
    [
        "sink = __VERIFIER_nondet_bool();",
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 4); sink = n;",
        "sink = __VERIFIER_nondet_range(-100, 100);",
    ],
)
def test_nothing_is_left_out_that_is_in_range_or_that_the_program_bounds(body: str) -> None:
    source = f"{HEAD}int main(void) {{ {body} return 0; }}\n"
    limited = compile_text(source, dialect=Dialect(nondet=(0, 3)))
    assert not limited.limited
    assert ranges(limited) == ranges(compile_text(source))


def test_a_range_without_any_value_is_refused() -> None:
    body = "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 10); sink = n;"
    with pytest.raises(SourceError, match=r"this call in main can return no value in 0\.\.3") as caught:
        range_of(body, nondet=(0, 3))
    assert caught.value.place is not None
    assert caught.value.place.line == 5
