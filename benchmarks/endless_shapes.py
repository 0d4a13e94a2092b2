"""Programs with a loop that never ends, or looks as if it did: the shapes by which limits are judged.

Each is the body of one or two threads; the line of the loop that must be named bears ``LOOP``. A shape
without that mark is finite and must be verified. A recursion without an event overflows the stack instead:
only events are counted before that.
"""

from __future__ import annotations

from dataclasses import dataclass

LOOP = "/* endless */"

_HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""

_MAIN = """\
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
"""

_IDLE = "void *two(void *argument) { return argument; }"


@dataclass(frozen=True)
class Shape:
    """A program by its name."""

    name: str
    source: str

    @property
    def line(self) -> int | None:
        """The line of the loop that does not end; none if all loops end."""
        lines = self.source.splitlines()
        return next((number for number, text in enumerate(lines, 1) if LOOP in text), None)

    @property
    def expected(self) -> str:
        """The verdict, the kind of violation, or the error with its line."""
        if self.line is None:
            return "verified"
        overflows = self.name in ("recurse", "recurse and print")
        return "stack-overflow" if overflows else self.refused("endless-loop", self.line)

    @staticmethod
    def refused(code: str, line: int | None) -> str:
        """An error in a line."""
        return f"{code}:{line}"


def _shape(name: str, declarations: str, one: str, two: str = "") -> Shape:
    """Two threads; the second does nothing unless it is given."""
    parts = [_HEAD, declarations, f"void *one(void *argument)\n{{\n    {one}\n    return argument;\n}}"]
    parts.append(f"void *two(void *argument)\n{{\n    {two}\n    return argument;\n}}" if two else _IDLE)
    return Shape(name, "\n".join([*parts, _MAIN]))


def _whole(name: str, text: str) -> Shape:
    """A program with a main function of its own."""
    return Shape(name, f"{_HEAD}{text}\n")


_X = "atomic_int x, y, z;"
_PLAIN = "int n;"
_MUTEX = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;"
_RELAXED = "memory_order_relaxed"

SILENT = (
    _shape("nothing", "", f"for (;;) {LOOP}\n        ;"),
    _shape("count", "", f"unsigned i = 0;\n    for (;;) {LOOP}\n        i++;"),
    _shape("private array", "", f"volatile int a[4] = {{0}};\n    for (;;) {LOOP}\n        a[a[0] & 3]++;"),
    _shape("goto", "", f"volatile int i = 0;\nagain: i++; {LOOP}\n    goto again;"),
    _whole(
        "main before threads",
        f"int n;\nint main(void)\n{{\n    for (;;) {LOOP}\n        n++;\n    return 0;\n}}",
    ),
    _whole(
        "main waits before threads",
        f"atomic_int x;\nint main(void)\n{{\n    while (!x) {LOOP}\n        ;\n    return 0;\n}}",
    ),
    _whole(
        "main prints before threads",
        f'int main(void)\n{{\n    for (;;) {LOOP}\n        puts("x");\n    return 0;\n}}',
    ),
)

WAITING = (
    _shape("wait", _X, f"while (!x) {LOOP}\n        ;"),
    _shape("wait for a store", _X, f"while (!x) {LOOP}\n        ;", "x = 1;"),
    _shape("wait and count", _X, f"unsigned i = 0;\n    while (!x) {LOOP}\n        i++;", "x = 1;"),
    _shape(
        "wait relaxed and count",
        _X,
        f"unsigned i = 0;\n    while (!atomic_load_explicit(&x, {_RELAXED})) {LOOP}\n        i++;",
        f"atomic_store_explicit(&x, 1, {_RELAXED});",
    ),
    _shape(
        "both wait and count",
        _X,
        f"unsigned i = 0;\n    while (!x) {LOOP}\n        i++;\n    y = i;",
        "unsigned i = 0;\n    while (!y)\n        i++;\n    x = i + 1;",
    ),
    _shape(
        "wait by exchange", _X, f"while (atomic_exchange(&x, 1)) {LOOP}\n        ;\n    y++;", "x = 1; x = 0;"
    ),
    _shape(
        "wait by compare",
        _X,
        f"int e = 1;\n    while (!atomic_compare_exchange_strong(&x, &e, 2)) {LOOP}\n        e = 1;",
        "x = 1;",
    ),
    _shape(
        "backing off",
        _X,
        f"unsigned k = 1;\n    while (!x) {{ {LOOP}\n"
        "        for (volatile unsigned i = 0; i < k % 64; i++)\n            ;\n"
        f"        k *= 3;\n    }}",
        "x = 1;",
    ),
    _shape(
        "test and set, bounded spin",
        "atomic_int l; int n;\n"
        f"static void lock(void)\n{{\n    while (atomic_exchange(&l, 1)) {LOOP}\n"
        "        for (int i = 0; i < 100; i++)\n            if (!l)\n                break;\n"
        f"}}",
        "lock();\n    n++;\n    l = 0;",
        "lock();\n    n++;\n    l = 0;",
    ),
    _shape(
        "test and set, backing off",
        "atomic_int l; int n;\n"
        f"static void lock(void)\n{{\n    unsigned k = 1;\n"
        f"    while (atomic_exchange(&l, 1)) {{ {LOOP}\n"
        "        for (unsigned i = 0; i < k; i++)\n            if (!l)\n"
        f"                break;\n        k = k < 16 ? 2 * k : 16;\n    }}\n}}",
        "lock();\n    n++;\n    l = 0;",
        "lock();\n    n++;\n    l = 0;",
    ),
    _shape(
        "ticket lock",
        "atomic_int next, serving; int n;\n"
        f"static void lock(void)\n{{\n    int mine = next++;\n"
        f"    while (serving != mine) {LOOP}\n        ;\n}}",
        "lock();\n    n++;\n    serving++;",
        "lock();\n    n++;\n    serving++;",
    ),
    _shape(
        "sequence lock",
        "atomic_int s, d;",
        f"int v, w;\n    do {{ {LOOP}\n        v = s;\n        w = d;\n    }} while (v % 2 || v != s);",
        "s = 1;\n    d = 5;\n    s = 2;",
    ),
    _shape(
        "take turns",
        _X,
        f"for (;;) {{\n        while (x != 0) {LOOP}\n            ;\n        x = 1;\n    }}",
        "for (;;) {\n        while (x != 1)\n            ;\n        x = 0;\n    }",
    ),
)

