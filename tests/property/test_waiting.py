"""Threads that wait: the engine finds what brute force does, with and without avoidable waiting."""

from __future__ import annotations

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, assert_same, explore, plan_of, shipped
from hypothesis import given
from mazurka._engine import RawGraph
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, to_program
from mazurka.testing.waiting_strategies import waiting_tests
from profiles import examples, some
from shipped_models import NAMES


@pytest.mark.parametrize("name", some(NAMES, 2))
@examples(ci=80, slow=5_000)
@given(waiting_tests(max_candidates=2_000, non_atomic=True), SEEDS, AUDITS)
def test_every_execution_once(name: str, test: Test, seed: int | None, audit: bool) -> None:
    program, plan = to_program(test), plan_of(name)
    expected = enumerate_executions(program, shipped(name))
    for equivalence in EQUIVALENCES:
        assert_same(
            explore(program, plan, equivalence=equivalence, seed=seed, audit=audit), expected, equivalence
        )
    assert_same(explore(program, plan, seed=seed, audit=audit, postpones=False), expected)
    all_blocked = explore(program, plan, seed=seed, audit=audit, load_annotations=False)
    assert_same(all_blocked, expected, early=True)


@pytest.mark.parametrize("name", some(NAMES, 4))
@examples(ci=40, slow=5_000)
@given(waiting_tests(max_candidates=2_000, annotations=True), SEEDS, AUDITS)
def test_annotations(name: str, test: Test, seed: int | None, audit: bool) -> None:
    program, plan = to_program(test), plan_of(name)
    for confirms in (True, False):
        found = explore(program, plan, seed=seed, audit=audit, confirmations=confirms)
        assert_same(found, enumerate_executions(program, shipped(name), confirms=confirms))


def outcome(graph: RawGraph) -> object:
    """What threads read, and the final values."""
    threads = tuple(tuple(e.value for e in t.events if e.kind == "R") for t in graph.threads)
    last = {
        address: graph.threads[t].events[i].value for address, _, writes in graph.co for t, i in writes[-1:]
    }
    return threads, tuple(sorted(last.items()))


@pytest.mark.parametrize("name", some(NAMES, 2))
@examples(ci=40, slow=5_000)
@given(waiting_tests(max_candidates=2_000, annotations=True), SEEDS)
def test_confirmation_keeps_what_can_happen(name: str, test: Test, seed: int | None) -> None:
    """Findings, and the values that complete executions read and leave behind."""
    program, plan = to_program(test), plan_of(name)
    some, every = (explore(program, plan, seed=seed, confirmations=on) for on in (True, False))
    assert some.status == every.status
    if some.status == "finished":
        assert {outcome(g) for g in some.graphs} == {outcome(g) for g in every.graphs}
