"""Accesses are named as the source writes them, addresses as the source declares them."""

from __future__ import annotations

import pytest
from mazurka.frontend import compile_text
from mazurka.frontend.naming import name_of
from mazurka.program import NO_POSITION, Op, Region, address

from .support import compiled, exprs, instructions

DECLARATIONS = """
struct node { int key; struct node *next; struct { short lo, hi; } part; };
struct queue { _Atomic(struct node *) head; int slots[4]; union { int i; float f; } u; };
struct queue q0; struct node buf[4]; atomic_int x; int grid[3][5], row[4]; int *where; pthread_mutex_t lock;
"""

ACCESSES = {
    "x = 1;": ["x"],
    "q0.head = 0;": ["q0.head"],
    "q->head = 0;": ["q->head"],
    "q->slots[2] = 1;": ["q->slots[2]"],
    "q->slots[i] = 1;": ["q->slots[i]"],
    "buf[3].next = 0;": ["buf[3].next"],
    "buf[i].part.hi = 1;": ["buf[i].part.hi"],
    "buf[i + 1].key = 1;": ["buf[i + 1].key"],
    "q->head->next->key = 1;": ["q->head", "q->head->next", "q->head->next->key"],
    "*p = 1;": ["*p"],
    "p[i] = 1;": ["p[i]"],
    "*where = 1;": ["where", "*where"],
    "grid[i][2] = 1;": ["grid[i][2]"],
    "*(row + i) = 1;": ["row[i]"],
    "((int *)row)[i] = 1;": ["row[i]"],
    "__atomic_fetch_add(&q->head->key, 1, 5);": ["q->head", "q->head->key"],
    "struct node *n = q->head; n->key++;": ["q->head", "n->key", "n->key"],
    "buf[0] = *q->head;": [
        *("q->head", "q->head->key", "buf[0].key"),
        *(("padding of *q->head", "padding of buf[0]") * 4),
        *("q->head->next", "buf[0].next"),
        *("q->head->part.lo", "buf[0].part.lo", "q->head->part.hi", "buf[0].part.hi"),
        *(("padding of *q->head", "padding of buf[0]") * 4),
    ],
}


@pytest.mark.parametrize("statement", ACCESSES)
def test_accesses(statement: str) -> None:
    program = compiled(
        DECLARATIONS
        + f"void f(struct queue *q, int *p, int i) {{ {statement} }} int main(void) {{ return 0; }}"
    )
    assert exprs(program, "f") == ACCESSES[statement]


@pytest.mark.parametrize("member", ["first", "second", "own"])
def test_members_of_base_classes(member: str) -> None:
    source = (
        "struct Base { virtual void go() {} int first, second; };\n"
        "struct Derived : Base { int own; } object;\n"
        f'extern "C" void f(Derived *p) {{ p->{member} = 1; }} int main() {{}}\n'
    )
    assert exprs(compile_text(source, "base.cpp"), "f") == [f"p->{member}"]


def test_bytes_of_a_base_class_that_is_only_declared_are_no_padding() -> None:
    """Its constructor is elsewhere, and so is its description."""
    source = (
        "struct Base { Base(); int first; };\n"
        "struct Derived : Base { Derived(); int own; };\n"
        "Derived::Derived() {}\n"
        'extern "C" void f(Derived *p) { p->first = 1; p->own = 2; } int main() {}\n'
    )
    assert exprs(compile_text(source, "base.cpp"), "f") == ["", "p->own"]


def test_thread_argument_is_named_by_its_typed_variable() -> None:
    program = compiled(
        DECLARATIONS
        + "void *f(void *arg) { struct queue *q = arg; q->head = 0; return 0; } int main(void) {}"
    )
    assert exprs(program, "f") == ["q->head"]


def test_mutex_is_named() -> None:
    program = compiled(DECLARATIONS + "int main(void) { pthread_mutex_lock(&lock); return 0; }")
    assert [i.expr for i in instructions(program, "main", Op.SYNC)] == ["lock"]


