"""The kernel's model: the engine agrees with brute force on programs with dependencies, fences and RCU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
from comparison import SEEDS, assert_between, assert_same, explore
from engine_graphs import canonical_from_engine
from hypothesis import given
from hypothesis import strategies as st
from known_gap import GAPS, model_with_gap
from mazurka import _engine
from mazurka.kat.language.load import load_model, load_text, named_model
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.meaning.terms import Model
from mazurka.kat.planning.program_classes import classes_of
from mazurka.kat.planning.simplify import simplify
from mazurka.models.registry import FOLDER, flags_of
from mazurka.program import Mode, Op
from mazurka.reference import enumerate_executions
from mazurka.soundness.requirements import plan_model
from mazurka.testing import Test, to_program
from mazurka.testing.dependency_strategies import kernel_tests
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Indexed,
    Load,
    Operation,
    Register,
    Store,
)
from profiles import examples
from shipped_models import plan_of


@cache
def planned() -> tuple[Model, Plan]:
    return model_with_gap("lkmm"), plan_of("lkmm")


@cache
def whole() -> Model:
    return replace(named_model("lkmm"), ppo=None)


@examples(ci=40, slow=3_000)
@given(kernel_tests(), SEEDS)
def test_engine_agrees_with_brute_force(test: Test, seed: int | None) -> None:
    model, plan = planned()
    program = to_program(test)
    least = partial(enumerate_executions, program, model)
    assert_between(explore(program, plan, seed=seed), least, enumerate_executions(program, whole()))


@examples(ci=6, slow=1_000)
@given(kernel_tests())
def test_a_plan_for_the_classes_of_a_program_finds_the_same(test: Test) -> None:
    program = to_program(test)
    own = simplify(named_model("lkmm"), classes_of(program))
    found, expected = explore(program, own), explore(program, planned()[1])
    assert forms(found.graphs) == forms(expected.graphs)


@cache
def flags() -> tuple[Model, bytes]:
    """The model with what executions are flagged by among its axioms, and the Plan for the engine."""
    file = flags_of("lkmm")
    assert file is not None
    model = load_text(f'include "flags/lkmm.kat"\n{GAPS["lkmm"]}', str(Path(FOLDER, "lkmm.kat")))
    return replace(model, ppo=None), plan_model(load_model(file.path)).encode()


@examples(ci=40, slow=1_000)
@given(kernel_tests(), SEEDS)
def test_a_violation_is_found_if_some_execution_has_a_data_race(test: Test, seed: int | None) -> None:
    program, (strict, code) = to_program(test), flags()
    model, plan = planned()
    expected = enumerate_executions(program, model).complete - enumerate_executions(program, strict).complete
    found = _engine.explore(
        program.encode(), plan.encode(), schedule_seed=seed, flags=code, flags_are_findings=True
    )
    assert (found.status == "violation") == bool(expected)
    assert found.finding is None or found.finding.event != found.finding.other


def forms(graphs: tuple[_engine.RawGraph, ...]) -> set[object]:
    found = [canonical_from_engine(graph, "co") for graph in graphs]
    assert len(found) == len(set(found)), "an execution was found twice"
    return set(found)


def loads_of(graph: _engine.RawGraph) -> Iterator[tuple[int, int, int]]:
    """The function, instruction and value of each load."""
    for thread in graph.threads:
        for event in thread.events:
            if event.kind == "R":
                yield (*event.stack[0], event.value)


def without_updates(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations with loads in place of read-modify-writes."""
    found: list[Operation] = []
    for operation in operations:
        match operation:
            case FetchAdd() | Exchange() | CompareExchange():
                found.append(Load(Mode.RLX, operation.place))
            case Guard(register, value, body):
                found.append(Guard(register, value, without_updates(body)))
            case _:
                found.append(operation)
    return tuple(found)


