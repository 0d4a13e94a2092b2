"""Escape analysis: what stays private to its thread is not an event."""

from __future__ import annotations

import pytest
from mazurka import _engine
from mazurka.frontend.analysis.escape import EscapeAnalysis
from mazurka.program import AllocFlag, Op
from shipped_models import plan_of

from .support import compiled, function, instructions

PRELUDE = """
struct box { int *p; int v; }; int *shared, common; struct box *boxes; _Atomic(int *) slot;
static void write_to(int *p) { *p = 1; }
static void keep(int *p) { shared = p; }
static void keep_later(int n, int *p) { if (n) keep_later(n - 1, p); else keep(p); }
static void publish(struct box *b) { shared = b->p; }
static int *same(int *p) { return p; }
static void *thread(void *p) { *(int *)p = 1; return 0; }
void keep_alias(int *p) __attribute__((alias("keep")));
static const struct box constant = {&common, 1};
"""
PRIVATE_LOCALS = {
    "read and written": "volatile int x = 1; x++;",
    "passed to a callee that only writes it": "int x; write_to(&x);",
    "in another private object": "int x; struct box b = {&x, 1}; *b.p = 2; b.v = 3;",
    "compared": "int x; write_to(&x); if (&x == shared) shared = 0;",
    "an array with a variable index": "int x[4]; for (int i = 0; i < 4; i++) x[i] = i;",
    "the thread's handle": "pthread_t x; pthread_create(&x, 0, thread, 0); pthread_join(x, 0);",
}
SHARED_LOCALS = {
    "stored in a global": "int x; shared = &x;",
    "stored atomically": "int x; atomic_store(&slot, &x);",
    "exchanged": "int x; atomic_exchange(&slot, &x);",
    "kept by a callee": "int x; keep(&x);",
    "kept by a callee of a recursive callee": "int x; keep_later(3, &x);",
    "kept by way of its contents": "int x; struct box b = {&x, 1}; publish(&b);",
    "in an object that is shared": "int x; struct box b = {&x, 1}; boxes = &b;",
    "returned by a callee": "int x; shared = same(&x);",
    "passed through a function pointer": "int x; void (*volatile f)(int *) = keep; f(&x);",
    "passed to a thread": "int x; pthread_t t; pthread_create(&t, 0, thread, &x);",
    "turned into an integer": "int x; long n = (long)&x; shared = (int *)n;",
    "copied with its holder": "int x; struct box b = {&x}, c; memcpy(&c, &b, 16); keep(c.p);",
    "kept by a callee that has two names": "int x; keep_alias(&x);",
    "stored where a joined thread says": (
        "int x; pthread_t t = 0; void *r; pthread_join(t, &r); *(int **)r = &x;"
    ),
    "stored through what another thread may have put in a shared object": (
        "int x; int **c = 0; int ***p = &c; int ****q = (int ****)&boxes; *q = p; **p = &x;"
    ),
    "stored through a pointer that a shared local holds": (
        "int x; int *h = 0; struct box b = {0}; boxes = &b; *(int **)b.p = &x; keep(h);"
    ),
    "stored through a member of a constant struct": "int x; struct box b = constant; *(int **)b.p = &x;",
    "stored where posix_memalign says": "int x; void *m; posix_memalign(&m, 16, 16); *(int **)m = &x;",
    "copied byte by byte as a string": (
        "int x; struct box b = {&x}, c; strncpy((char *)&c, (char *)&b, 8); shared = c.p;"
    ),
    "handed through a builtin": "int x; shared = __builtin_assume_aligned(&x, 4);",
    "chosen by a condition": "int x, y; shared = boxes ? &x : &y;",
}


@pytest.mark.parametrize("name", PRIVATE_LOCALS)
def test_private_locals(name: str) -> None:
    program = compiled(PRELUDE + f"int main(void) {{ {PRIVATE_LOCALS[name]} return 0; }}")
    assert not instructions(program, "main", Op.ALLOC)


@pytest.mark.parametrize("name", SHARED_LOCALS)
def test_shared_locals(name: str) -> None:
    program = compiled(PRELUDE + f"int main(void) {{ {SHARED_LOCALS[name]} return 0; }}")
    allocations = [i for i in instructions(program, "main", Op.ALLOC) if i.expr in ("x", "y")]
    assert allocations
    assert all(i.x == AllocFlag.STACK for i in allocations)
    ends = [i.x == AllocFlag.STACK for i in instructions(program, "main", Op.FREE)]
    assert ends.count(True) == [i.x for i in instructions(program, "main", Op.ALLOC)].count(AllocFlag.STACK)


def test_private_memory_of_another_thread_is_a_bug_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the analysis were wrong, a correct program would not be blamed for it."""
    monkeypatch.setattr(EscapeAnalysis, "escapes", lambda self, function, name: False)
    body = "int x = 1; pthread_t t; pthread_create(&t, 0, thread, &x); pthread_join(t, 0);"
    program = compiled(PRELUDE + f"int main(void) {{ {body} return 0; }}")
    with pytest.raises(_engine.EngineBug, match="private"):
        _engine.explore(program.encode(), plan_of("sc").encode())


@pytest.mark.parametrize(
    ("body", "flag"),
    [
        ("int *p = malloc(4); *p = 1; free(p);", AllocFlag.PRIVATE),
        ("int *p = calloc(1, 4); write_to(p); free(p);", AllocFlag.PRIVATE | AllocFlag.ZERO),
        ("int *p = malloc(4); shared = p;", 0),
        ("int *p = malloc(4); pthread_t t; pthread_create(&t, 0, thread, p);", 0),
        ("struct box *b = malloc(16); b->p = malloc(4); boxes = b;", 0),
    ],
)
def test_heap(body: str, flag: int) -> None:
    program = compiled(PRELUDE + f"int main(void) {{ {body} return 0; }}")
    assert {i.x for i in instructions(program, "main", Op.ALLOC)} == {flag}


def test_private_locals_live_in_the_frame() -> None:
    program = compiled(PRELUDE + "int main(void) { int x, y[4]; write_to(&x); write_to(y); return x; }")
    main = function(program, "main")
    assert [(o.name, o.size) for o in main.objects] == [("x", 4), ("y", 16)]
    assert main.frame_size == 24


def test_locals_that_are_never_addressed_live_in_registers() -> None:
    program = compiled(
        "int f(int a, int b) { int c = a * b; struct { int x, y; } s = {c, a}; return s.x + s.y; }\n"
        "int main(void) { return f(1, 2); }"
    )
    assert function(program, "f").frame_size == 0
