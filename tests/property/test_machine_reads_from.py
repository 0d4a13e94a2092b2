"""Reads-from equivalence under models of machines: each rf is found once, if some co makes it consistent."""

from __future__ import annotations

import pytest
from comparison import SEEDS, explore
from hypothesis import given
from mazurka.program import Mode
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.operations import (
    CompareExchange,
    Fence,
    FetchAdd,
    Load,
    Store,
)
from profiles import examples
from test_hardware import MODELS, OUTCOMES_OF_LAST, TESTS, compare, planned


def check(test: Test, name: str, seed: int | None) -> int:
    found = explore(to_program(test), planned(name)[1], equivalence="rf", seed=seed)
    compare(found, test, name, "rf")
    return found.complete


@pytest.mark.parametrize("name", MODELS)
@examples(ci=60, slow=3_000)
@given(dependency_tests(), SEEDS)
def test_engine_agrees_with_brute_force(name: str, test: Test, seed: int | None) -> None:
    check(test, name, seed)


# A compare-exchange fails, and read-modify-writes follow that a revisit keeps without it.
FAILED = Test(
    (
        (
            Fence(Mode.ACQ_REL),
            CompareExchange(Mode.RLX, "y", 1, 1),
            FetchAdd(Mode.RLX, "x"),
            FetchAdd(Mode.RLX, "x"),
        ),
        (Load(Mode.RLX, "x"), Store(Mode.RLX, "y", 1)),
    ),
    (("x", 0), ("y", 0)),
)


@pytest.mark.parametrize("name", MODELS)
def test_compare_exchanges_that_order_only_if_they_fail(name: str) -> None:
    for seed in (None, *range(8)):
        check(OUTCOMES_OF_LAST, name, seed)


# Three threads write x, and nobody reads it: one execution for each order of y.
WRITERS = parse_litmus("Wrlx x 1; Rrlx y || Wrlx x 2; Wrlx y 1 || Wrlx x 3; Rrlx y")


@pytest.mark.parametrize("name", MODELS)
def test_an_execution_stands_for_all_orders_of_its_writes(name: str) -> None:
    assert check(WRITERS, name, None) == 4


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("test", [*TESTS.values(), FAILED], ids=[*TESTS, "failed"])
def test_cycles_of_po_and_rf(name: str, test: Test) -> None:
    """Whatever the schedule, all executions are found, and each of them once."""
    for seed in (None, *range(8)):
        check(test, name, seed)