@examples(ci=120, slow=2_000)
@given(kernel_tests(), st.lists(st.integers(0, 2), min_size=9, max_size=9))
def test_foreseen_loads_leave_the_executions_with_their_values(test: Test, values: list[int]) -> None:
    """What is explored if every load has a given value are the executions in which all loads have it."""
    test = replace(test, threads=tuple(map(without_updates, test.threads)))
    program, plan = to_program(test), planned()[1]
    functions = enumerate(program.functions)
    loads = [(f, pc) for f, function in functions for pc, i in enumerate(function.code) if i.op is Op.LOAD]
    foreseen = [(*place, value) for place, value in zip(loads, values, strict=False)]
    found = _engine.explore(program.encode(), plan.encode(), collect=True, foreseen=foreseen)
    expected = [g for g in explore(program, plan).graphs if set(loads_of(g)) <= set(foreseen)]
    assert forms(found.graphs) == forms(tuple(expected))


# The order of an access and a later write of its location follows from the events, whatever they see.
OVERWRITTEN = Test(
    (
        (Load(Mode.RLX, "y"), Store(Mode.RLX, "x", 1)),
        (
            Load(Mode.RLX, "x"),
            CompareExchange(Mode.RLX, "y", 1, 1, Mode.RLX),
            Store(Mode.RLX, "y", 1),
        ),
    ),
    (("x", 0), ("y", 0)),
)


def test_an_overwritten_read_is_kept_with_the_write() -> None:
    model, plan = planned()
    program = to_program(OVERWRITTEN)
    expected = enumerate_executions(program, model)
    for seed in (None, *range(8)):
        assert_same(explore(program, plan, seed=seed), expected, early=True)


# The kernel's model allows that both loads see 1; no machine does, and neither does the engine.
EARLY = Test(
    (
        (Load(Mode.RLX, "y"), Load(Mode.RLX, Indexed(Register(0), 1)), Store(Mode.RLX, "x", 1)),
        (Load(Mode.RLX, "x"), Fence(Mode.SC), Store(Mode.RLX, "y", 1)),
    ),
    (("x", 0), ("y", 0)),
)


def test_a_write_before_the_address_of_an_earlier_access_is_missed() -> None:
    program = to_program(EARLY)
    model, plan = planned()
    assert_same(explore(program, plan), enumerate_executions(program, model), early=True)
    allowed = enumerate_executions(program, whole())
    assert len(allowed.complete) == len(enumerate_executions(program, model).complete) + 1


# The same with a compare-exchange, whose outcome is left open while the store is added.
EARLY_BEHIND_EXCHANGE = Test(
    (
        (Load(Mode.RLX, "y"), Guard(Register(0), 1, (Store(Mode.RLX, "x", 2),))),
        (
            Load(Mode.RLX, "x"),
            CompareExchange(Mode.RLX, Indexed(Register(0), 1), 1, 1, Mode.RLX),
            Store(Mode.RLX, "y", 1),
        ),
    ),
    (("x", 0), ("y", 0)),
)


def test_no_write_is_before_the_address_of_a_compare_exchange() -> None:
    program = to_program(EARLY_BEHIND_EXCHANGE)
    model, plan = planned()
    least = enumerate_executions(program, model)
    for equivalence in ("co", "rf"):
        for seed in (None, *range(8)):
            found = explore(program, plan, equivalence=equivalence, seed=seed)
            assert_same(found, least, equivalence, early=True)


# The compare-exchange succeeds by a write that follows what its own thread does after it saw the success.
SUCCESS = Test(
    (
        (
            CompareExchange(Mode.RLX, "y", 1, 2, Mode.RLX),
            Load(Mode.ACQ, "y"),
            Store(Mode.RLX, "x", 1),
        ),
        (Load(Mode.RLX, "x"), Store(Mode.RLX, Indexed(Register(0), 0, first=1), 1)),
    ),
    (("x", 0), ("y", 0)),
)


def test_a_success_that_its_own_thread_sees_before_its_reason_is_missed() -> None:
    program = to_program(SUCCESS)
    model, plan = planned()
    least, most = enumerate_executions(program, model), enumerate_executions(program, whole())
    assert_same(explore(program, plan), least, early=True)
    assert len(most.complete) == len(least.complete) + 1