WRITING = (
    _shape("store", _X, f"for (;;) {LOOP}\n        x = 1;"),
    _shape("store a count", _X, f"for (int i = 0;; i++) {LOOP}\n        x = i;"),
    _shape("two store", _X, f"for (;;) {LOOP}\n        x = 1;", "for (;;)\n        x = 2;"),
    _shape(
        "two store counts",
        _X,
        f"for (int i = 0;; i++) {LOOP}\n        x = i;",
        "for (int i = 0;; i++)\n        x = i;",
    ),
    _shape(
        "store and watch",
        _X,
        f"for (int i = 0;; i++) {LOOP}\n        x = i;",
        "for (int i = 0; i < 3; i++)\n        y = x;",
    ),
    _shape("increment", _X, f"for (;;) {LOOP}\n        x++;"),
    _shape("two increment", _X, f"for (;;) {LOOP}\n        x++;", "for (;;)\n        x++;"),
    _shape("load and store", _X, f"for (;;) {LOOP}\n        x = x + 1;", "x = 5;"),
    _shape("fence", "", f"for (;;) {LOOP}\n        atomic_thread_fence(memory_order_seq_cst);"),
    _whole(
        "three loops",
        f"""\
atomic_int x, y, z;
void *one(void *argument) {{ while (y != 1) {{ x = 1; x = 0; y = 1; }} return argument; }} {LOOP}
void *two(void *argument) {{ while (x == 1 && y != 0) z = 1; return argument; }}
void *three(void *argument) {{ while (z == 1) {{ y = 0; z = 0; }} return argument; }}
int main(void)
{{
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, three, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}}""",
    ),
    _shape("plain increment", _PLAIN, f"for (;;) {LOOP}\n        n++;"),
    _shape("plain store", _PLAIN, f"for (int i = 0;; i++) {LOOP}\n        n = i;"),
    _shape("plain load", _PLAIN, f"volatile int v = 0;\n    for (;;) {LOOP}\n        v += n + 1;"),
    _shape("plain array", "int a[16];", f"for (int i = 0;; i++) {LOOP}\n        a[i % 16] = i;"),
)

# The comparison, wider than the counter or with the largest bound, holds forever.
COUNTING = (
    _shape(
        "narrow counter",
        _X,
        f"unsigned char c = 0;\n    do {{ {LOOP}\n        x = c;\n        c++;\n    }} while (c <= 255);",
    ),
    _shape(
        "short counter", _X, f"short n = 0;\n    while (n < 40000) {LOOP}\n        x = n++ & 1;", "x = 1;"
    ),
    _shape(
        "counter to the largest number",
        "atomic_int x;\nstatic void run(unsigned n)\n{\n"
        f"    for (unsigned i = 0; i <= n; i++) {LOOP}\n        x = i & 1;\n}}",
        "run(-1);",
        "x = 1;",
    ),
    _shape(
        "narrow counter to an argument",
        "atomic_int x;\nstatic void run(int n)\n{\n"
        f"    for (unsigned char c = 0; c < n; c++) {LOOP}\n        x++;\n}}",
        "run(300);",
        "run(3);",
    ),
)

