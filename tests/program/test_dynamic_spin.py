"""Which loops get a ROUND, and which registers it compares."""

from __future__ import annotations

import pytest
from mazurka.frontend import compile_text
from mazurka.program import Op, Program
from mazurka.program.instructions import registers_read, results_of
from mazurka.program.passes import passes_without, run_passes

HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x, y;
int help(void) { return atomic_exchange(&y, 1); }
void say(void) { printf("."); }
"""
LOOPS = {
    "retry": ("while (!x) { int seen = y; atomic_compare_exchange_strong(&y, &seen, 1); }", True),
    "call": ("while (!x) help();", True),
    "mutex": ("while (pthread_mutex_trylock(&m)) ;", True),
    "only_reads": ("while (!x) ;", False),
    "counts": ("for (int i = 0; i != x; i++) y = 1;", False),
    "counts_down": ("for (int i = x; i; i -= 2) y = 1;", False),
    "constant": ("for (int i = 0; i < 3; i++) y = x;", False),
    "prints": ('while (!x) { y = 1; printf("%d", 1); }', False),
    "calls_what_prints": ("while (!x) { y = 1; say(); }", False),
    "private": ("volatile int a = *(int *)p; while (a) a /= 2;", False),
    "no_exit": ("for (;;) { y = x; }", False),
}


def bodies() -> str:
    functions = "".join(
        f"void *{name}(void *p) {{ {body} return p; }}\n" for name, (body, _) in LOOPS.items()
    )
    creates = "".join(f"pthread_create(&t, 0, {name}, 0);\n" for name in LOOPS)
    return f"{HEAD}pthread_mutex_t m;\n{functions}int main(void) {{ pthread_t t;\n{creates} return 0; }}\n"


@pytest.fixture(scope="module")
def program() -> Program:
    return compile_text(bodies())


@pytest.mark.parametrize("name", LOOPS)
def test_loops_whose_rounds_may_change_nothing_are_compared(program: Program, name: str) -> None:
    (function,) = (function for function in program.functions if function.name == name)
    assert (Op.ROUND in [i.op for i in function.code]) is LOOPS[name][1]


def test_a_round_begins_at_the_header_and_has_a_register_of_its_own(program: Program) -> None:
    (function,) = (function for function in program.functions if function.name == "retry")
    (pc,) = (pc for pc, i in enumerate(function.code) if i.op == Op.ROUND)
    mark = function.code[pc]
    assert any(i.op == Op.JMP and i.a == pc for i in function.code[pc:])
    others = [i for i in function.code if i is not mark]
    assert not any(mark.dst in (*registers_read(program, i), *results_of(i)) for i in others)
    assert program.lists[mark.c] == ()


def test_the_pass_can_be_left_out() -> None:
    passes = passes_without(("dynamic-spin-assume",))
    assert "dynamic-spin-assume" not in [one.name for one in passes]
    assert run_passes(compile_text("int main(void) { return 0; }"), passes)
