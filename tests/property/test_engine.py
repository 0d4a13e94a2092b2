"""The engine's executions are those of brute force, each exactly once, in every model, whatever the schedule.

In a share of the examples the engine also compares its specialised checks with its general ones (``audit``).
"""

from __future__ import annotations

from itertools import product

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, WEAK, assert_same, explore, plan_of, shipped
from drawing import BATCHES, assert_drawn
from engine_graphs import canonical_from_engine
from hypothesis import given, settings
from hypothesis import seed as start_from
from mazurka.program import Program
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.cycle_strategies import cycle_tests, varied_tests
from mazurka.testing.strategies import litmus_tests
from profiles import examples, heavy, some
from shipped_models import NAMES


def check(program: Program, name: str, *orders: int | None, audit: bool) -> None:
    """The engine agrees with brute force up to both equivalences, in each order."""
    expected = enumerate_executions(program, shipped(name))
    for order, equivalence in product(orders, EQUIVALENCES):
        found = explore(program, plan_of(name), equivalence=equivalence, seed=order, audit=audit)
        assert_same(found, expected, equivalence)


# The programs of sc are many; in parts they can run on several cores.
@pytest.mark.parametrize("part", some(range(4), 4))
@examples(ci=250, slow=12_500)
@given(litmus_tests(non_atomic=True), SEEDS, AUDITS)
def test_sequential_consistency(part: int, test: Test, seed: int | None, audit: bool) -> None:
    check(to_program(test), "sc", seed, audit=audit)


@pytest.mark.parametrize("name", some(NAMES, every=3))
@examples(ci=100, slow=5_000)
@given(varied_tests(max_candidates=2_000, non_atomic=True), SEEDS, AUDITS)
def test_shipped_models(name: str, test: Test, seed: int | None, audit: bool) -> None:
    check(to_program(test), name, seed, audit=audit)


# What is special about each is in its comment.
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "source",
    [
        "Wrlx x 1 || Wrlx x 2 || Rrlx x; Rrlx x || Wrlx x 3",  # rf: the chosen co depends on the other read
        "Wrlx x 1; Rrlx x; Rrlx x || Wrlx x 3",  # a revisit asks for places that only its own read rules out
        "Wrlx x 1; Rrlx y || Wrlx y 1; Rrlx x",  # models disagree about store buffering
        "Wsc x 1; Csc/acq y 1 2 || Wsc y 2; Rsc x",  # a failure with a mode of its own
        "Wna x 1; Wrel y 1 || Racq y; if r0==1 Rna x",  # non-atomic without a race
        "Wsc x 1; Wrel y 1 || Asc y; Rrlx y || Wsc y 3; Rsc x",  # Z6.U tells rc11 from rc11-genmc
        # rf under tso, seeds 7 and 18: a new co changes rows along a path that goes through po twice
        "Rrlx w; Rrlx x || Wrlx x 1; Wrlx y 1 || Rrlx y; Rrlx z || Wrlx z 1; Wrlx w 1",
    ],
)
def test_programs_to_remember(name: str, source: str) -> None:
    check(to_program(parse_litmus(source)), name, *some((None, 7, 18, 1, 2), every=2), audit=True)


# That these tests can fail ------------------------------------------------------------------------------


@heavy
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *(("sc", "tso"), ("tso", "pso"), ("ra", "sc"), ("ra", "rc11-ra"), ("rc11", "rc11-ra")),
        *(("pso", "rc11"), ("rc11", "rc11-cpp11"), ("rc11", "rc11-genmc")),
    ],
)
def test_a_wrong_model_is_noticed(name: str, wrong: str) -> None:
    """The programs drawn tell each model from its neighbour, if twice as many as in CI are tried."""

    def differs(test: Test) -> bool:
        program = to_program(test)
        graphs = [set(map(canonical_from_engine, explore(program, plan_of(n)).graphs)) for n in (name, wrong)]
        return graphs[0] != graphs[1]

    assert_drawn(cycle_tests(), differs, f"a program that tells {name} from {wrong}")


@heavy
@pytest.mark.parametrize("name", WEAK)
def test_weak_behaviours_are_drawn(name: str) -> None:
    """One in twenty programs around a cycle has executions that sc has not."""
    drawn, weak = 0, 0

    def count(test: Test) -> None:
        nonlocal drawn, weak
        program = to_program(test)
        drawn += 1
        weak += explore(program, plan_of(name)).complete > explore(program, plan_of("sc")).complete

    for start in range(BATCHES):
        start_from(start)(settings(max_examples=100)(given(cycle_tests())(count)))()
    assert weak > drawn / 20
