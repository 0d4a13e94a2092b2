"""Which loops a bound may cut: natural spellings; random counting loops against a run of them in Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from mazurka.frontend import compile_text
from mazurka.program import Op, Program, Rounds
from profiles import PROFILE

DRAWN = 50 if PROFILE == "quick" else 150  # loops

HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
atomic_int x, y;
int array[4], threads = 3;
unsigned most = -1;
const int sizes[3] = {1, 2, 3};
pthread_mutex_t mutex;
struct node { int value; struct node *next; } nodes[3];
static int bound(void) { return 3; }
static void *idle(void *arg) { return arg; }
_Noreturn static void leave(void) { x = 9; exit(1); }
_Noreturn static void fail(void) { x = 9; abort(); }
"""
CONSTANT = [
    "for (int i = 0; i < 4; i++) x = i;",
    "for (int i = 4; i > 0; --i) x = i;",
    "for (int i = 3; i >= 0; i--) x = i;",
    "for (size_t i = 3; i-- > 0;) x = 1;",
    "for (unsigned char i = 250; i > 247; i--) x = i;",
    "for (int i = 1; i < 64; i *= 2) x = i;",
    "for (unsigned n = 40; n; n >>= 1) x = 1;",
    "int n = 3; while (n--) x = n;",
    "int n = 5; do x = n; while (--n);",
    "int n = 0; while (1) { if (n == 4) break; n++; x = n; }",
    "int n = 0; for (;;) { int v = x; if (v) y = 1; if (++n > 3) return; }",
    "for (int i = 0; i < 6; i += 2) { int v = x; if (v == 3) continue; y = v; }",
    "for (int i = 0; i != 6; i += 2) x = i;",
    "for (int i = 0, j = 10; i < j; i++, j--) x = i;",
    "for (int i = 0; i < 4 && i != 7; i++) x = i;",
    "for (int i = 0; !(i == 4); i++) x = i;",
    "for (int i = 0; i < bound(); i++) x = i;",
    "for (int i = 0; i < threads; i++) x = i;",
    "for (int i = 0; i < 3; i++) for (int j = 0; j < i; j++) x = j;",
    "for (int i = 0; i < 3; i++) for (int j = 0; j < sizes[i]; j++) x = j;",
    "for (int i = 0; i < 3; i++) { assert(x < 9); if (y) abort(); }",
    "for (int i = 0; i < 4; i++) array[i] = i;",
    "for (int *p = array; p < array + 4; p++) *p = 1;",
    "for (int *p = array; p != array + 4; ++p) *p = 1;",
    "int *p = malloc(16); for (int *q = p; q < p + 4; q++) *q = 1;",
    "pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, idle, 0);"
    " for (int i = 0; i < 4; i++) pthread_join(t[i], 0);",
    "pthread_t t[4]; for (long i = 0; i < 4; i++) if (pthread_create(&t[i], 0, idle, (void *)i)) exit(1);",
    "pthread_t t[4]; for (int i = 0; i < 4; i++) { if (pthread_join(t[i], 0)) { perror(0); return; } }",
    "for (int i = 0; i < 4; i++) { pthread_mutex_lock(&mutex); x = i; pthread_mutex_unlock(&mutex); }",
    "for (int i = 0;; i++) { if (i == 4) exit(0); x = i; }",
    "for (int i = 0;; i++) { if (i == 4) { assert(x < 9); pthread_exit(0); } x = i; }",
    "for (int i = 0;; i++) { if (i > 3) leave(); x = i; }",
    "for (int i = 0;; i++) { if (x) leave(); if (i > 3) quick_exit(0); y = i; }",
    "for (int i = 0; i < 4; i++) { if (x) leave(); y = i; }",
    "for (unsigned i = 0; i <= (unsigned)threads; i++) x = i;",
    "for (int i = 0; i <= bound() + 1; i += 2) x = i;",
    "for (int i = 0; i < 3; i++) for (int j = 0; j <= i; j++) x = j;",
    "for (unsigned char c = 0; c < threads; c++) x = c;",
    "for (int i = 0; i < 20000; i++) x = i;",
    "for (int i = 0; i < sizeof array * 2000; i++) x = i;",
    "for (long i = 0; i <= 3; ++i) switch (i) { case 2: x = 4; break; default: y = 1; }",
]
ANY = [
    "while (!x);",
    "for (int i = 0; i < 100; i++) if (x) break;",
    "for (int i = 0; i < 100; i++) if (x) return;",
    "for (int i = 0; i < x; i++) y = i;",
    "int n = x; for (int i = 0; i < n; i++) y = i;",
    "int n = 0; while (n < 3) if (x) n++;",
    "int n = x ? 3 : 4; for (int i = 0; i < n; i++) y = i;",
    "int go = 1; while (go) y = 2;",
    "for (unsigned i = 5; i >= 0; i--) y = 1;",
    "for (int i = 0; i < 4; i++) { if (i == 2) i = 0; y = i; }",
    "for (int i = 0; i != 5; i += 2) y = i;",
    "for (unsigned char i = 0; i < 255; i += 2) y = i;",
    "int n; do n = x; while (n != 2);",
    "int e = 0; while (!atomic_compare_exchange_strong(&x, &e, 1)) e = 0;",
    "for (int i = 0; i < array[0]; i++) y = 1;",
    "for (struct node *n = nodes; n; n = n->next) n->value = 1;",
    "while (pthread_mutex_trylock(&mutex)) y = 1;",
    "while (1) { if (x) exit(0); y = 1; }",
    "unsigned char c = 0; do { x = c; c++; } while (c <= 255);",
    "for (unsigned char c = 0; c + 1 < 300; c++) x = c;",
    "unsigned char c = 0; while (1) { if (c + 1 > 256) break; x = c++; }",
    "for (signed char c = 0; c < threads + 125; c++) x = c;",
    "short n = 0; while (n < 40000) { y = n & 1; n++; }",
    "short n = 0; while (n > -32769) { y = n & 1; n--; }",
    "for (unsigned i = 0; i <= most; i++) x = 1;",
    "for (unsigned char c = 0; c != 300; c++) x = c;",
]
ENDLESS = [
    "for (;;) x = 1;",
    "a: x = 1; goto a;",
    "if (y) return; if (x) goto b; a: x = 1; b: y = 2; goto a;",
    "while (1) { if (x) abort(); y = 1; }",
    "for (int i = 0;; i++) { if (i == 4) fail(); assert(i != 3); x = i; }",
]


