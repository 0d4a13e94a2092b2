"""Algorithm 1 finds brute force's executions, none twice, in whatever order it adds events."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka.reference import Machine, enumerate_executions, verify
from mazurka.reference.running.labels import EventId, Label
from mazurka.reference.schedules import Order, interleaved, lowest_thread, scattered, writes_first
from mazurka.testing import Test, to_program
from mazurka.testing.strategies import litmus_tests
from profiles import examples

FEW = examples(ci=100, slow=200)
SEEDS = st.integers(0, 2**32 - 1)


def arbitrary(seed: int) -> Order:
    """Not an order at all: a new priority whenever one is asked for."""
    source = random.Random(seed)

    def key(event: EventId, label: Label) -> tuple[float, EventId]:
        return source.random(), event

    return key


def check(test: Test, order: Order) -> None:
    program = to_program(test)
    machine = Machine(program)
    expected = enumerate_executions(program)
    result = verify(program, order=order)
    for graphs, forms in ((result.complete, expected.complete), (result.blocked, expected.blocked)):
        visited = [machine.canonical(graph) for graph in graphs]
        assert len(visited) == len(set(visited))
        assert set(visited) == forms


@FEW
@given(litmus_tests())
@pytest.mark.parametrize("order", [lowest_thread, writes_first])
def test_fixed_orders(order: Order, test: Test) -> None:
    check(test, order)


@FEW
@given(litmus_tests(), SEEDS)
@pytest.mark.parametrize("family", [interleaved, scattered, arbitrary])
def test_random_orders(family: Callable[[int], Order], test: Test, seed: int) -> None:
    check(test, family(seed))


@FEW
@given(litmus_tests(max_events=8, max_candidates=1_000))
def test_brute_force_may_add_what_is_no_read_at_once(test: Test) -> None:
    program = to_program(test)
    assert enumerate_executions(program) == enumerate_executions(program, every_order=True)