def test_addresses() -> None:
    program = compiled(
        DECLARATIONS + "int main(void) { return 0; }\nvoid *use[] = {&q0, buf, &x, grid, &lock};"
    )
    place = {item.name: item.address for item in program.globals}
    assert name_of(program, place["x"], 4) == "x"
    assert name_of(program, place["q0"], 8) == "q0.head"
    assert name_of(program, place["q0"] + 8 + 12, 4) == "q0.slots[3]"
    assert name_of(program, place["buf"] + 3 * 24 + 8, 8) == "buf[3].next"
    assert name_of(program, place["buf"] + 24 + 18, 2) == "buf[1].part.hi"
    assert name_of(program, place["grid"] + 4 * (2 * 5 + 1), 4) == "grid[2][1]"
    assert name_of(program, place["lock"], 4) == "lock"
    assert name_of(program, place["x"] + 4, 4) is None
    assert name_of(program, address(Region.SHARED, 4096), 4) is None


def test_accesses_of_unions_and_of_several_elements() -> None:
    program = compiled(
        "union u { unsigned long word; unsigned half[2]; struct { char lock, flags[3]; int count; }; } u;"
        "union v { int i; float f; } v; char ring[8];"
        "int main(void) { return 0; }\nvoid *use[] = {&u, &v, ring};"
    )
    place = {item.name: item.address for item in program.globals}
    assert name_of(program, place["u"], 8) == "u"
    assert name_of(program, place["u"], 8, is_access=True) == "u.word"
    assert name_of(program, place["u"], 4, is_access=True) == "u.half[0]"
    assert name_of(program, place["u"] + 2, 1, is_access=True) == "u.flags[1]"
    assert name_of(program, place["u"] + 4, 4, is_access=True) == "u.half[1]"
    assert name_of(program, place["ring"] + 2, 2, is_access=True) == "ring[2…3]"
    assert name_of(program, place["ring"], 8, is_access=True) == "ring"
    assert name_of(program, place["v"], 4, is_access=True) == "v"


def test_bit_fields_are_named_together() -> None:
    """They are accessed together, so that the name of one of them would be wrong."""
    program = compiled(
        "struct s { int x; unsigned a : 4, b : 4; int y; unsigned only : 3, : 0, z : 2; } f;"
        "void g(struct s *p) { f.b = 1; p->b = 1; p->only = 1; p->y = 2; } int main(void) { return 0; }"
    )
    assert exprs(program, "g") == [
        "f.{a, b}",
        "f.{a, b}",
        "p->{a, b}",
        "p->{a, b}",
        "p->only",
        "p->only",
        "p->y",
    ]
    start = next(item.address for item in program.globals if item.name == "f")
    assert [name_of(program, start + offset, size) for offset, size in ((0, 4), (4, 1), (8, 4), (12, 1))] == [
        *("f.x", "f.{a, b}", "f.y", "f.only")
    ]


def test_a_long_run_of_bit_fields_is_shortened() -> None:
    program = compiled(
        "struct { unsigned a : 1, b : 1, c : 1, d : 1, e : 1; } f; int main(void) { f.e = 1; return 0; }"
    )
    assert exprs(program, "main") == ["f.{a, b, c, d, …}"] * 2


def test_positions_are_those_of_the_source() -> None:
    program = compiled("atomic_int x;\nint main(void) {\n    x = 1;\n    return 0;\n}\n")
    store = instructions(program, "main", Op.STORE)[0]
    place = program.positions[store.position]
    assert (place.file, place.line, place.column) == ("program.c", 7, 7)


def test_macros_stand_where_they_are_used() -> None:
    program = compiled(
        "#define SET(v) atomic_store(&x, v)\natomic_int x;\nint main(void) {\n  SET(2);\n  return 0;\n}\n"
    )
    store = instructions(program, "main", Op.STORE)[0]
    assert program.positions[store.position].line == 8


def test_every_event_has_a_position() -> None:
    program = compiled("atomic_int x; int main(void) { for (int i = 0; i < 3; i++) x += i; return x; }")
    events = instructions(program, "main", Op.LOAD, Op.STORE, Op.RMW, Op.LOOP)
    assert all(i.position != NO_POSITION for i in events)
