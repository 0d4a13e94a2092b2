"""Tests as values: the notation, the three forms of a test, and what the strategies draw."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import find, given, settings
from mazurka.program import Mode
from mazurka.reference import enumerate_executions
from mazurka.testing import (
    Assume,
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Indexed,
    Load,
    Lock,
    NotationError,
    Operation,
    Part,
    Register,
    Store,
    Test,
    Unlock,
    parse_litmus,
    to_c,
    to_program,
)
from mazurka.testing.operations import READING, flatten
from mazurka.testing.strategies import litmus_tests
from profiles import examples, heavy


def test_notation() -> None:
    parsed = parse_litmus("Asc x; Racq y; if r0==1 Wrel x =r0 || Fsc; Crlx x 0 1; Xacqrel z 2")
    assert parsed.variables == (("x", 0), ("y", 0), ("z", 0))
    # The addition fills a register of the test, but only loads are numbered in the notation.
    guard = Guard(Register(1), 1, (Store(Mode.REL, "x", Register(1)),))
    assert parsed.threads == (
        (FetchAdd(Mode.SC, "x"), Load(Mode.ACQ, "y"), guard),
        (Fence(Mode.SC), CompareExchange(Mode.RLX, "x", 0, 1), Exchange(Mode.ACQ_REL, "z", 2)),
    )


@pytest.mark.parametrize(
    "text", ["", "Wrlx x", "Wrlx x 1; ", "Qrlx x", "Wrlx x =r0", "if r0==1 Rrlx x", "Rrlx x; Wrlx x y"]
)
def test_what_is_not_notation(text: str) -> None:
    with pytest.raises(NotationError):
        parse_litmus(text)


EVERYTHING = Test(
    threads=(
        (
            Lock("m"),
            Load(Mode.ACQ, "x"),
            Unlock("m"),
            Guard(Register(0), 1, (Store(Mode.SC, Indexed(Register(0), 1), Register(0)),)),
            Assume(Register(0), 0),
        ),
        (Fence(Mode.SC), CompareExchange(Mode.ACQ_REL, "x", 1, 2), FetchAdd(Mode.RLX, "y")),
        (Exchange(Mode.REL, "y", 2),),
    ),
    variables=(("x", 1), ("y", 0)),
    mutexes=("m",),
)


def test_c_source() -> None:
    source = to_c(EVERYTHING)
    for line in (
        "#include <mazurka.h>",
        "static atomic_int x = 1;",
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        "static atomic_int *const places[] = {&x, &y};",
        "    r0 = atomic_load_explicit(&x, memory_order_acquire);",
        "    if (r0 == 1) {",
        "        atomic_store_explicit(places[r0 & 1], r0, memory_order_seq_cst);",
        "    __VERIFIER_assume(r0 == 0);",
        "    r1 = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);",
        "    pthread_create(&threads[2], NULL, thread2, NULL);",
    ):
        assert line in source.splitlines()
    assert "r0 = 1; atomic_compare_exchange_strong_explicit(&x, &r0, 2" in source


def test_parts_of_variables() -> None:
    test = parse_litmus("Wrlx x[2] 0x1f; Rna x[0:7] || Crel x[0:3] 256 1; Wrlx y 1")
    assert test.variables == (("x", 0), ("y", 0))
    assert test.threads[0] == (Store(Mode.RLX, Part("x", 2, 1), 31), Load(Mode.NA, Part("x", 0, 8)))
    for line in (
        "static _Alignas(16) unsigned char x[] = {0, 0, 0, 0, 0, 0, 0, 0};",
        "static atomic_int y = 0;",
        "    atomic_store_explicit((_Atomic uint8_t *)(x + 2), 31, memory_order_relaxed);",
        "    r0 = *(uint64_t *)(x + 0);",
    ):
        assert line in to_c(test).splitlines()
    sizes = {item.name: item.size for item in to_program(test).globals}
    assert sizes == {"x": 8, "y": 4}


def test_initial_values_guards_and_assumptions() -> None:
    executions = enumerate_executions(to_program(EVERYTHING))
    # The load sees 1 (then stores 1 to y and is blocked) or 2 (and is blocked): nothing is complete.
    assert not executions.complete
    assert executions.blocked


@given(litmus_tests())
@examples(ci=150, slow=300)
def test_drawn_tests_are_well_formed(test: Test) -> None:
    assert len(test.threads) >= 2
    for thread in test.threads:
        filled = 0
        for operation in flatten(thread):
            assert all(register.number < filled for register in registers_used(operation))
            filled += isinstance(operation, READING)
    to_c(test)
    to_program(test).encode()


def registers_used(operation: Operation) -> list[Register]:
    place = getattr(operation, "place", None)
    used = [getattr(operation, "register", None), getattr(operation, "value", None)]
    used.append(place.register if isinstance(place, Indexed) else None)
    return [register for register in used if isinstance(register, Register)]


@heavy
@pytest.mark.parametrize(
    "kind", [Load, Store, Fence, FetchAdd, Exchange, CompareExchange, Guard, Assume, Lock, Unlock, Indexed]
)
def test_every_kind_is_drawn_and_shrinks(kind: type) -> None:
    def has_kind(test: Test) -> bool:
        operations = [operation for thread in test.threads for operation in flatten(thread)]
        return any(isinstance(o, kind) or isinstance(getattr(o, "place", None), kind) for o in operations)

    options = settings(max_examples=2_000, database=None)
    smallest = find(litmus_tests(), has_kind, settings=options, random=Random(0))
    # A guard, an assumption or an index needs a load before it; a section has a body; one thread may idle.
    assert sum(len(list(flatten(thread))) for thread in smallest.threads) <= 4