# Both exchanges of a section are seen, one of them before a grace period and the other one after it. In the
# graph in which the load sees the store, the section comes after the grace period, and there the exchange of
# x cannot come before that store. So no revisit leads from there to this execution, which is found only under
# schedules that exchange y before the grace period.
SECTION = Test(
    (
        (Store(Mode.RLX, "x", 2),),
        (Load(Mode.RLX, "x"), Fence(Mode.RCU_SYNC), Exchange(Mode.RLX, "y", 2)),
        (Fence(Mode.RCU_LOCK), Exchange(Mode.RLX, "y", 1), Exchange(Mode.RLX, "x", 1)),
    ),
    (("x", 0), ("y", 0)),
)


@pytest.mark.parametrize(
    "seed", [pytest.param(None, marks=pytest.mark.xfail(strict=True, reason="LIMITS.md, Models")), 1]
)
def test_a_section_around_two_exchanges(seed: int | None) -> None:
    model, plan = planned()
    program = to_program(SECTION)
    assert_same(explore(program, plan, seed=seed), enumerate_executions(program, model), early=True)


# A compare-exchange that is fully ordered orders what follows only if it succeeds, and has a write.
READER = (Load(Mode.NA, "y"), Guard(Register(0), 2, (Store(Mode.NA, "x", 1),)))
ORDERED = (READER, (CompareExchange(Mode.SC, "x", 0, 2, Mode.RLX), Store(Mode.RLX, "y", 2)))
# A barrier behind it orders either way.
BARRIER = (
    READER,
    (
        CompareExchange(Mode.RLX, "x", 0, 2, Mode.RLX),
        Fence(Mode.AFTER_ATOMIC),
        Store(Mode.RLX, "y", 2),
    ),
)


@pytest.mark.parametrize(("threads", "count"), [(ORDERED, 3), (BARRIER, 2)], ids=["ordered", "barrier"])
def test_what_a_compare_exchange_orders_if_it_fails(
    threads: tuple[tuple[Operation, ...], ...], count: int
) -> None:
    """The load sees 0, or it sees 2, and then the compare-exchange sees 0, or 1 if nothing forbids that."""
    program = to_program(Test(threads, (("x", 0), ("y", 0))))
    model, plan = planned()
    expected = enumerate_executions(program, model)
    for seed in (None, *range(8)):
        found = explore(program, plan, seed=seed)
        assert_same(found, expected, early=True)
        assert found.complete == count


# A barrier that orders writes does so if there is a write. The other thread sees the store, and what was
# there before.
WRITES = (
    (CompareExchange(Mode.RLX, "y", 0, 1, Mode.RLX), Fence(Mode.W_W), Store(Mode.RLX, "x", 1)),
    (
        Load(Mode.RLX, "x"),
        Load(Mode.RLX, Indexed(Register(0), 0, first=1)),
        Store(Mode.RLX, "y", 2),
    ),
)


def test_a_compare_exchange_may_fail_by_a_write_after_which_it_could_not_succeed() -> None:
    program = to_program(Test(WRITES, (("x", 0), ("y", 0))))
    model, plan = planned()
    expected = enumerate_executions(program, model)
    for seed in (None, *range(8)):
        assert_same(explore(program, plan, seed=seed), expected, early=True)


# A grace period is a fence: it orders no plain access behind it after a read ahead of it.
PLAIN = Test(
    (
        (Load(Mode.RLX, "y"), Fence(Mode.RCU_SYNC), Store(Mode.NA, "x", 1)),
        (Load(Mode.NA, "x"), Store(Mode.NA, "y", Register(0))),
    ),
    (("x", 0), ("y", 0)),
)


def test_a_plain_access_behind_a_grace_period_may_be_early() -> None:
    program = to_program(PLAIN)
    model, plan = planned()
    assert_same(explore(program, plan), enumerate_executions(program, model), early=True)