LOCKING = (
    _shape(
        "lock",
        _MUTEX,
        f"for (;;) {{ {LOOP}\n        pthread_mutex_lock(&m);\n        n++;\n"
        f"        pthread_mutex_unlock(&m);\n    }}",
    ),
    _shape(
        "two lock",
        _MUTEX,
        f"for (;;) {{ {LOOP}\n        pthread_mutex_lock(&m);\n        n++;\n"
        f"        pthread_mutex_unlock(&m);\n    }}",
        "for (;;) {\n        pthread_mutex_lock(&m);\n        n++;\n        pthread_mutex_unlock(&m);\n    }",
    ),
    _shape(
        "try to lock",
        _MUTEX,
        f"while (pthread_mutex_trylock(&m)) {LOOP}\n        ;\n    n++;\n    pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m);\n    n++;\n    pthread_mutex_unlock(&m);",
    ),
    _shape("print", "", f'for (;;) {LOOP}\n        puts("x");'),
    _shape("print a count", "", f'for (int i = 0;; i++) {LOOP}\n        printf("%d\\n", i);'),
    _shape("print what is read", _X, f'for (;;) {LOOP}\n        printf("%d\\n", x);', "x = 1;"),
)

ALLOCATING = (
    _shape("allocate", "_Atomic(int *) p;", f"for (;;) {LOOP}\n        p = malloc(4);"),
    _shape(
        "allocate and free",
        "_Atomic(int *) p;",
        f"for (;;) {{ {LOOP}\n        p = malloc(4);\n        free(p);\n    }}",
    ),
    _shape(
        "allocate privately",
        "",
        f"for (;;) {{ {LOOP}\n        volatile int *p = malloc(4);\n        *p = 1;\n    }}",
    ),
    _shape(
        "allocate and free privately",
        "",
        f"for (;;) {{ {LOOP}\n        volatile int *p = malloc(4);\n        *p = 1;\n"
        f"        free((void *)p);\n    }}",
    ),
    _shape(
        "grow",
        "",
        f"char *p = 0;\n    for (unsigned i = 1;; i++) {{ {LOOP}\n        p = realloc(p, i);\n"
        f"        p[i - 1] = 1;\n    }}",
    ),
    _shape(
        "escaping local",
        "_Atomic(int *) p;\nvoid set(void) { int v = 0; p = &v; }",
        f"for (;;) {LOOP}\n        set();",
    ),
)

CREATING = (
    _shape(
        "create",
        "void *none(void *argument) { return argument; }",
        f"pthread_t t;\n    for (;;) {LOOP}\n        pthread_create(&t, 0, none, 0);",
    ),
    _shape(
        "create and join",
        "void *none(void *argument) { return argument; }",
        f"pthread_t t;\n    for (;;) {{ {LOOP}\n        pthread_create(&t, 0, none, 0);\n"
        f"        pthread_join(t, 0);\n    }}",
    ),
    _shape(
        "create writers",
        "atomic_int x;\nvoid *write(void *argument) { x = 1; return argument; }",
        f"pthread_t t;\n    for (;;) {LOOP}\n        pthread_create(&t, 0, write, 0);",
    ),
    _shape(
        "create and join writers",
        "atomic_int x;\nvoid *write(void *argument) { x++; return argument; }",
        f"pthread_t t;\n    for (;;) {{ {LOOP}\n        pthread_create(&t, 0, write, 0);\n"
        f"        pthread_join(t, 0);\n    }}",
    ),
)

RECURSING = (
    _shape("recurse", f"int f(volatile int i) {LOOP}\n{{ return f(i + 1) + i; }}", "f(0);"),
    _shape(
        "recurse and store", f"atomic_int x;\nint f(int i) {LOOP}\n{{ x = i; return f(i + 1) + 1; }}", "f(0);"
    ),
    _shape(
        "recurse in turns",
        f"atomic_int x;\nint g(int i);\nint f(int i) {LOOP}\n{{ x++; return g(i + 1) + 1; }}\n"
        f"int g(int i)\n{{ return f(i) + 1; }}",
        "f(0);",
    ),
    _shape("recurse and print", f'int f(int i) {LOOP}\n{{ puts("x"); return f(i + 1) + 1; }}', "f(0);"),
)

FINITE = (
    _shape("20000 stores", _X, "for (int i = 0; i < 20000; i++)\n        x = i;", "y = x;"),
    _shape("20000 plain increments", _PLAIN, "for (int i = 0; i < 20000; i++)\n        n++;"),
    _shape(
        "compare and increment",
        _X,
        "int v;\n    do\n        v = x;\n    while (!atomic_compare_exchange_strong(&x, &v, v + 1));",
        "int v;\n    do\n        v = x;\n    while (!atomic_compare_exchange_strong(&x, &v, v + 1));",
    ),
    _shape(
        "2000 locks",
        _MUTEX,
        "for (int i = 0; i < 2000; i++) {\n        pthread_mutex_lock(&m);\n        n++;\n"
        "        pthread_mutex_unlock(&m);\n    }",
    ),
)

SHAPES = (*SILENT, *WAITING, *WRITING, *COUNTING, *LOCKING, *ALLOCATING, *CREATING, *RECURSING, *FINITE)
