"""What machines show of compiled programs, by the outcomes of random programs: which sets include which.

An outcome is what each thread has read, and what memory holds in the end. Accesses are compiled as each model
says (its ``map`` lines), so what is compared is the same program in C:

- a machine shows what C allows, if C means rc11 with load buffering, but without values out of thin air (of
  graphs, ``mazurka prove compiles`` claims the same);
- what total store order shows, rc11 itself and IMM allow, and every interleaving can be seen everywhere;
- IMM allows what machines show of programs without read-modify-writes, and why not of others;
- x86 shows less than the weaker machines if a program leaves orders to SC fences. With acquire and release it
  does not: each machine implements these in its own way, and on some of them they order more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from typing import TypeAlias

import pytest
from comparison import explore, plan_of, shipped
from engine_graphs import canonical_from_engine
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.kat.meaning.terms import Model
from mazurka.models.registry import machine_models
from mazurka.program import Mode
from mazurka.reference import Canonical, enumerate_executions
from mazurka.reference.canonical import final_memory
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.cycle_strategies import varied_tests
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Load,
    Operation,
    Store,
)
from profiles import examples

MACHINES = tuple(name for name in machine_models() if name != "imm")
TOTAL_STORE_ORDER = ("x86", "riscv-tso")
WEAK = tuple(name for name in MACHINES if name not in TOTAL_STORE_ORDER)
TESTS = st.one_of(dependency_tests(max_candidates=200), varied_tests(max_candidates=200))
Outcome: TypeAlias = tuple[tuple[tuple[int, ...], ...], frozenset[tuple[int, int]]]


def outcome(form: Canonical) -> Outcome:
    threads, _ = form
    return tuple(tuple(e[4] for e in events if e[0] == "R") for events in threads), final_memory(form)


def shown(test: Test, name: str) -> set[Outcome]:
    """The outcomes under a shipped model, compiled for it."""
    found = explore(apply_mapping(to_program(test), shipped(name).mapping), plan_of(name))
    assert found.status == "finished"
    return {outcome(canonical_from_engine(graph)) for graph in found.graphs}


@cache
def c_with_load_buffering() -> Model:
    """rc11, with the least axiom about values out of thin air instead of its own."""
    model, least = shipped("rc11"), shipped("thin-air")
    kept = tuple(axiom for axiom in model.axioms if axiom.name != "no-thin-air")
    assert len(kept) == len(model.axioms) - 1
    return replace(model, axioms=(*kept, *least.axioms))


@examples(ci=60, slow=3_000)
@given(TESTS)
def test_machines_show_what_c_allows(test: Test) -> None:
    allowed = enumerate_executions(to_program(test), c_with_load_buffering()).complete
    outcomes = set(map(outcome, allowed))
    for name in MACHINES:
        assert shown(test, name) <= outcomes, name


@examples(ci=60, slow=3_000)
@given(TESTS)
def test_total_store_order_is_stronger(test: Test) -> None:
    interleaved, x86, ztso = (shown(test, name) for name in ("sc", *TOTAL_STORE_ORDER))
    for name in (*MACHINES, "imm"):
        assert interleaved <= shown(test, name), name
    assert x86 == shown(test, "tso")
    assert ztso <= shown(test, "riscv")
    for name in ("rc11", "rc11-genmc", "rc11-ra", "rc11-cpp11", "ra", "imm"):
        assert x86 <= shown(test, name), name
    for name in ("rc11", "rc11-genmc", "rc11-ra", "rc11-cpp11", "imm"):
        assert ztso <= shown(test, name), name


def changed(test: Test, change: Callable[[Operation], Operation]) -> Test:
    """A test with its operations changed, those under guards, too."""

    def one(operation: Operation) -> Operation:
        if isinstance(operation, Guard):
            return replace(operation, body=tuple(map(one, operation.body)))
        return change(operation)

    return replace(test, threads=tuple(tuple(map(one, thread)) for thread in test.threads))


def without_update(operation: Operation) -> Operation:
    """Loads instead of read-modify-writes."""
    if isinstance(operation, FetchAdd | Exchange | CompareExchange):
        mode = {Mode.REL: Mode.RLX, Mode.ACQ_REL: Mode.ACQ}.get(operation.mode, operation.mode)
        return Load(mode, operation.place)
    return operation


@examples(ci=100, slow=3_000)
@given(TESTS)
def test_imm_allows_what_machines_show_without_updates(test: Test) -> None:
    test = changed(test, without_update)
    allowed = shown(test, "imm")
    for name in MACHINES:
        assert shown(test, name) <= allowed, name


def ordered_by_fences(operation: Operation) -> Operation:
    """Relaxed accesses and SC fences."""
    match operation:
        case Fence():
            return Fence(Mode.SC)
        case CompareExchange():
            return replace(operation, mode=Mode.RLX, failure=Mode.RLX)
        case Load() | Store() | FetchAdd() | Exchange():
            return replace(operation, mode=Mode.RLX)
    return operation


def relaxed_or_sc(operation: Operation) -> Operation:
    """The same, but SC accesses stay."""
    keeps = not isinstance(operation, Fence) and getattr(operation, "mode", None) is Mode.SC
    return operation if keeps else ordered_by_fences(operation)


@examples(ci=100, slow=3_000)
@given(TESTS)
def test_x86_shows_less_than_weaker_machines(test: Test) -> None:
    fenced = changed(test, ordered_by_fences)
    for name in WEAK:
        assert shown(fenced, "x86") <= shown(fenced, name), name
    mixed = changed(test, relaxed_or_sc)
    assert shown(mixed, "x86") <= shown(mixed, "armv8")


# Why there are no more inclusions: a program, a model that shows an outcome of it, and one that does not.
NOT_INCLUDED = {
    # IMM orders what follows a read-modify-write after it. Exclusives and LSE instructions do not.
    "imm: updates": (
        "Rrlx y; if r0==1 Wrlx x 1 || Arlx x; Arlx y",
        WEAK,
        ("imm",),
    ),
    # A store that releases stays before a load that acquires on ARMv8. Elsewhere they are plain ones, with
    # fences only before the store and after the load.
    "armv8: release, then acquire": (
        "Wrel x 1; Racq y || Wrel y 1; Racq x",
        tuple(name for name in MACHINES if name != "armv8"),
        ("armv8",),
    ),
    # An SC load has a full fence before it on POWER and RISC-V. Elsewhere the SC stores have one, if any.
    "power and riscv: SC loads": (
        "Wrlx x 1; Rsc y || Wrlx y 1; Rsc x",
        ("x86", "armv8", "armv7"),
        ("power", "riscv", "riscv-tso"),
    ),
    # SC stores have a fence after them on x86 and ARMv7, not on POWER and RISC-V. On ARMv8 it stays before
    # a load that acquires.
    "x86 and arm: SC stores": (
        "Wsc x 1; Racq y || Wsc y 1; Racq x",
        ("power", "riscv", "riscv-tso"),
        ("x86", "armv8", "armv7"),
    ),
    # The full fence beside an SC store is about all that is before and after it. RISC-V and ARMv8 have none.
    "x86, power and armv7: SC stores in between": (
        "Wrlx x 1; Wsc z 1; Rrlx y || Wrlx y 1; Wsc z 2; Rrlx x",
        ("riscv", "riscv-tso", "armv8"),
        ("x86", "power", "armv7"),
    ),
    "total store order: message passing": (
        "Wrlx x 1; Wrlx y 1 || Rrlx y; Rrlx x",
        WEAK,
        TOTAL_STORE_ORDER,
    ),
    # A fence that acquires and releases is a DMB on ARM, and leaves a store before a load open elsewhere.
    "arm: weaker fences": (
        "Wrlx x 1; Facqrel; Rrlx y || Wrlx y 1; Facqrel; Rrlx x",
        ("x86", "riscv-tso", "riscv", "power"),
        ("armv8", "armv7"),
    ),
    # Writes reach the other threads one by one on POWER and ARMv7: the third thread sees what depends on a
    # write before it sees the write.
    "power and armv7: several copies": (
        "Wrlx x 1 || Rrlx x; if r0==1 Wrlx y 1 || Racq y; Rrlx x",
        ("power", "armv7"),
        ("x86", "riscv-tso", "riscv", "armv8"),
    ),
}


@pytest.mark.parametrize(("program", "show", "hide"), NOT_INCLUDED.values(), ids=NOT_INCLUDED)
def test_why_others_are_not_included(program: str, show: tuple[str, ...], hide: tuple[str, ...]) -> None:
    test = parse_litmus(program)
    everything = {name: shown(test, name) for name in (*show, *hide)}
    for name in show:
        for other in hide:
            assert not everything[name] <= everything[other], (name, other)


def test_each_two_machines_are_told_apart() -> None:
    pairs = {pair for _, show, hide in NOT_INCLUDED.values() for pair in product(show, hide)}
    machines = [
        name for name in MACHINES if name != "lkmm"
    ]  # programs are not compiled to the kernel's model
    assert set(permutations(machines, 2)) - pairs == {("riscv-tso", "riscv")}