def program_of(bodies: list[str]) -> Program:
    functions = "".join(f"void f{number}(void) {{ {body} }}\n" for number, body in enumerate(bodies))
    return compile_text(
        f"{HEADER}{functions}int main(void) {{ array[x] = 1; nodes[x].next = 0; return 0; }}\n",
        without=("spin-assume", "dynamic-spin-assume"),
    )


def rounds_of(program: Program, number: int) -> set[Rounds]:
    """The marks of a function's loops."""
    (function,) = (f for f in program.functions if f.name == f"f{number}")
    return {Rounds(i.x) for i in function.code if i.op == Op.LOOP}


@pytest.mark.parametrize("mark", Rounds)
def test_spellings(mark: Rounds) -> None:
    bodies = {Rounds.CONSTANT: CONSTANT, Rounds.ANY: ANY, Rounds.ENDLESS: ENDLESS}[mark]
    program = program_of(bodies)
    wrong = [body for number, body in enumerate(bodies) if rounds_of(program, number) != {mark}]
    assert not wrong


def test_arguments_that_are_constant_wherever_a_function_is_called() -> None:
    source = f"""{HEADER}
static void fill(int n) {{ for (int i = 0; i < n; i++) array[i] = i; }}
static void wait(int n) {{ for (int i = 0; i < n; i++) x = i; }}
static void *worker(void *arg) {{ for (long i = 0; i < (long)arg; i++) x = i; return arg; }}
static void *waiter(void *arg) {{ for (long i = 0; i < (long)arg; i++) x = i; return arg; }}
void (*pointer)(int) = 0;
static void called(int n) {{ for (int i = 0; i < n; i++) x = i; }}
int main(void) {{
    pthread_t t;
    fill(3); fill(4); wait(2); wait(x); pointer = called;
    pthread_create(&t, 0, worker, (void *)3);
    pthread_create(&t, 0, waiter, (void *)(long)x);
}}
"""
    program = compile_text(source)
    marks = {f.name: Rounds(i.x).name for f in program.functions for i in f.code if i.op == Op.LOOP}
    assert marks == {
        **{"fill": "CONSTANT", "worker": "CONSTANT"},
        **{"wait": "ANY", "waiter": "ANY", "called": "ANY"},
    }


