"""Fills and copies that are done at once are what their accesses one by one would be.

Each program is run as it is, and with every FILL and COPY answered 0: bytes, findings and counts must be the
same.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from comparison import Found, explore, plan_of
from mazurka.frontend import compile_text
from mazurka.program import Function, Instr, Op, Program
from profiles import heavy

_HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
enum { N = 100 };
typedef struct { int key; char text[2 * N]; } big;
static int ten = 10, forty = 40, size = N;
static char shared[N], other[N];
static const char fixed[N] = "The quick brown fox jumps over the lazy dog";
static _Thread_local char own[N];
static void number(char *p) { for (int i = 0; i < N; i++) p[i] = i; }
static void moves(char *p, const char *from)
{
    memset(p, ten, size);
    for (int i = 0; i < N; i++) assert(p[i] == 10);
    memcpy(p + 3, from + 1, size - 50);
    for (int i = 0; i < N - 50; i++) assert(p[3 + i] == from[1 + i]);
    assert(p[2] == 10 && p[3 + N - 50] == 10);
    number(p);
    memmove(p + ten, p, forty);
    for (int i = 0; i < 40; i++) assert(p[10 + i] == i);
    assert(p[9] == 9 && p[50] == 50);
    number(p);
    memmove(p, p + ten, forty);
    for (int i = 0; i < 40; i++) assert(p[i] == 10 + i);
    assert(p[40] == 40);
    memset(p + 1, 7, size - size);
    assert(p[1] == 11);
}
static void private_moves(void)
{
    char local[N], *heap = malloc(N);
    number(own);
    moves(local, own);
    moves(own, fixed);
    moves(heap, local);
    heap = realloc(heap, N + ten);
    for (int i = 0; i < 40; i++) assert(heap[i] == 10 + i);
    free(heap);
}
static void *idle(void *arg) { return arg; }
static void *in_thread(void *arg) { private_moves(); return arg; }
static void *fills(void *arg) { memset(shared, 1, forty); return arg; }
static void run(void *(*body)(void *))
{
    pthread_t t;
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, NULL);
}
"""
_BODIES = {
    "shared": "number(other); moves(shared, other); moves(other, fixed); run(idle);",
    "private": "private_moves(); run(in_thread);",
    "mixed": "char local[N]; number(shared); moves(local, shared); moves(shared, local); run(idle);",
    "heap": "char *p = malloc(N); number(other); moves(p, other); moves(other, p); free(p);",
    "in-a-thread": "memset(shared, 3, size); run(fills); assert(shared[39] == 1 && shared[40] == 3);",
    "struct": "static big a, b; a.text[2 * N - 1] = 5; b = a; run(idle); assert(b.text[2 * N - 1] == 5);",
    "smear": "number(shared); memcpy(shared + 1, shared, forty); run(idle);",
    "freed": "char *p = malloc(N); *(char *volatile *)&p = p; free(p); memset(p, 0, size);",
    "past-the-end": "memset(shared + 1, 0, size);",
    "past-the-private-end": "private_moves(); memset(own + 1, 0, size);",
    "past-the-source": "memcpy(other, shared + ten, size);",
    "huge": "memset(shared, 0, -(size_t)ten);",
    "huge-private": "memset(own, 0, -(size_t)ten);",
    "null": "memcpy(ten == 10 ? NULL : shared, other, size);",
    "constant": "memset((char *)fixed, 0, size);",
    "unwritten": "char *p = malloc(N); memset(p, 1, forty); shared[0] = p[39]; shared[1] = p[40]; free(p);",
    "copied-unwritten": "char *p = malloc(N), *q = malloc(N); memcpy(q, p, size); assert(*q == 0);",
}


def program(name: str) -> Program:
    return compile_text(_HEAD + f"int main(void) {{ {_BODIES[name]} return 0; }}")


def one_by_one(whole: Program) -> Program:
    """The program whose FILLs and COPYs do nothing."""
    constants = (*whole.constants, 0)
    zero = 0x8000_0000 | len(whole.constants)

    def instr(i: Instr) -> Instr:
        return Instr(Op.MOV, i.dst, zero) if i.op in (Op.FILL, Op.COPY) else i

    def function(f: Function) -> Function:
        return replace(f, code=tuple(map(instr, f.code)))

    return replace(whole, constants=constants, functions=tuple(map(function, whole.functions)))


def seen(result: Found) -> tuple[object, ...]:
    finding = result.explored.finding
    kind = finding and (finding.kind, finding.message)
    return result.status, kind, result.complete, result.blocked, len(result.graphs)


@pytest.mark.parametrize("name", _BODIES)
def test_at_once_and_one_by_one(name: str) -> None:
    whole = program(name)
    assert {i.op for f in whole.functions for i in f.code} & {Op.FILL, Op.COPY}
    at_once, slowly = (explore(p, plan_of("rc11")) for p in (whole, one_by_one(whole)))
    assert seen(at_once) == seen(slowly)


def written(result: Found) -> set[int]:
    """The bytes of which the engine says that the prologue wrote them."""
    return {byte for start, size, *_ in result.explored.prologue for byte in range(start, start + size)}


def test_every_byte_has_its_last_writer_once() -> None:
    whole = program("shared")
    at_once, slowly = (explore(p, plan_of("rc11")) for p in (whole, one_by_one(whole)))
    assert written(at_once) == written(slowly)
    for result in (at_once, slowly):
        writes = result.explored.prologue
        assert sum(size for _, size, *_ in writes) == len(written(result))
        assert writes == sorted(writes)


_LONG = """
#include <string.h>
#include <stdlib.h>
char a[10000000], b[10000000];
int main(void) {{ {} return b[99] - 1; }}
"""


@pytest.mark.parametrize(
    "body",
    [
        "memset(a, 1, sizeof a); memcpy(b, a, sizeof a); memmove(b + 1, b, sizeof b - 1);",
        "char *p = malloc(3000000); memset(p, 1, 3000000); memcpy(b, p, 3000000); free(p);",
    ],
)
def test_megabytes_are_one_write(body: str) -> None:
    result = explore(compile_text(_LONG.format(body)), plan_of("rc11"))
    assert (result.status, result.complete) == ("finished", 1)
    assert len(result.explored.prologue) <= 3


@heavy
def test_a_loop_of_fills_is_endless() -> None:
    source = (
        "#include <string.h>\nchar a[10000000]; int main(void) { for (;;) memset(a, a[5] + 1, sizeof a); }"
    )
    result = explore(compile_text(source), plan_of("rc11"))
    assert result.kind == "endless-loop"
