"""Threads that stop after a round of a loop: the engine counts the executions that brute force does."""

from __future__ import annotations

import pytest
from comparison import SEEDS, assert_same, explore, plan_of, shipped
from hypothesis import assume, given
from mazurka.program import Annotation, Mode, Program
from mazurka.program.passes import passes_without, run_passes
from mazurka.reference import Executions, ReferenceUnsupported, enumerate_executions
from mazurka.testing import Test, to_program
from mazurka.testing.loop_strategies import loop_tests
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Guard,
    Load,
    Operation,
    Register,
    Repeat,
    Store,
)
from profiles import examples, some
from shipped_models import NAMES

MOST_GRAPHS = 1_000
ROUNDS = 2
STATIC = passes_without(("dynamic-spin-assume",))  # the reference knows SPIN, but does not compare rounds


def spinning(test: Test) -> Program:
    """The program with SPINs."""
    return run_passes(to_program(test), STATIC)


def reference(program: Program, model: str) -> Executions:
    """All executions."""
    return enumerate_executions(program, shipped(model), unroll=ROUNDS, most_graphs=MOST_GRAPHS)


@pytest.mark.parametrize("model", some(NAMES, 4))
@examples(ci=40, slow=5_000)
@given(loop_tests(only_spins=True), SEEDS)
def test_every_execution_once(model: str, test: Test, seed: int | None) -> None:
    program, plan = spinning(test), plan_of(model)
    try:
        expected = reference(program, model)
    except ReferenceUnsupported:
        assume(False)
    assert_same(explore(program, plan, seed=seed, unroll=ROUNDS), expected)
    every = explore(program, plan, seed=seed, unroll=ROUNDS, load_annotations=False)
    assert_same(every, expected, early=True)
    if not expected.findings:
        found = explore(program, plan, seed=seed, unroll=ROUNDS, liveness=True)
        assert (found.status == "violation") == bool(expected.stuck)


# Programs to remember -----------------------------------------------------------------------------------


def blocked(*threads: tuple[Operation, ...], x: int = 0) -> int:
    """How many executions are blocked under sc, in the engine and in the reference."""
    program = spinning(Test(threads, (("x", x), ("y", 0)), ()))
    expected = reference(program, "sc")
    found = explore(program, plan_of("sc"), unroll=ROUNDS)
    assert_same(found, expected)
    return found.blocked


def load(place: str) -> Load:
    return Load(Mode.SC, place)


def store(place: str) -> Store:
    return Store(Mode.SC, place, 1)


def test_a_thread_that_looked_too_early_could_look_again() -> None:
    """Nobody writes x, so all executions are blocked; y is 1 in the end, and one round has seen that."""
    look = Repeat((load("x"), load("y")), ((Register(0), 1),))
    assert blocked((look,), (store("y"),)) == 1
    look = Repeat((load("y"), load("x")), ((Register(1), 1),))
    assert blocked((look,), (store("y"),)) == 1


def test_a_read_before_the_loop_is_not_read_again() -> None:
    """The load before the loop sees y before or after the store, and both count."""
    look = Repeat((load("x"), load("y")), ((Register(1), 1),))
    assert blocked((load("y"), look), (store("y"),)) == 2


EXCHANGE = Repeat((Exchange(Mode.SC, "x", 1),), ((Register(0), 0),))
LOOK_AND_EXCHANGE = Repeat((load("x"), Exchange(Mode.SC, "x", 1)), ((Register(1), 0),))


@pytest.mark.parametrize("waits", [EXCHANGE, LOOK_AND_EXCHANGE])
def test_a_lock_that_is_released_blocks_nobody(waits: Repeat) -> None:
    holds = (waits, Store(Mode.SC, "x", 0))
    assert blocked(holds, holds) == 0


def test_what_stopped_rounds_write_back_is_not_later() -> None:
    """Nobody releases the lock. Both threads exchange, in one order or the other."""
    assert blocked((EXCHANGE,), (EXCHANGE,), x=1) == 2
    # Who comes last may look before or after the other's exchange.
    assert blocked((LOOK_AND_EXCHANGE,), (LOOK_AND_EXCHANGE,), x=1) == 4


def test_a_weak_failure_does_not_make_a_compare_exchange_weak() -> None:
    """What it confirms depends on its mode when it succeeds, also after it was tried with a failing write.

    Blocked is who finds the lock taken that the first thread keeps.
    """
    take = CompareExchange(Mode.SC, "x", 0, 1, Mode.RLX, Annotation.CONFIRMING_CAS)
    look = Repeat((load("x"), Guard(Register(0), 0, (take,))), ((Register(0), 0), (Register(1), 0)))
    assert blocked((look, store("y")), (EXCHANGE, Store(Mode.SC, "x", 0))) == 1