WIDTHS = {"int": (32, True), "unsigned": (32, False), "short": (16, True), "unsigned char": (8, False)}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "!=": lambda a, b: a != b,
}
STEPS: dict[str, Callable[[int], int]] = {
    "++": lambda n: n + 1,  # in the counter's own width, where += widens it first
    "--": lambda n: n - 1,
    "+= 1": lambda n: n + 1,
    "-= 1": lambda n: n - 1,
    "+= 2": lambda n: n + 2,
    "-= 3": lambda n: n - 3,
    "*= 2": lambda n: n * 2,
    "/= 2": lambda n: abs(n) // 2 * (1 if n >= 0 else -1),
}
NARROW = {"short": 32767, "unsigned char": 255}  # the largest number of each
MANY = 70_000  # all values of the narrow types come around by then


BOUNDS = [0, 3, 8, 15, 100, 255, 256, 300, 32767, 32768, 40000]
WAYS = ("literal", "long literal", "parameter", "long parameter")  # in which a bound is given


@dataclass(frozen=True)
class Counting:
    """A loop that counts, by its parts; one with several bounds is in a function that is called with each."""

    type: str
    start: int
    comparison: str
    bounds: tuple[int, ...]
    step: str
    way: str
    asks_first: bool

    def function(self, number: int) -> str:
        long = self.way.startswith("long")
        is_parameter = self.way.endswith("parameter")
        bound = "n" if is_parameter else f"{self.bounds[0]}{'L' if long else ''}"
        going_on = f"i {self.comparison} {bound}"
        loop = f"for (; {going_on}; i {self.step}) x = 1;"
        if not self.asks_first:
            loop = f"do {{ x = 1; i {self.step}; }} while ({going_on});"
        parameter = f"{'long' if long else 'int'} n" if is_parameter else "void"
        return f"static void f{number}({parameter}) {{ {self.type} i = {self.start}; {loop} }}\n"

    def calls(self, number: int) -> str:
        given = self.bounds if self.way.endswith("parameter") else ("",)
        return " ".join(f"f{number}({one});" for one in given)

    def rounds(self) -> int | None:
        """The largest number of rounds it makes, if that is not too large to count."""
        counts = [self._rounds(bound) for bound in self.bounds]
        return None if None in counts else max(count for count in counts if count is not None)

    def _rounds(self, bound: int) -> int | None:
        width, signed = WIDTHS[self.type]
        low = -(1 << (width - 1)) if signed else 0
        value, mask = self.start, (1 << width) - 1
        compare, step = COMPARISONS[self.comparison], STEPS[self.step]
        for count in range(MANY):
            if (self.asks_first or count) and not compare(value, bound):
                return count
            value = ((step(value) - low) & mask) + low
        return None


def drawn(draw: random.Random) -> Counting:
    way = draw.choice(WAYS)
    return Counting(
        draw.choice((*WIDTHS, *NARROW)),
        draw.randrange(20),
        draw.choice(list(COMPARISONS)),
        tuple(draw.choice(BOUNDS) for _ in range(draw.choice((1, 2)) if way.endswith("parameter") else 1)),
        draw.choice((*STEPS, "++", "--")),
        way,
        draw.random() < 0.6,
    )


def test_random_counting_loops() -> None:
    """One that ends soon is constant, one that does not end is not; many of each are drawn.

    A bound that is a parameter is not tried out, so not all loops with one are seen to end.
    """
    draw = random.Random(37)
    loops = [drawn(draw) for _ in range(DRAWN)]
    functions = "".join(one.function(number) for number, one in enumerate(loops))
    calls = "".join(one.calls(number) for number, one in enumerate(loops))
    program = compile_text(f"{HEADER}{functions}int main(void) {{ {calls} return 0; }}\n")
    ends = {one: one.rounds() for one in loops}
    seen = dict.fromkeys(WAYS, 0)
    for number, one in enumerate(loops):
        count, (mark,) = ends[one], rounds_of(program, number)
        seen[one.way] += mark == Rounds.CONSTANT
        if count is None and one.type in NARROW:
            assert mark != Rounds.CONSTANT, one
        elif count is not None and count < 10_000 and one.way.endswith("literal"):
            assert mark == Rounds.CONSTANT, (one, count)
    assert sum(count is None for count in ends.values()) > DRAWN // 15
    assert sum(count is not None for count in ends.values()) > DRAWN // 3
    beyond = [one for one in loops if one.type in NARROW and max(one.bounds) > NARROW[one.type]]
    assert any(one.comparison in ("<", "<=") and one.step == "++" for one in beyond)
    assert seen["parameter"] + seen["long parameter"] > DRAWN // 40
