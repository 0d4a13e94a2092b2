"""Loads that only move a value are marked, so that copying bytes that were never written is not a finding."""

from __future__ import annotations

import pytest
from mazurka.program import MOVED, Op

from .support import compiled, function, instructions

DECLARATIONS = """
struct bits { unsigned a : 4, b : 4; }; struct bits *f;
struct pair { int x; short y; }; struct pair *s, *t;
struct one { int v; }; struct one *o;
struct big { int v[9]; }; struct big *b;
struct wide { long a; int b; }; struct wide *w;
int *p; char *c, *d; unsigned long n;
void take_pair(struct pair), take_one(struct one), take_big(struct big), take_wide(struct wide), take(int);
"""

MOVED_PLACES = {
    "f->a = 1;": ["f->{a, b}"],
    "f->b = 2;": ["f->{a, b}"],
    "f->b = 0;": ["f->{a, b}"],
    "*s = *t;": ["t->x", "t->y", "padding of *t", "padding of *t"],
    "struct pair q = *t; s->x = q.x;": ["t->x", "t->y", "padding of *t", "padding of *t"],
    "take_pair(*s);": ["s->x", "s->y", "padding of *s", "padding of *s"],
    "take_one(*o);": ["o->v"],
    "take_wide(*w);": ["w->a", "w->b"],
    "memcpy(c, d, 2);": ["*d", "*d"],
    "*c = *d;": ["*d"],
    "char kept = *c; *c = *d; *d = kept;": ["*c", "*d"],
    "memmove(s, t, sizeof *s);": ["t->x", "t->y", "padding of *t", "padding of *t"],
}
USED = [
    "take(*p);",
    "if (f->a) n = 1;",
    "n = f->b;",
    "n = *c;",
    "if ((*c = *d)) n = 1;",
    "*p = p[1];",
    "s->x = t->x;",
    "n = strlen(c);",
    "n = memcmp(c, d, n);",
]


def moved(statement: str) -> list[str]:
    program = compiled(DECLARATIONS + f"void g(void) {{ {statement} }} int main(void) {{ return 0; }}")
    loads = instructions(program, "g", Op.LOAD)
    return [i.expr for i in loads if i.x == MOVED]


@pytest.mark.parametrize("statement", MOVED_PLACES)
def test_moved(statement: str) -> None:
    assert moved(statement) == MOVED_PLACES[statement]


@pytest.mark.parametrize("statement", USED)
def test_used(statement: str) -> None:
    assert moved(statement) == []


def test_of_an_update_of_a_bit_field_only_the_store_moves() -> None:
    assert len(moved("f->a++;")) == 1
    assert len(moved("f->b |= 1;")) == 1


@pytest.mark.parametrize(
    ("call", "routine", "moves"),
    [
        ("memcpy(c, d, n);", "memcpy", True),
        ("memmove(c, d, n);", "memmove", True),
        ("c = realloc(c, n);", "memcpy", True),
        ("n = memcmp(c, d, n);", "memcmp", False),
        ("n = strlen(c);", "strlen", False),
        ("strcpy(c, d);", "strcpy", False),
    ],
)
def test_routines(call: str, routine: str, moves: bool) -> None:
    program = compiled(DECLARATIONS + f"int main(void) {{ {call} return 0; }}")
    loads = [i for i in function(program, routine).code if i.op == Op.LOAD]
    assert loads
    assert all((i.x == MOVED) == moves for i in loads)
